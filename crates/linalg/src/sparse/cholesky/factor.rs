//! The factorisation.

use super::groups::Update;
use super::{Kernels, Symbolic};
use crate::threads::{Grain, map_parts};
use crate::{Element, Error, Matrix, Number, Numbers};

/// A factor's memory, and the factor.
#[derive(Clone, Debug)]
pub struct Factor<T: Element> {
    /// The panels of the supernodes level by level.
    panels: Vec<Matrix<T>>,
}

impl<T: Number> Factor<T> {
    /// Memory without a factor.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn new(format: T::Format, symbolic: &Symbolic) -> Result<Self, Error> {
        let shape = symbolic.shape();
        let panel = |&s: &u32| {
            Matrix::try_zeros_in(format, shape.height(s as usize), shape.width(s as usize))
        };
        let panels = symbolic.levels().members().iter().map(panel).collect::<Result<_, _>>()?;
        Ok(Self { panels })
    }

    /// The panel of a supernode.
    pub(super) fn panel(&self, symbolic: &Symbolic, s: usize) -> &Matrix<T> {
        &self.panels[symbolic.levels().place(s)]
    }

    /// Factors the matrix with these entries; whether it has a factor, else what is left is of no
    /// use.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn factor(
        &mut self,
        kernels: &impl Kernels<T>,
        symbolic: &Symbolic,
        values: &Numbers<T>,
    ) -> Result<bool, Error> {
        assert_eq!(values.len(), symbolic.lower().entries(), "entries");
        let levels = symbolic.levels();
        for range in levels.ranges() {
            let members = &levels.members()[range.clone()];
            let (done, rest) = self.panels.split_at_mut(range.start);
            let work = Work { kernels, symbolic, values, done };
            let panels = &mut rest[..range.len()];
            let found = map_parts(panels, Grain::ANY, |i, panel| {
                work.supernode(members[i] as usize, panel)
            });
            for is_definite in found {
                if !is_definite? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// A factorisation of which the first levels are done.
struct Work<'a, T: Element, K> {
    kernels: &'a K,
    symbolic: &'a Symbolic,
    values: &'a Numbers<T>,
    done: &'a [Matrix<T>],
}

impl<T: Number, K: Kernels<T>> Work<'_, T, K> {
    fn supernode(&self, s: usize, panel: &mut Matrix<T>) -> Result<bool, Error> {
        let shape = self.symbolic.shape();
        panel.numbers_mut().clear();
        for (at, column) in shape.columns(s).enumerate() {
            let mut to = panel.column_mut(at);
            for &(number, row) in self.symbolic.sources(column) {
                to.set(row as usize, self.values.at(number as usize));
            }
        }
        for group in self.symbolic.groups(s) {
            self.subtract(s, group, panel)?;
        }
        self.kernels.factor(panel)
    }

    /// What others contribute to a supernode, as one product.
    fn subtract(&self, s: usize, group: &[Update], panel: &mut Matrix<T>) -> Result<(), Error> {
        let (shape, levels) = (self.symbolic.shape(), self.symbolic.levels());
        let rows = |update: &Update| &shape.below(update.from as usize)[update.begin as usize..];
        let mut places: Vec<u32> =
            group.iter().flat_map(|update| shape.places(s, rows(update))).collect();
        if group.len() > 1 {
            places.sort_unstable();
            places.dedup();
        }
        let cols = places.partition_point(|&place| (place as usize) < shape.width(s));
        let depth = group.iter().map(|update| shape.width(update.from as usize)).sum();
        let mut w = Matrix::try_zeros_in(panel.format(), places.len(), depth)?;
        let (mut col, mut own) = (0, Vec::new());
        for update in group {
            let from = update.from as usize;
            own.clear();
            let mut at = 0;
            own.extend(shape.places(s, rows(update)).map(|place| {
                at += places[at..].partition_point(|&other| other < place);
                at as u32
            }));
            let first = shape.width(from) + update.begin as usize;
            gather(&self.done[levels.place(from)], first, &own, &mut w, col);
            col += shape.width(from);
        }
        self.kernels.subtract(&w, cols, &places, panel)
    }
}

/// Copies the rows of `A` from `first` on to rows `places` of `W`, whose columns from `col` on they
/// get.
fn gather<T: Number>(a: &Matrix<T>, first: usize, places: &[u32], w: &mut Matrix<T>, col: usize) {
    for k in 0..a.cols() {
        let (from, mut to) = (a.column(k).range(first..a.rows()), w.column_mut(col + k));
        for (i, &place) in places.iter().enumerate() {
            let place = place as usize;
            to.reborrow().range(place..place + 1).copy_from(from.range(i..i + 1));
        }
    }
}
