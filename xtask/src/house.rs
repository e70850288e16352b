//! The house's plan: which crates there are, and what each may use.
//!
//! `{num, files} ← linalg ← cuda ← {sdp, option, fem} ← nonius ← {cli, python, capi, bench}`,
//! `gpu ← cuda`; `{linalg, cuda} ← comm ← {sdp, option, fem, nonius, bench}`;
//! `files ← figures ← {fem, cli, bench}`; `testkit` stands beside `linalg` and only tests use it. A
//! change to this table is a decision: the same commit changes the table in ARCHITECTURE.md and
//! records the decision in docs/decisions.

/// What one crate may be and use.
pub(crate) struct Room {
    pub(crate) name: &'static str,
    /// Its folder, relative to the root.
    pub(crate) folder: &'static str,
    /// Crates of this workspace that it may depend on.
    pub(crate) may_use: &'static [&'static str],
    /// The only crates from outside that it may depend on, tests apart; any where not given.
    pub(crate) outside: Option<&'static [&'static str]>,
    /// Its cargo features. None of them changes a result or narrows a bound.
    pub(crate) features: &'static [&'static str],
    /// Whether users find it in the registry.
    pub(crate) published: bool,
    /// Whether a plain `cargo build` builds it: it needs no GPU, no Python and no peer library.
    pub(crate) builds_by_default: bool,
    /// Why the limits are as they are; ends a message about a broken one.
    pub(crate) because: &'static str,
}

const NUM: &str = "nonius-num";
const FILES: &str = "nonius-files";
const FIGURES: &str = "nonius-figures";
const GPU: &str = "nonius-gpu";
const COMM: &str = "nonius-comm";
const LINALG: &str = "nonius-linalg";
const CUDA: &str = "nonius-cuda";
const SDP: &str = "nonius-sdp";
const OPTION: &str = "nonius-option";
const FEM: &str = "nonius-fem";
const NONIUS: &str = "nonius";
/// Generators, error bounds and conformance suites for tests.
pub(crate) const TESTKIT: &str = "nonius-testkit";
const PYTHON: &str = "nonius-python";
const CAPI: &str = "nonius-capi";
const BENCH: &str = "nonius-bench";
const FUZZ: &str = "nonius-fuzz";
/// Tests against MPFR.
pub(crate) const ORACLE: &str = "nonius-oracle";

const APPLICATION: Room = Room {
    name: "",
    folder: "",
    may_use: &[NUM, FILES, GPU, COMM, LINALG, CUDA],
    outside: None,
    features: &["default", "cuda"],
    published: true,
    builds_by_default: true,
    because: "an application owns its subject from the words of a user down to its kernels",
};

