//! What stands around the mesh: a title above; the bar of colours and the axes to its right.

use super::axes::Axes;
use super::colours::colour;
use super::text::{Font, INK};
use super::{Picture, numbers};

/// Room around the mesh, in pixels.
const MARGIN: usize = 24;
/// Width of the bar of colours.
const BAR: usize = 24;
/// Between the bar and its numbers.
const GAP: usize = 10;
/// Letters of the longest number beside the bar.
const LETTERS: usize = 9;
/// Length of an axis.
const AXIS: f64 = 38.0;
/// Where axes cross, from the lower end of the picture.
const CROSS: usize = 78;

/// Where things are in a picture.
pub(super) struct Frame {
    width: usize,
    height: usize,
    title: Font,
    label: Font,
}

impl Frame {
    pub(super) fn new([width, height]: [u32; 2]) -> Self {
        let (title, label) = if width.min(height) < 900 {
            (Font::MIDDLE, Font::SMALL)
        } else {
            (Font::LARGE, Font::MIDDLE)
        };
        Self { width: width as usize, height: height as usize, title, label }
    }

    /// The upper left corner of the mesh's part.
    pub(super) fn mesh_corner(&self) -> [usize; 2] {
        [MARGIN, MARGIN + self.title.height() + MARGIN / 2]
    }

    /// Width and height of the mesh's part.
    pub(super) fn mesh_size(&self) -> [usize; 2] {
        let [left, top] = self.mesh_corner();
        [self.bar_left() - MARGIN - left, self.height - MARGIN - top]
    }

    /// Letters of the title at most.
    pub(super) fn letters(&self) -> usize {
        (self.width - 2 * MARGIN) / self.title.width()
    }

    fn bar_left(&self) -> usize {
        self.width - MARGIN / 2 - LETTERS * self.label.width() - GAP - BAR
    }

    pub(super) fn draw(
        &self,
        picture: &mut Picture,
        title: &str,
        range: [f64; 2],
        extremes: [f64; 2],
        axes: &Axes,
    ) {
        let title: String = title.chars().take(self.letters()).collect();
        self.title.draw(picture, [MARGIN, MARGIN - 4], &title);
        self.bar(picture, range, extremes);
        self.axes(picture, axes);
    }

    fn bar(&self, picture: &mut Picture, [low, high]: [f64; 2], extremes: [f64; 2]) {
        let line = self.label.height();
        let left = self.bar_left();
        let top = self.mesh_corner()[1] + line + GAP;
        let bottom = self.height - CROSS - AXIS as usize - 3 * line - GAP;
        let length = (bottom - top) as f64;
        for y in top..=bottom {
            let place = (bottom - y) as f64 / length;
            let rim = y == top || y == bottom;
            for x in 0..BAR {
                let ink = rim || x == 0 || x + 1 == BAR;
                picture.set(left + x, y, if ink { INK } else { colour(place) });
            }
        }
        let most = ((bottom - top) / (2 * line)).clamp(2, 9);
        for x in numbers::ticks(low, high, most) {
            let place = ((x - low) / (high - low)).clamp(0.0, 1.0);
            let y = bottom - (place * length).round() as usize;
            (0..5).for_each(|i| picture.set(left + BAR + i, y, INK));
            let text = numbers::text(x, high - low);
            self.label.draw(picture, [left + BAR + GAP, y - line / 2], &text);
        }
        let [least, largest] = extremes.map(|x| numbers::text(x, high - low));
        let above = top - GAP - line + 4;
        self.label.draw(picture, [left, above], &format!("max {largest}"));
        self.label.draw(picture, [left, bottom + GAP - 4], &format!("min {least}"));
    }

    fn axes(&self, picture: &mut Picture, axes: &Axes) {
        let from = [(self.bar_left() + BAR + GAP + 20) as f64, (self.height - CROSS) as f64];
        for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
            let seen = axes.project(std::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 }));
            let to = [from[0] + AXIS * seen[0], from[1] - AXIS * seen[1]];
            // Of an axis that points at the viewer there is nothing to see.
            if seen[0].hypot(seen[1]) < 0.1 {
                continue;
            }
            segment(picture, from, to);
            let size = [self.label.width() as f64, self.label.height() as f64];
            let stretch = 1.0 + 13.0 / (AXIS * seen[0].hypot(seen[1]));
            let place = std::array::from_fn(|i| {
                let middle = from[i] + (to[i] - from[i]) * stretch;
                (middle - 0.5 * size[i]).max(0.0) as usize
            });
            self.label.draw(picture, place, letter);
        }
    }
}

/// A line between two places, a pixel and a half wide.
fn segment(picture: &mut Picture, a: [f64; 2], b: [f64; 2]) {
    let direction = [b[0] - a[0], b[1] - a[1]];
    let squared = direction[0].powi(2) + direction[1].powi(2);
    let range = |i: usize| {
        let (low, high) = (a[i].min(b[i]) - 2.0, a[i].max(b[i]) + 2.0);
        low.max(0.0) as usize..=high.max(0.0) as usize
    };
    for y in range(1) {
        for x in range(0) {
            let to = [x as f64 - a[0], y as f64 - a[1]];
            let along = ((to[0] * direction[0] + to[1] * direction[1]) / squared).clamp(0.0, 1.0);
            let away = (to[0] - along * direction[0]).hypot(to[1] - along * direction[1]);
            picture.blend(x, y, INK, (1.25 - away).clamp(0.0, 1.0));
        }
    }
}
