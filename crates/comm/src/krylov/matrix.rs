//! Matrices whose rows are shared out.

use core::cell::RefCell;
use core::fmt;
use core::ops::Range;

use nonius_linalg::krylov::LinearOperator;
use nonius_linalg::sparse::{Coo, Csr, Layout};
use nonius_linalg::{Error, Number, Numbers};

use super::halo::Halo;
use super::space::{RankSpace, RankVector};
use super::travel::Travel;

/// A square matrix of which each rank has its rows, as operators of this rank's space.
///
/// The inner rows take entries of this rank alone. They are computed while the entries are under
/// way that the others take, the boundary rows.
pub struct RankMatrix<S: Travel, A> {
    order: usize,
    /// All rows of this rank; those of the boundary have no terms.
    inner: A,
    /// The boundary rows, whose columns are entries of the halo. A row's terms have the order of
    /// the whole matrix.
    boundary: A,
    /// Where boundary rows are among this rank's rows.
    places: S::Pairs,
    work: RefCell<Work<S>>,
}

/// What a product has in memory.
struct Work<S: Travel> {
    halo: Halo<S>,
    /// The product's boundary rows.
    rows: S::Vector,
}

impl<S: Travel, A> fmt::Debug for RankMatrix<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RankMatrix({0} x {0})", self.order)
    }
}

impl<S: Travel, V: Number> RankMatrix<S, Csr<V>> {
    /// The matrix of the rows that each rank has, with columns of the whole. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::TooLarge`], [`Error::Device`].
    pub fn new(space: &RankSpace<S>, rows: &Csr<V>) -> Result<Self, Error> {
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
        let numbered = || boundary.iter().enumerate();
        let place = |col| needed.partition_point(|&one| one < col);
        let shape = (boundary.len(), needed.len());
        let outer = part(rows, numbered().map(|(to, &row)| (row, to)), shape, place)?;
        let places: Vec<(usize, usize)> = numbered().map(|(from, &row)| (from, row)).collect();
        let halo = Halo::new(space, &needed)?;
        let work = RefCell::new(Work { halo, rows: space.local.vector(boundary.len())? });
        let places = space.local.pairs(&places)?;
        Ok(Self { order, inner, boundary: outer, places, work })
    }

    /// The rows of a matrix that every rank has. All ranks call it.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::TooLarge`], [`Error::Device`].
    pub fn from_whole(space: &RankSpace<S>, a: &impl Layout<Number = V>) -> Result<Self, Error> {
        let order = space.team.rows.order();
        Error::check_shape("a", (order, order), a.shape())?;
        Self::new(space, &cut(a, space.team.own())?)
    }
}

impl<S: Travel, A> RankMatrix<S, A> {
    /// The same matrix with other operators for the parts of this rank: in another format, or in
    /// the memory of this rank's device.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn try_map<B>(self, f: impl Fn(A) -> Result<B, Error>) -> Result<RankMatrix<S, B>, Error> {
        let Self { order, inner, boundary, places, work } = self;
        let (inner, boundary) = (f(inner)?, f(boundary)?);
        Ok(RankMatrix { order, inner, boundary, places, work })
    }
}

impl<S: Travel, A: LinearOperator<S>> LinearOperator<RankSpace<S>> for RankMatrix<S, A> {
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
            let RankSpace { team, local, .. } = space;
            let Work { halo, rows } = &mut *self.work.borrow_mut();
            let (x, y) = (&x.local, &mut y.local);
            let inner = |local: &mut S| self.inner.apply(local, x, y);
            let near = halo.near(local, &team.wire, x, inner)?;
            if local.length(rows) > 0 {
                self.boundary.apply(local, near, rows);
                local.move_entries(&self.places, rows, y);
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
