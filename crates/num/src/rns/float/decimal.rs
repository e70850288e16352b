//! Decimal text: that of [`Mp`], of as many bits.

use alloc::vec::Vec;
use core::fmt;

use super::{Format, RnsFloat, RnsRef};
use crate::ParseDecimalError;
use crate::mp::{Bits, Mp};

impl RnsFloat {
    /// The number nearest to the one that the whole of `text` denotes; the grammar is that of
    /// [`Decimal::from_decimal`](crate::Decimal::from_decimal).
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn from_decimal(format: &Format, text: &[u8]) -> Result<Self, ParseDecimalError> {
        let x = Mp::from_decimal(Bits::internal(format.bits()), text)?;
        Ok(Self::from_mp(format, x.view()))
    }

    /// Appends the shortest text that reads back as the same number: [`RnsRef::append_decimal`].
    pub fn append_decimal(&self, out: &mut Vec<u8>) {
        self.view().append_decimal(out);
    }
}

impl RnsRef<'_> {
    /// Appends the shortest text that reads back as the same number, with an exponent where the
    /// magnitude is below `10^-4` or not below `10^16`.
    pub fn append_decimal(self, out: &mut Vec<u8>) {
        self.to_mp_of(Bits::internal(self.format.bits())).append_decimal(out);
    }
}

/// The shortest text that reads back as the same number.
impl fmt::Display for RnsRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_mp_of(Bits::internal(self.format.bits())).fmt(f)
    }
}

/// The shortest text that reads back as the same number.
impl fmt::Display for RnsFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
