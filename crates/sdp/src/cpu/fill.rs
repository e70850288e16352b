//! Numbers that threads share.

use nonius_linalg::threads::{Grain, Parts, for_each_with};
use nonius_linalg::{Element, SliceMut};

/// The numbers of a slice, one by one.
struct Singles<'a, T: Element>(SliceMut<'a, T>);

impl<'a, T: Element> Parts for Singles<'a, T> {
    type Part = SliceMut<'a, T>;

    fn count(&self) -> usize {
        self.0.len()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let (first, rest) = self.0.split_at(count);
        (Self(first), Self(rest))
    }

    fn take_first(&mut self) -> Option<SliceMut<'a, T>> {
        if self.0.is_empty() {
            return None;
        }
        let none = SliceMut::from_parts(self.0.format(), &mut [], &mut []);
        let (first, rest) = core::mem::replace(&mut self.0, none).split_at(1);
        self.0 = rest;
        Some(first)
    }
}

/// Has every number written; a thread takes `least` of them at least, with some memory of its own.
pub(super) fn fill<T: Element, M>(
    to: SliceMut<'_, T>,
    least: usize,
    memory: impl Fn() -> M + Sync,
    number: impl Fn(&mut M, usize, SliceMut<'_, T>) + Sync,
) {
    for_each_with(Singles(to), Grain::AtLeast(least), memory, |memory, i, to| {
        number(memory, i, to);
    });
}
