//! The end of a run of several processes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use nonius::ranks::Session;

use crate::common::Form;
use crate::failure::Failure;
use crate::report::{self, Report};
use crate::{ranks, say, usage};

/// Ranks that have failed wait so long for others, which may have failed as well or may wait for
/// them.
const PATIENCE: Duration = Duration::from_secs(10);
/// All others wait for the first while it writes.
const FOR_EVER: Duration = Duration::MAX;

/// How the work of a process has ended.
pub(crate) enum Ended {
    /// With a command's report, told in that form.
    Command(Box<Result<Report, Failure>>, Form),
    /// With what is said of the arguments, which are those of all processes.
    Arguments(clap::Error),
}

impl Ended {
    /// Why it has failed, and the exit status.
    fn failure(&self) -> Option<(&str, u8)> {
        match self {
            Self::Command(ended, _) => match &**ended {
                Ok(report) => report.failure(),
                Err(failure) => Some(failure),
            }
            .and_then(Failure::parts),
            Self::Arguments(_) => None,
        }
    }

    /// Tells the user. Returns the exit status.
    fn tell(self) -> u8 {
        match self {
            Self::Command(ended, form) => report::tell(*ended, form),
            Self::Arguments(error) => usage::tell(&error),
        }
    }

    fn form(&self) -> Form {
        match self {
            Self::Command(_, form) => *form,
            Self::Arguments(_) => Form::Text,
        }
    }
}

/// Does this process's part of a run. What is said of it, the first process says; a failure that
/// not all have is told with its rank. Returns the exit status, the same for all.
pub(crate) fn together(work: impl FnOnce() -> Ended) -> u8 {
    let session = match Session::start() {
        Ok(session) => session,
        Err(error) => {
            if error.is_said_here() {
                say::failure(&error.to_string());
            }
            return 2;
        }
    };
    let (rank, count) = session.rank();
    ranks::set((rank, count));
    if count == 1 {
        return work().tell();
    }
    let ended = match catch_unwind(AssertUnwindSafe(|| session.run(work))) {
        Ok(ended) => ended,
        // It has said why. The others may wait for this one.
        Err(_) => session.abort(101),
    };
    let own = ended.failure().map(|(message, status)| (message.to_owned(), status));
    let said = match &own {
        Some((message, status)) => [&[*status], message.as_bytes()].concat(),
        None => Vec::new(),
    };
    let patience = if own.is_some() { PATIENCE } else { FOR_EVER };
    let all = match session.end(&said, patience) {
        Ok(Some(all)) => all,
        outcome => {
            let lost = outcome.err().map(|error| (error.to_string(), 2));
            let (message, status) = own.or(lost).unwrap_or_default();
            say::anyone(&format!("rank {rank}: {message}"));
            session.abort(status);
        }
    };
    let status = if rank == 0 { of_all(ended, &all).tell() } else { 0 };
    session.first_says(status).unwrap_or(status)
}

/// How a run has ended of which each rank has said what failed: an exit status and a sentence, or
/// nothing.
fn of_all(ended: Ended, all: &[Vec<u8>]) -> Ended {
    if all.iter().all(|said| *said == all[0]) {
        return ended;
    }
    let failed = all.iter().enumerate().find_map(|(rank, said)| Some((rank, said.split_first()?)));
    let Some((rank, (status, message))) = failed else { return ended };
    let message = format!("rank {rank}: {}", String::from_utf8_lossy(message));
    let form = ended.form();
    Ended::Command(Box::new(Err(Failure::with_status(*status, message))), form)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(status: u8, message: &str) -> Ended {
        let failure = Failure::with_status(status, message.into());
        Ended::Command(Box::new(Err(failure)), Form::Silence)
    }

    #[test]
    fn a_failure_of_some_ranks_is_told_with_the_first_of_them() {
        let said = |status: u8, message: &str| [&[status], message.as_bytes()].concat();
        let same = of_all(failed(2, "no file"), &vec![said(2, "no file"); 3]);
        assert_eq!(same.failure(), Some(("no file", 2)));
        let all = [Vec::new(), said(1, "singular"), said(2, "no file")];
        let done = Ended::Command(Box::new(Ok(Report::default())), Form::Silence);
        assert_eq!(of_all(done, &all).failure(), Some(("rank 1: singular", 1)));
    }
}
