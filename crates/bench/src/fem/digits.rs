//! To how many digits displacements in single and mixed precision are those in double.
//!
//! A difference is the largest of any node's displacement over the largest displacement of the run,
//! by the Euclidean norm.

use std::error::Error;
use std::num::NonZeroU64;
use std::path::Path;
use std::time::Instant;

use lzma_rust2::XzReader;
use nonius_cuda::Cuda;
use nonius_fem::model::{Kind, Model};
use nonius_fem::{Precision, Simulation, generate, input};

use crate::record::Record;

/// The deck of Taylor's test.
const DECK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/fem/dynela/taylor-3d.inp.xz");

/// Times at which displacements are compared.
const TIMES: u32 = 20;

/// What is compared with double precision: a precision, how often forces are computed in full, what
/// records call it.
const COMPARED: [(Precision, u64, &str); 4] = [
    (Precision::Single, 1, ""),
    (Precision::Mixed, 1, ""),
    (Precision::Mixed, 0, "-increments"),
    (Precision::Pairs, 1, ""),
];

/// The elastic wave, the cantilever and Taylor's test, on the host or on a GPU, which has pairs of
/// `f32` too.
pub(super) fn measure(
    gpu: Option<&Cuda>,
    kinds: &[Kind],
    records: &mut Vec<Record>,
) -> Result<(), Box<dyn Error>> {
    println!(
        "digits of displacements that are those of f64: at the end, and the fewest at {TIMES} times"
    );
    println!("(* mixed, by increments of forces as in the paper)");
    println!(
        "{:12} {:6} {:>8} {:>7}  {:>6} {:>6}  {:>6} {:>6}  {:>6} {:>6}  {:>6} {:>6}",
        "",
        "",
        "elements",
        "steps",
        "f32",
        "fewest",
        "mixed",
        "fewest",
        "paper*",
        "fewest",
        "f32x2",
        "fewest"
    );
    for &kind in kinds.iter().filter(|kind| kind.dimensions() == 3) {
        compare(gpu, "bar", &generate::bar(kind, [300, 2, 2])?, records)?;
        compare(gpu, "cantilever", &generate::cantilever(kind, [40, 4, 4])?, records)?;
        if kind != Kind::Tetrahedron {
            compare(gpu, "taylor", &generate::taylor(kind, 4, 3, 40)?, records)?;
        }
    }
    let deck = Path::new(DECK);
    let Ok(file) = std::fs::File::open(deck) else {
        println!("{} is not there", deck.display());
        return Ok(());
    };
    let (model, _) = input::abaqus::read(XzReader::new(file, false), deck)?;
    compare(gpu, "taylor-deck", &model, records)
}

/// All precisions of a model beside double.
fn compare(
    gpu: Option<&Cuda>,
    what: &str,
    model: &Model,
    records: &mut Vec<Record>,
) -> Result<(), Box<dyn Error>> {
    let kind = model.mesh.blocks.first().map_or("", |block| block.kind.name());
    let elements: usize = model.mesh.blocks.iter().map(|block| block.labels.len()).sum();
    let (double, steps, _) = course(gpu, model, Precision::Double, 1)?;
    let largest = double.iter().flatten().copied().map(norm).fold(0.0, f64::max);
    print!("{what:12} {kind:6} {elements:8} {steps:7}");
    for (precision, every, suffix) in COMPARED {
        if gpu.is_none() && precision == Precision::Pairs {
            continue;
        }
        let (found, taken, seconds) = course(gpu, model, precision, every)?;
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
                library: if gpu.is_some() { "nonius-cuda" } else { "nonius" }.into(),
                precision: precision.name().into(),
                operation: format!("digits-{what}-{kind}-{operation}{suffix}"),
                m: elements,
                n: model.mesh.coordinates.len(),
                k: taken as usize,
                threads: if gpu.is_some() { 0 } else { rayon::current_num_threads() },
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

/// The displacements at `TIMES` times, the number of steps, and the seconds taken. Forces are
/// computed in full once in `every` steps, or never where `every` is 0.
fn course(
    gpu: Option<&Cuda>,
    model: &Model,
    precision: Precision,
    every: u64,
) -> Result<(Vec<Displacements>, u64, f64), nonius_fem::Error> {
    let start = Instant::now();
    let mut simulation = match gpu {
        Some(gpu) => Simulation::on(gpu, model, precision)?,
        None => Simulation::new(model, precision)?,
    };
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
