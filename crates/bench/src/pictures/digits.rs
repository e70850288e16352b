//! Time of a solution against the digits that are proved, for each condition.

use std::collections::BTreeMap;

use nonius_figures::{Axis, Colour, Figure, Look, Marker, Panel};

use super::curves::measured;
use crate::record::Record;

/// A panel: its title, the order, and libraries with what the names of their curves begin with.
struct Part {
    title: &'static str,
    order: usize,
    libraries: &'static [(&'static str, &'static str)],
}

const PARTS: [Part; 2] = [
    Part {
        title: "512 equations on one core of an EPYC",
        order: 512,
        libraries: &[("nonius", "condition "), ("flint", "FLINT, ")],
    },
    Part {
        title: "4096 equations in the memory of an H200",
        order: 4096,
        libraries: &[("nonius-cuda", "condition ")],
    },
];

/// Powers of ten that are conditions; 0 is a matrix of random entries.
const CONDITIONS: [(u32, &str, Colour, Marker); 3] = [
    (30, "10³⁰", Colour::Vermillion, Marker::Triangle),
    (15, "10¹⁵", Colour::Blue, Marker::Square),
    (0, "random", Colour::Green, Marker::Disc),
];

pub(super) fn figure(rows: &[Record]) -> Figure {
    let seconds = seconds(rows);
    let extremes =
        [f64::min, f64::max].map(|end: fn(f64, f64) -> f64| seconds.values().copied().reduce(end));
    let panel = |part: &Part| {
        let mut curves = Vec::new();
        for (dash, (library, begin)) in part.libraries.iter().enumerate() {
            for (power, condition, colour, marker) in CONDITIONS {
                let of_curve = seconds.iter().filter(|(key, _)| {
                    (key.0.as_str(), key.1, key.2) == (library, part.order, power)
                });
                let points: Vec<(f64, f64)> =
                    of_curve.map(|(key, t)| (f64::from(key.3), *t)).collect();
                if points.is_empty() {
                    continue;
                }
                let name = match (power, *begin) {
                    (0, "condition ") => "random entries".to_owned(),
                    _ => format!("{begin}{condition}"),
                };
                let look = Look { colour, dash: 2 * dash, marker };
                curves.push(measured(name, points, look));
            }
        }
        let mut y = Axis::logarithmic("seconds, one right-hand side");
        // All panels have one vertical axis.
        y.reaches.extend(extremes.into_iter().flatten());
        let x = Axis::linear("decimal digits proved in every entry").reaching(0.0);
        Panel { title: part.title.into(), x, y, curves, ..Panel::default() }
    };
    Figure {
        title: "Time of a solution with proved digits".into(),
        panels: PARTS.iter().map(panel).collect(),
        columns: 2,
        width: 940,
        ..Figure::default()
    }
}

/// Least seconds by library, order, power of the condition and digits.
fn seconds(rows: &[Record]) -> BTreeMap<(String, usize, u32, u32), f64> {
    let mut seconds = BTreeMap::new();
    for row in rows.iter().filter(|row| row.n == 1 && row.threads <= 1) {
        let power = row.operation.strip_prefix("solve-1e").and_then(|power| power.parse().ok());
        let digits = row.precision.strip_prefix("digits").and_then(|digits| digits.parse().ok());
        let (Some(power), Some(digits)) = (power, digits) else { continue };
        let best =
            seconds.entry((row.library.clone(), row.m, power, digits)).or_insert(f64::INFINITY);
        *best = row.seconds.min(*best);
    }
    seconds
}
