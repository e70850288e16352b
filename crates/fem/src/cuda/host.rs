//! A step of solids in `f32` and in pairs of `f32` is near that in `f64`, by the kernels
//! themselves.

use nonius_gpu::Source;
use nonius_testkit::Random;
use nonius_testkit::cuda::{self, Library};

use super::arguments::ADVANCE_IN_FULL;
use super::sources::TEXTS;

/// What runs the kernels.
const MAIN: (&str, &str) = ("host.cpp", include_str!("host.cpp"));

/// Numbers of a step of 128 elements: forces and what elements remember; then a stable step and
/// four works.
type Advance = unsafe extern "C" fn(*mut f64) -> usize;

/// What is kept of a pair, and of the rest of a sum.
type Keep = unsafe extern "C" fn(f32, f32, *mut f32, *mut f32);

/// Room for the numbers of a step.
const MOST_NUMBERS: usize = 1 << 14;
/// The longest stable step and four works, which elements compute in `f32` unless all is in `f64`.
const LAST: usize = 5;

fn library(element: &str, law: usize, [small, sum, constant]: [&str; 3]) -> Option<Library> {
    let definitions = [
        format!("-DELEMENT={element}"),
        format!("-DTHE_LAW={law}"),
        format!("-DSMALL={small}"),
        format!("-DSUM={sum}"),
        format!("-DCONSTANT={constant}"),
    ];
    let source = Source::new(&TEXTS, "elements", "fem/elements.cu").entry(ADVANCE_IN_FULL);
    let files = source.files();
    cuda::build(MAIN, &files, &definitions)
}

fn step(element: &str, law: usize, types: [&str; 3]) -> Option<Vec<f64>> {
    let library = library(element, law, types)?;
    let mut numbers = vec![0.0; MOST_NUMBERS];
    // SAFETY: the function has this type, and fills in no more than 7000 numbers.
    let count = unsafe {
        let advance = library.get::<Advance>(b"nonius_advance\0").expect("the function");
        advance(numbers.as_mut_ptr())
    };
    numbers.truncate(count);
    Some(numbers)
}

/// The greatest difference over the greatest number.
fn apart(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let greatest = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let differences = found.iter().zip(expected).map(|(x, y)| (x - y).abs());
    // A difference that is not a number is none that is small.
    differences.fold(0.0, |most: f64, x| if x <= most { most } else { x }) / greatest
}

fn near_double(element: &str, law: usize) {
    let Some(double) = step(element, law, ["double"; 3]) else { return };
    // Some roundings of u = 2⁻²⁴, and of 2⁻⁴⁵.
    let (mixed, pairs) = (32.0 * 2f64.powi(-24), 64.0 * 2f64.powi(-45));
    for (sum, bound) in [("float", mixed), ("Pair", pairs)] {
        let Some(found) = step(element, law, ["float", sum, "Pair"]) else { return };
        let (own, last) = found.split_at(found.len() - LAST);
        let (expected, of_step) = double.split_at(double.len() - LAST);
        let apart = apart(own, expected);
        assert!(apart <= bound, "{element}, law {law}, {sum}: {apart:e}");
        for (x, y) in last.iter().zip(of_step) {
            assert!((x - y).abs() <= mixed * y.abs(), "{element}, law {law}, {sum}: {x:e} {y:e}");
        }
    }
}

#[test]
fn reduced_hexahedra() {
    near_double("ReducedHexahedron", 0);
}

#[test]
fn flowing_hexahedra() {
    near_double("ReducedHexahedron", 2);
}

#[test]
fn hexahedra() {
    near_double("Hexahedron", 0);
}

#[test]
fn rings() {
    near_double("Axisymmetric", 0);
}

/// Bits of a pair that a state in `f64` has.
const KEPT_BITS: i32 = 53;

/// What is remembered is exactly a number of a state, and all of it comes back from there: runs
/// that go on from a state have the bits of those that were not interrupted.
#[test]
fn numbers_of_states_come_back() {
    let Some(library) = library("ReducedHexahedron", 0, ["float", "float", "Pair"]) else { return };
    // SAFETY: the function has this type.
    let keep = unsafe { library.get::<Keep>(b"nonius_kept\0").expect("the function") };
    let mut random = Random::new(1);
    for _ in 0..200_000 {
        let mut signed = || f32::from_bits(random.bits() as u32 & 0x807f_ffff | 127 << 23);
        let exponent = [0, 90, -120][(signed().to_bits() % 3) as usize];
        let mut hi = signed() * 2_f32.powi(exponent);
        let gap = 25 + (signed().to_bits() % 130) as i32;
        let mut lo = (f64::from(signed()) * 2_f64.powi(exponent - gap)) as f32;
        let sum = f64::from(hi) + f64::from(lo);
        if gap < 28 {
            // Of two numbers as near, hi is the even one, as sums leave it.
            hi = sum as f32;
            lo = (sum - f64::from(hi)) as f32;
        }
        let (mut pair, mut rest) = ([0.0; 2], 0.0);
        // SAFETY: both have room for what is written.
        unsafe { keep(hi, lo, pair.as_mut_ptr(), &mut rest) };
        for (kept, bits) in [(pair[1], 24), (rest, 8)] {
            let state = f64::from(hi) + f64::from(kept);
            let high = state as f32;
            let low = (state - f64::from(high)) as f32;
            assert_eq!((high, low), (hi, kept), "{hi:e} + {lo:e}");
            let lost = (f64::from(lo) - f64::from(kept)).abs();
            let below = f64::from(hi).abs() * 2_f64.powi(1 - KEPT_BITS);
            let cut_off = f64::from(lo).abs() * 2_f64.powi(1 - bits);
            // The unit of subnormal numbers of `bits` bits.
            let least = f64::from(f32::MIN_POSITIVE) * 2_f64.powi(1 - bits);
            let most = below.max(cut_off).max(least);
            assert!(lost == 0.0 || lost < most, "{hi:e} + {lo:e}: {kept:e}");
        }
    }
}
