//! Volatility as a function of the underlying and of time.

use std::sync::Arc;

use nonius_linalg::Number;

/// Volatilities on a grid of prices and times, bilinear between them and constant beyond.
///
/// Clones share the numbers.
///
/// ```
/// use nonius_option::Surface;
///
/// let (spots, times) = (vec![80.0, 120.0], vec![0.5, 1.0]);
/// let surface = Surface::new(spots, times, vec![0.25, 0.21, 0.23, 0.19]).unwrap();
/// // Bilinear between the points, constant beyond them.
/// assert!((surface.at(0.75, 100.0) - 0.22_f64).abs() < 1e-15);
/// assert_eq!(surface.at(2.0, 60.0), 0.23);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Surface<T> {
    spots: Arc<[T]>,
    times: Arc<[T]>,
    /// For each time those of all prices.
    values: Arc<[T]>,
}

impl<T: Number> Surface<T> {
    /// The surface through `values[time · spots.len() + spot]`. `None` where prices or times are
    /// missing or do not increase, or there is not a value for each pair.
    pub fn new(spots: Vec<T>, times: Vec<T>, values: Vec<T>) -> Option<Self> {
        let increase = |x: &[T]| {
            !x.is_empty() && x[0].is_finite() && x.windows(2).all(|pair| pair[1] > pair[0])
        };
        let fits = spots.len().checked_mul(times.len()) == Some(values.len());
        (increase(&spots) && increase(&times) && fits).then(|| Self {
            spots: spots.into(),
            times: times.into(),
            values: values.into(),
        })
    }

    /// The volatility at a time, where the underlying is at `spot`.
    pub fn at(&self, time: T, spot: T) -> T {
        let (low, high, part) = between(&self.times, time);
        let (left, right, share) = between(&self.spots, spot);
        let at = |time: usize| {
            let row = &self.values[time * self.spots.len()..];
            row[left] + share * (row[right] - row[left])
        };
        let (before, after) = (at(low), at(high));
        before + part * (after - before)
    }

    /// The times of the grid.
    pub(crate) fn times(&self) -> &[T] {
        &self.times
    }

    /// All volatilities of the grid.
    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }

    /// Its prices, times and volatilities.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = T> {
        let numbers = self.spots.iter().chain(self.times.iter()).chain(self.values.iter());
        numbers.copied()
    }

    /// The same in a format; shared where it is in it already.
    pub(crate) fn in_format(&self, format: T::Format) -> Self {
        if self.numbers().all(|x| x.format() == format) {
            return self.clone();
        }
        let rounded = |numbers: &[T]| numbers.iter().map(|x| x.to_format(format)).collect();
        Self {
            spots: rounded(&self.spots),
            times: rounded(&self.times),
            values: rounded(&self.values),
        }
    }

    pub(crate) fn shifted(&self, by: T) -> Self {
        Self { values: self.values.iter().map(|&x| x + by).collect(), ..self.clone() }
    }

    /// The least and the greatest volatility.
    pub(crate) fn range(&self) -> (T, T) {
        let first = self.values[0];
        self.values.iter().fold((first, first), |(least, greatest), &x| {
            (if x < least { x } else { least }, if x > greatest { x } else { greatest })
        })
    }
}

/// The places of the neighbours of `x`, and how far from the first to the second it lies.
fn between<T: Number>(places: &[T], x: T) -> (usize, usize, T) {
    let after = places.partition_point(|&place| place <= x);
    if after == 0 {
        (0, 0, T::ZERO)
    } else if after == places.len() {
        (after - 1, after - 1, T::ZERO)
    } else {
        let (low, high) = (places[after - 1], places[after]);
        (after - 1, after, (x - low) / (high - low))
    }
}
