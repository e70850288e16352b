//! A scene as SVG, whose style sheet has colours for light and for dark pages.

use std::fmt::Write;

use crate::looks::Colour;
use crate::scene::{Anchor, Ink, Item, Scene, colours, inks};

const FONTS: &str = "system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,\"DejaVu Sans\",sans-serif";

/// The text of a scene.
pub(crate) fn write(scene: &Scene) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_to(&mut out, scene);
    out
}

fn write_to(out: &mut String, scene: &Scene) -> std::fmt::Result {
    let (width, height) = (number(scene.width), number(scene.height));
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" class=\"nf\">"
    )?;
    if !scene.title.is_empty() {
        writeln!(out, "<title>{}</title>", escaped(&scene.title))?;
    }
    write_style(out)?;
    writeln!(out, "<rect width=\"{width}\" height=\"{height}\" class=\"nf-paper\"/>")?;
    scene.items.iter().try_for_each(|item| write_item(out, item))?;
    writeln!(out, "</svg>")
}

fn write_style(out: &mut String) -> std::fmt::Result {
    writeln!(out, "<style>\n.nf text{{font-family:{FONTS}}}")?;
    writeln!(out, ".nf polyline{{fill:none;stroke-linejoin:round}}")?;
    for (page, dark) in [false, true].into_iter().enumerate() {
        if dark {
            writeln!(out, "@media (prefers-color-scheme:dark){{")?;
        }
        for ink in inks() {
            let [red, green, blue] = colours(ink)[page];
            let (class, colour) = (class(ink), format!("#{red:02x}{green:02x}{blue:02x}"));
            writeln!(
                out,
                ".nf-{class}{{fill:{colour}}} .nf polyline.nf-{class}{{stroke:{colour}}}"
            )?;
        }
        if dark {
            writeln!(out, "}}")?;
        }
    }
    writeln!(out, "</style>")
}

fn write_item(out: &mut String, item: &Item) -> std::fmt::Result {
    match item {
        Item::Line { points, ink, width, dashes } => {
            let dashes: Vec<String> = dashes.iter().copied().map(number).collect();
            let dashes = match dashes.join(" ") {
                none if none.is_empty() => none,
                some => format!(" stroke-dasharray=\"{some}\""),
            };
            let (class, width) = (class(*ink), number(*width));
            let points = places(points);
            writeln!(
                out,
                "<polyline class=\"nf-{class}\" stroke-width=\"{width}\"{dashes} points=\"{points}\"/>"
            )
        }
        Item::Shape { corners, ink } => {
            writeln!(out, "<polygon class=\"nf-{}\" points=\"{}\"/>", class(*ink), places(corners))
        }
        Item::Disc { centre: [x, y], radius, ink } => {
            let [x, y, radius] = [*x, *y, *radius].map(number);
            writeln!(
                out,
                "<circle class=\"nf-{}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>",
                class(*ink)
            )
        }
        Item::Words { text, at, size, anchor, ink } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let ([x, y], size, text) = (at.map(number), number(*size), escaped(text));
            writeln!(
                out,
                "<text class=\"nf-{}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}>{text}</text>",
                class(*ink)
            )
        }
    }
}

fn class(ink: Ink) -> String {
    let name = |colour: Colour| format!("{colour:?}").to_lowercase();
    match ink {
        Ink::Paper => "paper".into(),
        Ink::Text => "ink".into(),
        Ink::Muted => "muted".into(),
        Ink::Faint => "faint".into(),
        Ink::Curve(colour) => format!("curve-{}", name(colour)),
        Ink::Words(colour) => format!("words-{}", name(colour)),
    }
}

fn places(points: &[[f64; 2]]) -> String {
    let each: Vec<String> = points.iter().map(|p| p.map(number).join(",")).collect();
    each.join(" ")
}

/// A length to a hundredth of a pixel.
fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Words whose signs XML would take for its own are written in its way.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for character in words.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_escaped() {
        assert_eq!(escaped("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }

    #[test]
    fn lengths_are_short() {
        for (x, text) in
            [(1.0, "1"), (-0.001, "0"), (12.345, "12.35"), (100.0, "100"), (0.5, "0.5")]
        {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn every_ink_has_a_class_of_its_own() {
        let classes: Vec<String> = inks().map(class).collect();
        assert!((0..classes.len()).all(|i| !classes[..i].contains(&classes[i])), "{classes:?}");
    }
}
