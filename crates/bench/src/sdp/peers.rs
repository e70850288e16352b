//! Programs that solve semidefinite programs in `f64`, beside ours: SDPA and CSDP, with the
//! parameters that they have by default.
//!
//! Both know the same pair of problems; what CSDP calls primal is dual in SDPA's words, and here.
//! SDPA says how long it took, with and without reading, and its writing of a result is in neither;
//! CSDP does not say, reads its problem and writes nothing, so that the clock does. Objectives are
//! what they print: of CSDP's there are eight digits.

use std::error::Error;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use super::problems::Input;
use super::references::References;
use super::row::{Claim, Row, Verdict};

/// The problem's file in the folder where they run.
const PROBLEM: &str = "problem.dat-s";

/// A program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Program {
    /// SDPA 7.
    Sdpa,
    /// CSDP 6.
    Csdp,
}

impl Program {
    /// The name of program and library.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sdpa => "sdpa",
            Self::Csdp => "csdp",
        }
    }

    fn is_installed(self) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(self.name()).is_file())
    }

    fn command(self, folder: &Path, threads: usize) -> Command {
        let mut command = Command::new(self.name());
        let threads = threads.to_string();
        match self {
            Self::Sdpa => command.args(["-ds", PROBLEM, "-o", "result", "-numThreads", &threads]),
            Self::Csdp => command.arg(PROBLEM),
        };
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"] {
            command.env(variable, &threads);
        }
        command.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn parse(self, log: &str) -> Option<Found> {
        match self {
            Self::Sdpa => sdpa(log),
            Self::Csdp => csdp(log),
        }
    }
}

/// What a program says.
#[derive(Debug, PartialEq)]
struct Found {
    claim: Claim,
    /// By SDPA's names.
    phase: &'static str,
    /// In its own words.
    end: String,
    /// Primal and dual.
    objectives: [String; 2],
    relative_gap: Option<f64>,
    infeasibilities: [Option<f64>; 2],
    iterations: Option<u64>,
    /// Without and with reading.
    seconds: [Option<f64>; 2],
}

/// What comes behind a key at the beginning of a line, the last time.
fn after<'a>(log: &'a str, key: &str) -> Option<&'a str> {
    let mut lines = log.lines().rev();
    lines.find_map(|line| line.trim_start().strip_prefix(key)).map(str::trim)
}

fn number<N: std::str::FromStr>(text: Option<&str>) -> Option<N> {
    text?.parse().ok()
}

/// What SDPA prints.
fn sdpa(log: &str) -> Option<Found> {
    const PHASES: [&str; 10] = [
        "pdOPT",
        "pFEAS",
        "dFEAS",
        "pdFEAS",
        "pINF_dFEAS",
        "pFEAS_dINF",
        "pdINF",
        "pUNBD",
        "dUNBD",
        "noINFO",
    ];
    let value = |key: &str| after(log, key)?.strip_prefix('=').map(str::trim);
    let name = value("phase.value")?;
    let phase = PHASES.into_iter().find(|phase| *phase == name)?;
    let text = |key: &str| value(key).map(|text| text.trim_start_matches('+').to_owned());
    Some(Found {
        claim: Claim::of_phase(phase),
        phase,
        end: String::new(),
        objectives: [text("objValPrimal")?, text("objValDual")?],
        relative_gap: number(value("relative gap")),
        infeasibilities: ["p.feas.error", "d.feas.error"].map(|key| number(value(key))),
        iterations: number(value("Iteration")),
        seconds: ["main loop time", "total time"].map(|key| number(value(key))),
    })
}

