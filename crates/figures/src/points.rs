//! The points of a curve that are drawn: those that the axes can show, and few of many.

use crate::figure::Scale;

/// Points of a curve at most: more than a screen has columns.
pub(crate) const MOST_POINTS: usize = 2000;
/// Points that stay of each part of a curve with more: its ends and its extremes.
const KEPT: usize = 4;
/// Pieces of a curve at most; the line of a curve with more goes across its gaps.
const MOST_PIECES: usize = 100;

impl Scale {
    /// Whether the scale has a place for `x`.
    pub(crate) fn takes(self, x: f64) -> bool {
        x.is_finite() && (self == Self::Linear || x > 0.0)
    }
}

/// The pieces of a curve between points that cannot be drawn, thinned.
pub(crate) fn pieces(points: &[(f64, f64)], [x, y]: [Scale; 2]) -> Vec<Vec<(f64, f64)>> {
    let drawn = |&(px, py): &(f64, f64)| x.takes(px) && y.takes(py);
    let split = points.split(|point| !drawn(point)).filter(|piece| !piece.is_empty());
    let mut pieces: Vec<Vec<(f64, f64)>> = split.map(<[_]>::to_vec).collect();
    if pieces.len() > MOST_PIECES {
        pieces = vec![pieces.concat()];
    }
    let count: usize = pieces.iter().map(Vec::len).sum();
    if count > MOST_POINTS {
        // A piece may end with a short part.
        let part = count.div_ceil(MOST_POINTS / KEPT - MOST_PIECES);
        pieces.iter_mut().for_each(|piece| *piece = thinned(piece, part));
    }
    pieces
}

/// The ends, the lowest and the highest point of each part.
fn thinned(points: &[(f64, f64)], part: usize) -> Vec<(f64, f64)> {
    let mut kept = Vec::new();
    for part in points.chunks(part) {
        let values = || part.iter().map(|point| point.1).enumerate();
        let low = values().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i);
        let high = values().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i);
        let mut places = [0, low, high, part.len() - 1].to_vec();
        places.sort_unstable();
        places.dedup();
        kept.extend(places.into_iter().map(|i| part[i]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINEAR: [Scale; 2] = [Scale::Linear; 2];

    #[test]
    fn what_axes_cannot_show_leaves_a_gap() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let points = [(0.0, 1.0), (1.0, nan), (2.0, 0.0), (3.0, 2.0), (4.0, inf), (nan, 5.0)];
        assert_eq!(pieces(&points, LINEAR), [vec![(0.0, 1.0)], vec![(2.0, 0.0), (3.0, 2.0)]]);
        let logarithmic = [Scale::Linear, Scale::Logarithmic];
        assert_eq!(pieces(&points, logarithmic), [vec![(0.0, 1.0)], vec![(3.0, 2.0)]]);
        assert!(pieces(&points[..1], [Scale::Logarithmic; 2]).is_empty());
        assert!(pieces(&[], LINEAR).is_empty());
    }

    #[test]
    fn many_points_are_thinned_and_extremes_stay() {
        for count in [2000, 2001, 2400, 9_999, 100_000] {
            let mut points: Vec<(f64, f64)> =
                (0..count).map(|i| (i as f64, (i as f64).sin())).collect();
            points[count / 3].1 = -9.0;
            points[count / 2].1 = 9.0;
            for gaps in [0, 1, 7, 99, 101, 900] {
                let mut points = points.clone();
                (0..gaps).for_each(|i| points[(2 * i + 1) * count / (2 * gaps)].1 = f64::NAN);
                (points[count / 3].1, points[count / 2].1) = (-9.0, 9.0);
                let found = pieces(&points, LINEAR).concat();
                assert!(found.len() <= MOST_POINTS, "{count} {gaps}: {}", found.len());
                assert!(found.is_sorted_by(|a, b| a.0 < b.0), "{count} {gaps}");
                for kept in [0, count / 3, count / 2, count - 1] {
                    assert!(found.contains(&points[kept]), "{count} {gaps} {kept}");
                }
            }
        }
    }
}
