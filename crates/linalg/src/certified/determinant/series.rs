//! `det(I + D)` for a small `D`, by the traces of its powers.
//!
//! **Theorem.** `log det(I + D) = Σ_{m>=1} (−1)^(m+1)·tr(D^m)/m` where `‖D‖ < 1` (Newton's
//! identities; J. H. Wilkinson, *The Algebraic Eigenvalue Problem*, 1965, chapter 7). With `‖·‖`
//! that of Frobenius, `|tr(X·Y)| <= ‖X‖·‖Y‖`, so that with `φ = ‖D‖` and `s <= M` the terms from
//! order `M + 1` on are at most
//!
//! `‖D^s‖·φ^(M + 1 − s)/((M + 1)·(1 − φ))`, for `2s <= M` also
//! `‖D^s‖²·φ^(M + 1 − 2s)/((M + 1)·(1 − φ))`.
//!
//! **Method.** `tr(D^(a + b)) = Σ_ij (D^a)_ij·(D^b)_ji` takes no product of matrices. So `D` gives
//! the orders 1 and 2; `D²` two more; and `r >= 2` products, `D², D⁴, …, D^(2r − 2)` and
//! `D^(2r − 1)`, all up to `4r − 2`, since any of these is a sum of two of the powers 1, 2, 4, …,
//! 2r − 2, 2r − 1. Powers are small: each is computed with fewer bits than the one before. The
//! exponential's series ends the computation.
//!
//! **Rounding.** The product of `X` and `Y` with `q` bits is within `12n·2^-q·‖X‖·‖Y‖` of the exact
//! one by this norm: [`Machine::product`], where the powers of two beside the rows of `X`, at most
//! twice the largest magnitude of each, have squares of at most `4‖X‖²` together. A trace of `n`
//! sums, each [rounded once](Dot), added one after the other, is within `(n + 2)·2^-w·‖X‖·‖Y‖`.

use nonius_num::mp::{Bits, Dot, Mp};

use super::super::machine::{Held, Machine};
use super::super::magnitude::Magnitude;
use crate::threads::{Grain, map, map_with};
use crate::{Error, mp};

/// The largest norm that series are summed for.
pub(super) const LARGEST_NORM_EXPONENT: i64 = -4;

/// `det(I + D)`: a number, and a bound of its relative error.
pub(super) struct Value {
    pub(super) number: Mp,
    pub(super) error: Magnitude,
}

/// A power of `D`.
struct Power<M: Machine> {
    exponent: u32,
    values: mp::Matrix,
    transpose: mp::Matrix,
    held: Option<M::Numbers>,
    /// A bound of its norm, and of that of its difference from the exact one.
    norm: Magnitude,
    error: Magnitude,
}

impl<M: Machine> Power<M> {
    fn new(exponent: u32, values: mp::Matrix, error: Magnitude) -> Self {
        let transpose = values.transposed();
        let norm = norm(&values).plus(error);
        Self { exponent, values, transpose, held: None, norm, error }
    }
}

/// A bound of Frobenius's norm.
pub(super) fn norm(a: &mp::Matrix) -> Magnitude {
    let square = |j: usize| {
        let column = a.column(j);
        (0..column.len()).fold(Magnitude::ZERO, |sum, i| {
            let x = Magnitude::above(column.entry(i));
            sum.plus(x.times(x))
        })
    };
    let squares = map(a.cols(), Grain::ANY, square);
    squares.into_iter().fold(Magnitude::ZERO, Magnitude::plus).sqrt()
}

/// About the bits of all products that the series takes, with an error of at most `2^-goal`, where
/// `D` has this norm.
pub(super) fn work(norm: Magnitude, goal: i64) -> i64 {
    let Some(down) = norm.exponent().map(|e| -e) else { return 0 };
    let down = down.max(1);
    let count = products(|order| goal < order * down);
    (0..count).map(|r| (goal - (2 * r + 3) * down).max(64)).sum()
}

/// The least number of products with which the orders suffice, for all of which `enough` says
/// whether terms from that one on are negligible.
fn products(enough: impl Fn(i64) -> bool) -> i64 {
    let last = |r: i64| if r < 2 { 2 * r + 2 } else { 4 * r - 2 };
    (0..).find(|&r| enough(last(r) + 1) || r > 1000).unwrap_or(0)
}

struct Series<'a, M: Machine> {
    machine: &'a M,
    powers: Vec<Power<M>>,
    /// What each error may be, about.
    budget: Magnitude,
}

