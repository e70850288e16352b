//! Batches of tridiagonal systems.
//!
//! [`Solve`] takes [`Systems`] in memory, and [`SolveFormed`] a rule by which a GPU forms them.
//! Numbers may be `f32` too: [`Precision`] names all, and [`Job`] runs with the one that is named.

mod arrays;
pub(crate) mod form;
mod numbers;
mod solve;
pub(crate) mod solved;
pub(crate) mod systems;
pub(crate) mod transfer;

pub use nonius_linalg::tridiag::{
    Batch, Cause, Dominance, Failure, Method, Order, Report as Outcome, Residual, dominance,
    residual,
};
pub use nonius_linalg::{Error, Numbers};

pub use arrays::{read as read_arrays, read_from as read_arrays_from, write as write_unknowns};
pub use form::{Form, UnknownForm};
pub use numbers::{Job, Number, Precision, UnknownPrecision};
pub use solve::{Report, Solve, SolveFormed, cause_name, check_room};
pub use systems::Systems;
pub use transfer::Transfer;
