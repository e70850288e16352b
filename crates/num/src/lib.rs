//! Extended-precision scalars: unevaluated sums of two, three or four `f64` limbs ([`multifloat`]),
//! and numbers whose precision is chosen at run time, in binary ([`mp`]) or in residues
//! ([`rns::float`]).
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
