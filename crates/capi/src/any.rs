//! Matrices of every precision.

use nonius::num::{Element, MultiFloat};
use nonius::{Dd, Matrix, Mp, Number, Precision, Qd, Td};

use crate::failure::Failure;
use crate::status::Status;

/// A matrix whose precision is known when the program runs.
#[derive(Clone, Debug)]
pub(crate) enum Any {
    F64(Matrix<f64>),
    Dd(Matrix<Dd>),
    Td(Matrix<Td>),
    Qd(Matrix<Qd>),
    Mp(Matrix<Mp>),
}

/// The numbers of matrices.
pub(crate) trait Kind: Number {
    /// Doubles that a number consists of; none where it consists of other things.
    const LIMBS: usize;

    /// The matrix, its type forgotten.
    fn any(matrix: Matrix<Self>) -> Any;

    /// The matrix again, where it has such numbers.
    fn of(any: &Any) -> Option<&Matrix<Self>>;

    /// The number nearest to one of any precision; infinite beyond the range.
    fn rounded(format: Self::Format, x: &Mp) -> Self;

    /// The number with these limbs, which do not overlap.
    fn of_limbs(limbs: &[f64]) -> Self;

    /// The limbs, as many as [`LIMBS`](Self::LIMBS).
    fn limbs(self) -> [f64; 4];
}

impl Kind for f64 {
    const LIMBS: usize = 1;

    fn any(matrix: Matrix<Self>) -> Any {
        Any::F64(matrix)
    }

    fn of(any: &Any) -> Option<&Matrix<Self>> {
        if let Any::F64(matrix) = any { Some(matrix) } else { None }
    }

    fn rounded((): (), x: &Mp) -> Self {
        x.to_f64()
    }

    fn of_limbs(limbs: &[f64]) -> Self {
        limbs.first().copied().unwrap_or(0.0)
    }

    fn limbs(self) -> [f64; 4] {
        [self, 0.0, 0.0, 0.0]
    }
}

macro_rules! limbs {
    ($($number:ident $count:literal)*) => {$(
        impl Kind for $number {
            const LIMBS: usize = $count;

            fn any(matrix: Matrix<Self>) -> Any {
                Any::$number(matrix)
            }

            fn of(any: &Any) -> Option<&Matrix<Self>> {
                if let Any::$number(matrix) = any { Some(matrix) } else { None }
            }

            fn rounded((): (), x: &Mp) -> Self {
                x.to_multifloat()
            }

            fn of_limbs(limbs: &[f64]) -> Self {
                MultiFloat::from_limbs(core::array::from_fn(|i| limbs.get(i).copied().unwrap_or(0.0)))
            }

            fn limbs(self) -> [f64; 4] {
                let limbs = self.limbs();
                core::array::from_fn(|i| limbs.get(i).copied().unwrap_or(0.0))
            }
        }
    )*};
}

limbs!(Dd 2 Td 3 Qd 4);

impl Kind for Mp {
    const LIMBS: usize = 0;

    fn any(matrix: Matrix<Self>) -> Any {
        Any::Mp(matrix)
    }

    fn of(any: &Any) -> Option<&Matrix<Self>> {
        if let Any::Mp(matrix) = any { Some(matrix) } else { None }
    }

    fn rounded(bits: <Self as Element>::Format, x: &Mp) -> Self {
        x.view().to_mp(bits)
    }

    fn of_limbs(limbs: &[f64]) -> Self {
        Self::from_f64(nonius::num::mp::Bits::FEWEST, limbs.first().copied().unwrap_or(0.0))
    }

    fn limbs(self) -> [f64; 4] {
        [self.to_f64(), 0.0, 0.0, 0.0]
    }
}

/// Does the same with a matrix of any precision.
macro_rules! each {
    ($any:expr, $a:ident => $value:expr) => {
        match $any {
            $crate::any::Any::F64($a) => $value,
            $crate::any::Any::Dd($a) => $value,
            $crate::any::Any::Td($a) => $value,
            $crate::any::Any::Qd($a) => $value,
            $crate::any::Any::Mp($a) => $value,
        }
    };
}

/// Does the same with two matrices of any precision, which is the same for both.
macro_rules! both {
    ($one:expr, $other:expr, ($a:ident, $b:ident) => $value:expr) => {
        match ($one, $other) {
            ($crate::any::Any::F64($a), $crate::any::Any::F64($b)) => $value,
            ($crate::any::Any::Dd($a), $crate::any::Any::Dd($b)) => $value,
            ($crate::any::Any::Td($a), $crate::any::Any::Td($b)) => $value,
            ($crate::any::Any::Qd($a), $crate::any::Any::Qd($b)) => $value,
            ($crate::any::Any::Mp($a), $crate::any::Any::Mp($b)) => $value,
            (one, other) => Err($crate::any::different(one, other)),
        }
    };
}

/// Calls a generic function with the numbers of a precision and their format.
macro_rules! at {
    ($precision:expr, $function:ident($($argument:expr),*)) => {
        match $precision {
            nonius::Precision::F64 => $function::<f64>((), $($argument),*),
            nonius::Precision::Dd => $function::<nonius::Dd>((), $($argument),*),
            nonius::Precision::Td => $function::<nonius::Td>((), $($argument),*),
            nonius::Precision::Qd => $function::<nonius::Qd>((), $($argument),*),
            nonius::Precision::Mp(bits) => $function::<nonius::Mp>(bits, $($argument),*),
        }
    };
}

pub(crate) use {at, both, each};

impl Any {
    pub(crate) fn shape(&self) -> (usize, usize) {
        each!(self, a => a.shape())
    }

    pub(crate) fn precision(&self) -> Precision {
        fn of<T: Number>(a: &Matrix<T>) -> Precision {
            T::precision(a.format())
        }
        each!(self, a => of(a))
    }
}

/// Why two matrices are not used together.
pub(crate) fn different(one: &Any, other: &Any) -> Failure {
    let (one, other) = (one.precision(), other.precision());
    let text = format_args!("the matrices are {one} and {other} where one precision is needed");
    Failure::new(Status::Precision, text)
}
