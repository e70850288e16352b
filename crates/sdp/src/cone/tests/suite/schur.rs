//! The Schur complement and systems with it.

use nonius_linalg::mp::Mp;

use super::exact::{Blocks, Exact, assert_bound};
use super::program::Entry;
use super::{Case, Kind, Suite, second_order};
use crate::cone::Cone;

pub(super) fn check<S: Suite>(case: &mut Case<'_, S>) {
    let m = case.data.objective.len();
    let ((u, exact_u), (v, exact_v)) = (case.blocks(Kind::Definite), case.blocks(Kind::Definite));
    let expected = complement(case, &exact_u, &exact_v);
    // One sum inside the other over rows, over columns and over the entries of both matrices;
    // weights, mirror images and sums of blocks are rounded too.
    let order = case.suite.sum(case.order());
    let entries: Vec<f64> =
        case.matrices.iter().map(|matrix| case.suite.sum(matrix.len())).collect();
    let once = case.count() + 8.0;
    let units = |i: usize, j: usize| 2.0 * order + entries[i + 1] + entries[j + 1] + once;
    let mut b = case.cone.schur().unwrap();
    case.cone.form_schur(&u, &v, &mut b);
    let found = case.suite.schur(&b);
    assert_eq!(found.len(), m * m, "{}", case.named("Schur complement"));
    for (i, j) in (0..m).flat_map(|j| (j..m).map(move |i| (i, j))) {
        let what = format!("Schur complement {i} {j}");
        case.assert_number(&found[i + j * m], &expected[i][j], units(i, j), &what);
    }

    let sizes = case.cone.schur_sizes(&u, &v).unwrap();
    assert_eq!(sizes.len(), m, "{}", case.named("sizes"));
    let bounds = sizes_of_terms(case, &exact_u, &exact_v);
    for (k, (&size, bound)) in sizes.iter().zip(bounds).enumerate() {
        let what = case.named(&format!("size {k}: {size:e}, {bound:e}"));
        // Each root, product and sum of either is rounded to `f64`: 8 of them to a term, and as
        // many sums as terms, squared.
        let rounding = (case.matrices[k + 1].len() as f64 * 2.0 + 16.0) * f64::EPSILON;
        assert!((size - bound).abs() <= rounding * bound, "{what}");
        assert!(size >= expected[k][k].size * (1.0 - rounding), "{what}");
    }

    for shift in [0.0, 1e-6, 10.0 * case.unit] {
        case.cone.form_schur(&u, &v, &mut b);
        let shifts: Vec<f64> =
            if shift > 0.0 { sizes.iter().map(|size| shift * size).collect() } else { Vec::new() };
        let has_factor = case.cone.factor_schur(&shifts, &mut b).unwrap();
        assert!(has_factor, "{}", case.named("factor of the Schur complement"));
        let (mut x, right) = case.vector();
        case.cone.solve_schur(&b, &mut x);
        let x = case.exact_vector(&x);
        for (i, right) in right.iter().enumerate() {
            let (residual, bound) = row(case, &expected, units, &shifts, i, &x);
            let what = case.named(&format!("solution {i}, shift {shift:e}"));
            assert_bound(right.distance(&residual), bound * case.unit, &what);
        }
    }

    if m > 0 {
        let [mut u, mut v] = [(); 2].map(|()| case.cone.blocks().unwrap());
        case.cone.identity(-1.0, &mut u);
        case.cone.identity(1.0, &mut v);
        case.cone.form_schur(&u, &v, &mut b);
        let has_factor = case.cone.factor_schur(&[], &mut b).unwrap();
        assert!(!has_factor, "{}", case.named("factor of a negative definite matrix"));
    }
}

