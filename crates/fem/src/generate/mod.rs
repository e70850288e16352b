//! Models of any size: meshes with all that a run needs.
//!
//! Lengths are in metres, but those of [`taylor`] in millimetres, with tonnes and seconds.

mod bar;
mod cantilever;
mod cuboid;
mod lattice;
mod materials;
mod room;
mod taylor;
mod write;

use core::fmt;

use crate::model::{Kind, Mesh};

pub use bar::bar;
pub use cantilever::cantilever;
pub use cuboid::cuboid;
pub use room::Size;
pub use taylor::taylor;
pub use write::{WriteError, write_abaqus};

/// Why there is no such model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GenerateError {
    /// No elements along an axis.
    Empty,
    /// More nodes or elements than can be numbered.
    Size,
    /// Elements that it cannot be made of.
    Kind(Kind),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::Empty => f.write_str("there have to be elements along each axis"),
            GenerateError::Size => {
                f.write_str("there are more nodes or elements than can be numbered")
            }
            GenerateError::Kind(kind) => write!(f, "it cannot be made of {}", kind.name()),
        }
    }
}

impl core::error::Error for GenerateError {}

/// Gives all nodes that a place suits a name.
fn name_nodes(mesh: &mut Mesh, name: &str, suits: impl Fn(&[f64; 3]) -> bool) {
    let nodes = (0..).zip(&mesh.coordinates).filter(|(_, place)| suits(place));
    let nodes = nodes.map(|(node, _)| node).collect();
    mesh.node_sets.insert(name.to_string(), nodes);
}
