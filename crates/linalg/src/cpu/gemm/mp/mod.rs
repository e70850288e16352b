//! `C ← α·op(A)·op(B) + β·C` for numbers of any precision: the engines that compute it, and the choice among them.

mod choice;
mod crt;
mod direct;
mod entries;
mod profile;
mod sink;
mod source;

use rayon::prelude::*;

use self::entries::{Factors, Scratch};
use super::WORKSPACE;
use crate::dense::Transpose;
use crate::dense::gemm::crt::Target;
use crate::dense::gemm::{Products, Report};
use crate::mp::{Matrix, MpRef};

/// `C ← α·op(A)·op(B) + β·C`, for shapes and precisions that fit, with entries.
pub(crate) fn multiply(
    products: Products,
    (transpose_a, a): (Transpose, &Matrix),
    (transpose_b, b): (Transpose, &Matrix),
    [alpha, beta]: [MpRef<'_>; 2],
    c: &mut Matrix,
) -> Report {
    let a = Operand { transpose: transpose_a, matrix: a };
    let b = Operand { transpose: transpose_b, matrix: b };
    let factors = &Factors::new(alpha, beta);
    let ((m, k), n) = (a.shape(), c.cols());
    if k == 0 || alpha.head().is_zero() {
        factors.scale(c);
        return Report::direct();
    }
    let mut fallback = None;
    let bits = c.bits().get();
    let advantage = || choice::advantage(bits, [m, n, k]);
    if let Some(most_bits) = products.bits_between(bits, Target::MOST_BITS, advantage) {
        match crt::multiply(products, most_bits, a, b, factors, c) {
            Ok(report) => return report,
            Err(reason) => fallback = Some(reason),
        }
    }
    direct::multiply(a, b, factors, c);
    Report { fallback, ..Report::direct() }
}

/// `C ← α·P + β·C`, entry by entry, for shapes and precisions that fit.
pub(crate) fn update([alpha, beta]: [MpRef<'_>; 2], product: &Matrix, c: &mut Matrix) {
    let factors = &Factors::new(alpha, beta);
    let bits = c.bits();
    c.numbers_mut().pieces(PIECE).into_par_iter().enumerate().for_each(|(index, mut to)| {
        let mut scratch = Scratch::new(bits);
        for i in 0..to.len() {
            let sum = product.numbers().at(index * PIECE + i);
            factors.write(sum, &mut to, i, &mut scratch);
        }
    });
}

/// Numbers that a thread takes at a time.
const PIECE: usize = 1024;

/// `op(A)`.
#[derive(Clone, Copy)]
struct Operand<'a> {
    transpose: Transpose,
    matrix: &'a Matrix,
}

impl<'a> Operand<'a> {
    fn shape(&self) -> (usize, usize) {
        self.transpose.shape(self.matrix.shape())
    }

    fn at(&self, i: usize, j: usize) -> MpRef<'a> {
        match self.transpose {
            Transpose::No => self.matrix.at(i, j),
            Transpose::Yes => self.matrix.at(j, i),
        }
    }
}
