//! Triangular systems by substitution, with bounds of the errors that grow beside the unknowns.
//!
//! **Theorem.** Let a row of a triangular system be `a_ii·x_i = b_i − Σ a_ik·x_k`, and let its
//! computed unknown satisfy `a_ii·y_i = b_i − Σ a_ik·y_k + ρ_i` with `|x_k − y_k| <= e_k` for those
//! before it. Where the numbers given are within `ε|a|` of those held, and `β_i` of `b_i`,
//!
//! ```text
//! |x_i − y_i| <= e_i
//!     = (Σ |a_ik|·(e_k + ε(|y_k| + e_k)) + |ρ_i| + β_i + ε|a_ii||y_i|) / ((1 − ε)·|a_ii|),
//! ```
//!
//! by subtraction of one from the other: substitution with the comparison matrix (N. J. Higham,
//! *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 8.2). It takes no inverse,
//! and what the bound exceeds the error by costs bits of a method that takes `n²` operations. `ρ_i`
//! has the roundings of the sum, as [residuals](super::residual) have, of the difference and of the
//! quotient.

use nonius_num::Real;
use nonius_num::mp::{Bits, Dot, Head, Mp};

use super::magnitude::{Magnitude, sum_of_products};
use super::residual::greatest;
use super::system::{System, to_f64};
use crate::dense::Transpose;
use crate::dense::condition::inverse_norm_estimate;
use crate::{Matrix, mp};

/// A triangular matrix without zeros on its diagonal.
pub(super) struct Triangle {
    lower: bool,
}

/// Which triangle holds a matrix.
pub(super) enum Shape {
    /// None.
    Square,
    /// One with a zero on the diagonal.
    Singular(usize),
    Triangle(Triangle),
}

/// A column of unknowns.
pub(super) struct Substituted {
    pub(super) values: mp::Matrix,
    /// Bounds of the errors that come from rounding.
    pub(super) rounding: Vec<Magnitude>,
    /// Bounds of those that come from what is given.
    pub(super) given: Vec<Magnitude>,
}

/// Finds out.
pub(super) fn shape(system: &System) -> Shape {
    let n = system.order();
    let none = |heads: &[Head]| heads.iter().all(|head| head.is_zero());
    let lower = (0..n).all(|i| none(&system.rows.column(i).heads()[i + 1..]));
    if !lower && !(0..n).all(|i| none(&system.rows.column(i).heads()[..i])) {
        return Shape::Square;
    }
    match (0..n).find(|&i| system.rows.entry(i, i).head().is_zero()) {
        Some(index) => Shape::Singular(index),
        None => Shape::Triangle(Triangle { lower }),
    }
}

