//! The two ways to compute evolutions, and which members take which.

use nonius_cuda::Kind;
use rayon::prelude::*;

use super::laid::Laid;
use crate::evolve::{Evolution, Generator, Stage};

/// Threads of a warp.
pub(super) const WARP: usize = 32;
/// Vectors that lie in a block's memory, in numbers (`Vector` in `option/evolve_scan.cu`).
const VECTORS: usize = 9;
/// Numbers that warps leave for each other, each warp (`Shared` there).
const SHARED: usize = 14;

/// Members of more than one limb that scans are faster for, at the most. A thread for each takes
/// the same time for all as long as the GPU has idle ones. In `f64` scans are faster throughout:
/// vectors in shared memory save more than scans cost.
const MOST_SCANS: usize = 4096;

/// Numbers of a batch, half a gigabyte: with vectors of a thousand nodes three warps for each
/// multiprocessor of the largest devices, which their memory's rate allows no more of.
pub(super) const TOGETHER: usize = 1 << 26;

/// Vectors that a member has of its nodes at least: the vector itself, an obstacle, a generator.
const LEAST_VECTORS: usize = 5;

/// How the recurrences of steps are computed on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recurrences {
    /// By scans where these are stable and faster, else as chains; numbers of any precision always
    /// as chains.
    #[default]
    Chosen,
    /// One operation after the other, a thread for each vector: with the bits of the host.
    Chains,
    /// Composed in pairs, fours and so on by a block of threads for each vector of limbs, where
    /// this is stable; else as chains.
    Scans,
}

/// How a member is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By a thread, 32 members side by side.
    Chain,
    /// By a block of threads.
    Scan,
}

impl Way {
    /// The ways of the members of a batch, one of several with `of` members.
    pub(super) fn of_all<T: Laid>(
        wanted: Recurrences,
        batch: &[Evolution<T>],
        of: usize,
    ) -> Vec<Self> {
        // The type says how many limbs there are.
        let kind = Kind::of::<T>(T::ZERO.format());
        let way = |member: &Evolution<T>| {
            // As many as lie beside it, of its size.
            let beside = of.min(TOGETHER / (LEAST_VECTORS * member.start.len()).max(1));
            let is_scan = scans(wanted, kind, beside) && is_dominant(member);
            if is_scan { Self::Scan } else { Self::Chain }
        };
        batch.par_iter().map(way).collect()
    }

    /// Members of a tile.
    pub(super) fn width(self) -> usize {
        match self {
            Self::Chain => WARP,
            Self::Scan => 1,
        }
    }
}

/// Whether `members` members of such numbers are computed by scans, where these are stable.
///
/// Scans keep numbers in shared memory, for which they are written for limbs alone.
fn scans(wanted: Recurrences, kind: Kind, members: usize) -> bool {
    let Kind::Limbs(limbs) = kind else { return false };
    match wanted {
        Recurrences::Chains => false,
        Recurrences::Scans => true,
        Recurrences::Chosen => limbs == 1 || members <= MOST_SCANS,
    }
}

/// The block of threads that computes a member by scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) threads: usize,
    /// Nodes of a thread; the last threads may have fewer.
    chunk: usize,
    limbs: usize,
}

impl Block {
    /// Threads at the most: registers bound them.
    pub(super) fn most_threads(limbs: usize) -> usize {
        if limbs == 1 { 512 } else { 256 }
    }

    /// Nodes of a thread where threads are enough. Fewer make a step shorter, more make it less
    /// work; with several limbs shared memory leaves room for one block.
    fn least_chunk(limbs: usize) -> usize {
        if limbs == 1 { 8 } else { 4 }
    }

    pub(super) fn new(limbs: usize, nodes: usize) -> Self {
        let wanted = nodes.div_ceil(Self::least_chunk(limbs)).next_multiple_of(WARP);
        let threads = wanted.min(Self::most_threads(limbs));
        Self { threads, chunk: nodes.div_ceil(threads), limbs }
    }

    /// Numbers of `f64` of its vectors.
    pub(super) fn vectors(self) -> usize {
        VECTORS * self.chunk * self.threads * self.limbs
    }

    /// Bytes of what warps leave for each other.
    fn totals(self) -> usize {
        SHARED * self.threads / WARP * self.limbs * size_of::<f64>()
    }

    /// The bytes of shared memory that it takes of `most`, and whether the vectors lie there too.
    pub(super) fn shared(self, most: usize) -> (usize, bool) {
        let all = self.totals() + self.vectors() * size_of::<f64>();
        if all <= most { (all, true) } else { (self.totals(), false) }
    }
}

