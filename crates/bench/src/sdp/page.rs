//! A page with the table of a library, from the raw results of runs: each problem in `dd` on a GPU
//! and on a CPU with the papers' seconds beside, in more bits, and in `f64` beside the peers.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Deserialize;

/// What the page has of a row of `problems.csv`.
#[derive(Clone, Debug, Deserialize)]
struct Run {
    library: String,
    precision: String,
    problem: String,
    constraints: usize,
    order: usize,
    verdict: String,
    phase: String,
    digits: Option<f64>,
    all_digits: bool,
    settled: bool,
    relative_gap: Option<f64>,
    iterations: Option<u64>,
    by_precision: String,
    seconds: Option<f64>,
    seconds_with_reading: Option<f64>,
    dd_seconds: Option<f64>,
    paper_seconds: Option<f64>,
}

/// Runs by precision and library, for each problem; of repeated ones the last.
type Runs = BTreeMap<(String, String), Run>;

/// Prints the page of the runs in these folders.
pub(crate) fn print(folders: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    let mut problems: BTreeMap<String, Runs> = BTreeMap::new();
    for folder in folders {
        let path = folder.join("sdp").join("problems.csv");
        let failed = |error: csv::Error| format!("{}: {error}", path.display());
        for run in csv::Reader::from_path(&path).map_err(failed)?.deserialize() {
            let run: Run = run.map_err(failed)?;
            let key = (run.precision.clone(), run.library.clone());
            problems.entry(run.problem.clone()).or_default().insert(key, run);
        }
    }
    let mut rows: Vec<Runs> = problems.into_values().collect();
    rows.sort_by(|a, b| work(a).total_cmp(&work(b)));
    let page = [double_double(&rows), more_bits(&rows), double(&rows)].join("\n");
    print!("{page}");
    Ok(())
}

/// What a problem costs, about, as the bench orders them.
fn work(runs: &Runs) -> f64 {
    let cube = |n: usize| (n as f64).powi(3);
    let cost = |run: &Run| cube(run.constraints) / 3.0 + 20.0 * cube(run.order);
    runs.values().map(cost).fold(0.0, f64::max)
}

fn get<'a>(runs: &'a Runs, precision: &str, library: &str) -> Option<&'a Run> {
    runs.get(&(precision.into(), library.into()))
}

fn cell<N: Copy>(number: Option<N>, text: impl Fn(N) -> String) -> String {
    number.map_or_else(String::new, text)
}

fn seconds(seconds: Option<f64>) -> String {
    let digits = |s: f64| [0.1, 10.0].iter().filter(|&&x| s < x).count();
    cell(seconds, |s| format!("{s:.*}", [0, 2, 3][digits(s)]))
}

/// Digits of the primal objective: `≥` where the reference has no more, `?` where solvers do not
/// agree on it.
fn digits(run: &Run) -> String {
    let mark = if run.settled { "" } else { "?" };
    let more = if run.all_digits { "≥ " } else { "" };
    cell(run.digits, |digits| format!("{more}{digits:.1}{mark}"))
}

fn phase(run: &Run) -> String {
    let ended = match run.verdict.as_str() {
        "flat" => ", little interior",
        "limit" => ", stopped",
        _ => "",
    };
    format!("{}{ended}", run.phase)
}

/// The gap, where there is an optimum.
fn gap(run: &Run) -> String {
    let gap = run.relative_gap.filter(|_| run.verdict != "infeasible");
    cell(gap, |gap| format!("{gap:.0e}"))
}

fn double_double(rows: &[Runs]) -> String {
    let mut text = String::from(
        "| | m | n | phase | gap | digits | iterations | H200, s | CPU, s | SDPA-DD on a CPU, s | SDPA-DD and a C2050, 2011, s |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for runs in rows {
        let (gpu, cpu) = (get(runs, "dd", "nonius-cuda"), get(runs, "dd", "nonius"));
        let Some(run) = gpu.or(cpu) else { continue };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            run.problem,
            run.constraints,
            run.order,
            phase(run),
            gap(run),
            digits(run),
            run.by_precision,
            seconds(gpu.and_then(|run| run.seconds)),
            seconds(cpu.and_then(|run| run.seconds)),
            seconds(run.dd_seconds),
            cell(run.paper_seconds, |s| format!("{s:.0}")),
        );
    }
    text
}

fn more_bits(rows: &[Runs]) -> String {
    let mut text = String::from(
        "| | precision | phase | gap | digits | iterations | device | s |\n|---|---|---|---|---|---|---|---|\n",
    );
    for runs in rows {
        for run in runs.values().filter(|run| !matches!(run.precision.as_str(), "f64" | "dd")) {
            let device = if run.library == "nonius-cuda" { "H200" } else { "CPU" };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {device} | {} |",
                run.problem,
                run.precision,
                phase(run),
                gap(run),
                digits(run),
                run.by_precision,
                seconds(run.seconds),
            );
        }
    }
    text
}

fn double(rows: &[Runs]) -> String {
    let mut text = String::from(
        "| | phase | gap | digits | iterations | s | SDPA: phase | digits | s | CSDP: phase | digits | s |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for runs in rows {
        let Some(ours) = get(runs, "f64", "nonius") else { continue };
        let _ = write!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            ours.problem,
            phase(ours),
            gap(ours),
            digits(ours),
            cell(ours.iterations, |n| n.to_string()),
            cell(ours.seconds_with_reading, |s| format!("{s:.3}")),
        );
        for peer in ["sdpa", "csdp"] {
            let run = get(runs, "f64", peer);
            let text_of = |of: &dyn Fn(&Run) -> String| run.map_or_else(String::new, of);
            let _ = write!(
                text,
                " {} | {} | {} |",
                text_of(&|run| if run.verdict == "limit" {
                    "not in time".into()
                } else {
                    run.phase.clone()
                }),
                text_of(&digits),
                text_of(&|run| cell(run.seconds_with_reading, |s| format!("{s:.3}"))),
            );
        }
        text.push('\n');
    }
    text
}