/// Every crate that may exist.
pub(crate) const ROOMS: &[Room] = &[
    Room {
        name: NUM,
        folder: "crates/num",
        may_use: &[],
        outside: Some(&["libm", "num-traits", "serde"]),
        features: &["default", "std", "serde"],
        published: true,
        builds_by_default: true,
        because: "the scalars stand alone: no threads, no devices, no_std",
    },
    Room {
        name: FILES,
        folder: "crates/files",
        may_use: &[],
        features: &["default"],
        because: "files and machines are read and written; no numerics",
        ..APPLICATION
    },
    Room {
        name: FIGURES,
        folder: "crates/figures",
        may_use: &[FILES],
        outside: Some(&["ab_glyph", "plotters", "png"]),
        features: &["default"],
        because: "figures are drawn in one place, and know nothing of what they show",
        ..APPLICATION
    },
    Room {
        name: LINALG,
        folder: "crates/linalg",
        may_use: &[NUM, FILES],
        features: &["default", "serde"],
        because: "the algorithms name no device; backends implement linalg's traits",
        ..APPLICATION
    },
    Room {
        name: GPU,
        folder: "crates/gpu",
        may_use: &[],
        features: &["default"],
        because: "the runtime of GPUs knows no numerics",
        ..APPLICATION
    },
    Room {
        name: COMM,
        folder: "crates/comm",
        may_use: &[NUM, LINALG, GPU, CUDA],
        outside: Some(&["bytemuck", "mpi"]),
        features: &["default", "cuda", "mpi"],
        because: "ranks carry numbers, and are one backend of linalg's algorithms",
        ..APPLICATION
    },
    Room {
        name: CUDA,
        folder: "crates/cuda",
        may_use: &[NUM, FILES, GPU, LINALG],
        features: &["default"],
        because: "a backend implements linalg's traits and knows no application",
        ..APPLICATION
    },
    Room {
        name: SDP,
        folder: "crates/sdp",
        may_use: &[NUM, FILES, GPU, COMM, LINALG, CUDA],
        ..APPLICATION
    },
    Room { name: OPTION, folder: "crates/option", ..APPLICATION },
    Room {
        name: FEM,
        folder: "crates/fem",
        may_use: &[NUM, FILES, FIGURES, GPU, COMM, LINALG, CUDA],
        ..APPLICATION
    },
    Room {
        name: NONIUS,
        folder: "crates/nonius",
        may_use: &[NUM, FILES, GPU, COMM, LINALG, CUDA, SDP, OPTION, FEM],
        features: &["default", "cuda", "mpi", "serde"],
        because: "the facade stands above the engines and below the front ends",
        ..APPLICATION
    },
    Room {
        name: "nonius-cli",
        folder: "crates/cli",
        may_use: &[FIGURES, NONIUS],
        outside: Some(&[
            "anstream",
            "anstyle",
            "clap",
            "clap_complete",
            "clap_mangen",
            "ctrlc",
            "indicatif",
            "schemars",
            "serde",
            "serde_json",
            "signal-hook",
        ]),
        features: &["default", "cuda", "mpi"],
        because: "the program does arguments, files, progress and pictures; numerics live behind nonius",
        ..APPLICATION
    },
    Room {
        name: PYTHON,
        folder: "crates/python",
        may_use: &[NONIUS],
        outside: Some(&["numpy", "pyo3", "pyo3-build-config"]),
        features: &["default", "abi3", "cuda", "extension-module"],
        published: false,
        builds_by_default: false,
        because: "the bindings convert arguments; numerics live behind nonius",
    },
    Room {
        name: CAPI,
        folder: "crates/capi",
        may_use: &[NONIUS],
        outside: Some(&[]),
        features: &["default"],
        published: false,
        builds_by_default: false,
        because: "the C interface converts arguments; numerics live behind nonius",
    },
    Room {
        name: TESTKIT,
        folder: "crates/testkit",
        may_use: &[NUM, FILES, GPU, LINALG],
        features: &["default"],
        published: false,
        builds_by_default: false,
        because: "the test kit serves the tests of every backend and depends on none",
        ..APPLICATION
    },
    Room {
        name: BENCH,
        folder: "crates/bench",
        may_use: &[NUM, FILES, FIGURES, GPU, LINALG, CUDA, COMM, SDP, OPTION, FEM, NONIUS, TESTKIT],
        features: &["default", "cuda"],
        published: false,
        builds_by_default: false,
        because: "benchmarks stand above everything",
        ..APPLICATION
    },
    Room {
        name: FUZZ,
        folder: "crates/fuzz",
        may_use: &[NUM, FILES, LINALG, SDP, OPTION, FEM, NONIUS],
        published: false,
        builds_by_default: false,
        because: "targets read bytes through what users call",
        ..APPLICATION
    },
    Room {
        name: ORACLE,
        folder: "oracle",
        may_use: &[NUM, LINALG, NONIUS, TESTKIT],
        features: &["default"],
        published: false,
        builds_by_default: false,
        because: "the judge is MPFR, and the rest of the workspace builds without it",
        ..APPLICATION
    },
    Room {
        name: "xtask",
        folder: "xtask",
        may_use: &[],
        published: false,
        builds_by_default: false,
        because: "chores must run when the crates do not build",
        ..APPLICATION
    },
];

/// Outside crates that belong to one place only.
pub(crate) struct Confined {
    pub(crate) crates: &'static [&'static str],
    pub(crate) only_in: &'static str,
    pub(crate) because: &'static str,
}

/// Who alone may use what.
pub(crate) const CONFINED: &[Confined] = &[
    Confined {
        crates: &["cubecl", "cudarc", "cust", "ocl", "opencl3", "wgpu"],
        only_in: GPU,
        because: "devices are reached through one runtime",
    },
    Confined { crates: &["mpi"], only_in: COMM, because: "everything else builds without MPI" },
    Confined {
        crates: &["ab_glyph", "plotters"],
        only_in: FIGURES,
        because: "figures are drawn in one place",
    },
    Confined {
        crates: &["numpy", "pyo3", "pyo3-build-config"],
        only_in: PYTHON,
        because: "everything else builds without Python",
    },
    Confined {
        crates: &["gmp-mpfr-sys", "rug"],
        only_in: ORACLE,
        because: "GMP and MPFR are C libraries under the LGPL; everything else builds without them",
    },
];

/// The plan for the crate of that name.
pub(crate) fn room(name: &str) -> Option<&'static Room> {
    ROOMS.iter().find(|room| room.name == name)
}
