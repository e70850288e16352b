//! Evolutions to test with.

use nonius_linalg::Scalar;
use nonius_linalg::evolve::{Constraint, End, Evolution, Generator, Row, Stage, Steps};
use nonius_testkit::Random;

/// The number nearest to this one.
pub(crate) fn number<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

/// A random M-matrix: diffusion of strength up to 50, drift that it outweighs, and a rate of up to 0.1.
pub(crate) fn generator<T: Scalar>(random: &mut Random, n: usize) -> Generator<T> {
    let mut positive = || number::<T>(50.0 * random.unit().abs() + 0.01);
    let lower: Vec<T> = (0..n).map(|_| positive()).collect();
    let upper: Vec<T> = (0..n).map(|_| positive()).collect();
    let rates: Vec<T> = (0..n).map(|_| number(0.1 * random.unit().abs())).collect();
    let diagonal = (0..n).map(|i| -(lower[i] + upper[i]) - rates[i]).collect();
    Generator { lower, diagonal, upper }
}

/// Steps without an obstacle.
pub(crate) fn steps<T: Scalar>(generator: usize, count: usize, dt: f64, theta: f64) -> Steps<T> {
    Steps { generator, count, dt: number(dt), theta: number(theta), constraint: None }
}

/// Something of everything, with the same stages for every seed.
pub(crate) fn everything<T: Scalar>(random: &mut Random, n: usize) -> Evolution<T> {
    let numbers = |random: &mut Random| (0..n).map(|_| number(random.unit())).collect::<Vec<T>>();
    let on =
        |obstacle, end, steps| Steps { constraint: Some(Constraint { obstacle, end }), ..steps };
    let row = |random: &mut Random, i: usize| {
        let first = (i / 2).min(n - 1);
        let weights = core::array::from_fn(|j| {
            let weight = number(random.unit());
            if first + j < n { weight } else { T::ZERO }
        });
        Row { first, weights, constant: number(random.unit()) }
    };
    let start = numbers(random);
    let generators = vec![generator(random, n), generator(random, n)];
    let obstacles = vec![numbers(random), numbers(random)];
    let dt = 0.01 + 0.01 * random.unit().abs();
    let stages = vec![
        Stage::Steps(steps(0, 4, dt / 2.0, 1.0)),
        Stage::Steps(steps(1, 7, dt, 0.5)),
        Stage::Map((0..n).map(|i| row(random, i)).collect()),
        Stage::Steps(on(1, End::Low, steps(0, 5, dt, 0.5))),
        Stage::Floor(0),
        Stage::Steps(on(0, End::High, steps(1, 3, dt, 0.75))),
        Stage::Steps(steps(1, 0, dt, 0.5)),
    ];
    Evolution { start, generators, obstacles, stages }
}
