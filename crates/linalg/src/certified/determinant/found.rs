//! What an attempt proves.

use nonius_num::mp::{Bits, Mp, MpRef};

use crate::certified::magnitude::Magnitude;

/// What an attempt with some bits proves.
pub(super) struct Found {
    pub(super) product: Product,
    /// `|det − product| <= change·|product|`
    pub(super) change: Magnitude,
    /// About the same of what comes from the numbers given alone.
    pub(super) given: Magnitude,
    /// What shrinks by half with each bit, beyond 1 too; the change is about as much.
    pub(super) sum: Magnitude,
}

/// A number of magnitude between 1/2 and 1, times a power of two.
pub(super) struct Product {
    pub(super) mantissa: Mp,
    pub(super) exponent: i64,
}

impl Product {
    pub(super) fn one(bits: Bits) -> Self {
        Self { mantissa: Mp::one(bits), exponent: 0 }
    }

    pub(super) fn multiply(&mut self, x: MpRef<'_>) {
        self.mantissa = self.mantissa.view() * x;
        self.normalize();
    }

    pub(super) fn normalize(&mut self) {
        let e = self.mantissa.head().exponent().unwrap_or(0);
        self.mantissa = self.mantissa.ldexp(-e);
        self.exponent += i64::from(e);
    }
}
