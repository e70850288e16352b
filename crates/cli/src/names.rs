//! The files that a run reads and writes, checked before any work is done.

use std::path::{Path, PathBuf};

use nonius::files::{self, MatrixName};
use nonius_figures::Format;

use crate::failure::Failure;
use crate::input::{display_name, is_standard};

/// What a file is filled with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contents {
    /// A matrix in Matrix Market format, NumPy's or CSV.
    Matrix,
    /// An array of NumPy, or CSV.
    Array,
    /// Comma-separated values.
    Table,
    /// A picture.
    Picture,
    /// An input file of Abaqus.
    Deck,
    /// A result in SDPA's layout.
    Result,
    /// A point in SDPA's sparse format.
    Point,
    /// A script of a shell.
    Script,
    /// A manual page.
    Page,
    /// A JSON schema.
    Schema,
}

impl Contents {
    /// What is written, as a noun phrase.
    fn description(self) -> &'static str {
        match self {
            Self::Matrix => "a matrix (.mtx, .npy, .npz or .csv)",
            Self::Array => "arrays (.npy, .npz or .csv)",
            Self::Table => "CSV",
            Self::Picture => "a picture",
            Self::Deck => "an input file of Abaqus",
            Self::Result => "a result in SDPA's layout",
            Self::Point => "a point in SDPA's sparse format",
            Self::Script => "a script of a shell",
            Self::Page => "a manual page",
            Self::Schema => "a JSON schema",
        }
    }

    /// The format that an ending promises is this one.
    fn has_ending(self, ending: &str) -> bool {
        match self {
            Self::Matrix => ["mtx", "npy", "npz", "csv"].contains(&ending),
            Self::Array => ["npy", "npz", "csv"].contains(&ending),
            Self::Table => ending == "csv",
            Self::Picture => ending == "svg" || ending == "png",
            Self::Deck => ending == "inp",
            Self::Schema => ending == "json",
            Self::Result | Self::Point | Self::Script | Self::Page => false,
        }
    }
}

/// Endings that promise a format, which a file of that name should have.
const ENDINGS: [&str; 44] = [
    "mtx", "npy", "npz", "csv", "svg", "inp", // what is written
    "mat", "h5", "hdf5", "json", "toml", "xml", "html", "md", "tsv", "xls", "xlsx", "ods",
    "parquet", "arrow", // tables and arrays
    "png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "webp", "pdf", "ps", "eps", "tex", "emf",
    "wmf", // pictures
    "vtk", "vtu", "pvd", "msh", // meshes
    "gz", "xz", "bz2", "zst", "zip", "tar", // compressed files
];

/// Names of files, with the argument that each was given by.
#[derive(Default)]
pub(crate) struct Names<'a> {
    read: Vec<(&'static str, &'a Path)>,
    written: Vec<(&'static str, Contents, &'a Path)>,
}

impl<'a> Names<'a> {
    /// A file that is read, if there is one.
    pub(crate) fn read(
        mut self,
        argument: &'static str,
        path: impl Into<Option<&'a PathBuf>>,
    ) -> Self {
        self.read.extend(path.into().map(|path| (argument, path.as_path())));
        self
    }

    /// A file that is written, if there is one.
    pub(crate) fn written(
        mut self,
        argument: &'static str,
        contents: Contents,
        path: impl Into<Option<&'a PathBuf>>,
    ) -> Self {
        self.written.extend(path.into().map(|path| (argument, contents, path.as_path())));
        self
    }

    /// Refuses what could not be read or written in the end, or only at the cost of another file.
    pub(crate) fn check(&self, json: bool) -> Result<(), Failure> {
        let standard = self.read.iter().filter(|(_, path)| is_standard(path));
        if standard.count() > 1 {
            return Err(Failure::input("expected at most one file from standard input"));
        }
        self.check_collisions()?;
        for &(argument, contents, path) in &self.written {
            if !is_standard_output(path) {
                files::check_writable(MatrixName::of(path).file)?;
            } else if json {
                return Err(Failure::input(format!(
                    "--json needs standard output for itself: give {argument} a file"
                )));
            }
            check_ending(argument, contents, path)?;
        }
        Ok(())
    }

    /// Refuses outputs that would replace an input or one another.
    fn check_collisions(&self) -> Result<(), Failure> {
        let files = self.read.iter().filter(|(_, path)| !is_standard(path));
        let mut others: Vec<(&str, &Path)> = files.copied().collect();
        for &(argument, _, path) in &self.written {
            if let Some((other, _)) = others.iter().find(|(_, other)| is_same(path, other)) {
                return Err(Failure::input(if is_standard_output(path) {
                    format!(
                        "{other} and {argument} both go to standard output: give one of them a file"
                    )
                } else {
                    format!("{other} and {argument} are the same file, {}", display_name(path))
                }));
            }
            others.push((argument, path));
        }
        Ok(())
    }
}

/// Refuses a name whose ending promises another format; that of a picture has to promise one.
fn check_ending(argument: &str, contents: Contents, path: &Path) -> Result<(), Failure> {
    if contents == Contents::Picture {
        let unknown = |error| Failure::input(format!("{error}: {argument} writes a picture"));
        return Format::of(path).map(drop).map_err(unknown);
    }
    let file = MatrixName::of(path).file;
    let Some(ending) = file.extension().map(|ending| ending.to_string_lossy().to_lowercase())
    else {
        return Ok(());
    };
    if contents.has_ending(&ending) || !ENDINGS.contains(&ending.as_str()) {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{}: expected a name without .{ending}: {argument} writes {}, uncompressed",
        display_name(path),
        contents.description()
    )))
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (is_standard_output(a), is_standard_output(b)) {
        (false, false) => files::is_same_file(MatrixName::of(a).file, MatrixName::of(b).file),
        (a, b) => a && b,
    }
}

/// Whether a name stands for standard output: a file behind it may have more than this run's text.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    const NAMES: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    NAMES.iter().any(|name| path == Path::new(name))
}
