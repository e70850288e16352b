//! What the chores compile: the same crates with the same features, so that none is compiled twice.

use crate::house;

/// Where it is set, what tests run has the feature `mpi`, as `cargo xtask mpi` needs it.
const WITH_MPI: &str = "NONIUS_WITH_MPI";

/// Packages and features of a build.
#[derive(Clone, Copy)]
pub(crate) enum Selection {
    /// All crates but the one that needs MPFR, with MPI where that is asked for.
    WithoutMpfr,
    /// The same without MPI.
    WithoutMpi,
    /// The same with MPI.
    WithMpi,
    /// The tests that need MPFR. Their crate alone would have other features, and all below it
    /// would be compiled again.
    AgainstMpfr,
}

/// Whether all that is compiled has MPI.
pub(crate) fn has_mpi() -> bool {
    std::env::var_os(WITH_MPI).is_some_and(|value| !value.is_empty())
}

impl Selection {
    /// The arguments of cargo for a command, its own arguments behind them.
    pub(crate) fn of<'a>(self, command: &[&'a str], own: &[&'a str]) -> Vec<&'a str> {
        let without_mpfr = ["--workspace", "--exclude", house::ORACLE];
        let (crates, with_mpi) = match self {
            Self::WithoutMpfr => (without_mpfr, has_mpi()),
            Self::WithoutMpi => (without_mpfr, false),
            Self::WithMpi => (without_mpfr, true),
            Self::AgainstMpfr => (["--workspace", "--test", "mpfr"], has_mpi()),
        };
        let features: &[&str] = if with_mpi { &["--features", "nonius-cli/mpi"] } else { &[] };
        [command, &crates, features, own].concat()
    }
}
