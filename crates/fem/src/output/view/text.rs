//! Text in pictures.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

use super::Picture;

/// The colour of text and lines.
pub(super) const INK: [u8; 3] = [40, 40, 40];

/// Letters of a height.
#[derive(Clone, Copy)]
pub(super) struct Font(RasterHeight);

impl Font {
    pub(super) const SMALL: Self = Self(RasterHeight::Size16);
    pub(super) const MIDDLE: Self = Self(RasterHeight::Size20);
    pub(super) const LARGE: Self = Self(RasterHeight::Size24);

    /// Pixels of a line from top to bottom.
    pub(super) fn height(self) -> usize {
        self.0.val()
    }

    /// Pixels of a letter from left to right.
    pub(super) fn width(self) -> usize {
        get_raster_width(FontWeight::Regular, self.0)
    }

    /// Draws a line of text, its upper left corner at a place. Letters beyond ASCII become question
    /// marks.
    pub(super) fn draw(self, picture: &mut Picture, [left, top]: [usize; 2], text: &str) {
        let glyph = |c| get_raster(c, FontWeight::Regular, self.0);
        for (i, c) in text.chars().enumerate() {
            let Some(found) = glyph(c).or_else(|| glyph('?')) else { continue };
            for (y, row) in found.rows().enumerate() {
                for (x, &strength) in row.iter().enumerate() {
                    let x = left + i * self.width() + x;
                    picture.blend(x, top + y, INK, f64::from(strength) / 255.0);
                }
            }
        }
    }
}
