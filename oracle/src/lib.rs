//! Differential tests of Nonius against MPFR.
//!
//! An operation is one line in a file of [`groups`]: its name, the numbers it is tried on
//! ([`Domain`]), what it promises ([`Bound`]), itself and its reference. [`Oracle`] draws the
//! inputs, judges each result and keeps the worst; the program and the tests run
//! [`groups::GROUPS`].
//!
//! [`mp`] carries numbers of any precision to MPFR and back, for the tests of these. [`system`]
//! solves linear systems in MPFR, for the tests of solutions; [`dense`] does so for matrices of
//! numbers of any precision, [`symmetric`] finds eigenvalues, [`integers`] solves systems exactly.

pub mod bound;
pub mod dense;
pub mod groups;
pub mod integers;
pub mod mp;
pub mod oracle;
pub mod symmetric;
pub mod system;
pub mod value;

pub use bound::Bound;
pub use nonius_testkit::{Domain, Inputs};
pub use oracle::{Oracle, Row};
