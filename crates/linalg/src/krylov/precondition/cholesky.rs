//! Incomplete Cholesky factorisation without fill-in, IC(0).

use core::ops::Range;

use nonius_num::rns::float::{RnsNumbers, stepwise};

use super::Preconditioner;
use crate::cpu::space::{HostSpace, RnsSpace};
use crate::sparse::{Coo, Csr, Layout, Multiplies, Triangle};
use crate::{Error, Number, Numbers};

/// `M = L·Lᵀ` with `L` in the pattern of the lower triangle of the matrix, where `M` agrees with
/// the matrix.
///
/// Source: Meijerink and van der Vorst, *An iterative solution method for linear systems of which
/// the coefficient matrix is a symmetric M-matrix* (1977).
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Cg, HostSpace, IncompleteCholesky, Options};
/// use nonius_linalg::sparse::{Coo, Csr, Triplet};
///
/// // A tridiagonal matrix has no fill-in: its incomplete factor is the factor.
/// let n = 50;
/// let neighbours = |row: usize| (row.max(1) - 1..n.min(row + 2)).map(move |col| (row, col));
/// let entry = |(row, col)| Triplet { row, col, value: if row == col { 2.0 } else { -1.0 } };
/// let triplets = (0..n).flat_map(neighbours).map(entry);
/// let a = Csr::<f64>::from_coo(Coo::new(n, n, triplets.collect()).unwrap())?;
/// let m = IncompleteCholesky::new(&a)?;
/// let (b, mut x) = (Numbers::from(vec![1.0; n]), Numbers::zeros((), n));
/// let mut space = HostSpace::new(());
/// let options = Options::default();
/// let mut cg = Cg::new(&space, n)?;
/// let report = cg.solve(&mut space, &a, &m, &b, &mut x, &options, |_| Continue(()))?;
/// assert_eq!(report.iterations, 1);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IncompleteCholesky<T: Number> {
    /// Below the diagonal.
    lower: Csr<T>,
    /// Its transpose.
    upper: Csr<T>,
    /// Inverses of the diagonal of `L`.
    inverses: Numbers<T>,
}

/// Rows of `L` below the diagonal, one after the other.
struct Rows<T: Number> {
    places: Vec<(usize, usize)>,
    values: Numbers<T>,
    /// Where the entries of each row begin; one more says where the last ends.
    starts: Vec<usize>,
}

impl<T: Number> Rows<T> {
    fn of(&self, row: usize) -> Range<usize> {
        let end = self.starts.get(row + 1).copied();
        self.starts[row]..end.unwrap_or(self.places.len())
    }

    /// `entry − Σ x[k]·y[k]` over the columns that both rows have.
    fn minus_products(&self, entry: T, x: Range<usize>, y: Range<usize>) -> T {
        let (mut rest, mut y) = (entry, y.peekable());
        for at in x {
            let col = self.places[at].1;
            while y.next_if(|&other| self.places[other].1 < col).is_some() {}
            if let Some(other) = y.next_if(|&other| self.places[other].1 == col) {
                rest -= self.values.at(at) * self.values.at(other);
            }
        }
        rest
    }
}

impl<T: Number> IncompleteCholesky<T> {
    /// The factor, computed in the precision of the matrix's values, of which the lower triangle is
    /// read.
    ///
    /// # Errors
    /// [`Error::NotSquare`]; [`Error::IncompletePivot`] where a pivot is not a positive number,
    /// which happens for some positive definite matrices too; [`Error::TooLarge`].
    pub fn new(a: &Csr<T>) -> Result<Self, Error> {
        let (rows, cols) = a.shape();
        Error::check_square((rows, cols))?;
        let format = a.values().format();
        let one = T::ONE.to_format(format);
        let (places, starts) = (Vec::new(), Vec::with_capacity(rows + 1));
        let mut factor = Rows { places, values: Numbers::new(format), starts };
        let zeros = || Numbers::try_zeros(format, rows).ok_or(Error::TooLarge { rows, cols });
        let (mut diagonal, mut inverses) = (zeros()?, zeros()?);
        for i in 0..rows {
            factor.starts.push(factor.places.len());
            let mut pivot = T::ZERO.to_format(format);
            for (at, j) in a.row(i).filter(|&(_, j)| j <= i) {
                let entry = a.values().at(at);
                if j == i {
                    pivot = entry;
                } else {
                    let rest = factor.minus_products(entry, factor.of(i), factor.of(j));
                    factor.places.push((i, j));
                    factor.values.push(rest / diagonal.at(j));
                }
            }
            let pivot = factor.minus_products(pivot, factor.of(i), factor.of(i));
            if !(pivot > T::ZERO && pivot.is_finite()) {
                return Err(Error::IncompletePivot { row: i, pivot: pivot.to_f64() });
            }
            diagonal.set(i, pivot.sqrt());
            inverses.set(i, one / diagonal.at(i));
        }
        let Rows { places, values, .. } = factor;
        let above = places.iter().map(|&(row, col)| (col, row)).collect();
        let upper = Coo::from_checked(rows, cols, above, values.clone());
        let lower = Coo::from_checked(rows, cols, places, values);
        Ok(Self { lower: Csr::from_coo(lower)?, upper: Csr::from_coo(upper)?, inverses })
    }

    /// `L` below the diagonal, its transpose above it, and the inverses of the diagonal.
    pub fn parts(&self) -> (&Csr<T>, &Csr<T>, &Numbers<T>) {
        (&self.lower, &self.upper, &self.inverses)
    }

    /// The triangles of `L·y = r` and `Lᵀ·z = y`.
    fn triangles(&self) -> [Triangle<'_, T>; 2] {
        let inverses = &self.inverses;
        [
            Triangle { rest: &self.lower, inverses, backward: false },
            Triangle { rest: &self.upper, inverses, backward: true },
        ]
    }
}

impl IncompleteCholesky<f64> {
    /// The same factors with numbers of a format: see [`Csr::to_format`].
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn to_format<T: Number>(&self, format: T::Format) -> Result<IncompleteCholesky<T>, Error> {
        let (lower, upper) = (self.lower.to_format(format)?, self.upper.to_format(format)?);
        let mut inverses = Numbers::with_capacity(format, self.inverses.len());
        self.inverses.plain().iter().for_each(|&x| inverses.push(T::from_f64(x)));
        Ok(IncompleteCholesky { lower, upper, inverses })
    }
}

impl<T: Number, V: Multiplies<T>> Preconditioner<HostSpace<T>> for IncompleteCholesky<V> {
    fn apply(&self, space: &mut HostSpace<T>, r: &Numbers<T>, z: &mut Numbers<T>) {
        let [lower, upper] = self.triangles();
        V::solve_triangle(space.arithmetic(), &lower, Some(r), z);
        V::solve_triangle(space.arithmetic(), &upper, None, z);
    }
}

impl Preconditioner<RnsSpace> for IncompleteCholesky<f64> {
    fn apply(&self, _: &mut RnsSpace, r: &RnsNumbers, z: &mut RnsNumbers) {
        for triangle in self.triangles() {
            let Triangle { rest, inverses, backward } = triangle;
            let values = rest.values().plain();
            for row in triangle.rows() {
                let start = if backward { z.at(row) } else { r.at(row) };
                let terms = rest.row(row).map(|(at, col)| (values[at], z.at(col)));
                let solution = stepwise::less_products(start, terms, inverses[row]);
                z.set(row, solution.view());
            }
        }
    }
}
