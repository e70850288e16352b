//! What an axis covers, where a number is on it, and which numbers have labels.

use crate::figure::{Axis, Scale};
use crate::numbers::{self, decimal, power_of_ten, typeset};

/// Labels of an axis at most.
pub(crate) const MOST_LABELS: usize = 11;
/// The least span, as a part of the numbers, that is more than rounding errors.
const DISTINCT: f64 = 1e-9;
/// Numbers below 2^-`COARSE` have few others near them.
const COARSE: i32 = 1060;
/// Powers of ten between these are written out where all others of the axis are.
const WRITTEN_OUT: i32 = 3;

/// The part of the numbers that an axis shows. Its ends are logarithms of a logarithmic axis, and
/// numbers times 2^`shift` of a linear one, so that no difference overflows or underflows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    scale: Scale,
    shift: i32,
    low: f64,
    high: f64,
}

/// A label: its place from 0 to 1, and its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) place: f64,
    pub(crate) text: String,
}

impl Range {
    /// The range of an axis with these numbers and `room` beyond, as a part of it; `None` without
    /// a number.
    pub(crate) fn of(axis: &Axis, numbers: impl Iterator<Item = f64>, room: f64) -> Option<Self> {
        let scale = axis.scale;
        let wider = |[low, high]: [f64; 2], x: f64| [low.min(x), high.max(x)];
        let empty = [f64::INFINITY, f64::NEG_INFINITY];
        let shown = numbers.filter(|&x| scale.takes(x)).fold(empty, wider);
        if shown[0] > shown[1] {
            return None;
        }
        let reaches = axis.reaches.iter().copied().filter(|&x| scale.takes(x));
        let [low, high] = reaches.fold(shown, wider);
        // A linear axis ends where it is told to end.
        let rooms = [low == shown[0], high == shown[1]]
            .map(|free| if free || scale == Scale::Logarithmic { room } else { 0.0 });
        let largest = low.abs().max(high.abs());
        let shift = if largest > 0.0 { -(largest.log2().floor() as i32) } else { 0 };
        let mut range = Self { scale, shift, low: 0.0, high: 0.0 };
        let ends = [low, high].map(|x| range.coordinate(x));
        [range.low, range.high] = match scale {
            Scale::Linear => widened_linear(ends, rooms, if shift > COARSE { 1.0 } else { 0.1 }),
            Scale::Logarithmic => widened_logarithmic(ends, rooms),
        };
        Some(range)
    }

    fn coordinate(&self, x: f64) -> f64 {
        match self.scale {
            Scale::Linear => scaled(x, self.shift),
            Scale::Logarithmic => x.log10(),
        }
    }

    /// The ends of a linear axis as far as `f64` has them.
    fn ends(&self) -> [f64; 2] {
        [self.low, self.high].map(|x| scaled(x, -self.shift).clamp(f64::MIN, f64::MAX))
    }

    /// The place of a number: 0 at the lower end, 1 at the upper one.
    pub(crate) fn place(&self, x: f64) -> f64 {
        self.place_of(self.coordinate(x)).clamp(0.0, 1.0)
    }

    fn place_of(&self, coordinate: f64) -> f64 {
        (coordinate - self.low) / (self.high - self.low)
    }

    /// The axis' labels, `most` of them or [`MOST_LABELS`] unless they are given.
    pub(crate) fn ticks(&self, axis: &Axis, most: usize) -> Vec<Tick> {
        let most = most.clamp(3, MOST_LABELS);
        if !axis.marks.is_empty() {
            let shown = axis.marks.iter().filter(|(x, _)| self.scale.takes(*x));
            let tick = |(x, text): &(f64, String)| (self.coordinate(*x), text.clone());
            return self.within(shown.map(tick));
        }
        match self.scale {
            Scale::Linear => {
                let [low, high] = self.ends();
                self.linear([low, high], axis.whole, most)
            }
            Scale::Logarithmic => self.logarithmic(most),
        }
    }

    fn linear(&self, [low, high]: [f64; 2], whole: bool, most: usize) -> Vec<Tick> {
        let numbers = numbers::ticks(low, high, most);
        let tick = |x: &f64| (self.coordinate(*x), typeset(&numbers::text(*x, high - low)));
        let found = self.within(numbers.iter().filter(|x| !whole || x.fract() == 0.0).map(tick));
        // With fewer than two whole numbers between its ends, an axis of whole numbers has others.
        if whole && found.len() < 2 { self.linear([low, high], false, most) } else { found }
    }

