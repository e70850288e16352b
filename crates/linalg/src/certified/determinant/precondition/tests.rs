//! The bounds of preconditioning against elimination with 4096 bits.

use super::*;
use crate::certified::data::Data;
use crate::certified::factors::Factors;
use crate::certified::host::cpu;
use crate::mp;

fn bits(p: u32) -> Bits {
    Bits::new(p).unwrap()
}

fn data(n: usize, f: impl Fn(usize, usize) -> Mp) -> Data {
    Data::exact(mp::Matrix::from_fn_in(bits(1024), n, n, f))
}

fn number(x: f64) -> Mp {
    Mp::from_f64(bits(1024), x)
}

/// Numbers of 53 bits between −1/2 and 1/2 without a pattern: splitmix64 (G. L. Steele, D. Lea, C.
/// H. Flood, 2014).
fn noise(i: usize, j: usize) -> f64 {
    let mut x = ((i << 20 | j) as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ x >> 31) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
}

/// Rows of which all but one are sums of others, to `2^-down`.
fn near_singular(n: usize, down: i32) -> Data {
    data(n, |i, j| {
        let small = number(noise(i, j)).ldexp(if i + 1 < n { 0 } else { -down });
        if i + 1 < n || n == 1 {
            small
        } else {
            (0..i).fold(small, |sum, k| sum + number(noise(k, j)))
        }
    })
}

fn system(a: &Data) -> System {
    let none = Data::exact(mp::Matrix::zeros_in(bits(64), a.values.rows(), 0));
    System::new(a, &none).unwrap().ok().unwrap()
}

/// Attempts until the determinant is found with a relative error of about `2^-goal`. Each bound is
/// compared with elimination in 4000 bits.
fn check(a: &Data, goal: i64) -> usize {
    let (system, cpu) = (system(a), cpu());
    let mut steps = Preconditioning::new(&cpu, &system).unwrap();
    let factors = Factors::of(system.rows.with_bits(bits(4096))).unwrap();
    let exact = super::super::elimination::product(&factors);
    let mut wanted = steps.first_bits(&cpu, goal, f64::INFINITY).unwrap().unwrap();
    for _ in 0..8 {
        match steps.attempt(&cpu, &system, bits(wanted.max(64)), goal).unwrap() {
            Attempt::More(more) => wanted += more,
            Attempt::Stuck => panic!("stuck"),
            Attempt::Found(found) => {
                let e = i32::try_from(exact.exponent - found.product.exponent).unwrap();
                let quotient = exact.mantissa.view() / found.product.mantissa.view();
                let error = (quotient.ldexp(e) - Mp::one(bits(4096))).abs();
                assert!(!found.change.less(Magnitude::below(error.view())), "{error}");
                if found.change.less(Magnitude::power(2 - goal)) {
                    return steps.steps();
                }
                wanted += u32::try_from(found.sum.exponent().unwrap() + goal).unwrap();
            }
        }
    }
    panic!("no end");
}

#[test]
fn determinants_of_any_condition() {
    for n in [1, 2, 3, 8, 30] {
        for down in [0, 30, 52, 60, 120, 400] {
            for goal in [20, 110, 400] {
                let steps = check(&near_singular(n, down), goal);
                assert!(steps <= 5 + down as usize / 20, "{n} {down}: {steps}");
            }
        }
    }
}

#[test]
fn one_step_does_for_good_conditions() {
    let diagonal = |i: usize, j: usize| number(noise(i, j) + if i == j { 40.0 } else { 0.0 });
    assert_eq!(check(&data(33, diagonal), 110), 1);
    let permutation = |i: usize, j: usize| number(f64::from(u8::from((i * 3 + 1) % 17 == j)));
    assert_eq!(check(&data(17, permutation), 110), 1);
    let triangle = |i: usize, j: usize| number(if i >= j { 1.0 + noise(i, j) } else { 0.0 });
    check(&data(20, triangle), 110);
}

/// What is given may differ, and the bound covers that.
#[test]
fn errors_of_what_is_given() {
    let a = near_singular(12, 20);
    let rounded = a.values.with_bits(bits(128));
    let mut near = Data::exact(rounded);
    near.error = Some(-128);
    let (exact, near, cpu) = (system(&a), system(&near), cpu());
    let mut steps = Preconditioning::new(&cpu, &near).unwrap();
    let attempt = steps.attempt(&cpu, &near, bits(256), 110).unwrap();
    let Attempt::Found(found) = attempt else { panic!("not found") };
    let factors = Factors::of(exact.rows.with_bits(bits(4096))).unwrap();
    let product = super::super::elimination::product(&factors);
    let quotient = product.mantissa.view() / found.product.mantissa.view();
    let e = i32::try_from(product.exponent - found.product.exponent).unwrap();
    let error = (quotient.ldexp(e) - Mp::one(bits(4096))).abs();
    assert!(!found.change.less(Magnitude::below(error.view())));
    assert!(!found.change.less(found.given) && !found.given.less(Magnitude::power(-128)));
}
