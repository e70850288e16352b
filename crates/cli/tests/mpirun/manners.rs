//! Who speaks, and how all ranks end.

use std::fs;

use crate::{Folder, NONIUS, PATIENCE};

/// Runs a shell's command on ranks, which it may tell apart.
fn apart(folder: &Folder, ranks: &str, script: &str) -> crate::Ran {
    folder.run("mpirun", &["-n", ranks, "sh", "-c", script, NONIUS])
}

#[test]
fn the_first_rank_alone_speaks() {
    let folder = Folder::new();
    for (command, head) in [
        ("--version", "nonius "),
        ("help solve", "Solve "),
        ("schema info", "{"),
        ("info", "nonius "),
        ("solve a.mtx", "A  "),
        ("sdp program.dat-s", "   #  "),
    ] {
        let ran = folder.on_ranks(3, command).success();
        assert!(ran.out.starts_with(head), "{command}: {}", ran.out);
        assert_eq!(ran.out.matches(head).count(), folder.alone(command).out.matches(head).count());
    }
    let report = folder.on_ranks(3, "info --json").success().out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["ranks"], 3);
    assert!(report["mpi"].is_string() && folder.alone("info").out.contains("1 rank\n"));
    let report = folder.on_ranks(2, "solve a.mtx --json --threads 1").success().out;
    serde_json::from_str::<serde_json::Value>(&report).unwrap();
    let text = folder.on_ranks(2, "solve a.mtx --threads 1 --device cpu").success().out;
    assert!(text.contains("cpu, 2 ranks of 1 thread\n"), "{text}");
}

/// What all ranks find wrong is told once; all end with its exit status.
#[test]
fn failures_of_all_are_told_once() {
    let folder = Folder::new();
    fs::write(folder.path().join("bad.mtx"), "no matrix").unwrap();
    for command in [
        "solve missing.mtx",
        "solve bad.mtx",
        "solve a.mtx --rhs long.mtx",
        "solve singular.mtx",
        "solve a.mtx --precision xy",
        "solve a.mtx --device cuda:99",
        "nothing",
    ] {
        let (alone, ran) = (folder.alone(command), folder.on_ranks(3, command));
        assert_eq!(ran.sentences(), alone.sentences(), "{command}: {}", ran.err);
        assert_eq!((ran.sentences().len(), ran.code), (1, alone.code), "{command}: {}", ran.err);
    }
    for (command, sentence) in [
        ("eigen s.mtx", "nonius: `nonius eigen` is not shared by ranks: start one process"),
        (
            "determinant a.mtx",
            "nonius: `nonius determinant` is not shared by ranks: start one process",
        ),
        ("solve -", "nonius: standard input reaches one of several ranks: give a file"),
    ] {
        let ran = folder.on_ranks(2, command);
        assert_eq!((ran.sentences(), ran.code), (vec![sentence], 2), "{}", ran.err);
    }
}

/// A full file system ends all ranks.
#[test]
fn the_first_rank_cannot_write() {
    let folder = Folder::new();
    let ran = folder.on_ranks(3, "solve a.mtx --precision dd -o /dev/full");
    let sentence = "nonius: rank 0: /dev/full: cannot be written: no space left on the device";
    assert_eq!(ran.sentences().len(), 1, "{}", ran.err);
    assert!(ran.err.contains("rank 0: /dev/full: "), "{sentence}: {}", ran.err);
    assert!(ran.err.contains("no space left on the device"), "{}", ran.err);
    assert_eq!(ran.code, 2);
}

/// The others, which wait for what one rank cannot read, are ended.
#[test]
fn a_rank_fails() {
    let folder = Folder::new();
    let script = r#"if [ $OMPI_COMM_WORLD_RANK = 1 ]; then file=missing.mtx; else file=a.mtx; fi
        exec "$0" solve $file"#;
    let ran = apart(&folder, "3", script);
    let sentence = "nonius: rank 1: missing.mtx: cannot be opened: no such file";
    assert_eq!((ran.sentences(), ran.code), (vec![sentence], 2), "{}", ran.err);
}

/// `mpirun` names a process that dies, and ends the others.
#[test]
fn a_rank_dies() {
    let folder = Folder::new();
    let script = r#"if [ $OMPI_COMM_WORLD_RANK = 1 ]; then (sleep 2; kill -9 $$) & fi
        exec "$0" cg long.mtx --precision mp2048 --rtol 0 --max-iterations 100000000"#;
    let ran = apart(&folder, "3", script);
    assert!(ran.code != 0 && ran.err.contains("rank 1"), "after {PATIENCE:?}: {}", ran.err);
}

/// A launcher of another MPI starts processes that would each do all of the work.
#[test]
fn processes_that_are_not_joined_are_refused() {
    let folder = Folder::new();
    let script = r#"PMI_SIZE=2 PMI_RANK=0 exec "$0" solve a.mtx"#;
    let ran = folder.run("sh", &["-c", script, NONIUS]);
    assert!(ran.code == 2 && ran.err.contains("MPI has joined none of them"), "{}", ran.err);
}
