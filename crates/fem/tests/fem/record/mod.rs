//! What a simulation leaves behind, whether or not it was interrupted.

mod outputs;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use nonius_fem::model::{Increments, Kind, Model, Outputs};
use nonius_fem::{
    CHECKPOINT, Precision, RecordError, Recorded, ResumeError, Settings, Simulation, generate,
    input, record,
};

/// All kinds of elements, laws and loads that keep something from step to step, and the end of
/// their first hundred steps or so.
fn models() -> Vec<(&'static str, Model)> {
    let deck = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/fem").join(name);
        input::read_file(&path).unwrap().model
    };
    let models = [
        ("bar", generate::bar(Kind::ReducedHexahedron, [12, 1, 1]).unwrap(), 1.0),
        ("taylor", generate::taylor(Kind::Hexahedron, 1, 1, 6).unwrap(), 0.2),
        ("cuboid", generate::cuboid(Kind::Tetrahedron, [2, 2, 2]).unwrap(), 6.0),
        ("axisymmetric", deck("dynela/taylor-axisymmetric.inp"), 0.05),
        ("tension", deck("dynela/tensile-2d.inp"), 0.01),
        ("cantilever", deck("gmsh/cantilever.toml"), 0.003),
    ];
    models
        .map(|(name, mut model, part)| {
            model.time.period *= part;
            let probes = model.outputs.probes;
            let history = Some(model.time.period / 10.0);
            model.outputs = Outputs { fields: Some(4), history, probes, ..Outputs::default() };
            (name, model)
        })
        .into()
}

/// Settings by which each step is heard of.
fn every_step() -> Settings {
    Settings { pulse: Duration::ZERO, ..Settings::default() }
}

