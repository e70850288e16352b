//! The C interface of Nonius: what `nonius.h` declares.
//!
//! - [`matrix`], [`dense`], [`factors`], [`sparse`] and [`sdp`]: tasks on handles
//! - [`mplapack`]: the dense routines of MPLAPACK on arrays of double-doubles and quad-doubles
//! - [`settings`]: device, threads, version, the last error
//!
//! cbindgen makes the header from these sources: `cargo xtask capi`.
//!
//! # Contract
//!
//! Every function is unsafe in the same way. A pointer that is not null has to be aligned and valid
//! for what the function's documentation says: an array for its number of elements, a text up to
//! the zero at its end, a handle since it was made and until it is freed. A handle that is changed
//! or freed is used by no other thread at that time. Arrays that are written are written by no
//! other thread, and those that are read are not written by any. Null pointers are refused.
//!
//! No function unwinds: a panic becomes [`Status::Internal`](status::Status::Internal).

// The interface consists of pointers. Each block argues from the contract above, which is one for
// all functions.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc)]

mod any;
pub mod dense;
pub mod factors;
mod failure;
pub mod matrix;
pub mod mplapack;
mod pointers;
pub mod precision;
pub mod report;
pub mod sdp;
pub mod settings;
pub mod sparse;
pub mod status;
mod text;