/// What CSDP prints.
fn csdp(log: &str) -> Option<Found> {
    let success = after(log, "Success: ");
    let end = success.or_else(|| after(log, "Partial Success: "));
    let end = end.or_else(|| after(log, "Failure: "))?;
    let (claim, phase) = match success {
        Some("SDP solved") => (Claim::Solved, "pdOPT"),
        Some("SDP is primal infeasible") => (Claim::DualInfeasible, "pFEAS_dINF"),
        Some("SDP is dual infeasible") => (Claim::PrimalInfeasible, "pINF_dFEAS"),
        _ => (Claim::Nothing, ""),
    };
    let text = |key: &str| after(log, key).unwrap_or_default().to_owned();
    let iteration = after(log, "Iter:").and_then(|line| line.split_whitespace().next());
    Some(Found {
        claim,
        phase,
        end: end.into(),
        objectives: [text("Dual objective value:"), text("Primal objective value:")],
        relative_gap: number(after(log, "Real Relative Gap:")),
        infeasibilities: [
            number(after(log, "Relative dual infeasibility:")),
            number(after(log, "Relative primal infeasibility:")),
        ],
        iterations: number(iteration),
        seconds: [None; 2],
    })
}

/// The programs that are there, and how they run.
pub(super) struct Peers {
    programs: Vec<Program>,
    folder: tempfile::TempDir,
    threads: usize,
    limit: Option<Duration>,
}

impl Peers {
    pub(super) fn new(
        wanted: &[Program],
        threads: usize,
        limit: Option<f64>,
    ) -> Result<Self, Box<dyn Error>> {
        let (programs, missing): (Vec<Program>, Vec<Program>) =
            wanted.iter().copied().partition(|program| program.is_installed());
        for program in missing {
            eprintln!("{}: not installed", program.name());
        }
        let limit = limit.map(Duration::try_from_secs_f64).transpose()?;
        Ok(Self { programs, folder: tempfile::tempdir()?, threads, limit })
    }

