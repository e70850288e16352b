//! Names beside the ends of their curves.
//!
//! Names stand to the right of the ends. Where they would overlap, they are moved apart as little
//! as possible, in the order of the ends. The name of a curve that ends before the right edge takes
//! the nearest place that is free of curves and of other names.

use crate::sizes::Area;

/// Height of a name with the room above and below.
pub(crate) const NAME_HEIGHT: f64 = 18.0;
/// Between a curve's end and its name.
pub(crate) const GAP: f64 = 9.0;
/// The same where a leader joins them.
pub(crate) const LEADER: f64 = 24.0;
/// So near the edge a curve ends there.
const NEAR: f64 = 6.0;
/// A name so far above or below the end needs a leader.
const SHIFTED: f64 = 5.0;
/// How far a column of names may be below or above the ends.
const SHIFTS: [f64; 7] = [0.0, 5.0, -5.0, 9.0, -9.0, 13.0, -13.0];
/// Room between a name and curves, and a marker's reach.
const CLEAR: f64 = 3.0;
const MARKER: f64 = 5.0;
/// Height of letters above and below the middle of a name.
const LETTERS: f64 = 6.0;

/// What names must leave free: lines, and the middles of markers.
pub(crate) struct Obstacles {
    pub(crate) lines: Vec<Vec<[f64; 2]>>,
    pub(crate) markers: Vec<[f64; 2]>,
}

/// A name that wants a place: its width, and where its curve ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) width: f64,
    pub(crate) end: [f64; 2],
}

/// Where a name stands: its left end, at half of its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) at: [f64; 2],
    /// Whether a leader joins it with the curve's end.
    pub(crate) has_leader: bool,
}

/// Left, top, right and bottom.
type Extent = [f64; 4];

fn around(name: &Wanted, [x, y]: [f64; 2]) -> Extent {
    [x, y - NAME_HEIGHT / 2.0, x + name.width, y + NAME_HEIGHT / 2.0]
}

/// Places for all names, none over a curve or over another name; `None` if there are none.
///
/// `right` is where names have to end, beyond the axes or not.
pub(crate) fn place(
    names: &[Wanted],
    obstacles: &Obstacles,
    axes: &Area,
    right: f64,
) -> Option<Vec<Placed>> {
    let mut placed: Vec<Option<Placed>> = vec![None; names.len()];
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&i, &j| names[j].end[0].total_cmp(&names[i].end[0]));
    let is_at_edge = |i: usize| names[i].end[0] > axes.right - NEAR;
    let together = |&i: &usize, &j: &usize| {
        is_at_edge(j) || !is_at_edge(i) && names[i].end[0] - names[j].end[0] < NEAR
    };
    let free = |i: usize, found: &Placed, placed: &[Option<Placed>]| {
        let here = around(&names[i], found.at);
        let [left, top, end, bottom] = here;
        let mut others =
            names.iter().zip(placed).filter_map(|(n, p)| Some(around(n, p.as_ref()?.at)));
        left > axes.left
            && end <= right
            && top >= axes.top
            && bottom < axes.bottom
            && !others.any(|other| overlap(&here, &other))
            && obstacles.leave(&here, found.has_leader.then(|| leader(&names[i], found.at)))
    };
    for group in order.chunk_by(together) {
        if is_at_edge(group[0]) {
            let found = column(names, group, axes.right, 0.0, [axes.top, axes.bottom])?;
            group.iter().zip(found).for_each(|(&i, found)| placed[i] = Some(found));
            continue;
        }
        // Names of ends one above the other stand in a column. Those that have no room in it are
        // left to find places of their own.
        let (half, x) = (NAME_HEIGHT / 2.0, names[group[0]].end[0]);
        let room = [axes.top + half, axes.bottom - half - 1.0];
        let mut group = group.to_vec();
        while !group.is_empty() {
            let columns = SHIFTS.iter().filter_map(|&shift| column(names, &group, x, shift, room));
            let of_free = |found: Vec<Placed>| {
                let each = group.iter().zip(found);
                each.filter(|(i, found)| free(**i, found, &placed)).collect::<Vec<_>>()
            };
            let columns: Vec<_> = columns.map(of_free).collect();
            if let Some(column) = columns.iter().find(|column| column.len() == group.len()) {
                column.iter().for_each(|(i, found)| placed[**i] = Some(*found));
                break;
            }
            group = columns.first().map_or(Vec::new(), |c| c.iter().map(|(i, _)| **i).collect());
        }
    }
    for i in 0..names.len() {
        if placed[i].is_none() {
            placed[i] = Some(candidates(&names[i]).find(|found| free(i, found, &placed))?);
        }
    }
    placed.into_iter().collect()
}

