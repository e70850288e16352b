//! Inputs: decks, meshes and what they say.

mod common;
mod conditions;
mod decks;
mod errors;
mod generate;
mod gmsh;
mod meshes;
mod physics;
