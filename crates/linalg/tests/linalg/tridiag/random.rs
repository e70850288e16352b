//! All methods on systems of every kind and scale, against exact arithmetic.
//!
//! Residuals are exact, in integers times powers of two. Systems of few equations are solved
//! exactly too, by fraction-free elimination (Bareiss 1968), which says whether a system has a
//! solution and whether it overflows.

use nonius_linalg::backend::Reading;
use nonius_linalg::tridiag::{Cause, Method, Options, Order, Solvable, solve};
use nonius_linalg::{Element, Size};
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::tridiag::Arrays;
use nonius_testkit::{Random, random_cases};
use num_bigint::BigInt;

/// `value · 2^exponent`.
#[derive(Clone, Debug)]
struct Exact {
    value: BigInt,
    exponent: i64,
}

impl Exact {
    /// By the highest bits, once and again what is left: exactly, from the middle of the range.
    fn of<T: Solvable>(x: T) -> Self {
        let mut sum = Self { value: BigInt::from(0), exponent: 0 };
        let mut rest = x;
        while let Some(exponent) = Size::exponent(rest.magnitude()) {
            let limb = rest.scaled(-exponent).to_f64();
            rest = rest - T::from_f64(limb).scaled(exponent);
            let limb = Self::of_f64(limb);
            sum = sum.plus(&Self { exponent: limb.exponent + i64::from(exponent), ..limb });
        }
        sum
    }

    fn of_f64(x: f64) -> Self {
        let bits = x.to_bits();
        let (biased, fraction) = (bits >> 52 & 0x7ff, (bits & ((1 << 52) - 1)) as i64);
        let significand = if biased == 0 { fraction } else { fraction | 1 << 52 };
        let signed = if x < 0.0 { -significand } else { significand };
        Self { value: BigInt::from(signed), exponent: biased.max(1) as i64 - 1075 }
    }

    fn at(&self, exponent: i64) -> BigInt {
        &self.value << (self.exponent - exponent) as usize
    }

    fn plus(&self, y: &Self) -> Self {
        let exponent = self.exponent.min(y.exponent);
        Self { value: self.at(exponent) + y.at(exponent), exponent }
    }

    fn minus_product(&self, x: &Self, y: &Self) -> Self {
        self.plus(&Self { value: -(&x.value * &y.value), exponent: x.exponent + y.exponent })
    }

    /// `⌊log₂ |x|⌋ + 1`; far below all numbers for zero.
    fn log2(&self) -> i64 {
        if self.is_zero() { i64::MIN / 4 } else { self.value.bits() as i64 + self.exponent }
    }

    fn is_zero(&self) -> bool {
        self.value == BigInt::from(0)
    }
}

/// Scales by which entries of a batch differ.
#[derive(Clone, Copy, Debug)]
enum Scales {
    None,
    All(i32),
    RowsAndColumns(usize),
    Entries(usize),
}

#[derive(Debug)]
struct Case<T: Element> {
    arrays: Arrays<T>,
    size: usize,
    integers: bool,
    options: Options,
}

fn draw<T: Solvable>(format: T::Format, random: &mut Random) -> Case<T> {
    let size = match random.below(8) {
        0..4 => 1 + random.below(6),
        4..7 => 1 + random.below(40),
        _ => 1 + random.below(300),
    };
    let periodic = size >= 3 && random.below(2) == 0;
    let pivoting = random.below(2) == 0;
    let methods = [Method::Auto, Method::Thomas, Method::Pcr, Method::Hybrid];
    let method = methods[random.below(if pivoting { 2 } else { 4 })];
    let order = [Order::Contiguous, Order::Interleaved][random.below(2)];
    let systems = 1 + random.below(3);
    // Exact numbers of wider ranges are long.
    let range = (T::LARGEST_EXPONENT - 8).min(4000) as usize;
    let scales = match random.below(4) {
        0 => Scales::None,
        1 => Scales::All(random.below(2 * range) as i32 - range as i32),
        2 => Scales::RowsAndColumns(random.below(range / 2) + 1),
        _ => Scales::Entries(random.below(range) + 1),
    };
    let integers = random.below(2) == 0;
    let dominant = random.below(3) == 0;
    let mut arrays = Arrays::<T>::in_format(format, (systems, size), order, 0.1);
    let around = |random: &mut Random, width: usize| random.below(2 * width) as i32 - width as i32;
    for s in 0..systems {
        let mut factors =
            |width: usize| -> Vec<i32> { (0..size).map(|_| around(random, width)).collect() };
        let (rows, columns) = match scales {
            Scales::RowsAndColumns(width) => (factors(width), factors(width)),
            _ => (vec![0; size], vec![0; size]),
        };
        for (i, &row) in rows.iter().enumerate() {
            let at = order.index((systems, size), s, i);
            let mut entry = |column: usize, weight: f64| {
                let x = if integers {
                    T::from_f64(weight * (random.below(5) as f64 - 2.0))
                } else {
                    let x = T::from_f64(weight * (2.0 * random.unit() - 1.0));
                    x.to_format(format) / T::from_f64(3.0)
                };
                let entry = match scales {
                    Scales::Entries(width) => around(random, width),
                    Scales::All(k) => k,
                    _ => 0,
                };
                x.scaled(entry + row + if column < size { columns[column] } else { 0 })
            };
            let (before, after) = ((i + size - 1) % size, (i + 1) % size);
            let [mut lower, mut diagonal, mut upper] = [before, i, after].map(|j| entry(j, 1.0));
            let right = entry(size, 1.0);
            [lower, diagonal, upper] = [lower, diagonal, upper].map(|x| x.to_format(format));
            if dominant {
                let beside = lower.magnitude() + upper.magnitude();
                let size: Reading = (T::Size::from(1.5) * beside + diagonal.magnitude()).into();
                let significand = T::from_f64(size.significand * 2.0);
                diagonal = significand.scaled(size.exponent as i32 - 1);
            }
            let [lowers, diagonals, uppers] = &mut arrays.matrix;
            lowers.set(at, lower);
            diagonals.set(at, diagonal);
            uppers.set(at, upper);
            arrays.right.set(at, right);
        }
    }
    // With a scale of its own for every entry sums are rounded.
    let integers = integers && !matches!(scales, Scales::Entries(_));
    Case { arrays, size, integers, options: Options { method, periodic, pivoting } }
}

