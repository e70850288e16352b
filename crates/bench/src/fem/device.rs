//! Element updates a second on a GPU, whole steps: by kind, material and precision, by the size of the mesh, by streams and by the elements of a patch; and what the paper has of it.

use std::error::Error;

use clap::ValueEnum;
use nonius_cuda::{Cuda, SolidsLayout};
use nonius_fem::model::{Kind, Model};
use nonius_fem::{Precision, Simulation, problem};
use nonius_linalg::backend::Solids;
use nonius_linalg::solid::{Advance, Failure, Layout, PATCH, Problem, State};

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
    /// The paper's figures beside ours.
    Paper,
}

/// Steps of a part that is timed, at most.
const STEPS: f64 = 2000.0;
/// Bytes a second that an H200's memory gives a kernel that only copies.
const MEMORY: f64 = 4.07e12;
/// Meshes of the paper, of 2541, 12 221 and 112 211 nodes.
const PAPER: [[usize; 3]; 3] = [[10, 10, 20], [10, 10, 100], [100, 100, 10]];

/// A GPU with runs laid out in another way.
struct LaidOut<'a> {
    gpu: &'a Cuda,
    layout: SolidsLayout,
}

impl Solids for LaidOut<'_> {
    fn solids(
        &self,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Box<dyn Advance>, Failure> {
        self.gpu.solids_with(problem, precision, state, self.layout)
    }
}

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
            let layout = SolidsLayout { streams, ..SolidsLayout::default() };
            records.extend(laid_out(gpu, layout, "streams", streams, &model)?);
        }
    }
    if wanted(Study::Patches) {
        println!("C3D8R elastic, so many elements in a patch, million element updates a second");
        for patch in [32, 64, 128, 256] {
            let layout = SolidsLayout { patch, ..SolidsLayout::default() };
            records.extend(laid_out(gpu, layout, "patch", patch, &model)?);
        }
    }
    if wanted(Study::Paper) {
        paper(gpu, &model, &mut records)?;
    }
    Ok(records)
}

const KIND: Kind = Kind::ReducedHexahedron;

const HEADER: &str = "million element updates a second, whole steps (* mixed, forces never computed in full; bytes an element moves at least in f64, and their share of memory's rate)
                          elements      f32      f64    mixed mixed/f64   never* never/f64   bytes  memory";

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
    let mut run = Timed::new(simulation, precision, model.time.period, STEPS)?;
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
    let [single, double, mixed, never] = [0, 1, 2, 3].map(|i| rows[i].rate);
    let bytes = bytes(model, Precision::Double)?;
    println!(
        "{label:24} {:9} {single:8.1} {double:8.1} {mixed:8.1} {:9.2} {never:8.1} {:9.2} {bytes:7.0} {:6.1} %",
        rows[0].m,
        mixed / double,
        never / double,
        100.0 * bytes * double * 1e6 / MEMORY
    );
    Ok(rows)
}

fn laid_out(
    gpu: &Cuda,
    layout: SolidsLayout,
    what: &str,
    count: usize,
    model: &Model,
) -> Result<Vec<Record>, Box<dyn Error>> {
    let backend = LaidOut { gpu, layout };
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

/// Bytes that a step has to move from and to memory for an element, if what patches share is read once for each of them.
fn bytes(model: &Model, precision: Precision) -> Result<f64, Box<dyn Error>> {
    let sum = if precision == Precision::Single { 4 } else { 8 };
    let problem = problem(model)?;
    let layout = Layout::new(&problem, PATCH);
    let mut all = 0;
    for (block, patches) in problem.blocks.iter().zip(&layout.blocks) {
        let kind = block.kind;
        let numbers = problem.materials[block.material].memory().numbers;
        let of_element = 2 * (kind.points() * numbers + 3 * kind.modes() + 1) * sum
            + kind.points() * sum
            + 2 * 2 * kind.nodes();
        // Its number, coordinates, displacement and velocity; its sum to memory and back; where this and corners begin.
        let of_slot = 4 + 24 + 6 * sum + 2 * 3 * sum + 4 + 2;
        all += of_element * patches.elements.len() + of_slot * patches.nodes.len();
    }
    // Displacement and velocity there and back, the acceleration there; mass and inverse; where sums begin.
    let of_node = (2 * 6 + 3) * sum + 16 + 4;
    all += of_node * problem.coordinates.len();
    Ok(all as f64 / elements_of(model) as f64)
}

/// The paper's figures (Liu and others 2012, on a Tesla C2050) that are known, beside ours.
fn paper(gpu: &Cuda, model: &Model, records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    let double = timed(gpu, Precision::Double, true, "C3D8R-elastic", model)?;
    let mixed = timed(gpu, Precision::Mixed, false, "C3D8R-elastic-increments", model)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let small = drawn(KIND, Matter::Elastic, cells(KIND, 32_768))?;
    let host = pool.install(|| {
        let cpu = nonius_linalg::backend::Cpu::default();
        timed(&cpu, Precision::Mixed, false, "C3D8R-elastic-increments", &small)
            .map_err(|error| error.to_string())
    })?;
    let mut by_increments = Simulation::new(&small, Precision::Mixed)?;
    by_increments.resynchronise_every(None);
    let counts = by_increments.operations()?;
    println!("                                       paper (C2050)   here");
    println!(
        "mixed over {}: internal force, all  1.67, 1.34      {:.2} (all)",
        Precision::Double.name(),
        mixed.rate / double.rate
    );
    println!(
        "over one core of the host             134 (internal)  {:.0} (all, mixed)",
        mixed.rate / host.rate
    );
    println!(
        "operations in f32                     over 90 %       {:.0} %",
        100.0 * counts.single_part()
    );
    println!("digits that mixed and f64 share       12              see `fem --only digits`");
    records.extend([double, mixed]);
    Ok(())
}
