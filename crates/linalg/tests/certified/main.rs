//! Solutions with proved digits.

mod common;
mod determinants;
mod refusals;
mod systems;
mod triangles;
