//! Entries as they are read.

use super::datum::Datum;
use crate::mp;
use crate::sparse::matrix_market::List;

/// Entries of one precision, without the room that each [`Datum`] has for the highest.
#[derive(Clone, Debug)]
pub struct DatumList {
    pub(super) values: mp::Numbers,
    pub(super) known: Vec<Known>,
}

/// What is known of an entry beside its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) error: Option<i32>,
    pub(super) places: u32,
}

impl List for DatumList {
    type Item = Datum;

    fn count(&self) -> usize {
        self.known.len()
    }

    fn capacity(&self) -> usize {
        self.values.capacity().min(self.known.capacity())
    }

    fn try_reserve_exact(&mut self, more: usize) -> Option<()> {
        self.values.try_reserve_exact(more)?;
        self.known.try_reserve_exact(more).ok()
    }

    fn push(&mut self, x: Datum) {
        let Datum { value, error, places } = x;
        self.values.push(value);
        self.known.push(Known { error, places });
    }

    fn append(&mut self, more: Self) {
        self.values.extend(more.values.as_slice());
        self.known.extend(more.known);
    }

    fn at(&self, i: usize) -> Datum {
        let Known { error, places } = self.known[i];
        Datum { value: self.values.at(i), error, places }
    }
}
