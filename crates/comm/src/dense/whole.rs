//! Matrices that every rank has.

use nonius_linalg::Error;
use nonius_linalg::backend::{Memory, View, ViewMut};

use super::cargo::Cargo;
use super::carry::{Carry, Link};
use super::exchange::Wanted;
use super::matrix::Tiled;
use super::piece::Piece;
use super::ranks::Ranks;

impl<B: Link> Ranks<B> {
    /// Gives a matrix that one rank has to the others, which get it as the result. All ranks call
    /// it, with the matrix's shape and format.
    ///
    /// # Errors
    /// [`Error::Device`] where a rank has failed.
    pub fn broadcast<T: Cargo>(
        &self,
        (root, given): (usize, Option<B::Ref<'_>>),
        format: T::Format,
        shape: (usize, usize),
    ) -> Result<Option<B::Matrix>, Error>
    where
        B: Carry<T>,
    {
        self.attempt(|| {
            let (ranks, mut none) = (self.grid.ranks(), self.local.room(format, 0, 0));
            if let Some(from) = given {
                let others = (0..ranks.size()).filter(|&rank| rank != ranks.rank());
                let pieces: Vec<_> = others.filter_map(|to| Piece::whole(to, shape)).collect();
                self.local.exchange(&self.wire, from, &pieces, &mut none, &[])?;
                return Ok(None);
            }
            let taken: Vec<_> = Piece::whole(root, shape).into_iter().collect();
            let mut found = self.local.room(format, shape.0, shape.1);
            let none = self.local.view(&none);
            self.local.exchange(&self.wire, none, &[], &mut found, &taken)?;
            Ok(Some(found))
        })
    }

    /// The tiles of a matrix that every rank has, which need no message.
    pub fn tiles_of<T: Cargo>(&self, whole: B::Ref<'_>) -> Tiled<T, B>
    where
        B: Carry<T> + 'static,
    {
        let (rows, cols) = whole.shape();
        let mut tiled = self.room(whole.format(), rows, cols);
        let Tiled { local, rows, cols, here: (p, q) } = &mut tiled;
        for col in cols.runs(*q) {
            for row in rows.runs(*p) {
                let (i, j) = (rows.place(row.start, *p), cols.place(col.start, *q));
                let (height, width) = (row.len(), col.len());
                let to = self.local.view_mut(local).block_mut(i, j, height, width);
                self.local.copy(whole.block(row.start, col.start, height, width), to);
            }
        }
        tiled
    }

    /// A matrix in tiles, on every rank. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Device`] where a rank has failed.
    pub fn everywhere<T: Cargo>(&self, a: &Tiled<T, B>) -> Result<B::Matrix, Error>
    where
        B: Carry<T> + 'static,
    {
        self.attempt(|| self.net().fetch(self.view(a), Wanted::All, Wanted::All))
    }
}
