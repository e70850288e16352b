//! Products with vectors, and least eigenvalues.

use nonius_linalg::Matrix;
use nonius_linalg::dense::eigenvalues;
use nonius_linalg::mp::Mp;
use nonius_num::Dd;

use super::exact::{Blocks, Exact, assert_bound, wide};
use super::{Case, Kind, Suite, second_order};
use crate::cone::{Cone, Congruent};

/// How far a [least eigenvalue](Cone::least_eigenvalue) may be from the one meant, as a part of it.
const TOLERANCE: f64 = 0.02;

pub(super) fn check<S: Suite<Cone: Congruent>>(case: &mut Case<'_, S>) {
    let (x, _) = case.blocks(Kind::Definite);
    let [mut l, mut m] = [(); 2].map(|()| case.cone.blocks().unwrap());
    assert!(case.cone.factor(&x, &mut l).unwrap(), "{}", case.named("factor"));
    case.cone.invert_factor(&l, &mut m);
    let exact_m = case.exact_blocks(&m);
    for kind in [Kind::Symmetric, Kind::Definite] {
        let (a, exact_a) = case.blocks(kind);
        congruence(case, (&m, &exact_m), (&a, &exact_a));
        let transformed = exact_m.times(&exact_a).times(&exact_m.transposed());
        let transformed = transformed.with_cones([&exact_m, &exact_a], |[m, a]| {
            vec![second_order::least_eigenvalue(m, a); m.len()]
        });
        let (least, error) = least_of(&transformed);
        for enough in [f64::INFINITY, least + 1.0, least - 1.0, -1.0] {
            let found = case.cone.least_eigenvalue(&m, &a, enough).unwrap();
            let what = case.named(&format!("least eigenvalue {found} of {least}, {enough}"));
            if found >= enough {
                assert!(least >= enough - TOLERANCE * found.abs() - error, "{what}");
                continue;
            }
            assert!((found - least).abs() <= TOLERANCE * found.abs() + error, "{what}");
        }
    }
}

fn congruence<S: Suite<Cone: Congruent>>(
    case: &mut Case<'_, S>,
    (m, exact_m): (&<S::Cone as Cone>::Blocks, &Blocks),
    (a, exact_a): (&<S::Cone as Cone>::Blocks, &Blocks),
) {
    let orders = &case.data.squares;
    let length = orders.iter().sum::<usize>() + case.data.diagonal;
    for zeros in [false, true] {
        let mut q: Vec<f64> = (0..length).map(|_| case.random.unit()).collect();
        if zeros {
            q[..orders.first().copied().unwrap_or(0)].fill(0.0);
        }
        let mut w = vec![f64::NAN; length];
        case.cone.congruence(m, a, &q, &mut w).unwrap();
        let exact_q: Vec<Exact> = q.iter().map(|&x| Exact::of(x)).collect();
        let expected = exact_m.transposed().times_vector(&exact_q);
        let mut expected = exact_m.times_vector(&exact_a.times_vector(&expected));
        let first = length - case.data.diagonal;
        for cone in case.data.cones() {
            let [m, a] = [exact_m, exact_a].map(|a| &a.vectors()[cone.clone()]);
            let least = second_order::least_eigenvalue(m, a);
            for row in cone.map(|row| first + row) {
                let mut product = Exact::zero();
                product.add_product(&least, &exact_q[row]);
                expected[row] = product;
            }
        }
        // Three sums, one inside the other, and roundings to `f64`.
        let units = 3.0 * case.suite.sum(case.order());
        for (i, (&found, expected)) in w.iter().zip(&expected).enumerate() {
            let error = expected.distance(&Mp::from_f64(wide(), found));
            let rounding = f64::EPSILON * expected.value.to_f64().abs();
            let bound = units * case.unit * expected.size + rounding;
            assert_bound(error, bound, &case.named(&format!("congruence {i}")));
        }
    }
}

/// The least eigenvalue, and the error that rounding of vectors to `f64` makes: a unit for each row
/// of each step, as many as there are rows, times the norm.
fn least_of(a: &Blocks) -> (f64, f64) {
    let (mut least, mut error) = (f64::INFINITY, 0.0_f64);
    for (block, &n) in a.orders.iter().enumerate() {
        let entry = |i, j| a.at(block, i, j).value.to_multifloat::<2>();
        let lower = Matrix::<Dd>::from_fn(n, n, |i, j| entry(i.max(j), i.min(j)));
        let values = eigenvalues(lower.view()).unwrap();
        let values: Vec<f64> = values.into_iter().map(Dd::to_f64).collect();
        least = values.iter().copied().fold(least, f64::min);
        let norm = values.iter().fold(0.0, |norm: f64, x| norm.max(x.abs()));
        error = error.max((n * n) as f64 * f64::EPSILON / 2.0 * norm);
    }
    for x in &a.parts[a.orders.len()] {
        least = least.min(x.value.to_f64());
        error = error.max(f64::EPSILON * x.value.to_f64().abs());
    }
    (least, error)
}
