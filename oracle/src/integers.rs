//! Systems in integers, whose solutions and determinants are found by elimination without fractions
//! (E. H. Bareiss, *Sylvester's identity and multistep integer-preserving Gaussian elimination*,
//! Math. Comp. 22, 1968): the solution is a column of integers over the determinant.

use core::fmt::Debug;

use nonius::certified::Solution;
use nonius_testkit::Random;
use rug::Integer;
use rug::ops::Pow;

use crate::mp::float;

/// `A·x = b` in integers.
#[derive(Clone, Debug)]
pub struct System {
    /// The rows of the matrix.
    pub a: Vec<Vec<Integer>>,
    /// The right-hand side.
    pub b: Vec<Integer>,
}

/// `numerators / determinant`
#[derive(Clone, Debug)]
pub struct Exact {
    /// One for each unknown.
    pub numerators: Vec<Integer>,
    /// That of the matrix, or another common denominator.
    pub determinant: Integer,
}

impl System {
    /// Number of equations.
    pub fn order(&self) -> usize {
        self.b.len()
    }

    /// The solution; `None` where the determinant is zero.
    pub fn solve(&self) -> Option<Exact> {
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

    /// The rank of the matrix, by elimination without fractions.
    pub fn rank(&self) -> usize {
        let n = self.order();
        let mut rows = self.a.clone();
        let (mut rank, mut before) = (0, Integer::from(1));
        for column in 0..n {
            let Some(pivot) = (rank..n).find(|&i| rows[i][column] != 0) else { continue };
            rows.swap(rank, pivot);
            let (done, rest) = rows.split_at_mut(rank + 1);
            let top = &done[rank];
            for row in rest {
                let factor = row[column].clone();
                for (x, t) in row.iter_mut().zip(top) {
                    let difference = Integer::from(&*x * &top[column]) - Integer::from(&factor * t);
                    *x = difference.div_exact(&before);
                }
            }
            before = top[column].clone();
            rank += 1;
        }
        rank
    }

    /// The matrix and the right-hand side as files, every number times `10^-places`.
    pub fn texts(&self, places: u32) -> [String; 2] {
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

/// Decimal text as an integer and a power of ten.
pub fn decimal(text: &str) -> (Integer, i32) {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<i32>().unwrap() - fraction.len() as i32;
    (format!("{whole}{fraction}").parse().unwrap(), exponent)
}

/// Panics unless every entry, as it is written, has the digits promised.
pub fn judge(solution: &Solution, exact: &Exact, asked: u32, about: impl Debug) {
    let promised = solution.digits.unwrap_or(u32::MAX);
    assert!(promised >= asked, "{promised} digits of {asked}: {about:?}");
    for (i, numerator) in exact.numerators.iter().enumerate() {
        let text = solution.x.at(i, 0).to_string();
        if solution.digits.is_none() {
            // The number itself, which its text reads back as.
            let held = float(solution.x.entry(i, 0)).to_integer_exp();
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

/// A random integer of at most so many bits, 62 at most.
pub fn integer(random: &mut Random, bits: u32) -> Integer {
    let shift = 64 - bits.min(62);
    let x = (random.bits() >> shift) as i64;
    Integer::from(if random.below(2) == 0 { x } else { -x })
}

/// A system of one of several kinds: any integers, nearly singular ones, Hilbert's and
/// Vandermonde's, and such with zeros.
pub fn system(random: &mut Random) -> System {
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

/// A triangular system of integers, lower or upper, now and then with a zero on the diagonal, of
/// orders to 12.
pub fn triangle(random: &mut Random) -> System {
    let n = 1 + random.below(12);
    let (size, sparse) = ([2, 6, 20, 53][random.below(4)], random.below(2) == 0);
    let (lower, singular) = (random.below(2) == 0, random.below(10) == 0);
    let mut entry = |i: usize, j: usize| match (i >= j) == lower || i == j {
        true if i == j && singular => Integer::from(random.below(3)),
        true if i == j => integer(random, size) * 2 + 1,
        true if sparse && random.below(2) == 0 => Integer::new(),
        true => integer(random, size),
        false => Integer::new(),
    };
    let a: Vec<Vec<Integer>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    let b = (0..n).map(|_| integer(random, size)).collect();
    System { a, b }
}

/// A symmetric positive semidefinite matrix `G·Gᵀ`, plus a multiple of the identity unless that is
/// zero, of orders to 12.
pub fn symmetric(random: &mut Random) -> System {
    let n = 1 + random.below(12);
    let size = [2, 6, 20][random.below(3)];
    let g: Vec<Vec<Integer>> =
        (0..n).map(|_| (0..n).map(|_| integer(random, size)).collect()).collect();
    let shift = [0, 1, 1000][random.below(3)];
    let product = |i: usize, j: usize| {
        let sum: Integer = (0..n).map(|k| Integer::from(&g[i][k] * &g[j][k])).sum();
        sum + if i == j { shift } else { 0 }
    };
    let a = (0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect();
    let b = (0..n).map(|_| integer(random, size)).collect();
    System { a, b }
}

/// A matrix that is a sum of fewer outer products of integers than it has rows, of orders from 2
/// to 12.
pub fn deficient(random: &mut Random) -> System {
    let n = 2 + random.below(11);
    let (r, size) = (1 + random.below(n - 1), [2, 6, 20][random.below(3)]);
    let mut factor = || (0..n * r).map(|_| integer(random, size)).collect::<Vec<Integer>>();
    let (x, y) = (factor(), factor());
    let product =
        |i: usize, j: usize| (0..r).map(|k| Integer::from(&x[i * r + k] * &y[j * r + k])).sum();
    let a = (0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect();
    System { a, b: (0..n).map(|_| integer(random, size)).collect() }
}
