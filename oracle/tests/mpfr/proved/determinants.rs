//! Determinants of thousands of small matrices.

use nonius::Device;
use nonius::certified::{
    DecimalDeterminant, DecimalsError, Determinant, DeterminantDecimals, Failure, Reading,
};
use nonius::num::mp::Bits;
use nonius_oracle::integers::{System, decimal, system};
use nonius_testkit::Random;
use rug::Integer;
use rug::ops::Pow;

use super::read;

/// What came of the cases.
#[derive(Debug, Default)]
struct Tally {
    found: usize,
    exact: usize,
    zero: usize,
    refused: usize,
}

impl Tally {
    /// The determinant is that of integers times `10^-places`.
    fn count(
        &mut self,
        system: &System,
        places: u32,
        asked: u32,
        found: Result<DecimalDeterminant, Failure>,
    ) {
        let exact = system.solve().map_or(Integer::new(), |exact| exact.determinant);
        let found = match found {
            Ok(found) => found,
            Err(Failure::Singular { .. } | Failure::Data { .. } | Failure::Precision { .. })
                if exact == 0 =>
            {
                self.refused += 1;
                return;
            }
            Err(failure) => panic!("{failure}: {system:?}"),
        };
        let digits = found.scaled.digits;
        self.found += 1;
        self.exact += usize::from(digits.is_none());
        self.zero += usize::from(exact == 0);
        assert!(digits.is_none_or(|digits| digits >= asked), "{digits:?} of {asked}: {system:?}");
        assert_eq!(found.sign(), exact.cmp0() as i32, "{system:?}");
        let (text, exponent) = decimal(&found.text());
        let exponent = i64::from(exponent) + i64::from(places) * system.order() as i64;
        let power = Integer::from(10).pow(exponent.unsigned_abs() as u32);
        let (text, exact) =
            if exponent < 0 { (text, exact * power) } else { (text * power, exact) };
        let error = (text - &exact).abs();
        match digits {
            None => assert!(error == 0, "{} is not exact: {system:?}", found.text()),
            Some(digits) => {
                let unit = Integer::from(10).pow(digits);
                assert!(error * 2 * unit <= exact.abs(), "{}: {system:?}", found.text());
            }
        }
    }
}

#[test]
fn integers() {
    let mut random = Random::new(11);
    let mut tally = Tally::default();
    let wide = Bits::new(1024).unwrap();
    for _ in 0..3000 {
        let system = system(&mut random);
        let asked = [1, 8, 16, 30, 77][random.below(5)];
        let [a, _] = system.texts(0);
        let found = Determinant::new(&read(&a, wide), asked).device(Device::Cpu).run();
        let found = found.map(|(scaled, _)| DecimalDeterminant { scaled, shift: 0 });
        tally.count(&system, 0, asked, found.map_err(|refusal| refusal.failure));
    }
    println!("{tally:?}");
    assert!(tally.found > 2800 && tally.exact > 1000 && tally.zero > 50, "{tally:?}");
}

#[test]
fn decimals() {
    let mut random = Random::new(12);
    let mut tally = Tally::default();
    let most_bits = Bits::new(1024).unwrap();
    for _ in 0..1000 {
        let system = system(&mut random);
        let asked = [1, 8, 16, 30, 77][random.below(5)];
        // With few places they become integers, with many they stay rounded.
        let places = 1 + random.below(40) as u32 + if random.below(2) == 0 { 400 } else { 0 };
        let [a, _] = system.texts(places);
        let read = |reading: Reading| Ok::<_, ()>(read(&a, reading));
        let determinant = DeterminantDecimals::new(read, asked).most_bits(most_bits);
        let found = determinant.device(Device::Cpu).run().map(|(found, _)| found);
        let found = found.map_err(|error| match error {
            DecimalsError::Refused(refusal) => refusal.failure,
            DecimalsError::Read(()) => unreachable!("text is read"),
        });
        tally.count(&system, places, asked, found);
    }
    println!("{tally:?}");
    assert!(tally.found > 800 && tally.exact > 200 && tally.zero > 100, "{tally:?}");
}
