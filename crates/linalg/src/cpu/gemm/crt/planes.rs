//! Operands as planes of residues.

use core::ops::Range;

use super::block::Block;
use super::layout::{LINES, Side};
use super::source::{Source, words};
use super::strassen::{self, MOST_LEVELS};
use super::unit::Unit;
use crate::cpu::workspace::Buffer;
use crate::threads::{Grain, for_each};

/// Most places whose integers are made at a time.
const RUN: usize = 32;
/// Fewest such places: whole words of any unit.
const LEAST_RUN: usize = 4;
/// Bytes of these integers, where they are of more than the fewest places: they stay in the
/// first-level cache while they are read once for each modulus.
const RUN_BYTES: usize = 24 << 10;

/// The planes of some lines of an operand, in groups as many as the scheme takes, one plane after
/// the other.
pub(super) struct Planes<U: Unit> {
    words: Buffer<U::Word>,
    /// The line that they begin with.
    first: usize,
    /// Words of a line.
    depth: usize,
    groups: usize,
}

impl<U: Unit> Planes<U> {
    /// Words of a line of `k` entries.
    fn depth(k: usize) -> usize {
        U::words(k).next_multiple_of(1 << MOST_LEVELS)
    }

    /// Words from one group to the next: a cache line more than it has, since lines at distances
    /// that are powers of two would drive each other out of the caches.
    fn group(depth: usize) -> usize {
        (depth + 1) * LINES
    }

    fn plane(&self) -> usize {
        self.groups * Self::group(self.depth)
    }

    /// Bytes that a group of lines of `k` entries takes.
    pub(super) fn bytes_of_group(unit: &U, k: usize) -> usize {
        all_planes(unit) * Self::group(Self::depth(k)) * size_of::<U::Word>()
    }

    /// The residues of integers of magnitude up to `2^bits`.
    pub(super) fn new(
        unit: &U,
        side: Side,
        bits: u32,
        source: &impl Source,
        lines: Range<usize>,
    ) -> Self {
        let (_, k) = source.shape();
        let depth = Self::depth(k);
        let levels = strassen::levels(lines.len(), lines.len(), depth * U::DEPTH);
        let groups = lines.len().div_ceil(LINES).next_multiple_of(1 << levels);
        let words = Buffer::new(all_planes(unit) * groups * Self::group(depth));
        let mut planes = Self { words, first: lines.start, depth, groups };
        let length = planes.plane();
        let mut tasks: Vec<Vec<&mut [U::Word]>> = (0..groups).map(|_| Vec::new()).collect();
        for plane in planes.words.chunks_exact_mut(length.max(1)) {
            for (task, group) in tasks.iter_mut().zip(plane.chunks_exact_mut(Self::group(depth))) {
                task.push(group);
            }
        }
        for_each(&mut tasks[..], Grain::ANY, |group, to| {
            let start = (lines.start + group * LINES).min(lines.end);
            pack(unit, side, bits, source, start..lines.end.min(start + LINES), depth, to);
        });
        planes
    }

    /// The same lines for the right side, from those for the left.
    pub(super) fn turned(&self, unit: &U) -> Self {
        let mut words = Buffer::new(self.words.len());
        let (mut from, mut to) = (&self.words[..], &mut words[..]);
        let mut channels = Vec::new();
        for channel in 0..unit.channels() {
            let length = unit.planes(channel).len() * self.plane();
            let (x, y);
            (x, from) = from.split_at(length);
            (y, to) = to.split_at_mut(length);
            channels.push((channel, x, y));
        }
        for_each(&mut channels[..], Grain::ANY, |_, (channel, x, y)| unit.turn(*channel, x, y));
        Self { words, ..*self }
    }

    /// Places of a line.
    pub(super) fn places(&self) -> usize {
        self.depth * U::DEPTH
    }

    /// The block of `groups` groups from a line on, in all planes.
    pub(super) fn block(&self, line: usize, groups: usize) -> Block<'_, U::Word> {
        let group = Self::group(self.depth);
        Block {
            words: &self.words[(line - self.first) / LINES * group..],
            group,
            plane: self.plane(),
            groups,
            depth: self.depth,
        }
    }
}

/// Planes of an operand, or of a product, in all channels.
pub(super) fn all_planes<U: Unit>(unit: &U) -> usize {
    (0..unit.channels()).map(|c| unit.planes(c).len()).sum()
}

/// Packs a group of lines, zeros for those and for places that are missing.
fn pack<U: Unit>(
    unit: &U,
    side: Side,
    bits: u32,
    source: &impl Source,
    lines: Range<usize>,
    depth: usize,
    to: &mut [&mut [U::Word]],
) {
    let (_, k) = source.shape();
    let size = words(bits) * LINES;
    const { assert!(LEAST_RUN.is_multiple_of(U::DEPTH)) };
    let run =
        (RUN_BYTES / (LEAST_RUN * size * size_of::<u32>())).clamp(1, RUN / LEAST_RUN) * LEAST_RUN;
    let mut integers = vec![0; run * size];
    let end = depth * U::DEPTH;
    for start in (0..end).step_by(run) {
        let places = start.min(k)..k.min(start + run);
        let integers = &mut integers[..(end - start).min(run) * size];
        let (made, missing) = integers.split_at_mut(places.len() * size);
        source.integers(lines.clone(), places, made);
        missing.fill(0);
        let words = start / U::DEPTH..depth.min((start + run) / U::DEPTH);
        unit.pack(side, integers, words, to);
    }
}
