//! Element updates a second on a GPU, whole steps: by kind, material and precision, by the size of
//! the mesh, by streams and by the elements of a patch; and what the paper has of it.

use std::error::Error;
use std::time::Instant;

use clap::ValueEnum;
use nonius_cuda::Cuda;
use nonius_fem::cuda::{CudaSolids, DeviceLayout};
use nonius_fem::model::{Kind, Model};
use nonius_fem::solid::Solids;
use nonius_fem::{Precision, Simulation};

use super::digits;
use super::models::{Matter, cells, drawn};
use super::rates::{PARTS, Timed};
use crate::record::Record;

/// What is measured on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Study {
    /// Kinds, materials and precisions.
    Rates,
    /// Meshes of other sizes.
    Sizes,
    /// The patches of a mesh in 1 to 16 streams.
    Streams,
    /// Patches of other numbers of elements, which are the threads of a block.
    Patches,
    /// Digits of displacements.
    Digits,
    /// A few steps in each precision, for a profiler: only where it is asked for.
    Profile,
    /// The paper's parts of a run: steps alone, and with output of all displacements and
    /// velocities.
    Paper,
}

/// Steps of a part that is timed, at most.
const MOST_TIMED_STEPS: f64 = 2000.0;
/// Meshes of the paper, of 2541, 12 221 and 112 211 nodes.
const PAPER: [[usize; 3]; 3] = [[10, 10, 20], [10, 10, 100], [100, 100, 10]];

/// The figures of all studies that are asked for, or of all.
pub(crate) fn measure(
    gpu: &Cuda,
    studies: &[Study],
    elements: usize,
    kinds: &[Kind],
    matters: &[Matter],
) -> Result<Vec<Record>, Box<dyn Error>> {
    let wanted = |study: Study| studies.is_empty() || studies.contains(&study);
    let mut records = Vec::new();
    if wanted(Study::Rates) {
        println!("{HEADER}");
        for &kind in kinds {
            for &matter in matters {
                let model = drawn(kind, matter, cells(kind, elements))?;
                let label = format!("{} {}", kind.name(), matter.name());
                records.extend(line(gpu, &label, kind, matter, &model)?);
            }
        }
    }
    if wanted(Study::Sizes) {
        println!("{HEADER}");
        let large = [100, 1000, 10_000].map(|thousands| cells(KIND, thousands * 1000));
        for size in PAPER.into_iter().chain(large) {
            for matter in [Matter::Elastic, Matter::J2] {
                let model = drawn(KIND, matter, size)?;
                let [x, y, z] = size;
                let label = format!("{x}×{y}×{z} {}", matter.name());
                records.extend(line(gpu, &label, KIND, matter, &model)?);
            }
        }
    }
    let model = drawn(KIND, Matter::Elastic, cells(KIND, elements))?;
    if wanted(Study::Streams) {
        println!("C3D8R elastic in so many streams, million element updates a second");
        for streams in [1, 2, 4, 8, 16] {
            let layout = DeviceLayout { streams, ..DeviceLayout::default() };
            records.extend(laid_out(gpu, layout, "streams", streams, &model)?);
        }
    }
    if wanted(Study::Patches) {
        println!("C3D8R elastic, so many elements in a patch, million element updates a second");
        for patch in [32, 64, 128, 256] {
            let layout = DeviceLayout { patch, ..DeviceLayout::default() };
            records.extend(laid_out(gpu, layout, "patch", patch, &model)?);
        }
    }
    if studies.contains(&Study::Profile) {
        for &matter in matters {
            profiled(gpu, &drawn(KIND, matter, cells(KIND, elements))?)?;
        }
    }
    if wanted(Study::Digits) {
        digits::measure(Some(gpu), kinds, &mut records)?;
    }
    if wanted(Study::Paper) {
        paper(gpu, &mut records)?;
    }
    Ok(records)
}

const KIND: Kind = Kind::ReducedHexahedron;

const HEADER: &str = "million element updates a second, whole steps (* mixed, by increments of forces as in the paper)
                          elements      f32    mixed    f32x2      f64 mixed/f64   paper* paper/f64";

fn elements_of(model: &Model) -> usize {
    model.mesh.blocks.iter().map(|block| block.labels.len()).sum()
}

/// A figure of a model, in mixed precision with forces in full as often as is usual, or never.
fn timed(
    backend: &impl Solids,
    precision: Precision,
    resyncs: bool,
    operation: &str,
    model: &Model,
) -> Result<Record, Box<dyn Error>> {
    let mut simulation = Simulation::on(backend, model, precision)?;
    if !resyncs {
        simulation.resynchronise_every(None);
    }
    let mut run = Timed::new(simulation, precision, model.time.period, MOST_TIMED_STEPS)?;
    for _ in 0..PARTS {
        run.part()?;
    }
    let nodes = model.mesh.coordinates.len();
    Ok(run.record("nonius-cuda", operation.into(), elements_of(model), nodes))
}

