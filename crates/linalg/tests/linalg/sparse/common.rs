//! Sparse matrices for tests.

use nonius_linalg::Scalar;
use nonius_linalg::sparse::{Coo, Csr, Triplet};
use nonius_testkit::Random;

/// Rows of all lengths: empty ones, short ones, and now and then one that is full; some stored
/// zeros.
pub(crate) fn triplets<T: Scalar>(
    rows: usize,
    cols: usize,
    mut number: impl FnMut(&mut Random) -> T,
    seed: u64,
) -> Coo<T> {
    let mut random = Random::new(seed);
    let mut triplets = Vec::new();
    for row in 0..rows {
        let often = match random.below(8) {
            0 => continue,
            1 => 1,
            _ => 1 + random.below(cols.max(1)),
        };
        for col in 0..cols {
            if random.below(often) == 0 {
                let value = if random.below(20) == 0 { T::ZERO } else { number(&mut random) };
                triplets.push(Triplet { row, col, value });
            }
        }
    }
    // In any order.
    for i in (1..triplets.len()).rev() {
        triplets.swap(i, random.below(i + 1));
    }
    Coo::new(rows, cols, triplets).unwrap()
}

pub(crate) fn csr<T: Scalar>(a: Coo<T>) -> Csr<T> {
    Csr::from_coo(a).unwrap()
}

pub(crate) const SHAPES: [(usize, usize); 10] =
    [(0, 0), (0, 3), (3, 0), (1, 1), (1, 70), (7, 5), (63, 64), (64, 9), (65, 65), (130, 40)];
