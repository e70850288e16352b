//! Ranks as threads.

mod suite;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use nonius_comm::Communicator;
use nonius_comm::threads::{Failure, run};
use nonius_fem::model::{Kind, Model};
use nonius_fem::{CHECKPOINT, Precision, Ranks, Settings, Simulation, generate, record};

#[test]
fn simulations_have_the_bits_of_one_device() {
    for ranks in 1..=4 {
        run(ranks, |ranks| suite::check(ranks).map_err(|error| error.to_string())).unwrap();
    }
}

/// Where the first rank cannot write, all ranks end and say which one failed and why.
#[test]
fn a_folder_that_cannot_be_written_ends_all_ranks() {
    let model = generate::bar(Kind::ReducedHexahedron, [60, 3, 3]).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = all_end(&model, file.path(), |_, _| {});
    assert!(error.starts_with(&file.path().display().to_string()), "{error}");
}

/// The folder goes while a run is on its way. The last checkpoint is whole, and a run that goes on
/// from there ends as one that was not interrupted.
#[test]
fn a_folder_that_is_lost_ends_all_ranks() {
    const LOST_AT: u64 = 30;
    let model = generate::bar(Kind::ReducedHexahedron, [60, 3, 3]).unwrap();
    let place = tempfile::tempdir().unwrap();
    let [folder, moved] = ["record", "moved"].map(|name| place.path().join(name));
    let error = all_end(&model, &folder, |ranks, simulation| {
        if ranks.rank() == 0 && simulation.steps() == LOST_AT {
            fs::rename(&folder, &moved).unwrap();
            fs::write(&folder, "no folder").unwrap();
        }
    });
    assert!(error.contains(&folder.display().to_string()), "{error}");
    let checkpoint = moved.join(CHECKPOINT);
    let mut resumed = Simulation::resume(&model, Precision::Double, &checkpoint).unwrap();
    assert_eq!(resumed.steps(), LOST_AT - 1);
    let mut expected = Simulation::new(&model, Precision::Double).unwrap();
    for simulation in [&mut resumed, &mut expected] {
        simulation.advance(model.time.period, 100 - simulation.steps()).unwrap();
    }
    assert_eq!(resumed.snapshot().unwrap(), expected.snapshot().unwrap());
}

/// Records a simulation on three ranks, of which the first fails: what it says. A checkpoint is
/// written at every step.
fn all_end(
    model: &Model,
    folder: &Path,
    watch: impl Fn(&Communicator, &Simulation<'_>) + Sync,
) -> String {
    let lost = Mutex::new(Vec::new());
    let settings =
        Settings { checkpoints: Duration::ZERO, pulse: Duration::ZERO, ..Settings::default() };
    let outcome = run(3, |ranks| {
        let backend = Ranks(ranks.clone());
        let record = |mut simulation| {
            let recorded = record(model, &mut simulation, folder, &settings, |simulation| {
                watch(ranks, simulation);
                ControlFlow::Continue(())
            });
            recorded.map(|_| ()).map_err(|error| error.to_string())
        };
        // Others may still be at the beginning when the first rank fails.
        let simulation = Simulation::on(&backend, model, Precision::Double);
        let error = simulation.map_err(|error| error.to_string()).and_then(record);
        lost.lock().unwrap().push((ranks.rank(), error.clone().unwrap_err()));
        error
    });
    let mut found = lost.into_inner().unwrap();
    found.sort_unstable();
    let [(0, first), (1, second), (2, third)] = &found[..] else { panic!("{found:?}") };
    for other in [second, third] {
        assert!(other.contains(&format!("rank 0 failed: {first}")), "{other}");
    }
    let expected = Failure::Rank { rank: 0, error: first.clone() };
    assert_eq!(outcome, Err::<Vec<()>, _>(expected));
    first.clone()
}
