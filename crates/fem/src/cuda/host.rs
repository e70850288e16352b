//! A step of solids in `f32` and in pairs of `f32` is near that in `f64`, by the kernels
//! themselves.

use nonius_gpu::Source;
use nonius_testkit::cuda;

use super::arguments::ADVANCE_IN_FULL;
use super::sources::TEXTS;

/// What runs the kernels.
const MAIN: (&str, &str) = ("host.cpp", include_str!("host.cpp"));

/// Numbers of a step of 128 elements: forces and what elements remember; then a stable step and
/// four works.
type Advance = unsafe extern "C" fn(*mut f64) -> usize;

/// Room for the numbers of a step.
const MOST_NUMBERS: usize = 1 << 14;
/// The longest stable step and four works, which elements compute in `f32` unless all is in `f64`.
const LAST: usize = 5;

fn step(element: &str, law: usize, [small, sum, constant]: [&str; 3]) -> Option<Vec<f64>> {
    let definitions = [
        format!("-DELEMENT={element}"),
        format!("-DTHE_LAW={law}"),
        format!("-DSMALL={small}"),
        format!("-DSUM={sum}"),
        format!("-DCONSTANT={constant}"),
    ];
    let source = Source::new(&TEXTS, "elements", "fem/elements.cu").entry(ADVANCE_IN_FULL);
    let files = source.files();
    let library = cuda::build(MAIN, &files, &definitions)?;
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
