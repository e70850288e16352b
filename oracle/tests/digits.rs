//! Proved digits against exact solutions: what `solve_digits` promises is never more than what is true, and never less than what was asked for.
//!
//! Systems have integers as entries, times powers of two and of ten. The judge solves them by elimination without fractions (E. H. Bareiss, *Sylvester's
//! identity and multistep integer-preserving Gaussian elimination*, Math. Comp. 22, 1968): the solution is a column of integers over the determinant.

use nonius::certified::{Data, Datum, DigitsIn, Failure, Options, Reading, Solution};
use nonius::linalg::sparse::matrix_market::read_as;
use nonius::num::mp::Bits;
use nonius::{Device, solve_decimals, solve_digits};
use nonius_oracle::mp::float;
use nonius_testkit::Random;
use rug::Integer;
use rug::ops::Pow;

/// `A·x = b` in integers.
#[derive(Clone, Debug)]
struct System {
    a: Vec<Vec<Integer>>,
    b: Vec<Integer>,
}

/// `numerators / determinant`; `None` where the determinant is zero.
struct Exact {
    numerators: Vec<Integer>,
    determinant: Integer,
}

impl System {
    fn order(&self) -> usize {
        self.b.len()
    }

    fn solve(&self) -> Option<Exact> {
        let n = self.order();
        let mut rows: Vec<Vec<Integer>> = self.a.clone();
        for (row, b) in rows.iter_mut().zip(&self.b) {
            row.push(b.clone());
        }
        let mut before = Integer::from(1);
        for k in 0..n {
            let pivot = (k..n).find(|&i| rows[i][k] != 0)?;
            if pivot != k {
                rows.swap(k, pivot);
                for x in &mut rows[k] {
                    *x = Integer::from(-&*x);
                }
            }
            let top = rows[k].clone();
            for (i, row) in rows.iter_mut().enumerate() {
                if i == k {
                    continue;
                }
                let factor = row[k].clone();
                for (x, t) in row.iter_mut().zip(&top) {
                    let difference = Integer::from(&*x * &top[k]) - Integer::from(&factor * t);
                    *x = difference.div_exact(&before);
                }
            }
            before = top[k].clone();
        }
        // All rows but the last have their diagonal entry equal to the determinant too.
        let numerators = rows.iter().map(|row| row[n].clone()).collect();
        Some(Exact { numerators, determinant: before })
    }

    /// The matrix and the right-hand side as files, every number times `10^-places`.
    fn texts(&self, places: u32) -> [String; 2] {
        let n = self.order();
        let text = |cols: usize, entries: Vec<&Integer>| {
            let mut text = format!("%%MatrixMarket matrix array real general\n{n} {cols}\n");
            entries.iter().for_each(|x| text += &format!("{x}e-{places}\n"));
            text
        };
        let columns = (0..n).flat_map(|j| self.a.iter().map(move |row| &row[j])).collect();
        [text(n, columns), text(1, self.b.iter().collect())]
    }
}

fn options(digits: u32) -> Options {
    Options { digits, digits_in: DigitsIn::Entry, most_bits: Bits::new(Bits::MOST).unwrap() }
}

fn read(text: &str, reading: impl Into<Reading>) -> Data {
    read_as::<Datum>(reading.into(), text.as_bytes()).unwrap().into_dense().unwrap()
}

/// Decimal text as an integer and a power of ten.
fn decimal(text: &str) -> (Integer, i32) {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<i32>().unwrap() - fraction.len() as i32;
    (format!("{whole}{fraction}").parse().unwrap(), exponent)
}

/// Panics unless every entry, as it is written, has the digits promised.
fn judge(solution: &Solution, exact: &Exact, asked: u32, about: &System) {
    let promised = solution.digits.unwrap_or(u32::MAX);
    assert!(promised >= asked, "{promised} digits of {asked}: {about:?}");
    for (i, numerator) in exact.numerators.iter().enumerate() {
        let text = solution.x.at(i, 0).to_string();
        if solution.digits.is_none() {
            // The number itself, which its text reads back as.
            let held = float(solution.x.at(i, 0)).to_integer_exp();
            let Some((held, exponent)) = held else { panic!("{text}") };
            let (mut found, mut right) = (held * &exact.determinant, numerator.clone());
            if exponent < 0 {
                right <<= exponent.unsigned_abs()
            } else {
                found <<= exponent as u32
            }
            assert!(found == right, "{text} is not exact, entry {i}: {about:?}");
            continue;
        }
        let (digits, exponent) = decimal(&text);
        let (mut found, mut right) = (digits * &exact.determinant, numerator.clone());
        let power = Integer::from(10).pow(exponent.unsigned_abs());
        if exponent < 0 {
            right *= power
        } else {
            found *= power
        }
        let error = (found - &right).abs();
        // |x̃ − x| <= 1/2·10^-D·|x|
        let unit = Integer::from(10).pow(promised);
        assert!(
            error * 2 * unit <= right.abs(),
            "{text} with {promised} digits, entry {i}: {about:?}"
        );
    }
}

fn integer(random: &mut Random, bits: u32) -> Integer {
    let shift = 64 - bits.min(62);
    let x = (random.bits() >> shift) as i64;
    Integer::from(if random.below(2) == 0 { x } else { -x })
}

