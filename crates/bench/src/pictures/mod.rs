//! Pictures of raw results.
//!
//! Each takes CSV files of [records](crate::record), or folders of such files. Of several rows for
//! one place the fastest counts.

mod curves;
mod digits;
mod products;
mod residuals;
mod tridiagonal;

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use nonius_figures::Format;

use crate::record::{self, Record};

/// What a picture shows.
#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    /// Rates of products of matrices against bits and order.
    Products,
    /// Time of a solution against its proved digits.
    Digits,
    /// Residuals of conjugate gradients, from a folder of `figure2`.
    Residuals,
    /// Rates of batches of tridiagonal systems, with cuSPARSE's in one of the inputs.
    Tridiagonal,
}

#[derive(Args)]
pub(crate) struct Arguments {
    /// What to draw.
    subject: Subject,
    /// The picture: .svg or .png; `-` is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Folders of raw results, or CSV files of them.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
}

/// Draws what the arguments ask for.
pub(crate) fn draw(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let Arguments { subject, output, inputs } = arguments;
    let format = Format::of(output)?;
    let figure = match subject {
        Subject::Products => products::figure(&rows(inputs)?),
        Subject::Digits => digits::figure(&rows(inputs)?),
        Subject::Residuals => residuals::figure(inputs)?,
        Subject::Tridiagonal => tridiagonal::figure(&rows(inputs)?),
    };
    let bytes = figure.draw(format)?;
    if output == Path::new("-") {
        io::stdout().lock().write_all(&bytes)?;
    } else {
        fs::write(output, bytes)?;
    }
    Ok(())
}

/// The records of files, and of all files of folders that have such.
fn rows(inputs: &[PathBuf]) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for input in inputs {
        if !input.is_dir() {
            rows.extend(record::read(input)?);
            continue;
        }
        let entries = fs::read_dir(input)?.collect::<Result<Vec<_>, _>>()?;
        let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|ending| ending == "csv"));
        files.sort();
        for file in files {
            if csv::Reader::from_path(&file)?.headers()?.iter().next() == Some("library") {
                rows.extend(record::read(&file)?);
            }
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use nonius_figures::{Figure, Look};

    use super::*;

    fn record(library: &str, precision: &str, operation: &str, sizes: [usize; 3]) -> Record {
        Record {
            library: library.into(),
            precision: precision.into(),
            operation: operation.into(),
            m: sizes[0],
            n: sizes[1],
            k: sizes[2],
            threads: 0,
            seconds: 2.0,
            rate: 4.0,
            unit: "GFLOPS".into(),
        }
    }

    /// The points of the only curve of that name in a figure, all looks of which differ.
    fn points(figure: &Figure, name: &str) -> Vec<(f64, f64)> {
        for panel in &figure.panels {
            let looks: Vec<Look> = panel.curves.iter().filter_map(|curve| curve.look).collect();
            assert!((0..looks.len()).all(|i| !looks[..i].contains(&looks[i])), "{looks:?}");
        }
        let mut curves = figure.panels.iter().flat_map(|panel| &panel.curves);
        let found = curves.find(|curve| curve.name == name).unwrap();
        found.points.clone()
    }

    #[test]
    fn the_fastest_product_of_a_place_counts() {
        let product = |precision: &str, seconds: f64| {
            let row = record("nonius-cuda", precision, "gemm-crt", [4096; 3]);
            Record { rate: 1.0 / seconds, seconds, ..row }
        };
        let rows =
            [product("mp424", 0.5), product("dd", 1.0), product("dd", 0.5), product("dd", 2.0)];
        let figure = products::figure(&rows);
        assert_eq!(points(&figure, "H200, crt"), [(106.0, 2e9), (424.0, 2e9)]);
        assert!(!figure.draw(Format::Svg).unwrap().is_empty());
    }

    #[test]
    fn proved_digits_are_those_of_one_right_hand_side() {
        let solve = |digits: &str, n: usize| record("flint", digits, "solve-1e15", [512, n, 512]);
        let figure = digits::figure(&[
            solve("digits60", 1),
            solve("digits30", 1),
            solve("dd", 1),
            solve("digits15", 16),
        ]);
        assert_eq!(points(&figure, "FLINT, 10¹⁵"), [(30.0, 2.0), (60.0, 2.0)]);
    }

    #[test]
    fn tridiagonal_systems_stand_beside_cusparse() {
        let ours = record("nonius-cuda", "f64", "tridiag-hybrid", [65_536, 1024, 0]);
        let mut theirs = record("cuSPARSE", "f64", "tridiag-strided", [65_536, 1024, 0]);
        theirs.seconds = 8.0;
        let figure = tridiagonal::figure(&[ours, theirs]);
        assert_eq!(points(&figure, "65 536 systems"), [(1024.0, 4.0)]);
        assert_eq!(points(&figure, "f64 hybrid"), [(1024.0, 100.0 * 4.0 / tridiagonal::COPY)]);
    }

    #[test]
    fn residuals_are_read_from_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("counts.csv", "matrix,n\na,7\na,7\n");
        write(
            "residuals.csv",
            "matrix,precision,preconditioner,iteration,relative_residual\n\
             a,f64,none,0,1.0\na,f64,none,5,1e-9\na,mp424,jacobi,0,1.0\n",
        );
        let figure = residuals::figure(&[folder.path().to_path_buf()]).unwrap();
        assert_eq!(figure.panels[0].title, "a, n = 7");
        assert_eq!(points(&figure, "f64"), [(0.0, 1.0), (5.0, 1e-9)]);
        assert_eq!(points(&figure, "mp424, diagonal").len(), 1);
        assert!(residuals::figure(&[PathBuf::new(), PathBuf::new()]).is_err());
    }

    #[test]
    fn folders_may_hold_other_tables() {
        let folder = tempfile::tempdir().unwrap();
        let rows_of = || rows(&[folder.path().to_path_buf()]).unwrap().len();
        fs::write(folder.path().join("other.csv"), "a,b\n1,2\n").unwrap();
        fs::write(folder.path().join("notes.txt"), "library\n").unwrap();
        assert_eq!(rows_of(), 0);
        let row = record("qd", "dd", "add", [1; 3]);
        record::append(&folder.path().join("a.csv"), &[row.clone(), row]).unwrap();
        assert_eq!(rows_of(), 2);
        assert!(rows(&[folder.path().join("other.csv")]).is_err());
    }
}
