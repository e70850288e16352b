//! Factors of a matrix, for many right-hand sides.

use nonius::dense::{Cholesky, Lu, MatRef, Triangle};
use nonius::{Dd, Mp, Qd, Td};

use crate::any::{Any, Kind};
use crate::failure::{Failure, guarded};
use crate::matrix::Matrix;
use crate::pointers::{check, free, hand_over, reference};
use crate::settings::on_threads;
use crate::status::Status;

/// LU or Cholesky factors of a square matrix.
#[derive(Debug)]
pub struct Factors(AnyFactors);

#[derive(Debug)]
enum AnyFactors {
    F64(Of<f64>),
    Dd(Of<Dd>),
    Td(Of<Td>),
    Qd(Of<Qd>),
    Mp(Of<Mp>),
}

#[derive(Debug)]
enum Of<T: Kind> {
    Lu(Lu<T>),
    Cholesky(Cholesky<T>),
}

impl<T: Kind> Of<T> {
    fn factor(a: MatRef<'_, T>, by_cholesky: bool) -> Result<Self, Failure> {
        on_threads(|| {
            Ok(if by_cholesky {
                Self::Cholesky(Cholesky::factor(Triangle::Lower, a)?)
            } else {
                Self::Lu(Lu::factor(a)?)
            })
        })
    }

    fn solve(&self, b: MatRef<'_, T>) -> Result<Any, Failure> {
        let x = on_threads(|| {
            Ok(match self {
                Self::Lu(factors) => factors.solve(b)?,
                Self::Cholesky(factors) => factors.solve(b)?,
            })
        })?;
        Ok(T::any(x))
    }
}

/// LU factors of a square matrix with partial pivoting, on the CPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_lu(a: *const Matrix, factors: *mut *mut Factors) -> Status {
    // SAFETY: as this function's.
    unsafe { factor(a, factors, false) }
}

/// The Cholesky factor of a symmetric positive definite matrix, of which the lower triangle alone
/// is read, on the CPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_cholesky(a: *const Matrix, factors: *mut *mut Factors) -> Status {
    // SAFETY: as this function's.
    unsafe { factor(a, factors, true) }
}

unsafe fn factor(a: *const Matrix, factors: *mut *mut Factors, by_cholesky: bool) -> Status {
    guarded(|| {
        check(factors, "factors")?;
        // SAFETY: the contract for a handle that is read.
        let Matrix(a) = unsafe { reference(a, "a") }?;
        let found = match a {
            Any::F64(a) => AnyFactors::F64(Of::factor(a.view(), by_cholesky)?),
            Any::Dd(a) => AnyFactors::Dd(Of::factor(a.view(), by_cholesky)?),
            Any::Td(a) => AnyFactors::Td(Of::factor(a.view(), by_cholesky)?),
            Any::Qd(a) => AnyFactors::Qd(Of::factor(a.view(), by_cholesky)?),
            Any::Mp(a) => AnyFactors::Mp(Of::factor(a.view(), by_cholesky)?),
        };
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(factors, Factors(found)) };
        Ok(())
    })
}

/// Solves A·X = B by the factors of A, in the precision of both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_factors_solve(
    factors: *const Factors,
    b: *const Matrix,
    x: *mut *mut Matrix,
) -> Status {
    guarded(|| {
        check(x, "x")?;
        // SAFETY: the contract for handles that are read.
        let (Factors(factors), Matrix(b)) =
            unsafe { (reference(factors, "factors")?, reference(b, "b")?) };
        let found = match (factors, b) {
            (AnyFactors::F64(factors), Any::F64(b)) => factors.solve(b.view()),
            (AnyFactors::Dd(factors), Any::Dd(b)) => factors.solve(b.view()),
            (AnyFactors::Td(factors), Any::Td(b)) => factors.solve(b.view()),
            (AnyFactors::Qd(factors), Any::Qd(b)) => factors.solve(b.view()),
            (AnyFactors::Mp(factors), Any::Mp(b)) => factors.solve(b.view()),
            (_, b) => Err(Failure::new(
                Status::Precision,
                format_args!("the right-hand side is {}, and the factors are not", b.precision()),
            )),
        }?;
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(x, Matrix(found)) };
        Ok(())
    })
}

/// Frees factors. NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_factors_free(factors: *mut Factors) {
    // SAFETY: the contract for a handle that is freed.
    unsafe { free(factors) }
}
