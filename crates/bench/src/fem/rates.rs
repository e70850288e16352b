//! Element updates a second, whole steps, by kind, material and precision.

use std::error::Error;
use std::time::Instant;

use nonius_fem::model::Kind;
use nonius_fem::{Precision, Simulation};

use super::models::{Matter, cells, drawn};
use crate::record::Record;

/// Periods before time is taken: by then everything yields that can.
const BEFORE: f64 = 30.0;
/// Parts of a run that are timed; the fastest counts.
pub(super) const PARTS: usize = 8;
/// Seconds of a part, about.
const SECONDS: f64 = 0.25;

/// What a CPU computes in: pairs of `f32` stand for `f64` there.
const ON_CPU: [Precision; 3] = [Precision::Single, Precision::Mixed, Precision::Double];

/// On one thread, and on as many as there are to be.
pub(super) fn measure(
    elements: usize,
    kinds: &[Kind],
    matters: &[Matter],
    threads: usize,
    records: &mut Vec<Record>,
) -> Result<(), Box<dyn Error>> {
    println!("million element updates a second (* mixed, by increments of forces as in the paper)");
    println!(
        "{:6} {:12} {:>9} {:>7} {:>8} {:>8} {:>8} {:>9} {:>8} {:>9}",
        "", "", "elements", "threads", "f32", "f64", "mixed", "mixed/f64", "paper*", "paper/f64"
    );
    let counts = if threads > 1 { vec![1, threads] } else { vec![1] };
    for &kind in kinds {
        for &matter in matters {
            for &count in &counts {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build()?;
                let rows =
                    pool.install(|| one(kind, matter, elements).map_err(|e| e.to_string()))?;
                let [single, mixed, double, paper] = [0, 1, 2, 3].map(|i| rows[i].rate);
                println!(
                    "{:6} {:12} {:9} {count:7} {single:8.3} {double:8.3} {mixed:8.3} {:9.2} {paper:8.3} {:9.2}",
                    kind.name(),
                    matter.name(),
                    rows[0].m,
                    mixed / double,
                    paper / double
                );
                records.extend(rows.into_iter().map(|row| Record { threads: count, ..row }));
            }
        }
    }
    Ok(())
}

/// All precisions of a kind and a material, in turns, so that what else the machine does meets all
/// alike.
fn one(kind: Kind, matter: Matter, elements: usize) -> Result<Vec<Record>, Box<dyn Error>> {
    let model = drawn(kind, matter, cells(kind, elements))?;
    let mut runs = Vec::new();
    for precision in ON_CPU {
        let simulation = Simulation::new(&model, precision)?;
        let run = Timed::new(simulation, precision, model.time.period, 30.0)?;
        runs.push((run, ""));
    }
    let mut paper = Simulation::new(&model, Precision::Mixed)?;
    paper.resynchronise_every(None);
    runs.push((Timed::new(paper, Precision::Mixed, model.time.period, 30.0)?, "-increments"));
    for _ in 0..PARTS {
        for (run, _) in &mut runs {
            run.part()?;
        }
    }
    let elements: usize = model.mesh.blocks.iter().map(|block| block.labels.len()).sum();
    let nodes = model.mesh.coordinates.len();
    let row = |(run, suffix): (Timed<'_>, &str)| {
        let operation = format!("{}-{}{suffix}", kind.name(), matter.name());
        Record { threads: 1, ..run.record("nonius", operation, elements, nodes) }
    };
    Ok(runs.into_iter().map(row).collect())
}

/// A simulation, and the shortest time that a step of it took.
pub(super) struct Timed<'a> {
    simulation: Simulation<'a>,
    precision: Precision,
    /// Steps of a part, at most.
    most: f64,
    pub(super) best: f64,
}

impl<'a> Timed<'a> {
    pub(super) fn new(
        mut simulation: Simulation<'a>,
        precision: Precision,
        period: f64,
        most: f64,
    ) -> Result<Self, nonius_fem::Error> {
        simulation.advance_to(BEFORE * period)?;
        let mut timed = Self { simulation, precision, most, best: f64::INFINITY };
        timed.steps(1.0)?;
        Ok(timed)
    }

    pub(super) fn part(&mut self) -> Result<(), nonius_fem::Error> {
        self.steps((SECONDS / self.best).clamp(1.0, self.most))
    }

    /// Takes about `count` steps, and keeps the best time of a step.
    fn steps(&mut self, count: f64) -> Result<(), nonius_fem::Error> {
        let (time, steps) = (self.simulation.time(), self.simulation.steps());
        let end = time + count.floor() * self.simulation.increment();
        let start = Instant::now();
        self.simulation.advance_to(end)?;
        let seconds = start.elapsed().as_secs_f64();
        self.best = self.best.min(seconds / (self.simulation.steps() - steps) as f64);
        Ok(())
    }

    /// The record of a model with `elements` elements and `nodes` nodes.
    pub(super) fn record(
        &self,
        library: &str,
        operation: String,
        elements: usize,
        nodes: usize,
    ) -> Record {
        Record {
            library: library.into(),
            precision: self.precision.name().into(),
            operation,
            m: elements,
            n: nodes,
            k: self.simulation.steps() as usize,
            threads: 0,
            seconds: self.best,
            rate: elements as f64 / self.best / 1e6,
            unit: "M/s".into(),
        }
    }
}
