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

/// Variables with the number of processes and with that of this one: of Open MPI, of MPICH, Intel
/// MPI and Slurm's PMI-2, of PMIx, and of Slurm's `srun` without any of them.
const VARIABLES: [(&str, &str); 4] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("", "PMIX_RANK"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
];

impl Launch {
    /// What the environment says; `None` where no launcher has started this process, which then
    /// needs no MPI.
    pub fn of_this_process() -> Option<Self> {
        Self::read(|name| env::var(name).ok())
    }

    /// A batch script of Slurm is no launch: what `srun` starts within it is.
    fn read(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let number = |name: &str| variable(name)?.parse().ok();
        let said = VARIABLES.map(|(size, rank)| Self { size: number(size), rank: number(rank) });
        let of_slurm = said.len() - 1;
        let is_launch = |(i, launch): &(usize, Self)| {
            launch.size.is_some() || (*i < of_slurm && launch.rank.is_some())
        };
        said.into_iter().enumerate().find(is_launch).map(|(_, launch)| launch)
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
    }
}
