//! Ranks as threads.

mod suite;

use std::ops::ControlFlow;
use std::sync::Mutex;

use nonius_comm::threads::{Failure, run};
use nonius_fem::model::Kind;
use nonius_fem::{Precision, Ranks, Settings, Simulation, generate, record};

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
    let lost = Mutex::new(Vec::new());
    let outcome = run(3, |ranks| {
        let backend = Ranks(ranks.clone());
        let mut simulation = Simulation::on(&backend, &model, Precision::Double).unwrap();
        let watch = |_: &Simulation<'_>| ControlFlow::Continue(());
        let recorded = record(&model, &mut simulation, file.path(), &Settings::default(), watch);
        let error = recorded.map(|_| ()).map_err(|error| error.to_string());
        lost.lock().unwrap().push((ranks.rank(), error.clone().unwrap_err()));
        error
    });
    let mut found = lost.into_inner().unwrap();
    found.sort_unstable();
    let [(0, first), (1, second), (2, third)] = &found[..] else { panic!("{found:?}") };
    assert!(first.starts_with(&file.path().display().to_string()), "{first}");
    for other in [second, third] {
        assert!(other.contains(&format!("rank 0 failed: {first}")), "{other}");
    }
    let expected = Failure::Rank { rank: 0, error: first.clone() };
    assert_eq!(outcome, Err::<Vec<()>, _>(expected));
}
