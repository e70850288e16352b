//! Pictures of deformed meshes, coloured by a field.
//!
//! What is seen from far away in a direction: outer faces, hidden where others are in front, with a
//! bar of colours beside them. Of a model whose elements are plane or axisymmetric the plane is
//! seen.

mod axes;
mod canvas;
mod colours;
mod direction;
mod error;
mod field;
mod frame;
mod mesh;
mod options;
mod picture;
mod surface;
mod text;

use nonius_figures::numbers;

use super::consistent::check_snapshot;
use crate::Snapshot;
use crate::model::{Mesh, Quantity};
use axes::Axes;
use frame::Frame;

pub use colours::colour;
pub use direction::{Direction, UnknownDirection};
pub use error::ViewError;
pub use field::Field;
pub use options::{SIZES, View};
pub use picture::Picture;
pub use surface::Surface;

/// Draws what a snapshot shows. The surface is that of the mesh.
///
/// ```
/// use nonius_fem::model::Kind;
/// use nonius_fem::output::view::{Field, Surface, View, draw};
/// use nonius_fem::{Precision, Simulation, generate};
///
/// let model = generate::cuboid(Kind::Hexahedron, [2, 2, 2])?;
/// let simulation = Simulation::new(&model, Precision::Double)?;
/// let view = View { field: Field::Displacement, size: [400, 320], ..View::default() };
/// let picture = draw(&model.mesh, &Surface::new(&model.mesh)?, &simulation.snapshot()?, &view)?;
/// assert_eq!((picture.width(), picture.height()), (400, 320));
/// assert!(picture.pixels().iter().any(|&pixel| pixel != [255; 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn draw(
    mesh: &Mesh,
    surface: &Surface,
    snapshot: &Snapshot,
    view: &View,
) -> Result<Picture, ViewError> {
    surface.check(mesh)?;
    check_snapshot(mesh, snapshot)?;
    let [width, height] = view.size;
    if width.min(height) < SIZES[0] || width.max(height) > SIZES[1] {
        return Err(ViewError::Size { size: view.size });
    }
    let plane = mesh.dimensions() == 2;
    let usual = if plane { Direction::Front } else { Direction::Isometric };
    let axes = Axes::of(view.direction.unwrap_or(usual)).ok_or(ViewError::Direction)?;
    let field = field::Values::of(view.field, mesh, snapshot, view.smooth);
    let range = match view.range {
        None => field.widened_range(),
        Some([low, high]) if low < high && (high - low).is_finite() => [low, high],
        Some(range) => return Err(ViewError::Range { range }),
    };
    let mut picture = Picture::new(width, height);
    let frame = Frame::new(view.size);
    mesh::draw(
        &mut picture,
        &frame,
        mesh,
        surface,
        snapshot,
        &mesh::Style { axes: &axes, values: &field, range, view, plane },
    );
    let time = numbers::text(snapshot.time, snapshot.time);
    let units = view.units.as_ref();
    let unit = field::unit_of(Quantity::Time, units);
    let mut title = format!("{}, time {time} ({unit})", view.field.title(units));
    // Of a long title the beginning: what the picture shows has to be said.
    let room = frame.letters().saturating_sub(title.len() + 2);
    if !view.title.is_empty() && room > 0 {
        title = format!("{}: {title}", view.title.chars().take(room).collect::<String>());
    }
    frame.draw(&mut picture, &title, range, field.extremes(), &axes);
    Ok(picture)
}
