//! Second-order cones, by their algebra.

use nonius_linalg::mp::Mp;
use nonius_num::Real;

use super::exact::{Blocks, Exact, assert_bound, wide};
use super::program::Entry;
use super::{Case, Kind, Suite};
use crate::cone::Cone;

/// `Σ xᵢ·yᵢ`
fn dot(x: &[Exact], y: &[Exact]) -> Exact {
    let mut sum = Exact::zero();
    x.iter().zip(y).for_each(|(x, y)| sum.add_product(x, y));
    sum
}

/// `x₀y₀ − x̄·ȳ`
fn det(x: &[Exact], y: &[Exact]) -> Exact {
    let mut sum = dot(&x[1..], &y[1..]).times(-1.0);
    sum.add_product(&x[0], &y[0]);
    sum
}

/// `x∘y`
pub(super) fn product(x: &[Exact], y: &[Exact]) -> Vec<Exact> {
    let rest = (1..x.len()).map(|i| {
        let mut sum = Exact::zero();
        sum.add_product(&x[0], &y[i]);
        sum.add_product(&y[0], &x[i]);
        sum
    });
    core::iter::once(dot(x, y)).chain(rest).collect()
}

/// `{u, d, v}`
pub(super) fn triple([u, d, v]: [&[Exact]; 3]) -> Vec<Exact> {
    let (of_u, of_v, det) = (dot(u, d), dot(v, d), det(u, v));
    let entry = |i: usize| {
        let mut sum = Exact::zero();
        sum.add_product(&det, &d[i]);
        sum = sum.times(if i == 0 { -1.0 } else { 1.0 });
        sum.add_product(&of_u, &v[i]);
        sum.add_product(&of_v, &u[i]);
        sum
    };
    (0..d.len()).map(entry).collect()
}

/// The unit.
pub(super) fn unit([x]: [&[Exact]; 1]) -> Vec<Exact> {
    (0..x.len()).map(|i| Exact::of(if i == 0 { 1.0 } else { 0.0 })).collect()
}

/// `‖x̄‖`
fn norm(x: &[Exact]) -> Mp {
    let square = dot(&x[1..], &x[1..]).value;
    if square.is_zero() { square } else { square.sqrt() }
}

/// The least eigenvalue of `{m, a, m}`, and the magnitudes of what it is made of.
pub(super) fn least_eigenvalue(m: &[Exact], a: &[Exact]) -> Exact {
    let all = triple([m, a, m]);
    let size = |x: &[Exact]| x.iter().map(|x| x.size * x.size).sum::<f64>().sqrt();
    Exact { value: all[0].value - norm(&all), size: all[0].size + size(&all[1..]) }
}

/// What second-order cones add to `Fᵢ•{U, Fⱼ, V}`.
pub(super) fn complement(left: &[Entry], right: &[Entry], u: &Blocks, v: &Blocks) -> Exact {
    let mut all = Exact::zero();
    let of_cones = |matrix: &[Entry]| -> Vec<(usize, Exact)> {
        let entries = matrix.iter().filter(|entry| u.is_of_cone(entry.block, entry.row));
        entries.map(|entry| (entry.row, entry.value.clone())).collect()
    };
    let (f, g) = (of_cones(left), of_cones(right));
    for cone in &u.cones {
        let own = |entries: &[(usize, Exact)]| -> Option<Vec<Exact>> {
            let here = || entries.iter().filter(|(row, _)| cone.contains(row));
            let mut own = vec![Exact::zero(); if here().count() > 0 { cone.len() } else { 0 }];
            here().for_each(|(row, value)| own[row - cone.start] = value.clone());
            (!own.is_empty()).then_some(own)
        };
        let (Some(f), Some(g)) = (own(&f), own(&g)) else { continue };
        let [u, v] = [u, v].map(|a| &a.vectors()[cone.clone()]);
        all.add_product(&dot(u, &g), &dot(v, &f));
        all.add_product(&dot(v, &g), &dot(u, &f));
        all.add_product(&det(u, v).times(-1.0), &det(&f, &g));
    }
    all
}

