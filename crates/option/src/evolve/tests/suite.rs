//! Batches of evolutions that backends have to compute with the bits of the reference, or close to
//! them.

use nonius_linalg::backend::Reference;
use nonius_linalg::{Number, Scalar};
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::Random;

use crate::evolve::{Constraint, End, Evolution, Evolve, Failure, Generator, Row, Stage, Steps};

/// Numbers by all that they consist of.
pub(crate) trait Exact: Number {
    fn all_bits(&self) -> Vec<u64>;
}

macro_rules! exact {
    ($($number:ty),*) => {$(
        impl Exact for $number {
            fn all_bits(&self) -> Vec<u64> {
                (0..<$number as Scalar>::LIMBS).map(|l| self.limb(l).to_bits()).collect()
            }
        }
    )*};
}

exact!(f64, Dd, Td, Qd);

impl Exact for Mp {
    fn all_bits(&self) -> Vec<u64> {
        let head = [self.head().code() as u64, self.head().is_negative().into()];
        self.words().iter().copied().chain(head).collect()
    }
}

/// Steps without an obstacle.
pub(crate) fn steps<T: Number>(generator: usize, count: usize, dt: f64, theta: f64) -> Steps<T> {
    let number = T::from_f64;
    Steps { generator, count, dt: number(dt), theta: number(theta), constraint: None }
}

/// A random M-matrix: diffusion of strength up to 50 and a rate of up to 0.1.
pub(crate) fn generator<T: Number>(random: &mut Random, n: usize) -> Generator<T> {
    let mut positive = || T::from_f64(50.0 * random.unit().abs() + 0.01);
    let lower: Vec<T> = (0..n).map(|_| positive()).collect();
    let upper: Vec<T> = (0..n).map(|_| positive()).collect();
    let rates: Vec<T> = (0..n).map(|_| T::from_f64(0.1 * random.unit().abs())).collect();
    let diagonal = (0..n).map(|i| -(lower[i] + upper[i]) - rates[i]).collect();
    Generator { lower, diagonal, upper }
}

