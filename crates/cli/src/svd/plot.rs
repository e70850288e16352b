//! Singular values as a picture.

use std::path::Path;

use nonius_figures::{Axis, Curve, Figure, Format, Markers, Panel, Reference};

use crate::failure::Failure;

/// A file with the values, in descending order, on a logarithmic scale, and the threshold below
/// which rounding errors hide them.
pub(super) fn draw(
    title: &str,
    values: &[f64],
    threshold: f64,
    path: &Path,
) -> Result<Vec<u8>, Failure> {
    let points = values.iter().enumerate().map(|(index, &value)| ((index + 1) as f64, value));
    let panel = Panel {
        x: Axis::counting("number of the singular value"),
        y: Axis::logarithmic("singular value"),
        curves: vec![Curve::new("values", points).with_markers(Markers::All)],
        references: vec![Reference { name: "threshold of the rank".into(), value: threshold }],
        ..Panel::default()
    };
    let figure =
        Figure { title: title.into(), panels: vec![panel], height: 420, ..Figure::default() };
    let drawn = Format::of(path).and_then(|format| figure.draw(format));
    drawn.map_err(|error| Failure::input(format!("{title}: {error}")))
}
