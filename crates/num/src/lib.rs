//! Numbers with more bits than `f64`, and exact decimal text for them.
//!
//! | type | bits | decimal digits | a number is |
//! |---|---|---|---|
//! | [`Dd`], [`Td`], [`Qd`] | 104, 156, 208 | 31, 46, 62 | a sum of 2, 3 or 4 [limbs](multifloat) |
//! | [`Mp`] | 64 to 4096 | 19 to 1233 | [binary](mp), its bits chosen at run time |
//! | [`RnsFloat`] | 4 to 1900 | 1 to 571 | the same with a significand [in residues](rns::float) |
//!
//! Begin with [`Qd`] where 62 digits are enough, and with [`Mp`] elsewhere:
//!
//! ```
//! use nonius_num::mp::Bits;
//! use nonius_num::{Mp, Qd};
//!
//! let tenth: Qd = "0.1".parse()?;
//! assert_eq!(tenth.to_string(), "0.1");
//! assert_eq!(format!("{:.50}", Qd::E), "2.71828182845904523536028747135266249775724709369996");
//!
//! let bits = Bits::new(1000)?;
//! let e = Mp::one(bits).exp();
//! assert!(e.to_string().starts_with("2.71828182845904523536028747135266249775724709369995957"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Traits let one text serve all types, `f64` included: [`Ring`], [`Real`], [`Elementary`] and
//! [`Decimal`]. A *format* holds what a type leaves open. It is `()` for limbs and the
//! [bits](mp::Bits) for `Mp`:
//!
//! ```
//! use nonius_num::mp::Bits;
//! use nonius_num::{Elementary, Mp, Qd};
//!
//! /// 1 + cos π, which is zero but for rounding.
//! fn defect<T: Elementary>(format: T::Format) -> f64 {
//!     (T::ONE + T::pi(format).cos()).abs().to_f64()
//! }
//! assert!(defect::<f64>(()) < 1e-15);
//! assert!(defect::<Qd>(()) < 1e-60);
//! assert!(defect::<Mp>(Bits::new(424)?) < 1e-125);
//! # Ok::<(), nonius_num::mp::BitsError>(())
//! ```
//!
//! **Errors.** Each module states its bounds. Results of `Mp` and `RnsFloat` are correctly rounded.
//! Results of limbs are within a few units of the last place.
//!
//! **Bits.** Results have the same bits on every processor. The crate needs no operating system
//! (`no_std`). The feature `std` changes speed alone.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod decimal;
mod dekker;
pub mod eft;
mod element;
mod integers;
mod lane;
pub mod mp;
pub mod multifloat;
mod operators;
mod precision;
pub mod rns;
mod traits;

pub use decimal::{Decimal, ParseDecimalError};
pub use element::{Element, Plain, stored_bytes};
pub use lane::Lane;
pub use mp::{Mp, MpRef};
pub use multifloat::{Dd, MultiFloat, Qd, Td};
pub use precision::{Precision, UnknownPrecision};
pub use rns::RnsFloat;
pub use traits::{Elementary, Fixed, Real, Ring};
