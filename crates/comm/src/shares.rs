//! Who does which work.

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

/// The rank that does each piece of work, by what the pieces cost: those that cost most come first,
/// each goes to the rank with least to do so far.
///
/// Of ranks with as much to do the one is next that came last. So pieces of one cost that come in
/// turns are spread by their kinds, too: ranks take them forwards and backwards.
///
/// ```
/// use nonius_comm::owners;
///
/// assert_eq!(owners(&[1.0, 5.0, 1.0, 1.0, 2.0], 2), [1, 0, 1, 1, 1]);
/// assert_eq!(owners(&[1.0; 6], 2), [0, 1, 1, 0, 0, 1]);
/// ```
///
/// Panics where there are pieces and no ranks.
pub fn owners(costs: &[f64], ranks: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|&i, &j| costs[j].total_cmp(&costs[i]));
    let (mut loads, mut last) = (vec![0.0; ranks], 0);
    let mut owners = vec![0; costs.len()];
    for piece in order {
        let lighter =
            |least: usize, rank: usize| if loads[rank] < loads[least] { rank } else { least };
        last = (0..ranks).fold(last, lighter);
        owners[piece] = last;
        loads[last] += costs[piece];
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_even() {
        assert_eq!(owners(&[3.0; 4], 4), [0, 1, 2, 3]);
        assert_eq!(owners(&[1.0, 1.0], 3), [0, 1]);
        assert_eq!(owners(&[], 3), []);
        let costs: Vec<f64> = (0..1000).map(|j| (1000 - j) as f64).collect();
        let owners = owners(&costs, 3);
        for rank in 0..3 {
            let own = costs.iter().zip(&owners).filter(|&(_, &owner)| owner == rank);
            let load: f64 = own.map(|(cost, _)| cost).sum();
            assert!((load - 500_500.0 / 3.0).abs() <= 1000.0, "{load}");
        }
    }

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