/// All precisions of a model.
fn line(
    gpu: &Cuda,
    label: &str,
    kind: Kind,
    matter: Matter,
    model: &Model,
) -> Result<Vec<Record>, Box<dyn Error>> {
    let operation = format!("{}-{}", kind.name(), matter.name());
    let mut rows = Vec::new();
    for precision in Precision::ALL {
        rows.push(timed(gpu, precision, true, &operation, model)?);
    }
    let by_increments = format!("{operation}-increments");
    rows.push(timed(gpu, Precision::Mixed, false, &by_increments, model)?);
    let [single, mixed, pairs, double, paper] = [0, 1, 2, 3, 4].map(|i| rows[i].rate);
    println!(
        "{label:24} {:9} {single:8.1} {mixed:8.1} {pairs:8.1} {double:8.1} {:9.2} {paper:8.1} {:9.2}",
        rows[0].m,
        mixed / double,
        paper / double,
    );
    Ok(rows)
}

fn laid_out(
    gpu: &Cuda,
    layout: DeviceLayout,
    what: &str,
    count: usize,
    model: &Model,
) -> Result<Vec<Record>, Box<dyn Error>> {
    let backend = CudaSolids { gpu, layout };
    let mut rows = Vec::new();
    for precision in Precision::ALL {
        let row = timed(&backend, precision, true, &format!("C3D8R-elastic-{what}"), model)?;
        rows.push(Record { threads: count, ..row });
    }
    let rates: Vec<String> =
        rows.iter().map(|row| format!("{} {:8.1}", row.precision, row.rate)).collect();
    println!("{what} {count:3}: {}", rates.join("  "));
    Ok(rows)
}

/// Six steps in each precision, and six by increments of forces.
fn profiled(gpu: &Cuda, model: &Model) -> Result<(), Box<dyn Error>> {
    let all = Precision::ALL.into_iter().map(|precision| (precision, true));
    for (precision, in_full) in all.chain([(Precision::Mixed, false)]) {
        let mut simulation = Simulation::on(gpu, model, precision)?;
        if !in_full {
            simulation.resynchronise_every(None);
        }
        simulation.advance(f64::INFINITY, 6)?;
    }
    Ok(())
}

/// The paper's last tables (Liu and others 2012, Tesla C2050): the largest of its meshes, on one
/// thread of the host in f64, and on the GPU in f64 and mixed, steps alone and with output after
/// every tenth.
fn paper(gpu: &Cuda, records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    const EVERY: usize = 10;
    let model = drawn(KIND, Matter::Elastic, PAPER[2])?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let host = pool.install(|| {
        let cpu = nonius_linalg::backend::Cpu::default();
        timed(&cpu, Precision::Double, true, "C3D8R-elastic-host", &model)
            .map_err(|error| error.to_string())
    })?;
    let host = Record { library: "nonius".into(), threads: 1, ..host };
    println!("microseconds of a step, 112 211 nodes     host f64  GPU f64  ratio    mixed  ratio");
    let row = |what: &str, of_host: f64, [double, mixed]: [f64; 2]| {
        let micro = |seconds: f64| seconds * 1e6;
        println!(
            "{what:40} {:9.0} {:8.1} {:6.0} {:8.1} {:6.2}",
            micro(of_host),
            micro(double),
            of_host / double,
            micro(mixed),
            double / mixed
        );
    };
    let mut steps = Vec::new();
    for precision in [Precision::Double, Precision::Mixed] {
        steps.push(timed(gpu, precision, true, "C3D8R-elastic-total", &model)?);
    }
    row("total without output", host.seconds, [steps[0].seconds, steps[1].seconds]);
    let mut outputs = Vec::new();
    for (precision, like) in [(Precision::Double, &steps[0]), (Precision::Mixed, &steps[1])] {
        let mut simulation = Simulation::on(gpu, &model, precision)?;
        simulation.advance_to(30.0 * model.time.period)?;
        let mut best = f64::INFINITY;
        for _ in 0..PARTS {
            let (start, before) = (Instant::now(), simulation.steps());
            for _ in 0..20 {
                let end = simulation.time() + EVERY as f64 * simulation.increment();
                simulation.advance_to(end)?;
                simulation.snapshot()?;
            }
            let steps = simulation.steps() - before;
            best = best.min(start.elapsed().as_secs_f64() / steps as f64);
        }
        let operation = format!("C3D8R-elastic-total-output-{EVERY}");
        let rate = like.m as f64 / best / 1e6;
        outputs.push(Record { operation, seconds: best, rate, ..like.clone() });
    }
    row(
        "total with output every tenth step",
        host.seconds,
        [outputs[0].seconds, outputs[1].seconds],
    );
    records.push(host);
    records.extend(steps);
    records.extend(outputs);
    Ok(())
}
