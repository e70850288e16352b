//! Matrices of every kind that linear algebra meets.

use nonius_linalg::{Matrix, Scalar};
use nonius_testkit::Random;

/// Exponents by rows and by columns, up to so much in magnitude.
const RANGES: [i32; 6] = [0, 3, 40, 200, 480, 505];

/// Calls a test with numbers of one precision.
macro_rules! at_any_precision {
    ($random:expr, $test:ident) => {
        match $random.below(4) {
            0 => $test::<f64>($random),
            1 => $test::<nonius_num::Dd>($random),
            2 => $test::<nonius_num::Td>($random),
            _ => $test::<nonius_num::Qd>($random),
        }
    };
}
pub(crate) use at_any_precision;

/// A matrix of ordinary, graded, structured, deficient or nearly deficient kind.
pub(crate) fn matrix<T: Scalar>(random: &mut Random, m: usize, n: usize) -> Matrix<T> {
    let mut a = Matrix::<T>::zeros(m, n);
    let content = random.below(3);
    for j in 0..n {
        for i in 0..m {
            a[(i, j)] = entry(random, content);
        }
    }
    depend(random, &mut a);
    let [rows, cols] = [m, n].map(|length| exponents(random, length));
    // As often all of one size, up to the ends of the range.
    let shift = [0, 0, 0, -970, 960, -1060, 1000][random.below(7)];
    let all_one = random.below(3) == 0;
    Matrix::from_fn(m, n, |i, j| {
        let e = if all_one { shift } else { rows[i] + cols[j] };
        a[(i, j)].ldexp(e)
    })
}

fn entry<T: Scalar>(random: &mut Random, content: usize) -> T {
    match content {
        0 => T::from_f64(random.below(19) as f64 - 9.0),
        1 if random.below(3) == 0 => T::ZERO,
        _ => {
            let limbs = random.limbs::<4>();
            T::from_limbs(|l| limbs[l])
        }
    }
}

/// Makes rows or columns depend on others, or nearly.
fn depend<T: Scalar>(random: &mut Random, a: &mut Matrix<T>) {
    let (m, n) = a.shape();
    if m < 2 || n < 2 {
        return;
    }
    let (from, to) = (random.below(m), random.below(m));
    let (left, right) = (random.below(n), random.below(n));
    // Beyond what the precision resolves, or not.
    let small = T::ONE.ldexp(-(random.below(60 * T::LIMBS) as i32));
    match random.below(12) {
        0 => (0..n).for_each(|j| a[(to, j)] = a[(from, j)]),
        1 => (0..m).for_each(|i| a[(i, right)] = a[(i, left)].ldexp(1)),
        2 => (0..n).for_each(|j| a[(to, j)] = T::ZERO),
        3 => (0..m).for_each(|i| a[(i, right)] = T::ZERO),
        4 | 5 => {
            (0..n).for_each(|j| a[(to, j)] = a[(from, j)] + a[(to, j)] * small);
        }
        6 => (0..m).for_each(|i| a[(i, right)] = a[(i, left)] + a[(i, right)] * small),
        7 => {
            for j in 0..n {
                (0..m.min(j)).for_each(|i| a[(i, j)] = T::ZERO);
            }
        }
        8 => {
            for j in 0..n {
                (0..m).filter(|&i| i != j).for_each(|i| a[(i, j)] = T::ZERO);
            }
        }
        _ => {}
    }
}

fn exponents(random: &mut Random, length: usize) -> Vec<i32> {
    let range = RANGES[random.below(RANGES.len())];
    let mut one = || random.below(2 * range as usize + 1) as i32 - range;
    (0..length).map(|_| one()).collect()
}

/// A symmetric matrix, definite or not.
pub(crate) fn symmetric<T: Scalar>(random: &mut Random, n: usize) -> Matrix<T> {
    let content = random.below(3);
    let mut a = Matrix::<T>::zeros(n, n);
    for j in 0..n {
        for i in j..n {
            let x = entry::<T>(random, content);
            (a[(i, j)], a[(j, i)]) = (x, x);
        }
    }
    if random.below(2) == 0 {
        (0..n).for_each(|j| a[(j, j)] = a[(j, j)].abs() + T::from_f64(10.0 * n as f64));
    }
    let scales = exponents(random, n);
    let shift = [0, 0, -900, 900][random.below(4)];
    let all_one = random.below(2) == 0;
    Matrix::from_fn(n, n, |i, j| {
        a[(i, j)].ldexp(if all_one { shift } else { scales[i] + scales[j] })
    })
}

/// Right-hand sides: of any direction and size, combinations of the columns, zeros.
pub(crate) fn rights<T: Scalar>(random: &mut Random, a: &Matrix<T>, cols: usize) -> Matrix<T> {
    let (m, n) = a.shape();
    let mut b = Matrix::<T>::zeros(m, cols);
    for j in 0..cols {
        let content = random.below(3);
        match random.below(8) {
            0 => {}
            1..=3 => {
                let x: Vec<T> = (0..n).map(|_| entry(random, 0)).collect();
                for i in 0..m {
                    b[(i, j)] = (0..n).fold(T::ZERO, |sum, k| sum + a[(i, k)] * x[k]);
                }
            }
            4 => {
                // Nearly orthogonal to the columns, or in one of them beside a large residual.
                let small = -(random.below(100) as i32);
                for i in 0..m {
                    let x = if n > 0 { a[(i, 0)] } else { T::ZERO };
                    b[(i, j)] = entry::<T>(random, content) + x.ldexp(small);
                }
            }
            _ => {
                let shift = [0, 0, 0, -500, 500, -1000, 900][random.below(7)];
                (0..m).for_each(|i| b[(i, j)] = entry::<T>(random, content).ldexp(shift));
            }
        }
    }
    b.map(|x| if x.is_finite() { x } else { T::ONE })
}
