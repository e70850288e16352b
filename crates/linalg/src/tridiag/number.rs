//! The numbers of tridiagonal systems, and registers full of them.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};
use std::borrow::Cow;

use nonius_num::{Element, Lane, ParseDecimalError};

use crate::{Size, Slice};

/// What numbers consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parts {
    /// One `f32`.
    Single,
    /// A given number of `f64` limbs.
    Limbs(usize),
    /// A head and words, as many as the format says.
    Words,
}

/// `f32`, `f64`, a sum of `f64` limbs, or a number of any precision.
///
/// Results have the greater number of bits of the operands. Constants and what is made of an `f64`
/// have the fewest bits there are, so that they are exact operands beside any other number. What is
/// computed of such constants alone has few bits: [`to_format`](Self::to_format) first.
pub trait Number:
    Element
    + Debug
    + PartialEq
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// What such numbers consist of.
    const PARTS: Parts;
    /// Exponent of the largest number.
    const LARGEST_EXPONENT: i32;
    /// Exponent of the smallest number other than zero.
    const SMALLEST_EXPONENT: i32;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// Magnitudes of such numbers.
    type Size: Size;

    /// As many of these as the registers have lanes.
    type Group<L: Lane>: Group<Number = Self>;

    /// The spelling of the precision: `f32`, `f64`, `dd`, `td`, `qd`, `mp424`.
    fn name(format: Self::Format) -> Cow<'static, str>;
    /// Relative error of a rounding.
    fn unit_roundoff(format: Self::Format) -> Self::Size;
    /// Bits of all parts of a significand together: products of numbers whose exponents are so far
    /// apart from the ends of the range are exact but for their rounding.
    fn span(format: Self::Format) -> i32;
    /// The format of this number.
    fn format(self) -> Self::Format;
    /// The number rounded to a format.
    #[must_use]
    fn to_format(self, format: Self::Format) -> Self;

    /// `self·y + z`: rounded once by `f32` and `f64`, by others after the product too.
    #[must_use]
    fn fused(self, y: Self, z: Self) -> Self;
    /// Whether this is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// The magnitude, by the first limb or word.
    fn magnitude(self) -> Self::Size;
    /// The nearest such number.
    fn from_f64(x: f64) -> Self;
    /// The nearest `f64`.
    fn to_f64(self) -> f64;
    /// `self·2^k`, rounded once where it leaves the range.
    #[must_use]
    fn scaled(self, k: i32) -> Self;
    /// Limb `i`, or the nearest `f64` where the number is one limb or has words.
    fn limb(self, i: usize) -> f64;
    /// The number of a format nearest to the one that a text denotes, as
    /// [`Decimal`](nonius_num::Decimal) has it.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read_decimal(format: Self::Format, text: &[u8]) -> Result<Self, ParseDecimalError>;
    /// Appends the shortest text that reads back as the same number.
    fn write_decimal(self, to: &mut Vec<u8>);
}

/// Numbers of several systems, each in a lane.
pub trait Group: Copy + Neg<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    /// One of them.
    type Number: Number;
    /// How many.
    const LANES: usize;

    /// The numbers by lanes.
    fn from_fn(number: impl Fn(usize) -> Self::Number) -> Self;
    /// Numbers that lie one after the other.
    fn load(from: Slice<'_, Self::Number>) -> Self;
    /// That of a lane.
    fn number(self, lane: usize) -> Self::Number;
    /// [`Number::fused`] in every lane.
    #[must_use]
    fn fused(self, y: Self, z: Self) -> Self;
}
