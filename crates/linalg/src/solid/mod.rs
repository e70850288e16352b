//! Solids in motion: explicit dynamics with increments of forces.
//!
//! **What.** Nodes with lumped masses move under the forces of the elements between them, by central differences: `v ← v + ½(Δt + Δt')·a`, `u ← u + Δt·v`, `a = f/m`. A [`Problem`] says what there is,
//! a [`Run`] takes it through time.
//!
//! **Increments** (Liu and others, *Mixed-precision explicit finite element algorithm and its implementation on GPU*, 2012). The elements of a step compute what it adds to nodal forces, `Δf`, and not `f` anew; `a ← a + Δf/m` is summed up, and so are `v` and `u`. Increments may then have fewer
//! digits than the sums: their rounding errors are parts of `Δf`, not of `f`, and lie between elements, where inertia and stiffness undo them. Forces are scaled by a power of two near the inverse of their
//! mean, so that none underflows ([`Precision::Mixed`]).
//!
//! What multiplies increments is not rounded as they are. An error of a constant, such as an element's size, is there in every step, and would make the waves of the whole mesh faster or slower by that part: coordinates,
//! gradients and stresses have the precision of the sums. Differences of displacements are those of the sums, too: what all nodes of an element have in common would leave few digits of the rest.
//!
//! **Error.** With `u` the unit roundoff of increments a step adds errors of `u·|Δf|` to nodal forces, independent from step to step as far as rounding is; a wave of `k` steps a period has `|Δf| ≈ 2π/k·|f|`.

mod block;
pub mod element;
pub mod geometry;
pub mod law;
mod pressure;
mod problem;
mod real;
mod run;

pub use law::{Hardening, Material};
pub use problem::{Block, Course, Face, Force, Kind, Motion, Pressure, Problem, Wall};
pub use real::{Narrow, Real};
pub use run::{Failure, Precision, Run, Works};
