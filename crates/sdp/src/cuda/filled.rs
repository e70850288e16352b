//! Arguments of kernels from what a block has in memory.

use nonius_cuda::{Factor, Layout};
use nonius_gpu::{Entry, Pointer, Shape};

use super::arguments::{
    Combination, Entries, LONG_PRODUCTS, OfDiagonal, Products, SHORT_PRODUCTS, Sparse,
};
use super::launch::{SHORT_SUM_THREADS, THREADS, shape};

/// How the mirror image of an entry counts in a product with a matrix: `Images` in `cone.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Images {
    /// Not at all.
    None = 0,
    /// As the entry.
    Same = 1,
    /// By itself.
    Other = 2,
}

/// What matrices of a block are multiplied by, and where the products are added.
#[derive(Clone, Copy)]
pub(super) struct Factors {
    /// Matrices of `order` rows, one below the other.
    pub(super) a: Layout,
    pub(super) order: usize,
    pub(super) images: Images,
    /// Where the numbers of these matrices' columns are, and how many. None where there is one
    /// matrix, whose products go to a vector.
    pub(super) columns: Option<(Pointer<u32>, usize)>,
    pub(super) to: Layout,
}

impl Factors {
    /// Products with some matrices among the entries: where their numbers are, and how many. Each
    /// has a block of threads where it has many entries.
    pub(super) fn products(
        &self,
        entries: Entries,
        (tasks, count): (Pointer<u32>, usize),
        is_long: bool,
    ) -> (Entry<Products>, Shape, Products) {
        let (columns, column_count) = self.columns.unwrap_or((Pointer::NULL, 1));
        let products = Products {
            entries,
            tasks,
            count: count as i64,
            a: self.a,
            order: self.order as i64,
            images: self.images as i64,
            columns,
            column_count: column_count as i64,
            to: self.to,
        };
        let (entry, threads) =
            if is_long { (LONG_PRODUCTS, THREADS) } else { (SHORT_PRODUCTS, SHORT_SUM_THREADS) };
        (entry, shape(count * threads, column_count), products)
    }
}

/// Where any of a block's matrices has an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    pub(super) count: usize,
    /// Rows, columns and beginnings of the sources.
    pub(super) places: [Pointer<u32>; 3],
    /// Constraints and entries of the sources.
    pub(super) sources: [Pointer<u32>; 2],
}

impl Pattern {
    /// `A ← Σ xᵢ·Fᵢ + α·F₀` with these values of the entries.
    pub(super) fn combination(
        self,
        values: Layout,
        (x, alpha): (Layout, Factor),
        a: Layout,
    ) -> (Shape, Combination) {
        let Self { count, places: [rows, cols, starts], sources: [constraints, entries] } = self;
        let combination = Combination {
            a,
            rows,
            cols,
            starts,
            count: count as i64,
            constraints,
            entries,
            values,
            x,
            alpha,
        };
        (shape(count, 1), combination)
    }

    /// What the diagonal block, whose pattern this is, adds to the Schur complement.
    pub(super) fn of_diagonal(
        self,
        entries: Entries,
        numbers: Pointer<u32>,
        [uv, b]: [Layout; 2],
    ) -> (Shape, OfDiagonal) {
        let Self { places: [_, _, starts], sources: [constraints, by_row], .. } = self;
        let of_diagonal = OfDiagonal { entries, numbers, starts, constraints, by_row, uv, b };
        (shape(b.shape().1 * THREADS, 1), of_diagonal)
    }
}

/// Columns of the Schur complement from entries alone, for `count` matrices. `columns` lists the
/// numbers of `column_count` of them. `is_long` tells whether most of their sums may be long.
pub(super) fn sparse(
    entries: Entries,
    count: usize,
    (columns, column_count): (Pointer<u32>, usize),
    is_long: bool,
    [u, v, b]: [Layout; 3],
) -> (Shape, Sparse) {
    let sparse = Sparse {
        entries,
        count: count as i64,
        columns,
        column_count: column_count as i64,
        is_dealt: is_long.into(),
        u,
        v,
        b,
    };
    (shape(count, column_count), sparse)
}
