//! Random inputs, the same in every run.

use std::error::Error;

use nonius_linalg::mp::Bits;
use nonius_linalg::sparse::{Coo, Csr, Triplet};
use nonius_linalg::{Matrix, Scalar, mp};
use nonius_num::mp::Head;
use nonius_num::{Mp, Real};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rayon::prelude::*;

/// A number uniform in (−1, 1) with every limb random.
pub(crate) fn number<T: Scalar>(random: &mut StdRng) -> T {
    let mut x = T::ZERO;
    for limb in 0..T::LIMBS {
        x += T::from_f64(random.random_range(-1.0..1.0)).ldexp(-53 * limb as i32);
    }
    x
}

/// `n` numbers as [`number`] makes them.
pub(crate) fn vector<T: Scalar>(n: usize, seed: u64) -> Vec<T> {
    let mut random = StdRng::seed_from_u64(seed);
    (0..n).map(|_| number(&mut random)).collect()
}

/// `n` numbers between 1/2 and 3/2.
pub(crate) fn near_one<T: Scalar>(n: usize, seed: u64) -> Vec<T> {
    vector::<T>(n, seed).into_iter().map(|x| T::ONE + x.ldexp(-1)).collect()
}

/// A matrix of numbers as [`number`] makes them.
pub(crate) fn matrix<T: Scalar>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    by_columns(rows, cols, |j, column| {
        let mut random = StdRng::seed_from_u64(seed << 32 | j as u64);
        column.iter_mut().for_each(|x| *x = number(&mut random));
    })
}

/// A matrix whose columns are made side by side: the largest take a minute otherwise.
fn by_columns<T: Scalar>(
    rows: usize,
    cols: usize,
    make: impl Fn(usize, &mut [T]) + Sync,
) -> Matrix<T> {
    let mut a = Matrix::zeros(rows, cols);
    let columns = a.as_mut_slice().par_chunks_mut(rows.max(1));
    columns.enumerate().for_each(|(j, column)| make(j, column));
    a
}

/// A symmetric positive definite matrix: random entries and a dominant diagonal.
pub(crate) fn positive_definite<T: Scalar>(n: usize, seed: u64) -> Matrix<T> {
    let a = matrix::<T>(n, n, seed);
    by_columns(n, n, |j, column| {
        for (i, x) in column.iter_mut().enumerate() {
            *x = a[(i.max(j), i.min(j))];
        }
        column[j] += T::from_f64(n as f64);
    })
}

/// A square matrix of numbers of all bits in size from 1/2 to 1.
pub(crate) fn mp_matrix(bits: Bits, n: usize, seed: u64) -> mp::Matrix {
    let mut a = mp::Matrix::zeros_in(bits, n, n);
    let (heads, words) = a.numbers_mut().into_parts();
    let mut random = StdRng::seed_from_u64(seed);
    heads.iter_mut().for_each(|head| *head = Head::finite(random.random(), 0));
    let count = bits.words();
    let padding = 64 * count as u32 - bits.get();
    for words in words.chunks_exact_mut(count) {
        words.iter_mut().for_each(|word| *word = random.random());
        words[0] = words[0] >> padding << padding;
        words[count - 1] |= 1 << 63;
    }
    a
}

/// A symmetric positive definite matrix: the entries of [`mp_matrix`] and a dominant diagonal.
pub(crate) fn mp_definite(bits: Bits, n: usize, seed: u64) -> mp::Matrix {
    let mut a = mp_matrix(bits, n, seed);
    for j in 0..n {
        (0..j).for_each(|i| a.set(i, j, a.at(j, i)));
        a.set(j, j, a.at(j, j) + Mp::from_f64(bits, n as f64));
    }
    a
}

/// `H·D·K` for reflections `H`, `K` by random vectors, and `D` falling evenly in its exponent from
/// 1 to `10^-power`.
pub(crate) fn conditioned<T: Scalar + Real>(n: usize, power: u32) -> Matrix<T> {
    let [u, v] = [5, 6].map(|seed| {
        let x = vector::<T>(n, seed);
        let norm = x.iter().fold(T::ZERO, |sum, &x| sum + x * x).sqrt();
        x.into_iter().map(|x| x / norm).collect::<Vec<T>>()
    });
    let step = -f64::from(power) * std::f64::consts::LOG2_10 / (n.max(2) - 1) as f64;
    let d: Vec<T> = (0..n).map(|i| T::from_f64((step * i as f64).exp2())).collect();
    let middle = (0..n).fold(T::ZERO, |sum, i| sum + u[i] * d[i] * v[i]);
    let (two, four) = (T::from_f64(2.0), T::from_f64(4.0));
    by_columns(n, n, |j, column| {
        for (i, x) in column.iter_mut().enumerate() {
            let diagonal = if i == j { d[i] } else { T::ZERO };
            *x = diagonal - two * u[i] * u[j] * d[j] - two * d[i] * v[i] * v[j]
                + four * u[i] * middle * v[j];
        }
    })
}

/// The matrix of five points on a square.
pub(crate) fn five_points(side: usize) -> Result<Csr<f64>, Box<dyn Error>> {
    let n = side * side;
    let mut triplets = Vec::with_capacity(5 * n);
    for row in 0..n {
        let (i, j) = (row / side, row % side);
        let mut put = |inside: bool, col: usize, value: f64| {
            if inside {
                triplets.push(Triplet { row, col, value });
            }
        };
        put(i > 0, row.wrapping_sub(side), -1.0);
        put(j > 0, row.wrapping_sub(1), -1.0);
        put(true, row, 4.0);
        put(j + 1 < side, row + 1, -1.0);
        put(i + 1 < side, row + side, -1.0);
    }
    let a = Coo::new(n, n, triplets).ok_or("entries outside the matrix")?;
    Ok(Csr::from_coo(a)?)
}
