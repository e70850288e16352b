//! How far to go.

/// The step for a direction of which the least eigenvalue relative to the point is at least
/// `least`: the given part of the way to the boundary, at most the whole step.
pub(super) fn to_boundary(least: f64, part: f64) -> f64 {
    if least.is_nan() {
        0.0
    } else if least >= -part {
        1.0
    } else {
        part / -least
    }
}
