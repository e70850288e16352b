//! Histories as pictures.

use nonius_figures::{Axis, Figure, FigureError, Format, Panel};

use super::chart::axis;
use super::{Chart, Curve};

/// Height of the axes of the only panel, and of one of several.
const HEIGHTS: [u32; 2] = [440, 300];
/// Curves of a panel at most: that many names have room beside it.
const CURVES: usize = 14;
/// Panels of a chart at most: of further ones nobody looks at each.
const PANELS: usize = 12;

/// An SVG of charts one below the other. Charts without a finite number are left out. Axes have the
/// units of the numbers, where these are known.
///
/// A chart of more curves than can be told apart becomes several, whose titles say which curves
/// they have.
pub fn plot(title: &str, charts: &[Chart]) -> Result<Vec<u8>, FigureError> {
    let panels: Vec<Panel> = charts.iter().flat_map(panels).collect();
    let height = HEIGHTS[usize::from(panels.len() > 1)];
    Figure { title: title.into(), panels, height, ..Figure::default() }.draw(Format::Svg)
}

/// The panels of a chart: one, or where there are many curves, several for each component.
fn panels(chart: &Chart) -> Vec<Panel> {
    let mut curves: Vec<&Curve> = chart.curves.iter().collect();
    if curves.len() <= CURVES {
        return vec![panel(chart, chart.title.clone(), &curves)];
    }
    // Curves of a component stay in their order.
    curves.sort_by_key(|curve| component(curve));
    let parts = curves.chunk_by(|a, b| component(a) == component(b)).flat_map(|curves| {
        let parts = curves.len().div_ceil(CURVES);
        curves.chunks(curves.len().div_ceil(parts))
    });
    let mut panels = Vec::new();
    let mut first = 1;
    for part in parts.take(PANELS) {
        let last = first + part.len() - 1;
        let title = format!("{}: curves {first} to {last} of {}", chart.title, curves.len());
        panels.push(panel(chart, title, part));
        first = last + 1;
    }
    panels
}

fn panel(chart: &Chart, title: String, curves: &[&Curve]) -> Panel {
    let curve = |curve: &&Curve| {
        let points = chart.times.iter().copied().zip(curve.values.iter().copied());
        nonius_figures::Curve::new(&curve.name, points)
    };
    Panel {
        title,
        x: Axis::linear(axis("time", chart.time_unit.as_deref())),
        y: Axis::linear(&chart.quantity),
        curves: curves.iter().map(curve).collect(),
        ..Panel::default()
    }
}

/// The last word of a curve's name: `u1` of `7 u1`.
fn component(curve: &Curve) -> &str {
    curve.name.rsplit(' ').next().unwrap_or_default()
}
