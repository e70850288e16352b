//! What becomes small in iterations, as a figure.

use std::path::Path;

use nonius_figures::{Axis, Curve, Figure, Format, Panel};

use crate::failure::Failure;

/// A line: a value for each iteration, counted from 0.
pub(crate) struct Line {
    pub(crate) label: String,
    pub(crate) values: Vec<f64>,
}

/// The bytes of a file of that name with values against iterations, the values on a logarithmic
/// scale that reaches 1.
pub(crate) fn draw(
    title: &str,
    values: &str,
    lines: Vec<Line>,
    path: &Path,
) -> Result<Vec<u8>, Failure> {
    let curve = |line: Line| {
        let points = line.values.into_iter().enumerate();
        Curve::new(line.label, points.map(|(iteration, value)| (iteration as f64, value)))
    };
    let panel = Panel {
        x: Axis::counting("iteration").reaching(1.0),
        y: Axis::logarithmic(values).reaching(1.0),
        curves: lines.into_iter().map(curve).collect(),
        ..Panel::default()
    };
    let figure =
        Figure { title: title.into(), panels: vec![panel], height: 420, ..Figure::default() };
    let drawn = Format::of(path).and_then(|format| figure.draw(format));
    drawn.map_err(|error| Failure::input(format!("{title}: {error}")))
}
