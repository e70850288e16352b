//! Matrix Market.

use nonius_linalg::Number;
use nonius_linalg::sparse::matrix_market::{
    Problem, Stored, Style, WriteError, read_as, write_coordinate, write_dense,
};
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd};

use crate::check_message;

/// Entries up to which a matrix is made dense.
const DENSE_ENTRIES: usize = 1 << 12;

/// A matrix of Matrix Market, in `f64` and in one of the other precisions.
pub fn matrix_market(bytes: &[u8]) {
    read_matrix::<f64>((), bytes);
    match bytes.len() % 3 {
        0 => read_matrix::<Dd>((), bytes),
        1 => read_matrix::<Qd>((), bytes),
        _ => read_matrix::<Mp>(Bits::new(424).expect("bits that there are"), bytes),
    }
}

fn read_matrix<T: Number>(format: T::Format, bytes: &[u8]) {
    let stored: Stored<T> = match read_as(format, bytes) {
        Ok(stored) => stored,
        Err(error) => {
            assert!(!matches!(error.problem, Problem::Io(_)), "{error}");
            return check_message(&error);
        }
    };
    let header = *stored.header();
    if header.rows.saturating_mul(header.cols) <= DENSE_ENTRIES {
        let dense = stored.clone().into_dense().expect("a small matrix fits");
        let mut text = Vec::new();
        match write_dense(&mut text, &dense, &Style::default()) {
            Ok(()) => {
                let again: Stored<T> = read_as(format, &*text).expect("what was written is read");
                assert_eq!(again.into_dense().expect("it fits again"), dense);
            }
            Err(error) => check_sum(&error),
        }
    }
    let entries = stored.into_coo().expect("entries that are there fit").sum_duplicates();
    let mut text = Vec::new();
    match write_coordinate(&mut text, entries.clone(), &Style::default()) {
        Ok(()) => {
            let again: Stored<T> = read_as(format, &*text).expect("what was written is read");
            assert_eq!(again.into_coo().expect("they fit again"), entries);
        }
        Err(error) => check_sum(&error),
    }
}

/// Sums of entries listed several times may be beyond the range; nothing else hinders writing.
fn check_sum(error: &WriteError) {
    assert!(matches!(error, WriteError::NotFinite { .. }), "{error}");
    check_message(error);
}
