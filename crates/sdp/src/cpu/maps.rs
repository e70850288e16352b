//! From vectors to matrices and back: `Σ xᵢ·Fᵢ` and `Fᵢ•A`.

use nonius_linalg::Scalar;
use nonius_linalg::threads::{Grain, chunks, for_each, map};

use super::blocks::Blocks;
use super::gathered::Gathered;
use crate::cone::{Diagonal, Program};

/// Entries that are worth a thread.
const ENTRIES_OF_A_THREAD: usize = 1 << 12;

/// The entries of matrix `k` on the diagonal times those of `a`.
fn diagonal_product<T: Scalar>(diagonal: &Diagonal<T>, k: usize, a: &[T]) -> T {
    let numbers = &diagonal.numbers[diagonal.by_constraint[k]..diagonal.by_constraint[k + 1]];
    numbers
        .iter()
        .map(|&(row, e)| diagonal.values.at(e as usize) * a[row as usize])
        .fold(T::ZERO, |x, y| x + y)
}

/// `vᵢ ← Fᵢ•A`
pub(super) fn constraint_products<T: Scalar>(
    program: &Program<T>,
    gathered: &[Gathered<T>],
    a: &Blocks<T>,
    v: &mut [T],
) {
    let diagonal = program.diagonal();
    for_each(&mut v[..], Grain::AtLeast(256), |k, v| {
        *v = diagonal_product(diagonal, k, &a.diagonal);
    });
    for ((square, gathered), a) in program.squares().iter().zip(gathered).zip(&a.squares) {
        let count = square.constraints.len();
        let grain = Grain::AtLeast(1 + ENTRIES_OF_A_THREAD * count / (1 + square.entries.len()));
        let products: Vec<T> = map(count, grain, |k| gathered.product(k, a));
        for (&k, product) in square.constraints.iter().zip(products) {
            v[k as usize] += product;
        }
    }
}

/// `F₀•A`
pub(super) fn constant_product<T: Scalar>(
    program: &Program<T>,
    gathered: &[Gathered<T>],
    a: &Blocks<T>,
) -> T {
    let first = diagonal_product(program.diagonal(), program.constraints(), &a.diagonal);
    let squares = program.squares().iter().zip(gathered).zip(&a.squares);
    let products =
        squares.map(|((square, gathered), a)| gathered.product(square.constraints.len(), a));
    products.fold(first, |x, y| x + y)
}

/// `A ← Σ xᵢ·Fᵢ + α·F₀`
pub(super) fn combine<T: Scalar>(program: &Program<T>, x: &[T], alpha: T, a: &mut Blocks<T>) {
    let weight = |constraint: u32| x.get(constraint as usize).copied().unwrap_or(alpha);
    for (square, a) in program.squares().iter().zip(&mut a.squares) {
        if square.order == 0 {
            continue;
        }
        let grain = Grain::AtLeast(1 + ENTRIES_OF_A_THREAD / square.order);
        for_each(chunks(a.as_mut_slice(), square.order), grain, |j, column| {
            column.fill(T::ZERO);
            for source in &square.sources[square.columns[j]..square.columns[j + 1]] {
                let value = square.entries.values.at(source.entry as usize);
                column[source.row as usize] += weight(source.constraint) * value;
            }
        });
    }
    let diagonal = program.diagonal();
    for (i, a) in a.diagonal.iter_mut().enumerate() {
        *a = (diagonal.starts[i]..diagonal.starts[i + 1])
            .map(|e| weight(diagonal.constraints[e]) * diagonal.values.at(e))
            .fold(T::ZERO, |x, y| x + y);
    }
}
