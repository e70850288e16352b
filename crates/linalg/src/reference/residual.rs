//! `r ← r − A·x`, exact until the final rounding.

use crate::expansion::Expansion;
use crate::{MatMut, MatRef, Scalar};

/// `R ← R − A·X`: every entry the exact value rounded once.
pub fn residual<T: Scalar>(a: MatRef<'_, T>, x: MatRef<'_, T>, mut r: MatMut<'_, T>) {
    for j in 0..x.cols() {
        for i in 0..a.rows() {
            let mut sum = Expansion::default();
            add(&mut sum, r.at(i, j), T::ONE);
            for k in 0..a.cols() {
                add(&mut sum, -a.at(i, k), x.at(k, j));
            }
            *r.at_mut(i, j) = sum.round();
        }
    }
}

/// Adds the exact product of two numbers.
fn add<T: Scalar>(sum: &mut Expansion, x: T, y: T) {
    for i in 0..T::LIMBS {
        for j in 0..T::LIMBS {
            let (p, e) = nonius_num::eft::two_prod(x.limb(i), y.limb(j));
            sum.add(p);
            sum.add(e);
        }
    }
}
