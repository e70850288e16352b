//! Batches of evolutions that every backend has to compute with the bits of the reference.

use nonius_linalg::backend::Reference;
use nonius_linalg::evolve::{
    Constraint, End, Evolution, Evolve, Failure, Generator, Row, Stage, Steps,
};
use nonius_linalg::{Scalar, limbs_of};

use crate::Random;

/// Steps without an obstacle.
pub fn steps<T: Scalar>(generator: usize, count: usize, dt: f64, theta: f64) -> Steps<T> {
    let number = T::from_f64;
    Steps { generator, count, dt: number(dt), theta: number(theta), constraint: None }
}

/// A random M-matrix: diffusion of strength up to 50 and a rate of up to 0.1.
pub fn generator<T: Scalar>(random: &mut Random, n: usize) -> Generator<T> {
    let mut positive = || T::from_f64(50.0 * random.unit().abs() + 0.01);
    let lower: Vec<T> = (0..n).map(|_| positive()).collect();
    let upper: Vec<T> = (0..n).map(|_| positive()).collect();
    let rates: Vec<T> = (0..n).map(|_| T::from_f64(0.1 * random.unit().abs())).collect();
    let diagonal = (0..n).map(|i| -(lower[i] + upper[i]) - rates[i]).collect();
    Generator { lower, diagonal, upper }
}

/// Something of everything, with the same stages for every state of `random`.
pub fn everything<T: Scalar>(random: &mut Random, n: usize) -> Evolution<T> {
    let number = T::from_f64;
    let numbers =
        |random: &mut Random| -> Vec<T> { (0..n).map(|_| number(random.unit())).collect() };
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

/// Members of many lengths, whose numbers lie around those of lanes; one has stages of its own, four have no outcome.
pub fn batch<T: Scalar>(seed: u64) -> Vec<Evolution<T>> {
    let mut random = Random::new(seed);
    let mut batch: Vec<Evolution<T>> = Vec::new();
    for n in [1, 2, 3, 4, 5, 17, 70] {
        (0..9 + n.min(20)).for_each(|_| batch.push(everything(&mut random, n)));
    }
    batch[40].stages.truncate(2);
    batch[41].generators[0].diagonal[1] = T::from_f64(f64::NAN);
    if let Stage::Map(rows) = &mut batch[42].stages[2] {
        rows[0].constant = T::from_f64(f64::INFINITY);
    }
    batch[43].obstacles[1].clear();
    // What is not finite is found where no obstacle follows.
    batch[44].stages.truncate(2);
    batch[44].start[3] = T::from_f64(f64::INFINITY);
    batch
}

/// Panics where the backend's outcomes are not those of the reference, bit for bit, in whatever order members stand.
pub fn same_bits<T: Scalar>(backend: &impl Evolve<T>) {
    let bits = |u: &[T]| -> Vec<u64> { limbs_of(u).iter().map(|x| x.to_bits()).collect() };
    let mut batch = batch::<T>(20);
    let mut failures = 0;
    for rotation in [0, 5] {
        batch.rotate_left(rotation);
        let expected = Reference.evolve(&batch).unwrap();
        let found = backend.evolve(&batch).unwrap();
        assert_eq!(found.len(), expected.len());
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            match (found, expected) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(bits(&found.u), bits(&expected.u), "member {i}");
                    assert_eq!(found.contact, expected.contact, "member {i}");
                }
                _ => {
                    assert_eq!(found, expected, "member {i}");
                    failures += 1;
                }
            }
        }
    }
    assert_eq!(failures, 8);
    assert_eq!(backend.evolve(&[]), Ok(Vec::<Result<_, Failure>>::new()));
}
