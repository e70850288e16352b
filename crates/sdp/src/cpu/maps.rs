//! From vectors to matrices and back: `Σ xᵢ·Fᵢ` and `Fᵢ•A`.

use nonius_linalg::threads::{Grain, for_each_with};
use nonius_linalg::{Matrix, Numbers, Slice, SliceMut};

use super::blocks::Blocks;
use super::fill::fill;
use super::gathered::Gathered;
use super::kernels::{Kernels, Pair};
use crate::cone::{Diagonal, Program, Square};

/// Sums over rows of the diagonal block that are worth a thread.
const SUMS_OF_A_THREAD: usize = 256;

/// The entries of matrix `k` in the diagonal block, each with its row.
pub(super) fn of_diagonal<T: Kernels>(diagonal: &Diagonal<T>, k: usize) -> &[Pair] {
    &diagonal.numbers[diagonal.by_constraint[k]..diagonal.by_constraint[k + 1]]
}

/// `Fᵢ•A` block by block: in each square for the constraints that it has, in the diagonal block for
/// all.
pub(super) fn constraint_products<T: Kernels>(
    program: &Program<T>,
    gathered: &[Gathered<T>],
    a: &Blocks<T>,
) -> Vec<Numbers<T>> {
    let (diagonal, format) = (program.diagonal(), a.diagonal.format());
    let squares = program.squares().iter().zip(gathered).zip(&a.squares);
    let of_square = |((square, gathered), a): ((&Square<T>, &Gathered<T>), &Matrix<T>)| {
        let count = square.constraints.len();
        let mut products = Numbers::zeros(format, count);
        let least = 1 + T::TERMS * count / (1 + square.entries.len());
        fill(products.as_mut_slice(), least, || (), |(), k, to| gathered.product(k, a, to));
        products
    };
    let mut products: Vec<_> = squares.map(of_square).collect();
    let mut of_rows = Numbers::zeros(format, program.constraints());
    fill(
        of_rows.as_mut_slice(),
        SUMS_OF_A_THREAD,
        || (),
        |(), k, to| {
            let own = of_diagonal(diagonal, k);
            T::gather(to, diagonal.values.as_slice(), a.diagonal.as_slice(), own);
        },
    );
    products.push(of_rows);
    products
}

/// Adds up products of blocks: that of the diagonal block, then those of the squares, one after the
/// other.
pub(super) fn add_products<T: Kernels>(
    program: &Program<T>,
    products: &[Numbers<T>],
    mut v: SliceMut<'_, T>,
) {
    let (squares, of_rows) = products.split_at(program.squares().len());
    v.reborrow().copy_from(of_rows[0].as_slice());
    for (square, products) in program.squares().iter().zip(squares) {
        for (i, &k) in square.constraints.iter().enumerate() {
            T::add_to(&mut v, k as usize, products.as_slice(), i);
        }
    }
}

/// `F₀•A` block by block, the diagonal one last.
pub(super) fn constant_products<T: Kernels>(
    program: &Program<T>,
    gathered: &[Gathered<T>],
    a: &Blocks<T>,
) -> Numbers<T> {
    let (diagonal, squares) = (program.diagonal(), program.squares());
    let mut products = Numbers::zeros(a.diagonal.format(), squares.len() + 1);
    let mut to = products.as_mut_slice().pieces(1).into_iter();
    for (((square, gathered), a), to) in squares.iter().zip(gathered).zip(&a.squares).zip(&mut to) {
        gathered.product(square.constraints.len(), a, to);
    }
    let own = of_diagonal(diagonal, program.constraints());
    let (values, rows) = (diagonal.values.as_slice(), a.diagonal.as_slice());
    to.for_each(|to| T::gather(to, values, rows, own));
    products
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
