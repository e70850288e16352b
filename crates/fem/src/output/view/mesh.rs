//! The faces of a mesh in a picture.

use super::axes::{Axes, cross, dot, unit};
use super::canvas::{Canvas, Corner, Look, SAMPLES};
use super::field::{Place, Values};
use super::frame::Frame;
use super::options::View;
use super::picture::Picture;
use super::surface::{OuterFace, Surface};
use crate::Snapshot;
use crate::model::Mesh;

/// Where light comes from: to the right, upwards and towards the viewer.
const LIGHT: [f64; 3] = [-0.2, 0.5, 0.85];
/// Light that falls on all faces alike.
const AMBIENT: f64 = 0.6;
/// Heights of faces in pixels at which edges begin to be seen, and are seen fully.
const EDGES: [f64; 2] = [3.0, 8.0];

/// How faces are drawn.
pub(super) struct Style<'a> {
    pub(super) axes: &'a Axes,
    pub(super) values: &'a Values,
    /// Values at the ends of the colours.
    pub(super) range: [f64; 2],
    pub(super) view: &'a View,
    /// Whether all elements are plane, so that there is nothing to be shaded.
    pub(super) plane: bool,
}

/// From coordinates in the plane of the picture to samples.
struct Scale {
    /// What lies in the middle, and where that is.
    middle: [f64; 2],
    centre: [f64; 2],
    factor: f64,
}

impl Scale {
    /// Fits points into a size in samples, with a pixel around them.
    fn fitting(points: impl Iterator<Item = [f64; 3]>, size: [f64; 2]) -> Self {
        let mut box_ = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for point in points.filter(finite) {
            for i in 0..2 {
                box_[0][i] = box_[0][i].min(point[i]);
                box_[1][i] = box_[1][i].max(point[i]);
            }
        }
        let [low, high] = box_;
        let factor = (0..2)
            .map(|i| (size[i] - 2.0 * SAMPLES as f64) / (high[i] - low[i]))
            .fold(f64::INFINITY, f64::min);
        let factor = if factor.is_finite() && factor > 0.0 { factor } else { 1.0 };
        let middle = [0, 1].map(|i| 0.5 * low[i] + 0.5 * high[i]);
        Self { middle, centre: size.map(|x| 0.5 * x - 0.5), factor }
    }

    fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        [
            self.centre[0] + (point[0] - self.middle[0]) * self.factor,
            self.centre[1] - (point[1] - self.middle[1]) * self.factor,
            point[2],
        ]
    }
}

fn finite(point: &[f64; 3]) -> bool {
    point.iter().all(|x| x.is_finite())
}

pub(super) fn draw(
    picture: &mut Picture,
    frame: &Frame,
    mesh: &Mesh,
    surface: &Surface,
    snapshot: &Snapshot,
    style: &Style<'_>,
) {
    let factor = style.view.deformation;
    let points: Vec<[f64; 3]> = mesh
        .coordinates
        .iter()
        .zip(&snapshot.displacements)
        .map(|(x, u)| style.axes.project(std::array::from_fn(|i| x[i] + factor * u[i])))
        .collect();
    let [width, height] = frame.mesh_size();
    let size = [width, height].map(|x| (x * SAMPLES) as f64);
    let scale = match style.view.bounds {
        None => {
            let seen = surface.faces().iter().flat_map(OuterFace::corners);
            Scale::fitting(seen.map(|&node| points[node as usize]), size)
        }
        Some(bounds) => {
            let corner = |i: usize| std::array::from_fn(|axis| bounds[i >> axis & 1][axis]);
            Scale::fitting((0..8).map(|i| style.axes.project(corner(i))), size)
        }
    };
    let mut canvas = Canvas::new(width, height);
    for face in surface.faces() {
        draw_face(&mut canvas, face, &points, &scale, style);
    }
    canvas.put(picture, frame.mesh_corner());
}

fn draw_face(
    canvas: &mut Canvas,
    face: &OuterFace,
    points: &[[f64; 3]],
    scale: &Scale,
    style: &Style<'_>,
) {
    let [low, high] = style.range;
    let value = |node: u32| {
        let place = if style.values.place == Place::Nodes { node } else { face.element };
        (style.values.get(place) - low) / (high - low)
    };
    let empty = Corner { at: [0.0; 3], value: 0.0 };
    let mut corners = [empty; 4];
    let mut seen = [[0.0; 3]; 4];
    let count = face.corners().len();
    for (i, &node) in face.corners().iter().enumerate() {
        seen[i] = points[node as usize];
        corners[i] = Corner { at: scale.apply(seen[i]), value: value(node) };
    }
    let (corners, seen) = (&corners[..count], &seen[..count]);
    if !seen.iter().all(finite) {
        return;
    }
    let light = if style.view.shading && !style.plane { light(seen) } else { 1.0 };
    let line = if style.view.edges { line(corners) } else { 0.0 };
    if let &[a, b, c] = corners {
        canvas.triangle([a, b, c], Look { light, edges: [true; 3], line });
        return;
    }
    // Four triangles around the middle have no diagonal to prefer.
    let mut middle = empty;
    for corner in corners {
        (0..3).for_each(|i| middle.at[i] += corner.at[i] / 4.0);
        middle.value += corner.value / 4.0;
    }
    if style.values.place == Place::Elements {
        middle.value = corners[0].value;
    }
    for i in 0..count {
        let look = Look { light, edges: [true, false, false], line };
        canvas.triangle([corners[i], corners[(i + 1) % count], middle], look);
    }
}

/// The light that a face sends back.
fn light(face: &[[f64; 3]]) -> f64 {
    let difference = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] - b[i]);
    // Diagonals of a quadrilateral, sides of a triangle.
    let normal = cross(difference(face[2], face[0]), difference(face[face.len() - 1], face[1]));
    let (Some(mut normal), Some(from)) = (unit(normal), unit(LIGHT)) else { return 1.0 };
    // Whatever is seen looks towards the viewer.
    if normal[2] < 0.0 {
        normal = normal.map(|x| -x);
    }
    AMBIENT + (1.0 - AMBIENT) * dot(normal, from).max(0.0)
}

/// How dark the edges of a face are, by its height.
fn line(corners: &[Corner]) -> f64 {
    let (mut area, mut longest) = (0.0, 0.0_f64);
    for (i, corner) in corners.iter().enumerate() {
        let (a, b) = (corner.at, corners[(i + 1) % corners.len()].at);
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        longest = longest.max((b[0] - a[0]).hypot(b[1] - a[1]));
    }
    let height = area.abs() / longest / SAMPLES as f64;
    if height.is_finite() {
        ((height - EDGES[0]) / (EDGES[1] - EDGES[0])).clamp(0.0, 1.0)
    } else {
        0.0
    }
}
