//! Models from files.

pub mod abaqus;
mod check;
mod error;
pub mod gmsh;
mod ignored;
mod labels;
pub mod physics;
mod skin;
mod text;

use std::path::Path;

use nonius_files::packed;

use crate::model::Model;
pub use error::{InputError, Item, Problem};
pub use ignored::{Ignored, Matter};

/// What a file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The model.
    pub model: Model,
    /// What was read past, because results do not depend on it.
    pub ignored: Vec<Ignored>,
}

/// What a file says: a [deck of Abaqus](abaqus) `.inp`, or a [TOML file](physics) that names a
/// [mesh of Gmsh](gmsh). Each file may be compressed by gzip or xz, and its name then end in `.gz`
/// or `.xz`.
///
/// ```
/// use nonius_fem::input::read_file;
///
/// let error = read_file("mesh.stl".as_ref()).map(|_| ()).unwrap_err();
/// assert!(error.to_string().starts_with("mesh.stl: "));
/// ```
///
/// # Errors
/// Of a file that cannot be read, that has another extension or an error.
pub fn read_file(path: &Path) -> Result<Input, InputError> {
    let extension =
        packed::unpacked(path).extension().map(|extension| extension.to_ascii_lowercase());
    let open = || packed::open(path).map_err(|error| InputError::unreadable(path, &error));
    match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("inp") => {
            let (model, ignored) = abaqus::read(open()?, path)?;
            Ok(Input { model, ignored })
        }
        Some("toml") => Ok(Input { model: physics::read(open()?, path)?, ignored: Vec::new() }),
        _ => Err(InputError { file: path.to_path_buf(), line: None, problem: Problem::Extension }),
    }
}