/// Records a simulation for `steps` steps: from the folder's checkpoint where there is one, else
/// from the beginning.
fn go_on(
    model: &Model,
    precision: Precision,
    folder: &Path,
    mut steps: u64,
    settings: &Settings,
) -> Result<Recorded, RecordError> {
    let checkpoint = folder.join(CHECKPOINT);
    let mut simulation = if checkpoint.exists() {
        Simulation::resume(model, precision, &checkpoint).unwrap()
    } else {
        Simulation::new(model, precision).unwrap()
    };
    record(model, &mut simulation, folder, settings, |_| {
        steps -= 1;
        if steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

fn whole(model: &Model, precision: Precision, folder: &Path) -> Recorded {
    go_on(model, precision, folder, u64::MAX, &every_step()).unwrap()
}

/// Names and contents.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

fn assert_same(found: &Path, expected: &Path, what: &str) {
    let (found, expected) = (files(found), files(expected));
    assert!(found.keys().eq(expected.keys()), "{what}: {:?} {:?}", found.keys(), expected.keys());
    for (name, contents) in &expected {
        assert!(found[name] == *contents, "{what}: {name}");
    }
}

/// Stopped again and again, in the middle between rows and at them, a run leaves what it leaves in
/// one go.
#[test]
fn interruptions_leave_no_trace() {
    for (name, model) in models() {
        for precision in Precision::ALL {
            let what = format!("{name} {precision:?}");
            let [at_once, stopped] = [(); 2].map(|()| tempfile::tempdir().unwrap());
            let expected = whole(&model, precision, at_once.path());
            assert!(expected.steps > 60, "{what}: {}", expected.steps);
            let third = expected.steps / 3;
            for stop in [1, third, 2 * third - 1, 2 * third] {
                let begun = Simulation::resume(&model, precision, &stopped.path().join(CHECKPOINT))
                    .map_or(0, |simulation| simulation.steps());
                let stopping =
                    go_on(&model, precision, stopped.path(), stop - begun, &every_step());
                let Err(RecordError::Stopped { checkpoint }) = stopping else {
                    panic!("{what}: {stopping:?}");
                };
                assert_eq!(checkpoint.step, stop, "{what}");
                assert!(files(stopped.path()).len() < files(at_once.path()).len());
            }
            let found = whole(&model, precision, stopped.path());
            assert_eq!(found, expected, "{what}");
            assert_same(stopped.path(), at_once.path(), &what);
            // There is nothing left to do.
            assert_eq!(whole(&model, precision, stopped.path()), expected, "{what}");
            assert_same(stopped.path(), at_once.path(), &what);
        }
    }
}

/// What was written after the checkpoint, a row cut off among it, is written again.
#[test]
fn what_is_later_than_the_checkpoint_is_dropped() {
    let (_, model) = models().swap_remove(1);
    let precision = Precision::Mixed;
    let [at_once, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let steps = whole(&model, precision, at_once.path()).steps;
    for (first, second) in [(1, steps / 2), (steps / 2, steps), (steps / 3, steps / 3 + 1)] {
        fs::remove_dir_all(killed.path()).unwrap();
        let checkpoint = killed.path().join(CHECKPOINT);
        let go_on = |steps| go_on(&model, precision, killed.path(), steps, &every_step());
        go_on(first).unwrap_err();
        let earlier = fs::read(&checkpoint).unwrap();
        // Up to the end it runs through.
        assert_eq!(go_on(second - first).is_ok(), second == steps);
        fs::write(&checkpoint, earlier).unwrap();
        let table = killed.path().join("history.csv");
        let mut rows = fs::read(&table).unwrap();
        rows.extend(b"1.5,17");
        fs::write(&table, rows).unwrap();
        go_on(u64::MAX).unwrap();
        assert_same(killed.path(), at_once.path(), &format!("{first} {second}"));
    }
}

/// A run that begins anew takes nothing from a folder that has another one.
#[test]
fn a_new_run_removes_the_checkpoint_of_another() {
    let mut models = models();
    let (first, second) = (models.swap_remove(0).1, models.swap_remove(1).1);
    let [folder, clean] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    whole(&first, Precision::Double, folder.path());
    let mut simulation = Simulation::new(&second, Precision::Double).unwrap();
    let mut seen = 0;
    let stopping = record(&second, &mut simulation, folder.path(), &every_step(), |_| {
        seen += 1;
        // Before the first checkpoint of the second.
        assert!(seen > 1 || !folder.path().join(CHECKPOINT).exists());
        ControlFlow::Break(())
    });
    assert!(matches!(stopping, Err(RecordError::Stopped { .. })));
    whole(&second, Precision::Double, folder.path());
    whole(&second, Precision::Double, clean.path());
    assert_same(folder.path(), clean.path(), "anew");
}

/// Time passes between fields too.
#[test]
fn checkpoints_by_the_clock() {
    let (_, model) = models().swap_remove(0);
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { checkpoints: Duration::ZERO, ..every_step() };
    let mut simulation = Simulation::new(&model, Precision::Double).unwrap();
    let mut seen = 0;
    record(&model, &mut simulation, folder.path(), &settings, |_| {
        if seen > 0 {
            let checkpoint = folder.path().join(CHECKPOINT);
            let saved = Simulation::resume(&model, Precision::Double, &checkpoint).unwrap();
            assert_eq!(saved.steps(), seen);
        }
        seen += 1;
        ControlFlow::Continue(())
    })
    .unwrap();
}

/// Fields that come soon after a checkpoint go without one, but for the last ones.
#[test]
fn checkpoints_with_fields() {
    let (_, model) = models().swap_remove(0);
    for (apart, expected) in [(Duration::ZERO, 3), (Duration::from_secs(3600), 1)] {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = folder.path().join(CHECKPOINT);
        let saved = || {
            Simulation::resume(&model, Precision::Double, &checkpoint).map(|saved| saved.steps())
        };
        let settings = Settings { apart, ..every_step() };
        let mut simulation = Simulation::new(&model, Precision::Double).unwrap();
        let mut seen = BTreeSet::new();
        let recorded = record(&model, &mut simulation, folder.path(), &settings, |_| {
            seen.extend(saved().ok());
            ControlFlow::Continue(())
        });
        // With fields at a quarter, a half and three quarters of the time.
        assert_eq!(seen.len(), expected, "{seen:?}");
        assert_eq!(saved().unwrap(), recorded.unwrap().steps);
    }
}

fn refused(model: &Model, precision: Precision, checkpoint: &Path) -> ResumeError {
    Simulation::resume(model, precision, checkpoint).err().unwrap()
}

#[test]
fn checkpoints_of_others_are_refused() {
    let (_, mut model) = models().swap_remove(0);
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join(CHECKPOINT);
    let path = checkpoint.display();
    let missing = refused(&model, Precision::Double, &checkpoint).to_string();
    assert!(missing.starts_with(&format!("{path}: cannot be read: ")), "{missing}");
    let settings = every_step();
    go_on(&model, Precision::Double, folder.path(), 3, &settings).unwrap_err();
    let other = refused(&model, Precision::Mixed, &checkpoint).to_string();
    assert_eq!(other, format!("{path}: a checkpoint of a run in another precision"));
    model.materials[0].density *= 1.0 + f64::EPSILON;
    let other = refused(&model, Precision::Double, &checkpoint).to_string();
    assert_eq!(other, format!("{path}: a checkpoint of another model or version of Nonius"));
}

/// A checkpoint without the files that go with it is no beginning.
#[test]
fn a_history_that_is_missing() {
    let (_, model) = models().swap_remove(0);
    let folder = tempfile::tempdir().unwrap();
    let settings = every_step();
    go_on(&model, Precision::Double, folder.path(), 30, &settings).unwrap_err();
    for name in ["fields.pvd", "history.csv"] {
        fs::remove_file(folder.path().join(name)).unwrap();
        let error = go_on(&model, Precision::Double, folder.path(), 30, &settings).unwrap_err();
        let message = error.to_string();
        assert!(message.contains(name) && message.contains("cannot be read"), "{message}");
    }
}

/// What is wrong is said with the step, the time, an element, and what there is to go on from.
#[test]
fn failures_name_the_last_checkpoint() {
    let (_, mut model) = models().swap_remove(0);
    let failure = |model: &Model, folder: &Path, settings: &Settings| {
        let error = go_on(model, Precision::Double, folder, u64::MAX, settings).unwrap_err();
        (error.to_string(), error)
    };
    let settings = Settings { balance: 0.0, ..every_step() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CHECKPOINT);
    let (message, error) = failure(&model, folder.path(), &settings);
    let RecordError::Balance { step, fastest: Some((node, Some(element))), checkpoint, .. } = error
    else {
        panic!("{message}");
    };
    let saved = checkpoint.unwrap();
    assert!(saved.path == path && saved.step < step, "{message}");
    assert!(message.starts_with(&format!("step {step}, time ")), "{message}");
    assert!(message.contains(&format!("fastest node is {node} of {element}")), "{message}");
    let end = format!("; the last checkpoint is {}, step {}, time", path.display(), saved.step);
    assert!(message.contains(&end), "{message}");
    // It is good to go on from.
    whole(&model, Precision::Double, folder.path());

    let mut broken = model.clone();
    broken.velocities = vec![[0.0; 3]; model.mesh.coordinates.len()];
    broken.velocities[7][1] = f64::INFINITY;
    let folder = tempfile::tempdir().unwrap();
    let (message, _) = failure(&broken, folder.path(), &every_step());
    let expected =
        format!("step 1, time 0e0: the velocity of node {} of element ", model.mesh.node_labels[7]);
    assert!(message.starts_with(&expected), "{message}");
    assert!(message.ends_with(" (C3D8R) is not finite; there is no checkpoint yet"), "{message}");

    // A third more than what is stable.
    let mut simulation = Simulation::new(&model, Precision::Double).unwrap();
    simulation.advance(f64::INFINITY, 1).unwrap();
    let increment = simulation.increment() / 0.9 * 1.3;
    model.time.increments = Increments::Fixed(increment);
    model.outputs.fields = Some(20);
    let folder = tempfile::tempdir().unwrap();
    let (message, error) = failure(&model, folder.path(), &every_step());
    let RecordError::Simulation { checkpoint: Some(saved), .. } = error else {
        panic!("{message}");
    };
    let expected = "(C3D8R) has no volume or has turned inside out; the last checkpoint is";
    assert!(message.contains(expected), "{message}");
    let expected =
        format!("the fixed time increment of {increment:.3e} exceeds the stable one of ");
    assert!(message.contains(&expected), "{message}");
    let last = Simulation::resume(&model, Precision::Double, &saved.path).unwrap();
    assert_eq!((last.steps(), last.time()), (saved.step, saved.time));
}
