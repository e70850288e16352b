//! CalculiX's explicit dynamics beside ours: seconds of an element's step on one core, for the same
//! bar of the same elastic elements.
//!
//! Part of a bar begins with a velocity, a wave. Steps are as long for both, shorter than either
//! finds stable. CalculiX runs twice, for few steps and for many: what is between them is that of
//! the steps alone. Displacements of nodes along an edge are compared, so that both have computed
//! the same. Velocities are small, for materials differ where strains are not. Without Poisson's
//! ratio they are 1.2e-5, 3.1e-6 and 1.0e-6 apart for steps of 125, 63 and 31 ns, as those of two
//! schemes of order 2 have to be; with it hourglass control and the mean volume strain play a part,
//! too.
//!
//! CalculiX's seconds are those of the processor, which other programs on the machine change less
//! than those of the clock.

use std::error::Error;
use std::f64::consts::PI;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use nonius_fem::model::{BulkViscosity, Elastic, Increments, Kind, Law, Material, Model, Time};
use nonius_fem::{Precision, Simulation, generate};

use crate::record::Record;

/// Elements along each axis.
const BAR: [usize; 3] = [300, 8, 8];
/// The part of the bar that moves at the beginning, and how fast.
const MOVING: f64 = 0.2;
const VELOCITY: f64 = 1e-3;
/// Steps of the two runs of CalculiX, and how often each of them is timed; the fastest counts.
const SHORT_RUN_STEPS: usize = 20;
const LONG_RUN_STEPS: usize = 120;
const TIMES: usize = 3;
/// The length of a step: CalculiX finds 1.6e-7 stable for these elements with one point, twice that
/// for those with eight.
const INCREMENT: f64 = 1.25e-7;

/// Both, with ours in all precisions.
pub(super) fn measure(
    ccx: &Path,
    kinds: &[Kind],
    records: &mut Vec<Record>,
) -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("microseconds of an element's step, and CalculiX's over ours");
    println!(
        "{:6} {:>9} {:>9} {:>8} {:>7} {:>8} {:>7} {:>8} {:>7}  {:>10}",
        "", "elements", "CalculiX", "f32", "", "f64", "", "mixed", "", "agreement"
    );
    for kind in [Kind::ReducedHexahedron, Kind::Hexahedron] {
        if !kinds.contains(&kind) {
            continue;
        }
        let mut model = bar(kind)?;
        let peer = Peer::new(ccx)?.measure(&model)?;
        // No step more because of roundings.
        model.time.increments = Increments::Fixed(INCREMENT * (1.0 + 1e-9));
        let elements = model.mesh.blocks[0].labels.len();
        let mut row = |library: &str, precision: &str, seconds: f64| {
            records.push(Record {
                library: library.into(),
                precision: precision.into(),
                operation: format!("bar-{}", kind.name()),
                m: elements,
                n: model.mesh.coordinates.len(),
                k: LONG_RUN_STEPS,
                threads: 1,
                seconds,
                rate: elements as f64 / seconds / 1e6,
                unit: "M/s".into(),
            });
            seconds / elements as f64 * 1e6
        };
        let theirs = row("calculix", "f64", peer.seconds);
        print!("{:6} {elements:9} {theirs:9.3}", kind.name());
        let mut apart = f64::NAN;
        for precision in Precision::ALL {
            let run = || ours(&model, precision).map_err(|error| error.to_string());
            let (seconds, displacements) = pool.install(run)?;
            let ours = row("nonius", precision.name(), seconds);
            print!(" {ours:8.4} {:6.1}×", theirs / ours);
            if precision == Precision::Double {
                apart = difference(&displacements, &peer.displacements);
            }
        }
        println!("  {apart:10.1e}");
    }
    Ok(())
}