/// Something of everything, with the same stages for every state of `random`.
pub(crate) fn everything<T: Number>(
    format: T::Format,
    random: &mut Random,
    n: usize,
) -> Evolution<T> {
    let number = |x: f64| T::from_f64(x).to_format(format);
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

/// Members of many lengths, whose numbers lie around those of lanes; one has stages of its own,
/// four have no outcome.
pub(crate) fn batch<T: Number>(format: T::Format, seed: u64) -> Vec<Evolution<T>> {
    let mut random = Random::new(seed);
    let mut batch: Vec<Evolution<T>> = Vec::new();
    for n in [1, 2, 3, 4, 5, 17, 70] {
        (0..9 + n.min(20)).for_each(|_| batch.push(everything(format, &mut random, n)));
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

/// Panics where the backend's outcomes are not those of the reference, bit for bit, in whatever
/// order members stand.
pub(crate) fn same_bits<T: Exact>(format: T::Format, backend: &impl Evolve<T>) {
    same_bits_of(batch(format, 20), backend, 4);
    assert_eq!(backend.evolve(&[], 0), Ok(Vec::<Result<_, Failure>>::new()));
}

/// The same for a batch with members of these formats and of both.
pub(crate) fn of_several_formats(formats: [Bits; 2], backend: &impl Evolve<Mp>) {
    let [narrow, wide] = formats.map(|format| batch::<Mp>(format, 21));
    let mixed = mixed(&narrow, &wide);
    let all = narrow.into_iter().zip(wide).zip(mixed);
    same_bits_of(all.flat_map(|((x, y), z)| [x, y, z]).collect(), backend, 12);
}

/// Members whose vectors are those of the first batch, and all else of the second.
pub(crate) fn mixed<T: Number>(
    first: &[Evolution<T>],
    second: &[Evolution<T>],
) -> Vec<Evolution<T>> {
    let mixed = |(first, second): (&Evolution<T>, &Evolution<T>)| Evolution {
        start: first.start.clone(),
        ..second.clone()
    };
    first.iter().zip(second).map(mixed).collect()
}

/// Panics where outcomes differ, or where not exactly `failing` members have none.
fn same_bits_of<T: Exact>(mut batch: Vec<Evolution<T>>, backend: &impl Evolve<T>, failing: usize) {
    let bits = |u: &[T]| -> Vec<Vec<u64>> { u.iter().map(|x| x.all_bits()).collect() };
    let mut failures = 0;
    for rotation in [0, 5] {
        batch.rotate_left(rotation);
        let expected = Reference.evolve(&batch, batch.len()).unwrap();
        let found = backend.evolve(&batch, batch.len()).unwrap();
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
    assert_eq!(failures, 2 * failing);
}

/// An American option on `n` nodes in steps that grow, with what it pays as obstacle at one of the
/// ends and one date at which the underlying pays a dividend.
pub(crate) fn american<T: Scalar>(n: usize, steps: usize, end: End) -> Evolution<T> {
    let number = T::from_f64;
    let (rate, yields, variance) =
        if end == End::Low { (0.05, 0.0, 0.04) } else { (0.02, 0.06, 0.09) };
    let spot = |i: usize| 4.0 * i as f64 / n as f64;
    let payoff = |i: usize| if end == End::Low { 1.0 - spot(i) } else { spot(i) - 1.0 };
    let obstacle: Vec<T> = (0..n).map(|i| number(payoff(i).max(0.0))).collect();
    let mut generator = Generator {
        lower: vec![T::ZERO; n],
        diagonal: vec![number(-rate); n],
        upper: vec![T::ZERO; n],
    };
    for i in 1..n {
        let (diffusion, along) = (variance * (i * i) as f64 / 2.0, (rate - yields) * i as f64);
        let [low, high] = if i + 1 < n {
            [diffusion - along / 2.0, diffusion + along / 2.0]
        } else {
            [-along, 0.0]
        };
        (generator.lower[i], generator.upper[i]) = (number(low), number(high));
        generator.diagonal[i] = number(-low - high - rate);
    }
    let constraint = Some(Constraint { obstacle: 0, end });
    let step = |k: usize| {
        let dt = number((2 * k + 1) as f64 / (steps * steps) as f64);
        let theta = number(if k < 2 { 1.0 } else { 0.5 });
        Stage::Steps(Steps { generator: 0, count: 1 + usize::from(k < 2), dt, theta, constraint })
    };
    let mut stages: Vec<Stage<T>> = (0..steps).map(step).collect();
    let paid = |i: usize| {
        let first = (i - i / 50).saturating_sub(1).min(n - 4);
        Row { first, weights: [0.0625, 0.4375, 0.4375, 0.0625].map(number), constant: T::ZERO }
    };
    stages.insert(steps / 2, Stage::Map((0..n).map(paid).collect()));
    stages.push(Stage::Floor(0));
    Evolution {
        start: obstacle.clone(),
        generators: vec![generator],
        obstacles: vec![obstacle],
        stages,
    }
}

/// How far from the reference's outcome rounding may take one that is computed in another order of
/// operations.
///
/// A step solves a system with a residual of a few units roundoff of `‖I − s·L‖·‖v‖`, which the
/// inverse of a matrix that is dominant does not magnify; nor do later steps. Maps do by the sums
/// of their weights.
pub(crate) fn rounding<T: Scalar>(evolution: &Evolution<T>) -> f64 {
    const UNITS: f64 = 32.0;
    let most = |x: &[T]| x.iter().fold(0.0, |most: f64, x| most.max(x.abs().to_f64()));
    let obstacles = evolution.obstacles.iter().fold(0.0, |size: f64, g| size.max(most(g)));
    let mut size = most(&evolution.start).max(obstacles);
    let mut error = 0.0;
    for stage in &evolution.stages {
        match stage {
            Stage::Steps(steps) => {
                let entries = most(&evolution.generators[steps.generator].diagonal);
                let norm = 1.0 + 2.0 * (steps.theta * steps.dt).to_f64() * entries;
                error += UNITS * steps.count as f64 * norm * T::UNIT_ROUNDOFF * size;
            }
            Stage::Map(rows) => {
                let sum = |row: &Row<T>| row.weights.iter().map(|w| w.abs().to_f64()).sum::<f64>();
                let weights = rows.iter().map(sum).fold(1.0, f64::max);
                let constants =
                    rows.iter().map(|row| row.constant.abs().to_f64()).fold(0.0, f64::max);
                (size, error) = (weights * size + constants, weights * error);
            }
            Stage::Floor(_) => (size, error) = (2.0 * size, UNITS * error),
        }
    }
    error
}

/// Panics where the backend's outcomes are further from those of the reference than [`rounding`]
/// takes them, where nodes on obstacles or failures differ.
pub(crate) fn close<T: Scalar>(backend: &impl Evolve<T>) {
    let mut batch = batch::<T>((), 20);
    for (n, steps) in [(33, 5), (300, 12), (1001, 20), (5000, 4)] {
        batch.extend([End::Low, End::High].map(|end| american(n, steps, end)));
    }
    let expected = Reference.evolve(&batch, batch.len()).unwrap();
    let found = backend.evolve(&batch, batch.len()).unwrap();
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let (Ok(found), Ok(expected)) = (found, expected) else {
            assert_eq!(found, expected, "member {i}");
            continue;
        };
        let most = rounding(&batch[i]);
        for (node, (&x, &y)) in found.u.iter().zip(&expected.u).enumerate() {
            let error = (x - y).abs().to_f64();
            assert!(
                error <= most,
                "member {i}, node {node}: {x:?} is {error:e} from {y:?}, above {most:e}"
            );
        }
        assert_eq!(found.contact, expected.contact, "member {i}");
    }
    // In a batch of its own a member has the same bits.
    for i in [0, 30, batch.len() - 1] {
        assert_eq!(backend.evolve(&batch[i..=i], 1).unwrap()[0], found[i], "member {i}");
    }
}
