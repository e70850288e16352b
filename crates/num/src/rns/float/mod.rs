//! `RnsFloat`: floating-point numbers of any precision whose significands are residues.
//!
//! **Format.** A number is zero, infinite, NaN, or `±X · 2^(e − p)` with an integer
//! `2^(p−1) <= X < 2^p`. `X` is held by its residues modulo pairwise coprime odd numbers
//! `m < 2^31`, whose product `M` is at least `2^(2p+2)`, so that products and aligned sums of
//! significands are below `M/4` and exact. A [`Format`] is a set of moduli with its precision `p`,
//! at most `⌊log2 √M⌋ − 1`. A [`Head`] holds sign, class and exponent, [`Bounds`] an interval for
//! `X/2^p`.
//!
//! **Stored residues** are `y = X·(M/m)⁻¹ mod m`, since that is what the Chinese remainder theorem
//! asks for: `X/M` is the fraction of `Σ y/m`, and `X = Σ y·(M/m) − q·M` with the rank `q`, its
//! whole part. Sums and multiples of numbers are those of stored residues; a product takes one
//! factor more. All arithmetic is on integers of 32 and 64 bits, so that a processor of any kind
//! can follow it to the last bit.
//!
//! **Rounding.** Every operation, conversion, decimal input and output included, is rounded
//! correctly: its result is the number of the format that is nearest to the exact result, of two
//! equally near ones that with an even `X`. So the relative error is at most `u = 2^-p`, half a
//! unit in the last place, and results are those of [`Mp`](crate::Mp) with as many bits, whatever
//! the moduli. Intervals never decide more than they can: where one holds a power of two, or those
//! of two numbers meet, a difference is evaluated exactly. So they have no part in results; they
//! spare evaluations.
//!
//! **Cost**, with `n` moduli, in products of words: a sum of numbers of like exponents `5n`, and
//! `2n` for each 26 to 29 bits that are rounded off, of which a product has `p`; a comparison none,
//! mostly. [`Dot`] sums products, rounded once, at `2n` a term.
//!
//! **Range** and **specials** are those of [`mp`](crate::mp): exponents up to `±2^28`, infinite
//! beyond, zero below; signed zeros.
//!
//! Sources: K. Isupov, V. Knyazkov, A. Kuvaev, *Design and implementation of multiple-precision
//! BLAS Level 1 functions for graphics processing units*, J. Parallel Distrib. Comput. 140 (2020),
//! and K. Isupov, *Multiple-precision sparse matrix–vector multiplication on GPUs*, J. Comput. Sci.
//! 61 (2022): significands in residues with intervals for their magnitude, products and sums below
//! `√M` by rounding. H. L. Garner, *The residue number system* (1959). The normal form, and with it
//! rounding to nearest, intervals in fixed point and the remainder modulo a power of two by columns
//! are derived where they stand.

mod arithmetic;
mod bounds;
mod compare;
mod convert;
mod decimal;
mod divide;
mod dot;
mod evaluate;
mod format;
mod modular;
mod numbers;
mod operators;
mod round;
pub mod stepwise;
#[cfg(test)]
mod tests;
mod vectors;

use alloc::vec;
use alloc::vec::Vec;

pub use bounds::Bounds;
pub use dot::Dot;
pub use format::{Constants, Format, FormatError};
pub use numbers::{RnsNumbers, RnsSlice, RnsSliceMut};

use crate::mp::Head;

/// A number that owns its residues. See the [module documentation](self).
///
/// ```
/// use nonius_num::mp::Bits;
/// use nonius_num::rns::float::Format;
/// use nonius_num::{Mp, RnsFloat};
///
/// let format = Format::with_bits(212)?;
/// let tenth = RnsFloat::from_decimal(&format, b"0.1")?;
/// let square = &tenth * &tenth;
/// // The bits are those of positional numbers.
/// let positional = Mp::from_decimal(Bits::new(212)?, b"0.1")?;
/// assert_eq!(square.to_mp(), positional * positional);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RnsFloat {
    format: Format,
    head: Head,
    bounds: Bounds,
    residues: Vec<u32>,
}

