//! The cone of positive semidefinite matrices with blocks on the diagonal, beside second-order
//! cones, and linear programs over it.
//!
//! A [`Program`] has the matrices `F₀, F₁, …, F_m` and the vector `c` of the pair
//!
//! (P) minimize `c·x` where `X = Σ xᵢ·Fᵢ − F₀` is positive semidefinite,
//!
//! (D) maximize `F₀•Y` where `Fᵢ•Y = cᵢ` for all `i` and `Y` is positive semidefinite.
//!
//! A backend that has it in its memory is a [`Cone`]; interior-point methods are written over that.
//!
//! Entries of a [second-order cone](SecondOrder) `t ≥ ‖v‖` stand in rows of the diagonal block. A
//! vector `x = (x₀, x̄)` of such a cone has the eigenvalues `x₀ ± ‖x̄‖`, and vectors are an algebra
//! as symmetric matrices are (the spin factor):
//!
//! - `x∘y = (x·y, x₀ȳ + y₀x̄)` with the unit `(1, 0)`, in the place of `(XY + YX)/2`, and `x·y` in
//!   the place of `X•Y`;
//! - `{u, d, v} = (u·d)·v + (v·d)·u − det(u, v)·(d₀, −d̄)` with `det(u, v) = u₀v₀ − ū·v̄`, in the
//!   place of `(U·D·V + V·D·U)/2`.
//!
//! It is part of an algebra of symmetric matrices (a Clifford algebra), so that what holds of the
//! one holds of the other. Where `x∘y = μ·(1, 0)`, it is `x·y = μ`: the cone counts once beside the
//! rows of a matrix, however many rows it has itself.
//!
//! Source: J. Faraut and A. Korányi, *Analysis on Symmetric Cones*, 1994; K.-C. Toh, M. J. Todd and
//! R. H. Tütüncü, *SDPT3*, Optimization Methods and Software 11, 1999.

mod backend;
mod blockwise;
mod entries;
mod magnitudes;
mod program;
mod rounded;
mod second_order;
mod spectrum;
#[cfg(test)]
pub(crate) mod tests;

pub use backend::Cone;
pub use blockwise::Blockwise;
pub use entries::Entries;
pub use magnitudes::Magnitudes;
pub use program::{Diagonal, Place, Program, Source, Square};
pub(crate) use rounded::{in_format, of_doubles, round_into, rounded, zeros};
pub use second_order::{Part, Rows, SecondOrder};
pub use spectrum::Congruent;
pub(crate) use spectrum::{Together, least_eigenvalues, least_of_all};
