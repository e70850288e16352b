//! Runs on ranks compared with runs on one device.

use std::path::Path;

use nonius_comm::Communicator;
use nonius_comm::dense::{Grid, Ranks};
use nonius_files::packed::open;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::Products;
use nonius_sdp::certify::Certificate;
use nonius_sdp::input::read_sparse;
use nonius_sdp::solver::Phase;
use nonius_sdp::{
    Checkpoint, Error, FetchPoint, Fingerprint, Machine, Options, Problem, Report, Row, Start,
    prove, solve_on,
};

/// What a run found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// With the bits of all numbers.
    report: String,
    /// The last point, exactly.
    pub(crate) last: Vec<u8>,
    /// The points that whoever watched the run asked for.
    pub(crate) points: Vec<Vec<u8>>,
}

/// Products without residues, as they are on ranks.
pub(crate) fn alone() -> Cpu {
    Cpu::new(Products::direct())
}

/// The order of tiles, of which the Schur complements here have several.
pub(crate) fn shared(ranks: &Communicator) -> Ranks<Cpu> {
    Ranks::new(Grid::new(ranks, 16), alone()).expect("all ranks are there")
}

pub(crate) fn options(precision: &str) -> Options {
    Options { precision: precision.parse().unwrap(), ..Options::default() }
}

/// A run from a file's bytes on, or from the beginning, up to an iteration. Every third point is
/// asked for.
pub(crate) fn run<M: Machine>(
    machine: &M,
    problem: &Problem,
    options: &Options,
    from: Option<&[u8]>,
    up_to: u64,
) -> Result<Found, Error> {
    let of = Fingerprint::of(problem);
    let bytes = |point, iterations| {
        let mut bytes = Vec::new();
        Checkpoint { point, iterations }.write(&mut bytes, &of).unwrap();
        bytes
    };
    let start = from.map(|bytes| Start::Checkpoint(Checkpoint::read(bytes, problem).unwrap()));
    let mut points = Vec::new();
    let mut observe = |row: &Row, fetch: FetchPoint<'_>| {
        if row.number.is_multiple_of(3) {
            points.push(bytes(fetch().unwrap(), row.number));
        }
        row.number < up_to
    };
    let (report, point) = solve_on(machine, problem, options, start, &mut observe)?;
    let last = bytes(point, report.iterations);
    Ok(Found { report: without_seconds(report), last, points })
}

/// All that is said in decimals that tell every number apart.
fn without_seconds(mut report: Report) -> String {
    report.seconds = 0.0;
    report.history.iter_mut().for_each(|row| row.seconds = 0.0);
    format!("{report:?}")
}

/// A proof from a file's bytes, without the seconds that it took.
pub(crate) fn proved<M: Machine>(
    machine: &M,
    problem: &Problem,
    from: &[u8],
) -> Result<Certificate, Error> {
    let point = Checkpoint::read(from, problem).unwrap().point;
    let certificate = prove(machine, problem, (&point, Phase::Optimal))?;
    Ok(Certificate { seconds: 0.0, ..certificate })
}

/// A run on ranks finds what one device found: all that the first rank hears of, and all else on
/// every rank.
pub(crate) fn assert_same(ranks: &Communicator, found: &Found, one: &Found) {
    assert_eq!(found.report, one.report, "{ranks:?}");
    assert!(found.last == one.last, "{ranks:?}: the last point");
    let heard = if ranks.rank() == 0 { &one.points[..] } else { &[] };
    assert!(found.points == heard, "{ranks:?}: points on the way");
}

/// Runs through all precisions up to one, and the proof.
pub(crate) fn check(
    ranks: &Communicator,
    problem: &Problem,
    precisions: &[&str],
) -> Result<(), Error> {
    let machine = shared(ranks);
    for precision in precisions {
        let options = options(precision);
        let one = run(&alone(), problem, &options, None, u64::MAX)?;
        assert!(one.points.len() > 3);
        assert_same(ranks, &run(&machine, problem, &options, None, u64::MAX)?, &one);
        let proof = proved(&alone(), problem, &one.last)?;
        assert!(proof.digits().is_some_and(|digits| digits > 4.0), "{proof:?}");
        assert_eq!(proved(&machine, problem, &one.last)?, proof, "{ranks:?}");
    }
    Ok(())
}

/// Problems of SDPLIB.
pub(crate) fn sdplib(name: &str) -> Problem {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sdplib");
    let file = open(&folder.join(format!("{name}.dat-s.xz"))).unwrap();
    read_sparse(file).unwrap()
}
