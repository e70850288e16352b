//! Solids in motion: explicit dynamics, with forces in full or by increments.
//!
//! **What.** Nodes with lumped masses move under the forces of the elements between them, by central differences: `v ← v + ½(Δt + Δt')·a`, `u ← u + Δt·v`, `a = f/m`. A [`Problem`] says what there is,
//! a [`Run`] takes it through time, on the host or on a [device](crate::backend::Solids).
//!
//! **Forces in full.** Stresses and all else that elements remember follow from a step's gradient half way; forces are then those of what is remembered, where nodes are. So compute [`Precision::Single`] and [`Precision::Double`] in every step.
//!
//! **Increments** (Liu and others, *Mixed-precision explicit finite element algorithm and its implementation on GPU*, 2012), in [`Precision::Mixed`]. The elements of a step compute what it adds to nodal forces, `Δf`, and not `f` anew; `a ← a + Δf/m` is summed up, and so are `v` and `u`. Increments may then have
//! fewer digits than the sums: their rounding errors are parts of `Δf`, not of `f`, and lie between elements, where inertia and stiffness undo them. What is computed in `f32` is multiplied by `β`, a power of two near the inverse of the mean force, so that none of it underflows.
//!
//! What multiplies increments is not rounded as they are. An error of a constant, such as an element's size, is there in every step, and would make the waves of the whole mesh faster or slower by that part: coordinates,
//! gradients, strains, stresses, their rotation and what elements remember have the precision of the sums, and so has all that is of the first order in a step: `Δσ·g`, the growth of viscosity and of hourglass forces. What is rounded is of the second order, smaller by a strain: what moving nodes do to
//! forces that are there already; and the length of steps, which is then rounded to seven bits, so that all precisions take the same steps. Differences of displacements are those of the sums, too: what all nodes of an element have in common would leave few digits of the rest.
//!
//! **Error.** With `u` the unit roundoff of `f32` a step adds errors of `u·|Δu|/h·|f|` to nodal forces, `Δu/h` the strain or rotation of the step, independent from step to step as far as rounding is; after `n` steps `√n` times as much. Where stress follows strain that is little beside `Δf`; where a solid flows, its stress
//! stays what it is while it deforms, and these errors are those of the forces themselves.
//!
//! **Drift.** What increments have come to may be held against the forces in full, in the precision of sums ([`Run::drift`]). Before they were rounded, both differed by `1e-11` after some hundred steps.
//!
//! **Resynchronisation** ([`Limits::resync`]) gives every so many steps forces in full, by the count of steps, which makes a resumed run the same. Nothing but displacements, velocities and what elements remember, which all have the precision of sums, carries errors on then. Displacements of mixed and of double
//! precision agree to 12 digits and more on an elastic wave and to 10.3 on a bent beam without it, to 13 on both with forces in full every fourth step; after Taylor's test, a cylinder that has hit a wall, to 8.1 to 8.8 without and 10.3 to 11.0 with it.
//!
//! **Which is faster.** Increments take half as many operations again as forces in full, and half of theirs are in `f32` ([`Run::operations`]; the paper has over 90 %, and to as many digits as `f32` has of an increment). By that count they pay where `f64` runs at less than a third of the rate of `f32`; where it runs at half of its rate, as on CPUs with vector
//! registers and on an H100 or H200, double precision is both faster and better.
//!
//! **Given motion.** A displacement holds at the end of a step. A velocity holds half way through it, where central differences have velocities.
//!
//! **Rings.** Axisymmetric elements go through an angle, their [thickness](Block::thickness). Masses, forces on nodes, reactions and energies are those of this angle; pressure is force on a unit of area.
//! Abaqus counts them all around, with an angle of `2π`: a concentrated force is the total on the ring.
//!
//! **Length of steps.** Until a [given end](Goal) all steps are as long as each other, as far as stability allows. Energies are kept as long as they are, and a shorter step now and then makes high modes grow.
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
mod tally;
mod units;

pub use layout::{Layout, PATCH, Patches};
pub use masses::Masses;
pub use material::{Hardening, Law, Material, Memory};
pub use operations::Operations;
pub use pressure::Pressed;
pub use problem::{
    Block, Course, Face, Force, Gravity, Kind, Motion, Pressure, Problem, WALLS, Wall,
};
pub use run::{Advance, Clock, Failure, Fields, Goal, Limits, Precision, Run};
pub use state::State;
pub(crate) use tally::sum_of_block;
pub use tally::{NODES, Tallies, Works};
pub use units::Units;
