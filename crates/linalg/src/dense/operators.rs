//! Operators of matrices, on the host's processor.

use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::gemm::gemm;
use super::{Matrix, Transpose};
use crate::Number;

/// `A·B`.
///
/// Panics where `A` has another number of columns than `B` rows, where the precisions differ, and
/// where there is no memory for the result: [`gemm`] has errors for these.
impl<T: Number> Mul<&Matrix<T>> for &Matrix<T> {
    type Output = Matrix<T>;

    fn mul(self, b: &Matrix<T>) -> Matrix<T> {
        let (rows, cols) = (self.rows(), b.cols());
        let no = Transpose::No;
        let product = Matrix::try_zeros_in(self.format(), rows, cols).and_then(|mut c| {
            gemm(no, no, T::ONE, self.view(), b.view(), T::ZERO, c.view_mut()).map(|_| c)
        });
        product.unwrap_or_else(|error| panic!("A * B: {error}"))
    }
}

/// Every entry times `x`.
impl<T: Number> Mul<T> for &Matrix<T> {
    type Output = Matrix<T>;

    fn mul(self, x: T) -> Matrix<T> {
        self.clone() * x
    }
}

/// Every entry times `x`.
impl<T: Number> Mul<T> for Matrix<T> {
    type Output = Self;

    fn mul(mut self, x: T) -> Self {
        self *= x;
        self
    }
}

/// Every entry times `x`.
impl<T: Number> MulAssign<T> for Matrix<T> {
    fn mul_assign(&mut self, x: T) {
        each(self, |entry| entry * x);
    }
}

/// Every entry with its sign changed.
impl<T: Number> Neg for &Matrix<T> {
    type Output = Matrix<T>;

    fn neg(self) -> Matrix<T> {
        -self.clone()
    }
}

/// Every entry with its sign changed.
impl<T: Number> Neg for Matrix<T> {
    type Output = Self;

    fn neg(mut self) -> Self {
        each(&mut self, |entry| -entry);
        self
    }
}

fn each<T: Number>(a: &mut Matrix<T>, f: impl Fn(T) -> T) {
    let count = a.numbers().len();
    let mut numbers = a.numbers_mut();
    (0..count).for_each(|i| numbers.set(i, f(numbers.at(i))));
}

fn with<T: Number>(a: &mut Matrix<T>, b: &Matrix<T>, name: &str, f: impl Fn(T, T) -> T) {
    let (shape, other) = (a.shape(), b.shape());
    assert!(shape == other, "A {name} B: A has the shape {shape:?} and B {other:?}");
    let b = b.numbers();
    let mut numbers = a.numbers_mut();
    (0..b.len()).for_each(|i| numbers.set(i, f(numbers.at(i), b.at(i))));
}

/// Implements an operator of two matrices of one shape, which panics where these differ.
macro_rules! entrywise {
    ($trait:ident $method:ident $assign:ident $assign_method:ident $name:tt $doc:literal) => {
        #[doc = $doc]
        ///
        /// Panics where the shapes differ. The result has the format of `A`.
        impl<T: Number> $assign<&Matrix<T>> for Matrix<T> {
            fn $assign_method(&mut self, b: &Matrix<T>) {
                with(self, b, stringify!($name), |x, y| x $name y);
            }
        }

        #[doc = $doc]
        ///
        /// Panics where the shapes differ. The result has the format of `A`.
        impl<T: Number> $trait<&Matrix<T>> for Matrix<T> {
            type Output = Self;

            fn $method(mut self, b: &Matrix<T>) -> Self {
                with(&mut self, b, stringify!($name), |x, y| x $name y);
                self
            }
        }

        #[doc = $doc]
        ///
        /// Panics where the shapes differ. The result has the format of `A`.
        impl<T: Number> $trait<&Matrix<T>> for &Matrix<T> {
            type Output = Matrix<T>;

            fn $method(self, b: &Matrix<T>) -> Matrix<T> {
                self.clone().$method(b)
            }
        }
    };
}

entrywise!(Add add AddAssign add_assign + "`A + B`.");
entrywise!(Sub sub SubAssign sub_assign - "`A − B`.");
