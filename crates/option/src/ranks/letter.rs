//! Outcomes as the words of a message.

use nonius_comm::dense::Cargo;
use nonius_files::room::{NoRoom, Place};
use nonius_linalg::Numbers;

use crate::boundary::BoundaryPoint;
use crate::error::Error;
use crate::implied::Implied;
use crate::request::{Grid, Price};

/// The first word of an outcome.
const ERROR: u64 = 0;
const NO_ROOM: u64 = 1;
const FOUND: u64 = 2;

/// What is found of a contract, with numbers of a format.
pub(super) trait Letter<T: Cargo>: Send + Sync {
    /// Appends its words.
    fn write(&self, format: T::Format, words: &mut Vec<u64>);

    /// Takes its words.
    fn read(format: T::Format, words: &mut Words<'_>) -> Self;
}

/// Appends an outcome. Of an error but for want of memory it says no more than that there is one.
pub(super) fn write<T: Cargo, L: Letter<T>>(
    format: T::Format,
    outcome: &Result<L, Error>,
    words: &mut Vec<u64>,
) {
    match outcome {
        Ok(found) => {
            words.push(FOUND);
            found.write(format, words);
        }
        Err(Error::NoRoom(NoRoom { what, needed, free, place: Place::Memory })) => {
            words.extend([NO_ROOM, what.len() as u64]);
            words.extend(what.bytes().map(u64::from));
            words.extend([needed, free].into_iter().flat_map(|&x| [x as u64, (x >> 64) as u64]));
        }
        Err(_) => words.push(ERROR),
    }
}

/// A grid, where there is one.
fn words_of(grid: Option<Grid>) -> [u64; 3] {
    grid.map_or([0; 3], |grid| [1, grid.space as u64, grid.time as u64])
}

impl<T: Cargo> Letter<T> for Price<T> {
    fn write(&self, format: T::Format, words: &mut Vec<u64>) {
        let Self { value, delta, gamma, theta, vega, rho, error, converged, grid, boundary } = self;
        let mut numbers = Numbers::new(format);
        [value, delta, gamma, theta].into_iter().for_each(|&x| numbers.push(x));
        for derivative in [vega, rho] {
            words.push(derivative.is_some().into());
            derivative.iter().for_each(|&x| numbers.push(x));
        }
        words.extend([error.is_some().into(), error.unwrap_or_default().to_bits()]);
        words.push((*converged).into());
        words.extend(words_of(*grid));
        words.push(boundary.len() as u64);
        boundary.iter().flat_map(|point| [point.time, point.spot]).for_each(|x| numbers.push(x));
        T::pack(numbers.as_slice(), words);
    }

    fn read(format: T::Format, words: &mut Words<'_>) -> Self {
        let (has_vega, has_rho) = (words.is_set(), words.is_set());
        let (has_error, error) = (words.is_set(), f64::from_bits(words.word()));
        let (converged, grid) = (words.is_set(), words.grid());
        let points = words.word() as usize;
        let count = 4 + usize::from(has_vega) + usize::from(has_rho) + 2 * points;
        let numbers = words.numbers(format, count);
        let mut numbers = (0..count).map(|i| numbers.at(i));
        let mut next = || numbers.next().unwrap_or(T::ZERO);
        Self {
            value: next(),
            delta: next(),
            gamma: next(),
            theta: next(),
            vega: has_vega.then(&mut next),
            rho: has_rho.then(&mut next),
            error: has_error.then_some(error),
            converged,
            grid,
            boundary: (0..points).map(|_| BoundaryPoint { time: next(), spot: next() }).collect(),
        }
    }
}

impl<T: Cargo> Letter<T> for Implied<T> {
    fn write(&self, format: T::Format, words: &mut Vec<u64>) {
        let Self { volatility, error, converged, grid } = self;
        words.extend([error.to_bits(), (*converged).into()]);
        words.extend(words_of(*grid));
        let mut numbers = Numbers::new(format);
        numbers.push(*volatility);
        T::pack(numbers.as_slice(), words);
    }