/// From near the end of a curve to its name.
pub(crate) fn leader(name: &Wanted, at: [f64; 2]) -> [[f64; 2]; 2] {
    let [x, y] = name.end;
    if at[0] < x {
        [[x - 4.0, y], [at[0] + name.width + 4.0, at[1]]]
    } else {
        [[x + 4.0, y], [at[0] - 4.0, at[1]]]
    }
}

impl Obstacles {
    /// Whether they leave room for a name, and for a leader if it has one.
    fn leave(&self, [left, top, right, bottom]: &Extent, leader: Option<[[f64; 2]; 2]>) -> bool {
        let wide = [left - CLEAR, *top, right + CLEAR, *bottom];
        let middle = f64::midpoint(*top, *bottom);
        let letters = [*left, middle - LETTERS, *right, middle + LETTERS];
        let around = |&[x, y]: &[f64; 2]| [x - MARKER, y - MARKER, x + MARKER, y + MARKER];
        let led = |line: &[[f64; 2]]| {
            leader
                .is_some_and(|leader| line.windows(2).any(|pair| cross([pair[0], pair[1]], leader)))
        };
        !self.lines.iter().any(|line| crosses(line, &wide) || led(line))
            && !self.markers.iter().any(|marker| overlap(&letters, &around(marker)))
    }
}

/// Names to the right of `x`, all shifted and then moved apart; `None` without room.
fn column(
    names: &[Wanted],
    group: &[usize],
    x: f64,
    shift: f64,
    room: [f64; 2],
) -> Option<Vec<Placed>> {
    let heights: Vec<f64> = group.iter().map(|&i| names[i].end[1]).collect();
    let shifted: Vec<f64> = heights.iter().map(|height| height + shift).collect();
    let spread = apart(&shifted, NAME_HEIGHT, room)?;
    let moved = || heights.iter().zip(&spread).filter(|(a, b)| (*a - *b).abs() > SHIFTED);
    // The leaders of moved names need room beside their neighbours, too.
    let leads = |y: f64| moved().any(|(_, other)| (y - other).abs() < 1.2 * NAME_HEIGHT);
    let place = |&y: &f64| Placed {
        at: [x + if leads(y) { LEADER } else { GAP }, y],
        has_leader: leads(y),
    };
    Some(spread.iter().map(place).collect())
}

/// Places for a name, the nearest to the end of its curve first.
fn candidates(name: &Wanted) -> impl Iterator<Item = Placed> {
    let &Wanted { width, end: [x, y] } = name;
    let at = |x: f64, y: f64| Placed { at: [x, y], has_leader: false };
    let beside = [0.0, -7.0, 7.0].map(|shift| at(x + GAP, y + shift));
    let above = [-0.5, -0.2, -0.8].map(|part| at(x + part * width, y - 17.0));
    let below = above.map(|place| at(place.at[0], 2.0 * y - place.at[1]));
    let before = [0.0, -7.0, 7.0].map(|shift| at(x - GAP - width, y + shift));
    let far = (2..8).flat_map(move |i| {
        let shift = f64::from(i) * NAME_HEIGHT / 2.0;
        [(LEADER, -shift), (LEADER, shift), (-LEADER - width, -shift), (-LEADER - width, shift)]
            .map(|(across, down)| Placed { at: [x + across, y + down], has_leader: true })
    });
    beside.into_iter().chain(above).chain(below).chain(before).chain(far)
}

/// Heights at least `least` apart within the ends, in the order of the given ones and as near to
/// them as can be (the mean of each group that touches is kept); `None` if there is no room.
fn apart(heights: &[f64], least: f64, [top, bottom]: [f64; 2]) -> Option<Vec<f64>> {
    let room = bottom - top - least * heights.len().saturating_sub(1) as f64;
    if room < 0.0 {
        return None;
    }
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&i, &j| heights[i].total_cmp(&heights[j]));
    // Without the distances that have to be there, heights have to increase alone: neighbours that
    // do not are replaced by their mean.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    for (rank, &i) in order.iter().enumerate() {
        let mut group = (heights[i] - rank as f64 * least, 1);
        while let Some(&(mean, count)) = groups.last() {
            if mean <= group.0 {
                break;
            }
            let both = count + group.1;
            group = ((mean * count as f64 + group.0 * group.1 as f64) / both as f64, both);
            groups.pop();
        }
        groups.push(group);
    }
    let means = groups.into_iter().flat_map(|(mean, count)| vec![mean; count]);
    let mut found = vec![0.0; heights.len()];
    for (rank, (&i, mean)) in order.iter().zip(means).enumerate() {
        found[i] = mean.clamp(top, top + room) + rank as f64 * least;
    }
    Some(found)
}