/// `det(I + D)` with a relative error of about `2^-goal`; `None` where it is too far from 1 for
/// that.
///
/// # Errors
/// Those of the machine.
pub(super) fn determinant<M: Machine>(
    machine: &M,
    d: mp::Matrix,
    goal: i64,
) -> Result<Option<Value>, Error> {
    let n = d.rows();
    let first = Power::new(1, d, Magnitude::ZERO);
    if !first.norm.less(Magnitude::power(LARGEST_NORM_EXPONENT)) {
        return Ok(None);
    }
    let mut series = Series { machine, powers: vec![first], budget: Magnitude::power(-goal - 3) };
    let last = series.add_powers()?;
    Ok(series.sum(n, last))
}

impl<M: Machine> Series<'_, M> {
    /// Computes the powers that are needed. Returns the highest order of which the trace is known.
    fn add_powers(&mut self) -> Result<u32, Error> {
        while !self.is_enough(self.last()) {
            let left = self.powers.len() - 1;
            let even = self.powers[left].exponent;
            let odd = self.powers[left].norm.times(self.powers[0].norm);
            let beyond = odd.times(odd).times(self.powers[0].norm).shifted(1);
            if even > 1 && beyond.less(self.budget) {
                // The sums of two of 1, 2, 4, …, 2m, 2m + 1 are all numbers up to 4m + 2.
                self.multiply(left, 0)?;
                return Ok(2 * even + 2);
            }
            self.multiply(left, left.min(1))?;
        }
        Ok(self.last())
    }

    /// With even powers alone.
    fn last(&self) -> u32 {
        match self.powers[self.powers.len() - 1].exponent {
            1 => 2,
            even => even + 2,
        }
    }

    /// The terms beyond this order.
    fn tail(&self, last: u32) -> Magnitude {
        let (phi, one) = (self.powers[0].norm, Magnitude::power(0));
        let bound = |power: &Power<M>| {
            let (norm, s) = (power.norm, power.exponent);
            match 2 * s <= last {
                true => norm.times(norm).times(raised(phi, last + 1 - 2 * s)),
                false => norm.times(raised(phi, last + 1 - s)),
            }
        };
        let all = self.powers.iter().map(bound);
        let least = all.fold(Magnitude::INFINITE, |x, y| if x.less(y) { x } else { y });
        least.over_difference(one, phi)
    }

    fn is_enough(&self, last: u32) -> bool {
        self.tail(last).less(self.budget)
    }

    /// Adds the product of two powers.
    fn multiply(&mut self, left: usize, right: usize) -> Result<(), Error> {
        let n = self.powers[0].values.rows();
        let [x, y] = [left, right].map(|k| (self.powers[k].norm, self.powers[k].error));
        let unit = Magnitude::new(12.0 * n as f64 + 6.0, 0).times(x.0).times(y.0);
        // Its traces are with D or with what is smaller.
        let excess = unit.times(self.powers[0].norm).exponent().unwrap_or(0);
        let needed = excess - exponent(self.budget) + 3;
        // No more than what they are held with.
        let most = [left, right].map(|k| {
            let power = &self.powers[k];
            power.held.as_ref().map_or(power.values.bits(), Held::bits)
        });
        let bits = u32::try_from(needed.max(Bits::LEAST.into())).unwrap_or(Bits::MOST);
        let bits = Bits::new(bits.next_multiple_of(8)).unwrap_or(most[0]).min(most[0]).min(most[1]);
        let mut operand = |k: usize| {
            let power = &mut self.powers[k];
            let held = match power.held.take() {
                Some(held) => held,
                None => self.machine.hold(&power.values.with_bits(bits))?,
            };
            self.machine.rounded(power.held.insert(held), bits)
        };
        let product = self.machine.product(false, &operand(left)?, &operand(right)?)?;
        let values = self.machine.fetch(&product)?;
        // Rounded to the bits when they were held, and now: twice 2^-bits, of either.
        let rounding = unit.shifted(-i64::from(bits.get()));
        let errors = x.1.times(y.0).plus(y.1.times(x.0)).plus(x.1.times(y.1));
        let exponent = self.powers[left].exponent + self.powers[right].exponent;
        let mut power = Power::new(exponent, values, errors.plus(rounding));
        power.held = Some(product);
        self.powers.push(power);
        Ok(())
    }

    /// `tr(D^order)`, within the bound that is returned next to it.
    fn trace(&self, order: u32) -> (Mp, Magnitude) {
        let budget = exponent(self.budget);
        let bits = |size: Magnitude| {
            let needed = size.exponent().unwrap_or(0) - budget + 24;
            let needed = u32::try_from(needed).unwrap_or(0).max(Bits::LEAST);
            Bits::new(needed.next_multiple_of(64)).unwrap_or(super::super::least_bits())
        };
        let n = self.powers[0].values.rows();
        if order == 1 {
            let norm = self.powers[0].norm;
            let size = norm.times(Magnitude::new(n as f64, 0));
            let bits = bits(size);
            let d = &self.powers[0].values;
            let sum = (0..n).fold(Mp::zero(bits), |sum, i| sum.view() + d.entry(i, i));
            // No more than the sum of magnitudes for each addition.
            return (sum, size.shifted(-i64::from(bits.get())).times(Magnitude::new(n as f64, 0)));
        }
        let pairs = self.powers.iter().flat_map(|x| self.powers.iter().map(move |y| (x, y)));
        let mut pairs = pairs.filter(|(x, y)| x.exponent + y.exponent == order);
        let Some((x, y)) = pairs.next() else {
            return (Mp::zero(bits(self.budget)), Magnitude::INFINITE);
        };
        let (rows, columns, size) = (&x.transpose, &y.values, x.norm.times(y.norm));
        let bits = bits(size.times(Magnitude::new(n as f64, 0)));
        let product = |dot: &mut Dot, j: usize| {
            let (row, column) = (rows.column(j), columns.column(j));
            let mut sum = Mp::zero(bits);
            let row = (row.heads(), row.words());
            sum.set_dot(dot, row, (column.heads(), column.words()));
            sum
        };
        let sums: Vec<Mp> = map_with(n, Grain::AtLeast(8), || Dot::new(bits), product);
        let sum = sums.iter().fold(Mp::zero(bits), |sum, x| &sum + x);
        let rounding = size.times(Magnitude::new(n as f64 + 2.0, -i64::from(bits.get())));
        let errors = x.error.times(y.norm).plus(y.error.times(x.norm)).plus(x.error.times(y.error));
        (sum, rounding.plus(errors))
    }

    fn sum(&self, n: usize, last: u32) -> Option<Value> {
        let one = Magnitude::power(0);
        let budget = exponent(self.budget);
        let bits = u32::try_from(32 - budget).unwrap_or(0).max(Bits::LEAST);
        let bits = Bits::new(bits.next_multiple_of(64)).ok()?;
        let unit = Magnitude::power(-i64::from(bits.get()));
        let (mut log, mut error) = (Mp::zero(bits), self.tail(last));
        for order in 1..=last {
            let (trace, of_trace) = self.trace(order);
            let order_of = Mp::from_f64(bits, f64::from(order));
            let term = trace.view().to_mp(bits).view() / order_of.view();
            log = if order % 2 == 1 { log + term } else { log - term };
            // The trace, the quotient and the sum are rounded.
            let sizes = Magnitude::above(term.view()).shifted(2).plus(Magnitude::above(log.view()));
            error = error.plus(of_trace).plus(sizes.times(unit));
        }
        let size = Magnitude::above(log.view()).plus(error);
        if n == 0 || !size.less(Magnitude::power(-1)) {
            return (n == 0).then(|| Value { number: Mp::one(bits), error: Magnitude::ZERO });
        }
        // e^x − 1 <= x/(1 − x)
        let (number, of_sum) = exponential(&log);
        let of_log = error.over_difference(one, error);
        Some(Value { number, error: of_log.plus(of_sum).plus(of_log.times(of_sum)) })
    }
}

