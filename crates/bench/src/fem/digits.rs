//! To how many digits displacements in single and mixed precision are those in double.
//!
//! A difference is the largest of any node's displacement over the largest displacement of the run, by the Euclidean norm.

use std::error::Error;
use std::num::NonZeroU64;
use std::path::Path;
use std::time::Instant;

use lzma_rust2::XzReader;
use nonius_fem::model::{Kind, Model};
use nonius_fem::{Precision, Simulation, generate, input};

use crate::record::Record;

/// The deck of Taylor's test.
const DECK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/fem/dynela/taylor-3d.inp.xz");

/// Times at which displacements are compared.
const TIMES: u32 = 20;

/// The elastic wave, the cantilever and Taylor's test.
pub(super) fn measure(kinds: &[Kind], records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    println!("digits of displacements: at the end, and the fewest at {TIMES} times");
    println!("mixed precision with forces in full every fourth step, and never");
    println!(
        "{:12} {:6} {:>8} {:>7}  {:>6} {:>6}  {:>6} {:>6}  {:>6} {:>6}",
        "", "", "elements", "steps", "fourth", "fewest", "never", "fewest", "f32", "fewest"
    );
    for &kind in kinds.iter().filter(|kind| kind.dimensions() == 3) {
        compare("bar", &generate::bar(kind, [300, 2, 2])?, records)?;
        compare("cantilever", &generate::cantilever(kind, [40, 4, 4])?, records)?;
        if kind != Kind::Tetrahedron {
            compare("taylor", &generate::taylor(kind, 4, 3, 40)?, records)?;
        }
    }
    let deck = Path::new(DECK);
    let file = std::fs::File::open(deck).map_err(|error| format!("{}: {error}", deck.display()))?;
    let (model, _) = input::abaqus::read(XzReader::new(file, false), deck)?;
    compare("taylor-deck", &model, records)
}

/// All precisions of a model beside double.
fn compare(what: &str, model: &Model, records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    let kind = model.mesh.blocks.first().map_or("", |block| block.kind.name());
    let elements: usize = model.mesh.blocks.iter().map(|block| block.labels.len()).sum();
    let (double, steps, _) = course(model, Precision::Double, 1)?;
    let largest = double.iter().flatten().copied().map(norm).fold(0.0, f64::max);
    print!("{what:12} {kind:6} {elements:8} {steps:7}");
    let all = [
        (Precision::Mixed, 4, ""),
        (Precision::Mixed, 0, "-increments"),
        (Precision::Single, 1, ""),
    ];
    for (precision, every, suffix) in all {
        let (found, taken, seconds) = course(model, precision, every)?;
        let differences = found.iter().zip(&double).map(|(found, double)| apart(found, double));
        let digits: Vec<f64> = differences.map(|apart| -(apart / largest).log10()).collect();
        let fewest = digits.iter().copied().fold(f64::INFINITY, f64::min);
        let end = digits.last().copied().unwrap_or(f64::NAN);
        print!("  {end:6.2} {fewest:6.2}");
        if taken != steps {
            print!(" ({taken} steps)");
        }
        for (operation, rate) in [("end", end), ("fewest", fewest)] {
            records.push(Record {
                library: "nonius".into(),
                precision: precision.name().into(),
                operation: format!("digits-{what}-{kind}-{operation}{suffix}"),
                m: elements,
                n: model.mesh.coordinates.len(),
                k: taken as usize,
                threads: rayon::current_num_threads(),
                seconds,
                rate,
                unit: "digits".into(),
            });
        }
    }
    println!();
    Ok(())
}

type Displacements = Vec<[f64; 3]>;

/// Displacements at all times, steps and seconds; with forces in full every so many steps, or never.
fn course(
    model: &Model,
    precision: Precision,
    every: u64,
) -> Result<(Vec<Displacements>, u64, f64), nonius_fem::Error> {
    let start = Instant::now();
    let mut simulation = Simulation::new(model, precision)?;
    simulation.resynchronise_every(NonZeroU64::new(every));
    let mut displacements = Vec::new();
    for part in 1..=TIMES {
        simulation.advance_to(model.time.period * f64::from(part) / f64::from(TIMES))?;
        displacements.push(simulation.snapshot()?.displacements);
    }
    Ok((displacements, simulation.steps(), start.elapsed().as_secs_f64()))
}

/// The largest difference of two nodes' displacements.
fn apart(found: &[[f64; 3]], expected: &[[f64; 3]]) -> f64 {
    let pairs = found.iter().zip(expected);
    let differences =
        pairs.map(|(found, expected)| core::array::from_fn(|k| found[k] - expected[k]));
    differences.map(norm).fold(0.0, f64::max)
}

fn norm(u: [f64; 3]) -> f64 {
    u.iter().map(|x| x * x).sum::<f64>().sqrt()
}
