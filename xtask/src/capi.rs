//! `capi`: the C interface, laid out as an installed library, with its examples compiled and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cargo;
use crate::command;
use crate::error::Error;
use crate::selection;
use crate::tools::{self, Tool};

/// The crate's folder, relative to the root.
const CRATE: &str = "crates/capi";
/// The name by which programs ask for the shared library: see `build.rs` of the crate.
const SONAME: &str = "libnonius.so.0";
/// What a program of the static library needs beside it: `rustc --print native-static-libs`.
const STATIC: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// cbindgen makes the header. It is not optimised, because it reads a few files.
const CBINDGEN: Tool = Tool { name: "cbindgen", version: "0.29.2", features: &["--debug"] };

/// Where the interface is laid out.
struct Laid {
    root: PathBuf,
    include: PathBuf,
    lib: PathBuf,
    /// What the examples become.
    programs: PathBuf,
}

/// Lays out the library that cargo has built in this profile, and tries it. Returns the folder.
pub(crate) fn make(root: &Path, profile: &str) -> Result<PathBuf, Error> {
    check_header(root)?;
    let laid = lay_out(root, profile)?;
    try_examples(root, &laid)?;
    Ok(laid.root)
}

/// Makes the header anew. Where it differs from the one that is there, it takes its place, and the
/// chore fails.
fn check_header(root: &Path) -> Result<(), Error> {
    let program = tools::installed(root, &CBINDGEN)?;
    let folder = root.join(CRATE);
    let arguments = ["--quiet", "--config", "cbindgen.toml", "--crate", "nonius-capi", "."];
    let made = command::output(&folder, &program, &arguments)?;
    let header = folder.join("include/nonius.h");
    if fs::read(&header).is_ok_and(|old| old == made) {
        return Ok(());
    }
    fs::write(&header, made).map_err(Error::writing(&header))?;
    let detail = "the header was not that of the sources, and has been renewed".to_string();
    Err(Error::Step { command: "cbindgen".to_string(), detail })
}

fn lay_out(root: &Path, profile: &str) -> Result<Laid, Error> {
    let prefix = root.join("target/capi");
    let laid = Laid {
        include: prefix.join("include"),
        lib: prefix.join("lib"),
        programs: prefix.join("examples"),
        root: prefix,
    };
    let described = laid.lib.join("pkgconfig");
    for folder in [&laid.include, &described, &laid.programs] {
        fs::create_dir_all(folder).map_err(Error::writing(folder))?;
    }
    for name in ["nonius.h", "nonius_mplapack.hpp"] {
        copy(&root.join(CRATE).join("include").join(name), &laid.include.join(name))?;
    }
    // Where tests leave it too.
    let built = root.join("target").join(profile).join("deps");
    copy(&built.join("libnonius_c.so"), &laid.lib.join(SONAME))?;
    copy(&built.join("libnonius_c.a"), &laid.lib.join("libnonius.a"))?;
    // The linker takes this name. A copy works on every file system.
    copy(&laid.lib.join(SONAME), &laid.lib.join("libnonius.so"))?;
    let file = described.join("nonius.pc");
    fs::write(&file, description(&laid.root)).map_err(Error::writing(&file))?;
    Ok(laid)
}

/// What pkg-config tells about the library.
fn description(prefix: &Path) -> String {
    let prefix = prefix.display();
    let version = env!("CARGO_PKG_VERSION");
    let libraries = STATIC.join(" ");
    format!(
        "prefix={prefix}\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib\n\n\
         Name: nonius\nDescription: Linear algebra at the precision you ask for\n\
         Version: {version}\nCflags: -I${{includedir}}\nLibs: -L${{libdir}} -lnonius\n\
         Libs.private: {libraries}\n"
    )
}

