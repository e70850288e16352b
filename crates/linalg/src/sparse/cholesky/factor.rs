//! The factorisation.

use super::groups::Update;
use super::{Kernels, Symbolic};
use crate::Error;
use crate::sparse::Values;
use crate::threads::{Grain, map_parts};

/// A factor's memory, and the factor. `D` are panels.
#[derive(Clone, Debug)]
pub struct Factor<D> {
    /// Those of the supernodes level by level.
    panels: Vec<D>,
}

impl<D: Send + Sync> Factor<D> {
    /// Memory without a factor.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn new<V: Values, K: Kernels<V, Panel = D>>(
        kernels: &K,
        symbolic: &Symbolic,
    ) -> Result<Self, Error> {
        let shape = symbolic.shape();
        let panel = |&s: &u32| kernels.panel(shape.height(s as usize), shape.width(s as usize));
        let panels = symbolic.levels().members().iter().map(panel).collect::<Result<_, _>>()?;
        Ok(Self { panels })
    }

    /// The panel of a supernode.
    pub(super) fn panel(&self, symbolic: &Symbolic, s: usize) -> &D {
        &self.panels[symbolic.levels().place(s)]
    }

    /// Factors the matrix with these entries; whether it has a factor, else what is left is of no use.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn factor<V: Values, K: Kernels<V, Panel = D>>(
        &mut self,
        kernels: &K,
        symbolic: &Symbolic,
        values: &V,
    ) -> Result<bool, Error> {
        assert_eq!(values.count(), symbolic.lower().entries(), "entries");
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
struct Work<'a, V: Values, K: Kernels<V>> {
    kernels: &'a K,
    symbolic: &'a Symbolic,
    values: &'a V,
    done: &'a [K::Panel],
}

impl<V: Values, K: Kernels<V>> Work<'_, V, K> {
    fn supernode(&self, s: usize, panel: &mut K::Panel) -> Result<bool, Error> {
        let shape = self.symbolic.shape();
        let height = shape.height(s);
        self.kernels.clear(panel);
        for (at, column) in shape.columns(s).enumerate() {
            for &(number, row) in self.symbolic.sources(column) {
                self.kernels.put(panel, at * height + row as usize, self.values, number as usize);
            }
        }
        for group in self.symbolic.groups(s) {
            self.subtract(s, group, panel)?;
        }
        self.kernels.factor(panel)
    }

    /// What others contribute to a supernode, as one product.
    fn subtract(&self, s: usize, group: &[Update], panel: &mut K::Panel) -> Result<(), Error> {
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
        let mut w = self.kernels.panel(places.len(), depth)?;
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
            self.kernels.gather(&self.done[levels.place(from)], first, &own, &mut w, col);
            col += shape.width(from);
        }
        self.kernels.subtract(&w, cols, &places, panel)
    }
}
