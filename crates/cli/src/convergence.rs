//! What becomes small in iterations, as a picture.

use std::fmt::Display;

use plotters::prelude::*;

use crate::failure::Failure;

const SIZE: (u32, u32) = (900, 560);
/// Points of a line at most: more than a screen has columns.
const POINTS: usize = 2000;
/// The largest value that is drawn, and the least one beside it: quotients of values have to be numbers. The others are drawn at the edges.
const LARGEST: f64 = 1e300;
const LEAST: f64 = 1e-300;
/// Colours that can be told apart without red and green (Okabe and Ito, *Color universal design*, 2008), taken in turn.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// A line: a value for each iteration, counted from 0.
pub(crate) struct Line {
    pub(crate) label: String,
    pub(crate) values: Vec<f64>,
}

/// An SVG with values against iterations, the values on a logarithmic scale that reaches 1 at least.
pub(crate) fn draw(title: &str, values: &str, lines: &[Line]) -> Result<String, Failure> {
    let mut picture = String::new();
    draw_lines(title, values, lines, &mut picture).map_err(|error| failed(&*error))?;
    Ok(picture)
}

fn failed(error: &(impl Display + ?Sized)) -> Failure {
    Failure::input(format!("the picture cannot be drawn: {error}"))
}

fn draw_lines(
    title: &str,
    values: &str,
    lines: &[Line],
    picture: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let all = || lines.iter().map(|line| &line.values);
    let last = all().map(Vec::len).max().unwrap_or(0).max(2) - 1;
    // Zero has no logarithm.
    let positive = || all().flatten().copied().filter(|&r| r > 0.0 && r.is_finite());
    let (low, high) =
        positive().fold((1.0_f64, 1.0_f64), |(low, high), r| (low.min(r), high.max(r)));
    let high = high.min(LARGEST);
    let low = low.max(high * LEAST);
    let area = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption(title, ("sans-serif", 18))
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(0..last, (low / 2.0..high * 2.0).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE.mix(0.0))
        .x_desc("iteration")
        .y_desc(values)
        .x_label_formatter(&|x| x.to_string())
        .y_label_formatter(&|y| format!("{y:.0e}"))
        .label_style(("sans-serif", 15))
        .axis_desc_style(("sans-serif", 16))
        .draw()?;
    for (i, line) in lines.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        // Of many iterations the values at even steps, and the last.
        let count = line.values.len();
        let step = count.div_ceil(POINTS).max(1);
        let shown = |&(k, r): &(usize, f64)| (k % step == 0 || k + 1 == count) && r > 0.0;
        let points = line.values.iter().copied().enumerate().filter(shown);
        let points = points.map(|(k, r)| (k, r.clamp(low, high)));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(1)))?
            .label(line.label.clone())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .label_font(("sans-serif", 15))
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
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
}
