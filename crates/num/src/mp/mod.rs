//! `Mp`: binary floating-point numbers whose precision is chosen at run time.
//!
//! **Format.** A number is zero, infinite, NaN, or `±0.1… · 2^e` with a significand of [`Bits`]
//! bits `p`, from 64 to 4096, in words of 64 bits, lowest first: the highest bit of the last word
//! is set, the bits of the first word below the precision are zero. A [`Head`] holds sign, class
//! and exponent. Zeros have signs, as in IEEE 754. There are no subnormal numbers.
//!
//! **Range.** `e` lies between [`Head::LEAST_EXPONENT`] and [`Head::GREATEST_EXPONENT`], `±2^28`:
//! magnitudes from `10^-80807125` to `10^80807124`. A result beyond is infinite; one below is zero.
//! Both keep their sign.
//!
//! **Rounding.** Every operation, conversion, decimal input and output included, is rounded
//! correctly: its result is the number of the precision asked for that is nearest to the exact
//! result, of two equally near ones that with an even last bit. So the relative error is at most
//! `u = 2^-p`.
//!
//! **Specials** follow IEEE 754: NaN where an operand is NaN, for ∞ − ∞, 0 · ∞, 0 / 0, ∞ / ∞ and
//! roots below zero; `x / 0` is infinite for `x ≠ 0`. An exact zero as a sum is +0, but (−0) + (−0)
//! is −0; as a product or quotient it has the sign of these; √−0 is −0. −0 equals +0; NaN equals
//! nothing.
//!
//! [`Mp`] owns its words, [`MpRef`] borrows them from storage of many numbers. [`Dot`] sums
//! products with one rounding.
//!
//! ```
//! use nonius_num::Mp;
//! use nonius_num::mp::Bits;
//!
//! let bits = Bits::new(256)?;
//! let two = Mp::from_f64(bits, 2.0);
//! let x = two.sqrt() * two.sqrt() - two;
//! assert!(x.abs() <= Mp::one(bits).ldexp(-253));
//! let pi = Mp::pi(bits).to_string();
//! assert!(pi.starts_with("3.14159265358979323846264338327950288419716939937510"));
//! # Ok::<(), nonius_num::mp::BitsError>(())
//! ```

mod arithmetic;
mod bits;
mod compare;
mod convert;
mod decimal;
mod divide;
mod dot;
mod elementary;
mod fused;
mod gather;
mod head;
mod multiple;
mod number;
mod operators;
mod root;
mod round;
mod rows;
mod square_root;
pub mod stepwise;
#[cfg(test)]
mod tests;

pub use bits::{Bits, BitsError};
pub use decimal::FromDecimal;
pub use dot::Dot;
pub use fused::{axpy, xpay};
pub use gather::gathered_dot;
pub use head::Head;
pub use number::{Mp, MpRef};
pub use round::round;

pub(crate) use arithmetic::product_of_specials;
pub(crate) use divide::quotient_of_specials;
