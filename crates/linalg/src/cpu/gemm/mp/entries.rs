//! What becomes of a sum of products: `α`, `β` and its place in `C`.

use nonius_num::mp::{Mp, MpRef};

use crate::mp::{Matrix, SliceMut};

/// `α` and `β`; `None` for 1.
pub(super) struct Factors<'a> {
    alpha: Option<MpRef<'a>>,
    beta: Option<MpRef<'a>>,
}

/// Numbers on the way to an entry.
pub(super) struct Scratch {
    product: Mp,
    result: Mp,
}

impl<'a> Factors<'a> {
    pub(super) fn new(alpha: MpRef<'a>, beta: MpRef<'a>) -> Self {
        let other_than_one = |x: MpRef<'a>| (x != Mp::one(x.bits()).view()).then_some(x);
        Self { alpha: other_than_one(alpha), beta: other_than_one(beta) }
    }

    /// `C ← β·C`.
    pub(super) fn scale(&self, c: &mut Matrix) {
        let Some(beta) = self.beta else { return };
        let mut entries = c.numbers_mut();
        let mut product = Mp::zero(entries.as_slice().bits());
        for i in 0..entries.len() {
            if !beta.head().is_zero() {
                product.set_product(beta, entries.as_slice().at(i));
            }
            entries.set(i, product.view());
        }
    }

    /// Entry `i` of a piece of `C` becomes `α·sum + β·entry`.
    pub(super) fn write(
        &self,
        sum: MpRef<'_>,
        to: &mut SliceMut<'_>,
        i: usize,
        scratch: &mut Scratch,
    ) {
        let Scratch { product, result } = scratch;
        let mut sum = sum;
        if let Some(alpha) = self.alpha {
            product.set_product(alpha, sum);
            sum = product.view();
        }
        let entry = to.as_slice().at(i);
        match self.beta {
            Some(beta) if beta.head().is_zero() => return to.set(i, sum),
            None => result.set_sum(entry, sum),
            Some(beta) => {
                let mut scaled = Mp::zero(entry.bits());
                scaled.set_product(beta, entry);
                result.set_sum(scaled.view(), sum);
            }
        }
        to.set(i, result.view());
    }
}

impl Scratch {
    pub(super) fn new(bits: crate::mp::Bits) -> Self {
        Self { product: Mp::zero(bits), result: Mp::zero(bits) }
    }
}