    /// Powers of ten; between few of them multiples by 2 and 5, or by all figures.
    fn logarithmic(&self, most: usize) -> Vec<Tick> {
        let steps = [1, 2, 3, 5, 10, 20, 50, 100, 200].map(|step| (self.powers(step), step));
        let enough = || steps.iter().filter(|(powers, _)| powers.len() > 1);
        let few = enough().find(|(powers, _)| powers.len() <= most);
        let (powers, step) = few.or(enough().next_back()).unwrap_or(&steps[0]);
        let fits = |ticks: &Vec<Tick>| (2..=most).contains(&ticks.len());
        if powers.len() < 3 && *step == 1 {
            let figures: [&[i64]; 2] = [&[1, 2, 5], &[1, 2, 3, 4, 5, 6, 7, 8, 9]];
            if let Some(found) = figures.into_iter().map(|f| self.multiples(f)).find(fits) {
                return found;
            }
            let [low, high] = [self.low, self.high].map(|l| 10.0_f64.powf(l).min(f64::MAX));
            let found =
                if powers.len() < 2 { self.linear([low, high], false, most) } else { vec![] };
            if found.len() > 1 {
                return found;
            }
        }
        let plain = *step == 1 && powers.iter().all(|power| power.abs() <= WRITTEN_OUT);
        let text = |power: i32| if plain { written_out(1, power) } else { power_of_ten(power) };
        self.within(powers.iter().map(|&power| (f64::from(power), text(power))))
    }

    /// The multiples of `step` that are powers of ten within the axis.
    fn powers(&self, step: i32) -> Vec<i32> {
        let first = (self.low / f64::from(step)).ceil() as i32;
        let last = (self.high / f64::from(step)).floor() as i32;
        (first..=last).map(|i| i * step).collect()
    }

    /// These multiples of all powers of ten.
    fn multiples(&self, figures: &[i64]) -> Vec<Tick> {
        let all = (self.low.floor() as i32..=self.high.floor() as i32)
            .flat_map(|power| figures.iter().map(move |&figure| (figure, power)));
        self.within(all.map(|(figure, power)| {
            let text = if power.abs() <= WRITTEN_OUT {
                written_out(figure, power)
            } else {
                typeset(&format!("{figure}e{power}"))
            };
            ((figure as f64).log10() + f64::from(power), text)
        }))
    }

    /// The labels that are within the axis.
    fn within(&self, labels: impl Iterator<Item = (f64, String)>) -> Vec<Tick> {
        // A label at the very end is there in spite of rounding errors.
        let is_within = |tick: &Tick| (-DISTINCT..=1.0 + DISTINCT).contains(&tick.place);
        let ticks = labels.map(|(x, text)| Tick { place: self.place_of(x), text });
        ticks.filter(is_within).collect()
    }
}

/// `0.05` for 5 and -2.
fn written_out(figure: i64, power: i32) -> String {
    decimal(figure, power).to_string()
}

/// `x`·2^`shift`; its two factors are in `f64`'s range.
fn scaled(x: f64, shift: i32) -> f64 {
    x * 2.0_f64.powi(shift / 2) * 2.0_f64.powi(shift - shift / 2)
}

/// Ends with room beyond, and never equal: a part of equal ones is added on either side.
fn widened_linear([low, high]: [f64; 2], rooms: [f64; 2], part: f64) -> [f64; 2] {
    let (span, size) = (high - low, low.abs().max(high.abs()));
    if span > DISTINCT * size {
        return [low - rooms[0] * span, high + rooms[1] * span];
    }
    let half = if size > 0.0 { size * part } else { 1.0 };
    [low - half, high + half]
}

