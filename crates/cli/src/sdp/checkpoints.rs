//! The points that are kept on the way.

use std::io::{BufWriter, Write};
use std::time::Instant;

use nonius::sdp::solver::End;
use nonius::sdp::{AnyPoint, Checkpoint, FetchPoint, Fingerprint, Problem, Report, Row};

use super::Arguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::{interruption, say};

/// A file with the current point.
pub(super) struct Checkpoints<'a> {
    file: Output,
    every: f64,
    name: &'a str,
    /// None without a file.
    problem: Option<Fingerprint>,
    last: Instant,
    is_warned: bool,
    /// Why the last point was not written.
    failure: Option<Failure>,
}

impl<'a> Checkpoints<'a> {
    pub(super) fn new(arguments: &Arguments, name: &'a str, problem: &Problem) -> Self {
        let Arguments { checkpoint, every, .. } = arguments;
        Self {
            file: Output::beside(checkpoint.as_ref()),
            every: *every,
            name,
            problem: checkpoint.is_some().then(|| Fingerprint::of(problem)),
            last: Instant::now(),
            is_warned: false,
            failure: None,
        }
    }

    /// Keeps the point if it is time to, or if it is the last one of the run; says whether the run
    /// goes on.
    pub(super) fn observe(&mut self, row: &Row, most: u64, fetch: FetchPoint<'_>) -> bool {
        let goes_on = !interruption::noted();
        let is_due = row.number > 0 && self.last.elapsed().as_secs_f64() >= self.every;
        if self.problem.is_some() && (is_due || !goes_on || row.number >= most) {
            let point = fetch().map_err(|error| Failure::computing(self.name, &error));
            self.keep(point, row.number);
        }
        goes_on
    }

    /// Keeps the point that a run ended with, unless that is not the last one.
    pub(super) fn end(&mut self, report: &Report, point: &AnyPoint) {
        if !matches!(report.end, End::Interrupted | End::Iterations) && self.problem.is_some() {
            self.keep(Ok(point.clone()), report.iterations);
        }
    }

    /// Why the file does not have the last point.
    pub(super) fn failure(self) -> Option<Failure> {
        self.failure
    }

    /// Writes a point. That this fails is no reason to end a run: the next time it may not.
    fn keep(&mut self, point: Result<AnyPoint, Failure>, iterations: u64) {
        let Some(problem) = self.problem else { return };
        let written = point.and_then(|point| {
            let checkpoint = Checkpoint { point, iterations };
            self.file.write(|out| {
                let mut out = BufWriter::new(out);
                checkpoint.write(&mut out, &problem)?;
                Ok(out.flush()?)
            })
        });
        self.last = Instant::now();
        self.failure = written.err();
        if let Some(failure) = self.failure.as_ref().filter(|_| !self.is_warned) {
            failure.tell();
            say::warning("the run goes on without that checkpoint");
            self.is_warned = true;
        }
    }
}
