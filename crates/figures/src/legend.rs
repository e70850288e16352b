//! Names of curves outside the axes.

use crate::figure::Markers;
use crate::font::width;
use crate::looks::Marker;
use crate::panel::{Line, Style};
use crate::scene::{Anchor, Ink, Item, Scene};
use crate::sizes::NAME;
use crate::words::shortened;

/// Height of an entry.
const ROW: f64 = 20.0;
/// Length of a line's sample at least.
const SAMPLE: f64 = 30.0;
/// Between sample and name, and between columns.
const GAPS: [f64; 2] = [8.0, 24.0];
/// Width of a name at most.
const LONGEST_NAME: f64 = 260.0;

/// Samples of lines with their names, in columns.
pub(crate) struct Legend {
    entries: Vec<(String, Style)>,
    sample: f64,
    column: f64,
    columns: usize,
}

impl Legend {
    /// The legend of lines, as wide as `room`, or one column. Lines of one name and style have one
    /// entry.
    pub(crate) fn of<'a>(
        lines: impl Iterator<Item = (&'a str, &'a Line)>,
        room: Option<f64>,
    ) -> Self {
        let mut entries: Vec<(String, Style)> = Vec::new();
        let most = room.map_or(LONGEST_NAME, |room| LONGEST_NAME.min(room - SAMPLE - GAPS[0]));
        for (name, line) in lines {
            let mut name = shortened(name, NAME, most);
            if line.pieces.is_empty() {
                name.push_str(" (no values)");
            }
            let entry = (name, line.style);
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        // Curves come first.
        entries.sort_by_key(|(_, style)| *style == Style::Reference);
        let longest = |f: fn(&(String, Style)) -> f64| entries.iter().map(f).fold(0.0, f64::max);
        // The pattern of dashes is there in full.
        let pattern = longest(|(_, style)| style.stroke().2.iter().sum());
        let sample = SAMPLE.max(pattern);
        let column = sample + GAPS[0] + longest(|(name, _)| width(name, NAME));
        let fits = room.map_or(1, |room| ((room + GAPS[1]) / (column + GAPS[1])) as usize);
        let most = fits.clamp(1, entries.len().max(1));
        // As many rows as the curves take, and no more columns than these need.
        let curves = entries.iter().filter(|(_, style)| *style != Style::Reference).count();
        let columns = curves.div_ceil(curves.div_ceil(most).max(1)).max(1);
        Self { entries, sample, column, columns }
    }

    pub(crate) fn width(&self) -> f64 {
        let columns = self.columns as f64;
        columns * self.column + (columns - 1.0) * GAPS[1]
    }

    fn rows(&self) -> usize {
        self.entries.len().div_ceil(self.columns)
    }

    pub(crate) fn height(&self) -> f64 {
        self.rows() as f64 * ROW
    }

    /// Draws the entries, row by row.
    pub(crate) fn draw(&self, scene: &mut Scene, [left, top]: [f64; 2]) {
        for (i, (name, style)) in self.entries.iter().enumerate() {
            let (column, row) = (i % self.columns, i / self.columns);
            let x = left + column as f64 * (self.column + GAPS[1]);
            let y = top + (row as f64 + 0.5) * ROW;
            let (ink, width, dashes) = style.stroke();
            scene.line(vec![[x, y], [x + self.sample, y]], ink, width, dashes);
            match style {
                Style::Curve(look, Markers::All) => {
                    mark(scene, look.marker, [x + self.sample / 2.0, y], ink);
                }
                Style::Curve(look, Markers::End) => {
                    mark(scene, look.marker, [x + self.sample, y], ink);
                }
                _ => {}
            }
            let at = [x + self.sample + GAPS[0], y + NAME * 0.36];
            scene.words(name.clone(), at, NAME, Anchor::Start, Ink::Text);
        }
    }
}

/// Draws a marker.
pub(crate) fn mark(scene: &mut Scene, marker: Marker, [x, y]: [f64; 2], ink: Ink) {
    let polygon = |corners: &[[f64; 2]]| Item::Shape {
        corners: corners.iter().map(|[right, down]| [x + right, y + down]).collect(),
        ink,
    };
    let bar = |from: [f64; 2], to: [f64; 2]| Item::Line {
        points: [from, to].map(|[right, down]| [x + right, y + down]).to_vec(),
        ink,
        width: 2.0,
        dashes: Vec::new(),
    };
    match marker {
        Marker::Disc => scene.items.push(Item::Disc { centre: [x, y], radius: 3.8, ink }),
        Marker::Square => {
            scene.items.push(polygon(&[[-3.4, -3.4], [3.4, -3.4], [3.4, 3.4], [-3.4, 3.4]]));
        }
        Marker::Triangle => scene.items.push(polygon(&[[0.0, -4.8], [4.4, 3.2], [-4.4, 3.2]])),
        Marker::Diamond => {
            scene.items.push(polygon(&[[0.0, -5.0], [4.4, 0.0], [0.0, 5.0], [-4.4, 0.0]]));
        }
        Marker::Wedge => scene.items.push(polygon(&[[0.0, 4.8], [4.4, -3.2], [-4.4, -3.2]])),
        Marker::Cross => {
            scene.items.push(bar([-3.6, -3.6], [3.6, 3.6]));
            scene.items.push(bar([-3.6, 3.6], [3.6, -3.6]));
        }
    }
}
