//! What a launcher of MPI says of the processes that it has started.

use std::env;

/// This process among those that a launcher has started, as far as it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// How many processes there are.
    pub size: Option<usize>,
    /// This one among them, counted from 0.
    pub rank: Option<usize>,
}

/// Variables with the number of processes: of Open MPI; of MPICH, Intel MPI and Slurm's PMI-2; of
/// Slurm's `srun`.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];
/// Variables with the number of this process, the last one also of a batch script of Slurm, which
/// is no launch: what `srun` starts within it is.
const RANKS: [&str; 4] = ["OMPI_COMM_WORLD_RANK", "PMI_RANK", PMIX, "SLURM_PROCID"];
/// That of PMIx, which has no variable for their number.
const PMIX: &str = "PMIX_RANK";

impl Launch {
    /// What the environment says; `None` where no launcher has started this process, which then
    /// needs no MPI.
    pub fn of_this_process() -> Option<Self> {
        Self::read(|name| env::var(name).ok())
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let number = |name: &&str| variable(name)?.parse().ok();
        let (size, rank) = (SIZES.iter().find_map(number), RANKS.iter().find_map(number));
        (size.is_some() || number(&PMIX).is_some()).then_some(Self { size, rank })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Option<Launch> {
        Launch::read(|name| {
            let found = variables.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_string())
        })
    }

    #[test]
    fn launchers_are_known_by_their_variables() {
        let launch = |size, rank| Some(Launch { size, rank });
        assert_eq!(read(&[]), None);
        let open = [("OMPI_COMM_WORLD_SIZE", "4"), ("OMPI_COMM_WORLD_RANK", "2")];
        assert_eq!(read(&open), launch(Some(4), Some(2)));
        assert_eq!(read(&[("PMI_RANK", "0"), ("PMI_SIZE", "1")]), launch(Some(1), Some(0)));
        assert_eq!(read(&[("PMIX_RANK", "3")]), launch(None, Some(3)));
        // A batch script, and a step within it.
        assert_eq!(read(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "8")]), None);
        let step = [("SLURM_STEP_NUM_TASKS", "8"), ("SLURM_PROCID", "5")];
        assert_eq!(read(&step), launch(Some(8), Some(5)));
        let with_pmix = [("SLURM_STEP_NUM_TASKS", "8"), ("PMIX_RANK", "5")];
        assert_eq!(read(&with_pmix), launch(Some(8), Some(5)));
    }
}
