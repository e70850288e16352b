//! Known optima, and what others took for them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use nonius_num::Qd;
use serde::Deserialize;

/// Seconds of SDPA-DD with the products of M. Nakata, Y. Takao, S. Noda, R. Himeno, *A fast
/// implementation of matrix-matrix product in double-double precision on NVIDIA C2050 and
/// application to semidefinite programming*, 2011.
const PAPER: [(&str, f64); 12] = [
    ("equalG51", 573.0),
    ("gpp500-1", 72.0),
    ("gpp500-4", 75.0),
    ("maxG32", 4373.0),
    ("maxG55", 53413.0),
    ("mcp500-4", 65.0),
    ("qpG11", 1408.0),
    ("qpG51", 3299.0),
    ("ss30", 139.0),
    ("theta5", 240.0),
    ("theta6", 624.0),
    ("thetaG51", 4870.0),
];

/// Problems so badly posed that solvers do not agree on an optimum.
const UNSETTLED: [&str; 11] = [
    "hinf1", "hinf4", "hinf5", "hinf7", "hinf8", "hinf10", "hinf11", "hinf12", "hinf13", "hinf14",
    "hinf15",
];

/// What is known of a problem.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// Its optimum, as a decimal.
    Optimum(String),
    /// A decimal that solvers do not agree on.
    Unsettled(String),
    PrimalInfeasible,
    DualInfeasible,
    Nothing,
}

/// What a problem's row is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reference {
    pub(super) known: Known,
    /// Seconds of a solver in double-double arithmetic on one CPU.
    pub(super) dd_seconds: Option<f64>,
    /// The paper's.
    pub(super) paper_seconds: Option<f64>,
}

/// The references of all problems.
pub(super) struct References(BTreeMap<String, Entry>);

/// What the file says of a problem.
#[derive(Debug, Deserialize)]
struct Entry {
    /// The optimum of the library's own table, or what is infeasible.
    published: Option<String>,
    /// One of more digits.
    gmp_readme: Option<String>,
    sdpa_dd: Option<Run>,
}

#[derive(Debug, Deserialize)]
struct Run {
    time_s: Option<String>,
}

impl References {
    /// Reads the file, or that beside the folder; without either nothing is known.
    pub(super) fn find(file: Option<&Path>, folder: &Path) -> Result<Self, Box<dyn Error>> {
        match (file, beside(folder)) {
            (Some(path), _) => Self::read(path),
            (None, Some(path)) if path.exists() => Self::read(&path),
            _ => Ok(Self(BTreeMap::new())),
        }
    }

    fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let failed = |error: &dyn Error| format!("{}: {error}", path.display());
        let file = File::open(path).map_err(|error| failed(&error))?;
        let entries = serde_json::from_reader(BufReader::new(file));
        Ok(Self(entries.map_err(|error| failed(&error))?))
    }

    pub(super) fn of(&self, name: &str) -> Reference {
        let entry = self.0.get(name);
        let known = entry.map_or(Known::Nothing, |entry| entry.known(name));
        let dd = entry.and_then(|entry| entry.sdpa_dd.as_ref());
        Reference {
            known,
            dd_seconds: dd.and_then(|run| run.time_s.as_ref()?.parse().ok()),
            paper_seconds: PAPER.iter().find(|(paper, _)| *paper == name).map(|row| row.1),
        }
    }
}

/// `FOLDER_optima.json`
fn beside(folder: &Path) -> Option<PathBuf> {
    // Of `.` and `..` only the whole path has a name.
    let folder = folder.canonicalize().ok()?;
    let name = folder.file_name()?.to_string_lossy().into_owned();
    Some(folder.with_file_name(format!("{name}_optima.json")))
}

impl Entry {
    fn known(&self, name: &str) -> Known {
        match self.published.as_deref() {
            Some("primal infeasible") => return Known::PrimalInfeasible,
            Some("dual infeasible") => return Known::DualInfeasible,
            _ => {}
        }
        let optima = [&self.gmp_readme, &self.published].into_iter().flatten();
        let optimum = optima.into_iter().find(|text| half_unit(text).is_some());
        match optimum {
            Some(text) if UNSETTLED.contains(&name) => Known::Unsettled(text.clone()),
            Some(text) => Known::Optimum(text.clone()),
            None => Known::Nothing,
        }
    }
}

/// How far an objective agrees with a reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Digits {
    /// `−log10(|objective − reference| / max(1, |reference|))`
    pub(super) count: f64,
    /// Whether these are all that the reference has: the two differ by no more than half a unit of
    /// its last digit.
    pub(super) all: bool,
}

impl Known {
    /// The digits of an objective beside the optimum.
    pub(super) fn digits(&self, objective: &str) -> Option<Digits> {
        match self {
            Self::Optimum(text) | Self::Unsettled(text) => digits(objective, text),
            _ => None,
        }
    }
}

fn digits(objective: &str, reference: &str) -> Option<Digits> {
    let least = half_unit(reference)?;
    let [objective, reference] = [objective, reference].map(|text| text.parse::<Qd>().ok());
    let (objective, reference) = (objective?, reference?);
    let difference = (objective - reference).limbs()[0].abs();
    let scale = reference.limbs()[0].abs().max(1.0);
    let count = -(difference.max(least) / scale).log10();
    // Of an objective that is no number there are none.
    difference.is_finite().then_some(Digits { count, all: difference <= least })
}