/// Compiles and runs each example whose compiler is there; says which are not.
fn try_examples(root: &Path, laid: &Laid) -> Result<(), Error> {
    let sources = root.join(CRATE).join("examples");
    let include = format!("-I{}", laid.include.display());
    let search = format!("-L{}", laid.lib.display());
    let place = format!("-Wl,-rpath,{}", laid.lib.display());
    let shared = [search.as_str(), "-lnonius", place.as_str()];
    let archive = laid.lib.join("libnonius.a").to_string_lossy().into_owned();
    let mpi: &[&str] = if selection::has_mpi() { &["-lmpi"] } else { &[] };
    let alone = [&[archive.as_str()], &STATIC[..], mpi].concat();
    let c = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"];
    let cpp = ["-std=c++14", "-Wall", "-Wextra", "-Werror"];
    let with = |flags: &[&'static str]| flags.to_vec();
    let examples: [(&str, &str, Vec<&str>, &[&str]); 6] = [
        ("cc", "c/solve.c", with(&c), &shared),
        ("cc", "c/solve.c", with(&c), &alone),
        ("cc", "c/sdp.c", with(&c), &shared),
        ("c++", "c/rgemm.cpp", with(&cpp), &shared),
        ("c++", "c/rgemm.cpp", [&cpp[..], &["-DNONIUS_WITHOUT_QD"]].concat(), &shared),
        ("gfortran", "fortran/solve.f90", vec!["-Wall", "-Werror"], &shared),
    ];
    for (number, (compiler, source, flags, libraries)) in examples.into_iter().enumerate() {
        if !is_there(compiler) {
            println!("capi: {source} is not tried: {compiler} is not there");
            continue;
        }
        let program = laid.programs.join(format!("example-{number}"));
        let (output, source) = (program.to_string_lossy(), sources.join(source));
        let source = source.to_string_lossy();
        let named = [include.as_str(), "-o", &output, &source];
        let arguments = [&flags[..], &named, libraries].concat();
        command::run(root, Path::new(compiler), &arguments)?;
        command::run(root, &program, &[])?;
    }
    let blocks: [(&str, Block, &[&str]); 3] =
        [("cc", C, &c), ("c++", CPP, &cpp), ("gfortran", FORTRAN, &["-Wall", "-Werror"])];
    for (compiler, block, flags) in blocks {
        if !is_there(compiler) {
            println!("capi: the guide's {} is not tried: {compiler} is not there", block.language);
            continue;
        }
        let source = block_of_guide(root, laid, &block)?;
        let program = laid.programs.join(format!("guide-{}", block.language));
        let (output, source) = (program.to_string_lossy(), source.to_string_lossy());
        let named = [include.as_str(), "-o", &output, &source];
        command::run(root, Path::new(compiler), &[flags, &named, &shared[..]].concat())?;
        command::run(root, &program, &[])?;
    }
    if is_there("julia") {
        let source = sources.join("julia/solve.jl").to_string_lossy().into_owned();
        let library = laid.lib.join(SONAME).to_string_lossy().into_owned();
        command::run(root, Path::new("julia"), &[&source, &library])?;
        let block = block_of_guide(root, laid, &JULIA)?.to_string_lossy().into_owned();
        let place = [("LD_LIBRARY_PATH", laid.lib.as_os_str())];
        command::run_with(root, Path::new("julia"), &[&block], &place)?;
    } else {
        println!("capi: Julia is not tried: julia is not there");
    }
    check_leaks(root, laid)
}

/// What makes a program of a block of the guide, which states what matters and no more.
struct Block {
    language: &'static str,
    /// Its file's name ends in this.
    extension: &'static str,
    /// What stands in front of the block's statements, and behind them: a check of the result.
    around: [&'static str; 2],
    /// Beginnings of lines that stand in front of both.
    heads: &'static [&'static str],
}

const C: Block = Block {
    language: "c",
    extension: "c",
    around: ["int main(void) {", "return 0;\n}"],
    heads: &["#include"],
};
const CPP: Block = Block { language: "cpp", extension: "cpp", ..C };
/// Behind the interfaces of the example.
const FORTRAN: Block = Block {
    language: "fortran",
    extension: "f90",
    around: ["", "if (abs(b(1, 1) - 0.6d0) > 1.0d-15 .or. b(1, 2) /= -0.2d0) stop 2\nend program"],
    heads: &[],
};
const JULIA: Block = Block {
    language: "julia",
    extension: "jl",
    around: ["", "info[] == 0 && abs(b[1][1] - 0.6) <= 1e-15 && b[2][1] == -0.2 || exit(1)"],
    heads: &[],
};

/// The first block of a language in the guide's page, as a program.
fn block_of_guide(root: &Path, laid: &Laid, block: &Block) -> Result<PathBuf, Error> {
    let read = |path: PathBuf| {
        fs::read_to_string(&path).map_err(|source| Error::Read { path: path.clone(), source })
    };
    let text = read(root.join("docs/guide/src/c.md"))?;
    let start = format!("```{}", block.language);
    let lines = text.lines().skip_while(|line| *line != start).skip(1);
    let (mut heads, mut statements) = (String::new(), String::new());
    if block.language == "fortran" {
        let example = read(root.join(CRATE).join("examples/fortran/solve.f90"))?;
        let until = example.find("end interface").unwrap_or(0);
        heads.push_str(&example[..until]);
        heads.push_str("end interface\n");
    }
    for line in lines.take_while(|line| *line != "```") {
        let is_head = block.heads.iter().any(|head| line.starts_with(head));
        let part = if is_head { &mut heads } else { &mut statements };
        part.push_str(line);
        part.push('\n');
    }
    let source = laid.programs.join(format!("guide.{}", block.extension));
    let [before, behind] = block.around;
    let program = format!("{heads}{before}\n{statements}{behind}\n");
    fs::write(&source, program).map_err(Error::writing(&source))?;
    Ok(source)
}

/// Runs the programs once more under valgrind, where it is there: what they took they give back.
fn check_leaks(root: &Path, laid: &Laid) -> Result<(), Error> {
    if !is_there("valgrind") {
        println!("capi: leaks are not looked for: valgrind is not there");
        return Ok(());
    }
    // Optimised code compares members of enums before it knows which one there is, and throws the
    // outcome away. Valgrind takes that for use of undefined values.
    let lost = ["--quiet", "--undef-value-errors=no", "--leak-check=full"];
    // The threads of the pool live until the process ends, and are possibly lost.
    let counted = ["--errors-for-leak-kinds=definite,indirect"];
    for number in [0, 2] {
        let program = laid.programs.join(format!("example-{number}"));
        let program = program.to_string_lossy();
        let kinds = ["--show-leak-kinds=definite,indirect", "--error-exitcode=9", &program];
        command::run(root, Path::new("valgrind"), &[&lost[..], &counted, &kinds].concat())?;
    }
    Ok(())
}

/// Whether a program can be started.
fn is_there(program: &str) -> bool {
    let tried = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs::copy(from, to).map(drop).map_err(|source| Error::Read { path: from.to_path_buf(), source })
}

/// Builds the library for users, and lays it out.
pub(crate) fn release(root: &Path) -> Result<PathBuf, Error> {
    cargo::run(root, &["build", "--release", "-p", "nonius-capi"])?;
    make(root, "release")
}
