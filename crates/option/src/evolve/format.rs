//! The format in which an evolution is computed.

use std::borrow::Cow;

use nonius_linalg::Number;

use super::{Evolution, Generator, Row, Stage};
use crate::format::widest;

impl<T: Number> Evolution<T> {
    /// The widest format of its numbers, in which it is computed.
    pub fn format(&self) -> T::Format {
        if is_fixed::<T>() { T::ZERO.format() } else { widest(self.numbers().copied()) }
    }

    /// Brings all numbers to a format.
    pub(crate) fn bring_to(&mut self, format: T::Format) {
        let bring = |x: &mut T| {
            if x.format() != format {
                *x = x.to_format(format);
            }
        };
        let Self { start, generators, obstacles, stages } = self;
        start.iter_mut().for_each(bring);
        for Generator { lower, diagonal, upper } in generators {
            lower.iter_mut().chain(diagonal).chain(upper).for_each(bring);
        }
        obstacles.iter_mut().flatten().for_each(bring);
        for stage in stages {
            match stage {
                Stage::Steps(steps) => {
                    [&mut steps.dt, &mut steps.theta].into_iter().for_each(bring)
                }
                Stage::Map(rows) => {
                    let numbers = |row: &mut Row<T>| {
                        row.weights.iter_mut().chain([&mut row.constant]).for_each(bring);
                    };
                    rows.iter_mut().for_each(numbers);
                }
                Stage::Floor(_) => {}
            }
        }
    }

    fn numbers<'a>(&'a self) -> impl Iterator<Item = &'a T> {
        let Self { start, generators, obstacles, stages } = self;
        let of_generator = |Generator { lower, diagonal, upper }: &'a Generator<T>| {
            lower.iter().chain(diagonal).chain(upper)
        };
        let of_row = |row: &'a Row<T>| row.weights.iter().chain([&row.constant]);
        let of_stage = move |stage: &'a Stage<T>| {
            let (steps, rows) = match stage {
                Stage::Steps(steps) => (Some([&steps.dt, &steps.theta]), &[][..]),
                Stage::Map(rows) => (None, &rows[..]),
                Stage::Floor(_) => (None, &[][..]),
            };
            steps.into_iter().flatten().chain(rows.iter().flat_map(of_row))
        };
        let vectors = start.iter().chain(generators.iter().flat_map(of_generator));
        vectors.chain(obstacles.iter().flatten()).chain(stages.iter().flat_map(of_stage))
    }

    fn has_one_format(&self) -> bool {
        let mut formats = self.numbers().map(|x| x.format());
        formats.next().is_none_or(|first| formats.all(|format| format == first))
    }
}

/// The members of a batch, each with all numbers in its format: itself where they have that.
pub(crate) fn in_one_format<T: Number>(batch: &[Evolution<T>]) -> Cow<'_, [Evolution<T>]> {
    if is_fixed::<T>() || batch.iter().all(Evolution::has_one_format) {
        return Cow::Borrowed(batch);
    }
    let mut members = batch.to_vec();
    members.iter_mut().for_each(|member| member.bring_to(member.format()));
    Cow::Owned(members)
}

/// Whether the type says the format.
fn is_fixed<T: Number>() -> bool {
    size_of::<T::Format>() == 0
}