/// The digits that a decimal has as it is printed, counted like those of a difference.
pub(super) fn printed(decimal: &str) -> Option<f64> {
    let value: f64 = decimal.parse().ok()?;
    Some(-(half_unit(decimal)? / value.abs().max(1.0)).log10())
}

/// Half a unit of a decimal's last digit; `None` of what is no decimal.
fn half_unit(text: &str) -> Option<f64> {
    let parsed: f64 = text.parse().ok()?;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().ok()?;
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    parsed.is_finite().then(|| 0.5 * 10_f64.powi(exponent - decimals as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half a unit of the fourth decimal, to which these tests state counts of digits.
    const DECIMALS: f64 = 5e-5;

    const FILE: &str = r#"{
        "arch0": {"gmp_readme": "5.6651727321592959e-01", "m": 174, "n": 335, "published": "5.66517e-01", "sdpa_dd": {"phase": "pdOPT", "time_s": "10.906"}},
        "maxG55": {"gmp_readme": "-", "published": "9.999210e+03"},
        "hinf12": {"gmp_readme": "1.5875842644916031e-13", "published": "2e-1", "sdpa_dd": {"time_s": "2.220"}},
        "infp1": {"gmp_readme": "2.99e+02", "published": "primal infeasible", "sdpa_gmp": {"phase": "dUNBD"}},
        "infd1": {"published": "dual infeasible"}
    }"#;

    fn references() -> References {
        let folder = tempfile::tempdir().unwrap();
        let problems = folder.path().join("some");
        std::fs::create_dir(&problems).unwrap();
        assert!(References::find(None, &problems).unwrap().0.is_empty());
        std::fs::write(folder.path().join("some_optima.json"), FILE).unwrap();
        References::find(None, &problems).unwrap()
    }

    #[test]
    fn references_are_read() {
        let references = references();
        let arch0 = references.of("arch0");
        assert_eq!(arch0.known, Known::Optimum("5.6651727321592959e-01".into()));
        assert_eq!(arch0.dd_seconds, Some(10.906));
        assert_eq!(arch0.paper_seconds, None);
        let large = references.of("maxG55");
        assert_eq!(large.known, Known::Optimum("9.999210e+03".into()));
        assert_eq!((large.dd_seconds, large.paper_seconds), (None, Some(53413.0)));
        assert_eq!(
            references.of("hinf12").known,
            Known::Unsettled("1.5875842644916031e-13".into())
        );
        assert_eq!(references.of("infp1").known, Known::PrimalInfeasible);
        assert_eq!(references.of("infd1").known, Known::DualInfeasible);
        assert_eq!(references.of("truss1").known, Known::Nothing);
    }

    #[test]
    fn a_file_that_is_named_has_to_be_there() {
        let folder = tempfile::tempdir().unwrap();
        assert!(References::find(Some(&folder.path().join("none.json")), folder.path()).is_err());
        let file = folder.path().join("broken.json");
        std::fs::write(&file, "{").unwrap();
        assert!(References::find(Some(&file), folder.path()).is_err());
    }

    #[test]
    fn digits_are_relative_to_large_optima_and_absolute_beside_small_ones() {
        let near = |objective: &str, reference: &str, count: f64, all: bool| {
            let digits = digits(objective, reference).unwrap();
            assert!((digits.count - count).abs() < DECIMALS, "{digits:?}");
            assert_eq!(digits.all, all, "{objective} {reference}");
        };
        near("2010", "2.0000000e+03", 2.3010, false);
        near("-2010.0", "-2.0000000e+03", 2.3010, false);
        near("0.0010001", "0.0010000000", 7.0, false);
        near("1900", "-2.0000000e+03", -0.2900, false);
        // Digits that f64 does not have.
        near("2.30000000000000000000001e1", "2.300000000000000000000000000e+01", 23.3617, false);
        // Not more than the reference has: half a unit of 2.3000 is 2.2e-5 of it.
        near("2.3", "2.3000", 4.6628, true);
        near("2.30004e0", "2.3000e0", 4.6628, true);
        near("2.30006e0", "2.3000e0", 4.5836, false);
        near("-1567.01879215614490001", "-1.5670187921561449e+03", 16.4961, true);
    }

    #[test]
    fn a_decimal_has_the_digits_that_are_printed() {
        let near = |text: &str, count: f64| {
            let digits = printed(text).unwrap();
            assert!((digits - count).abs() < DECIMALS, "{digits}");
        };
        near("2.3000000e+01", 7.6628);
        near("-5.0e-03", 4.3010);
        assert_eq!(printed("stuck"), None);
    }

    #[test]
    fn there_are_no_digits_without_numbers() {
        assert_eq!(digits("NaN", "1.0"), None);
        assert_eq!(digits("1.0", "-"), None);
        assert_eq!(digits("", "1.0"), None);
        assert_eq!(digits("1.0", "primal infeasible"), None);
        assert_eq!(Known::Nothing.digits("1.0"), None);
        assert_eq!(Known::PrimalInfeasible.digits("1.0"), None);
    }
}
