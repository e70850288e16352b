//! The elementwise operations: one table, from which the reference, the kernels, tests, benchmarks
//! and programs read.

use core::fmt::Debug;

use nonius_num::Mp;

use crate::cpu::elementwise::{Job, Operation};
use crate::{Number, Pack};

/// A set of functions of `K` numbers: [`UnaryOp`], [`BinaryOp`], [`TernaryOp`].
pub trait Operations<const K: usize>: Debug + Select<K> + 'static {
    /// All of them.
    const ALL: &'static [Self];

    /// The name that programs and tables use.
    fn name(self) -> &'static str;

    /// Whether it takes hundreds of instructions, where the others take a few.
    fn is_long(self) -> bool;

    /// The operation on numbers.
    fn apply<T: Number>(self, operands: [T; K]) -> T;

    /// The operation of that name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operation| operation.name() == name)
    }
}

/// Finds the kernel of the function that is named at run time.
pub trait Select<const K: usize>: Copy + Send + Sync {
    /// Does the job. Not generic, so that the many kernels are compiled with this crate and not
    /// again for every user.
    fn run(self, job: Job<'_, K>);

    /// The operation on numbers of any precision.
    fn of_mp(self, operands: [Mp; K]) -> Mp;
}

/// From rows `Variant "name" expression;` makes the enumeration and its functions of numbers and of
/// packs. The rows after `functions` are long computations, whose kernels work on tiles.
macro_rules! operations {
    (
        $(#[$documentation:meta])*
        $operations:ident $arity:literal $operands:tt in $module:ident;
        arithmetic { $($(#[$meaning:meta])* $name:ident $text:literal $value:expr;)* }
        functions { $($(#[$sense:meta])* $function:ident $spelling:literal $result:expr;)* }
    ) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $operations {
            $($(#[$meaning])* $name,)*
            $($(#[$sense])* $function,)*
        }

        impl Operations<$arity> for $operations {
            const ALL: &'static [Self] = &[$(Self::$name,)* $(Self::$function,)*];

            fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* $(Self::$function => $spelling,)* }
            }

            #[inline]
            fn is_long(self) -> bool {
                match self { $(Self::$name => false,)* $(Self::$function => true,)* }
            }

            #[inline]
            fn apply<T: Number>(self, $operands: [T; $arity]) -> T {
                match self { $(Self::$name => $value,)* $(Self::$function => $result,)* }
            }
        }

        impl Select<$arity> for $operations {
            fn run(self, job: Job<'_, $arity>) {
                match self {
                    $(Self::$name => job.fused($module::$name),)*
                    $(Self::$function => job.tiled($module::$function),)*
                }
            }

            fn of_mp(self, operands: [Mp; $arity]) -> Mp {
                self.apply(operands)
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
            $(
                #[derive(Clone, Copy)]
                pub(super) struct $function;

                impl Operation<$arity> for $function {
                    #[inline(always)]
                    fn pack<P: Pack>(self, $operands: [P; $arity]) -> P {
                        $result
                    }
                }
            )*
        }
    };
}

operations! {
    /// Functions of one number.
    UnaryOp 1 [x] in unary;
    arithmetic {
        /// `−x`.
        Neg "neg" -x;
        /// `|x|`.
        Abs "abs" x.abs();
        /// `√x`; NaN below zero.
        Sqrt "sqrt" x.sqrt();
    }
    functions {
        /// `e^x`.
        Exp "exp" x.exp();
        /// `2^x`.
        Exp2 "exp2" x.exp2();
        /// `e^x − 1`.
        ExpM1 "expm1" x.exp_m1();
        /// Natural logarithm.
        Ln "ln" x.ln();
        /// Logarithm to base 2.
        Log2 "log2" x.log2();
        /// Logarithm to base 10.
        Log10 "log10" x.log10();
        /// `ln(1 + x)`.
        Ln1p "log1p" x.ln_1p();
        /// Cube root.
        Cbrt "cbrt" x.cbrt();
        /// Sine.
        Sin "sin" x.sin();
        /// Cosine.
        Cos "cos" x.cos();
        /// Tangent.
        Tan "tan" x.tan();
        /// Arc sine.
        Asin "asin" x.asin();
        /// Arc cosine.
        Acos "acos" x.acos();
        /// Arc tangent.
        Atan "atan" x.atan();
        /// Hyperbolic sine.
        Sinh "sinh" x.sinh();
        /// Hyperbolic cosine.
        Cosh "cosh" x.cosh();
        /// Hyperbolic tangent.
        Tanh "tanh" x.tanh();
        /// Inverse hyperbolic sine.
        Asinh "asinh" x.asinh();
        /// Inverse hyperbolic cosine.
        Acosh "acosh" x.acosh();
        /// Inverse hyperbolic tangent.
        Atanh "atanh" x.atanh();
    }
}

operations! {
    /// Functions of two numbers.
    BinaryOp 2 [x, y] in binary;
    arithmetic {
        /// `x + y`.
        Add "add" x + y;
        /// `x − y`.
        Sub "sub" x - y;
        /// `x · y`.
        Mul "mul" x * y;
        /// `x / y`.
        Div "div" x / y;
    }
    functions {
        /// `x^y`.
        Pow "pow" x.pow(y);
        /// `√(x² + y²)`.
        Hypot "hypot" x.hypot(y);
        /// The angle of the point `(y, x)`.
        Atan2 "atan2" x.atan2(y);
    }
}

operations! {
    /// Functions of three numbers.
    TernaryOp 3 [x, y, z] in ternary;
    arithmetic {
        /// `x · y + z`, the product rounded first.
        MulAdd "mul_add" x * y + z;
    }
    functions {}
}

/// `x^n` for the same `n` everywhere.
#[derive(Clone, Copy)]
pub(crate) struct Powi(pub(crate) i32);

impl Operation<1> for Powi {
    #[inline(always)]
    fn pack<P: Pack>(self, [x]: [P; 1]) -> P {
        x.powi(self.0)
    }
}

impl Select<1> for Powi {
    fn run(self, job: Job<'_, 1>) {
        job.tiled(self);
    }

    fn of_mp(self, [x]: [Mp; 1]) -> Mp {
        x.powi(self.0)
    }
}