fn widened_logarithmic([low, high]: [f64; 2], rooms: [f64; 2]) -> [f64; 2] {
    let span = high - low;
    if span > DISTINCT {
        return [low - rooms[0] * span, high + rooms[1] * span];
    }
    [low - 0.5, high + 0.5]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [f64; 14] = [
        5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        1e-200,
        1e-30,
        1e-9,
        0.5,
        1.0,
        1.1,
        3.0,
        1e4,
        1e30,
        1e200,
        f64::MAX,
    ];

    fn check(axis: &Axis, ends: [f64; 2]) {
        let range = Range::of(axis, ends.into_iter(), 0.04).unwrap();
        let places = ends.map(|x| range.place(x));
        assert!(
            places[0] <= places[1] && places.iter().all(|p| (0.0..=1.0).contains(p)),
            "{ends:?}"
        );
        for most in [2, 5, 11, 30] {
            let ticks = range.ticks(axis, most);
            assert!((2..=MOST_LABELS).contains(&ticks.len()), "{ends:?} {most}: {ticks:?}");
            for pair in ticks.windows(2) {
                assert!(pair[0].place < pair[1].place, "{ends:?}: {ticks:?}");
                assert!(pair[0].text != pair[1].text, "{ends:?}: {ticks:?}");
            }
            assert!(ticks.iter().all(|tick| (-1e-9..=1.0 + 1e-9).contains(&tick.place)));
        }
    }

    /// From the smallest to the largest numbers, of both signs, far apart and near.
    #[test]
    fn axes_of_any_range_have_labels() {
        let signed: Vec<f64> = SIZES.iter().flat_map(|&x| [x, -x]).chain([0.0]).collect();
        for &low in &signed {
            for &high in signed.iter().filter(|&&high| high >= low) {
                check(&Axis::linear(""), [low, high]);
                check(&Axis { whole: true, ..Axis::linear("") }, [low, high]);
                if low > 0.0 {
                    check(&Axis::logarithmic(""), [low, high]);
                }
            }
        }
        for low in -323..=308 {
            for high in [-323, -5, 0, 1, 7, 40, 308].into_iter().filter(|&high| high >= low) {
                check(&Axis::logarithmic(""), [decimal(1, low), decimal(3, high)]);
            }
        }
    }

    #[test]
    fn powers_of_ten_are_labels_down_to_the_smallest() {
        let texts = |ends: [f64; 2]| {
            let axis = Axis::logarithmic("");
            let range = Range::of(&axis, ends.into_iter(), 0.0).unwrap();
            range.ticks(&axis, 11).into_iter().map(|tick| tick.text).collect::<Vec<_>>()
        };
        assert_eq!(texts([1.0, 1e-20])[..3], ["10⁻²⁰", "10⁻¹⁸", "10⁻¹⁶"]);
        assert_eq!(texts([1.0, 5e-324])[..2], ["10⁻³⁰⁰", "10⁻²⁵⁰"]);
        assert_eq!(texts([0.01, 100.0]), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(texts([0.9, 30.0]), ["1", "2", "5", "10", "20"]);
        assert_eq!(texts([2e-320, 6e-320]), ["2·10⁻³²⁰", "5·10⁻³²⁰"]);
        assert_eq!(
            texts([3.1, 3.3]),
            ["3.1", "3.12", "3.14", "3.16", "3.18", "3.2", "3.22", "3.24", "3.26", "3.28", "3.3"]
        );
    }

    #[test]
    fn axes_reach_what_they_are_told_to() {
        let axis = Axis::counting("");
        let range = Range::of(&axis, [3.0, 8.0].into_iter(), 0.0).unwrap();
        assert_eq!((range.place(0.0), range.place(8.0)), (0.0, 1.0));
        assert!(range.ticks(&axis, 11).iter().all(|tick| !tick.text.contains('.')));
        let axis = Axis::logarithmic("").reaching(1.0).reaching(-1.0);
        let range = Range::of(&axis, [1e-3, f64::NAN, 0.0].into_iter(), 0.0).unwrap();
        assert_eq!((range.place(1e-3), range.place(1.0)), (0.0, 1.0));
        assert!(Range::of(&axis, [0.0, f64::INFINITY].into_iter(), 0.0).is_none());
        let axis = Axis::linear("").marked([(0.0, "none"), (2.0, "two"), (9.0, "nine")]);
        let range = Range::of(&axis, [0.0, 4.0].into_iter(), 0.0).unwrap();
        let ticks = range.ticks(&axis, 11);
        assert_eq!(ticks.iter().map(|t| &*t.text).collect::<Vec<_>>(), ["none", "two"]);
        assert_eq!(ticks[1].place, 0.5);
    }
}
