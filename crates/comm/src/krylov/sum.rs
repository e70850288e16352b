//! Sums of segments, added as one device adds them.

/// Which sums of runs of segments are added to which, so that in the end the first one is the sum
/// of all: pairwise, neighbours first, where one without a neighbour waits. Run `k` has `runs[k]`
/// segments, a power of two.
///
/// A binary counter does this. Two sums of as many segments beside each other are neighbours, as
/// runs begin at multiples of their lengths; those that are left at the end are added from the
/// last on.
pub(super) fn additions(runs: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut additions = Vec::new();
    // The segments of each sum, and where it is.
    let mut waiting: Vec<(usize, usize)> = Vec::new();
    let mut join = |waiting: &mut Vec<(usize, usize)>| {
        let Some((right, from)) = waiting.pop() else { return };
        let Some((left, to)) = waiting.last_mut() else { return };
        *left += right;
        additions.push((*to, from));
    };
    for (place, run) in runs.enumerate() {
        waiting.push((run, place));
        while let [.., (left, _), (right, _)] = waiting[..]
            && left == right
        {
            join(&mut waiting);
        }
    }
    while waiting.len() > 1 {
        join(&mut waiting);
    }
    additions
}

#[cfg(test)]
mod tests {
    use super::additions;

    #[test]
    fn neighbours_come_first() {
        assert_eq!(additions([].into_iter()), []);
        assert_eq!(additions([4].into_iter()), []);
        assert_eq!(additions([2, 1, 1, 4, 1].into_iter()), [(1, 2), (0, 1), (0, 3), (0, 4)]);
        assert_eq!(additions([4, 2, 1].into_iter()), [(1, 2), (0, 1)]);
    }
}
