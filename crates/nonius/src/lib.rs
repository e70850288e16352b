//! Linear algebra to the precision you ask for.
//!
//! Everything here is generic over the element type, which may be chosen when the program runs: a
//! [`Job`] runs at a [`Precision`] with the type that it names, and with any number of bits.
//! [`matmul()`], [`solve()`], [`least_squares()`], [`inverse()`], [`determinant()`], [`eigen()`],
//! [`svd()`] and [`krylov()`] are the jobs of the program `nonius`, which time themselves and
//! report how good the answer is; [`files`] reads and writes matrices. The algorithms are those of
//! [`linalg`], the numbers those of [`num`].
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

mod backend;
mod capabilities;
mod decompose;
mod determinant;
mod device;
mod digits;
pub mod files;
mod inverse;
mod jobs;
mod kernels;
mod krylov;
mod least_squares;
mod matmul;
mod number;
mod option_prices;
mod product;
mod room;
mod semidefinite;
mod simulation;
mod solve;
mod threads;
mod tridiagonal;
mod work;

pub use nonius_cuda::DeviceNumber;
pub use nonius_fem as fem;
pub use nonius_linalg as linalg;
pub use nonius_linalg::certified;
pub use nonius_linalg::{MatMut, MatRef, Matrix, Scalar};
pub use nonius_num as num;
pub use nonius_num::{Dd, Decimal, Fixed, Mp, Precision, Qd, Real, Ring, Td, UnknownPrecision};
pub use nonius_option as option;
pub use nonius_sdp as sdp;

pub use capabilities::{CAPABILITIES, Capability, Places};
pub use decompose::{DecompositionReport, eigen, svd};
pub use determinant::{
    DecimalDeterminant, DeterminantReport, determinant, determinant_decimals, determinant_digits,
};
pub use device::{Device, Place, Reason, UnknownDevice};
pub use digits::{solve_decimals, solve_digits};
pub use inverse::{InverseReport, inverse};
pub use jobs::Job;
pub use kernels::{KernelCompiler, precompile};
pub use krylov::{
    KrylovOptions, KrylovReport, Preconditioning, SparseFormat, SparseValues, Storage, UnknownName,
    krylov, krylov_room,
};
pub use least_squares::{LeastSquaresReport, least_squares};
pub use matmul::{MatmulReport, matmul};
pub use nonius_cuda::DeviceInfo;
pub use number::Number;
pub use option_prices::{
    ImpliedVolatility, OptionPrice, OptionsReport, implied_volatilities, option_prices,
};
pub use product::Matmul;
pub use semidefinite::{certify_semidefinite, semidefinite};
pub use simulation::place_simulation;
pub use solve::{RightHandSides, SolveReport, solve};
pub use threads::{MAX_THREADS, ThreadsError, available_threads, with_threads};
pub use tridiagonal::{
    ArrayError, ArrayProblem, Form, TridiagonalJob, TridiagonalPrecision, TridiagonalReport,
    TridiagonalSystems, TridiagonalTransfer, UnknownForm, UnknownTridiagonalPrecision, cause_name,
    read_arrays, read_arrays_from, tridiagonal, tridiagonal_formed, tridiagonal_room,
    write_unknowns,
};
pub use work::Estimate;

/// The examples of the guide are compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/src/library.md")]
struct Guide;
