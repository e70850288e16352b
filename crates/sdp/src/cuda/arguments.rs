//! What the kernels take.

use nonius_cuda::{Factor, Layout};
use nonius_gpu::{Entry, Pointer, kernel_arguments};

kernel_arguments! {
    /// Sparse symmetric matrices, the constraints of a program in one of its blocks: entries of
    /// upper triangles, one matrix after the other.
    pub(super) struct Entries {
        pub(super) rows: Pointer<u32>,
        pub(super) cols: Pointer<u32>,
        /// Where those of a matrix begin.
        pub(super) starts: Pointer<u32>,
        /// The number of its constraint.
        pub(super) constraints: Pointer<u32>,
        pub(super) values: Layout,
    }

    /// `A ← Σ xᵢ·Fᵢ + α·F₀`
    pub(super) struct Combination {
        pub(super) a: Layout,
        /// Where entries stand, and where the sources of each begin.
        pub(super) rows: Pointer<u32>,
        pub(super) cols: Pointer<u32>,
        pub(super) starts: Pointer<u32>,
        pub(super) count: i64,
        /// Of each source its constraint and its entry.
        pub(super) constraints: Pointer<u32>,
        pub(super) entries: Pointer<u32>,
        pub(super) values: Layout,
        pub(super) x: Layout,
        /// The weight of what has no constraint.
        pub(super) alpha: Factor,
    }

    /// `Fᵢ•A` for some of the matrices.
    pub(super) struct Products {
        pub(super) entries: Entries,
        /// Which of the matrices.
        pub(super) tasks: Pointer<u32>,
        pub(super) count: i64,
        /// Matrices of `order` rows, one below the other.
        pub(super) a: Layout,
        pub(super) order: i64,
        /// [`Images`](super::part::Images).
        pub(super) images: i64,
        /// For each of these a matrix among the entries: products are with those from this one
        /// on, and go to its column. One without address is all.
        pub(super) columns: Pointer<u32>,
        pub(super) column_count: i64,
        pub(super) to: Layout,
    }

    /// `A ← α·I`
    pub(super) struct Diagonal {
        pub(super) a: Layout,
        pub(super) alpha: Factor,
        /// Whether the entries of a column are those of a diagonal.
        pub(super) is_column: i64,
    }

    /// The diagonal plus a vector.
    pub(super) struct Shifts {
        pub(super) a: Layout,
        /// A column.
        pub(super) shifts: Layout,
    }

    /// The largest magnitude.
    pub(super) struct Largest {
        pub(super) a: Layout,
        /// Bits of the largest magnitude so far as an `f64`: that of a first limb, or of a highest
        /// word. They ascend as magnitudes do, infinity and then NaN last.
        pub(super) bits: Pointer<u64>,
    }
}

pub(super) const COMBINE: Entry<Combination> = Entry::new(c"combine_matrices");
pub(super) const SHORT_PRODUCTS: Entry<Products> = Entry::new(c"short_products");
pub(super) const LONG_PRODUCTS: Entry<Products> = Entry::new(c"long_products");
pub(super) const SYMMETRIZE: Entry<Layout> = Entry::new(c"symmetrize");
pub(super) const MIRROR: Entry<Layout> = Entry::new(c"mirror");
pub(super) const CLEAR_UPPER: Entry<Layout> = Entry::new(c"clear_upper");
pub(super) const IDENTITY: Entry<Diagonal> = Entry::new(c"identity");
pub(super) const ADD_TO_DIAGONAL: Entry<Shifts> = Entry::new(c"add_to_diagonal");
pub(super) const LARGEST: Entry<Largest> = Entry::new(c"largest");

kernel_arguments! {
    /// A square of few rows.
    pub(super) struct Square {
        pub(super) order: u32,
        /// Where it begins in the column, and where its rows begin in vectors.
        pub(super) offset: u32,
        pub(super) row: u32,
        pub(super) unused: u32,
    }

    /// Squares of few rows. What a kernel does not name it does not use.
    pub(super) struct Small {
        pub(super) squares: Pointer<Square>,
        pub(super) count: i64,
        pub(super) a: Layout,
        pub(super) b: Layout,
        pub(super) c: Layout,
        pub(super) alpha: Factor,
        pub(super) beta: Factor,
        /// Not zero when a matrix was found not to be definite.
        pub(super) failed: Pointer<u32>,
    }

    /// `w ← M·A·Mᵀ·q` for a lower triangular `M` and a symmetric `A`.
    pub(super) struct Congruence {
        pub(super) squares: Pointer<Square>,
        pub(super) count: i64,
        pub(super) m: Layout,
        pub(super) a: Layout,
        pub(super) q: Layout,
        pub(super) w: Layout,
    }
}

pub(super) const SMALL_MULTIPLY: Entry<Small> = Entry::new(c"small_multiply");
pub(super) const SMALL_SYMMETRIZE: Entry<Small> = Entry::new(c"small_symmetrize");
pub(super) const SMALL_IDENTITY: Entry<Small> = Entry::new(c"small_identity");
pub(super) const SMALL_FACTOR: Entry<Small> = Entry::new(c"small_factor");
pub(super) const SMALL_INVERT: Entry<Small> = Entry::new(c"small_invert");
pub(super) const SMALL_GRAM: Entry<Small> = Entry::new(c"small_gram");
pub(super) const SMALL_CONGRUENCE: Entry<Congruence> = Entry::new(c"small_congruence");

