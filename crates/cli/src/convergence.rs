//! What becomes small in iterations, as a picture.

use std::fmt::Display;
use std::ops::Range;

use nonius::files::printable;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::failure::Failure;

const WIDTH: u32 = 1000;
const HEIGHT: u32 = 560;
/// Width of the legend, which stands beside the axes.
const LEGEND: u32 = 240;
/// Where the legend begins, and the height of a line of it.
const LEGEND_TOP: i32 = 56;
const LEGEND_LINE: i32 = 24;
/// Length of a line's sample in the legend.
const SAMPLE: u32 = 30;
/// Points of a line at most: more than a screen has columns.
const POINTS: usize = 2000;
/// Labels of the logarithmic axis at most.
const LABELS: i32 = 11;
/// Colours that can be told apart without red and green (Okabe and Ito, *Color universal design*,
/// 2008), taken in turn.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];
/// Lengths of dashes and of gaps, for each time that all colours are taken; the first are whole
/// lines.
const DASHES: [Option<[u32; 2]>; 3] = [None, Some([9, 4]), Some([2, 4])];

/// A line: a value for each iteration, counted from 0.
pub(crate) struct Line {
    pub(crate) label: String,
    pub(crate) values: Vec<f64>,
}

type Drawn = Result<(), Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// An SVG with values against iterations, the values on a logarithmic scale that reaches 1 at
/// least.
pub(crate) fn draw(title: &str, values: &str, lines: &[Line]) -> Result<String, Failure> {
    let mut picture = String::new();
    draw_lines(title, values, lines, &mut picture).map_err(|error| failed(&*error))?;
    Ok(picture)
}

fn failed(error: &(impl Display + ?Sized)) -> Failure {
    Failure::input(format!("the picture cannot be drawn: {error}"))
}

fn draw_lines(title: &str, values: &str, lines: &[Line], picture: &mut String) -> Drawn {
    let last = lines.iter().map(|line| line.values.len()).max().unwrap_or(0).max(2) - 1;
    let (low, high) = decades(lines);
    // The axis is one of logarithms: plotters' own has no labels below the rounding errors of 1.
    let (bottom, top) = (f64::from(low) - 0.2, f64::from(high) + 0.2);
    let axis = Powers { ends: [bottom, top], ticks: ticks(low, high) };
    let height = HEIGHT.max(LEGEND_TOP as u32 + LEGEND_LINE as u32 * lines.len() as u32);
    let area = SVGBackend::with_string(picture, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let (left, right) = area.split_horizontally(WIDTH - LEGEND);
    let mut chart = ChartBuilder::on(&left)
        .margin(16)
        .caption(printable(title), ("sans-serif", 18))
        .x_label_area_size(48)
        .y_label_area_size(80)
        .build_cartesian_2d(0..last, axis)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE.mix(0.0))
        .bold_line_style(BLACK.mix(0.12))
        .x_labels(8)
        .x_desc("iteration")
        .y_desc(values)
        .x_label_formatter(&|x| x.to_string())
        .y_label_formatter(&|y| power_text(y.round() as i32))
        .label_style(("sans-serif", 15))
        .axis_desc_style(("sans-serif", 16))
        .draw()?;
    for (i, line) in lines.iter().enumerate() {
        // Of many iterations the values at even steps, and the last.
        let count = line.values.len();
        let step = count.div_ceil(POINTS).max(1);
        let shown = |&(k, r): &(usize, f64)| (k % step == 0 || k + 1 == count) && r > 0.0;
        let points = line.values.iter().copied().enumerate().filter(shown);
        let points = points.map(|(k, r)| (k, r.log10().clamp(bottom, top)));
        match dashes(i) {
            None => chart.draw_series(LineSeries::new(points, style(i)))?,
            Some([dash, gap]) => {
                chart.draw_series(DashedLineSeries::new(points, dash, gap, style(i)))?
            }
        };
    }
    legend(&right, lines)?;
    area.present()?;
    Ok(())
}

/// An axis of logarithms, with labels at some.
struct Powers {
    ends: [f64; 2],
    ticks: Vec<f64>,
}

impl Ranged for Powers {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, x: &f64, (from, to): (i32, i32)) -> i32 {
        let [low, high] = self.ends;
        from + ((x - low) / (high - low) * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.ends[0]..self.ends[1]
    }
}

fn style(line: usize) -> ShapeStyle {
    COLOURS[line % COLOURS.len()].stroke_width(2)
}

fn dashes(line: usize) -> Option<[u32; 2]> {
    DASHES[line / COLOURS.len() % DASHES.len()]
}

