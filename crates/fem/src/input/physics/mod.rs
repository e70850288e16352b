//! What meshes of Gmsh lack, in TOML.
//!
//! A file names its mesh, relative to its own folder, and says the rest by physical groups: those
//! of the mesh's highest dimension are made of something, those of one dimension less can carry
//! pressure, and the nodes of any can be moved. Where `group` may be left out, all is meant. An
//! unknown key is an error.
//!
//! ```toml
//! title = "A wave in a bar"
//! mesh = "bar.msh"
//!
//! [[material]]
//! name = "steel"
//! density = 7800.0
//! young = 2.0e11
//! poisson = 0.3
//!
//! [[body]]
//! material = "steel"
//!
//! [[motion]]
//! group = "x0"
//! axes = "x"
//! velocity = 0.1
//!
//! [time]
//! period = 3.0e-4
//! ```
//!
//! - at the top: `mesh`, `title`
//! - `[units]`: `length`, `mass`, `time`, `temperature`, as `"mm"`, `"t"`, `"s"`, `"degC"`; they
//!   convert nothing, and outputs show them
//! - `[[material]]`: `name`, `density`; `young` and `poisson`, with
//!   `plastic = [[strain, stress], …]` or
//!   `johnson-cook = {a, b, n, c, rate, m, melting, transition}` where it yields; or
//!   `neo-hooke = {c10, d1}`; `expansion`, `specific-heat`, `heat-fraction`
//! - `[[body]]`: `material`; `group`; `element`, a type of Abaqus (`C3D8R`, `C3D4`, `CPE4R` where
//!   nothing is said), `thickness`
//! - `[[amplitude]]`: `name`, `points = [[time, value], …]`; `smooth`
//! - `[[initial]]`: `group`; `velocity`, `temperature`
//! - `[[motion]]`: `group`, `axes` such as `"xz"`; `displacement` (0 where nothing is said) or
//!   `velocity`; `amplitude`
//! - `[[force]]`: `group`, `force` on each node; `amplitude`
//! - `[[pressure]]`: `group`, `pressure`; `amplitude`
//! - `[[gravity]]`: `acceleration`; `group`, `amplitude`
//! - `[[wall]]`: `point`, `normal`; `group`
//! - `[time]`: `period`; `factor` of the stable increment and the `longest` one, or a fixed
//!   `increment`; `adiabatic`, `linear-viscosity`, `quadratic-viscosity`
//! - `[output]`: `fields`, `history`, whether steps end at their times (`exact`), groups whose
//!   `nodes` and `elements` the history shows
//!
//! Of two motions of a node along an axis, and of two velocities or temperatures at the beginning,
//! the later one holds.

mod conditions;
mod document;
mod materials;
mod mesh;
mod places;

use std::io::Read;
use std::path::Path;

use nonius_files::room::read_whole;

use super::error::{At, Fault, Found, InputError, Problem};
use super::gmsh::{self, Grid};
use super::text::decode;
use crate::model::{Model, Units, UnknownUnit};
use document::Document;
use nonius_files::packed;
use places::Places;

/// The model that a file says. Errors call it `name`; the mesh that it names is relative to the
/// folder of that.
///
/// # Errors
/// Of input that cannot be read or is not that of a model, and of the mesh.
pub fn read(input: impl Read, name: &Path) -> Result<Model, InputError> {
    let bytes = read_whole(input).map_err(|error| InputError::unreadable(name, &error))?;
    let text = decode(bytes);
    let places = Places { text: &text };
    let named = |fault: Fault| fault.named([name].into_iter());
    let document: Document = toml::from_str(&text).map_err(|error| {
        let at = error.span().map_or(At::default(), |span| places.at_byte(span.start));
        named(at.fault(Problem::Toml { message: error.message().to_string() }))
    })?;
    let path = name.parent().unwrap_or(Path::new("")).join(document.mesh.get_ref());
    let file = packed::open(&path).map_err(|error| {
        let found = format!("{} ({})", path.display(), error.kind());
        let needed = "a mesh that can be read";
        let problem = Problem::Expected { needed, found };
        named(places.at(&document.mesh).fault(problem))
    })?;
    let grid = gmsh::read(file, &path)?;
    model(&document, &places, &grid).map_err(named)
}

fn units(document: &Document, places: &Places<'_>) -> Found<Option<Units>> {
    let Some(table) = &document.units else { return Ok(None) };
    let said = table.get_ref();
    let units = Units::new(&said.length, &said.mass, &said.time, said.temperature.as_deref());
    match units {
        Ok(units) => Ok(Some(units)),
        Err(UnknownUnit { needed, symbol }) => places.at(table).expected(needed, symbol),
    }
}

fn model(document: &Document, places: &Places<'_>, grid: &Grid) -> Found<Model> {
    let materials = materials::materials(document, places)?;
    let mesh = mesh::mesh(document, places, grid)?;
    let (title, units) = (document.title.clone(), units(document, places)?);
    let mut model = Model { title, units, mesh, materials, ..Model::default() };
    conditions::conditions(document, places, &mut model)?;
    Ok(model)
}
