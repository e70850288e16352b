//! What the kernels take.

use nonius_gpu::{Const, Entry, Error, Pointer, kernel_arguments, kernel_parameters};

/// What happens in a stage: `Kind` in `evolve.cuh`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Steps = 0,
    Map = 1,
    Floor = 2,
}

kernel_arguments! {
    /// A stage of all members of a tile.
    pub(super) struct Stage {
        /// A [`Kind`].
        pub(super) kind: i32,
        /// The first vector of the generator, map or obstacle.
        pub(super) operand: i32,
        /// Steps, and the vector of their obstacle, or −1.
        pub(super) count: i32,
        pub(super) obstacle: i32,
        /// Whether the vector lies on the obstacle at node 0, so that elimination begins at the
        /// last one.
        pub(super) high_first: i32,
        /// Of `dt`, `theta` follows; of a map where its first nodes are.
        pub(super) numbers: i32,
        /// The first of the steps with an obstacle, among all of the member.
        pub(super) contact: i32,
        pub(super) unused: i32,
    }

    /// Members with the same stages.
    pub(super) struct Tile {
        /// Where its vectors of input begin; `u`; its vectors of work; its numbers; its first
        /// nodes of maps; its contacts.
        pub(super) input: i64,
        pub(super) u: i64,
        pub(super) work: i64,
        pub(super) numbers: i64,
        pub(super) firsts: i64,
        pub(super) contacts: i64,
        pub(super) nodes: i32,
        pub(super) members: i32,
        pub(super) first_stage: i32,
        pub(super) stages: i32,
    }
}

kernel_parameters! {
    /// Tiles, a block of threads for each.
    pub(super) struct Batch {
        pub(super) tiles: Pointer<Const<Tile>>,
        /// Those of all tiles.
        pub(super) stages: Pointer<Const<Stage>>,
        pub(super) input: Pointer<Const<f64>>,
        pub(super) u: Pointer<f64>,
        pub(super) work: Pointer<f64>,
        pub(super) numbers: Pointer<Const<f64>>,
        pub(super) firsts: Pointer<Const<i32>>,
        /// Zero before scans.
        pub(super) contacts: Pointer<u32>,
        /// Becomes 1 for members of which some number is not in range: whether they have an
        /// outcome is for the host to find.
        pub(super) failed: Pointer<u32>,
        /// Whether vectors of scans lie in the memory of work, not in shared memory.
        pub(super) in_work: i32,
    }
}

pub(super) const EVOLVE: Entry<Batch> = Entry::new(c"evolve");

/// A count as kernels have it.
pub(super) fn counted(count: usize) -> Result<i32, Error> {
    let most = i32::MAX;
    i32::try_from(count).map_err(|_| Error::TooManyRows { rows: count, most: most as usize })
}
