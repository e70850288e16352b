//! The iterations, line by line while they are done.

use std::io::{self, IsTerminal, Write};

use nonius::sdp::Row;

use crate::common::Common;
use crate::output::Output;
use crate::ranks;

/// Where the lines go.
pub(super) struct Table {
    out: Option<Box<dyn Write + Send>>,
    is_begun: bool,
}

impl Table {
    /// On standard output; where that is taken on standard error, if somebody looks at it.
    pub(super) fn new(common: &Common, files: [&Output; 5]) -> Self {
        let taken = common.json || files.into_iter().any(Output::is_standard);
        let out: Option<Box<dyn Write + Send>> = match (common.quiet, taken) {
            _ if !ranks::is_first() => None,
            (false, false) => Some(Box::new(io::stdout())),
            (false, true) if io::stderr().is_terminal() => Some(Box::new(io::stderr())),
            _ => None,
        };
        Self { out, is_begun: false }
    }

    pub(super) fn row(&mut self, row: &Row) {
        let Some(out) = &mut self.out else { return };
        // Nothing depends on it.
        if !self.is_begun {
            let _ = writeln!(out, "{HEAD}");
            self.is_begun = true;
        }
        let _ = write_row(out, row);
    }
}

const HEAD: &str = "   #        mu  infeas. P  infeas. D   primal objective     dual objective       gap  step P  step D   seconds  in";

fn write_row(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    let [primal, dual] = row.infeasibilities;
    let [below, above] = row.objectives;
    let [step_primal, step_dual] = row.steps;
    writeln!(
        out,
        "{:4}  {:8.1e}   {primal:8.1e}   {dual:8.1e}  {below:17.9e}  {above:17.9e}  {:8.1e}  {step_primal:6.3}  {step_dual:6.3}  {:8.2}  {}",
        row.number, row.mu, row.relative_gap, row.seconds, row.precision
    )?;
    out.flush()
}