    fn read(format: T::Format, words: &mut Words<'_>) -> Self {
        let (error, converged) = (f64::from_bits(words.word()), words.is_set());
        let grid = words.grid();
        Self { volatility: words.numbers(format, 1).at(0), error, converged, grid }
    }
}

/// Words that are still to be read.
pub(super) struct Words<'a>(pub(super) &'a [u64]);

impl Words<'_> {
    /// The next outcome; none where it is an error that its receiver has to find again.
    pub(super) fn outcome<T: Cargo, L: Letter<T>>(
        &mut self,
        format: T::Format,
    ) -> Option<Result<L, Error>> {
        match self.word() {
            FOUND => Some(Ok(L::read(format, self))),
            NO_ROOM => Some(Err(Error::NoRoom(self.no_room()))),
            _ => None,
        }
    }

    fn word(&mut self) -> u64 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    fn long(&mut self) -> u128 {
        let low = self.word();
        u128::from(self.word()) << 64 | u128::from(low)
    }

    fn is_set(&mut self) -> bool {
        self.word() != 0
    }

    fn no_room(&mut self) -> NoRoom {
        let length = self.word();
        let what: Vec<u8> = (0..length).map(|_| self.word() as u8).collect();
        let (needed, free) = (self.long(), self.long());
        let what = String::from_utf8_lossy(&what).into_owned();
        NoRoom { what, needed, free, place: Place::Memory }
    }

    fn grid(&mut self) -> Option<Grid> {
        let is_there = self.is_set();
        let grid = Grid { space: self.word() as usize, time: self.word() as usize };
        is_there.then_some(grid)
    }

    fn numbers<T: Cargo>(&mut self, format: T::Format, count: usize) -> Numbers<T> {
        let size = count.saturating_mul(T::words_of(format)).min(self.0.len());
        let (own, rest) = self.0.split_at(size);
        self.0 = rest;
        let mut numbers = Numbers::zeros(format, count);
        T::unpack(own, numbers.as_mut_slice());
        numbers
    }
}

#[cfg(test)]
mod tests {
    use core::fmt::Debug;

    use nonius_num::mp::Bits;
    use nonius_num::{Mp, Qd};

    use super::*;

    fn price<T: Cargo>(x: T) -> Price<T> {
        let point = |k: i32| BoundaryPoint { time: x.ldexp(k), spot: x.ldexp(-k) };
        Price {
            value: x,
            delta: -x,
            gamma: x.ldexp(1),
            theta: x.ldexp(2),
            vega: Some(x.ldexp(3)),
            rho: None,
            error: Some(0.125),
            converged: false,
            grid: Some(Grid { space: 64, time: 1 << 40 }),
            boundary: (5..9).map(point).collect(),
        }
    }

    fn there_and_back<T: Cargo>(format: T::Format, x: T) {
        let plain = Price { vega: None, rho: Some(x), error: None, grid: None, ..price(x) };
        let refused = Error::NoRoom(NoRoom {
            what: "a grid of 4 × 5".into(),
            needed: 7 << 90,
            free: u64::MAX.into(),
            place: Place::Memory,
        });
        come_back(format, [Ok(price(x)), Err(Error::NotFinite), Err(refused.clone()), Ok(plain)]);
        let implied = Implied { volatility: x, error: 1e-9, converged: true, grid: price(x).grid };
        let none = Implied { grid: None, converged: false, ..implied };
        come_back(format, [Ok(implied), Err(Error::NotFinite), Err(refused), Ok(none)]);
    }

    fn come_back<T: Cargo, L: Letter<T> + Debug + PartialEq>(
        format: T::Format,
        outcomes: [Result<L, Error>; 4],
    ) {
        let mut words = Vec::new();
        outcomes.iter().for_each(|outcome| write(format, outcome, &mut words));
        let mut words = Words(&words);
        for outcome in outcomes {
            let expected = (outcome != Err(Error::NotFinite)).then_some(outcome);
            assert_eq!(words.outcome(format), expected);
        }
        assert!(words.0.is_empty());
    }

    #[test]
    fn outcomes_come_back() {
        there_and_back((), 0.1);
        there_and_back((), Qd::from(1) / Qd::from(3));
        let bits = Bits::new(424).unwrap();
        there_and_back(bits, Mp::pi(bits));
    }
}
