//! In which order to eliminate.

use super::lower::Lower;

/// The rows in an order of elimination that keeps the factor sparse: an approximate minimum degree
/// ordering (P. R. Amestoy, T. A. Davis and I. S. Duff, *An approximate minimum degree ordering
/// algorithm*, SIAM Journal on Matrix Analysis and Applications 17, 1996).
pub(super) fn fill_reducing(a: &Lower) -> Vec<u32> {
    let rows: Vec<usize> = a.rows().iter().map(|&row| row as usize).collect();
    // Rows with many entries are common here and no exception that is best left for last.
    let control = amd::Control { dense: f64::INFINITY, aggressive: true };
    match amd::order(a.order(), a.starts(), &rows, &control) {
        Ok((order, _, _)) => order.into_iter().map(|row| row as u32).collect(),
        // Not for a pattern of ascending rows; any order would do.
        Err(_) => (0..a.order() as u32).collect(),
    }
}

/// Where each row comes in an order.
pub(super) fn inverse(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &row)| places[row as usize] = place as u32);
    places
}
