//! How each kind of numbers computes entry by entry.

use nonius_num::{Dd, Element, Mp, Qd, Td};

use super::elementwise as limbs;
use super::mp::elementwise as mp;
use crate::dense::Operand;
use crate::operation::Select;
use crate::{MatMut, MatRef};

/// Elementwise operations of a kind of numbers: by registers of limbs, or number by number.
pub trait Entrywise: Element {
    /// `output ← operation(operands)`, entry by entry. Panics when the shapes do not fit.
    fn elementwise<const K: usize>(
        operation: impl Select<K>,
        operands: [Operand<Self, MatRef<'_, Self>>; K],
        output: MatMut<'_, Self>,
    );

    /// `sin ← sin x` and `cos ← cos x`, entry by entry. Panics when the shapes do not fit.
    fn sin_cos_of_entries(x: MatRef<'_, Self>, sin: MatMut<'_, Self>, cos: MatMut<'_, Self>);
}

macro_rules! entrywise {
    ($kernels:ident: $elementwise:ident $sin_cos:ident: $($number:ty)*) => {$(
        impl Entrywise for $number {
            fn elementwise<const K: usize>(
                operation: impl Select<K>,
                operands: [Operand<Self, MatRef<'_, Self>>; K],
                output: MatMut<'_, Self>,
            ) {
                $kernels::$elementwise(operation, operands, output);
            }

            fn sin_cos_of_entries(x: MatRef<'_, Self>, sin: MatMut<'_, Self>, cos: MatMut<'_, Self>) {
                $kernels::$sin_cos(x, sin, cos);
            }
        }
    )*};
}

entrywise!(limbs: of_limbs sin_cos_of_limbs: f64 Dd Td Qd);
entrywise!(mp: elementwise sin_cos: Mp);
