//! Vectors, and numbers.

use nonius_linalg::mp::Mp;

use super::exact::{Exact, assert_bound, wide};
use super::{Case, Suite};
use crate::cone::Cone;

pub(super) fn check<S: Suite>(case: &mut Case<'_, S>) {
    let m = case.data.objective.len();
    let objective: Vec<Exact> = case.data.objective.iter().map(|&x| Exact::of(x)).collect();
    case.assert_vector(case.cone.objective(), &objective, 0.0, "objective");
    let zeros = case.cone.vector().unwrap();
    case.assert_vector(&zeros, &vec![Exact::zero(); m], 0.0, "zeros");

    let ((x, exact_x), (y, exact_y)) = (case.vector(), case.vector());
    case.assert_vector(&x, &exact_x, 0.0, "there and back");
    let mut z = case.cone.vector().unwrap();
    case.cone.copy_vector(&x, &mut z);
    case.assert_vector(&z, &exact_x, 0.0, "copy");

    for alpha in [-1.0, 0.3, 0.0, 4.0] {
        case.cone.copy_vector(&y, &mut z);
        case.cone.add_vector(alpha, &x, &mut z);
        let sum = |(x, y): (&Exact, &Exact)| {
            let mut sum = x.times(alpha);
            sum.add(y);
            sum
        };
        let expected: Vec<Exact> = exact_x.iter().zip(&exact_y).map(sum).collect();
        case.assert_vector(&z, &expected, case.suite.sum(2), "sum");
        case.cone.copy_vector(&y, &mut z);
        case.cone.scale_vector(alpha, &mut z);
        let expected: Vec<Exact> = exact_y.iter().map(|y| y.times(alpha)).collect();
        case.assert_vector(&z, &expected, case.suite.sum(1), "multiple");
    }

    let mut expected = Exact::zero();
    exact_x.iter().zip(&exact_y).for_each(|(x, y)| expected.add_product(x, y));
    let dot = case.cone.dot(&x, &y).unwrap();
    case.assert_number(&dot, &expected, case.suite.sum(m), "dot");
    round_trip(case, m);

    let expected = exact_x.iter().map(|x| x.size).fold(0.0, f64::max);
    let largest = case.cone.largest(&x).unwrap();
    assert_bound((largest - expected).abs(), f64::EPSILON * expected, &case.named("largest"));
    for special in [Mp::nan(wide()), Mp::infinity(wide(), true)] {
        for place in 0..m.min(3) {
            let mut numbers = case.cone.download_vector(&x).unwrap();
            numbers.set(place, case.suite.number(&special));
            let spoilt = case.cone.upload_vector(&numbers).unwrap();
            let largest = case.cone.largest(&spoilt).unwrap();
            assert!(!largest.is_finite(), "{}", case.named("largest of specials"));
        }
    }
}

/// Numbers come back from the cone as they went there.
fn round_trip<S: Suite>(case: &mut Case<'_, S>, m: usize) {
    let drawn = [case.number(), case.number()];
    let zeros = case.cone.vector().unwrap();
    let mut numbers = case.cone.download_vector(&zeros).unwrap();
    for (place, x) in drawn.iter().enumerate().take(m) {
        numbers.set(place, *x);
    }
    let there = case.cone.upload_vector(&numbers).unwrap();
    let back = case.cone.download_vector(&there).unwrap();
    for (place, x) in drawn.iter().enumerate().take(m) {
        let (found, sent) = (case.suite.exact(&back.at(place)), case.suite.exact(x));
        assert!(found == sent, "{}", case.named("round trip"));
    }
}
