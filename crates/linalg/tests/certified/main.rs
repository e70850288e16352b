//! Solutions with proved digits.

mod common;
mod refusals;
mod systems;
