//! For which lengths of integers there are kernels, and the shared memory that these take.

use super::cut::PACK_LINES;

/// The numbers of words of 32 bits, and of digits of 48 bits, that kernels are compiled for; for
/// numbers of any precision there is a kernel each for more.
pub(super) const WORDS: [usize; 4] = [4, 8, 12, 16];
pub(super) const DIGITS: [usize; 6] = [3, 5, 7, 10, 14, 20];

/// Threads of a block that packs, and entries of each of its lines: see `crt/pack.cu`.
pub(super) const PACK_THREADS: usize = 256;
pub(super) const PACK_DEPTH: usize = 64;
/// Lines of a warp, and entries of each: see `crt/pack_wide.cu`.
pub(super) const WARP_LINES: usize = 8;
pub(super) const WARP_DEPTH: usize = 16;
/// Digits that are computed at a time, and bytes of words on their way: see `crt/rebuild_wide.cu`.
const DIGITS_AT_ONCE: usize = 16;
const EXCHANGE: usize = 4 * 32 * (2 * 3 * DIGITS_AT_ONCE + 4);

/// What a device and the kind of numbers allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// Whether there are kernels for any length.
    pub(super) any_length: bool,
    /// Bytes of shared memory of a block.
    pub(super) shared: usize,
}

/// How entries become residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packing {
    /// Words of an integer: a multiple of 4.
    pub(super) words: usize,
    /// Whether by the kernel for any number of them.
    pub(super) wide: bool,
}

impl Packing {
    /// For integers of magnitude up to `2^bits`; `None` where no kernel does.
    pub(super) fn of(bits: u32, limits: Limits) -> Option<Self> {
        let least = (bits as usize + 2).div_ceil(32);
        let compiled = WORDS.into_iter().find(|&words| least <= words);
        let compiled = compiled.map(|words| Self { words, wide: false });
        let any = Self { words: least.next_multiple_of(4), wide: true };
        let any = limits.any_length.then_some(any);
        compiled.into_iter().chain(any).find(|packing| packing.shared() <= limits.shared)
    }

    /// Bytes of shared memory of a block.
    pub(super) fn shared(self) -> usize {
        if self.wide {
            return 4 * self.words * WARP_LINES * WARP_DEPTH;
        }
        // Integers, then two stages of 12 planes.
        (4 * self.words).max(2 * 12) * PACK_LINES * PACK_DEPTH
    }
}

/// How residues become entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rebuilding {
    /// Digits of the product of the moduli, or more.
    pub(super) digits: usize,
    /// Steps, of 16 small moduli and of 8 large ones: those of small moduli, and all.
    pub(super) steps: (usize, usize),
    /// Whether by the kernel for any number of digits.
    pub(super) wide: bool,
}

impl Rebuilding {
    /// For `moduli` moduli, of which `small` are small, whose product has `digits` digits; `None`
    /// where no kernel can rebuild the entries.
    pub(super) fn of(
        digits: usize,
        (small, moduli): (usize, usize),
        limits: Limits,
    ) -> Option<Self> {
        let small_steps = small.div_ceil(16);
        let steps = (small_steps, small_steps + (moduli - small).div_ceil(8));
        let compiled = DIGITS.into_iter().find(|&count| digits <= count);
        let compiled = compiled.map(|digits| Self { digits, steps, wide: false });
        // The highest three are looked at.
        let any = (limits.any_length && digits >= 3).then_some(Self { digits, steps, wide: true });
        compiled.into_iter().chain(any).find(|rebuilding| rebuilding.shared() <= limits.shared)
    }

    /// Tiles of 4 words of 16 bits that digits take.
    pub(super) fn word_tiles(self) -> usize {
        let unit = if self.wide { DIGITS_AT_ONCE } else { 1 };
        4 * (3 * self.digits.next_multiple_of(unit)).div_ceil(16)
    }

    /// Warps of a block: more where shared memory has room for one block only.
    pub(super) fn warps(self) -> usize {
        match self.digits {
            _ if self.wide => 1,
            ..=14 => 4,
            _ => 6,
        }
    }

    /// Bytes of shared memory of a block.
    pub(super) fn shared(self) -> usize {
        let (small_steps, steps) = self.steps;
        if self.wide {
            // For each thread of a warp bytes of residues, and digits.
            return 32 * (16 * steps + 8 * self.digits) + EXCHANGE;
        }
        // Weights, and for each warp the residues of 32 entries and words on their way.
        let weights = 128 * steps * self.word_tiles();
        let stage = 32 * (16 * small_steps + 2 * 24 * (steps - small_steps));
        let exchange = 4 * 32 * (4 * self.word_tiles() + 4);
        weights + self.warps() * (stage + exchange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of compute capability 9.0, of 8.0 and of 8.6 and 8.9.
    const SHARED: [usize; 3] = [227 << 10, 163 << 10, 99 << 10];

    fn limits(any_length: bool, shared: usize) -> Limits {
        Limits { any_length, shared }
    }

    #[test]
    fn words_are_those_that_kernels_are_compiled_for() {
        let of = |bits, any_length| {
            let packing = Packing::of(bits, limits(any_length, SHARED[2]));
            packing.map(|packing| (packing.words, packing.wide))
        };
        for any_length in [false, true] {
            assert_eq!(of(106, any_length), Some((4, false)));
            assert_eq!(of(127, any_length), Some((8, false)));
            assert_eq!(of(510, any_length), Some((16, false)));
        }
        assert_eq!(of(511, false), None);
        assert_eq!(of(511, true), Some((20, true)));
        assert_eq!(of(4096, true), Some((132, true)));
    }

    #[test]
    fn digits_are_those_that_kernels_are_compiled_for() {
        let of = |digits, moduli, any_length, shared| {
            let rebuilding = Rebuilding::of(digits, (49, moduli), limits(any_length, shared));
            rebuilding.map(|rebuilding| (rebuilding.digits, rebuilding.wide))
        };
        for shared in SHARED {
            assert_eq!(of(5, 49, false, shared), Some((5, false)));
            assert_eq!(of(10, 57, true, shared), Some((10, false)));
            assert_eq!(of(21, 98, false, shared), None);
            assert_eq!(of(21, 98, true, shared), Some((21, true)));
        }
        // Where the kernel for that many digits has no room, the kernel for any number has.
        assert_eq!(of(19, 92, true, SHARED[0]), Some((20, false)));
        assert_eq!(of(19, 92, true, SHARED[2]), Some((19, true)));
        assert_eq!(of(19, 92, false, SHARED[2]), None);
        // Products of 4096 bits have 171 digits, of 612 moduli.
        for shared in SHARED {
            assert_eq!(of(171, 615, true, shared), Some((171, true)));
        }
    }

    #[test]
    fn weights_are_for_all_digits_that_are_computed() {
        let tiles = |digits, wide| Rebuilding { digits, steps: (4, 5), wide }.word_tiles();
        assert_eq!((tiles(10, false), tiles(20, false)), (8, 16));
        assert_eq!((tiles(20, true), tiles(33, true)), (24, 36));
    }
}
