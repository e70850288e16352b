//! Who does what.

/// Of each piece of work, by what it costs, the rank that does it: the pieces that cost most come
/// first, each to the rank with least to do so far.
pub(super) fn owners(costs: &[f64], ranks: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|&i, &j| costs[j].total_cmp(&costs[i]));
    let mut loads = vec![0.0; ranks];
    let mut owners = vec![0; costs.len()];
    for piece in order {
        let least = (0..ranks).min_by(|&i, &j| f64::total_cmp(&loads[i], &loads[j])).unwrap_or(0);
        owners[piece] = least;
        loads[least] += costs[piece];
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_even() {
        assert_eq!(owners(&[1.0, 5.0, 1.0, 1.0, 2.0], 2), [1, 0, 1, 1, 1]);
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
}
