//! Solids in motion: explicit dynamics with increments of forces.
//!
//! **What.** Nodes with lumped masses move under the forces of the elements between them, by central differences: `v ← v + ½(Δt + Δt')·a`, `u ← u + Δt·v`, `a = f/m`. A [`Problem`] says what there is,
//! a [`Run`] takes it through time, on the host or on a [device](crate::backend::Solids).
//!
//! **Increments** (Liu and others, *Mixed-precision explicit finite element algorithm and its implementation on GPU*, 2012). The elements of a step compute what it adds to nodal forces, `Δf`, and not `f` anew; `a ← a + Δf/m` is summed up, and so are `v` and `u`. Increments may then have fewer
//! digits than the sums: their rounding errors are parts of `Δf`, not of `f`, and lie between elements, where inertia and stiffness undo them. What is computed in `f32` is multiplied by `β`, a power of two near the inverse of the mean force, so that none of it
//! underflows ([`Precision::Mixed`]).
//!
//! What multiplies increments is not rounded as they are. An error of a constant, such as an element's size, is there in every step, and would make the waves of the whole mesh faster or slower by that part: coordinates,
//! gradients, strains and stresses have the precision of the sums, and so has all that is of the first order in a step: `Δσ·g`, the growth of viscosity and of hourglass forces. What is rounded is of the second order, smaller by a strain: how rotation turns stress and
//! what moving nodes do to forces that are there already; and the length of steps, which is then rounded to seven bits, so that all precisions take the same steps. Differences of displacements are those of the sums, too: what all nodes of an element have in common would leave few digits of the rest.
//!
//! **Error.** With `u` the unit roundoff of `f32` a step adds errors of `u·|Δu|/h·|f|` to nodal forces, `Δu/h` the strain or rotation of the step, independent from step to step as far as rounding is; after `n` steps `√n` times as much.
//!
//! **Energy.** The sum of kinetic energy, `½·m·v⁻·(v⁻ + Δt·a)`, and the works of all forces, each by the mean of both ends of a step, is constant but for rounding as long as steps are equal: it tells how well forces and works agree, and nothing
//! of how good the mesh is.

mod layout;
mod masses;
mod material;
mod operations;
mod pressure;
mod problem;
mod run;
mod state;
mod units;

pub use layout::{Layout, PATCH, Patches};
pub use masses::Masses;
pub use material::{Hardening, Law, Material, Memory};
pub use operations::Operations;
pub use pressure::Pressed;
pub use problem::{
    Block, Course, Face, Force, Gravity, Kind, Motion, Pressure, Problem, WALLS, Wall,
};
pub use run::{Advance, Clock, Failure, Fields, Limits, Precision, Run};
pub use state::{State, Works};
pub use units::Units;
