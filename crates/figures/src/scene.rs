//! A figure as a list of lines, shapes and words, which every format draws in its way.

use crate::looks::Colour;

/// What something is drawn with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ink {
    Paper,
    /// Titles and names.
    Text,
    /// Labels of axes, their lines, references.
    Muted,
    /// The grid.
    Faint,
    /// A curve and its markers.
    Curve(Colour),
    /// The words beside a curve's end: as dark as words need to be.
    Words(Colour),
}

/// An ink's red, green and blue on a light and on a dark page.
pub(crate) fn colours(ink: Ink) -> [[u8; 3]; 2] {
    match ink {
        Ink::Paper => [[255, 255, 255], [22, 27, 34]],
        Ink::Text | Ink::Curve(Colour::Ink) | Ink::Words(Colour::Ink) => {
            [[31, 35, 40], [230, 237, 243]]
        }
        Ink::Muted => [[87, 96, 106], [157, 167, 179]],
        Ink::Faint => [[228, 231, 235], [48, 54, 61]],
        Ink::Curve(Colour::Blue) => [[0, 114, 178], [76, 157, 230]],
        Ink::Curve(Colour::Vermillion) => [[213, 94, 0], [255, 127, 63]],
        Ink::Curve(Colour::Green) => [[0, 158, 115], [46, 200, 150]],
        Ink::Curve(Colour::Purple) => [[204, 121, 167], [224, 145, 196]],
        Ink::Curve(Colour::Orange) => [[230, 159, 0], [240, 180, 41]],
        Ink::Curve(Colour::Sky) => [[86, 180, 233], [160, 216, 250]],
        Ink::Words(Colour::Blue) => [[0, 98, 155], [100, 174, 240]],
        Ink::Words(Colour::Vermillion) => [[176, 74, 0], [255, 145, 90]],
        Ink::Words(Colour::Green) => [[0, 117, 85], [64, 210, 162]],
        Ink::Words(Colour::Purple) => [[160, 72, 122], [232, 160, 205]],
        Ink::Words(Colour::Orange) => [[143, 94, 0], [242, 188, 66]],
        Ink::Words(Colour::Sky) => [[25, 115, 170], [172, 221, 250]],
    }
}

/// All inks, for a style sheet.
pub(crate) fn inks() -> impl Iterator<Item = Ink> {
    let plain = [Ink::Paper, Ink::Text, Ink::Muted, Ink::Faint];
    let curves = Colour::ALL.into_iter().flat_map(|c| [Ink::Curve(c), Ink::Words(c)]);
    plain.into_iter().chain(curves)
}

/// Which part of words stands at their place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Something drawn. Places are in pixels from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// A line through points, with lengths of dashes and gaps where it has such.
    Line { points: Vec<[f64; 2]>, ink: Ink, width: f64, dashes: Vec<f64> },
    /// A filled polygon.
    Shape { corners: Vec<[f64; 2]>, ink: Ink },
    /// A filled disc.
    Disc { centre: [f64; 2], radius: f64, ink: Ink },
    /// Words on a line at that height.
    Words { text: String, at: [f64; 2], size: f64, anchor: Anchor, ink: Ink },
}

/// A figure that is laid out, on paper of that size.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scene {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// What the figure is, for readers who cannot see it.
    pub(crate) title: String,
    pub(crate) items: Vec<Item>,
}

impl Scene {
    pub(crate) fn line(&mut self, points: Vec<[f64; 2]>, ink: Ink, width: f64, dashes: Vec<f64>) {
        self.items.push(Item::Line { points, ink, width, dashes });
    }

    pub(crate) fn rectangle(&mut self, [left, top]: [f64; 2], [right, bottom]: [f64; 2], ink: Ink) {
        let corners = vec![[left, top], [right, top], [right, bottom], [left, bottom]];
        self.items.push(Item::Shape { corners, ink });
    }

    pub(crate) fn words(
        &mut self,
        text: impl Into<String>,
        at: [f64; 2],
        size: f64,
        anchor: Anchor,
        ink: Ink,
    ) {
        self.items.push(Item::Words { text: text.into(), at, size, anchor, ink });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, as the Web Content Accessibility Guidelines define it.
    fn luminance(colour: [u8; 3]) -> f64 {
        let linear = colour.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    /// The guidelines ask for 4.5 between words and paper.
    #[test]
    fn words_and_curves_stand_out_from_light_and_dark_paper() {
        for page in 0..2 {
            let paper = colours(Ink::Paper)[page];
            for ink in inks() {
                let least = match ink {
                    Ink::Text | Ink::Muted | Ink::Words(_) => 4.5,
                    Ink::Curve(_) => 2.0,
                    Ink::Paper | Ink::Faint => continue,
                };
                let found = contrast(colours(ink)[page], paper);
                assert!(found >= least, "{ink:?}, page {page}: {found}");
            }
        }
    }

    #[test]
    fn colours_of_curves_differ_on_both_pages() {
        for page in 0..2 {
            for (i, one) in Colour::ALL.into_iter().enumerate() {
                for other in Colour::ALL.into_iter().take(i) {
                    let [a, b] = [one, other].map(|c| colours(Ink::Curve(c))[page].map(i32::from));
                    let apart: i32 = (0..3).map(|k| (a[k] - b[k]).abs()).sum();
                    assert!(apart > 60, "{one:?} {other:?}, page {page}: {apart}");
                }
            }
        }
    }
}
