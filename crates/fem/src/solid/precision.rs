//! In what numbers runs compute.

/// In what numbers a run computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Everything in `f32`.
    Single,
    /// Elements in `f32`; motions of nodes, and sums that elements and nodes keep from step to
    /// step, in `f64`.
    Mixed,
    /// Everything in pairs of `f32`, some 14 digits, in place of `f64`: for devices where `f64` is
    /// slow, or that have none. On the CPU, which has it, the same as
    /// [`Double`](Precision::Double).
    Pairs,
    /// Everything in `f64`.
    Double,
}

impl Precision {
    /// All, in the order of their digits.
    pub const ALL: [Precision; 4] =
        [Precision::Single, Precision::Mixed, Precision::Pairs, Precision::Double];

    /// `f32`, `mixed`, `f32x2` or `f64`.
    pub fn name(self) -> &'static str {
        match self {
            Precision::Single => "f32",
            Precision::Mixed => "mixed",
            Precision::Pairs => "f32x2",
            Precision::Double => "f64",
        }
    }
}
