//! Special values, domains and the ends of the exponents.

use super::*;

const P: u32 = 100;

/// A function of two, and that of the standard library.
type Binary = (fn(&Mp, &Mp) -> Mp, fn(f64, f64) -> f64);

fn value(x: f64) -> Mp {
    Mp::from_f64(bits(P), x)
}

/// The functions of the standard library know the same special values.
#[test]
fn specials_are_those_of_f64() {
    let standard: [fn(f64) -> f64; 20] = [
        f64::exp,
        f64::exp2,
        f64::exp_m1,
        f64::ln,
        f64::log2,
        f64::log10,
        f64::ln_1p,
        f64::cbrt,
        f64::sin,
        f64::cos,
        f64::tan,
        f64::asin,
        f64::acos,
        f64::atan,
        f64::sinh,
        f64::cosh,
        f64::tanh,
        f64::asinh,
        f64::acosh,
        f64::atanh,
    ];
    let arguments = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for ((name, function), standard) in ALL.into_iter().zip(standard) {
        for x in arguments {
            let (found, expected) = (function(&value(x)), standard(x));
            let near = (found.to_f64() - expected).abs() <= 1e-15 * expected.abs();
            let special = !expected.is_finite() || expected == 0.0;
            assert!(
                if special { same(&found, &value(expected)) } else { near },
                "{name}({x}) = {found}, not {expected}"
            );
        }
    }
}

#[test]
fn specials_of_two_are_those_of_f64() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let arguments = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, inf, -inf, nan];
    let functions: [Binary; 3] =
        [(Mp::pow, f64::powf), (Mp::hypot, f64::hypot), (Mp::atan2, f64::atan2)];
    for (function, standard) in functions {
        for (x, y) in arguments.iter().flat_map(|&x| arguments.map(|y| (x, y))) {
            let (found, expected) = (function(&value(x), &value(y)), standard(x, y));
            let near = (found.to_f64() - expected).abs() <= 1e-15 * expected.abs();
            let special = !expected.is_finite() || expected == 0.0;
            assert!(
                if special { same(&found, &value(expected)) } else { near },
                "{x}, {y}: {found}, not {expected}"
            );
        }
    }
}

#[test]
fn ends_of_the_exponents() {
    let one = value(1.0);
    let largest = (one - one.ldexp(-(P as i32))).ldexp(Head::GREATEST_EXPONENT);
    let least = one.ldexp(Head::LEAST_EXPONENT - 1);
    let infinity = Mp::infinity(bits(P), false);
    assert!(largest.is_finite() && !least.is_zero());
    for (name, function) in ALL {
        // The reduction of so large an angle takes long.
        if !["sin", "cos", "tan"].contains(&name) {
            function(&largest);
            function(&-largest);
        }
        function(&least);
        function(&-least);
    }
    assert_eq!(value(268_435_456.0).exp2(), infinity);
    assert!(value(268_435_455.5).exp2().is_finite());
    assert_eq!(value(-268_435_457.0).exp2(), least);
    let none = value(-268_435_458.0).exp2();
    assert!(none.is_zero() && !none.head().is_negative());
    assert!(value(186_065_279.0).exp().is_finite() && value(186_065_280.0).exp() == infinity);
    assert!(value(186_065_280.0).cosh().is_finite() && value(186_065_281.0).cosh() == infinity);
    assert_eq!(value(-186_065_281.0).sinh(), -infinity);
    assert!(value(-186_065_281.0).exp().is_zero());
    assert_eq!(largest.hypot(&largest), infinity);
    assert_eq!(least.hypot(&largest), largest);
    assert_eq!(largest.powi(2), infinity);
    assert_eq!((-largest).powi(3), -infinity);
    let none = (-largest).powi(-3);
    assert!(none.is_zero() && none.head().is_negative());
    assert_eq!(largest.powi(-1), one / largest);
    let none = (-least).atan2(&largest);
    assert!(none.is_zero() && none.head().is_negative());
    assert_eq!(largest.atan2(&least), Mp::frac_pi_2(bits(P)));
    assert_eq!(
        largest.cbrt(),
        Mp::cbrt(&(one - one.ldexp(-(P as i32))).ldexp(1)).ldexp(89_478_485)
    );
}
