//! The font that figures are measured with, and that a PNG's words are drawn with.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, Point, PxScale, ScaleFont};

/// DejaVu Sans 2.37: Latin, Greek and Cyrillic letters, raised figures, signs of mathematics.
static BYTES: &[u8] = include_bytes!("../fonts/DejaVuSans-subset.ttf");

/// Width of a letter beside its size where there is no font.
const USUAL_WIDTH: f64 = 0.6;

fn font() -> Option<&'static FontRef<'static>> {
    static FONT: OnceLock<Option<FontRef<'static>>> = OnceLock::new();
    FONT.get_or_init(|| FontRef::try_from_slice(BYTES).ok()).as_ref()
}

/// ab_glyph's scale is by the height of a line, a size by the unit of the font's design.
fn scale(font: &FontRef<'_>, size: f64) -> PxScale {
    let units = font.units_per_em().unwrap_or(1.0);
    PxScale::from(size as f32 * font.height_unscaled() / units)
}

/// Width of words of that size.
pub(crate) fn width(words: &str, size: f64) -> f64 {
    let Some(font) = font() else { return USUAL_WIDTH * size * words.chars().count() as f64 };
    let font = font.as_scaled(scale(font, size));
    words.chars().map(|c| f64::from(font.h_advance(font.glyph_id(c)))).sum()
}

/// Gives each pixel of words with how much of it they cover, from 0 to 1. `at` is the left end of
/// the line on which letters stand.
pub(crate) fn cover(words: &str, size: f64, at: [f64; 2], mut pixel: impl FnMut([i32; 2], f64)) {
    let Some(font) = font() else { return };
    let scale = scale(font, size);
    let mut x = at[0];
    for character in words.chars() {
        let glyph = font.glyph_id(character);
        let place = Point { x: x as f32, y: at[1] as f32 };
        if let Some(outline) = font.outline_glyph(glyph.with_scale_and_position(scale, place)) {
            let corner = outline.px_bounds().min;
            outline.draw(|right, down, part| {
                let at = [corner.x as i32 + right as i32, corner.y as i32 + down as i32];
                pixel(at, f64::from(part.clamp(0.0, 1.0)));
            });
        }
        x += f64::from(font.as_scaled(scale).h_advance(glyph));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_what_figures_print() {
        let font = font().unwrap();
        let missing = font.glyph_id('\u{e000}');
        for character in "AZaz09äß−·×…⁻⁰¹²³⁴⁵⁶⁷⁸⁹≤→λμπЖ\u{fffd}".chars()
        {
            assert_ne!(font.glyph_id(character), missing, "{character}");
        }
    }

    #[test]
    fn words_are_as_wide_as_they_are_drawn() {
        let (mut left, mut right, mut top, mut bottom) = (i32::MAX, 0, i32::MAX, 0);
        cover("MMMM", 100.0, [50.0, 200.0], |[x, y], part| {
            if part > 0.5 {
                (left, right) = (left.min(x), right.max(x));
                (top, bottom) = (top.min(y), bottom.max(y));
            }
        });
        // An M has about a tenth of its width beside it on either side.
        assert!((50..70).contains(&left), "{left}");
        assert!((f64::from(right) - 50.0 - width("MMMM", 100.0)).abs() < 15.0);
        // Capitals are 0.73 of the size, and stand on the line.
        assert!((125..=129).contains(&top) && (198..=200).contains(&bottom), "{top} {bottom}");
    }

    #[test]
    fn letters_without_a_glyph_have_a_width() {
        assert!(width("漢", 10.0) > 1.0 && width("", 10.0) == 0.0);
    }
}
