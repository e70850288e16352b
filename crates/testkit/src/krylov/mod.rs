//! Iterative methods: a suite for the spaces of every backend.

mod ends;
mod failures;
mod solutions;
mod suite;
mod systems;

pub use suite::{Suite, Vector, numbers};
pub use systems::{convection, diagonal, laplacian, matrix, right_side, shifted};

/// All that the methods have to do.
///
/// # Panics
/// Where one does not.
pub fn suite<S: Suite>(space: &mut S) {
    solutions::check(space);
    ends::check(space);
    failures::check(space);
}
