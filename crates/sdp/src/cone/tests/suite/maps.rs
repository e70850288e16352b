//! Between vectors and matrices.

use std::collections::BTreeSet;

use super::exact::{Blocks, Exact};
use super::program::Entry;
use super::{Case, Kind, Suite};
use crate::cone::Cone;

pub(super) fn check<S: Suite>(case: &mut Case<'_, S>) {
    let m = case.data.objective.len();
    let (a, exact_a) = case.blocks(Kind::Symmetric);
    let products: Vec<Exact> =
        case.matrices.iter().map(|matrix| product(matrix, &exact_a)).collect();
    let units: Vec<f64> = case.matrices.iter().map(|matrix| units(case, matrix)).collect();
    let (mut v, _) = case.vector();
    case.cone.constraint_products(&a, &mut v);
    let found = case.cone.download_vector(&v).unwrap();
    assert_eq!(found.len(), m, "{}", case.named("products with constraints"));
    for (k, found) in found.as_slice().iter().enumerate() {
        let what = format!("product with constraint {k}");
        case.assert_number(&found, &products[k + 1], units[k + 1], &what);
    }
    let constant = case.cone.constant_product(&a).unwrap();
    case.assert_number(&constant, &products[0], units[0], "product with the constant");

    let (x, exact_x) = case.vector();
    let zeros = case.cone.vector().unwrap();
    for alpha in [-1.0, 0.0, 0.3] {
        let (mut sum, _) = case.blocks(Kind::General);
        case.cone.combine(&x, alpha, &mut sum);
        let expected = combination(case, &exact_x, alpha, &exact_a);
        case.assert_blocks(&sum, &expected, case.suite.sum(m + 1), "combination");
        case.cone.combine(&zeros, alpha, &mut sum);
        let expected = combination(case, &vec![Exact::zero(); m], alpha, &exact_a);
        case.assert_blocks(&sum, &expected, case.suite.sum(1), "multiple of the constant");
    }
}

/// Those of a sum over a matrix's entries, and of sums of the blocks that have any: blocks without
/// entries add nothing. Proofs count on no more than the terms, however many blocks there are.
fn units<S: Suite>(case: &Case<'_, S>, matrix: &[Entry]) -> f64 {
    let blocks: BTreeSet<usize> = matrix.iter().map(|entry| entry.block).collect();
    case.suite.sum(matrix.len()) + blocks.len() as f64
}

/// `F•A`
fn product(matrix: &[Entry], a: &Blocks) -> Exact {
    let mut sum = Exact::zero();
    for entry in matrix {
        sum.add_product(&entry.value, a.at(entry.block, entry.row, entry.col));
    }
    sum
}

/// `Σ xᵢ·Fᵢ + α·F₀`
fn combination<S: Suite>(case: &Case<'_, S>, x: &[Exact], alpha: f64, shape: &Blocks) -> Blocks {
    let mut sum = shape.with(|_, _, _| Exact::zero());
    let alpha = Exact::of(alpha);
    for (matrix, weight) in case.matrices.iter().zip([&alpha].into_iter().chain(x)) {
        for entry in matrix {
            let n = case.data.squares.get(entry.block).copied().unwrap_or(0);
            let place = entry.row + entry.col * n;
            sum.parts[entry.block][place].add_product(weight, &entry.value);
        }
    }
    sum
}
