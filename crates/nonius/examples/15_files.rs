//! Write Matrix Market files and read the same bits back: a dense matrix in `qd`, and a sparse one
//! with numbers of 424 bits.
//!
//! `cargo run --release -p nonius --example 15_files`

use std::error::Error;
use std::path::PathBuf;

use nonius::files::matrix_market::{Style, Symmetry, write_coordinate, write_dense};
use nonius::num::mp::Bits;
use nonius::sparse::{Coo, Triplet};
use nonius::{Matrix, Mp, Qd, files};

fn main() -> Result<(), Box<dyn Error>> {
    let path = |name: &str| -> PathBuf {
        std::env::temp_dir().join(format!("nonius-{}-{name}.mtx", std::process::id()))
    };
    let (dense, sparse) = (path("dense"), path("sparse"));

    // Square roots have as many digits as a number can hold.
    let a = Matrix::from_fn(3, 3, |i, j| Qd::from((i * j + i + j + 2) as f64).sqrt());
    let style = Style { symmetry: Symmetry::Symmetric, comment: "square roots".to_string() };
    files::write(&dense, |mut out| write_dense(&mut out, &a, &style))?;
    let same: Matrix<Qd> = files::read::<Qd>((), &dense)?.into_dense()?;
    let rounded: Matrix<f64> = files::read::<f64>((), &dense)?.into_dense()?;

    let bits = Bits::new(424)?;
    let reciprocal = |k: usize| Mp::one(bits) / Mp::from_f64(bits, k as f64);
    let entry = |k: usize| Triplet { row: k, col: 6 - k, value: reciprocal(k + 3) };
    let b = Coo::new(7, 7, (0..7).map(entry).collect()).ok_or("a place beyond the matrix")?;
    files::write(&sparse, |mut out| write_coordinate(&mut out, b.clone(), &Style::default()))?;
    let read = files::read::<Mp>(bits, &sparse)?.into_coo()?;

    let lines = std::fs::read_to_string(&dense)?;
    println!("file                {}", lines.lines().next().unwrap_or_default());
    println!("√2 in the file      {}", lines.lines().nth(3).unwrap_or_default());
    println!("dense, qd           same bits: {}", same == a);
    println!("sparse, 424 bits    same bits: {}", read.to_dense()? == b.to_dense()?);
    println!("as f64              rounded once: {}", rounded[(0, 0)] == 2.0_f64.sqrt());
    std::fs::remove_file(&dense)?;
    std::fs::remove_file(&sparse)?;

    assert_eq!(same, a);
    assert_eq!(read.to_dense()?, b.to_dense()?);
    assert_eq!(rounded[(0, 0)], 2.0_f64.sqrt());
    Ok(())
}
