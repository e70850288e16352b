//! Linear algebra at the precision you ask for.
//!
//! A task is a builder: name what it works on, change what the defaults do not suit, and run it. It
//! returns the result and a report, which says how good the result is and where it was computed.
//!
//! | module | tasks |
//! |---|---|
//! | [`dense`] | products, systems, least squares, inverses, determinants, eigenvalues |
//! | [`certified`] | solutions and determinants with proved digits |
//! | [`sparse`] | sparse systems by iteration |
//! | [`tridiag`] | batches of tridiagonal systems |
//! | [`option`] | option prices and implied volatilities |
//! | [`sdp`] | semidefinite programs, and proofs of their optima |
//! | [`fem`] | solids in motion |
//! | [`files`] | files of matrices |
//! | [`lapack`] | factors in place, with the calls of BLAS and LAPACK |
//!
//! [`num`] has the numbers, [`device`] the processors and [`ranks`] what many of them share.
//! [`interrupt`] ends long tasks early. [`prelude`] has what most programs need.
//!
//! # A first system
//!
//! Double precision finds no digit of this solution. The report says how many digits are correct:
//!
//! ```
//! use nonius::prelude::*;
//!
//! // The Hilbert matrix of order 20 has the condition number 10²⁸.
//! let a = Matrix::from_fn(20, 20, |i, j| Qd::ONE / (i + j + 1) as f64);
//! let b = Matrix::from_fn(20, 1, |_, _| Qd::ONE);
//! let (x, report) = Solve::new(&a).rhs(&b).run()?;
//! // The exact solution begins with −20.
//! assert!((x[(0, 0)] + 20.0).abs().to_f64() < 1e-18);
//! assert!(report.correct_digits > 30.0);
//! # Ok::<(), nonius::dense::Error>(())
//! ```
//!
//! Ask for digits in place of a precision, and every one is proved:
//!
//! ```
//! use nonius::prelude::*;
//!
//! let a = matrix![[3.0, 2.0], [1.0, 1.0]];
//! let b = matrix![[1.0], [1.0]];
//! let (solution, _) = Solve::new(&a).rhs(&b).digits(40).device(Device::Auto).run()?;
//! assert_eq!(solution.x.at(1, 0).to_f64(), 2.0);
//! # Ok::<(), nonius::certified::Refusal>(())
//! ```
//!
//! # A precision chosen at run time
//!
//! A [`Job`] is written once. It runs at any [`Precision`], with the type that the precision names:
//!
//! ```
//! use nonius::{Job, Number, Precision};
//!
//! /// One third in decimal.
//! struct Third;
//!
//! impl Job for Third {
//!     type Output = String;
//!
//!     fn run<T: Number>(self, format: T::Format) -> String {
//!         let mut text = Vec::new();
//!         (T::ONE.to_format(format) / T::from_f64(3.0)).append_decimal(&mut text);
//!         String::from_utf8(text).unwrap()
//!     }
//! }
//!
//! let precision: Precision = "qd".parse().unwrap();
//! let third = Third.at(precision);
//! assert_eq!(&third[third.find('3').unwrap()..][..60], "3".repeat(60));
//! ```
//!
//! # Errors
//!
//! Each module has its own `Error`, an enum with a variant for each cause and one clear sentence as
//! its text. The folder `examples` of this crate has sixteen programs, numbered as a course.

mod backend;
mod capabilities;
pub mod certified;
pub mod dense;
pub mod device;
pub mod fem;
pub mod files;
mod here;
pub mod interrupt;
mod jobs;
mod kernels;
pub mod lapack;
mod literal;
mod number;
pub mod option;
pub mod prelude;
pub mod ranks;
mod room;
pub mod sdp;
mod setters;
pub mod sparse;
pub mod threads;
pub mod tridiag;
mod whole;
mod work;

pub use nonius_linalg::Matrix;
pub use nonius_num as num;
pub use nonius_num::{Dd, Mp, Precision, Qd, Td};

pub use device::Device;
pub use jobs::Job;
pub use number::Number;
pub use whole::Whole;

/// The examples of the guide are compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../guide/library.md")]
struct Guide;