/// A bar that begins with a wave.
fn bar(kind: Kind) -> Result<Model, Box<dyn Error>> {
    let mut model = generate::bar(kind, BAR)?;
    let edge = |place: &[f64; 3]| place[1] == 0.0 && place[2] == 0.0;
    let nodes = (0..).zip(&model.mesh.coordinates).filter(|(_, place)| edge(place));
    let nodes = nodes.map(|(node, _)| node).collect();
    model.mesh.node_sets.insert("edge".to_string(), nodes);
    for material in &mut model.materials {
        material.law = Law::Elastic(Elastic { young: 2e11, poisson: 0.3 });
    }
    let speed = |x: f64| match x < MOVING {
        true => VELOCITY * (0.5 * PI * x / MOVING).cos().powi(2),
        false => 0.0,
    };
    model.velocities =
        model.mesh.coordinates.iter().map(|place| [speed(place[0]), 0.0, 0.0]).collect();
    model.prescribed.clear();
    model.time =
        Time { viscosity: BulkViscosity { linear: 0.0, quadratic: 0.0 }, ..Time::default() };
    Ok(model)
}

type Displacements = Vec<[f64; 3]>;

/// Seconds of a step, and displacements of the edge after those steps at which CalculiX's are
/// known.
fn ours(model: &Model, precision: Precision) -> Result<(f64, Displacements), nonius_fem::Error> {
    /// Steps that are timed together.
    const PART: usize = 10;
    let mut simulation = Simulation::new(model, precision)?;
    let mut best = f64::INFINITY;
    for part in 1..=(LONG_RUN_STEPS - SHORT_RUN_STEPS) / PART {
        let start = Instant::now();
        simulation.advance_to((part * PART) as f64 * INCREMENT)?;
        best = best.min(start.elapsed().as_secs_f64() / PART as f64);
    }
    let displacements = simulation.snapshot()?.displacements;
    let edge = &model.mesh.node_sets["edge"];
    Ok((best, edge.iter().map(|&node| displacements[node as usize]).collect()))
}

/// The largest difference over the largest displacement.
fn difference(found: &[[f64; 3]], expected: &[[f64; 3]]) -> f64 {
    let largest = expected.iter().flatten().fold(0.0, |most: f64, u| most.max(u.abs()));
    let differences = found.iter().flatten().zip(expected.iter().flatten());
    differences.fold(0.0, |most: f64, (found, expected)| most.max((found - expected).abs()))
        / largest
}

/// CalculiX.
struct Peer<'a> {
    program: &'a Path,
    folder: tempfile::TempDir,
}

/// What CalculiX does.
struct Measured {
    /// Seconds of a step.
    seconds: f64,
    /// Displacements of the edge when `SHORT_RUN_STEPS` of the `LONG_RUN_STEPS` steps are left.
    displacements: Displacements,
}

impl<'a> Peer<'a> {
    fn new(program: &'a Path) -> Result<Self, Box<dyn Error>> {
        Ok(Self { program, folder: tempfile::tempdir()? })
    }

    fn measure(&self, model: &Model) -> Result<Measured, Box<dyn Error>> {
        // The last step is half as long, so that roundings make no other.
        let period = |steps: usize| (steps as f64 - 0.5) * INCREMENT;
        let mut best = [f64::INFINITY; 2];
        for _ in 0..TIMES {
            for (best, steps) in best.iter_mut().zip([SHORT_RUN_STEPS, LONG_RUN_STEPS]) {
                *best = best.min(self.run(model, period(steps))?);
            }
        }
        let seconds = (best[1] - best[0]) / (LONG_RUN_STEPS - SHORT_RUN_STEPS) as f64;
        let written = self.displacements()?;
        // As many times as there have to be if it took as many steps.
        if written.len() != LONG_RUN_STEPS / SHORT_RUN_STEPS {
            return Err(format!("CalculiX wrote displacements {} times", written.len()).into());
        }
        let displacements = written.into_iter().nth_back(1).unwrap_or_default();
        Ok(Measured { seconds, displacements })
    }

