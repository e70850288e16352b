//! Sums of segments, added as one device adds them.

use nonius_linalg::backend::{NumberOp, Segments};

/// `to ←` the sum of numbers of segments, given as words: pairwise, neighbours first, where one
/// without a neighbour waits. Number `i` is the sum of `runs[i]` segments, a power of two.
///
/// A binary counter does this. Two sums of as many segments beside each other are neighbours, as
/// runs begin at multiples of their lengths; those that are left at the end are added from the
/// last on.
pub(super) fn add<S: Segments>(
    space: &mut S,
    runs: impl Iterator<Item = usize>,
    words: &[u64],
    memory: &mut Vec<S::Number>,
    to: &mut S::Number,
) {
    let mut counts: Vec<usize> = Vec::new();
    for (run, words) in runs.zip(words.chunks_exact(space.words())) {
        if memory.len() == counts.len() {
            memory.push(space.number());
        }
        space.unpack_number(words, &mut memory[counts.len()]);
        counts.push(run);
        while let [.., left, right] = counts[..]
            && left == right
        {
            join(space, &mut counts, memory, to);
        }
    }
    while counts.len() > 1 {
        join(space, &mut counts, memory, to);
    }
    if counts.is_empty() { space.set(0.0, to) } else { space.assign(&memory[0], to) }
}

/// Adds the last two.
fn join<S: Segments>(
    space: &mut S,
    counts: &mut Vec<usize>,
    memory: &mut [S::Number],
    spare: &mut S::Number,
) {
    let Some(right) = counts.pop() else { return };
    let Some(left) = counts.last_mut() else { return };
    *left += right;
    let last = counts.len();
    space.compute(NumberOp::Add, &memory[last - 1], &memory[last], spare);
    core::mem::swap(&mut memory[last - 1], spare);
}