/// A system of one of several kinds: any integers, nearly singular ones, Hilbert's and Vandermonde's, and such with zeros.
fn system(random: &mut Random) -> System {
    let n = 1 + random.below(6);
    let size = [2, 6, 20, 53, 60][random.below(5)];
    let mut a: Vec<Vec<Integer>> =
        (0..n).map(|_| (0..n).map(|_| integer(random, size)).collect()).collect();
    match random.below(6) {
        0 => {
            for (i, row) in a.iter_mut().enumerate() {
                row.iter_mut()
                    .enumerate()
                    .for_each(|(j, x)| *x = Integer::from(27720 / (i + j + 1)));
            }
        }
        1 => {
            for (i, row) in a.iter_mut().enumerate() {
                row.iter_mut()
                    .enumerate()
                    .for_each(|(j, x)| *x = Integer::from(i + 1).pow(3 * j as u32));
            }
        }
        // One row next to a combination of others.
        2 if n > 1 => {
            let last: Vec<Integer> = (0..n).map(|j| (0..n - 1).map(|i| &a[i][j]).sum()).collect();
            a[n - 1] = last;
            let place = random.below(n);
            a[n - 1][place] += random.below(2);
        }
        // Many zeros.
        3 => a.iter_mut().flatten().for_each(|x| {
            if random.below(2) == 0 {
                *x = Integer::new();
            }
        }),
        // Rows and columns of different sizes.
        4 => {
            for (i, row) in a.iter_mut().enumerate() {
                row.iter_mut()
                    .enumerate()
                    .for_each(|(j, x)| *x <<= (i * 90 + (j * 37) % 150) as u32);
            }
        }
        _ => {}
    }
    let b = if random.below(3) == 0 {
        // An integer solution.
        let x: Vec<Integer> = (0..n).map(|_| integer(random, 5)).collect();
        a.iter().map(|row| row.iter().zip(&x).map(|(a, x)| Integer::from(a * x)).sum()).collect()
    } else {
        (0..n).map(|_| integer(random, size)).collect()
    };
    System { a, b }
}

/// What came of the cases.
#[derive(Debug, Default)]
struct Tally {
    solved: usize,
    exact: usize,
    singular: usize,
    undecided: usize,
}

impl Tally {
    fn count(&mut self, system: &System, asked: u32, found: Result<Solution, Failure>) {
        let exact = system.solve();
        match (found, exact) {
            (Ok(solution), Some(exact)) => {
                self.solved += 1;
                self.exact += usize::from(solution.digits.is_none());
                judge(&solution, &exact, asked, system);
            }
            (Ok(_), None) => panic!("a solution of a singular system: {system:?}"),
            (Err(Failure::Singular { .. } | Failure::Zero { .. }), None) => self.singular += 1,
            // Decimals cannot be told from others that are not singular.
            (Err(Failure::Data { .. } | Failure::Precision { .. }), None) => self.singular += 1,
            (Err(Failure::Undecided(open)), Some(exact)) => {
                self.undecided += 1;
                let zero = |i: usize| exact.numerators[i] == 0;
                assert!(open.iter().all(|open| zero(open.row)), "not zero: {system:?}");
            }
            (Err(Failure::Data { .. }), Some(exact)) => {
                self.undecided += 1;
                assert!(exact.numerators.iter().any(|x| *x == 0), "{system:?}");
            }
            (Err(failure), _) => panic!("{failure}: {system:?}"),
        }
    }
}

#[test]
fn integers() {
    let mut random = Random::new(1);
    let mut tally = Tally::default();
    let wide = Bits::new(1024).unwrap();
    for _ in 0..3000 {
        let system = system(&mut random);
        let asked = [1, 8, 16, 30, 77][random.below(5)];
        let [a, b] = system.texts(0).map(|text| read(&text, wide));
        assert!(a.is_exact() && b.is_exact());
        let found = solve_digits(&a, &b, options(asked), Device::Cpu, &mut |_| {});
        let found = found.map(|(solution, _)| solution);
        tally.count(&system, asked, found.map_err(|refusal| refusal.failure));
    }
    println!("{tally:?}");
    assert!(tally.solved > 2000 && tally.exact > 300 && tally.singular > 50);
}

#[test]
fn decimals() {
    let mut random = Random::new(2);
    let mut tally = Tally::default();
    let most_bits = Bits::new(1024).unwrap();
    for _ in 0..1000 {
        let system = system(&mut random);
        let asked = [1, 8, 16, 30, 77][random.below(5)];
        // The same power of ten for both, which leaves the solution as it is.
        // With few places they become integers, with many they stay rounded.
        let places = 1 + random.below(40) as u32 + if random.below(2) == 0 { 400 } else { 0 };
        let texts = system.texts(places);
        let read =
            |reading: Reading| Ok::<_, ()>((read(&texts[0], reading), read(&texts[1], reading)));
        let found =
            solve_decimals(read, Options { most_bits, ..options(asked) }, Device::Cpu, &mut |_| {});
        let found = found.unwrap().map(|(solution, _)| solution);
        tally.count(&system, asked, found.map_err(|refusal| refusal.failure));
    }
    println!("{tally:?}");
    assert!(tally.solved > 600 && tally.singular > 10);
}
