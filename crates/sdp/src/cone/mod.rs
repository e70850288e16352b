//! The cone of positive semidefinite matrices with blocks on the diagonal, and linear programs over
//! it.
//!
//! A [`Program`] has the matrices `F₀, F₁, …, F_m` and the vector `c` of the pair
//!
//! (P) minimize `c·x` where `X = Σ xᵢ·Fᵢ − F₀` is positive semidefinite,
//!
//! (D) maximize `F₀•Y` where `Fᵢ•Y = cᵢ` for all `i` and `Y` is positive semidefinite.
//!
//! A backend that has it in its memory is a [`Cone`]; interior-point methods are written over that.

mod backend;
mod entries;
mod magnitudes;
mod program;
mod rounded;
mod spectrum;
#[cfg(test)]
pub(crate) mod tests;

pub use backend::Cone;
pub use entries::Entries;
pub use magnitudes::Magnitudes;
pub use program::{Diagonal, Place, Program, Source, Square};
pub(crate) use rounded::{round_into, rounded, zeros};
pub use spectrum::least_eigenvalue;
