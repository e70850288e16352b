use nonius_num::Mp;
use nonius_testkit::Random;

use super::*;

fn bits(p: u32) -> Bits {
    Bits::new(p).unwrap()
}

fn matrix(p: Bits, n: usize, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    Matrix::from_fn_in(p, n, n, |_, _| {
        let words: Vec<u64> = (0..p.words()).map(|_| random.bits()).collect();
        Mp::rounded(p, random.bits() & 1 == 1, &words, -64 * p.words() as i64, false)
    })
}

/// `|L·Y − I| <= (2.1·n + 10)·u·|L||Y|`, and the same for the transpose of `U`; with more bits
/// beside.
#[test]
fn inverses_of_triangles() {
    for n in [1, 32, 33, 70] {
        let factors = Factors::of(matrix(bits(200), n, 7)).unwrap();
        for p in [64, 200] {
            let wide = bits(500);
            let unit = Mp::from_f64(wide, 2.1 * n as f64 + 10.0).ldexp(-(p as i32));
            let lower = |i: usize, k: usize| match k == i {
                true => Mp::one(wide),
                false => factors.packed().entry(i, k).to_mp(wide),
            };
            let upper = |i: usize, k: usize| factors.packed().entry(k, i).to_mp(wide);
            let triangles: [&dyn Fn(usize, usize) -> Mp; 2] = [&lower, &upper];
            for (y, l) in factors.inverse_triangles(bits(p)).iter().zip(triangles) {
                for j in 0..n {
                    for i in 0..n {
                        let eye = if i == j { Mp::one(wide) } else { Mp::zero(wide) };
                        let (mut sum, mut size) = (-eye, Mp::zero(wide));
                        for k in 0..=i {
                            let term = l(i, k) * y.entry(k, j).to_mp(wide);
                            sum += term;
                            size += term.abs();
                        }
                        assert!(sum.abs() <= unit * size, "n = {n}, p = {p}, ({i}, {j})");
                    }
                }
            }
        }
    }
}

/// Rows and sign of the permutation, and the bound of the factors.
#[test]
fn rows_are_those_of_the_product() {
    for n in [1, 2, 40] {
        let a = matrix(bits(130), n, 3);
        let factors = Factors::of(a.clone()).unwrap();
        let mut sorted = factors.rows().to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..n).collect::<Vec<_>>());
        let cycles_odd = {
            let (mut seen, mut odd) = (vec![false; n], false);
            for start in 0..n {
                let mut at = start;
                while !seen[at] {
                    seen[at] = true;
                    at = factors.rows()[at];
                    odd ^= at != start;
                }
            }
            odd
        };
        assert_eq!(factors.is_odd(), cycles_odd);
        let wide = bits(400);
        let unit = Mp::from_f64(wide, 2.1 * n as f64 + 8.0).ldexp(-130);
        let packed = |i: usize, j: usize| factors.packed().entry(i, j).to_mp(wide);
        for j in 0..n {
            for i in 0..n {
                let given = a.entry(factors.rows()[i], j).to_mp(wide);
                let (mut sum, mut size) = (-given, Mp::zero(wide));
                for k in 0..=i.min(j) {
                    let l = if k == i { Mp::one(wide) } else { packed(i, k) };
                    let term = l * packed(k, j);
                    sum += term;
                    size += term.abs();
                }
                assert!(sum.abs() <= unit * size, "n = {n}, ({i}, {j})");
            }
        }
    }
}