/// Factors, also of vectors near the boundary.
pub(super) fn check<S: Suite>(case: &mut Case<'_, S>) {
    let cones = case.data.cones();
    if cones.is_empty() {
        return;
    }
    let (_, inside) = case.blocks(Kind::Definite);
    factors(case, &inside, true);
    // A norm is within half of its sum and some roundings.
    let beyond = (case.suite.sum(case.order()) + 8.0) * case.unit;
    for (relative, is_inside) in [
        (1.0, Some(true)),
        (2.0_f64.powi(10) * beyond, Some(true)),
        (beyond, Some(true)),
        (0.01 * beyond, None),
        (-beyond, Some(false)),
        (-0.5, Some(false)),
    ] {
        for scale in [1.0, 0.5_f64.powi(300), 2.0_f64.powi(300)] {
            let near = inside.clone().with_cones([&inside], |[x]| {
                // Of the boundary, `t = ‖v‖`, or near zero.
                let norm = if x.len() > 1 { norm(x) } else { Mp::from_f64(wide(), 1.0) };
                let more = norm * Mp::from_f64(wide(), relative);
                let head = if x.len() > 1 { norm + more } else { more };
                let first = Exact { value: head, size: head.to_f64().abs() };
                let rest = x[1..].iter().cloned();
                core::iter::once(first).chain(rest).map(|x| x.times(scale)).collect()
            });
            match is_inside {
                Some(true) => factors(case, &near, false),
                Some(false) => refused(case, &near, &format!("{relative:e} outside")),
                None => {}
            }
        }
    }
    let specials = [Mp::nan(wide()), Mp::infinity(wide(), false), Mp::infinity(wide(), true)];
    let last = inside.orders.len();
    for cone in &cones {
        let places = [cone.start, cone.start + cone.len() / 2, cone.end - 1];
        for (place, special) in places.into_iter().flat_map(|row| specials.map(|x| (row, x))) {
            let mut spoilt = inside.clone();
            spoilt.parts[last][place].value = special;
            refused(case, &spoilt, &format!("{special} in row {place}"));
        }
        for first in [0.0, -2.0] {
            let mut spoilt = inside.clone();
            spoilt.parts[last][cone.start] = Exact::of(first);
            refused(case, &spoilt, &format!("{first} in row {}", cone.start));
        }
    }
}

fn refused<S: Suite>(case: &Case<'_, S>, a: &Blocks, what: &str) {
    let mut l = case.cone.blocks().unwrap();
    let found = case.cone.factor(&case.upload(a), &mut l).unwrap();
    assert!(!found, "{}", case.named(what));
}

/// Square roots and their inverses in the cones.
fn factors<S: Suite>(case: &Case<'_, S>, a: &Blocks, has_gram: bool) {
    let a = case.upload(a);
    let [mut l, mut m, mut g] = [(); 3].map(|()| case.cone.blocks().unwrap());
    assert!(case.cone.factor(&a, &mut l).unwrap(), "{}", case.named("root"));
    case.cone.invert_factor(&l, &mut m);
    case.cone.gram(&m, &mut g);
    let [a, l, m, g] = [&a, &l, &m, &g].map(|a| case.exact_blocks(a));
    let units = case.suite.sum(case.order()) + 16.0;
    for cone in case.data.cones() {
        let [x, w, m, g] = [&a, &l, &m, &g].map(|a| &a.vectors()[cone.clone()]);
        // However near the boundary `x` is.
        for (i, (square, x)) in product(w, w).iter().zip(x).enumerate() {
            let bound = units * case.unit * x_size(&a, &cone);
            assert_bound(square.distance(&x.value), bound, &case.named(&format!("root {i}")));
        }
        // `det w` has the factor `w₀ − ‖w̄‖`, within a norm's error of `w₀`. That difference is the
        // inverse of the larger eigenvalue of `m`.
        let norm = norm(w);
        let det = (w[0].value - norm) * (w[0].value + norm);
        let condition = 2.0 * w[0].size * m[0].size;
        for (i, (w, m)) in w.iter().zip(m).enumerate() {
            let exact = w.value / det;
            let exact = Exact::new(&if i == 0 { exact } else { -exact });
            let bound = units * case.unit * condition * m.size;
            assert_bound(exact.distance(&m.value), bound, &case.named(&format!("inverse {i}")));
        }
        if has_gram {
            let expected = product(m, m);
            for (i, (g, expected)) in g.iter().zip(&expected).enumerate() {
                let bound = units * case.unit * expected.size;
                assert_bound(
                    expected.distance(&g.value),
                    bound,
                    &case.named(&format!("square {i}")),
                );
            }
        }
    }
}

/// The first entry in a cone.
fn x_size(a: &Blocks, cone: &core::ops::Range<usize>) -> f64 {
    a.vectors()[cone.start].size
}
