//! Rates of products of matrices against the bits of a number and against the order.

use std::collections::BTreeMap;

use nonius_figures::{Axis, Colour, Figure, Look, Marker, Panel};

use super::curves::{at, measured};
use crate::record::Record;

/// A machine with a library: in our records, as drawn, and orders for the panel of precisions, of
/// which the first that was measured counts.
struct Machine {
    library: &'static str,
    name: &'static str,
    title: &'static str,
    colour: Colour,
    orders: &'static [usize],
}

const MACHINES: [Machine; 3] = [
    Machine {
        library: "nonius-cuda",
        name: "H200",
        title: "Against the order: one H200",
        colour: Colour::Green,
        orders: &[4096, 1024],
    },
    Machine {
        library: "nonius",
        name: "core",
        title: "Against the order: one core of an EPYC",
        colour: Colour::Blue,
        orders: &[1024, 512, 256],
    },
    Machine {
        library: "flint",
        name: "FLINT",
        title: "Against the order: FLINT's arb_mat on that core",
        colour: Colour::Ink,
        orders: &[1024, 512, 256],
    },
];

/// Operations of our records, what they are called, and the pattern of their lines.
const ENGINES: [(&str, &str, usize); 3] =
    [("gemm-crt", "crt", 0), ("gemm-direct", "direct", 1), ("gemm_exact", "", 2)];

/// Precisions of the panels against the order.
const PRECISIONS: [(u32, Colour, Marker); 3] = [
    (106, Colour::Blue, Marker::Disc),
    (212, Colour::Vermillion, Marker::Square),
    (424, Colour::Green, Marker::Triangle),
];

const QUANTITY: &str = "operations a second, two for each term";

/// Operations a second by machine, engine, bits and order.
type Rates = BTreeMap<(usize, usize, u32, usize), f64>;

pub(super) fn figure(rows: &[Record]) -> Figure {
    let rates = rates(rows);
    let mut panels = vec![against_precision(&rates)];
    panels.extend((0..MACHINES.len()).map(|machine| against_order(&rates, machine)));
    // All panels have one vertical axis.
    for panel in &mut panels {
        let ends = [f64::min, f64::max]
            .map(|end: fn(f64, f64) -> f64| rates.values().copied().reduce(end));
        panel.y.reaches.extend(ends.into_iter().flatten());
    }
    Figure {
        title: "Rates of matrix products".into(),
        note: "crt: exact products of residues; direct: sums of products of numbers. \
               Against the bits: n = 4096 on the H200; n = 1024 on the core, 256 where that was not \
               measured."
            .into(),
        panels,
        columns: 2,
        width: 940,
        height: 300,
        ..Figure::default()
    }
}

fn rates(rows: &[Record]) -> Rates {
    let mut rates = Rates::new();
    for row in rows.iter().filter(|row| row.threads <= 1 && row.m == row.n && row.n == row.k) {
        let machine = MACHINES.iter().position(|machine| machine.library == row.library);
        let engine = ENGINES.iter().position(|engine| engine.0 == row.operation);
        let (Some(machine), Some(engine)) = (machine, engine) else { continue };
        let Some(bits) = bits(&row.precision, ENGINES[engine].1) else { continue };
        let rate = rates.entry((machine, engine, bits, row.m)).or_insert(0.0);
        *rate = rate.max(row.rate * 1e9);
    }
    rates
}

/// Bits of a precision. `mp` numbers of as few bits as a qd go another direct way than limbs, and
/// are left out.
fn bits(precision: &str, engine: &str) -> Option<u32> {
    const QD: u32 = 212;
    match precision {
        "dd" => Some(106),
        "td" => Some(159),
        "qd" => Some(QD),
        other => {
            let bits = other.strip_prefix("mp")?.parse().ok()?;
            (engine != "direct" || bits > QD).then_some(bits)
        }
    }
}

fn against_precision(rates: &Rates) -> Panel {
    let mut curves = Vec::new();
    for (m, machine) in MACHINES.iter().enumerate() {
        for (e, &(_, engine, dash)) in ENGINES.iter().enumerate() {
            let mut points: BTreeMap<u32, f64> = BTreeMap::new();
            for order in machine.orders {
                for (key, rate) in rates {
                    if (key.0, key.1, key.3) == (m, e, *order) {
                        points.entry(key.2).or_insert(*rate);
                    }
                }
            }
            let points: Vec<(f64, f64)> =
                points.into_iter().map(|(bits, rate)| (f64::from(bits), rate)).collect();
            if points.len() > 1 {
                let name = [machine.name, engine].join(", ");
                let look = Look { colour: machine.colour, dash, marker: Marker::Disc };
                curves.push(measured(name.trim_end_matches(", "), points, look));
            }
        }
    }
    let bits = Axis::logarithmic("bits of a number").marked(at(&[106, 212, 424, 1000, 2048]));
    Panel {
        title: "Against the bits".into(),
        x: bits,
        y: Axis::logarithmic(QUANTITY),
        curves,
        ..Panel::default()
    }
}

fn against_order(rates: &Rates, m: usize) -> Panel {
    let mut curves = Vec::new();
    for (e, &(_, engine, dash)) in ENGINES.iter().enumerate() {
        for (bits, colour, marker) in PRECISIONS {
            let of_curve = rates.iter().filter(|(key, _)| (key.0, key.1, key.2) == (m, e, bits));
            let points: Vec<(f64, f64)> =
                of_curve.map(|(key, rate)| (key.3 as f64, *rate)).collect();
            if points.len() > 1 {
                let name = [engine, &format!("{bits} bits")].join(", ");
                let look = Look { colour, dash, marker };
                curves.push(measured(name.trim_start_matches(", "), points, look));
            }
        }
    }
    let orders = [256, 512, 1024, 2048, 4096, 8192, 16384];
    Panel {
        title: MACHINES[m].title.into(),
        x: Axis::logarithmic("order n").marked(at(&orders)),
        y: Axis::logarithmic(QUANTITY),
        curves,
        ..Panel::default()
    }
}
