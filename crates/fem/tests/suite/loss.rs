//! A rank that dies in the middle of a record.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use nonius_comm::Communicator;
use nonius_fem::{CHECKPOINT, Precision, Ranks, Settings, Simulation, record};

use crate::suite::{Folder, contents, go_on, models};

/// Records a simulation in a folder until the second rank dies: the others wait for it then.
pub(crate) fn lose_a_rank(ranks: &Communicator, folder: &Path) -> Result<(), Box<dyn Error>> {
    let (_, model) = models()?.swap_remove(0);
    let mut simulation = Simulation::on(&Ranks(ranks.clone()), &model, Precision::Double)?;
    let settings =
        Settings { checkpoints: Duration::ZERO, pulse: Duration::ZERO, ..Settings::default() };
    record(&model, &mut simulation, folder, &settings, |simulation| {
        if ranks.rank() == 1 && simulation.steps() == 70 {
            std::process::abort();
        }
        ControlFlow::Continue(())
    })?;
    Err("a rank that has died goes on".into())
}

/// What a run left that lost a rank goes on, and leaves what one device leaves that lost nothing.
pub(crate) fn go_on_after_loss(ranks: &Communicator, folder: &Path) -> Result<(), Box<dyn Error>> {
    let (_, model) = models()?.swap_remove(0);
    assert!(folder.join(CHECKPOINT).exists(), "no checkpoint is left");
    go_on(ranks, &model, Precision::Double, folder, u64::MAX)?;
    if ranks.rank() == 0 {
        let expected = Folder::new(&Communicator::alone(), "whole")?;
        go_on(&Communicator::alone(), &model, Precision::Double, &expected.0, u64::MAX)?;
        let (expected, found) = (contents(&expected.0)?, contents(folder)?);
        let differing = expected.keys().find(|key| found.get(*key) != expected.get(*key));
        assert_eq!(differing, None, "{}", folder.display());
    }
    ranks.barrier()?;
    Ok(())
}