kernel_arguments! {
    /// Columns of the Schur complement from entries of `U` and `V` alone.
    pub(super) struct Sparse {
        pub(super) entries: Entries,
        /// How many matrices there are, and those whose columns are computed.
        pub(super) count: i64,
        pub(super) columns: Pointer<u32>,
        pub(super) column_count: i64,
        /// Whether the rows of a column are dealt out to all warps, so that few have several
        /// long sums.
        pub(super) is_dealt: i64,
        pub(super) u: Layout,
        pub(super) v: Layout,
        pub(super) b: Layout,
    }

    /// A column of a matrix that is not zero.
    pub(super) struct Line {
        /// The number of the matrix among those that are multiplied, and the column.
        pub(super) matrix: u32,
        pub(super) col: u32,
        /// Its entries.
        pub(super) first: u32,
        pub(super) end: u32,
    }

    /// `V·Fⱼ` where it is not zero.
    pub(super) struct Left {
        pub(super) lines: Pointer<Line>,
        pub(super) count: i64,
        /// Of each entry of a line its row and its number.
        pub(super) rows: Pointer<u32>,
        pub(super) entries: Pointer<u32>,
        pub(super) values: Layout,
        pub(super) v: Layout,
        /// `V·Fⱼ` for the matrices from one on, one below the other.
        pub(super) to: Layout,
        pub(super) first: i64,
    }

    /// What the diagonal block adds.
    pub(super) struct OfDiagonal {
        pub(super) entries: Entries,
        /// For each entry its number row by row.
        pub(super) numbers: Pointer<u32>,
        /// Of those the first of each row, and for each the constraint and the number among the
        /// entries.
        pub(super) starts: Pointer<u32>,
        pub(super) constraints: Pointer<u32>,
        pub(super) by_row: Pointer<u32>,
        /// Weights of the rows: `U·V`.
        pub(super) uv: Layout,
        pub(super) b: Layout,
    }
}

pub(super) const SCHUR_SPARSE: Entry<Sparse> = Entry::new(c"schur_sparse");
pub(super) const SCHUR_LEFT: Entry<Left> = Entry::new(c"schur_left");
pub(super) const SCHUR_DIAGONAL: Entry<OfDiagonal> = Entry::new(c"schur_diagonal");

kernel_arguments! {
    /// The rows of a second-order cone.
    pub(super) struct ConeRows {
        pub(super) first: u32,
        pub(super) order: u32,
    }

    /// Second-order cones, whose rows are those of columns. What a kernel does not name it does not
    /// use.
    pub(super) struct SecondOrder {
        pub(super) cones: Pointer<ConeRows>,
        pub(super) count: i64,
        pub(super) u: Layout,
        pub(super) d: Layout,
        pub(super) v: Layout,
        pub(super) to: Layout,
        pub(super) alpha: Factor,
        pub(super) beta: Factor,
        /// Not zero when a vector was found not to be in the interior.
        pub(super) failed: Pointer<u32>,
    }

    /// What a constraint has in a second-order cone.
    pub(super) struct ConePart {
        /// Its entries.
        pub(super) first: u32,
        pub(super) end: u32,
        /// Its place among the parts of all cones, and where those of its cone end.
        pub(super) at: u32,
        pub(super) last: u32,
    }

    /// What second-order cones add to the Schur complement.
    pub(super) struct OfCones {
        pub(super) entries: Entries,
        /// Of each part its entries and its constraint.
        pub(super) parts: Pointer<ConePart>,
        pub(super) constraints: Pointer<u32>,
        pub(super) count: i64,
        /// The first part of each constraint.
        pub(super) starts: Pointer<u32>,
        /// The parts of each cone, ascending by constraints, one cone after the other.
        pub(super) of_cones: Pointer<u32>,
        pub(super) u: Layout,
        pub(super) v: Layout,
        /// For each part the products of `U` and of `V` with its entries, a column.
        pub(super) products: Layout,
        pub(super) b: Layout,
    }
}

pub(super) const SECOND_ORDER_IDENTITY: Entry<SecondOrder> = Entry::new(c"second_order_identity");
pub(super) const SECOND_ORDER_ROOT: Entry<SecondOrder> = Entry::new(c"second_order_root");
pub(super) const SECOND_ORDER_INVERT: Entry<SecondOrder> = Entry::new(c"second_order_invert");
pub(super) const SECOND_ORDER_SQUARE: Entry<SecondOrder> = Entry::new(c"second_order_square");
pub(super) const SECOND_ORDER_TRIPLE: Entry<SecondOrder> = Entry::new(c"second_order_triple");
pub(super) const SECOND_ORDER_LEAST: Entry<SecondOrder> = Entry::new(c"second_order_least");
pub(super) const SECOND_ORDER_WEIGHTS: Entry<SecondOrder> = Entry::new(c"second_order_weights");
pub(super) const SECOND_ORDER_PRODUCTS: Entry<OfCones> = Entry::new(c"second_order_products");
pub(super) const SECOND_ORDER_SCHUR: Entry<OfCones> = Entry::new(c"second_order_schur");
