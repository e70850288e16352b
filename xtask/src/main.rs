//! `cargo xtask <chore>`: what a contributor and continuous integration run.

mod capi;
mod cargo;
mod check_deps;
mod check_widths;
mod check_words;
mod command;
mod dist;
mod docs;
mod emulate;
mod error;
mod gpu_bundle;
mod house;
mod mpi;
mod package;
mod python;
mod selection;
mod tools;
mod walk;
mod wheel;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use error::Error;
use selection::Selection;

const USAGE: &str = "\
usage: cargo xtask <chore>

  check-deps   which crate may use what: dependencies, features, manifests, unsafe code, threads
  check-words  marks of unfinished work in sources; notes files of more than 500 lines
  check-widths comments of more than 100 columns; README and pages of the guide that are too wide or too long
  lint         format, clippy, documentation (warnings are errors), check-deps, check-words, check-widths, package
  test         every test: unit, integration and documentation tests; nonius-num without std as well
  test --long  the randomised tests alone, with a thousand times the cases of a commit and a hundred times the operands of
               kernels' arithmetic, those of the oracle too (hours); a word behind it selects tests by name
  emulate      a sample of every command gives the same bits on an x86-64 without AVX, one with AVX2 and an aarch64,
               emulated (an hour; needs Debian's qemu-user, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross, and
               `rustup target add aarch64-unknown-linux-gnu`); a word behind it selects samples by name
  oracle       the differential tests against MPFR in oracle/ (needs Debian's libgmp-dev, libmpfr-dev)
  wheel        the package for Python, for every Linux of this architecture, and its sources: target/wheels (installs
               maturin, ziglang and auditwheel into target/tools; needs Python 3.10 or later)
  wheel --dev  the same for this machine alone, of the tests' build: target/wheels/dev
  python       makes this wheel, installs it into a clean environment and runs its tests, its examples, the guide's
               Python and the notebooks; a file behind it is the wheel to test; the variable PYTHON names an interpreter
  capi         the C interface laid out in target/capi, its header compared with the sources, its examples compiled and
               run where cc, c++, gfortran, julia and valgrind are (installs cbindgen into target/tools)
  capi --release the same, built for use
  mpi          ranks as processes under MPI: clippy, and tests on 1 to 4 of them, where mpirun is; where the variable
               NONIUS_WITH_MPI is set, all chores but lint compile with MPI, so that nothing is compiled twice
  docs         the guide as a website: target/guide (installs mdBook into target/tools)
  package      packs every published crate as the registry would get it, without compiling it: what manifests tell the
               registry, and whether an archive has all files that its sources take (needs Rust 1.90)
  dist         a static program for Linux and a Debian package: target/dist (installs cargo-deb into target/tools;
               needs `rustup target add x86_64-unknown-linux-musl` and Debian's dpkg-dev)
  gpu-bundle   one folder that tests and measures on a machine with a GPU and without Rust: target/gpu-bundle;
               kernels are compiled for sm_90a or the architecture named
  ci           lint, test, python, capi, mpi and oracle";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (chore, rest, word) = (arguments.next(), arguments.next(), arguments.next());
    let root = root();
    let outcome = match (chore.as_deref(), rest) {
        (Some("test"), Some(flag)) if flag == "--long" => {
            test_long(&root, word.as_deref().unwrap_or("random"))
        }
        _ if word.is_some() => return usage(),
        (Some("check-deps"), None) => check_deps(&root),
        (Some("check-words"), None) => check_words(&root),
        (Some("check-widths"), None) => check_widths(&root),
        (Some("lint"), None) => lint(&root),
        (Some("test"), None) => test(&root),
        (Some("capi"), None) => capi(&root),
        (Some("capi"), Some(flag)) if flag == "--release" => told("capi", capi::release(&root)),
        (Some("mpi"), None) => mpi::test(&root),
        (Some("docs"), None) => told("docs", docs::build(&root)),
        (Some("package"), None) => package(&root),
        (Some("dist"), None) => told("dist", dist::make(&root)),
        (Some("oracle"), None) => oracle(&root),
        (Some("wheel"), None) => told("wheel", wheel::release(&root)),
        (Some("wheel"), Some(flag)) if flag == "--dev" => told("wheel", development_wheel(&root)),
        (Some("python"), None) => python(&root),
        (Some("python"), Some(file)) => python::test(&root, Path::new(&file)),
        (Some("emulate"), sample) => emulate(&root, sample.as_deref().unwrap_or("")),
        (Some("gpu-bundle"), architecture) => {
            gpu_bundle(&root, architecture.as_deref().unwrap_or("sm_90a"))
        }
        (Some("ci"), None) => {
            let interfaces = [python(&root), capi(&root), mpi::test(&root)];
            all([lint(&root), test(&root), all(interfaces), oracle(&root)])
        }
        (Some("help" | "--help" | "-h"), _) => {
            println!("{USAGE}");
            Ok(())
        }
        _ => return usage(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Says how the chores are called.
fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

/// The workspace's root: the folder above this crate's.
fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR");
    let here = manifest.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}

fn check_deps(root: &Path) -> Result<(), Error> {
    let workspace = workspace::Workspace::read(root)?;
    let broken = check_deps::check(&workspace)?;
    report("check-deps", &broken)
}

fn check_words(root: &Path) -> Result<(), Error> {
    let found = check_words::check(root)?;
    for note in &found.long_files {
        println!("note: {note}");
    }
    report("check-words", &found.broken)
}

fn check_widths(root: &Path) -> Result<(), Error> {
    report("check-widths", &check_widths::check(root)?)
}

fn package(root: &Path) -> Result<(), Error> {
    report("package", &package::check(root)?)
}

fn emulate(root: &Path, word: &str) -> Result<(), Error> {
    report("emulate", &emulate::check(root, word)?)
}

/// Prints one line for each broken rule.
fn report(chore: &'static str, broken: &[error::Violation]) -> Result<(), Error> {
    for violation in broken {
        println!("error: {violation}");
    }
    if broken.is_empty() {
        println!("{chore}: ok");
        return Ok(());
    }
    Err(Error::Rules { chore, broken: broken.len() })
}

fn gpu_bundle(root: &Path, architecture: &str) -> Result<(), Error> {
    let folder = gpu_bundle::make(root, architecture)?;
    println!("gpu-bundle: {}; copy it and start run.sh there", folder.display());
    Ok(())
}

/// Says where a chore has put what it made.
fn told(chore: &str, made: Result<PathBuf, Error>) -> Result<(), Error> {
    println!("{chore}: {}", made?.display());
    Ok(())
}

fn lint(root: &Path) -> Result<(), Error> {
    let warnings = ("RUSTDOCFLAGS", "-D warnings");
    all([
        cargo::run(root, &["fmt", "--all", "--check"]),
        cargo::run(root, &Selection::WithoutMpi.of(&["clippy"], &LINTS)),
        cargo::run(root, &Selection::WithoutMpi.of(&["clippy"], &LINTS_FOR_GPUS)),
        cargo::run_with(root, &Selection::WithoutMpi.of(&["doc", "--no-deps"], &[]), &[warnings]),
        check_deps(root),
        check_words(root),
        check_widths(root),
        package(root),
    ])
}

/// What clippy looks at, behind packages and features.
const LINTS: [&str; 4] = ["--all-targets", "--", "-D", "warnings"];

/// The same of tests that need a GPU, which nothing else builds.
const LINTS_FOR_GPUS: [&str; 7] = ["--test", "gpu", "--test", "gpus", "--", "-D", "warnings"];

fn test(root: &Path) -> Result<(), Error> {
    let without_std = ["-p", "nonius-num", "--no-default-features"];
    all([
        cargo::run(root, &Selection::WithoutMpfr.of(&["test", "--no-fail-fast"], &[])),
        cargo::run(root, &[&["build"], &without_std[..]].concat()),
        cargo::run(
            root,
            &[&["test", "--no-fail-fast", "--lib", "--features", "serde"], &without_std[..]]
                .concat(),
        ),
    ])
}

/// The randomised tests whose names contain `word`, as long as `testkit::random_cases` makes them.
fn test_long(root: &Path, word: &str) -> Result<(), Error> {
    let run = |tests: Selection, kind: &[&'static str]| {
        let own = [kind, &["--", "--nocapture", word]].concat();
        cargo::run_with(root, &tests.of(&["test", "--no-fail-fast"], &own), &[("NONIUS_LONG", "1")])
    };
    all([run(Selection::WithoutMpfr, &["--tests"]), run(Selection::AgainstMpfr, &[])])
}

/// The C interface of the tests' build: nothing is compiled again.
fn capi(root: &Path) -> Result<(), Error> {
    cargo::run(root, &Selection::WithoutMpfr.of(&["test", "--no-run"], &[]))?;
    told("capi", capi::make(root, "debug"))
}

/// A wheel with the library that the tests of all crates are built with: nothing is compiled again.
fn development_wheel(root: &Path) -> Result<PathBuf, Error> {
    cargo::run(root, &Selection::WithoutMpfr.of(&["test", "--no-run"], &[]))?;
    wheel::development(root)
}

fn python(root: &Path) -> Result<(), Error> {
    python::test(root, &development_wheel(root)?)
}

fn oracle(root: &Path) -> Result<(), Error> {
    all([
        cargo::run(root, &[&["clippy", "--workspace"], &LINTS[..]].concat()),
        cargo::run(root, &Selection::AgainstMpfr.of(&["test", "--no-fail-fast"], &[])),
    ])
}

/// Every step has run by the time this is called, so that one run shows all that is wrong.
fn all<const N: usize>(outcomes: [Result<(), Error>; N]) -> Result<(), Error> {
    let failed: Vec<Error> = outcomes.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() { Ok(()) } else { Err(Error::Several(failed)) }
}