impl Triangle {
    /// Solves for right-hand side `j` with `bits` bits. Unknowns that `zero` marks stay zero.
    pub(super) fn substitute(
        &self,
        system: &System,
        j: usize,
        bits: Bits,
        zero: &[bool],
    ) -> Substituted {
        let n = system.order();
        let nothing = || vec![Magnitude::ZERO; n];
        let (mut rounding, mut given, mut sizes) = (nothing(), nothing(), nothing());
        let mut values = mp::Matrix::zeros_in(bits, n, 1);
        let mut dot = Dot::new(bits);
        let [mut sum, mut rest, mut quotient] = [(); 3].map(|()| Mp::zero(bits));
        let p = i64::from(bits.get());
        let unit = |x: &Mp| Magnitude::above(x.view()).shifted(-p);
        let data = system.matrix_error;
        for step in 0..n {
            let i = if self.lower { step } else { n - 1 - step };
            if zero[i] {
                continue;
            }
            let known = if self.lower { 0..i } else { i + 1..n };
            let (row, b) = (system.rows.column(i), system.rights.entry(i, j));
            let (left, found) = (row.range(known.clone()), values.column(0).range(known.clone()));
            sum.set_dot(&mut dot, (left.heads(), left.words()), (found.heads(), found.words()));
            rest.set_difference(b, sum.view());
            quotient.set_quotient(rest.view(), row.entry(i));
            values.put(i, 0, quotient.view());
            // What is cut from products, and what falls below the range of exponents.
            let cut = greatest(left.heads(), values.column(0).range(known.clone()).heads());
            let cut = cut.map_or(Magnitude::ZERO, |e| {
                let lost = Magnitude::power(4 + i64::from(Head::LEAST_EXPONENT));
                Magnitude::power(e - p - 64).plus(lost)
            });
            let (size, pivot) = (Magnitude::above(quotient.view()), Magnitude::above(row.entry(i)));
            let roundings =
                cut.plus(unit(&sum)).plus(unit(&rest)).plus(unit(&quotient).times(pivot));
            let over =
                |x: Magnitude| x.over_difference(Magnitude::below(row.entry(i)), data.times(pivot));
            let before = sum_of_products(left, &rounding[known.clone()]);
            rounding[i] = over(before.plus(roundings));
            sizes[i] = size;
            if !system.is_exact() {
                let of_given = sum_of_products(left, &given[known.clone()]);
                let of_matrix = [&rounding, &given, &sizes]
                    .into_iter()
                    .map(|x| sum_of_products(left, &x[known.clone()]))
                    .fold(pivot.times(size), Magnitude::plus);
                let radius = system.radii.get(i).copied().unwrap_or(Magnitude::ZERO);
                let of_right = system.rights_error.times(Magnitude::above(b)).plus(radius);
                given[i] = over(of_given.plus(data.times(of_matrix)).plus(of_right));
            }
        }
        Substituted { values, rounding, given }
    }

    /// `‖A‖_∞·‖A^-1‖_∞` of the matrix before scaling, with an estimate of the second by
    /// substitution in `f64`, seldom less than a third of it; infinite beyond its range.
    pub(super) fn condition(&self, system: &System) -> Magnitude {
        let n = system.order();
        // Row i of A′ is column i.
        let rows = Matrix::from_fn(n, n, |k, i| to_f64(system.rows.entry(k, i), 0));
        let powers = |scales: &[i64]| {
            let greatest = scales.iter().copied().max().unwrap_or(0);
            let power = |&scale: &i64| 1.0_f64.ldexp((scale - greatest).max(-2000) as i32);
            (scales.iter().map(power).collect::<Vec<f64>>(), greatest)
        };
        let (row_scales, row_most) = powers(&system.row_scales);
        let (column_scales, column_most) = powers(&system.column_scales);
        // The ∞-norm of D₂·A′^-1·D₁ is the 1-norm of its transpose.
        let estimate = inverse_norm_estimate((), n, |op, x: &Matrix<f64>| {
            let (first, last, transposed) = match op {
                Transpose::No => (&column_scales, &row_scales, true),
                Transpose::Yes => (&row_scales, &column_scales, false),
            };
            let mut y: Vec<f64> = x.as_slice().iter().zip(first).map(|(x, s)| x * s).collect();
            self.solve_f64(&rows, transposed, &mut y);
            y.iter_mut().zip(last).for_each(|(y, s)| *y *= s);
            Ok(Matrix::from_fn(n, 1, |i, _| y[i]))
        });
        system.norm.times(Magnitude::new(estimate, row_most + column_most))
    }

    /// Substitution with `A′` or its transpose, of which `rows` has the rows in its columns.
    fn solve_f64(&self, rows: &Matrix<f64>, transposed: bool, y: &mut [f64]) {
        let n = y.len();
        for step in 0..n {
            let i = if self.lower != transposed { step } else { n - 1 - step };
            let (row, others) = (rows.col(i), if self.lower { 0..i } else { i + 1..n });
            if transposed {
                y[i] /= row[i];
                let x = y[i];
                y[others.clone()].iter_mut().zip(&row[others]).for_each(|(y, a)| *y -= a * x);
            } else {
                let sum: f64 = y[others.clone()].iter().zip(&row[others]).map(|(y, a)| y * a).sum();
                y[i] = (y[i] - sum) / row[i];
            }
        }
    }
}
