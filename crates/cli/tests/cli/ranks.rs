//! Processes that a launcher has started, and all GPUs.

use crate::nonius;

#[cfg(not(feature = "mpi"))]
mod without_mpi {
    use std::process::Command;

    use crate::Ran;

    /// A run as Open MPI's launcher would start it.
    fn launched(size: &str, rank: &str, arguments: &[&str]) -> Ran {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_nonius"));
        let command = command.args(&arguments);
        let command = command.env("OMPI_COMM_WORLD_SIZE", size).env("OMPI_COMM_WORLD_RANK", rank);
        Ran::of(&arguments, command.output().unwrap())
    }

    /// A program without MPI does not do the work of one process several times.
    #[test]
    fn several_processes_need_mpi() {
        let first = launched("4", "0", &["info"]);
        let sentence = "nonius: 4 processes were started, and this program is built without MPI: start one, or build it with the feature mpi\n";
        assert_eq!((first.code, first.err.as_str(), first.out.as_str()), (2, sentence, ""));
        let other = launched("4", "2", &["info"]);
        assert_eq!((other.code, other.err.as_str(), other.out.as_str()), (2, "", ""));
        let alone = launched("1", "0", &["info"]).success();
        assert!(alone.contains("\nMPI                   not built in"));
    }
}

/// Without a GPU, all of them are refused as one is.
#[test]
fn all_gpus() {
    let refused = |device| nonius(["solve", "a", "--device", device]);
    let report = nonius(["info", "--json", "--device", "cuda:all"]).json();
    assert_eq!(report["device"], "cuda:all");
    assert_eq!(report["device_available"], report["no_gpu"].is_null());
    if report["device_available"] == false {
        let [all, one] = ["cuda:all", "cuda"].map(refused);
        assert_eq!((all.code, all.err), (2, one.err));
    }
}