fn legend(area: &Area<'_>, lines: &[Line]) -> Drawn {
    let text = ("sans-serif", 15).into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
    for (i, line) in lines.iter().enumerate() {
        let y = LEGEND_TOP + LEGEND_LINE * i as i32;
        let [dash, gap] = dashes(i).unwrap_or([SAMPLE, 0]);
        for begin in (0..SAMPLE).step_by((dash + gap) as usize) {
            let end = (begin + dash).min(SAMPLE);
            area.draw(&PathElement::new([(begin as i32, y), (end as i32, y)], style(i)))?;
        }
        let label = printable(&line.label).into_owned();
        area.draw(&Text::new(label, (SAMPLE as i32 + 8, y), text.clone()))?;
    }
    Ok(())
}

/// The powers of ten that enclose 1 and all values, at least two.
fn decades(lines: &[Line]) -> (i32, i32) {
    let all = lines.iter().flat_map(|line| line.values.iter().copied());
    // Zero has no logarithm.
    let logarithms = all.filter(|&r| r > 0.0 && r.is_finite()).map(f64::log10);
    let (low, high) = logarithms.fold((-0.5_f64, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
    (low.floor() as i32, high.ceil() as i32)
}

/// Powers of ten that have labels, 1 among them.
fn ticks(low: i32, high: i32) -> Vec<f64> {
    let steps = [1, 2, 5, 10, 20, 50, 100];
    let step = steps.into_iter().find(|step| (high - low) / step < LABELS).unwrap_or(200);
    let first = -(-low).div_euclid(step);
    (first..=high.div_euclid(step)).map(|i| f64::from(i * step)).collect()
}

/// `10⁻²⁰`
fn power_text(power: i32) -> String {
    if power == 0 {
        return "1".into();
    }
    let raised = power.to_string().chars().map(raised).collect::<String>();
    format!("10{raised}")
}

/// A sign or figure of an exponent.
fn raised(character: char) -> char {
    match character {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_any_size_are_drawn() {
        let cases: [&[f64]; 8] = [
            &[1.0, 1e-160, 1e-318],
            &[1e-320],
            &[5e-324, 1.0],
            &[f64::MAX, 1.0],
            &[f64::MAX, f64::MIN_POSITIVE, 5e-324],
            &[f64::INFINITY, f64::NAN, -1.0, 0.0],
            &[f64::INFINITY, 1e-3],
            &[],
        ];
        for values in cases {
            let line = Line { label: "gap".into(), values: values.to_vec() };
            let picture = draw("a", "gap", &[line]).unwrap();
            assert!(picture.ends_with("</svg>\n"), "{values:?}");
        }
    }

    /// From the smallest ranges to all of `f64`'s.
    #[test]
    fn the_axis_has_labels_whatever_its_length() {
        for low in -330..0 {
            for high in [0, 1, 7, 40, 308] {
                let found = ticks(low, high);
                assert!((2..=LABELS as usize).contains(&found.len()), "{low} {high}: {found:?}");
                assert!(found.contains(&0.0), "{low} {high}: {found:?}");
                let within = |x: &f64| (f64::from(low)..=f64::from(high)).contains(x);
                assert!(found.iter().all(within), "{low} {high}: {found:?}");
            }
        }
    }

    #[test]
    fn labels_are_powers_of_ten_down_to_the_smallest() {
        let line = Line { label: "gap".into(), values: vec![1.0, 1e-30, 1e-100, 1e-300] };
        let picture = draw("a\u{1b}[31m <b>", "gap", &[line]).unwrap();
        for label in ["1", "10⁻⁵⁰", "10⁻¹⁰⁰", "10⁻²⁵⁰", "10⁻³⁰⁰"] {
            assert!(picture.contains(&format!("\n{label}\n")), "{label}");
        }
        assert!(!picture.contains('\u{1b}'));
        assert_eq!(power_text(-1234), "10⁻¹²³⁴");
        assert_eq!(power_text(567_890), "10⁵⁶⁷⁸⁹⁰");
    }

    /// No two of the lines that a picture tells apart look the same.
    #[test]
    fn lines_differ_in_colour_or_dashes() {
        let look = |i: usize| {
            let RGBColor(r, g, b) = COLOURS[i % COLOURS.len()];
            ([r, g, b], dashes(i))
        };
        for i in 0..COLOURS.len() * DASHES.len() {
            assert!((0..i).all(|j| look(j) != look(i)), "{i}");
        }
    }
}
