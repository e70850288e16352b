//! The elementwise operations: one table, from which the reference, the kernels, tests, benchmarks and programs read.

use core::fmt::Debug;

use crate::{Pack, Scalar};

/// A set of functions of `K` numbers: [`UnaryOp`], [`BinaryOp`], [`TernaryOp`].
pub trait Operations<const K: usize>: Copy + Debug + Send + Sync + Select<K> + 'static {
    /// All of them.
    const ALL: &'static [Self];

    /// The name that programs and tables use.
    fn name(self) -> &'static str;

    /// The operation on numbers.
    fn apply<T: Scalar>(self, operands: [T; K]) -> T;

    /// The operation of that name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operation| operation.name() == name)
    }
}

/// One function of `K` numbers, as kernels are instantiated for it.
pub trait Operation<const K: usize>: Copy + Send + Sync {
    /// The operation in every lane.
    fn pack<P: Pack>(self, operands: [P; K]) -> P;
}

/// Runs work that is generic over the function for the function that is named at run time.
pub trait Select<const K: usize> {
    /// Calls `work` with the function.
    fn select<W: Work<K>>(self, work: W);
}

/// Work that is generic over the function.
pub trait Work<const K: usize> {
    /// Does the work.
    fn run<O: Operation<K>>(self, operation: O);
}

/// From rows `Variant "name" expression;` makes the enumeration and its functions of numbers and of packs.
macro_rules! operations {
    (
        $(#[$documentation:meta])*
        $operations:ident $arity:literal $operands:tt in $module:ident;
        $($(#[$meaning:meta])* $name:ident $text:literal $value:expr;)*
    ) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $operations {
            $($(#[$meaning])* $name,)*
        }

        impl Operations<$arity> for $operations {
            const ALL: &'static [Self] = &[$(Self::$name),*];

            fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            #[inline]
            fn apply<T: Scalar>(self, $operands: [T; $arity]) -> T {
                match self { $(Self::$name => $value,)* }
            }
        }

        impl Select<$arity> for $operations {
            fn select<W: Work<$arity>>(self, work: W) {
                match self { $(Self::$name => work.run($module::$name),)* }
            }
        }

        mod $module {
            use super::{Operation, Pack};

            $(
                #[derive(Clone, Copy)]
                pub(super) struct $name;

                impl Operation<$arity> for $name {
                    #[inline(always)]
                    fn pack<P: Pack>(self, $operands: [P; $arity]) -> P {
                        $value
                    }
                }
            )*
        }
    };
}

operations! {
    /// Functions of one number.
    UnaryOp 1 [x] in unary;
    /// `−x`.
    Neg "neg" -x;
    /// `|x|`.
    Abs "abs" x.abs();
    /// `√x`; NaN below zero.
    Sqrt "sqrt" x.sqrt();
}

operations! {
    /// Functions of two numbers.
    BinaryOp 2 [x, y] in binary;
    /// `x + y`.
    Add "add" x + y;
    /// `x − y`.
    Sub "sub" x - y;
    /// `x · y`.
    Mul "mul" x * y;
    /// `x / y`.
    Div "div" x / y;
}

operations! {
    /// Functions of three numbers.
    TernaryOp 3 [x, y, z] in ternary;
    /// `x · y + z`, the product rounded first.
    MulAdd "mul_add" x * y + z;
}