/// A number that borrows its residues. See the [module documentation](self).
#[derive(Clone, Copy, Debug)]
pub struct RnsRef<'a> {
    format: &'a Format,
    head: Head,
    bounds: Bounds,
    residues: &'a [u32],
}

impl RnsFloat {
    /// Zero.
    pub fn zero(format: &Format) -> Self {
        Self::without_significand(format, Head::zero(false))
    }

    /// One.
    pub fn one(format: &Format) -> Self {
        let mut one = Self::without_significand(format, Head::finite(false, 1));
        one.residues.copy_from_slice(&format.tables().half);
        one
    }

    /// NaN.
    pub fn nan(format: &Format) -> Self {
        Self::without_significand(format, Head::NAN)
    }

    /// `+∞` or `−∞`.
    pub fn infinity(format: &Format, negative: bool) -> Self {
        Self::without_significand(format, Head::infinity(negative))
    }

    /// The number of these parts, as an operation on another processor left them: [`RnsRef`] has
    /// them.
    ///
    /// `None` where there are not [`Format::lanes`] residues, one is not below its modulus, or the
    /// bounds are no part of the interval from 1/2 to 1. That head and residues are those of a
    /// number is the caller's promise; a number that breaks it gives numbers without meaning.
    pub fn from_stored(
        format: &Format,
        head: Head,
        (low, high): (u64, u64),
        residues: &[u32],
    ) -> Option<Self> {
        let tables = format.tables();
        let sized = residues.len() == format.lanes();
        let below = residues.iter().zip(&tables.moduli).all(|(r, m)| r < m);
        let bounds = Bounds::new(low, high);
        let kept = (bounds.low(), bounds.high()) == (low, high) && low <= high;
        (sized && below && kept).then(|| Self {
            format: format.clone(),
            head,
            bounds,
            residues: residues.to_vec(),
        })
    }

    /// The number, borrowed.
    #[inline]
    pub fn view(&self) -> RnsRef<'_> {
        let Self { format, head, bounds, residues } = self;
        RnsRef { format, head: *head, bounds: *bounds, residues }
    }

    /// Moduli and precision.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Sign, class and exponent.
    pub fn head(&self) -> Head {
        self.head
    }

    /// Whether this is neither infinite nor NaN.
    pub fn is_finite(&self) -> bool {
        self.head.is_finite()
    }

    /// Whether this is NaN.
    pub fn is_nan(&self) -> bool {
        self.head.is_nan()
    }

    /// Whether this is zero, of either sign.
    pub fn is_zero(&self) -> bool {
        self.head.is_zero()
    }

    /// Absolute value.
    #[must_use]
    pub fn abs(mut self) -> Self {
        self.head = self.head.abs();
        self
    }

    /// `self · 2^k`: exact, or beyond the range infinite or zero.
    #[must_use]
    pub fn ldexp(mut self, k: i32) -> Self {
        self.head = self.head.shifted(i64::from(k));
        if self.head.exponent().is_none() {
            self.residues.fill(0);
            self.bounds = Bounds::HALF;
        }
        self
    }

    fn without_significand(format: &Format, head: Head) -> Self {
        let residues = vec![0; format.lanes()];
        Self { format: format.clone(), head, bounds: Bounds::HALF, residues }
    }
}

impl<'a> RnsRef<'a> {
    /// Moduli and precision.
    pub fn format(self) -> &'a Format {
        self.format
    }

    /// Sign, class and exponent.
    #[inline(always)]
    pub fn head(self) -> Head {
        self.head
    }

    /// An interval for `X/2^p`; of a number without significand, no particular one.
    #[inline(always)]
    pub fn bounds(self) -> Bounds {
        self.bounds
    }

    /// The stored residues, [`Format::lanes`] of them; zeros where the number is zero or not
    /// finite.
    #[inline(always)]
    pub fn stored(self) -> &'a [u32] {
        self.residues
    }

    /// The negative.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { head: self.head.negated(), ..self }
    }
}
