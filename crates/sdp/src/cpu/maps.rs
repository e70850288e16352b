//! From vectors to matrices and back: `Σ xᵢ·Fᵢ` and `Fᵢ•A`.

use nonius_linalg::threads::{Grain, for_each_with};
use nonius_linalg::{Numbers, Slice, SliceMut};

use super::blocks::Blocks;
use super::fill::fill;
use super::gathered::Gathered;
use super::kernels::{Kernels, Pair};
use crate::cone::{Diagonal, Program};

/// Sums over rows of the diagonal block that are worth a thread.
const SUMS_OF_A_THREAD: usize = 256;

/// The entries of matrix `k` in the diagonal block, each with its row.
pub(super) fn of_diagonal<T: Kernels>(diagonal: &Diagonal<T>, k: usize) -> &[Pair] {
    &diagonal.numbers[diagonal.by_constraint[k]..diagonal.by_constraint[k + 1]]
}

/// `vᵢ ← Fᵢ•A`
pub(super) fn constraint_products<T: Kernels>(
    program: &Program<T>,
    gathered: &[Gathered<T>],
    a: &Blocks<T>,
    mut v: SliceMut<'_, T>,
) {
    let diagonal = program.diagonal();
    fill(
        v.reborrow(),
        SUMS_OF_A_THREAD,
        || (),
        |(), k, to| {
            let own = of_diagonal(diagonal, k);
            T::gather(to, diagonal.values.as_slice(), a.diagonal.as_slice(), own);
        },
    );
    for ((square, gathered), a) in program.squares().iter().zip(gathered).zip(&a.squares) {
        let count = square.constraints.len();
        let mut products = Numbers::zeros(v.format(), count);
        let least = 1 + T::TERMS * count / (1 + square.entries.len());
        fill(products.as_mut_slice(), least, || (), |(), k, to| gathered.product(k, a, to));
        for (i, &k) in square.constraints.iter().enumerate() {
            T::add_to(&mut v, k as usize, products.as_slice(), i);
        }
    }
}

/// `F₀•A`
pub(super) fn constant_product<T: Kernels>(
    program: &Program<T>,
    gathered: &[Gathered<T>],
    a: &Blocks<T>,
) -> T {
    let diagonal = program.diagonal();
    let mut product = Numbers::zeros(a.diagonal.format(), 1);
    let own = of_diagonal(diagonal, program.constraints());
    let (values, to) = (diagonal.values.as_slice(), product.as_mut_slice());
    T::gather(to, values, a.diagonal.as_slice(), own);
    let mut sum = product.at(0);
    for ((square, gathered), a) in program.squares().iter().zip(gathered).zip(&a.squares) {
        gathered.product(square.constraints.len(), a, product.as_mut_slice());
        sum += product.at(0);
    }
    sum
}

/// `A ← Σ xᵢ·Fᵢ + α·F₀`
pub(super) fn combine<T: Kernels>(
    program: &Program<T>,
    x: Slice<'_, T>,
    alpha: T,
    a: &mut Blocks<T>,
) {
    let mut weights = Numbers::with_capacity(x.format(), x.len() + 1);
    weights.extend(x);
    weights.push(alpha);
    let weights = weights.as_slice();
    for (square, a) in program.squares().iter().zip(&mut a.squares) {
        let (order, values) = (square.order.max(1), square.entries.values.as_slice());
        let mut columns = a.numbers_mut().pieces(order);
        let grain = Grain::AtLeast(1 + T::TERMS / order);
        for_each_with(&mut columns[..], grain, Vec::new, |pairs: &mut Vec<Pair>, j, column| {
            column.reborrow().clear();
            let sources = &square.sources[square.columns[j]..square.columns[j + 1]];
            for one in sources.chunk_by(|x, y| x.row == y.row) {
                pairs.clear();
                pairs.extend(one.iter().map(|s| (s.constraint as usize, s.entry as usize)));
                let row = one[0].row as usize;
                T::gather(column.reborrow().range(row..row + 1), weights, values, pairs);
            }
        });
    }
    let diagonal = program.diagonal();
    let to = a.diagonal.as_mut_slice();
    fill(to, SUMS_OF_A_THREAD, Vec::new, |pairs: &mut Vec<Pair>, i, to| {
        let entries = diagonal.starts[i]..diagonal.starts[i + 1];
        pairs.clear();
        pairs.extend(entries.map(|e| (diagonal.constraints[e] as usize, e)));
        T::gather(to, weights, diagonal.values.as_slice(), pairs);
    });
}
