//! From vectors to matrices and back: `Σ xᵢ·Fᵢ` and `Fᵢ•A`, every sum within a block rounded once.

use nonius_linalg::mp::Numbers;
use nonius_linalg::threads::{Grain, for_each_with};
use nonius_num::mp::{Mp, MpRef};

use super::blocks::MpBlocks;
use super::cone::MpCone;
use super::sums::{Pair, add, clear, fill, write};

/// Terms that are worth a thread.
const TERMS_OF_A_THREAD: usize = 1 << 8;

/// `vᵢ ← Fᵢ•A`
pub(super) fn constraint_products(cone: &MpCone, a: &MpBlocks, v: &mut Numbers) {
    let values = cone.program.diagonal().values.as_slice();
    fill(
        v.as_mut_slice(),
        TERMS_OF_A_THREAD,
        || (),
        |(), k, to| to.gather(values, a.diagonal.as_slice(), cone.of_diagonal(k)),
    );
    let mut sum = Mp::zero(cone.bits);
    for ((square, gathered), a) in cone.program.squares().iter().zip(&cone.gathered).zip(&a.squares)
    {
        let count = square.constraints.len();
        let mut products = Numbers::zeros(cone.bits, count);
        let least = 1 + TERMS_OF_A_THREAD * count / (1 + square.entries.len());
        fill(products.as_mut_slice(), least, || (), |(), k, to| gathered.product(k, a, to));
        for (i, &k) in square.constraints.iter().enumerate() {
            add(&mut v.as_mut_slice(), k as usize, products.entry(i), &mut sum);
        }
    }
}

/// `F₀•A`
pub(super) fn constant_product(cone: &MpCone, a: &MpBlocks) -> Mp {
    let program = &cone.program;
    let mut products = Numbers::zeros(cone.bits, 1 + program.squares().len());
    write(&mut products.as_mut_slice(), 0, |to| {
        let (values, pairs) = (&program.diagonal().values, cone.of_diagonal(program.constraints()));
        to.gather(values.as_slice(), a.diagonal.as_slice(), pairs)
    });
    for (i, (square, gathered)) in program.squares().iter().zip(&cone.gathered).enumerate() {
        write(&mut products.as_mut_slice(), i + 1, |to| {
            gathered.product(square.constraints.len(), &a.squares[i], to)
        });
    }
    (0..products.len()).fold(Mp::zero(cone.bits), |sum, i| sum.view() + products.entry(i))
}

/// `A ← Σ xᵢ·Fᵢ + α·F₀`
pub(super) fn combine(cone: &MpCone, x: &Numbers, alpha: MpRef<'_>, a: &mut MpBlocks) {
    let mut weights = x.clone();
    weights.push(alpha.to_mp(alpha.bits()));
    let weights = weights.as_slice();
    for (square, a) in cone.program.squares().iter().zip(&mut a.squares) {
        let mut columns = a.numbers_mut().pieces(square.order.max(1));
        let grain = Grain::AtLeast(1 + TERMS_OF_A_THREAD / square.order.max(1));
        for_each_with(&mut columns[..], grain, Vec::new, |pairs: &mut Vec<Pair>, j, column| {
            clear(column);
            let sources = &square.sources[square.columns[j]..square.columns[j + 1]];
            for one in sources.chunk_by(|x, y| x.row == y.row) {
                pairs.clear();
                pairs.extend(one.iter().map(|s| (s.entry as usize, s.constraint as usize)));
                write(column, one[0].row as usize, |to| {
                    to.gather(square.entries.values.as_slice(), weights, pairs)
                });
            }
        });
    }
    let diagonal = cone.program.diagonal();
    fill(a.diagonal.as_mut_slice(), TERMS_OF_A_THREAD, Vec::new, |pairs: &mut Vec<Pair>, i, to| {
        let entries = diagonal.starts[i]..diagonal.starts[i + 1];
        pairs.clear();
        pairs.extend(entries.map(|e| (e, diagonal.constraints[e] as usize)));
        to.gather(diagonal.values.as_slice(), weights, pairs)
    });
}
