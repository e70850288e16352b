//! What the kernels take.

use nonius_gpu::{Buffer, Pointer, kernel_arguments, kernel_parameters, kernel_types};

kernel_types! {
    /// A limb: `double`, or `float` for `f32`; or a word of 64 bits.
    pub(super) Word;
}

kernel_arguments! {
    /// A number for each row of each system, limbs or words in planes, heads in a plane behind.
    pub(super) struct Array {
        data: Pointer<Word>,
    }

    /// The systems of a batch, or rings.
    pub(super) struct Batch {
        pub(super) systems: i64,
        pub(super) size: i64,
        /// Words from a row to the next, from a system to the next, from a limb to the next.
        pub(super) row: i64,
        pub(super) system: i64,
        pub(super) plane: i64,
        pub(super) lower: Array,
        pub(super) diagonal: Array,
        pub(super) upper: Array,
        pub(super) right: Array,
        pub(super) x: Array,
        /// For each system the complement of the least `Fault`, which is 0 where there is none; or
        /// null.
        pub(super) faults: Pointer<u32>,
    }
}

kernel_parameters! {
    /// Systems, a thread for each.
    pub(super) struct Elimination {
        pub(super) batch: Batch,
        /// Arrays for what elimination leaves of a row above the diagonal: next to it, and beyond
        /// that with row exchanges.
        pub(super) above: Array,
        pub(super) beyond: Array,
    }

    /// Systems by cyclic reduction.
    pub(super) struct Reduction {
        pub(super) batch: Batch,
        /// Memory for four numbers of every row, where these do not fit shared memory.
        pub(super) beside: Array,
    }

    /// Long systems in chunks.
    pub(super) struct Split {
        pub(super) batch: Batch,
        /// A row for each chunk: the equation of its last row.
        pub(super) lasts: Batch,
    }

    /// Open systems from rings.
    pub(super) struct Opening {
        pub(super) batch: Batch,
        /// The diagonal of the open systems, that of the rings before.
        pub(super) diagonal: Array,
        /// Right sides of their corrections, zero before.
        pub(super) corner: Array,
    }

    /// The solution of rings, in place of that of the open systems.
    pub(super) struct Closing {
        pub(super) batch: Batch,
        pub(super) correction: Array,
    }

    /// Rings by elimination of a band with row exchanges.
    pub(super) struct Band {
        pub(super) batch: Batch,
        /// Four arrays for what is left of rows, and words from one to the next.
        pub(super) above: Array,
        pub(super) stride: i64,
    }
}

impl Array {
    pub(super) const fn at(address: u64) -> Self {
        Self { data: Pointer::at(address) }
    }

    pub(super) fn of(buffer: &Buffer) -> Self {
        Self { data: buffer.pointer() }
    }
}
