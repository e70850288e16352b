//! Work that is cut into pieces, one for each rank.

use core::ops::Range;

/// Cuts a list of items, by what each costs, into runs that cost about the same: one for each rank,
/// in the order of the ranks. An item is the rank's in whose share of the costs its middle lies.
///
/// Runs differ from the mean by the cost of one item at most. Where nothing costs anything, all
/// items cost the same. Costs are finite and not negative.
///
/// ```
/// use nonius_comm::shares;
///
/// assert_eq!(shares(&[1.0, 1.0, 4.0, 2.0], 2), [0..2, 2..4]);
/// assert_eq!(shares(&[3.0, 1.0], 3), [0..0, 0..1, 1..2]);
/// assert_eq!(shares(&[0.0; 4], 2), [0..2, 2..4]);
/// ```
///
/// Panics where there are no ranks.
pub fn shares(costs: &[f64], ranks: usize) -> Vec<Range<usize>> {
    assert_ne!(ranks, 0, "ranks");
    let sum: f64 = costs.iter().sum();
    let is_even = !(sum > 0.0 && sum.is_finite());
    let whole = if is_even { costs.len() as f64 } else { sum };
    let (mut before, mut end) = (0.0, 0);
    let mut ends = vec![0; ranks];
    for &cost in costs {
        let cost = if is_even { 1.0 } else { cost };
        let middle = before + 0.5 * cost;
        let rank = ((middle / whole * ranks as f64) as usize).min(ranks - 1);
        end += 1;
        ends[rank] = end;
        before += cost;
    }
    let mut start = 0;
    let run = |end| {
        let run = start..usize::max(start, end);
        start = run.end;
        run
    };
    ends.into_iter().map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item once, in order, and no rank has more than its part and one item.
    #[test]
    fn runs_cover_all() {
        for ranks in 1..=7 {
            for count in [0, 1, 2, 6, 7, 8, 100] {
                let costs: Vec<f64> = (0..count).map(|i| ((i * 37) % 11) as f64).collect();
                let runs = shares(&costs, ranks);
                assert_eq!((runs.len(), runs[0].start, runs[ranks - 1].end), (ranks, 0, count));
                assert!(runs.windows(2).all(|pair| pair[0].end == pair[1].start));
                let mean = costs.iter().sum::<f64>() / ranks as f64;
                let of_run = |run: &Range<usize>| costs[run.clone()].iter().sum::<f64>();
                assert!(runs.iter().all(|run| of_run(run) <= mean + 10.0), "{runs:?}");
            }
        }
    }
}