/// `e^x` for `|x| < 1/2`, with a bound of its relative error: the terms from `x^k/k!` on are at
/// most twice the first of them, and `e^x > 1/2`.
fn exponential(x: &Mp) -> (Mp, Magnitude) {
    let bits = x.bits();
    let unit = Magnitude::power(-i64::from(bits.get()));
    let size = Magnitude::above(x.view());
    let (mut sum, mut term) = (Mp::one(bits), Mp::one(bits));
    let (mut bound, mut error) = (Magnitude::power(0), Magnitude::ZERO);
    for k in 1..=bits.get() {
        bound = bound.times(size).times(Magnitude::new(1.0 / f64::from(k), 0)).times(up());
        if bound.less(unit) {
            break;
        }
        let k = Mp::from_f64(bits, f64::from(k));
        term = (term.view() * x.view()).view() / k.view();
        sum += term;
        // Each of the two roundings of a term goes into all that follow, which are less; that of
        // the sum is of a number below 2.
        error = error.plus(unit.shifted(2)).plus(bound.times(unit).shifted(2));
    }
    (sum, error.plus(bound.shifted(1)).shifted(1))
}

/// More than a rounding to nearest takes away.
fn up() -> Magnitude {
    Magnitude::new(1.0 + f64::EPSILON, 0)
}

