//! How much is computed in a step.

/// Floating-point operations by the precision of their results: a multiplication with an addition
/// is two, a quotient or a root one; signs, comparisons and conversions are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// In `f32`.
    pub single: u64,
    /// In `f64`.
    pub double: u64,
}

impl Operations {
    /// The part of them in `f32`.
    pub fn single_part(&self) -> f64 {
        let all = self.single + self.double;
        if all > 0 { self.single as f64 / all as f64 } else { 0.0 }
    }
}
