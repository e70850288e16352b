//! Numbers in residues.

use nonius_num::rns::float::{RnsSlice, RnsSliceMut, stepwise};

use super::BAND;
use crate::cpu::space::rns::is_shared;
use crate::sparse::Layout;
use crate::threads::{Grain, for_each};

/// `y ← A·x`, every product and every sum of a row rounded by itself, from the first to the last.
/// Panics where the shapes do not fit.
pub(crate) fn rns<A: Layout<Number = f64>>(a: &A, x: RnsSlice<'_>, y: RnsSliceMut<'_>) {
    assert_eq!((y.len(), x.len()), a.shape(), "lengths");
    let (line_of_row, values) = (a.line_of_row(), a.values().plain());
    let band = |band: usize, y: &mut RnsSliceMut<'_>| {
        for i in 0..y.len() {
            let row = band * BAND + i;
            let line = line_of_row.map_or(row, |lines| lines[row] as usize);
            let terms = a.terms(line);
            stepwise::dot_to(terms.map(|(k, j)| (values[k], x.at(j))), y, i);
        }
    };
    let grain = Grain::shared_if(is_shared(x.format(), a.entries()));
    let mut bands: Vec<_> = y.into_pieces(BAND).collect();
    for_each(&mut bands[..], grain, band);
}
