//! How lines, sums and digits are grouped.

pub(in crate::cpu::gemm) use crate::dense::Side;

/// Lines that are kept together: a group. The words of a plane of a group are `[k / DEPTH][LINES]`.
pub(in crate::cpu::gemm) const LINES: usize = 16;

/// Rows that a sink takes at a time.
pub(in crate::cpu) const ROWS: usize = 64;

const _: () = assert!(ROWS.is_multiple_of(LINES));

/// What is done to two residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Subtract,
}

/// Digits of some entries, and room to make them.
#[derive(Default)]
pub(super) struct Digits {
    /// `[digit][ROWS]`.
    pub(super) digits: Vec<f64>,
    pub(super) words: Vec<u32>,
    pub(super) sums: Vec<i32>,
}
