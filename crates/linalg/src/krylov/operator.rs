//! Matrices that are only multiplied with vectors.

use nonius_num::rns::float::RnsNumbers;

use crate::backend::{Sign, Space};
use crate::cpu::space::{HostSpace, RnsSpace};
use crate::sparse::{Layout, Multiplies};
use crate::{Number, Numbers, cpu};

/// A linear map of vectors of a space.
pub trait LinearOperator<S: Space> {
    /// Number of rows and columns.
    fn size(&self) -> (usize, usize);

    /// `y ← A·x`. Lengths are the caller's duty.
    fn apply(&self, space: &mut S, x: &S::Vector, y: &mut S::Vector);
}

impl<T: Number, A: Layout<Number: Multiplies<T>>> LinearOperator<HostSpace<T>> for A {
    fn size(&self) -> (usize, usize) {
        self.shape()
    }

    fn apply(&self, space: &mut HostSpace<T>, x: &Numbers<T>, y: &mut Numbers<T>) {
        let (x, y) = (x.as_slice(), y.as_mut_slice());
        A::Number::times_vector(space.arithmetic(), self, x, y, &mut space.lines);
    }
}

impl<A: Layout<Number = f64>> LinearOperator<RnsSpace> for A {
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
