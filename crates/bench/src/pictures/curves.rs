//! Curves of measured points.

use nonius_figures::{Curve, Look, Markers};

/// A curve of measured points, in the order of their places.
pub(super) fn measured(name: impl Into<String>, mut points: Vec<(f64, f64)>, look: Look) -> Curve {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Curve::new(name, points).with_markers(Markers::All).with_look(look)
}

/// Marks of an axis at these numbers.
pub(super) fn at(numbers: &[u32]) -> impl Iterator<Item = (f64, u32)> {
    numbers.iter().map(|&x| (f64::from(x), x))
}