    /// Seconds of a run.
    fn run(&self, model: &Model, period: f64) -> Result<f64, Box<dyn Error>> {
        fs::write(self.file("inp"), deck(model, period)?)?;
        let mut command = Command::new(self.program);
        command.arg("bar").current_dir(self.folder.path()).stdin(Stdio::null());
        for threads in [
            "OMP_NUM_THREADS",
            "NUMBER_OF_CPUS",
            "CCX_NPROC_STIFFNESS",
            "CCX_NPROC_RESULTS",
            "CCX_NPROC_EQUATION_SOLVER",
        ] {
            command.env(threads, "1");
        }
        let start = (children(), Instant::now());
        let output = command.output().map_err(|e| format!("{}: {e}", self.program.display()))?;
        let seconds = match (start.0, children()) {
            (Some(start), Some(end)) => end - start,
            _ => start.1.elapsed().as_secs_f64(),
        };
        let log = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !log.contains("Job finished") {
            return Err(format!("CalculiX does not finish:\n{log}").into());
        }
        Ok(seconds)
    }

    fn file(&self, extension: &str) -> PathBuf {
        self.folder.path().join("bar").with_extension(extension)
    }

    /// Of each time that it wrote.
    fn displacements(&self) -> Result<Vec<Displacements>, Box<dyn Error>> {
        let mut written: Vec<Displacements> = Vec::new();
        for line in fs::read_to_string(self.file("dat"))?.lines() {
            if line.contains("displacements") {
                written.push(Vec::new());
            }
            let fields: Vec<&str> = line.split_whitespace().collect();
            let [_, x, y, z] = fields[..] else { continue };
            let (Some(last), [Some(x), Some(y), Some(z)]) =
                (written.last_mut(), [x, y, z].map(number))
            else {
                continue;
            };
            last.push([x, y, z]);
        }
        Ok(written)
    }
}

/// Seconds of the processor that finished children have taken, where Linux says so.
fn children() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the program's name in parentheses; ticks are hundredths.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / 100.0)
}

/// A number as Fortran writes it, which has no `E` before exponents of three digits.
fn number(text: &str) -> Option<f64> {
    let short = || {
        let (mantissa, exponent) = text.rsplit_once('-')?;
        format!("{mantissa}e-{exponent}").parse().ok()
    };
    text.parse().ok().or_else(short)
}

/// The bar for CalculiX, which reads 20 characters of a number.
fn deck(model: &Model, period: f64) -> Result<String, Box<dyn Error>> {
    let mesh = &model.mesh;
    let mut deck = "*NODE\n".to_string();
    for (label, [x, y, z]) in mesh.node_labels.iter().zip(&mesh.coordinates) {
        writeln!(deck, "{label}, {x:.11e}, {y:.11e}, {z:.11e}")?;
    }
    let block = &mesh.blocks[0];
    writeln!(deck, "*ELEMENT, TYPE={}, ELSET=EALL", block.kind.name())?;
    for (label, nodes) in block.labels.iter().zip(block.nodes.chunks(block.kind.nodes())) {
        write!(deck, "{label}")?;
        for &node in nodes {
            write!(deck, ", {}", mesh.node_labels[node as usize])?;
        }
        writeln!(deck)?;
    }
    writeln!(deck, "*NSET, NSET=EDGE")?;
    for &node in &mesh.node_sets["edge"] {
        writeln!(deck, "{},", mesh.node_labels[node as usize])?;
    }
    let Material { density, law: Law::Elastic(elastic), .. } = &model.materials[0] else {
        return Err("the bar is elastic".into());
    };
    writeln!(deck, "*MATERIAL, NAME=STEEL\n*DENSITY\n{density:.11e}")?;
    writeln!(deck, "*ELASTIC\n{:?}, {:?}", elastic.young, elastic.poisson)?;
    writeln!(deck, "*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL")?;
    writeln!(deck, "*INITIAL CONDITIONS, TYPE=VELOCITY")?;
    for (label, [x, ..]) in mesh.node_labels.iter().zip(&model.velocities) {
        if *x != 0.0 {
            writeln!(deck, "{label}, 1, {x:.11e}")?;
        }
    }
    writeln!(
        deck,
        "*STEP, NLGEOM, INC=1000000\n*DYNAMIC, EXPLICIT, ALPHA=0.\n{INCREMENT:e}, {period:.11e}, 0., {INCREMENT:e}"
    )?;
    writeln!(deck, "*NODE PRINT, NSET=EDGE, FREQUENCY={SHORT_RUN_STEPS}\nU\n*END STEP")?;
    Ok(deck)
}