fn raised(x: Magnitude, power: u32) -> Magnitude {
    (0..power).fold(Magnitude::power(0), |product, _| product.times(x))
}

/// An exponent, very low for zero.
fn exponent(x: Magnitude) -> i64 {
    x.exponent().unwrap_or(if x.is_zero() { -1 << 40 } else { 1 << 40 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certified::factors::Factors;
    use crate::certified::host::cpu;

    /// Entries of `D` of magnitudes up to `2^-down`, from few digits of no pattern.
    fn small(n: usize, down: i32) -> mp::Matrix {
        let bits = Bits::new(2048).unwrap();
        mp::Matrix::from_fn_in(bits, n, n, |i, j| {
            let x = ((i * 7919 + j * 104_729 + i * j * 31) % 1009) as f64 / 512.0 - 0.98;
            (Mp::from_f64(bits, x).view() / Mp::from_f64(bits, 3.0).view()).ldexp(-down)
        })
    }

    /// `|det(I + D)/x − 1|`, to 2000 bits.
    fn error(d: &mp::Matrix, x: &Mp) -> Mp {
        let (n, one) = (d.rows(), Mp::one(d.bits()));
        let mut a = d.clone();
        (0..n).for_each(|i| a.put(i, i, (d.entry(i, i) + one.view()).view()));
        let factors = Factors::of(a).unwrap();
        let product = (0..n).fold(one, |product, i| product.view() * factors.packed().entry(i, i));
        let product = if factors.is_odd() { -product } else { product };
        (product.view() / x.view() - one).abs()
    }

    #[test]
    fn series_keep_their_bounds() {
        for n in [1, 2, 3, 17, 40] {
            for down in [8, 11, 20, 60, 300, 1500] {
                let d = small(n, down);
                for goal in [20, 100, 333, 900] {
                    let found = determinant(&cpu(), d.clone(), goal).unwrap();
                    let Some(Value { number, error: bound }) = found else {
                        assert!(
                            !norm(&d).less(Magnitude::power(LARGEST_NORM_EXPONENT)),
                            "{n} {down}"
                        );
                        continue;
                    };
                    let error = error(&d, &number);
                    assert!(!bound.less(Magnitude::below(error.view())), "{n} {down} {goal}");
                    assert!(bound.less(Magnitude::power(-goal)), "{n} {down} {goal}: {bound}");
                }
            }
        }
        let zero = mp::Matrix::zeros_in(Bits::new(64).unwrap(), 5, 5);
        let found = determinant(&cpu(), zero, 100).unwrap().unwrap();
        assert_eq!(found.number, Mp::one(found.number.bits()));
    }

    /// Nilpotent matrices, of which all traces vanish, and a diagonal one, of which none does.
    #[test]
    fn extremes() {
        let bits = Bits::new(512).unwrap();
        let (n, power) = (9, |down: i32| Mp::one(bits).ldexp(-down));
        let shift = |i: usize, j: usize| if i + 1 == j { power(6) } else { Mp::zero(bits) };
        let diagonal = |i: usize, j: usize| if i == j { power(6) } else { Mp::zero(bits) };
        for d in [
            mp::Matrix::from_fn_in(bits, n, n, shift),
            mp::Matrix::from_fn_in(bits, n, n, diagonal),
        ] {
            let found = determinant(&cpu(), d.clone(), 300).unwrap().unwrap();
            let error = error(&d.with_bits(Bits::new(2048).unwrap()), &found.number);
            assert!(!found.error.less(Magnitude::below(error.view())));
            assert!(found.error.less(Magnitude::power(-300)));
        }
    }

    #[test]
    fn exponentials() {
        let bits = Bits::new(256).unwrap();
        let wide = Bits::new(1024).unwrap();
        for x in [0.0, 0.499, -0.499, 1e-9, -3e-40, 1e-200] {
            let (value, error) = exponential(&Mp::from_f64(bits, x));
            let x = Mp::from_f64(wide, x);
            let (mut sum, mut term) = (Mp::one(wide), Mp::one(wide));
            for k in 1..200 {
                term = (term * x).view() / Mp::from_f64(wide, f64::from(k)).view();
                sum += term;
            }
            let difference = (value.view() / sum.view() - Mp::one(wide)).abs();
            assert!(!error.less(Magnitude::below(difference.view())), "{x}");
            assert!(error.less(Magnitude::power(-245)), "{x} {error}");
        }
    }
}
