//! Problems whose optimum is known.

use std::fmt::Write;

use nonius_linalg::Matrix;
use nonius_sdp::Problem;
use nonius_sdp::input::read_sparse;

use crate::common::Sequence;

/// A problem of integers with a known optimum, and equalities that the optimal `x` meets:
/// `X = H·diag(a, 0)·H` and `Y = H·diag(0, b)·H` with a reflection `H`, `F₀ = Σ xᵢ·Fᵢ − X` and
/// `cᵢ = Fᵢ•Y`. The first matrix is the identity and has no part in equalities, so that there is a
/// primal interior; the others have all entries, or `share` of eleven. Numbers in equalities are
/// the given ones, those of `c` have a multiple of them. The problem, the optimal `x` and the
/// optimum.
pub(crate) fn known(
    seed: u64,
    [order, m]: [usize; 2],
    share: Option<i64>,
    (equalities, numbers_of): (usize, &[i64]),
) -> (Problem, Vec<i64>, i64) {
    let mut numbers = Sequence(seed);
    let v: Vec<i64> = (0..order).map(|i| numbers.next(1) + i64::from(i == 0) * 2).collect();
    let square: i64 = v.iter().map(|x| x * x).sum();
    let h = |i: usize, j: usize| i64::from(i == j) * square - 2 * v[i] * v[j];
    let weights: Vec<i64> = (0..order).map(|_| 1 + numbers.next(1).abs()).collect();
    let sum = |i: usize, j: usize, range: core::ops::Range<usize>| -> i64 {
        range.map(|k| h(i, k) * weights[k] * h(j, k)).sum()
    };
    let mut f0 = Matrix::from_fn(order, order, |i, j| -sum(i, j, 0..order / 2));
    let y = Matrix::from_fn(order, order, |i, j| sum(i, j, order / 2..order));
    let (mut c, mut x, mut entries) = (vec![0_i64; m], Vec::new(), String::new());
    for (k, c) in c.iter_mut().enumerate() {
        x.push(numbers.next(3));
        for (i, j) in (0..order).flat_map(|j| (0..=j).map(move |i| (i, j))) {
            let f = if k > 0 { numbers.next(4) } else { i64::from(i == j) };
            let is_there = |share: i64| k == 0 || numbers.next(5) + 5 < share;
            if f != 0 && share.is_none_or(is_there) {
                writeln!(entries, "{} 1 {} {} {f}", k + 1, i + 1, j + 1).unwrap();
                *c += f * y[(i, j)] * if i == j { 1 } else { 2 };
                f0[(i, j)] += x[k] * f;
            }
        }
    }
    for (i, j) in (0..order).flat_map(|j| (0..=j).map(move |i| (i, j))) {
        writeln!(entries, "0 1 {} {} {}", i + 1, j + 1, f0[(i, j)]).unwrap();
    }
    for e in 0..equalities {
        let multiplier = numbers.next(5);
        let mut right = 0;
        let mut write = |k: usize, f: i64| {
            for (row, f) in [(2 * e + 1, f), (2 * e + 2, -f)] {
                writeln!(entries, "{k} 2 {row} {row} {f}").unwrap();
            }
        };
        for k in 1..m {
            let count = numbers_of.len() as i64;
            let f = numbers_of[(numbers.next(count) + count) as usize % numbers_of.len()];
            if f != 0 {
                write(k + 1, f);
                right += f * x[k];
                c[k] += f * multiplier;
            }
        }
        write(0, right);
    }
    let optimum = c.iter().zip(&x).map(|(c, x)| c * x).sum();
    let c: Vec<String> = c.iter().map(i64::to_string).collect();
    let blocks = match 2 * equalities {
        0 => format!("1\n{order}"),
        diagonal => format!("2\n{order} -{diagonal}"),
    };
    let text = format!("{m}\n{blocks}\n{}\n{entries}", c.join(" "));
    (read_sparse(text.as_bytes()).unwrap(), x, optimum)
}
