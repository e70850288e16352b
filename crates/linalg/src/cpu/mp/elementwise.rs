//! Elementwise operations: threads share entries, each of which is rounded once.

use nonius_num::{Elementary, Mp, Real};

use crate::dense::Operand;
use crate::operation::Select;
use crate::threads::join;
use crate::{MatMut, MatRef, SliceMut};

/// Entries that one thread should have at least.
const ENTRIES_OF_A_THREAD: usize = 256;

/// `output ← operation(operands)`, entry by entry. Scalars are rounded to the output's bits first.
/// Panics when the shapes do not fit.
pub(in crate::cpu) fn elementwise<const K: usize>(
    operation: impl Select<K>,
    operands: [Operand<Mp, MatRef<'_, Mp>>; K],
    output: MatMut<'_, Mp>,
) {
    let (shape, bits) = (output.shape(), output.format());
    let operands = operands.map(|operand| match operand {
        Operand::Scalar(x) => Operand::Scalar(x.to_format(bits)),
        operand => operand,
    });
    for operand in &operands {
        if let Operand::Entries(x) = operand {
            assert_eq!(x.shape(), shape, "shape of an operand");
        }
    }
    of_columns(output, 0, &|j, first, out| {
        for i in 0..out.len() {
            let numbers = operands.map(|operand| match operand {
                Operand::Entries(x) => x.at(first + i, j),
                Operand::Scalar(x) => x,
                Operand::Output => out.at(i),
            });
            out.set(i, operation.of_mp(numbers));
        }
    });
}

/// `sin ← sin x` and `cos ← cos x`, entry by entry. Panics when the shapes do not fit.
pub(in crate::cpu) fn sin_cos(x: MatRef<'_, Mp>, sin: MatMut<'_, Mp>, cos: MatMut<'_, Mp>) {
    assert_eq!((sin.shape(), cos.shape()), (x.shape(), x.shape()), "shapes of the results");
    both_of_columns(x, 0, sin, cos);
}

fn both_of_columns(
    x: MatRef<'_, Mp>,
    first: usize,
    mut sin: MatMut<'_, Mp>,
    mut cos: MatMut<'_, Mp>,
) {
    let (rows, cols) = sin.shape();
    if cols > 1 && rows * cols > ENTRIES_OF_A_THREAD {
        let middle = cols / 2;
        let (left_sin, right_sin) = sin.split_cols(middle);
        let (left_cos, right_cos) = cos.split_cols(middle);
        join(
            || both_of_columns(x, first, left_sin, left_cos),
            || both_of_columns(x, first + middle, right_sin, right_cos),
        );
        return;
    }
    for j in 0..cols {
        both_of_column(x, (first + j, 0), sin.column_mut(j), cos.column_mut(j));
    }
}

fn both_of_column(
    x: MatRef<'_, Mp>,
    (j, first): (usize, usize),
    mut sin: SliceMut<'_, Mp>,
    mut cos: SliceMut<'_, Mp>,
) {
    if sin.len() > ENTRIES_OF_A_THREAD {
        let middle = sin.len() / 2;
        let (upper_sin, lower_sin) = sin.split_at(middle);
        let (upper_cos, lower_cos) = cos.split_at(middle);
        join(
            || both_of_column(x, (j, first), upper_sin, upper_cos),
            || both_of_column(x, (j, first + middle), lower_sin, lower_cos),
        );
        return;
    }
    for i in 0..sin.len() {
        let (sine, cosine) = x.at(first + i, j).sin_cos();
        sin.set(i, sine);
        cos.set(i, cosine);
    }
}

/// Does the work on parts of columns, told by column and first row.
fn of_columns(
    mut output: MatMut<'_, Mp>,
    first: usize,
    work: &(impl Fn(usize, usize, &mut SliceMut<'_, Mp>) + Sync),
) {
    let (rows, cols) = output.shape();
    if cols > 1 && rows * cols > ENTRIES_OF_A_THREAD {
        let middle = cols / 2;
        let (left, right) = output.split_cols(middle);
        join(|| of_columns(left, first, work), || of_columns(right, first + middle, work));
        return;
    }
    (0..cols).for_each(|j| of_column(output.column_mut(j), (first + j, 0), work));
}

fn of_column(
    mut output: SliceMut<'_, Mp>,
    (j, first): (usize, usize),
    work: &(impl Fn(usize, usize, &mut SliceMut<'_, Mp>) + Sync),
) {
    if output.len() > ENTRIES_OF_A_THREAD {
        let middle = output.len() / 2;
        let (upper, lower) = output.split_at(middle);
        join(|| of_column(upper, (j, first), work), || of_column(lower, (j, first + middle), work));
        return;
    }
    work(j, first, &mut output);
}
