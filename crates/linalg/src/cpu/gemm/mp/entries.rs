//! What becomes of a sum of products: `α`, `β` and its place in `C`.

use nonius_num::mp::{Bits, Mp, MpRef};

use crate::SliceMut;
use crate::cpu::gemm::Factors;

/// A factor other than zero. 1 and −1 cost nothing.
enum Factor {
    One,
    MinusOne,
    Other(Box<Mp>),
}

impl Factor {
    fn new(x: Mp) -> Self {
        match x {
            x if x == Mp::ONE => Self::One,
            x if x == -Mp::ONE => Self::MinusOne,
            x => Self::Other(Box::new(x)),
        }
    }

    /// The factor times `x`; `room` holds the product where one is formed.
    fn times<'a>(&self, x: MpRef<'a>, room: &'a mut Mp) -> MpRef<'a> {
        match self {
            Self::One => x,
            Self::MinusOne => x.negated(),
            Self::Other(factor) => {
                room.set_product(factor.view(), x);
                room.view()
            }
        }
    }
}

/// `α` and `β`.
pub(super) struct Scales {
    alpha: Factor,
    /// `None` where `β = 0`.
    beta: Option<Factor>,
}

/// Numbers on the way to an entry.
pub(super) struct Scratch {
    product: Mp,
    scaled: Mp,
    result: Mp,
}

impl Scales {
    /// For `α ≠ 0`.
    pub(super) fn new(Factors { alpha, beta }: Factors<Mp>) -> Self {
        let beta = (!beta.is_zero()).then(|| Factor::new(beta));
        Self { alpha: Factor::new(alpha), beta }
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
        let product = self.alpha.times(sum, product);
        let Some(beta) = &self.beta else { return to.put(i, product) };
        result.set_sum(beta.times(to.as_slice().entry(i), scaled), product);
        to.put(i, result.view());
    }
}

impl Scratch {
    pub(super) fn new(bits: Bits) -> Self {
        let [product, scaled, result] = [Mp::zero(bits); 3];
        Self { product, scaled, result }
    }
}
