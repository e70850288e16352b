//! Histories as pictures.

use std::error::Error;

use nonius_files::text::printable;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Chart, Curve, PlotError};
use crate::output::numbers;

const WIDTH: u32 = 1000;
/// Height of the only chart, and of one of several.
const HEIGHTS: [u32; 2] = [560, 380];
/// Width of the legend, which stands beside the axes.
const LEGEND: u32 = 200;
/// Curves of a panel at most: so many have a line in the legend of their own, and colours and
/// dashes tell them apart.
const CURVES: usize = 14;
/// Panels of a chart at most: of further ones nobody looks at each.
const PANELS: usize = 12;
/// Height of a line of the legend.
const LINE: u32 = 22;
/// Length of a line's sample in the legend.
const SAMPLE: u32 = 26;
/// Points of a curve at most: more than a screen has columns.
const POINTS: usize = 2000;
/// What is larger is left out, and what is closer together than its inverse is taken as the same.
const LARGEST_DRAWN: f64 = 1e200;
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
const DASHES: [Option<[u32; 2]>; CURVES / COLOURS.len()] = [None, Some([8, 4])];

type Drawn = Result<(), Box<dyn Error + Send + Sync>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// An SVG of charts one below the other. Charts without a finite number are left out. Axes have the
/// units of the numbers.
///
/// A chart of more curves than can be told apart becomes several, whose titles say which curves
/// they have.
pub fn plot(title: &str, charts: &[Chart]) -> Result<String, PlotError> {
    let panels: Vec<Panel<'_>> =
        charts.iter().flat_map(panels).filter(|panel| extent(panel).is_some()).collect();
    if panels.is_empty() {
        return Err(PlotError::Empty);
    }
    let mut picture = String::new();
    draw(title, &panels, &mut picture).map_err(PlotError::Drawing)?;
    Ok(picture)
}

/// Curves that are drawn on common axes.
struct Panel<'a> {
    title: String,
    chart: &'a Chart,
    curves: Vec<&'a Curve>,
}

/// The panels of a chart: one, or where there are many curves, several for each component.
fn panels(chart: &Chart) -> Vec<Panel<'_>> {
    let mut curves: Vec<&Curve> = chart.curves.iter().collect();
    if curves.len() <= CURVES {
        return vec![Panel { title: chart.title.clone(), chart, curves }];
    }
    // Curves of a component stay in their order.
    curves.sort_by_key(|curve| component(curve));
    let parts = curves.chunk_by(|a, b| component(a) == component(b)).flat_map(|curves| {
        let parts = curves.len().div_ceil(CURVES);
        curves.chunks(curves.len().div_ceil(parts))
    });
    let mut panels = Vec::new();
    let mut first = 1;
    for part in parts.take(PANELS) {
        let last = first + part.len() - 1;
        let title = format!("{}: curves {first} to {last} of {}", chart.title, curves.len());
        panels.push(Panel { title, chart, curves: part.to_vec() });
        first = last + 1;
    }
    panels
}

/// The last word of a curve's name: `u1` of `7 u1`.
fn component(curve: &Curve) -> &str {
    curve.name.rsplit(' ').next().unwrap_or_default()
}

