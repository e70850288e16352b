//! Matrices that are only multiplied with vectors.

use nonius_num::rns::float::RnsNumbers;

use crate::backend::{Sign, Space};
use crate::cpu::space::{LimbSpace, MpSpace, RnsSpace};
use crate::mp::Numbers;
use crate::sparse::Layout;
use crate::{Scalar, cpu};

/// A linear map of vectors of a space.
pub trait LinearOperator<S: Space> {
    /// Number of rows and columns.
    fn size(&self) -> (usize, usize);

    /// `y ← A·x`. Lengths are the caller's duty.
    fn apply(&self, space: &mut S, x: &S::Vector, y: &mut S::Vector);
}

impl<T, V, A> LinearOperator<LimbSpace<T>> for A
where
    T: Scalar,
    V: Scalar,
    A: Layout<Values = Vec<V>>,
{
    fn size(&self) -> (usize, usize) {
        self.shape()
    }

    fn apply(&self, space: &mut LimbSpace<T>, x: &Vec<T>, y: &mut Vec<T>) {
        cpu::spmv::limbs(self, x, y, &mut space.lines);
    }
}

impl<A: Layout<Values = Numbers>> LinearOperator<MpSpace> for A {
    fn size(&self) -> (usize, usize) {
        self.shape()
    }

    fn apply(&self, space: &mut MpSpace, x: &Numbers, y: &mut Numbers) {
        cpu::spmv::mp(space.arithmetic(), self, x.as_slice(), y.as_mut_slice());
    }
}

impl<A: Layout<Values = Vec<f64>>> LinearOperator<RnsSpace> for A {
    fn size(&self) -> (usize, usize) {
        self.shape()
    }

    fn apply(&self, _: &mut RnsSpace, x: &RnsNumbers, y: &mut RnsNumbers) {
        cpu::spmv::rns(self, x.as_slice(), y.as_mut_slice());
    }
}

/// `r ← b − A·x`, in the precision of the space, with `one` the number 1.
pub fn residual<S: Space>(
    space: &mut S,
    a: &dyn LinearOperator<S>,
    one: &S::Number,
    b: &S::Vector,
    x: &S::Vector,
    r: &mut S::Vector,
) {
    a.apply(space, x, r);
    space.xpay(b, Sign::Minus, one, r);
}
