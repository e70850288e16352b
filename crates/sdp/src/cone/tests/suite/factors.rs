//! Cholesky factors and their inverses.

use nonius_linalg::mp::Mp;

use super::exact::{Blocks, Exact, assert_bound, wide};
use super::{Case, Kind, Suite, second_order};
use crate::cone::Cone;

pub(super) fn check<S: Suite>(case: &mut Case<'_, S>) {
    let (a, exact_a) = case.blocks(Kind::Definite);
    let [mut l, mut m, mut g] = [(); 3].map(|()| case.cone.blocks().unwrap());
    assert!(case.cone.factor(&a, &mut l).unwrap(), "{}", case.named("factor"));
    case.cone.invert_factor(&l, &mut m);
    case.cone.gram(&m, &mut g);
    let [exact_l, exact_m, exact_g] = [&l, &m, &g].map(|a| case.exact_blocks(a));
    for (block, part) in exact_l.orders.iter().enumerate() {
        for (i, j) in (0..*part).flat_map(|j| (0..j).map(move |i| (i, j))) {
            for lower in [&exact_l, &exact_m] {
                assert!(lower.at(block, i, j).value.is_zero(), "{}", case.named("triangle"));
            }
        }
    }

    // A backward error (Higham, Theorem 10.3).
    let units = case.suite.elimination(case.order() + 1);
    let product = exact_l.times(&exact_l.transposed());
    let residual = |x: &Exact, y: &Exact| Exact::distance(x, &y.value);
    each(case, &exact_a, "factor", |block, i, j| {
        let product = product.at(block, i, j);
        (residual(product, exact_a.at(block, i, j)), units * product.size)
    });

    // `L·M = I` or `M·L = I` within `units·u` times the magnitudes, so that `M` is within that
    // times `|L⁻¹|` of the inverse.
    let inverse = inverse(&exact_l);
    let [left, right] = [[&inverse, &exact_m], [&exact_m, &inverse]]
        .map(|[first, last]| first.sizes().times(&exact_l.sizes()).times(&last.sizes()));
    let off = |block, i, j| units * (left.at(block, i, j).size + right.at(block, i, j).size);
    each(case, &exact_a, "inverse factor", |block, i, j| {
        (residual(exact_m.at(block, i, j), inverse.at(block, i, j)), off(block, i, j))
    });

    let sum = case.suite.sum(case.order());
    let expected = exact_m.transposed().times(&exact_m);
    let expected = expected.with_cones([&exact_m], |[m]| second_order::product(m, m));
    case.assert_blocks(&g, &expected, sum, "gram");
    // `A·G − I`, of the errors of these three steps to first order:
    // `(A − L·Lᵀ)·G + L·E + L·Lᵀ·Eᵀ·M`, where `M = L⁻¹ + E`, and `A` times the error of `G`.
    let sizes = [&exact_a, &exact_l, &exact_m, &exact_g].map(Blocks::sizes);
    let [size_a, size_l, size_m, size_g] = &sizes;
    let error = exact_a.with(|block, i, j| Exact::of(off(block, i, j)));
    let back = size_l.times(&size_l.transposed());
    let terms = [
        (units, back.times(size_g)),
        (1.0, size_l.times(&error)),
        (1.0, back.times(&error.transposed()).times(size_m)),
        (sum, size_a.times(&size_m.transposed().times(size_m))),
    ];
    let product = exact_a.times(&exact_g);
    each(case, &exact_a, "inverse", |block, i, j| {
        let unit = Mp::from_f64(wide(), f64::from(u8::from(i == j)));
        let bound = terms.iter().map(|(units, size)| units * size.at(block, i, j).size);
        (product.at(block, i, j).distance(&unit), bound.sum())
    });
    refusals(case, &exact_a);
    tiny_pivots(case, &exact_a);
}