fn overlap(one: &Extent, other: &Extent) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

/// Whether two segments cross: each has its ends on either side of the other.
fn cross(one: [[f64; 2]; 2], other: [[f64; 2]; 2]) -> bool {
    let side = |[a, b]: [[f64; 2]; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let parts = |of: [[f64; 2]; 2], by: [[f64; 2]; 2]| side(by, of[0]) * side(by, of[1]) < 0.0;
    parts(one, other) && parts(other, one)
}

/// Whether a line has a point inside.
fn crosses(line: &[[f64; 2]], inside: &Extent) -> bool {
    let single = line.len() == 1 && meets([line[0], line[0]], inside);
    single || line.windows(2).any(|pair| meets([pair[0], pair[1]], inside))
}

/// Whether a segment has a point inside (Liang and Barsky's clipping).
fn meets([from, to]: [[f64; 2]; 2], inside: &Extent) -> bool {
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for k in 0..2 {
        let (step, low, high) = (to[k] - from[k], inside[k] - from[k], inside[k + 2] - from[k]);
        if step == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
        } else {
            let [one, other] = [low / step, high / step];
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
    }
    enters <= leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: Area = Area { left: 100.0, top: 50.0, right: 500.0, bottom: 350.0 };

    fn boxes(names: &[Wanted], placed: &[Placed]) -> Vec<Extent> {
        names.iter().zip(placed).map(|(name, place)| around(name, place.at)).collect()
    }

    /// Six ends anywhere: names stay within their room and free of one another and of curves.
    #[test]
    fn names_never_overlap() {
        let mut seed = 1_u64;
        let mut random = move |most: f64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as f64 / (1_u64 << 31) as f64 * most
        };
        let mut placings = 0;
        for round in 0..500 {
            let mut ends: Vec<[f64; 2]> =
                (0..6).map(|_| [100.0 + random(400.0), 50.0 + random(300.0)]).collect();
            if round % 2 == 0 {
                ends.iter_mut().for_each(|end| *end = [500.0, 200.0 + (end[1] - 50.0) / 50.0]);
            }
            let names: Vec<Wanted> =
                ends.iter().map(|&end| Wanted { width: 40.0 + random(40.0), end }).collect();
            let lines = ends.iter().map(|&end| vec![[100.0, 50.0 + random(300.0)], end]).collect();
            let obstacles = Obstacles { lines, markers: ends };
            let Some(placed) = place(&names, &obstacles, &AXES, 610.0) else { continue };
            placings += 1;
            let found = boxes(&names, &placed);
            for i in 0..6 {
                assert!(found[i][2] <= 610.0, "{:?}", found[i]);
                assert!((0..i).all(|j| !overlap(&found[i], &found[j])), "{found:?}");
                assert!(obstacles.lines.iter().all(|line| !crosses(line, &found[i])), "{found:?}");
            }
        }
        assert!(placings > 300, "{placings}");
    }

    #[test]
    fn names_at_the_edge_stay_in_order() {
        assert_eq!(apart(&[100.0, 60.0, 90.0], 18.0, [50.0, 350.0]).unwrap(), [104.0, 60.0, 86.0]);
        assert_eq!(apart(&[350.0, 350.0], 18.0, [50.0, 350.0]).unwrap(), [332.0, 350.0]);
        assert_eq!(apart(&[50.0, 51.0, 52.0], 18.0, [50.0, 350.0]).unwrap(), [50.0, 68.0, 86.0]);
        assert!(apart(&[0.0; 6], 18.0, [0.0, 80.0]).is_none());
        assert_eq!(apart(&[], 18.0, [0.0, 80.0]).unwrap(), Vec::<f64>::new());
    }

    #[test]
    fn segments_meet_what_they_cross() {
        let inside = [10.0, 10.0, 20.0, 20.0];
        for (from, to, expected) in [
            ([0.0, 0.0], [30.0, 30.0], true),
            ([0.0, 15.0], [30.0, 15.0], true),
            ([15.0, 12.0], [15.0, 13.0], true),
            ([0.0, 25.0], [30.0, 25.0], false),
            ([0.0, 15.0], [30.0, 46.0], false),
            ([15.0, 0.0], [15.0, 9.0], false),
            ([15.0, 15.0], [15.0, 15.0], true),
        ] {
            assert_eq!(meets([from, to], &inside), expected, "{from:?} {to:?}");
        }
    }
}