    pub(super) fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// A problem solved by each of them.
    pub(super) fn rows(
        &self,
        input: &Input,
        references: &References,
    ) -> Result<Vec<Row>, Box<dyn Error>> {
        if !self.programs.is_empty() {
            fs::write(self.folder.path().join(PROBLEM), input.text()?)?;
        }
        let rows = self.programs.iter().map(|&program| self.row(program, input, references));
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn row(&self, program: Program, input: &Input, references: &References) -> io::Result<Row> {
        let reference = references.of(&input.name);
        let mut row = Row::new(program.name(), input, &reference);
        row.threads = self.threads;
        let (log, seconds) = self.run(program)?;
        (row.seconds, row.seconds_with_reading) = (seconds, seconds);
        let Some(log) = log else {
            row.verdict = Verdict::Limit;
            row.end = "limit".into();
            return Ok(row);
        };
        let Some(found) = program.parse(&log) else {
            row.fail(&log.lines().last().unwrap_or("nothing printed"));
            return Ok(row);
        };
        row.verdict = found.claim.verdict(&reference.known);
        (row.phase, row.end) = (found.phase.into(), found.end);
        let [primal, dual] = found.objectives;
        row.objectives(primal, dual, &reference);
        row.as_printed();
        row.relative_gap = found.relative_gap;
        [row.primal_infeasibility, row.dual_infeasibility] = found.infeasibilities;
        row.iterations = found.iterations;
        let [without, with] = found.seconds;
        row.seconds = without.unwrap_or(seconds);
        row.seconds_with_reading = with.unwrap_or(seconds);
        Ok(row)
    }

    /// What a program prints, unless time is over before, and seconds by the clock.
    fn run(&self, program: Program) -> io::Result<(Option<String>, f64)> {
        let began = Instant::now();
        let mut command = program.command(self.folder.path(), self.threads);
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let (sender, receiver) = mpsc::channel();
        if let Some(mut out) = child.stdout.take() {
            thread::spawn(move || {
                let mut log = Vec::new();
                let whole = out.read_to_end(&mut log).map(|_| log);
                // After the limit nobody listens.
                let _ = sender.send(whole);
            });
        }
        let log = match self.limit {
            Some(limit) => receiver.recv_timeout(limit).ok(),
            None => receiver.recv().ok(),
        };
        if log.is_none() {
            child.kill()?;
        }
        child.wait()?;
        let seconds = began.elapsed().as_secs_f64();
        let log = log.transpose()?;
        Ok((log.map(|log| String::from_utf8_lossy(&log).into_owned()), seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sdpa_is_read() {
        let log = "SDPA (Version 7) start\n   mu      thetaP\n 0 1.0e+04 1.0e+00\n\nphase.value  = pdOPT     \n   Iteration = 14\n          mu = +1.5e-08\nrelative gap = +2.5e-08\n        gap  = +2.5e-07\n     digits  = +7.5e+00\nobjValPrimal = -8.75e+00\nobjValDual   = +9.25e+00\np.feas.error = +1.5e-15\nd.feas.error = +1.75e-13\ntotal time   = 0.75\n  main loop time = 0.500000\n      total time = 0.750000\nfile   read time = 0.25\nALL TIME = 0.8\n";
        let expected = Found {
            claim: Claim::Solved,
            phase: "pdOPT",
            end: String::new(),
            objectives: ["-8.75e+00".into(), "9.25e+00".into()],
            relative_gap: Some(2.5e-8),
            infeasibilities: [Some(1.5e-15), Some(1.75e-13)],
            iterations: Some(14),
            seconds: [Some(0.5), Some(0.75)],
        };
        assert_eq!(Program::Sdpa.parse(log), Some(expected));
        let unbounded = log.replace("pdOPT", "dUNBD");
        assert_eq!(sdpa(&unbounded).unwrap().claim, Claim::PrimalInfeasible);
        assert_eq!(sdpa(&log.replace("pdOPT", "pdFEAS")).unwrap().claim, Claim::Nothing);
        assert_eq!(sdpa("SDPA start\nout of memory\n"), None);
    }

    #[test]
    fn csdp_is_read() {
        let log = "CSDP 6.2.0\nIter:  0 Ap: 0.00e+00 Pobj: -1.5e+02\nIter: 12 Ap: 9.59e-01 Pobj: -8.9e+00\nSuccess: SDP solved\nPrimal objective value: -8.75e+00 \nDual objective value: -8.5e+00 \nRelative primal infeasibility: 8.50e-13 \nRelative dual infeasibility: 1.50e-10 \nReal Relative Gap: 4.25e-10 \nXZ Relative Gap: 5.25e-10 \nDIMACS error measures: 9e-13 0 4e-10 0 4e-10 5e-10\n";
        let expected = Found {
            claim: Claim::Solved,
            phase: "pdOPT",
            end: "SDP solved".into(),
            objectives: ["-8.5e+00".into(), "-8.75e+00".into()],
            relative_gap: Some(4.25e-10),
            infeasibilities: [Some(1.5e-10), Some(8.5e-13)],
            iterations: Some(12),
            seconds: [None; 2],
        };
        assert_eq!(Program::Csdp.parse(log), Some(expected));
    }

    #[test]
    fn csdp_may_find_no_optimum() {
        let infeasible = "Iter:  7 Ap: 3.88e-04\nDeclaring dual infeasibility.\nSuccess: SDP is dual infeasible\nCertificate of dual infeasibility: tr(CX)=1.0\n";
        let found = csdp(infeasible).unwrap();
        assert_eq!((found.claim, found.phase), (Claim::PrimalInfeasible, "pINF_dFEAS"));
        assert_eq!((found.iterations, found.relative_gap), (Some(7), None));
        let found = csdp(&infeasible.replace("dual infeasible", "primal infeasible")).unwrap();
        assert_eq!(found.claim, Claim::DualInfeasible);
        let log = "Iter: 20 Ap: 0\nPartial Success: SDP solved with reduced accuracy\nDual objective value: 1.5e+00\n";
        let found = csdp(log).unwrap();
        assert_eq!((found.claim, found.phase), (Claim::Nothing, ""));
        assert_eq!(found.end, "SDP solved with reduced accuracy");
        assert_eq!(found.objectives[0], "1.5e+00");
        let stuck = csdp("Failure: stuck at edge of primal feasibility\n").unwrap();
        assert_eq!(stuck.claim, Claim::Nothing);
        assert_eq!(csdp("Couldn't open problem file for reading!\n"), None);
    }
}
