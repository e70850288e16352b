//! Incomplete Cholesky factorisation without fill-in, IC(0).

use nonius_num::rns::float::{RnsNumbers, stepwise};

use super::Preconditioner;
use crate::cpu::space::{LimbSpace, MpSpace, RnsSpace};
use crate::dense::gemm::Arithmetic;
use crate::mp::{Mp, Numbers};
use crate::reference::spmv::widened;
use nonius_num::{Real, Ring};

use crate::Number;
use crate::sparse::{Coo, Csr, Layout, Triplet, Values};
use crate::{Error, Scalar};

/// `M = L·Lᵀ` with `L` in the pattern of the lower triangle of the matrix, where `M` agrees with the matrix.
///
/// Source: Meijerink and van der Vorst, *An iterative solution method for linear systems of which the coefficient matrix is a symmetric M-matrix* (1977).
#[derive(Clone, Debug)]
pub struct IncompleteCholesky<V: Values> {
    /// Below the diagonal.
    lower: Csr<V>,
    /// Its transpose.
    upper: Csr<V>,
    /// Inverses of the diagonal of `L`.
    inverses: V,
}

impl<V: Values> IncompleteCholesky<V> {
    /// The factor, computed in the precision of the matrix's values, of which the lower triangle is read.
    ///
    /// # Errors
    /// [`Error::NotSquare`]; [`Error::IncompletePivot`] where a pivot is not a positive number, which happens for some positive definite matrices too;
    /// [`Error::TooLarge`].
    pub fn new(a: &Csr<V>) -> Result<Self, Error> {
        let (rows, cols) = a.shape();
        Error::check_square((rows, cols))?;
        let format = a.values().format();
        // Rows of `L`: columns below the diagonal, and values.
        let mut factor: Vec<Vec<(usize, V::Item)>> = Vec::with_capacity(rows);
        let mut diagonal: Vec<V::Item> = Vec::with_capacity(rows);
        for i in 0..rows {
            let mut row: Vec<(usize, V::Item)> = Vec::new();
            let mut pivot = V::Item::ZERO.to_format(format);
            for (at, j) in a.row(i).filter(|&(_, j)| j <= i) {
                let entry = a.values().value(at);
                if j == i {
                    pivot = entry;
                } else {
                    let rest = minus_products(entry, &row, &factor[j]);
                    row.push((j, rest / diagonal[j]));
                }
            }
            let pivot = minus_products(pivot, &row, &row);
            if !(pivot.to_f64() > 0.0 && pivot.is_finite()) {
                return Err(Error::IncompletePivot { row: i, pivot: pivot.to_f64() });
            }
            diagonal.push(pivot.sqrt());
            factor.push(row);
        }
        let count = factor.iter().map(Vec::len).sum();
        let (mut below, mut above) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (row, entries) in factor.into_iter().enumerate() {
            for (col, value) in entries {
                above.push(Triplet { row: col, col: row, value });
                below.push(Triplet { row, col, value });
            }
        }
        let mut inverses = V::zeros(format, rows).ok_or(Error::TooLarge { rows, cols })?;
        let one = V::Item::ONE.to_format(format);
        diagonal.iter().enumerate().for_each(|(i, x)| inverses.put(i, &(one / *x)));
        Ok(Self {
            lower: Csr::from_coo(format, Coo::from_checked(rows, cols, below))?,
            upper: Csr::from_coo(format, Coo::from_checked(rows, cols, above))?,
            inverses,
        })
    }
}

/// `entry − Σ x[k]·y[k]` over the columns that both rows have.
fn minus_products<T: Number>(entry: T, x: &[(usize, T)], y: &[(usize, T)]) -> T {
    let (mut rest, mut y) = (entry, y.iter().peekable());
    for (col, x) in x {
        while y.next_if(|(other, _)| other < col).is_some() {}
        if let Some((_, y)) = y.next_if(|(other, _)| other == col) {
            rest -= *x * *y;
        }
    }
    rest
}

impl<V: Values> IncompleteCholesky<V> {
    /// `L` below the diagonal, its transpose above it, and the inverses of the diagonal.
    pub fn parts(&self) -> (&Csr<V>, &Csr<V>, &V) {
        (&self.lower, &self.upper, &self.inverses)
    }

    /// Rows in the order in which `L·y = r`, then `Lᵀ·z = y` are solved, each with the entries beside its diagonal.
    fn steps(&self) -> impl Iterator<Item = (bool, &Csr<V>, usize)> {
        let n = self.inverses.count();
        let down = (0..n).map(move |row| (true, &self.lower, row));
        down.chain((0..n).rev().map(move |row| (false, &self.upper, row)))
    }
}

impl IncompleteCholesky<Vec<f64>> {
    /// The same factors, exactly, for vectors of numbers of any bits: theirs are numbers of 64 bits.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn to_mp(&self) -> Result<IncompleteCholesky<Numbers>, Error> {
        let (lower, upper) = (self.lower.to_mp()?, self.upper.to_mp()?);
        let bits = lower.values().bits();
        let mut inverses = Numbers::new(bits);
        self.inverses.iter().for_each(|&x| inverses.push(Mp::from_f64(bits, x)));
        Ok(IncompleteCholesky { lower, upper, inverses })
    }
}

impl<T: Scalar, V: Scalar> Preconditioner<LimbSpace<T>> for IncompleteCholesky<Vec<V>> {
    fn apply(&self, _: &mut LimbSpace<T>, r: &Vec<T>, z: &mut Vec<T>) {
        for (first, triangle, row) in self.steps() {
            let start = if first { r[row] } else { z[row] };
            let rest = triangle.row(row).fold(start, |rest, (at, col)| {
                rest - widened::<V, T>(triangle.values()[at]) * z[col]
            });
            z[row] = rest * widened::<V, T>(self.inverses[row]);
        }
    }
}

impl Preconditioner<MpSpace> for IncompleteCholesky<Numbers> {
    fn apply(&self, space: &mut MpSpace, r: &Numbers, z: &mut Numbers) {
        let by_term = space.arithmetic() == Arithmetic::Ieee;
        let [sum, next, rest] = space.spare();
        for (first, triangle, row) in self.steps() {
            let values = triangle.values().as_slice();
            let start = if first { r.entry(row) } else { z.entry(row) };
            if by_term {
                rest.set_value(start);
                for (at, col) in triangle.row(row) {
                    sum.set_product(values.entry(at), z.entry(col));
                    next.set_difference(rest.view(), sum.view());
                    core::mem::swap(rest, next);
                }
            } else {
                let known = z.as_slice();
                let known = (known.heads(), known.words());
                sum.set_gathered((values.heads(), values.words()), known, triangle.row(row));
                rest.set_difference(start, sum.view());
            }
            sum.set_product(rest.view(), self.inverses.entry(row));
            z.put(row, sum.view());
        }
    }
}

impl Preconditioner<RnsSpace> for IncompleteCholesky<Vec<f64>> {
    fn apply(&self, _: &mut RnsSpace, r: &RnsNumbers, z: &mut RnsNumbers) {
        for (first, triangle, row) in self.steps() {
            let start = if first { r.at(row) } else { z.at(row) };
            let values = triangle.values();
            let terms = triangle.row(row).map(|(at, col)| (values[at], z.at(col)));
            let solution = stepwise::less_products(start, terms, self.inverses[row]);
            z.set(row, solution.view());
        }
    }
}