/// Whether the matrices of all steps are strictly diagonally dominant by rows, with positive
/// diagonals: scans are stable then. An unsound member has none.
///
/// Row `i` of `I − s·L` is where `s·(|l| + d + |u|) < 1` of the entries of `L`.
fn is_dominant<T: Laid>(member: &Evolution<T>) -> bool {
    let excess: Vec<f64> = member.generators.iter().map(excess).collect();
    member.stages.iter().all(|stage| match stage {
        Stage::Steps(steps) => {
            let s = (steps.theta * steps.dt).to_f64();
            s >= 0.0 && excess.get(steps.generator).is_some_and(|excess| s * excess < 1.0)
        }
        Stage::Map(_) | Stage::Floor(_) => true,
    })
}

/// The greatest `|l| + d + |u|` of a row, or 0; NaN where there is one.
fn excess<T: Laid>(generator: &Generator<T>) -> f64 {
    let Generator { lower, diagonal, upper } = generator;
    let last = diagonal.len().saturating_sub(1);
    // What is beside the first and the last row is not read.
    let beside = |entry: &T, read: bool| if read { entry.to_f64().abs() } else { 0.0 };
    let rows = lower.iter().zip(diagonal).zip(upper).enumerate();
    rows.fold(0.0, |most: f64, (i, ((low, diagonal), high))| {
        let sum = beside(low, i > 0) + beside(high, i < last) + diagonal.to_f64();
        if sum > most || sum.is_nan() { sum } else { most }
    })
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::Bits;

    use crate::evolve::Steps;

    use super::*;

    fn member(entries: [f64; 3], s: f64) -> Evolution<f64> {
        let [lower, diagonal, upper] = entries.map(|x| vec![x; 5]);
        let steps = Steps { generator: 0, count: 1, dt: 2.0 * s, theta: 0.5, constraint: None };
        Evolution {
            start: vec![0.0; 5],
            generators: vec![Generator { lower, diagonal, upper }],
            obstacles: Vec::new(),
            stages: vec![Stage::Steps(steps)],
        }
    }

    #[test]
    fn scans_are_for_dominant_matrices() {
        let of = |wanted, member: Evolution<f64>| Way::of_all(wanted, &[member], 1)[0];
        let way = |entries, s| of(Recurrences::Chosen, member(entries, s));
        assert_eq!(way([1.0, -2.0, 1.0], 1e9), Way::Scan);
        // An entry of the other sign counts by its magnitude.
        assert_eq!(way([-1.0, -1.0, 2.0], 0.4), Way::Scan);
        assert_eq!(way([-1.0, -1.0, 2.0], 0.5), Way::Chain);
        assert_eq!(way([1.0, -2.0, 1.0], -0.1), Way::Chain);
        let mut unsound = member([1.0, -2.0, 1.0], 0.1);
        unsound.generators[0].diagonal[1] = f64::NAN;
        assert_eq!(of(Recurrences::Chosen, unsound), Way::Chain);
        assert_eq!(of(Recurrences::Chains, member([1.0, -2.0, 1.0], 0.1)), Way::Chain);
    }

    #[test]
    fn large_books_of_several_limbs_are_chains() {
        let chosen = |limbs, members| scans(Recurrences::Chosen, Kind::Limbs(limbs), members);
        assert!(chosen(1, 1) && chosen(1, 1_000_000));
        for limbs in 2..=4 {
            assert!(chosen(limbs, MOST_SCANS) && !chosen(limbs, MOST_SCANS + 1));
            assert!(scans(Recurrences::Scans, Kind::Limbs(limbs), MOST_SCANS + 1));
            assert!(!scans(Recurrences::Chains, Kind::Limbs(limbs), 1));
        }
        assert!(!scans(Recurrences::Scans, Kind::Mp(Bits::FEWEST), 1));
    }

    #[test]
    fn blocks_have_whole_warps_and_a_place_for_each_node() {
        for limbs in 1..=4 {
            for nodes in [1, 31, 32, 33, 128, 129, 1001, 2048, 2049, 65_537] {
                let block = Block::new(limbs, nodes);
                assert!(block.threads.is_multiple_of(WARP) && block.threads > 0);
                assert!(block.threads <= Block::most_threads(limbs));
                assert!(block.chunk * block.threads >= nodes);
                assert!((block.chunk - 1) * block.threads < nodes);
            }
        }
        let block = Block::new(1, 1001);
        assert_eq!((block.threads, block.chunk), (128, 8));
        assert_eq!(block.shared(200 << 10), (9 * 1024 * 8 + 14 * 4 * 8, true));
        assert_eq!(block.shared(48 << 10), (14 * 4 * 8, false));
    }
}
