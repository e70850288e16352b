//! Pieces on their way to the device and back, while it works at others.

use core::ops::Range;

use super::OutOfCore;
use crate::backend::Schedule;
use crate::{Error, MatMut, MatRef, Number};

impl<B: Schedule> OutOfCore<B> {
    /// For each range of lines of a matrix: loads what they need, works at it, stores the result.
    /// The device works at one piece while the next is loaded and the last one stored.
    pub(super) fn stream<T: Number, M: Send>(
        &self,
        mut ranges: impl Iterator<Item = Range<usize>>,
        mut c: MatMut<'_, T>,
        load: impl Fn(&Range<usize>, MatRef<'_, T>) -> M + Sync,
        work: impl Fn(&mut M) + Sync,
        mut store: impl FnMut(&Range<usize>, M, MatMut<'_, T>) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        let mut next = ranges.next().map(|range| (load(&range, c.as_ref()), range));
        let mut last = None;
        while let Some((mut piece, range)) = next.take() {
            let following = ranges.next();
            let (loaded, ()) = self.device.join(
                || {
                    let loaded = following.map(|range| (load(&range, c.as_ref()), range));
                    if let Some((piece, range)) = last.take() {
                        store(&range, piece, c.reborrow())?;
                    }
                    Ok::<_, Error>(loaded)
                },
                || work(&mut piece),
            );
            next = loaded?;
            last = Some((piece, range));
        }
        last.map_or(Ok(()), |(piece, range)| store(&range, piece, c))
    }
}
