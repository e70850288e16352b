//! What the chores compile: the same crates with the same features, so that none is compiled twice.

use crate::house;

/// Where it is set, what tests run has the feature `mpi`, as `cargo xtask mpi` needs it.
const WITH_MPI: &str = "NONIUS_WITH_MPI";
const MPI: [&str; 2] = ["--features", "nonius-cli/mpi"];

/// Whether all that is compiled has MPI.
pub(crate) fn has_mpi() -> bool {
    std::env::var_os(WITH_MPI).is_some_and(|value| !value.is_empty())
}

/// Packages and features of a build.
#[derive(Clone, Copy)]
pub(crate) enum Selection {
    /// All crates but the one that needs MPFR.
    WithoutMpfr,
    /// The same with MPI.
    WithMpi,
    /// The tests that need MPFR. Their crate alone would have other features, and all below it
    /// would be compiled again.
    AgainstMpfr,
}

impl Selection {
    /// The arguments of cargo for a command, its own arguments behind them.
    pub(crate) fn of<'a>(self, command: &[&'a str], own: &[&'a str]) -> Vec<&'a str> {
        let crates: &[&str] = match self {
            Self::WithoutMpfr | Self::WithMpi => &["--workspace", "--exclude", house::ORACLE],
            Self::AgainstMpfr => &["--workspace", "--test", "mpfr"],
        };
        let features = if has_mpi() || matches!(self, Self::WithMpi) { &MPI[..] } else { &[] };
        [command, crates, features, own].concat()
    }
}
