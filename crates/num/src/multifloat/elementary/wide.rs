//! One limb more than the format: exact sums of lists, and wide products.
//!
//! Where an error is amplified (the exponent of a power, the argument of a sine) `N` limbs are not
//! enough. A [`List`] collects numbers in roughly falling order and condenses them by passes of
//! TwoSum from the bottom up (VecSum of Ogita, Rump, Oishi 2005): after `K` passes the first `K`
//! entries hold the sum to about `2^(-49K)` of the largest term, and in practice to its last bit,
//! however the terms overlap. [`Wide::multiply`] is the product of two `(N + 1)`-limb numbers: the
//! networks of three and four limbs, and for five limbs the same scheme carried one order further.

use super::super::mul::mul_finite;
use super::limbs::{resize, splat};
use crate::Lane;
use crate::eft::{two_prod, two_sum};

/// The most numbers a list holds.
const CAPACITY: usize = 20;

/// Numbers to be added up. Its length is known when it is compiled, so that it lives in registers.
#[derive(Clone, Copy)]
pub(super) struct List<T> {
    terms: [T; CAPACITY],
    length: usize,
}

impl<T: Lane> List<T> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { terms: [T::splat(0.0); CAPACITY], length: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, x: T) {
        self.terms[self.length] = x;
        self.length += 1;
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// The sum with `K` limbs, in normal form but for ties.
    #[inline(always)]
    pub(super) fn condense<const K: usize>(mut self) -> [T; K] {
        self.pass(0);
        if K > 1 {
            self.pass(1);
        }
        if K > 2 {
            self.pass(2);
        }
        if K > 3 {
            self.pass(3);
        }
        if K > 4 {
            self.pass(4);
        }
        if self.length > K {
            self.terms[K - 1] = self.terms[K - 1] + self.terms[K];
        }
        for i in 0..K - 1 {
            (self.terms[i], self.terms[i + 1]) = two_sum(self.terms[i], self.terms[i + 1]);
        }
        resize(&self.terms)
    }

    /// Moves the rounded sum of the terms from `start` on to the place `start`, their errors behind
    /// it.
    #[inline(always)]
    fn pass(&mut self, start: usize) {
        for i in (start..self.length - 1).rev() {
            (self.terms[i], self.terms[i + 1]) = two_sum(self.terms[i], self.terms[i + 1]);
        }
    }
}

/// `N` limbs and one more.
#[derive(Clone, Copy)]
pub(super) struct Wide<const N: usize, T> {
    pub(super) limbs: [T; N],
    pub(super) tail: T,
}

impl<const N: usize, T: Lane> Wide<N, T> {
    /// The sum of a list.
    #[inline(always)]
    pub(super) fn condense(list: List<T>) -> Self {
        let five: [T; 5] = match N {
            2 => resize(&list.condense::<3>()),
            3 => resize(&list.condense::<4>()),
            _ => list.condense::<5>(),
        };
        Self::from_five(five)
    }

    /// `N` limbs, and a zero.
    #[inline(always)]
    pub(super) fn exact(limbs: [T; N]) -> Self {
        Self { limbs, tail: T::splat(0.0) }
    }

    /// The first `N + 1` limbs of a constant.
    #[inline(always)]
    pub(super) fn constant(c: &[f64; 5]) -> Self {
        Self { limbs: splat(c), tail: T::splat(c[N]) }
    }

    /// The product; relative error at most `2^-(53N + 40)`.
    #[inline(always)]
    pub(super) fn multiply(self, y: Self) -> Self {
        let (x, y) = (self.five(), y.five());
        Self::from_five(match N {
            2 => resize(&mul_finite([x[0], x[1], x[2]], [y[0], y[1], y[2]])),
            3 => resize(&mul_finite([x[0], x[1], x[2], x[3]], [y[0], y[1], y[2], y[3]])),
            _ => multiply_5(x, y),
        })
    }

    #[inline(always)]
    fn five(self) -> [T; 5] {
        let mut five = resize(&self.limbs);
        five[N] = self.tail;
        five
    }

    #[inline(always)]
    fn from_five(x: [T; 5]) -> Self {
        Self { limbs: resize(&x), tail: x[N] }
    }
}

#[inline(always)]
fn multiply_5<T: Lane>(x: [T; 5], y: [T; 5]) -> [T; 5] {
    let (p00, e00) = two_prod(x[0], y[0]);
    // Mirror products first, which makes the whole commutative.
    let (p01, e01) = two_prod(x[0], y[1]);
    let (p10, e10) = two_prod(x[1], y[0]);
    let (p02, e02) = two_prod(x[0], y[2]);
    let (p20, e20) = two_prod(x[2], y[0]);
    let (p11, e11) = two_prod(x[1], y[1]);
    let (p03, e03) = two_prod(x[0], y[3]);
    let (p30, e30) = two_prod(x[3], y[0]);
    let (p12, e12) = two_prod(x[1], y[2]);
    let (p21, e21) = two_prod(x[2], y[1]);
    // Orders 1 and 2, errors kept.
    let (a, a_error) = two_sum(p01, p10);
    let (a, b_error) = two_sum(a, e00);
    let (c, c_error) = two_sum(p02, p20);
    let (d, d_error) = two_sum(e01, e10);
    let (c, f_error) = two_sum(c, p11);
    let (d, g_error) = two_sum(d, a_error);
    let (d, h_error) = two_sum(d, b_error);
    let (c, i_error) = two_sum(c, d);
    // Order 3, its errors of order 4.
    let (j, j_error) = two_sum(p03, p30);
    let (k, k_error) = two_sum(p12, p21);
    let (l, l_error) = two_sum(e02, e20);
    let (m, m_error) = two_sum(c_error, d_error);
    let (n, n_error) = two_sum(f_error, g_error);
    let (o, o_error) = two_sum(h_error, i_error);
    let (j, p_error) = two_sum(j, k);
    let (l, q_error) = two_sum(l, e11);
    let (m, r_error) = two_sum(m, n);
    let (m, s_error) = two_sum(m, o);
    let (l, t_error) = two_sum(l, m);
    let (j, u_error) = two_sum(j, l);
    // Order 4.
    let products = (x[0] * y[4] + x[4] * y[0]) + (x[1] * y[3] + x[3] * y[1]) + x[2] * y[2];
    let errors = (e03 + e30) + (e12 + e21);
    let carried = ((j_error + k_error) + (l_error + m_error))
        + ((n_error + o_error) + (p_error + q_error))
        + ((r_error + s_error) + (t_error + u_error));
    let mut list = List::new();
    for term in [p00, a, c, j, products + (errors + carried)] {
        list.push(term);
    }
    list.condense()
}
