//! A panel whose points have their places on its axes.

use crate::axis::Range;
use crate::figure::{Markers, Panel};
use crate::looks::{self, Look};
use crate::points::pieces;
use crate::scene::Ink;
use crate::words::clean;

/// Room beyond the points on an axis of values, as a part of it.
const ROOM: f64 = 0.05;
/// The same on a horizontal axis whose points have markers or no order of their own.
const NARROW_ROOM: f64 = 0.02;

/// A panel with a point at least.
pub(crate) struct Drawn<'a> {
    pub(crate) panel: &'a Panel,
    pub(crate) x: Range,
    pub(crate) y: Range,
    /// References, then curves.
    pub(crate) lines: Vec<Line>,
}

/// A curve or a reference.
pub(crate) struct Line {
    /// Its name; none where the panel's title says it.
    pub(crate) name: Option<String>,
    pub(crate) style: Style,
    /// Its points by their places on the axes, from 0 to 1.
    pub(crate) pieces: Vec<Vec<[f64; 2]>>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Style {
    Curve(Look, Markers),
    Reference,
}

impl Style {
    pub(crate) fn stroke(self) -> (Ink, f64, Vec<f64>) {
        match self {
            Self::Curve(look, _) => (Ink::Curve(look.colour), 2.0, look.dashes()),
            Self::Reference => (Ink::Muted, 1.2, vec![5.0, 3.0]),
        }
    }

    pub(crate) fn words(self) -> Ink {
        match self {
            Self::Curve(look, _) => Ink::Words(look.colour),
            Self::Reference => Ink::Muted,
        }
    }
}

impl Line {
    pub(crate) fn end(&self) -> Option<[f64; 2]> {
        self.pieces.last()?.last().copied()
    }
}

impl<'a> Drawn<'a> {
    /// The panel on its axes; `None` without a point that they can show.
    pub(crate) fn of(panel: &'a Panel) -> Option<Self> {
        let scales = [panel.x.scale, panel.y.scale];
        let found: Vec<Vec<Vec<(f64, f64)>>> =
            panel.curves.iter().map(|curve| pieces(&curve.points, scales)).collect();
        let points = || found.iter().flatten().flatten();
        let is_marked = panel.curves.iter().any(|curve| curve.markers == Markers::All);
        let room = if is_marked { NARROW_ROOM } else { 0.0 };
        // References alone are no reason for a figure.
        points().next()?;
        let heights = panel.references.iter().map(|reference| reference.value);
        let x = Range::of(&panel.x, points().map(|point| point.0), room)?;
        let y = Range::of(&panel.y, points().map(|point| point.1).chain(heights), ROOM)?;
        let place = |&(px, py): &(f64, f64)| [x.place(px), y.place(py)];
        let wanted: Vec<(Option<Look>, bool)> =
            panel.curves.iter().map(|curve| (curve.look, curve.markers == Markers::All)).collect();
        let references =
            panel.references.iter().filter(|reference| panel.y.scale.takes(reference.value));
        let mut lines: Vec<Line> = references
            .map(|reference| {
                let height = y.place(reference.value);
                let pieces = vec![vec![[0.0, height], [1.0, height]]];
                let name = Some(clean(&reference.name)).filter(|name| !name.is_empty());
                Line { name, style: Style::Reference, pieces }
            })
            .collect();
        for (i, look) in looks::assigned(&wanted).into_iter().enumerate() {
            let pieces = found[i].iter().map(|piece| piece.iter().map(place).collect()).collect();
            let style = Style::Curve(look, panel.curves[i].markers);
            lines.push(Line { name: name(panel, i), style, pieces });
        }
        Some(Self { panel, x, y, lines })
    }

    pub(crate) fn curves(&self) -> usize {
        self.panel.curves.len()
    }

    /// The lines with a name, and that name.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&str, &Line)> {
        self.lines.iter().filter_map(|line| Some((line.name.as_deref()?, line)))
    }
}

/// The name of a panel's curve.
fn name(panel: &Panel, curve: usize) -> Option<String> {
    let name = clean(&panel.curves[curve].name);
    let is_only = panel.curves.len() == 1;
    match (is_only && (name.is_empty() || name == clean(&panel.title)), name.is_empty()) {
        (true, _) => None,
        (false, true) => Some(format!("curve {}", curve + 1)),
        (false, false) => Some(name),
    }
}