fn draw(title: &str, panels: &[Panel<'_>], picture: &mut String) -> Drawn {
    let height = HEIGHTS[usize::from(panels.len() > 1)];
    let size = (WIDTH, 44 + height * panels.len() as u32);
    let area = SVGBackend::with_string(picture, size).into_drawing_area();
    area.fill(&WHITE)?;
    let title_style = ("sans-serif", 19).into_text_style(&area);
    area.draw(&Text::new(printable(title).into_owned(), (24, 18), title_style))?;
    let (_, mut rest) = area.split_vertically(44);
    for panel in panels {
        let (part, below) = rest.split_vertically(height);
        draw_panel(&part, panel)?;
        rest = below;
    }
    area.present()?;
    Ok(())
}

fn draw_panel(area: &Area<'_>, panel: &Panel<'_>) -> Drawn {
    let Some([times, values]) = extent(panel) else { return Ok(()) };
    let Panel { title, chart, curves } = panel;
    let (left, right) = area.split_horizontally(WIDTH - LEGEND);
    let ([from, to], [low, high]) = (widened(times, 0.0), widened(values, 0.05));
    let mut axes = ChartBuilder::on(&left)
        .margin(12)
        .margin_left(16)
        .caption(printable(title), ("sans-serif", 16))
        .x_label_area_size(44)
        .y_label_area_size(76)
        .build_cartesian_2d(from..to, low..high)?;
    axes.configure_mesh()
        .light_line_style(WHITE.mix(0.0))
        .bold_line_style(BLACK.mix(0.12))
        .x_labels(8)
        .y_labels(8)
        .x_desc("time (unit of the deck)")
        .y_desc(&chart.quantity)
        .x_label_formatter(&|x| numbers::text(*x, to - from))
        .y_label_formatter(&|y| numbers::text(*y, high - low))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()?;
    for (i, curve) in curves.iter().enumerate() {
        let points = thinned(&chart.times, &curve.values);
        match dashes(i) {
            None => axes.draw_series(LineSeries::new(points, style(i)))?,
            Some([dash, gap]) => {
                axes.draw_series(DashedLineSeries::new(points, dash, gap, style(i)))?
            }
        };
    }
    legend(&right, curves)
}

fn style(curve: usize) -> ShapeStyle {
    COLOURS[curve % COLOURS.len()].stroke_width(2)
}

fn dashes(curve: usize) -> Option<[u32; 2]> {
    DASHES[curve / COLOURS.len() % DASHES.len()]
}

fn legend(area: &Area<'_>, curves: &[&Curve]) -> Drawn {
    let text = ("sans-serif", 14).into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
    for (i, curve) in curves.iter().enumerate() {
        let y = 48 + (i as u32 * LINE) as i32;
        let [dash, gap] = dashes(i).unwrap_or([SAMPLE, 0]);
        for begin in (0..SAMPLE).step_by((dash + gap) as usize) {
            let end = (begin + dash).min(SAMPLE);
            area.draw(&PathElement::new([(begin as i32, y), (end as i32, y)], style(i)))?;
        }
        area.draw(&Text::new(shortened(&curve.name), (34, y), text.clone()))?;
    }
    Ok(())
}

/// A name that fits in the legend.
fn shortened(name: &str) -> String {
    const MOST_MARKS: usize = 20;
    let name = printable(name);
    if name.chars().count() <= MOST_MARKS {
        return name.into_owned();
    }
    name.chars().take(MOST_MARKS - 1).chain(['…']).collect()
}

/// Whether a number can be drawn: of larger ones differences overflow.
fn drawn(x: f64) -> bool {
    x.abs() < LARGEST_DRAWN
}

/// The ranges of times and of values, where there are any.
fn extent(panel: &Panel<'_>) -> Option<[[f64; 2]; 2]> {
    let mut found: Option<[[f64; 2]; 2]> = None;
    for curve in &panel.curves {
        for (&t, &y) in panel.chart.times.iter().zip(&curve.values) {
            if drawn(t) && drawn(y) {
                let [times, values] = found.unwrap_or([[t, t], [y, y]]);
                let wider = |[low, high]: [f64; 2], x: f64| [low.min(x), high.max(x)];
                found = Some([wider(times, t), wider(values, y)]);
            }
        }
    }
    found
}

/// The least span, as a part of the numbers, that axes tell apart from rounding errors.
const DISTINCT: f64 = 1e-9;

/// A range with some room, and never empty.
fn widened([low, high]: [f64; 2], room: f64) -> [f64; 2] {
    let span = high - low;
    if span > DISTINCT * low.abs().max(high.abs()) && span > 1.0 / LARGEST_DRAWN {
        return [low - room * span, high + room * span];
    }
    let half = if low.abs() > 1.0 / LARGEST_DRAWN { low.abs() / 10.0 } else { 1.0 };
    [low - half, high + half]
}

/// The points of a curve, of many the lowest and the highest of each of [`POINTS`]`/2` parts.
fn thinned(times: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> = times
        .iter()
        .copied()
        .zip(values.iter().copied())
        .filter(|(t, y)| drawn(*t) && drawn(*y))
        .collect();
    if points.len() <= POINTS {
        return points;
    }
    let part = points.len().div_ceil(POINTS / 2);
    let mut kept = Vec::with_capacity(POINTS);
    for part in points.chunks(part) {
        let by_value = |a: &(usize, &(f64, f64)), b: &(usize, &(f64, f64))| a.1.1.total_cmp(&b.1.1);
        let low = part.iter().enumerate().min_by(by_value).map_or(0, |(i, _)| i);
        let high = part.iter().enumerate().max_by(by_value).map_or(0, |(i, _)| i);
        kept.extend([low.min(high), low.max(high)].into_iter().filter_map(|i| part.get(i)));
    }
    kept
}
