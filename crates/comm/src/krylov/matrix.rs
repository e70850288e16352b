//! Matrices whose rows are shared out.

use core::ops::Range;

use nonius_linalg::backend::Segments;
use nonius_linalg::krylov::LinearOperator;
use nonius_linalg::sparse::{Coo, Csr, Layout};
use nonius_linalg::{Error, Number, Numbers};

use super::halo::{Halo, runs};
use super::space::{RankSpace, RankVector};

/// A square matrix of which each rank has its rows, as operators of this rank's space.
///
/// The inner rows take entries of this rank alone. They are computed while the entries are under
/// way that the others take, the boundary rows.
#[derive(Clone, Debug)]
pub struct RankMatrix<A> {
    order: usize,
    /// All rows of this rank; those of the boundary have no terms.
    inner: A,
    /// The boundary rows, whose columns are entries of the halo. A row's terms have the order of
    /// the whole matrix.
    boundary: A,
    /// Where boundary rows are among this rank's rows.
    places: Vec<Range<usize>>,
    /// How many there are.
    count: usize,
    halo: Halo,
}

impl<V: Number> RankMatrix<Csr<V>> {
    /// The matrix of the rows that each rank has, with columns of the whole. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::TooLarge`], [`Error::Device`].
    pub fn new<S: Segments>(space: &RankSpace<S>, rows: &Csr<V>) -> Result<Self, Error> {
        space.team.check()?;
        let (own, order) = (space.team.own(), space.team.rows.order());
        Error::check_shape("rows", (own.len(), order), rows.shape())?;
        let is_boundary = |row: usize| rows.row(row).any(|(_, col)| !own.contains(&col));
        let boundary: Vec<usize> = (0..own.len()).filter(|&row| is_boundary(row)).collect();
        let columns = |&row: &usize| rows.row(row).map(|(_, col)| col);
        let mut needed: Vec<usize> = boundary.iter().flat_map(columns).collect();
        needed.sort_unstable();
        needed.dedup();
        let inner = (0..own.len()).filter(|row| boundary.binary_search(row).is_err());
        let inner =
            part(rows, inner.map(|row| (row, row)), (own.len(), own.len()), |col| col - own.start)?;
        let numbered = boundary.iter().enumerate().map(|(to, &row)| (row, to));
        let place = |col| needed.partition_point(|&one| one < col);
        let outer = part(rows, numbered, (boundary.len(), needed.len()), place)?;
        let halo = Halo::new(&space.team, &needed)?;
        let (places, count) = (runs(0, &boundary), boundary.len());
        Ok(Self { order, inner, boundary: outer, places, count, halo })
    }

    /// The rows of a matrix that every rank has. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::TooLarge`], [`Error::Device`].
    pub fn from_whole<S: Segments>(
        space: &RankSpace<S>,
        a: &impl Layout<Number = V>,
    ) -> Result<Self, Error> {
        let order = space.team.rows.order();
        Error::check_shape("a", (order, order), a.shape())?;
        Self::new(space, &cut(a, space.team.own())?)
    }
}

impl<A> RankMatrix<A> {
    /// The same matrix with other operators for the parts of this rank: another format, say.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn try_map<B>(self, f: impl Fn(A) -> Result<B, Error>) -> Result<RankMatrix<B>, Error> {
        let Self { order, inner, boundary, places, count, halo } = self;
        let (inner, boundary) = (f(inner)?, f(boundary)?);
        Ok(RankMatrix { order, inner, boundary, places, count, halo })
    }
}

impl<S: Segments, A: LinearOperator<S>> LinearOperator<RankSpace<S>> for RankMatrix<A> {
    fn size(&self) -> (usize, usize) {
        (self.order, self.order)
    }

    fn apply(
        &self,
        space: &mut RankSpace<S>,
        x: &RankVector<S::Vector>,
        y: &mut RankVector<S::Vector>,
    ) {
        space.attempt(|space| {
            self.halo.begin(space, &x.local)?;
            self.inner.apply(&mut space.local, &x.local, &mut y.local);
            if self.count > 0 {
                let near = self.halo.end(space, &x.local)?;
                let mut rows = space.local.vector(self.count)?;
                self.boundary.apply(&mut space.local, &near, &mut rows);
                let mut first = 0;
                for range in &self.places {
                    space.local.place(&rows, first, &mut y.local, range.clone());
                    first += range.len();
                }
            }
            Ok(())
        });
    }
}

/// Some rows of a matrix as a matrix with columns of the whole, their terms as they are.
pub(super) fn cut<V: Number>(
    a: &impl Layout<Number = V>,
    rows: Range<usize>,
) -> Result<Csr<V>, Error> {
    let (mut places, mut values) = (Vec::new(), Numbers::new(a.values().format()));
    for row in rows.clone() {
        let line = a.line_of_row().map_or(row, |lines| lines[row] as usize);
        for (at, col) in a.terms(line) {
            places.push((row - rows.start, col));
            values.extend(a.values().as_slice().range(at..at + 1));
        }
    }
    gathered((rows.len(), a.shape().1), places, values)
}

/// Some rows, each with its number in the result, with their columns renumbered.
fn part<V: Number>(
    a: &Csr<V>,
    rows: impl Iterator<Item = (usize, usize)>,
    shape: (usize, usize),
    column: impl Fn(usize) -> usize,
) -> Result<Csr<V>, Error> {
    let (mut places, mut values) = (Vec::new(), Numbers::new(a.values().format()));
    for (row, to) in rows {
        for (at, col) in a.row(row) {
            places.push((to, column(col)));
            values.extend(a.values().as_slice().range(at..at + 1));
        }
    }
    gathered(shape, places, values)
}

fn gathered<V: Number>(
    (rows, cols): (usize, usize),
    places: Vec<(usize, usize)>,
    values: Numbers<V>,
) -> Result<Csr<V>, Error> {
    let entries = Coo::from_parts(rows, cols, places, values);
    Csr::from_coo(entries.ok_or(Error::TooLarge { rows, cols })?)
}