/// Entry `i` of the product of the complement, with a larger diagonal, and a solution, and how far
/// in units of roundoff it may be from the right side.
fn row<S: Suite>(
    case: &Case<'_, S>,
    b: &[Vec<Exact>],
    units: impl Fn(usize, usize) -> f64,
    shifts: &[f64],
    i: usize,
    x: &[Exact],
) -> (Mp, f64) {
    let elimination = case.suite.elimination(x.len() + 1);
    let entry = |i: usize, j: usize| &b[i.max(j)][i.min(j)];
    let (mut product, mut bound) = (Exact::zero(), 0.0);
    for (j, x) in x.iter().enumerate() {
        product.add_product(entry(i, j), x);
        let shift = shifts.get(i).copied().filter(|_| i == j).unwrap_or(0.0);
        product.add_product(&Exact::of(shift), x);
        let formed = units(i.max(j), i.min(j)) * entry(i, j).size;
        // `|L||Lᵀ|` is at most the root of the product of what stands on the diagonal (Higham,
        // Theorem 10.4, with its three parts).
        let shifted = |i: usize| entry(i, i).value.to_f64() + shifts.get(i).unwrap_or(&0.0);
        let root = (shifted(i) * shifted(j)).sqrt();
        let added = if i == j { 2.0 * root } else { 0.0 };
        bound += (formed + 3.0 * elimination * root + added) * x.size;
    }
    (product.value, bound)
}

/// `(Σ |fᵢⱼ|·√(uᵢᵢ·vⱼⱼ))²` in each square and for each row of the diagonal block, and
/// `6·u₀v₀·Σ fᵢ²` in each second-order cone, all together, for each constraint.
fn sizes_of_terms<S: Suite>(case: &Case<'_, S>, u: &Blocks, v: &Blocks) -> Vec<f64> {
    let root = |a: &Blocks, block: usize, i: usize| a.at(block, i, i).value.to_f64().sqrt();
    let of_matrix = |matrix: &Vec<Entry>| {
        let mut sums = std::collections::BTreeMap::<(usize, usize), f64>::new();
        for entry in matrix {
            let (block, i, j) = (entry.block, entry.row, entry.col);
            let row = if u.terms(block, i).len() < u.order(block) { i } else { 0 };
            let size = entry.value.value.to_f64().abs();
            let cone = u.cones.iter().find(|cone| block == u.orders.len() && cone.contains(&i));
            // Six times what the first row by itself has.
            let (size, i, j) = match cone {
                Some(cone) => (6.0_f64.sqrt() * size, cone.start, cone.start),
                None => (size, i, j),
            };
            *sums.entry((block, row)).or_default() += size * root(u, block, i) * root(v, block, j);
        }
        sums.values().map(|sum| sum * sum).sum()
    };
    case.matrices[1..].iter().map(of_matrix).collect()
}

/// `Fᵢ•(U·Fⱼ·V)` for `i >= j`.
fn complement<S: Suite>(case: &Case<'_, S>, u: &Blocks, v: &Blocks) -> Vec<Vec<Exact>> {
    let matrices = &case.matrices[1..];
    let mut b = vec![Vec::new(); matrices.len()];
    for (j, right) in matrices.iter().enumerate() {
        let product = rows(right, v);
        for (i, left) in matrices.iter().enumerate().skip(j) {
            let mut sum = second_order::complement(left, right, u, v);
            for entry in left.iter().filter(|entry| !u.is_of_cone(entry.block, entry.row)) {
                let mut inner = Exact::zero();
                for (row, values) in &product[entry.block] {
                    let reaches = u.terms(entry.block, entry.row).contains(row);
                    if let Some(value) = values.get(entry.col).filter(|_| reaches) {
                        inner.add_product(u.at(entry.block, entry.row, *row), value);
                    }
                }
                sum.add_product(&entry.value, &inner);
            }
            b[i].push(sum);
        }
    }
    b
}

/// The rows of `F·V` that are not zero, by blocks.
fn rows(matrix: &[Entry], v: &Blocks) -> Vec<Vec<(usize, Vec<Exact>)>> {
    let mut all = vec![Vec::<(usize, Vec<Exact>)>::new(); v.parts.len()];
    for entry in matrix {
        let n = v.order(entry.block);
        let rows = &mut all[entry.block];
        let place = rows.iter().position(|&(row, _)| row == entry.row).unwrap_or_else(|| {
            rows.push((entry.row, vec![Exact::zero(); n]));
            rows.len() - 1
        });
        for j in 0..n {
            if v.terms(entry.block, entry.col).contains(&j) {
                rows[place].1[j].add_product(&entry.value, v.at(entry.block, entry.col, j));
            }
        }
    }
    all
}
