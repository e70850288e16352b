//! Solids in motion: explicit dynamics, in the numbers that are asked for.
//!
//! **What.** Nodes with lumped masses move under the forces of the elements between them, by
//! central differences: `v ← v + ½(Δt + Δt')·a`, `u ← u + Δt·v`, `a = f/m`. A [`Problem`] says what
//! there is, a [`Run`] takes it through time, on the host or on a [device](Solids).
//!
//! **Forces in full.** Stresses and all else that elements remember follow from a step's gradient
//! half way. Forces are then those of what is remembered, where nodes are. All
//! [precisions](Precision) compute forces so in every step, unless a run in mixed precision is told
//! to sum up increments.
//!
//! **Precisions.** Digits are those that displacements have in common with double precision, of
//! beams, sheets and tubes of distorted elements that swing for 300 to 1500 steps: fewer the more
//! often they swing.
//!
//! | | elements | motions of nodes, sums | digits |
//! |---|---|---|---|
//! | [`Single`](Precision::Single) | `f32` | `f32` | 5.2 to 6.6 |
//! | [`Mixed`](Precision::Mixed) | `f32` | `f64` | 6.5 to 8.8 |
//! | [`Pairs`](Precision::Pairs) | pairs of `f32`, on the CPU `f64` | the same | |
//! | [`Double`](Precision::Double) | `f64` | `f64` | |
//!
//! **Mixed precision** keeps in `f64` what is summed up from step to step: displacements and
//! velocities of nodes, and of elements stresses, forces of hourglass modes, plastic strains and
//! temperatures. All else is computed in `f32`. An element reads its stresses rounded, adds the
//! increments of a step to the sums, and computes its forces in full of them;
//! nodes add up forces in `f64`.
//!
//! *Errors that differ from step to step cost little.* A rounding error of a force in full is at
//! most some units `u = 6e-8` of it. The next step computes the force anew, with another error: in
//! displacements such errors grow with the root of the number of steps. Stresses are sums that lose
//! nothing:
//! what a step adds has the relative error `u`, however small it is beside the stress.
//!
//! *Errors that are the same in all steps cost more.* An error of a constant or of an element's
//! size would make all waves of a mesh faster or slower by that part, which displacements show more
//! and more with every step. So elements take differences of their nodes' coordinates and
//! displacements in `f64`, and round these. Moduli have two parts of `f32` each, of which the
//! second makes good the rounding error of the first. Volumes, deviators and gradients of
//! tetrahedra are
//! quotients by 3 and 6, which are exact, and rings have closed forms. And the longest stable step
//! is rounded to seven bits, so that all precisions take the same steps.
//!
//! *What is no sum has the digits of `f32`.* The stress of neo-Hookean solids follows from their
//! volume and from the Cauchy–Green tensor, with errors of `u` times the moduli. Where strains are
//! small, these are great beside the stress: at strains of a thousandth displacements have some
//! half a digit more than in single precision, which has 3 to 5.
//!
//! **Increments** are another way to forces in mixed precision (Liu and others, *Mixed-precision
//! explicit finite element algorithm and its implementation on GPU*, 2012). The elements of a step
//! compute what it adds to nodal forces, `Δf`, and not `f` anew; nodes sum up `a ← a + Δf/m` in
//! `f64`. Terms of the second order in a step are multiplied by `β`, a power of two near the
//! inverse of the mean
//! force, while they are computed, so that none of them underflows.
//!
//! The rounding errors of increments are smaller than those of forces, as parts of `Δf`. But each
//! stays in the force for good: `a` sums errors up, and velocities and displacements sum these
//! sums. On the beams above increments keep 5.5 to 8.1 digits, mostly fewer than forces in full and
//! the fewer the longer a run. They also take half as many operations again.
//!
//! **Resynchronisation.** [`Limits::resync`] says after how many steps forces in full take the
//! place of increments, by the count of steps, so that a resumed run does the same. In every step
//! is the usual choice, and never is the paper's scheme. What increments have come to may be held
//! against forces in full ([`Run::drift`]): both have errors of some `u`, and sums of increments
//! more with each step.
//!
//! **Which is faster.** In mixed precision 80 to 97 % of all operations are in `f32`
//! ([`Run::operations`]): those of elements but for plastic flow. It pays where `f32` is faster
//! than `f64`.
//!
//! **Given motion.** A displacement holds at the end of a step. A velocity holds half way through
//! it, where central differences have velocities.
//!
//! **Rings.** Axisymmetric elements go [all around](crate::model::Block::depth). As in Abaqus
//! masses, forces on nodes, reactions and energies are totals of the ring; pressure is force on a
//! unit of area.
//!
//! **Length of steps.** Until a [given end](Goal) all steps are as long as each other, as far as
//! stability allows. Energies are kept as long as they are, and a shorter step now and then makes
//! high modes grow.
//!
//! **Energy.** The sum of kinetic energy, `½·m·v⁻·(v⁻ + Δt·a)`, and the works of all forces, each
//! by the mean of both ends of a step, is constant but for rounding as long as steps are equal: it
//! tells how well forces and works agree, and nothing of how good the mesh is.

mod advance;
mod backend;
mod clock;
mod division;
mod failure;
pub(crate) mod geometry;
mod layout;
mod masses;
mod memory;
mod operations;
mod precision;
mod pressure;
mod problem;
mod run;
mod share;
mod state;
mod tally;
#[cfg(test)]
pub(crate) mod tests;
mod units;
pub(crate) mod vector;
mod whole;

pub use advance::Advance;
pub use backend::Solids;
pub use clock::{Clock, Goal, Limits};
pub use division::{Division, Part};
pub use failure::Failure;
pub use layout::{Layout, PATCH, Patches};
pub use masses::Masses;
pub use memory::Memory;
pub use operations::Operations;
pub use precision::Precision;
pub use pressure::Pressed;
pub use problem::{
    Course, FaceNodes, FacePressure, Gravity, NodeForce, NodeMotion, Problem, WALLS,
};
pub use run::{Fields, Run};
pub use share::{Link, OwnPart, Share};
pub use state::State;
pub(crate) use tally::sum_of_block;
pub use tally::{NODES, Tallies, Works};
pub use units::Units;
pub(crate) use whole::Whole;
