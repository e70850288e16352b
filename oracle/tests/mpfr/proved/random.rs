//! Thousands of small systems of integers, times powers of two and of ten.

use nonius::Device;
use nonius::certified::{DecimalsError, Failure, Reading, Solution, Solve, SolveDecimals};
use nonius::num::mp::Bits;
use nonius_oracle::integers::{System, deficient, integer, judge, symmetric, system, triangle};
use nonius_testkit::Random;

use super::read;

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
            (Err(Failure::Singular { rank, .. }), None) => {
                self.singular += 1;
                assert_eq!(rank, system.rank(), "{system:?}");
            }
            (Err(Failure::Zero { .. } | Failure::ZeroDiagonal { .. }), None) => self.singular += 1,
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

fn integers_of(seed: u64, count: usize, system: impl Fn(&mut Random) -> System) -> Tally {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let wide = Bits::new(1024).unwrap();
    for _ in 0..count {
        let system = system(&mut random);
        let asked = [1, 8, 16, 30, 77][random.below(5)];
        let [a, b] = system.texts(0).map(|text| read(&text, wide));
        assert!(a.is_exact() && b.is_exact());
        let found = Solve::new(&a, &b, asked).device(Device::Cpu).run();
        let found = found.map(|(solution, _)| solution);
        tally.count(&system, asked, found.map_err(|refusal| refusal.failure));
    }
    println!("{tally:?}");
    tally
}

#[test]
fn integers() {
    let tally = integers_of(1, 3000, system);
    assert!(tally.solved > 2000 && tally.exact > 300 && tally.singular > 50);
}

#[test]
fn triangles_of_integers() {
    let tally = integers_of(3, 2000, triangle);
    assert!(tally.solved > 1500 && tally.exact > 20 && tally.singular > 50);
}

#[test]
fn symmetric_integers() {
    let tally = integers_of(4, 1000, symmetric);
    assert!(tally.solved > 900);
}

#[test]
fn deficient_integers() {
    let tally = integers_of(5, 1000, deficient);
    assert_eq!(tally.singular, 1000);
}

/// The numerical rank that is told under a limit too low for the exact one: of outer products
/// beside changes of 2^-400.
#[test]
fn numerical_ranks() {
    let mut random = Random::new(6);
    let most_bits = Bits::new(256).unwrap();
    for _ in 0..200 {
        let system = deficient(&mut random);
        let (n, rank) = (system.order(), system.rank());
        let mut near = system.clone();
        near.a.iter_mut().flatten().for_each(|x| {
            *x <<= 400;
            *x += integer(&mut random, 6);
        });
        let [a, b] = near.texts(0).map(|text| read(&text, Bits::new(1024).unwrap()));
        // Lines of zeros are scaled to the changes in them.
        let line = |f: &dyn Fn(usize) -> bool| (0..n).any(f);
        let row = line(&|i| (0..n).all(|j| system.a[i][j] == 0));
        let column = line(&|j| (0..n).all(|i| system.a[i][j] == 0));
        // Without a right-hand side the solution is known.
        let zero = near.b.iter().all(|x| *x == 0);
        if near.rank() < n || row || column || zero {
            continue;
        }
        let solve = Solve::new(&a, &b, 10).most_bits(most_bits);
        let Err(refusal) = solve.device(Device::Cpu).run() else {
            panic!("256 bits cannot tell: {near:?}");
        };
        let found = refusal.rank.unwrap_or_else(|| panic!("{}: {near:?}", refusal.failure));
        assert_eq!((found.rank, found.order), (rank, n), "{near:?}");
        assert!(refusal.bits_needed.is_some_and(|bits| bits > 256), "{near:?}");
    }
}

fn decimals_of(seed: u64, count: usize, system: impl Fn(&mut Random) -> System) -> Tally {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let most_bits = Bits::new(1024).unwrap();
    for _ in 0..count {
        let system = system(&mut random);
        let asked = [1, 8, 16, 30, 77][random.below(5)];
        // The same power of ten for both, which leaves the solution as it is.
        // With few places they become integers, with many they stay rounded.
        let places = 1 + random.below(40) as u32 + if random.below(2) == 0 { 400 } else { 0 };
        let texts = system.texts(places);
        let read =
            |reading: Reading| Ok::<_, ()>((read(&texts[0], reading), read(&texts[1], reading)));
        let solve = SolveDecimals::new(read, asked).most_bits(most_bits);
        let found = solve.device(Device::Cpu).run().map(|(solution, _)| solution);
        let found = found.map_err(|error| match error {
            DecimalsError::Refused(refusal) => refusal.failure,
            DecimalsError::Read(()) => unreachable!("text is read"),
        });
        tally.count(&system, asked, found);
    }
    println!("{tally:?}");
    tally
}

#[test]
fn decimals() {
    let tally = decimals_of(2, 1000, system);
    assert!(tally.solved > 600 && tally.singular > 10);
}

#[test]
fn triangles_of_decimals() {
    let tally = decimals_of(7, 500, triangle);
    assert!(tally.solved > 300 && tally.singular > 10);
}

#[test]
fn symmetric_decimals() {
    let tally = decimals_of(8, 300, symmetric);
    assert!(tally.solved > 250);
}
