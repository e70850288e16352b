//! Rates of batches of tridiagonal systems on a GPU: the share of the memory's rate against the
//! size of a system, and how much faster they are than cuSPARSE.
//!
//! The share is of five arrays, each moved once: four of coefficients and the solutions.

use std::collections::BTreeMap;

use nonius_figures::{Axis, Colour, Figure, Look, Marker, Panel, Reference};

use super::curves::{at, measured};
use crate::record::Record;

/// GB/s of a copy of long vectors on an H200.
pub(super) const COPY: f64 = 4070.0;
/// Numbers of `f32` or `f64` in an array of a large batch.
const LARGE: usize = 1 << 26;

/// Precision and method, numbers of `f32` or `f64` in a number, colour and marker.
const CURVES: [(&str, &str, usize, Colour, Marker); 6] = [
    ("f32", "hybrid", 1, Colour::Sky, Marker::Wedge),
    ("f64", "hybrid", 1, Colour::Green, Marker::Disc),
    ("dd", "hybrid", 2, Colour::Blue, Marker::Square),
    ("qd", "hybrid", 4, Colour::Purple, Marker::Triangle),
    ("f64", "pcr", 1, Colour::Orange, Marker::Diamond),
    ("f64", "thomas", 1, Colour::Vermillion, Marker::Cross),
];

/// A layout: what ends the names of our operations, its title, cuSPARSE's operation and function.
struct Layout {
    ending: &'static str,
    title: &'static str,
    peer: &'static str,
    function: &'static str,
}

const LAYOUTS: [Layout; 2] = [
    Layout {
        ending: "",
        title: "Contiguous systems",
        peer: "tridiag-strided",
        function: "gtsv2StridedBatch",
    },
    Layout {
        ending: "-interleaved",
        title: "Interleaved systems",
        peer: "tridiag-interleaved",
        function: "gtsvInterleavedBatch",
    },
];

/// Systems of a batch.
const SYSTEMS: [(usize, &str, Colour, Marker); 3] = [
    (4096, "4096 systems", Colour::Blue, Marker::Disc),
    (65_536, "65 536 systems", Colour::Vermillion, Marker::Square),
    (262_144, "262 144 systems", Colour::Green, Marker::Triangle),
];

/// Library, precision, operation, systems and equations.
type Place = (String, String, String, usize, usize);
/// Seconds and GB/s.
type Found = BTreeMap<Place, (f64, f64)>;

pub(super) fn figure(rows: &[Record]) -> Figure {
    let mut found = Found::new();
    for row in rows {
        let key = (row.library.clone(), row.precision.clone(), row.operation.clone(), row.m, row.n);
        let best = found.entry(key).or_insert((f64::INFINITY, 0.0));
        if row.seconds < best.0 {
            *best = (row.seconds, row.rate);
        }
    }
    let panels = LAYOUTS.iter().map(|layout| shares(&found, layout));
    Figure {
        title: "Batches of tridiagonal systems on an H200".into(),
        note: "Above: 2²⁶ unknowns in f32 and f64, half as many in dd, a quarter in qd. \
               Below: the hybrid method in f64 beside cuSPARSE 13.0 in the same layout."
            .into(),
        panels: panels.chain(LAYOUTS.iter().map(|layout| speedups(&found, layout))).collect(),
        columns: 2,
        width: 940,
        height: 290,
        ..Figure::default()
    }
}

fn shares(found: &Found, layout: &Layout) -> Panel {
    let mut curves = Vec::new();
    for (precision, method, numbers, colour, marker) in CURVES {
        let operation = format!("tridiag-{method}{}", layout.ending);
        let of_curve = found.iter().filter(|(key, _)| {
            let (library, other, work, systems, equations) = key;
            library == "nonius-cuda"
                && (other.as_str(), work) == (precision, &operation)
                && systems * equations * numbers == LARGE
        });
        let points: Vec<(f64, f64)> =
            of_curve.map(|(key, (_, rate))| (key.4 as f64, 100.0 * rate / COPY)).collect();
        if !points.is_empty() {
            let look = Look { colour, dash: 0, marker };
            curves.push(measured(format!("{precision} {method}"), points, look));
        }
    }
    let sizes = [16, 64, 256, 1024, 4096, 16_384, 65_536];
    Panel {
        title: layout.title.into(),
        x: Axis::logarithmic("equations of a system")
            .marked(at(&sizes))
            .reaching(16.0)
            .reaching(65_536.0),
        y: Axis::linear("share of a copy's rate, %").reaching(0.0).reaching(110.0),
        curves,
        references: vec![Reference { name: "a copy".into(), value: 100.0 }],
    }
}

fn speedups(found: &Found, layout: &Layout) -> Panel {
    let mut curves = Vec::new();
    for (systems, name, colour, marker) in SYSTEMS {
        let key = |library: &str, operation: String, equations: usize| {
            (library.to_owned(), "f64".to_owned(), operation, systems, equations)
        };
        let theirs =
            found.iter().filter(|(k, _)| **k == key("cuSPARSE", layout.peer.to_owned(), k.4));
        let ratio = |(k, theirs): (&Place, &(f64, f64))| {
            let operation = format!("tridiag-hybrid{}", layout.ending);
            let ours = found.get(&key("nonius-cuda", operation, k.4))?;
            Some((k.4 as f64, theirs.0 / ours.0))
        };
        let points: Vec<(f64, f64)> = theirs.filter_map(ratio).collect();
        if !points.is_empty() {
            let look = Look { colour, dash: 0, marker };
            curves.push(measured(name, points, look));
        }
    }
    Panel {
        title: format!("{} beside {}", layout.title, layout.function),
        x: Axis::logarithmic("equations of a system").marked(at(&[64, 128, 256, 512, 1024])),
        y: Axis::logarithmic("times as fast as cuSPARSE")
            .marked(at(&[1, 2, 4, 8, 16]))
            .reaching(1.0)
            .reaching(20.0),
        curves,
        references: vec![Reference { name: "cuSPARSE".into(), value: 1.0 }],
    }
}
