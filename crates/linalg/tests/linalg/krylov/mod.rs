//! Iterative methods on sparse matrices.

mod cg;
mod common;
mod failures;
mod late;
mod observer;
mod preconditioners;
mod refinement;
mod residues;
mod suite;
mod vectors;
