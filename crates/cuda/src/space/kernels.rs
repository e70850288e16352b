//! What the kernels of `sparse/space.cu` take.

use nonius_gpu::{
    Const, Entry, Error, Kernel, Module, Pointer, Source, kernel_arguments, kernel_parameters,
    kernel_types,
};

use super::vector::{Planes, Vector};

/// Numbers in a row of a log at the most.
pub(super) const COLUMNS: usize = 4;

kernel_types! {
    /// Rows of numbers that the device writes: see `log.cuh`.
    pub(crate) Log;
}

kernel_arguments! {
    /// Two indices.
    pub(super) struct Indices {
        pub(super) first: i64,
        pub(super) second: i64,
    }
}

kernel_parameters! {
    /// `y ← y ± a·x`
    pub(super) struct Axpy {
        pub(super) a: Planes<Vector>,
        pub(super) minus: i32,
        pub(super) x: Planes<Vector>,
        pub(super) y: Planes<Vector>,
        pub(super) n: i64,
        /// The log that holds the space, or null, as in what follows.
        pub(super) held: Pointer<Const<Log>>,
    }

    /// `y ← x ± b·y`
    pub(super) struct Xpay {
        pub(super) x: Planes<Vector>,
        pub(super) b: Planes<Vector>,
        pub(super) minus: i32,
        pub(super) y: Planes<Vector>,
        pub(super) n: i64,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// `x ← a·x`
    pub(super) struct Scaling {
        pub(super) a: Planes<Vector>,
        pub(super) x: Planes<Vector>,
        pub(super) n: i64,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// A vector that is read, and one that is written.
    pub(super) struct TwoVectors {
        pub(super) x: Planes<Vector>,
        pub(super) y: Planes<Vector>,
        pub(super) n: i64,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// A vector that is written.
    pub(super) struct OneVector {
        pub(super) x: Planes<Vector>,
        pub(super) n: i64,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// `y ← x·2^exponent` in `f64`
    pub(super) struct Rounding {
        pub(super) x: Planes<Vector>,
        pub(super) exponent: i64,
        pub(super) y: Pointer<f64>,
        pub(super) n: i64,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// `y ← x·2^exponent` from `f64`
    pub(super) struct Widening {
        pub(super) x: Pointer<Const<f64>>,
        pub(super) exponent: i64,
        pub(super) y: Planes<Vector>,
        pub(super) n: i64,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// `to ← value`
    pub(super) struct Setting {
        pub(super) value: f64,
        pub(super) to: Planes<Vector>,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// The sums of blocks of products.
    pub(super) struct Products {
        pub(super) x: Planes<Vector>,
        pub(super) y: Planes<Vector>,
        pub(super) n: i64,
        /// Two numbers for each block of entries.
        pub(super) sums: Planes<Vector>,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// `to[k] ← x·y` over range `k` from these sums.
    pub(super) struct Sums {
        /// Where ranges begin and end; null for all entries together.
        pub(super) ranges: Pointer<Const<Indices>>,
        pub(super) n: i64,
        pub(super) sums: Planes<Vector>,
        pub(super) to: Planes<Vector>,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// `x[i] ← x[i] + x[j]` for pairs, then `to ← x[0]`.
    pub(super) struct Additions {
        pub(super) pairs: Pointer<Const<Indices>>,
        pub(super) count: i64,
        pub(super) x: Planes<Vector>,
        pub(super) to: Planes<Vector>,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// `to[j] ← from[i]` for pairs.
    pub(super) struct Moves {
        pub(super) moves: Pointer<Const<Indices>>,
        pub(super) n: i64,
        pub(super) from: Planes<Vector>,
        pub(super) to: Planes<Vector>,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// `to[second + i] ← from[first + i]`
    pub(super) struct Placing {
        pub(super) from: Planes<Vector>,
        pub(super) first: i64,
        pub(super) to: Planes<Vector>,
        pub(super) second: i64,
        pub(super) n: i64,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// An operation on single numbers.
    pub(super) struct Computation {
        pub(super) operation: i32,
        pub(super) a: Planes<Vector>,
        pub(super) b: Planes<Vector>,
        pub(super) to: Planes<Vector>,
        pub(super) held: Pointer<Const<Log>>,
    }

    /// A row of a log: the first `columns` numbers.
    pub(super) struct Record {
        pub(super) log: Pointer<Log>,
        pub(super) columns: i32,
        pub(super) a: Planes<Vector>,
        pub(super) b: Planes<Vector>,
        pub(super) c: Planes<Vector>,
        pub(super) d: Planes<Vector>,
        pub(super) held: Pointer<Const<Log>>,
    }
}

const AXPY: Entry<Axpy> = Entry::new(c"axpy");
const XPAY: Entry<Xpay> = Entry::new(c"xpay");
const SCALE: Entry<Scaling> = Entry::new(c"scale_entries");
const MULTIPLY: Entry<TwoVectors> = Entry::new(c"multiply");
const COPY: Entry<TwoVectors> = Entry::new(c"copy");
const CLEAR: Entry<OneVector> = Entry::new(c"clear");
const SUM_PRODUCTS: Entry<Products> = Entry::new(c"sum_products");
const ADD_SUMS: Entry<Sums> = Entry::new(c"add_sums");
const ADD_PAIRS: Entry<Additions> = Entry::new(c"add_pairs");
const MOVE_ENTRIES: Entry<Moves> = Entry::new(c"move_entries");
const PLACE: Entry<Placing> = Entry::new(c"place");
const COMPUTE: Entry<Computation> = Entry::new(c"compute");
const RECORD: Entry<Record> = Entry::new(c"record");
const ROUND_ENTRIES: Entry<Rounding> = Entry::new(c"round_entries");
const WIDEN_ENTRIES: Entry<Widening> = Entry::new(c"widen_entries");
const SET: Entry<Setting> = Entry::new(c"set");

/// The kernels of `space.cu`.
#[derive(Debug)]
pub(super) struct Kernels {
    pub(super) axpy: Kernel<Axpy>,
    pub(super) xpay: Kernel<Xpay>,
    pub(super) scale: Kernel<Scaling>,
    pub(super) multiply: Kernel<TwoVectors>,
    pub(super) copy: Kernel<TwoVectors>,
    pub(super) clear: Kernel<OneVector>,
    pub(super) sum_products: Kernel<Products>,
    pub(super) add_sums: Kernel<Sums>,
    pub(super) add_pairs: Kernel<Additions>,
    pub(super) move_entries: Kernel<Moves>,
    pub(super) place: Kernel<Placing>,
    pub(super) compute: Kernel<Computation>,
    pub(super) record: Kernel<Record>,
    pub(super) round_entries: Kernel<Rounding>,
    pub(super) widen_entries: Kernel<Widening>,
    pub(super) set: Kernel<Setting>,
}

impl Kernels {
    pub(super) fn of(module: &Module) -> Result<Self, Error> {
        Ok(Self {
            axpy: module.kernel(AXPY)?,
            xpay: module.kernel(XPAY)?,
            scale: module.kernel(SCALE)?,
            multiply: module.kernel(MULTIPLY)?,
            copy: module.kernel(COPY)?,
            clear: module.kernel(CLEAR)?,
            sum_products: module.kernel(SUM_PRODUCTS)?,
            add_sums: module.kernel(ADD_SUMS)?,
            add_pairs: module.kernel(ADD_PAIRS)?,
            move_entries: module.kernel(MOVE_ENTRIES)?,
            place: module.kernel(PLACE)?,
            compute: module.kernel(COMPUTE)?,
            record: module.kernel(RECORD)?,
            round_entries: module.kernel(ROUND_ENTRIES)?,
            widen_entries: module.kernel(WIDEN_ENTRIES)?,
            set: module.kernel(SET)?,
        })
    }

    /// A module with what they take.
    pub(super) fn declared(source: Source) -> Source {
        source
            .entry(AXPY)
            .entry(XPAY)
            .entry(SCALE)
            .entry(MULTIPLY)
            .entry(COPY)
            .entry(CLEAR)
            .entry(SUM_PRODUCTS)
            .entry(ADD_SUMS)
            .entry(ADD_PAIRS)
            .entry(MOVE_ENTRIES)
            .entry(PLACE)
            .entry(COMPUTE)
            .entry(RECORD)
            .entry(ROUND_ENTRIES)
            .entry(WIDEN_ENTRIES)
            .entry(SET)
    }
}
