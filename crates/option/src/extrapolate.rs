//! Richardson's extrapolation of readings from grids that are halved, and what it says of the
//! error.
//!
//! With an error `C·h_l² + …` on grid `l`, that of `R_l = (4·V_l − V_(l−1))/3` is of higher order.
//! What order, and what else there is, depends on the contract: its [`Smoothness`] says what is
//! returned and what the estimate of its error is. Factors come from experiments with contracts
//! whose price is known (`tests/prices`); they err on the safe side, but an estimate is no bound.
//!
//! An estimate counts only where `(V_(l−1) − V_(l−2))/(V_l − V_(l−1))` is near 4; elsewhere these
//! differences themselves are the estimate. Where the finest grid finds that exercise is due, its
//! price is exact and returned; where a coarser one does, the finest grid's reading is.

use nonius_linalg::Number;

use crate::read::Reading;

/// What the expansion of the error in the distance of nodes is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Smoothness {
    /// Even powers: `(16·R_l − R_(l−1))/15` is returned, from which `R_l` differs by
    /// `|R_l − R_(l−1)|/15`; the estimate is a quarter of that difference, for grids that are too
    /// coarse to see the order.
    Even,
    /// As before but for errors of order 3 or 4 that depend on where the nodes lie, those of the
    /// interpolation at dividends, of the kinks at dates of exercise and of jumps at barriers on
    /// dates: the estimate is twice the difference.
    Dates,
    /// One square, and a part that depends on where the boundary of exercise lies between nodes,
    /// which moves across many: `R_l` is returned; the estimate is half the difference, but not
    /// less than a twentieth of `V_l − V_(l−1)`.
    Boundary,
    /// As before with a boundary that rests between two nodes: on each grid the part that depends
    /// on where is as large as the rest, and up to four times; the estimate is the whole
    /// difference, but not less than `V_l − V_(l−1)`.
    Settled,
    /// One square, and a part that depends on where the kinks of a surface of volatilities lie
    /// between nodes: `R_l` is returned; the estimate is the whole difference.
    Surface,
    /// A first power: where the region of exercise does not reach the end from which each step
    /// looks for it, a step is right to first order. The finest reading is returned; the estimate
    /// is twice the last difference.
    First,
    /// One square, and a part as large that depends on where kinks and jumps lie between nodes: the
    /// same with halves.
    Kinks,
}

/// Between these, quotients of differences are those of an error of order 2.
const ORDER_TWO: core::ops::Range<f64> = 2.8..5.6;

/// By how much less a difference may be than the one before, where errors are of order 4, and where
/// they are of order 2.
const EVEN: f64 = 32.0;
const SQUARE: f64 = 8.0;

/// What grids together say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extrapolated<T> {
    pub(crate) reading: Reading<T>,
    /// An estimate of the price's error; infinite where the last grids say nothing.
    pub(crate) error: f64,
}

/// From three grids at least; of fewer the last.
pub(crate) fn extrapolate<T: Number>(
    readings: &[Reading<T>],
    smoothness: Smoothness,
    length: f64,
    is_resolved: bool,
) -> Extrapolated<T> {
    let [.., coarse, middle, fine] = readings else {
        let reading = readings.last().copied().unwrap_or_default();
        return Extrapolated { reading, error: f64::INFINITY };
    };
    let steps = [middle.value - coarse.value, fine.value - middle.value].map(T::to_f64);
    if fine.is_due || middle.is_due || coarse.is_due {
        // Grids that disagree about exercise have no expansion in common.
        let error = if fine.is_due { steps[1].abs() } else { steps[0].abs().max(steps[1].abs()) };
        let doubts = [coarse, middle, fine].map(|reading| reading.doubt.to_f64());
        let doubts = if fine.is_due { &doubts[2..] } else { &doubts[..] };
        let error = doubts.iter().copied().fold(error, f64::max);
        return Extrapolated { reading: *fine, error };
    }
    if smoothness == Smoothness::First {
        let error = 2.0 * steps[1].abs().max(steps[0].abs() / 2.0);
        return Extrapolated { reading: *fine, error };
    }
    let first = better(4.0, coarse, middle);
    let second = better(4.0, middle, fine);
    let slope = (second.delta - first.delta).abs().to_f64();
    let difference = (second.value - first.value).abs().to_f64() + length * slope;
    // A difference that is small by chance has one before it that is not.
    let difference = match readings {
        [.., before, _, _, _] => {
            let earlier = better(4.0, before, coarse);
            let shrinks = if smoothness == Smoothness::Even { EVEN } else { SQUARE };
            difference.max((first.value - earlier.value).abs().to_f64() / shrinks)
        }
        _ => difference,
    };
    let (reading, error) = match smoothness {
        Smoothness::Even => (better(16.0, &first, &second), difference / 4.0),
        Smoothness::Dates => (better(16.0, &first, &second), 2.0 * difference),
        Smoothness::Boundary => (second, (difference / 2.0).max(steps[1].abs() / 20.0)),
        Smoothness::Settled => (second, difference.max(steps[1].abs())),
        Smoothness::Surface => (second, difference),
        Smoothness::Kinks | Smoothness::First => {
            (second, (difference / 2.0).max(steps[1].abs() / 2.0))
        }
    };
    let has_order = ORDER_TWO.contains(&(steps[0] / steps[1]));
    let error = if has_order && is_resolved {
        error
    } else {
        error.max(steps[0].abs()).max(steps[1].abs())
    };
    Extrapolated { reading, error }
}

/// `(f·fine − coarse)/(f − 1)`.
fn better<T: Number>(factor: f64, coarse: &Reading<T>, fine: &Reading<T>) -> Reading<T> {
    let number = |x: f64| T::from_f64(x).to_format(fine.value.format());
    let rest = number(factor - 1.0);
    Reading::sum([(number(factor) / rest, fine), (-(T::ONE / rest), coarse)])
}
