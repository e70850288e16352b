//! Vectors times numbers, entry by entry.

use nonius_num::Mp;

use super::lines::Divisor;
use crate::cpu::space::kernels;
use crate::threads::{Grain, for_each};
use crate::{Slice, SliceMut};

/// Entries that a thread takes at a time.
const PIECE: usize = 64;

/// `x ← x/by`, within `2u + u²` of itself.
pub(in crate::cpu) fn divide(x: SliceMut<'_, Mp>, by: Mp) {
    let divisor = Divisor::new(by.view());
    each(x, |x| divisor.divide(x.view()));
}

/// `x ← by·x`
pub(in crate::cpu) fn scale(x: SliceMut<'_, Mp>, by: Mp) {
    each(x, |x| by * x);
}

/// `y ← α·x + y`, each entry rounded once.
pub(in crate::cpu) fn axpy(alpha: Mp, x: Slice<'_, Mp>, y: SliceMut<'_, Mp>) {
    let alpha = alpha.view().to_mp(y.format());
    for_each(&mut y.pieces(PIECE)[..], Grain::ANY, |piece, y| {
        let x = x.range(piece * PIECE..piece * PIECE + y.len());
        kernels::axpy(alpha.view(), x.parts(), y.reborrow().into_parts());
    });
}

fn each(x: SliceMut<'_, Mp>, work: impl Fn(Mp) -> Mp + Sync) {
    for_each(&mut x.pieces(PIECE)[..], Grain::ANY, |_, x| {
        (0..x.len()).for_each(|i| x.set(i, work(x.at(i))));
    });
}
