//! Matrices with blocks on their diagonals.

use nonius_linalg::Slice;
use nonius_linalg::mp::Mp;

use super::exact::{Blocks, Exact, assert_bound, wide};
use super::{Case, Kind, Suite, second_order};
use crate::cone::Cone;

/// Numbers that are `f64` arrive as they are.
fn doubles<S: Suite>(case: &Case<'_, S>, a: &Blocks) {
    let of_part = |part: &Vec<Exact>| part.iter().map(|x| x.value.to_f64()).collect();
    let doubles: Vec<Vec<f64>> = a.parts.iter().map(of_part).collect();
    let parts = doubles.iter().map(|part| part.iter().map(|&x| Exact::of(x)).collect()).collect();
    let expected = Blocks { orders: a.orders.clone(), parts, cones: a.cones.clone() };
    let slices: Vec<Slice<'_, f64>> = doubles.iter().map(Slice::from).collect();
    let found = case.cone.upload_doubles(&slices).unwrap();
    case.assert_blocks(&found, &expected, 0.0, "doubles");
}

pub(super) fn check<S: Suite>(case: &mut Case<'_, S>) {
    let ((a, exact_a), (b, exact_b)) = (case.blocks(Kind::General), case.blocks(Kind::General));
    let mut c = case.cone.blocks().unwrap();
    let zeros = exact_a.with(|_, _, _| Exact::zero());
    case.assert_blocks(&c, &zeros, 0.0, "zeros");
    case.assert_blocks(&case.upload(&exact_a), &exact_a, 0.0, "there and back");
    doubles(case, &exact_a);
    case.cone.copy_blocks(&a, &mut c);
    case.assert_blocks(&c, &exact_a, 0.0, "copy");
    for alpha in [0.75, 0.0] {
        case.cone.copy_blocks(&a, &mut c);
        case.cone.identity(alpha, &mut c);
        let expected = exact_a.with(|_, i, j| Exact::of(if i == j { alpha } else { 0.0 }));
        let expected = expected.with_cones([&exact_a], |[a]| {
            (0..a.len()).map(|i| Exact::of(if i == 0 { alpha } else { 0.0 })).collect()
        });
        case.assert_blocks(&c, &expected, 0.0, "identity");
    }
    for alpha in [-1.0, 0.3, 0.0] {
        case.cone.copy_blocks(&b, &mut c);
        case.cone.add_blocks(alpha, &a, &mut c);
        let expected = exact_a.with(|block, i, j| {
            let mut sum = exact_a.at(block, i, j).times(alpha);
            sum.add(exact_b.at(block, i, j));
            sum
        });
        case.assert_blocks(&c, &expected, case.suite.sum(2), "sum");
        case.cone.copy_blocks(&a, &mut c);
        case.cone.scale_blocks(alpha, &mut c);
        let expected = exact_a.with(|block, i, j| exact_a.at(block, i, j).times(alpha));
        case.assert_blocks(&c, &expected, case.suite.sum(1), "multiple");
    }
    triple(case);

    case.cone.copy_blocks(&a, &mut c);
    case.cone.symmetrize(&mut c);
    let expected = exact_a.with(|block, i, j| {
        let mut mean = exact_a.at(block, i, j).times(0.5);
        mean.add(&exact_a.at(block, j, i).times(0.5));
        mean
    });
    case.assert_blocks(&c, &expected, case.suite.sum(2), "symmetric part");
    let found = case.exact_blocks(&c);
    let is_symmetric = |(x, y): (&Exact, &Exact)| x.value == y.value;
    let (parts, mirrored) = (found.parts.iter().flatten(), found.transposed());
    let all = parts.zip(mirrored.parts.iter().flatten()).all(is_symmetric);
    assert!(all, "{}", case.named("symmetry"));

    let (mut expected, mut terms) = (Exact::zero(), 0);
    for (x, y) in exact_a.parts.iter().flatten().zip(exact_b.parts.iter().flatten()) {
        expected.add_product(x, y);
        terms += 1;
    }
    let inner = case.cone.inner(&a, &b).unwrap();
    case.assert_number(&inner, &expected, case.suite.sum(terms) + case.count(), "inner product");
    largest(case, &exact_a);
}

fn triple<S: Suite>(case: &mut Case<'_, S>) {
    let [(u, exact_u), (d, exact_d), (v, exact_v)] = [(); 3].map(|()| case.blocks(Kind::Symmetric));
    let factors = [&exact_u, &exact_d, &exact_v];
    let product = exact_u.times(&exact_d).times(&exact_v);
    let product = product
        .with(|block, i, j| {
            let mut mean = product.at(block, i, j).times(0.5);
            mean.add(&product.at(block, j, i).times(0.5));
            mean
        })
        .with_cones(factors, second_order::triple);
    // One sum inside the other, and roundings of single terms.
    let units = 2.0 * case.suite.sum(case.order()) + 8.0;
    let mut work = case.cone.blocks().unwrap();
    for (alpha, beta) in [(1.0, 0.0), (-1.0, 1.0), (0.3, -0.7), (1.0, 1.0)] {
        let (mut c, exact_c) = case.blocks(Kind::Symmetric);
        if beta == 0.0 {
            // What is not read may be anything.
            let nan = Exact { value: Mp::nan(wide()), size: 0.0 };
            c = case.upload(&exact_c.with(|_, _, _| nan.clone()));
        }
        case.cone.triple(alpha, [&u, &d, &v], beta, &mut work, &mut c);
        let expected = exact_c.with(|block, i, j| {
            let mut sum = exact_c.at(block, i, j).times(beta);
            sum.add(&product.at(block, i, j).times(alpha));
            sum
        });
        case.assert_blocks(&c, &expected, units, &format!("product {alpha} {beta}"));
        let found = case.exact_blocks(&c);
        found.with(|block, i, j| {
            let is_same = found.at(block, i, j).value == found.at(block, j, i).value;
            assert!(is_same, "{}", case.named("symmetry of a product"));
            Exact::zero()
        });
    }
}

fn largest<S: Suite>(case: &mut Case<'_, S>, a: &Blocks) {
    let expected = a.parts.iter().flatten().map(|x| x.size).fold(0.0, f64::max);
    let found = case.cone.largest_entry(&case.upload(a)).unwrap();
    assert_bound((found - expected).abs(), f64::EPSILON * expected, &case.named("largest entry"));
    for special in [Mp::nan(wide()), Mp::infinity(wide(), false)] {
        for block in 0..a.parts.len() {
            let Some(last) = a.parts[block].len().checked_sub(1) else { continue };
            let mut spoilt = a.clone();
            spoilt.parts[block][last].value = special;
            let found = case.cone.largest_entry(&case.upload(&spoilt)).unwrap();
            assert!(!found.is_finite(), "{}", case.named("largest entry of specials"));
        }
    }
}
