//! Thousands of small systems of integers, times powers of two and of ten.

use nonius::certified::{Failure, Options, Reading, Solution};
use nonius::num::mp::Bits;
use nonius::{Device, solve_decimals, solve_digits};
use nonius_oracle::integers::{System, judge, system};
use nonius_testkit::Random;

use crate::{options, read};

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
            (Err(Failure::Singular { .. } | Failure::Zero { .. }), None) => self.singular += 1,
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

#[test]
fn integers() {
    let mut random = Random::new(1);
    let mut tally = Tally::default();
    let wide = Bits::new(1024).unwrap();
    for _ in 0..3000 {
        let system = system(&mut random);
        let asked = [1, 8, 16, 30, 77][random.below(5)];
        let [a, b] = system.texts(0).map(|text| read(&text, wide));
        assert!(a.is_exact() && b.is_exact());
        let found = solve_digits(&a, &b, options(asked), Device::Cpu, &mut |_| {});
        let found = found.map(|(solution, _)| solution);
        tally.count(&system, asked, found.map_err(|refusal| refusal.failure));
    }
    println!("{tally:?}");
    assert!(tally.solved > 2000 && tally.exact > 300 && tally.singular > 50);
}

#[test]
fn decimals() {
    let mut random = Random::new(2);
    let mut tally = Tally::default();
    let most_bits = Bits::new(1024).unwrap();
    for _ in 0..1000 {
        let system = system(&mut random);
        let asked = [1, 8, 16, 30, 77][random.below(5)];
        // The same power of ten for both, which leaves the solution as it is.
        // With few places they become integers, with many they stay rounded.
        let places = 1 + random.below(40) as u32 + if random.below(2) == 0 { 400 } else { 0 };
        let texts = system.texts(places);
        let read =
            |reading: Reading| Ok::<_, ()>((read(&texts[0], reading), read(&texts[1], reading)));
        let found =
            solve_decimals(read, Options { most_bits, ..options(asked) }, Device::Cpu, &mut |_| {});
        let found = found.unwrap().map(|(solution, _)| solution);
        tally.count(&system, asked, found.map_err(|refusal| refusal.failure));
    }
    println!("{tally:?}");
    assert!(tally.solved > 600 && tally.singular > 10);
}
