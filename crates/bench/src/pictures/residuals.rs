//! Residuals of conjugate gradients against iterations: a panel for each matrix, a colour for each
//! precision.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use nonius_figures::{Axis, Colour, Curve, Figure, Look, Marker, Markers, Panel, Reference};
use serde::Deserialize;

/// Precisions and their colours.
const PRECISIONS: [(&str, Colour); 5] = [
    ("f64", Colour::Vermillion),
    ("dd", Colour::Orange),
    ("mp106", Colour::Purple),
    ("mp212", Colour::Green),
    ("mp424", Colour::Blue),
];

/// Preconditioners, what a curve's name says of them, and the pattern of lines.
const PRECONDITIONERS: [(&str, &str, usize); 2] = [("none", "", 0), ("jacobi", ", diagonal", 1)];

/// The residual that ends a run.
const TOLERANCE: f64 = 1e-8;

#[derive(Deserialize)]
struct Count {
    matrix: String,
    n: usize,
}

#[derive(Deserialize)]
struct Residual {
    matrix: String,
    precision: String,
    preconditioner: String,
    iteration: f64,
    relative_residual: f64,
}

/// Points by matrix, precision and preconditioner.
type Histories = BTreeMap<[String; 3], Vec<(f64, f64)>>;

pub(super) fn figure(inputs: &[PathBuf]) -> Result<Figure, Box<dyn Error>> {
    let [folder] = inputs else { return Err("expected one folder of `figure2`".into()) };
    let mut orders: Vec<Count> = Vec::new();
    for row in csv::Reader::from_path(folder.join("counts.csv"))?.deserialize() {
        let row: Count = row?;
        if orders.iter().all(|known| known.matrix != row.matrix) {
            orders.push(row);
        }
    }
    let mut histories = Histories::new();
    for row in csv::Reader::from_path(folder.join("residuals.csv"))?.deserialize() {
        let row: Residual = row?;
        let key = [row.matrix, row.precision, row.preconditioner];
        histories.entry(key).or_default().push((row.iteration, row.relative_residual));
    }
    Ok(Figure {
        title: "Residuals of conjugate gradients in five precisions".into(),
        note: "f64 has 53 bits, dd 106. Dashed: preconditioned by the inverse of the diagonal. A \
               marker ends each run that has converged."
            .into(),
        panels: orders.iter().map(|count| panel(count, &histories)).collect(),
        columns: 2,
        width: 940,
        height: 300,
        shared_legend: true,
    })
}

fn panel(count: &Count, histories: &Histories) -> Panel {
    let mut curves = Vec::new();
    for (preconditioner, addition, dash) in PRECONDITIONERS {
        for (precision, colour) in PRECISIONS {
            let key = [&count.matrix, precision, preconditioner].map(str::to_owned);
            let Some(points) = histories.get(&key) else { continue };
            let look = Look { colour, dash, marker: Marker::Disc };
            let curve = Curve::new(format!("{precision}{addition}"), points.iter().copied());
            let converged = points.last().is_some_and(|point| point.1 <= TOLERANCE);
            let markers = if converged { Markers::End } else { Markers::None };
            curves.push(curve.with_look(look).with_markers(markers));
        }
    }
    Panel {
        title: format!("{}, n = {}", count.matrix, count.n),
        x: Axis::counting("iterations"),
        y: Axis::logarithmic("residual relative to the first"),
        curves,
        references: vec![Reference { name: "tolerance".into(), value: TOLERANCE }],
    }
}
