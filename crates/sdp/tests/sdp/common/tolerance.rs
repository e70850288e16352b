//! How far solutions may be from what is known.

/// How far objectives may be from the optimum, relative to it or to one, where a gap was asked for:
/// that, and what infeasibilities of its size make.
pub(crate) fn of_objective(tolerance: f64) -> f64 {
    10.0 * tolerance
}

/// How far numbers of a point, rounded to `f64`, may be from those of the only optimal one: where
/// objectives grow with the square of the distance, the root of the gap.
pub(crate) fn of_point(tolerance: f64) -> f64 {
    tolerance.sqrt() + 16.0 * f64::EPSILON
}
