//! Triangles, the nearest in front of the others, drawn with several samples to a pixel.

use super::Picture;
use super::colours::colour;

/// Samples of a pixel along each axis.
pub(super) const SAMPLES: usize = 2;
/// Colours between the ends.
const COLOURS: usize = 1024;
/// Half the width of an edge, in samples.
const HALF_EDGE: f64 = 0.6 * SAMPLES as f64;
/// The part of a colour that an edge leaves.
const EDGE: f64 = 0.35;

/// A corner of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    /// To the right and downwards in samples, and towards the viewer.
    pub(super) at: [f64; 3],
    /// The place of its value in the bar of colours.
    pub(super) value: f64,
}

/// How a triangle looks.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// The part of light that it sends back.
    pub(super) light: f64,
    /// Which sides are edges: the first from the first corner to the second, and so on.
    pub(super) edges: [bool; 3],
    /// How dark edges are, from 0 to 1.
    pub(super) line: f64,
}

pub(super) struct Canvas {
    width: usize,
    height: usize,
    depth: Vec<f64>,
    samples: Vec<[u8; 3]>,
    colours: Vec<[f64; 3]>,
}

impl Canvas {
    /// White, of a size in pixels.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width * SAMPLES, height * SAMPLES);
        let colours = (0..=COLOURS).map(|i| colour(i as f64 / COLOURS as f64).map(f64::from));
        Self {
            width,
            height,
            depth: vec![f64::NEG_INFINITY; width * height],
            samples: vec![[255; 3]; width * height],
            colours: colours.collect(),
        }
    }

    fn shade(&self, value: f64, light: f64, dark: f64) -> [u8; 3] {
        let base = if value.is_nan() {
            colour(value).map(f64::from)
        } else {
            self.colours[(value.clamp(0.0, 1.0) * COLOURS as f64).round() as usize]
        };
        let factor = light * (1.0 - dark * (1.0 - EDGE));
        base.map(|part| (part * factor) as u8)
    }

    pub(super) fn triangle(&mut self, corners: [Corner; 3], look: Look) {
        let [a, b, c] = corners.map(|corner| corner.at);
        let area = side(a, b, c);
        if !(area.is_normal() && (1.0 / area).is_finite()) {
            return;
        }
        let inverse = 1.0 / area;
        let range = |i: usize, size: usize| {
            let low = a[i].min(b[i]).min(c[i]).max(0.0).ceil() as usize;
            let high = a[i].max(b[i]).max(c[i]).min(size as f64 - 1.0).floor();
            if high < 0.0 { low..low } else { low..high as usize + 1 }
        };
        let (columns, rows) = (range(0, self.width), range(1, self.height));
        // Distances from sides are the parts of the area over the sides' lengths.
        let length = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]).hypot(q[1] - p[1]);
        let heights = [(a, b), (b, c), (c, a)].map(|(p, q)| area.abs() / length(p, q));
        /// Parts this far below zero count as inside: rounding leaves no gaps along common sides.
        const ON_A_SIDE: f64 = 1e-9;
        let flat = corners[0].value == corners[1].value && corners[0].value == corners[2].value;
        for row in rows {
            for column in columns.clone() {
                let p = [column as f64, row as f64, 0.0];
                let parts =
                    [side(a, b, p), side(b, c, p), side(c, a, p)].map(|part| part * inverse);
                if parts.iter().any(|&part| part < -ON_A_SIDE) {
                    continue;
                }
                // Each part belongs to the corner opposite to its side.
                let [of_c, of_a, of_b] = parts;
                let depth = of_a * a[2] + of_b * b[2] + of_c * c[2];
                let at = row * self.width + column;
                if depth <= self.depth[at] {
                    continue;
                }
                self.depth[at] = depth;
                let [va, vb, vc] = corners.map(|corner| corner.value);
                let value = if flat { va } else { of_a * va + of_b * vb + of_c * vc };
                let mut dark = 0.0_f64;
                if look.line > 0.0 {
                    for i in 0..3 {
                        if look.edges[i] {
                            let distance = parts[i].max(0.0) * heights[i];
                            dark = dark.max((HALF_EDGE - distance + 0.5).clamp(0.0, 1.0));
                        }
                    }
                }
                self.samples[at] = self.shade(value, look.light, dark * look.line);
            }
        }
    }

    /// Puts means of samples into a picture, its upper left corner at a place.
    pub(super) fn put(&self, picture: &mut Picture, [left, top]: [usize; 2]) {
        for y in 0..self.height / SAMPLES {
            for x in 0..self.width / SAMPLES {
                let mut sum = [0_usize; 3];
                for row in 0..SAMPLES {
                    let from = (y * SAMPLES + row) * self.width + x * SAMPLES;
                    for sample in &self.samples[from..from + SAMPLES] {
                        (0..3).for_each(|i| sum[i] += usize::from(sample[i]));
                    }
                }
                let count = SAMPLES * SAMPLES;
                picture.set(left + x, top + y, sum.map(|sum| ((sum + count / 2) / count) as u8));
            }
        }
    }
}

/// Twice the area of a triangle in the plane, with a sign.
fn side(a: [f64; 3], b: [f64; 3], p: [f64; 3]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}
