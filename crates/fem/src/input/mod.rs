//! Models from files.

pub mod abaqus;
mod check;
mod error;
mod ignored;
mod labels;
mod skin;
mod text;

pub use error::{InputError, Item, Problem};
pub use ignored::{Ignored, Matter};
