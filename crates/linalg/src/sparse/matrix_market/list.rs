//! What entries are collected in while a file is read.

use core::fmt::Debug;

use nonius_num::Element;

use crate::Numbers;
use crate::sparse::Triplet;

/// A growing list of entries.
pub trait List: Clone + Debug + Send {
    /// One of them, by itself.
    type Item;

    /// How many there are.
    fn count(&self) -> usize;

    /// How many there is room for.
    fn capacity(&self) -> usize;

    /// Makes room for `more` further entries; `None` where there is no memory for them.
    fn try_reserve_exact(&mut self, more: usize) -> Option<()>;

    /// Appends an entry.
    fn push(&mut self, x: Self::Item);

    /// Appends all entries of another list.
    fn append(&mut self, more: Self);

    /// Entry `i`, counted from zero.
    fn at(&self, i: usize) -> Self::Item;

    /// The entries, one by one.
    fn into_items(self) -> impl Iterator<Item = Self::Item>
    where
        Self: Sized,
    {
        (0..self.count()).map(move |i| self.at(i))
    }
}

impl<T: Element> List for Numbers<T> {
    type Item = T;

    fn count(&self) -> usize {
        self.len()
    }

    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn try_reserve_exact(&mut self, more: usize) -> Option<()> {
        self.try_reserve_exact(more)
    }

    fn push(&mut self, x: T) {
        self.push(x);
    }

    fn append(&mut self, more: Self) {
        self.extend(more.as_slice());
    }

    fn at(&self, i: usize) -> T {
        self.at(i)
    }
}

/// A list of values with their places.
#[derive(Clone, Debug)]
pub(super) struct Places<L> {
    /// Row and column of each value.
    pub(super) places: Vec<(usize, usize)>,
    pub(super) values: L,
}

impl<L: List> List for Places<L> {
    type Item = Triplet<L::Item>;

    fn count(&self) -> usize {
        self.places.len()
    }

    fn capacity(&self) -> usize {
        self.places.capacity().min(self.values.capacity())
    }

    fn try_reserve_exact(&mut self, more: usize) -> Option<()> {
        self.places.try_reserve_exact(more).ok()?;
        self.values.try_reserve_exact(more)
    }

    fn push(&mut self, x: Triplet<L::Item>) {
        self.places.push((x.row, x.col));
        self.values.push(x.value);
    }

    fn append(&mut self, more: Self) {
        self.places.extend(more.places);
        self.values.append(more.values);
    }

    fn at(&self, i: usize) -> Triplet<L::Item> {
        let (row, col) = self.places[i];
        Triplet { row, col, value: self.values.at(i) }
    }
}
