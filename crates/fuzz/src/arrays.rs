//! Matrices of NumPy, and in comma-separated values.

use std::path::Path;

use nonius::files::{FileProblem, MatrixName, read_from, write_dense};
use nonius_linalg::Number;
use nonius_linalg::sparse::matrix_market::{Stored, Style, WriteError};
use nonius_num::Mp;
use nonius_num::mp::Bits;

use crate::check_message;

/// Entries up to which a matrix is made dense.
const DENSE_ENTRIES: usize = 1 << 12;

/// A matrix in an array of NumPy.
pub fn npy(bytes: &[u8]) {
    read_matrix::<f64>((), "a.npy", bytes);
    read_matrix::<Mp>(Bits::FEWEST, "a.npy", bytes);
}

/// A matrix in an archive of NumPy.
pub fn npz(bytes: &[u8]) {
    read_matrix::<f64>((), "a.npz", bytes);
    read_matrix::<f64>((), "a.npz:data", bytes);
}

/// A matrix in comma-separated values.
pub fn csv(bytes: &[u8]) {
    read_matrix::<f64>((), "a.csv", bytes);
    read_matrix::<Mp>(Bits::FEWEST, "a.csv", bytes);
}

fn read_matrix<T: Number>(format: T::Format, name: &str, bytes: &[u8]) {
    let path = Path::new(name);
    let stored: Stored<T> = match read_from(format, path, bytes) {
        Ok(stored) => stored,
        Err(error) => {
            assert!(!matches!(error.problem, FileProblem::Open(_)), "{error}");
            return check_message(&error);
        }
    };
    let header = *stored.header();
    let entries = header.rows.saturating_mul(header.cols);
    if entries > DENSE_ENTRIES || header.rows == 0 || header.cols == 0 {
        return;
    }
    let dense = stored.into_dense().expect("a small matrix fits");
    let mut text = Vec::new();
    match write_dense(&mut text, MatrixName::of(path), &dense, &Style::default()) {
        Ok(()) => {
            let again: Stored<T> =
                read_from(format, Path::new(&name[..5]), &*text).expect("what was written is read");
            assert_eq!(again.into_dense().expect("it fits again"), dense);
        }
        // Sums of entries listed several times may be beyond the range; nothing else hinders it.
        Err(error) => assert!(matches!(error, WriteError::NotFinite { .. }), "{error}"),
    }
}
