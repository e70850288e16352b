//! Simulations that ranks share have the bits of one device, and leave the same files.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nonius_comm::Communicator;
use nonius_fem::model::{Kind, Model, Outputs};
use nonius_fem::{
    CHECKPOINT, Precision, Ranks, RecordError, Settings, Simulation, generate, input, observe,
    record,
};

/// Several kinds of elements, laws and loads, in all precisions.
pub(crate) fn check(ranks: &Communicator) -> Result<(), Box<dyn Error>> {
    for (at, (name, model)) in models()?.iter().enumerate() {
        let precision = Precision::ALL[at % Precision::ALL.len()];
        motions(ranks, name, model, precision)?;
        let folder = Folder::new(ranks, name)?;
        files(ranks, &folder.0, name, model, precision)?;
        ranks.barrier()?;
    }
    Ok(())
}

/// Models and the end of their first steps.
pub(crate) fn models() -> Result<Vec<(&'static str, Model)>, Box<dyn Error>> {
    let deck = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/fem").join(name);
        input::read_file(&path).map(|read| read.model)
    };
    let models = [
        ("bar", generate::bar(Kind::ReducedHexahedron, [120, 3, 3])?, 0.4),
        ("taylor", generate::taylor(Kind::Hexahedron, 2, 2, 30)?, 0.03),
        ("cuboid", generate::cuboid(Kind::Tetrahedron, [6, 5, 5])?, 3.0),
        ("axisymmetric", deck("dynela/taylor-axisymmetric.inp")?, 0.03),
        ("tension", deck("dynela/tensile-2d.inp")?, 0.01),
        ("cantilever", deck("gmsh/cantilever.toml")?, 0.003),
    ];
    let shortened = |(name, mut model, part): (_, Model, f64)| {
        model.time.period *= part;
        let probes = model.outputs.probes;
        let history = Some(model.time.period / 6.0);
        model.outputs = Outputs { fields: Some(2), history, probes, ..Outputs::default() };
        (name, model)
    };
    Ok(models.map(shortened).into())
}

/// Displacements, velocities, stresses, energies and rows of the history.
fn motions(
    ranks: &Communicator,
    name: &str,
    model: &Model,
    precision: Precision,
) -> Result<(), Box<dyn Error>> {
    let mut alone = Simulation::new(model, precision)?;
    let mut shared = Simulation::on(&Ranks(ranks.clone()), model, precision)?;
    let settings = Settings { balance: 1.0, ..Settings::default() };
    let watch = |_: &Simulation<'_>| ControlFlow::Continue(());
    let expected = observe(model, &mut alone, &settings, watch)?;
    assert_eq!(observe(model, &mut shared, &settings, watch)?, expected, "{name}");
    assert!(alone.steps() > 20, "{name}: {} steps", alone.steps());
    assert!(shared.snapshot()? == alone.snapshot()?, "{name}");
    assert_eq!(shared.energies()?, alone.energies()?, "{name}");
    assert_eq!(shared.drift()?.to_bits(), alone.drift()?.to_bits(), "{name}");
    shared.continue_on(&Ranks(Communicator::alone()))?;
    assert!(shared.snapshot()? == alone.snapshot()?, "{name}");
    Ok(())
}

/// Files of a record, of one that goes on with ranks, and of one that goes on without.
fn files(
    ranks: &Communicator,
    folder: &Path,
    name: &str,
    model: &Model,
    precision: Precision,
) -> Result<(), Box<dyn Error>> {
    let [expected, whole, first, last] =
        ["alone", "ranks", "first", "last"].map(|name| folder.join(name));
    let alone = Communicator::alone();
    // All ranks have the same number of steps; the first one alone works for itself.
    let steps = {
        let mut simulation = Simulation::new(model, precision)?;
        simulation.advance_to(model.time.period)?;
        simulation.steps() / 2
    };
    if ranks.rank() == 0 {
        go_on(&alone, model, precision, &expected, u64::MAX)?;
        go_on(&alone, model, precision, &last, steps)?;
    }
    ranks.barrier()?;
    go_on(ranks, model, precision, &whole, u64::MAX)?;
    go_on(ranks, model, precision, &first, steps)?;
    go_on(ranks, model, precision, &last, u64::MAX)?;
    ranks.barrier()?;
    if ranks.rank() == 0 {
        go_on(&alone, model, precision, &first, u64::MAX)?;
        let expected = contents(&expected)?;
        assert!(expected.len() > 6 && expected.contains_key(CHECKPOINT), "{name}");
        for found in [whole, first, last] {
            let found_contents = contents(&found)?;
            let differing =
                expected.keys().find(|key| found_contents.get(*key) != expected.get(*key));
            assert_eq!(differing, None, "{name}: {}", found.display());
            assert_eq!(found_contents.len(), expected.len(), "{name}: {}", found.display());
        }
    }
    Ok(())
}

/// Records a simulation for some steps: from the folder's checkpoint where there is one.
pub(crate) fn go_on(
    ranks: &Communicator,
    model: &Model,
    precision: Precision,
    folder: &Path,
    steps: u64,
) -> Result<(), Box<dyn Error>> {
    let (checkpoint, backend) = (folder.join(CHECKPOINT), Ranks(ranks.clone()));
    let is_begun = checkpoint.exists();
    ranks.barrier()?;
    let mut simulation = if is_begun {
        Simulation::resume_on(&backend, model, precision, &checkpoint)?
    } else {
        Simulation::on(&backend, model, precision)?
    };
    // The first rank alone knows when to stop.
    let is_first = ranks.rank() == 0;
    let watch = |simulation: &Simulation<'_>| {
        let is_over = is_first && simulation.steps() >= steps;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let settings = Settings { balance: 1.0, pulse: Duration::ZERO, ..Settings::default() };
    match record(model, &mut simulation, folder, &settings, watch) {
        Ok(recorded) => {
            assert!(steps == u64::MAX && recorded.fields == 3, "{recorded:?}");
            Ok(())
        }
        Err(RecordError::Stopped { checkpoint }) => {
            assert_eq!(checkpoint.step, steps);
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn contents(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, std::io::Error> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            let inner = contents(&entry.path())?;
            all.extend(inner.into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            all.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(all)
}

/// A folder that all ranks know and the first one removes.
pub(crate) struct Folder(pub(crate) PathBuf, bool);

impl Folder {
    pub(crate) fn new(ranks: &Communicator, name: &str) -> Result<Self, Box<dyn Error>> {
        let mut number = [std::process::id()];
        ranks.broadcast(0, &mut number)?;
        let name = format!("nonius-{}-{}-{name}", number[0], ranks.size());
        Ok(Self(std::env::temp_dir().join(name), ranks.rank() == 0))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.1 {
            // What cannot be removed is the system's.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
