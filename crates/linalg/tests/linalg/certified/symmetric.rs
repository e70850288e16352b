//! Symmetric systems, of which positive definite ones take Cholesky factors and no inverse.

use nonius_linalg::certified::{By, Data, DigitsIn, Failure, Options, Solution};
use nonius_linalg::mp::{Matrix, Mp};

use crate::certified::common::{
    Random, bits, check, compare, failure, matrix, number, options, product, solved,
};

fn by(solution: &Solution) -> Vec<By> {
    solution.route.iter().map(|stage| stage.by).collect()
}

/// `G·Gᵀ + s·I` for random numbers.
fn definite(random: &mut Random, n: usize, s: f64) -> Matrix {
    let g = random.numbers(n, n);
    let square = product(&g, &g.transposed());
    matrix(n, n, |i, j| {
        let x = square.entry(i, j).to_mp(bits(256));
        if i == j { x + number(s) } else { x }
    })
}

#[test]
fn definite_matrices() {
    let mut random = Random::new(51);
    for (n, columns) in [(2, 1), (3, 2), (20, 1), (65, 3), (130, 1)] {
        let (a, x) = (definite(&mut random, n, 1.0), random.numbers(n, columns));
        for digits in [1, 30, 200] {
            assert_eq!(by(&check(&a, &x, digits)), [By::Cholesky]);
        }
    }
    // Graded far beyond the range of f64, with entries of the solution as far apart.
    let (n, a) = (15, definite(&mut random, 15, 1.0));
    let scale = |x: Mp, i: usize| x.ldexp(300 * i as i32 - 2000);
    let graded = matrix(n, n, |i, j| scale(scale(a.entry(i, j).to_mp(bits(320)), i), j));
    let x = random.numbers(n, 1);
    let x = matrix(n, 1, |i, _| x.entry(i, 0).to_mp(bits(64)).ldexp(-300 * i as i32));
    assert_eq!(by(&check(&graded, &x, 20)), [By::Cholesky]);
}

#[test]
fn conditions() {
    let mut random = Random::new(52);
    // Second differences: κ is 4(n + 1)²/π² in the 2-norm, n(n + 2)/2 in the ∞-norm for even n.
    let n = 100;
    let entry = |i: usize, j: usize| number([2.0, -1.0, 0.0][i.abs_diff(j).min(2)]);
    let solution = check(&matrix(n, n, entry), &random.numbers(n, 1), 40);
    assert_eq!(by(&solution), [By::Cholesky]);
    let condition = solution.condition.to_f64() / 5100.0;
    assert!((0.3..1.01).contains(&condition), "{}", solution.condition);
    // Beyond what factors in f64 prove, an inverse takes over: squares of these have the square of
    // the condition.
    let mut a = matrix(n, n, entry);
    for (k, last) in [(1, By::Cholesky), (2, By::Inverse), (3, By::Inverse)] {
        a = product(&a, &a);
        let solution = check(&a, &random.numbers(n, 1), 20);
        assert_eq!(by(&solution).last(), Some(&last), "κ^{}", 1 << k);
    }
}

#[test]
fn what_is_not_definite() {
    let mut random = Random::new(53);
    let numbers = random.numbers(12, 12);
    let entry = |i: usize, j: usize| numbers.entry(i.min(j), i.max(j)).to_mp(bits(64));
    let positive = |i: usize, j: usize| if i == j { number(0.75) } else { entry(i, j) };
    assert_eq!(by(&check(&matrix(12, 12, positive), &random.numbers(12, 1), 30)), [By::Inverse]);
    assert_eq!(by(&check(&matrix(12, 12, entry), &random.numbers(12, 1), 30)), [By::Inverse]);
    // Semidefinite: of rank 5.
    let g = matrix(8, 5, |i, j| number((numbers.at(i, j).to_f64() * 9.0).round()));
    let a = Data::exact(product(&g, &g.transposed()));
    let b = Data::exact(matrix(8, 1, |_, _| number(1.0)));
    assert_eq!(failure(&a, &b, 10), Failure::Singular { rank: 5, order: 8 });
}

#[test]
fn zeros_and_norms() {
    let n = 10;
    let a = matrix(n, n, |i, j| number(if i == j { 20.0 } else { 1.0 }));
    let x = matrix(n, 2, |i, j| if i % 2 == j { number(0.0) } else { number(i as f64) });
    assert_eq!(check(&a, &x, 30).digits, None);
    let third = matrix(n, 1, |i, _| number((i % 3) as f64) / number(3.0));
    let b = matrix(n, 1, |i, _| number(19.0 * (i % 3) as f64 + 9.0));
    let a3 = matrix(n, n, |i, j| number(3.0) * a.entry(i, j).to_mp(bits(256)));
    let solution = solved(&Data::exact(a3), &Data::exact(b), options(30)).unwrap();
    compare(&solution, &third);
    let asked = Options { digits_in: DigitsIn::Norm, ..options(30) };
    let b = product(&a, &x);
    compare(&solved(&Data::exact(a), &Data::exact(b), asked).unwrap(), &x);
}