/// The exact solution as numerators over a denominator, by fraction-free elimination; `None` for a
/// singular matrix.
fn exact_solution(rows: &[Vec<Exact>]) -> Option<(Vec<BigInt>, BigInt)> {
    let n = rows.len();
    let least = rows.iter().flatten().filter(|x| !x.is_zero()).map(|x| x.exponent).min()?;
    let shifted = |x: &Exact| if x.is_zero() { BigInt::from(0) } else { x.at(least) };
    let mut a: Vec<Vec<BigInt>> =
        rows.iter().map(|row| row.iter().map(shifted).collect()).collect();
    let zero = BigInt::from(0);
    let mut before = BigInt::from(1);
    for k in 0..n {
        let pivot = (k..n).find(|&i| a[i][k] != zero)?;
        a.swap(k, pivot);
        let row = a[k].clone();
        for (_, other) in a.iter_mut().enumerate().filter(|&(i, _)| i != k) {
            let factor = other[k].clone();
            for j in 0..=n {
                other[j] = (&row[k] * &other[j] - &factor * &row[j]) / &before;
            }
        }
        before = row[k].clone();
    }
    Some((a.iter().map(|row| row[n].clone()).collect(), before))
}

fn check<T: Solvable>(format: T::Format, random: &mut Random) {
    let case = draw::<T>(format, random);
    let (batch, n, periodic) = (case.arrays.batch(), case.size, case.options.periodic);
    let mut x = case.arrays.garbage();
    let report = solve(&batch, &case.options, &mut x).unwrap();
    let what = format!("{} {:?} n = {n}: {:?}", T::name(format), case.options, case.arrays);
    let [lower, diagonal, upper] = batch.matrix();
    for s in 0..batch.systems() {
        // Entries of a row by column, right-hand side last.
        let row = |i: usize| {
            let at = batch.index(s, i);
            let mut row = vec![];
            let mut put = |j: usize, x: T| row.push((j, Exact::of(x)));
            put(i, diagonal.at(at));
            if periodic || i > 0 {
                put((i + n - 1) % n, lower.at(at));
            }
            if periodic || i + 1 < n {
                put((i + 1) % n, upper.at(at));
            }
            (row, Exact::of(batch.right().at(at)))
        };
        let solution = (n <= 6).then(|| {
            let rows: Vec<Vec<Exact>> = (0..n)
                .map(|i| {
                    let (entries, right) = row(i);
                    let mut dense = vec![Exact::of(0.0_f64); n];
                    entries.into_iter().for_each(|(j, x)| dense[j] = x);
                    dense.push(right);
                    dense
                })
                .collect();
            exact_solution(&rows)
        });
        let failure = report.failures.iter().find(|failure| failure.system == s);
        if let Some(failure) = failure {
            match (failure.cause, &solution) {
                (Cause::NotFinite, _) => panic!("all entries are finite: {what}"),
                // Integers of few bits: minors are exact integers, and pivots zero where they are.
                (Cause::Pivot, Some(Some(_))) if case.options.pivoting && case.integers => {
                    panic!("system {s} is regular: {what}")
                }
                (Cause::Overflow, Some(Some((x, det)))) => {
                    let limit = T::LARGEST_EXPONENT as usize;
                    let overflows = |x: &BigInt| x.bits() + 1 >= det.bits() + limit as u64;
                    // A nearly singular matrix may overflow by rounding.
                    assert!(x.iter().any(overflows) || !case.integers, "{failure:?}: {what}");
                }
                _ => {}
            }
            continue;
        }
        if let (Some(None), true) = (&solution, case.options.pivoting && case.integers && n == 1) {
            panic!("system {s} is singular: {what}");
        }
        let values: Vec<Exact> = (0..n).map(|i| x.at(batch.index(s, i))).map(Exact::of).collect();
        assert!((0..n).all(|i| x.at(batch.index(s, i)).is_finite()), "{what}");
        let greatest = values.iter().map(Exact::log2).max().unwrap_or(0);
        for i in 0..n {
            let (entries, right) = row(i);
            let rest = entries
                .iter()
                .fold(right.clone(), |rest, (j, a)| rest.minus_product(a, &values[*j]));
            let largest = entries.iter().map(|(_, a)| a.log2()).max().unwrap_or(0);
            let by_entries = entries.iter().map(|(j, a)| a.log2() + values[*j].log2()).max();
            let least = i64::from(T::SMALLEST_EXPONENT);
            let u = i64::from(Size::exponent(T::unit_roundoff(format)).unwrap());
            // Half the smallest number for each unknown, and the sum's own rounding.
            let underflow = (largest + least).max(least) + 6;
            // Row by row: 256 is 5 operations an entry, times the growth, for 5 entries.
            let exchanged = u + 9 + (largest + greatest).max(right.log2());
            let size = if case.options.pivoting {
                exchanged
            } else {
                // What is not named keeps half of the digits, or left the range and was solved with
                // exchanges.
                exchanged.max(u / 2 + 3 + by_entries.unwrap_or(0).max(right.log2()))
            };
            assert!(
                rest.log2() <= size.max(underflow),
                "system {s} row {i}: residual 2^{} above 2^{size} and 2^{underflow}: {what}",
                rest.log2()
            );
        }
    }
}

