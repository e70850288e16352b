//! Linear algebra at the precision you ask for.
//!
//! The functions of this crate are the jobs of the program `nonius`. Each takes its input, options
//! and a [`Device`]. It returns the result with a report: what it took, where it ran and how good
//! the result is.
//!
//! | job | function |
//! |---|---|
//! | products of matrices | [`matmul()`] |
//! | systems, least squares | [`solve()`], [`least_squares()`] |
//! | inverses, determinants | [`inverse()`], [`determinant()`] |
//! | solutions and determinants with proved digits | [`solve_digits`], [`determinant_digits`] |
//! | eigenvalues, singular values | [`eigen()`], [`svd()`] |
//! | sparse systems by iteration | [`krylov()`] |
//! | batches of tridiagonal systems | [`tridiagonal()`] |
//! | option prices | [`option_prices`] |
//! | semidefinite programs, and proofs | [`semidefinite()`], [`certify_semidefinite`] |
//! | solids in motion | [`place_simulation`] |
//!
//! # A first system
//!
//! Begin with a [`Matrix`] and [`solve()`]. The report says how many digits are correct:
//!
//! ```
//! use nonius::linalg::dense::Method;
//! use nonius::linalg::dense::gemm::Products;
//! use nonius::{Device, Matrix, Qd, RightHandSides, solve};
//!
//! // The Hilbert matrix of order 20 has the condition number 10²⁸.
//! let a = Matrix::from_fn(20, 20, |i, j| Qd::ONE / (i + j + 1) as f64);
//! let b = Matrix::from_fn(20, 1, |_, _| Qd::ONE);
//! let (x, report) =
//!     solve(&a, RightHandSides::Given(&b), Method::Auto, Products::default(), Device::Auto)?;
//! // The exact solution begins with −20.
//! assert!((x[(0, 0)] + 20.0).abs().to_f64() < 1e-18);
//! assert!(report.correct_digits > 30.0);
//! # Ok::<(), nonius::linalg::Error>(())
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
//! # The modules
//!
//! [`num`] has the numbers. A decimal is rounded once, and all digits are printed:
//!
//! ```
//! use nonius::Qd;
//!
//! let x: Qd = "1e-30".parse()?;
//! assert_eq!((Qd::ONE + x).to_string(), format!("1.{}1", "0".repeat(29)));
//! # Ok::<(), nonius::num::ParseDecimalError>(())
//! ```
//!
//! [`linalg`] has the algorithms, for programs that want more than a job, such as factors for
//! several right-hand sides:
//!
//! ```
//! use nonius::linalg::dense::{Cholesky, Triangle};
//! use nonius::{Dd, Matrix};
//!
//! let a = Matrix::from_fn(2, 2, |i, j| Dd::from([[4.0, 2.0], [2.0, 5.0]][i][j]));
//! let factors = Cholesky::factor(Triangle::Lower, a.view())?;
//! let b = Matrix::from_fn(2, 1, |i, _| Dd::from([8.0, 12.0][i]));
//! assert_eq!(factors.solve(b.view())?.as_slice(), [1.0, 2.0].map(Dd::from));
//! # Ok::<(), nonius::linalg::Error>(())
//! ```
//!
//! [`certified`] has proofs. An exact determinant, which `f64` finds to be zero:
//!
//! ```
//! use nonius::certified::{Data, DigitsIn, Options};
//! use nonius::num::mp::Bits;
//! use nonius::{Device, Matrix, determinant_digits};
//!
//! let entry = |i: usize, j: usize| 1e9 + [[1.0, 0.0], [0.0, -1.0]][i][j];
//! let a = Data::from_limbs(Matrix::from_fn(2, 2, entry).view());
//! let options = Options { digits: 20, digits_in: DigitsIn::Entry, most_bits: Bits::new(4096)? };
//! let (found, _) = determinant_digits(&a, options, Device::Cpu, &mut |_| {})?;
//! assert!(found.value.to_f64() == -1.0 && found.digits.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`option`] has contracts, books and prices:
//!
//! ```
//! use nonius::option::{Contract, Kind, Request};
//! use nonius::{Device, option_prices};
//!
//! let put = Contract::european(Kind::Put, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
//! let (prices, _) = option_prices(&[put], &Request::default(), Device::Cpu)?;
//! assert!((prices[0].as_ref().unwrap().value - 5.573_526_022).abs() < 1e-4);
//! # Ok::<(), nonius::linalg::Error>(())
//! ```
//!
//! [`fem`] has models, their files and their motion. A bar keeps its energy:
//!
//! ```
//! use nonius::fem::model::Kind;
//! use nonius::fem::{Precision, Simulation, generate};
//!
//! let model = generate::bar(Kind::Hexahedron, [20, 1, 1])?;
//! let mut simulation = Simulation::new(&model, Precision::Double)?;
//! simulation.advance_to(1e-4)?;
//! assert!(simulation.energies()?.relative_balance().abs() < 1e-2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`sdp`] has programs in the formats of SDPA. A program's numbers stay decimals:
//!
//! ```
//! let text = "1\n1\n2\n1\n0 1 1 2 0.1\n1 1 1 1 1\n";
//! let problem = nonius::sdp::input::read_sparse(text.as_bytes())?;
//! assert_eq!(problem.numbers().text(problem.matrix(0)[0].value), "0.1");
//! # Ok::<(), nonius::sdp::input::ReadError>(())
//! ```
//!
//! [`files`] reads and writes matrices. The folder `examples` of this crate has sixteen programs,
//! numbered as a course.

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
    Form, TridiagonalJob, TridiagonalPrecision, TridiagonalReport, TridiagonalSystems,
    TridiagonalTransfer, UnknownForm, UnknownTridiagonalPrecision, cause_name, read_arrays,
    read_arrays_from, tridiagonal, tridiagonal_formed, tridiagonal_room, write_unknowns,
};
pub use work::Estimate;

/// The examples of the guide are compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../guide/library.md")]
struct Guide;