/// Matrices that are nearly singular, or of which rows differ in size by many digits. A factor that
/// runs through is that of a matrix as near as the rows' lengths say,
/// `|A − L·Lᵀ|ᵢⱼ ≤ c·u·‖ℓᵢ‖‖ℓⱼ‖`, and with it as the trace does: proofs that a matrix is definite
/// rest on that. Where the least eigenvalue is beyond rounding there is a factor.
pub(super) fn check_hard<S: Suite>(case: &mut Case<'_, S>) {
    let units = case.suite.elimination(case.order() + 1);
    let (_, all) = case.blocks(Kind::General);
    let (last, n) = (all.orders.len(), case.order() as f64);
    // One column is missing in each square, so that its least eigenvalue is zero.
    let factor = all.with(|block, i, j| {
        let is_missing = block < last && j + 1 == all.order(block);
        if is_missing { Exact::zero() } else { all.at(block, i, j).clone() }
    });
    let gram = factor.times(&factor.transposed());
    // Entries are at most one in magnitude, so that the trace is at most `n`, and rounding of
    // entries adds to that of the factor.
    let beyond = (8.0 * (units + 1.0) * n * case.unit).log2().ceil().exp2();
    let cases = [
        (0, beyond, true),
        (0, beyond * 0.5_f64.powi(20), false),
        (0, 0.0, false),
        (1, beyond, false),
        (4, 1.0, false),
        (4, beyond, false),
    ];
    for (grading, shift, has_factor) in cases {
        let a = gram.with(|block, i, j| {
            let (i, j) = (i.min(j), i.max(j));
            let terms = if block < last { gram.order(block) } else { 1 };
            let mut sum = gram.at(block, i, j).times(1.0 / terms as f64);
            sum.add(&Exact::of(if i == j { shift } else { 0.0 }));
            sum.times(0.5_f64.powi(grading * (i + j) as i32))
        });
        let a = a.with_cones([&all], second_order::unit);
        let a = case.upload(&a);
        let exact_a = case.exact_blocks(&a);
        let mut l = case.cone.blocks().unwrap();
        let what = format!("factor of a hard matrix, rows by 2^-{grading}, shift {shift:e}");
        let found = case.cone.factor(&a, &mut l).unwrap();
        assert!(found || !has_factor, "{}", case.named(&what));
        if !found {
            continue;
        }
        let exact_l = case.exact_blocks(&l);
        let product = exact_l.times(&exact_l.transposed());
        let length = |block, i| product.at(block, i, i).value.to_f64().sqrt();
        each(case, &exact_a, &what, |block, i, j| {
            let error = product.at(block, i, j).distance(&exact_a.at(block, i, j).value);
            (error, units * length(block, i) * length(block, j))
        });
    }
}

/// A pivot that is positive and nothing beside the entries of its row: no matrix near this one has
/// a factor.
fn tiny_pivots<S: Suite>(case: &mut Case<'_, S>, a: &Blocks) {
    let mut l = case.cone.blocks().unwrap();
    for (block, &n) in a.orders.iter().enumerate().filter(|&(_, &n)| n > 1) {
        for i in [0, n / 2, n - 1] {
            for tiny in [0.5_f64.powi(60), 0.5_f64.powi(300), f64::MIN_POSITIVE] {
                let mut spoilt = a.clone();
                spoilt.parts[block][i + i * n] = Exact::of(tiny);
                let found = case.cone.factor(&case.upload(&spoilt), &mut l).unwrap();
                assert!(!found, "{}", case.named(&format!("pivot {tiny:e} in {block}")));
            }
        }
    }
}

/// Asserts errors of entries by their bounds in units of roundoff.
fn each<S: Suite>(
    case: &Case<'_, S>,
    shape: &Blocks,
    what: &str,
    error: impl Fn(usize, usize, usize) -> (f64, f64),
) {
    shape.with(|block, i, j| {
        if shape.is_of_cone(block, i) {
            return Exact::zero();
        }
        let (error, units) = error(block, i, j);
        assert_bound(error, units * case.unit, &case.named(&format!("{what} {block} {i} {j}")));
        Exact::zero()
    });
}

/// Of lower triangles, by substitution.
fn inverse(l: &Blocks) -> Blocks {
    let mut inverse = l.with(|_, _, _| Exact::zero());
    for block in 0..l.parts.len() {
        let is_square = block < l.orders.len();
        let n = l.order(block);
        for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            if !is_square && i != j || l.is_of_cone(block, i) {
                continue;
            }
            let mut rest = Exact::of(f64::from(u8::from(i == j)));
            for k in if is_square { j..i } else { i..i } {
                let minus = l.at(block, i, k).times(-1.0);
                rest.add_product(&minus, inverse.at(block, k, j));
            }
            let place = if is_square { i + j * n } else { i };
            inverse.parts[block][place] = Exact::new(&(rest.value / l.at(block, i, i).value));
        }
    }
    inverse
}

/// Matrices without factors.
fn refusals<S: Suite>(case: &mut Case<'_, S>, a: &Blocks) {
    let mut l = case.cone.blocks().unwrap();
    for block in 0..a.parts.len() {
        let n = a.order(block) - if block < a.orders.len() { 0 } else { case.rows_of_cones() };
        let mut places = vec![0, n / 2, n.saturating_sub(1)];
        places.truncate(n);
        places.dedup();
        for i in places {
            let place = if block < a.orders.len() { i + i * n } else { i };
            let x = &a.parts[block][place].value;
            let others = [-*x, Mp::zero(wide()), Mp::nan(wide()), Mp::infinity(wide(), false)];
            for pivot in others {
                let mut spoilt = a.clone();
                spoilt.parts[block][place].value = pivot;
                let found = case.cone.factor(&case.upload(&spoilt), &mut l).unwrap();
                assert!(!found, "{}", case.named(&format!("pivot {pivot} in {block}")));
            }
        }
    }
}