#[test]
fn random_systems() {
    random_cases("tridiagonal systems", 1000, |random| match random.below(5) {
        0 => check::<f32>((), random),
        1 => check::<f64>((), random),
        2 => check::<Dd>((), random),
        3 => check::<Td>((), random),
        _ => check::<Qd>((), random),
    });
    random_cases("tridiagonal systems of any bits", 100, |random| {
        let bits = [64, 106, 424, 1000, 2048][random.below(5)];
        check::<Mp>(super::bits(bits), random);
    });
}

/// A ring whose system without corners, and whose change of rank one, are singular.
#[test]
fn a_ring_without_regular_part() {
    let matrix = [[-1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 2.0, 1.0]];
    let [lower, diagonal, upper] = &matrix;
    let batch = nonius_linalg::tridiag::Batch::new(
        1,
        3,
        Order::Contiguous,
        [lower, diagonal, upper],
        &[1.0; 3],
    )
    .unwrap();
    let options = Options { periodic: true, pivoting: true, ..Options::default() };
    let mut x = [0.0; 3];
    assert_eq!(solve(&batch, &options, &mut x).unwrap().failures, []);
    assert_eq!(x, [0.5, 1.0, 0.5]);
}

/// Dominant systems at the ends of the range have the bits of those in the middle.
#[test]
fn scales_by_powers_of_two() {
    fn at<T: Solvable>(format: T::Format, scale: i32) {
        for periodic in [false, true] {
            for method in [Method::Thomas, Method::Pcr, Method::Hybrid] {
                let middle =
                    Arrays::<T>::in_format(format, (3, 20), Order::Interleaved, 0.5).closed();
                let mut far = middle.clone();
                for array in far.matrix.iter_mut().chain([&mut far.right]) {
                    (0..array.len()).for_each(|at| array.set(at, array.at(at).scaled(scale)));
                }
                let options = Options { method, periodic, pivoting: false };
                let (mut x, mut y) = (middle.garbage(), far.garbage());
                assert_eq!(solve(&middle.batch(), &options, &mut x).unwrap().failures, []);
                assert_eq!(solve(&far.batch(), &options, &mut y).unwrap().failures, []);
                for (x, y) in x.as_slice().iter().zip(y.as_slice().iter()) {
                    // Two backward stable solutions; inverses of these matrices have norms below 2.
                    let bound = T::Size::from(256.0) * middle.unit_roundoff();
                    let what = format!("{} {method} 2^{scale}", middle.name());
                    assert!((x - y).magnitude() <= bound, "{what}");
                }
            }
        }
    }
    [-100, -66, 66, 120].into_iter().for_each(|scale| at::<f32>((), scale));
    [-960, -664, 664, 1000].into_iter().for_each(|scale| at::<f64>((), scale));
    // Limbs below the smallest number are lost at lower scales.
    [-800, 664, 1000].into_iter().for_each(|scale| at::<Dd>((), scale));
    [-700, 1000].into_iter().for_each(|scale| at::<Qd>((), scale));
    // No entry is a thousand powers of two away from one.
    let edge = (1 << 28) - 1000;
    [-edge, -5000, 5000, edge].into_iter().for_each(|scale| at::<Mp>(super::bits(424), scale));
}
