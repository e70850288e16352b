//! Semidefinite programs, solved in the precision that they need and proved.
//!
//! A [`Problem`] is a pair of programs in the form of SDPA,
//!
//! (P) minimize `c·x` where `X = Σ xᵢ·Fᵢ − F₀` is positive semidefinite,
//!
//! (D) maximize `F₀•Y` where `Fᵢ•Y = cᵢ` for all `i` and `Y` is positive semidefinite,
//!
//! Its matrices are symmetric and have dense and diagonal blocks. [Second-order
//! cones](Block::SecondOrder) may stand beside them, vectors in the place of matrices. `A•B` is the
//! sum of products of entries. The numbers of a problem stay the decimals of its file. Each is
//! rounded once, to the precision in which it is used.
//!
//! | to do | with |
//! |---|---|
//! | read a program, a point, parameters | [`input`] |
//! | solve it in one precision after the other | [`solve_on`] |
//! | prove bounds of the optimum, or infeasibility | [`prove`] |
//! | write results | [`output`], [`Checkpoint`] |
//! | eliminate equality constraints exactly | [`equalities`] |
//!
//! Begin with [`input::read_sparse`], [`solve_on`] and [`prove`]. The least `x + 2y` for which the
//! matrix `[x 1; 1 y]` is positive semidefinite is `2√2`:
//!
//! ```
//! use nonius_linalg::backend::Cpu;
//! use nonius_num::Dd;
//! use nonius_sdp::{Options, Parameters, input, prove, solve_on};
//!
//! // Two constraints, one block of order 2, c, and the entries of F₀, F₁ and F₂.
//! let text = "2\n1\n2\n1 2\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n";
//! let problem = input::read_sparse(text.as_bytes())?;
//! let options = Options {
//!     precision: "dd".parse()?,
//!     at_once: false,
//!     then_proved: true,
//!     parameters: Parameters::default(),
//!     gap: None,
//!     feasibility: None,
//! };
//! let machine = Cpu::default();
//! let (report, point) = solve_on(&machine, &problem, &options, None, &mut |_, _| true)?;
//! let proof = prove(&machine, &problem, (&point, report.phase))?;
//! let lower: Dd = proof.lower.as_ref().map_err(|reason| reason.to_string())?.parse()?;
//! let upper: Dd = proof.upper.as_ref().map_err(|reason| reason.to_string())?.parse()?;
//! // 2√2 lies between the two bounds, which have 18 digits in common.
//! assert!(lower * lower < 8.0 && upper * upper > 8.0);
//! assert!(proof.digits().is_some_and(|digits| digits >= 18.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod certify;
mod components;
pub mod cone;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
mod decimal;
pub mod equalities;
mod fingerprint;
pub mod input;
mod interior;
mod ladder;
mod literals;
mod machine;
pub mod output;
mod parameters;
mod problem;
pub mod ranks;
mod reduced;
mod report;
mod run;
pub mod seal;
mod solution;
pub mod solver;
mod text;
mod units;

pub use fingerprint::Fingerprint;
pub use interior::{Interior, Side};
pub use ladder::{
    AnyPoint, Checkpoint, Cost, Error, FetchPoint, LEAST_GAP, Ladder, LastPrecision, Observe,
    Optimizer, Options, PointFormat, PointMatrix, PointNumber, Start, UnknownLastPrecision,
    WriteMatrix, proof_precision, prove, solve, solve_on, usual_gap, usual_iterations,
};
pub use literals::Literals;
pub use machine::Machine;
pub use parameters::Parameters;
pub use problem::{Block, Entry, NotDiagonal, Place, Problem};
pub use reduced::{Reduced, Reducible, Restricted};
pub use report::{Report, Row};
pub use run::{Fetch, Task};
pub use solution::{BlockValues, Misfit, Solution};
pub use units::Units;
