//! Memory that a solution by iteration needs, before any of it is taken.

use std::collections::HashSet;

use nonius_files::room::{NoRoom, check_memory};
use nonius_linalg::krylov::Algorithm;

use super::{Format, Options, Preconditioning, Storage, Values};
use crate::{Number, Precision};

/// Bytes of an entry's column, and of a row's start.
const INDEX: u128 = 4;
const START: u128 = 8;
/// Bytes of an `f64`.
const BYTES_OF_F64: u128 = 8;

/// Refuses a system whose matrix, vectors or preconditioner do not fit into free memory.
///
/// # Errors
/// What does not fit.
pub fn check_room<T: Number>(
    precision: Precision,
    a: &Values<T>,
    options: &Options,
) -> Result<(), NoRoom> {
    let value = match a {
        Values::Short(_) => BYTES_OF_F64,
        Values::Full(_) => bytes_of(precision),
    };
    check(precision, a.shape(), a.places(), value, options)
}

/// Bytes of a number of a vector.
fn bytes(precision: Precision, storage: &Storage) -> u128 {
    match (precision, storage) {
        // Two bounds, a head, and residues for twice the bits, of 31 bits each or of one's own.
        (Precision::Mp(bits), Storage::Residues(format)) => {
            let predefined = u128::from((2 * bits.get()).div_ceil(30)) + 4;
            20 + 4 * format.as_ref().map_or(predefined, |format| format.lanes() as u128)
        }
        _ => bytes_of(precision),
    }
}

/// Bytes of a positional number.
fn bytes_of(precision: Precision) -> u128 {
    match precision {
        Precision::F64 => 8,
        Precision::Dd => 16,
        Precision::Td => 24,
        Precision::Qd => 32,
        // Words of 64 bits and a head.
        Precision::Mp(bits) => u128::from(bits.get().div_ceil(64)) * 8 + 4,
    }
}

fn check(
    precision: Precision,
    (rows, cols): (usize, usize),
    places: &[(usize, usize)],
    value: u128,
    options: &Options,
) -> Result<(), NoRoom> {
    let (n, entries) = (rows as u128, places.len() as u128);
    // The right-hand side and the solution twice, and what the table of methods says.
    let vectors = 4 + match options.algorithm {
        Algorithm::Cg => 4,
        Algorithm::Bicgstab => 7,
        Algorithm::Minres => 7,
        Algorithm::Gmres { restart } => 4 + restart.min(rows) as u128,
    };
    let numbers = match options.algorithm {
        Algorithm::Gmres { restart } => {
            (restart.min(rows) as u128).pow(2) / 2 * bytes(precision, &options.storage)
        }
        _ => 0,
    };
    let corrections = if options.refine.is_some() { vectors * n * BYTES_OF_F64 } else { 0 };
    let compressed = n * START + entries * (INDEX + value);
    let formatted = match options.format {
        Format::Csr => compressed,
        Format::Jad => compressed + n * START,
        Format::Ell => n * longest_row(places) * (INDEX + value),
        Format::Dia => n * diagonals(places) * value,
        Format::Full => n.saturating_mul(cols as u128).saturating_mul(value),
    };
    let factors = match options.preconditioning {
        Preconditioning::None => 0,
        Preconditioning::Jacobi => n * (START + INDEX + bytes(precision, &options.storage)),
        Preconditioning::BlockJacobi(size) => n * (size.min(rows) as u128) * (INDEX + BYTES_OF_F64),
        Preconditioning::IncompleteCholesky => {
            n * START + entries * (INDEX + bytes(precision, &options.storage))
        }
    };
    let vectors_bytes = vectors * n * bytes(precision, &options.storage) + numbers + corrections;
    let method = options.algorithm;
    check_memory(
        format_args!("{method} in {precision} for {rows} rows ({vectors} vectors)"),
        vectors_bytes,
    )?;
    let format = options.format.name();
    let matrix = compressed.saturating_add(formatted).saturating_add(factors);
    check_memory(
        format_args!(
            "{method} in {precision} for {rows} rows ({vectors} vectors, the matrix as {format}, the preconditioner {})",
            options.preconditioning
        ),
        vectors_bytes.saturating_add(matrix),
    )
}

/// Entries of the row that has most, places named twice included.
fn longest_row(places: &[(usize, usize)]) -> u128 {
    let mut rows: Vec<usize> = places.iter().map(|&(row, _)| row).collect();
    rows.sort_unstable();
    rows.chunk_by(|x, y| x == y).map(|row| row.len() as u128).max().unwrap_or(0)
}

/// Diagonals that have an entry.
fn diagonals(places: &[(usize, usize)]) -> u128 {
    let offset = |&(row, col): &(usize, usize)| col as i128 - row as i128;
    let all: HashSet<i128> = places.iter().map(offset).collect();
    all.len() as u128
}
