//! Solutions with proved digits.

mod common;
mod determinants;
mod refusals;
mod symmetric;
mod systems;
mod triangles;
