//! What becomes of a sum of products: `α`, `β` and its place in `C`.

use nonius_num::mp::{Bits, Mp, MpRef};

use crate::SliceMut;
use crate::cpu::gemm::Factors;

/// A factor, of which 1 and −1 cost nothing.
enum Factor {
    One,
    MinusOne,
    Zero,
    Other(Box<Mp>),
}

impl From<Mp> for Factor {
    fn from(x: Mp) -> Self {
        match x {
            x if x == Mp::ONE => Self::One,
            x if x == -Mp::ONE => Self::MinusOne,
            x if x.is_zero() => Self::Zero,
            x => Self::Other(Box::new(x)),
        }
    }
}

/// `α` and `β`.
pub(super) struct Scales {
    alpha: Factor,
    beta: Factor,
}

/// Numbers on the way to an entry.
pub(super) struct Scratch {
    product: Mp,
    scaled: Mp,
    result: Mp,
}

impl Scales {
    pub(super) fn new(factors: Factors<Mp>) -> Self {
        Self { alpha: factors.alpha.into(), beta: factors.beta.into() }
    }

    /// Entry `i` of a piece of `C` becomes `α·sum + β·entry`.
    pub(super) fn write(
        &self,
        sum: MpRef<'_>,
        to: &mut SliceMut<'_, Mp>,
        i: usize,
        scratch: &mut Scratch,
    ) {
        let Scratch { product, scaled, result } = scratch;
        let sum = match &self.alpha {
            Factor::One => sum,
            Factor::MinusOne => sum.negated(),
            Factor::Zero => Mp::ZERO.view(),
            Factor::Other(alpha) => {
                product.set_product(alpha.view(), sum);
                product.view()
            }
        };
        let entry = to.as_slice().entry(i);
        match &self.beta {
            Factor::Zero => return to.put(i, sum),
            Factor::One => result.set_sum(entry, sum),
            Factor::MinusOne => result.set_sum(entry.negated(), sum),
            Factor::Other(beta) => {
                scaled.set_product(beta.view(), entry);
                result.set_sum(scaled.view(), sum);
            }
        }
        to.put(i, result.view());
    }
}

impl Scratch {
    pub(super) fn new(bits: Bits) -> Self {
        let [product, scaled, result] = [Mp::zero(bits); 3];
        Self { product, scaled, result }
    }
}
