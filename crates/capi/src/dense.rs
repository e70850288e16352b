//! Products, systems, least squares, inverses, determinants, eigenvalues and singular values.

use std::ffi::c_char;

use nonius::dense::{
    Determinant, Eigenvalues, Inverse, LeastSquares, Multiply, SingularValues, Solve, Transpose,
    Vectors, decimal_determinant,
};

use crate::any::{Any, Kind, both, each};
use crate::failure::{Failure, guarded};
use crate::matrix::{Matrix, written};
use crate::pointers::{check, hand_over, put_if_wanted, reference};
use crate::report::Report;
use crate::settings::{device, on_threads};
use crate::status::Status;
use crate::text::Buffer;

/// The product of two matrices of one precision, each transposed where its flag is not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_multiply(
    a: *const Matrix,
    transpose_a: i32,
    b: *const Matrix,
    transpose_b: i32,
    product: *mut *mut Matrix,
) -> Status {
    fn of<T: Kind>(
        (a, op_a): (&nonius::Matrix<T>, Transpose),
        (b, op_b): (&nonius::Matrix<T>, Transpose),
    ) -> Result<Any, Failure> {
        let task = Multiply::new(a, b).transpose_a(op_a).transpose_b(op_b).device(device());
        Ok(T::any(on_threads(|| Ok(task.run()?))?.0))
    }
    guarded(|| {
        check(product, "product")?;
        // SAFETY: the contract for handles that are read.
        let (Matrix(a), Matrix(b)) = unsafe { (reference(a, "a")?, reference(b, "b")?) };
        let op = |flag| if flag == 0 { Transpose::No } else { Transpose::Yes };
        let made = both!(a, b, (a, b) => of((a, op(transpose_a)), (b, op(transpose_b))))?;
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(product, Matrix(made)) };
        Ok(())
    })
}

/// Solves A·X = B with a square matrix in the precision of both. The report, which may be NULL,
/// estimates how many digits are correct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_solve(
    a: *const Matrix,
    b: *const Matrix,
    x: *mut *mut Matrix,
    report: *mut Report,
) -> Status {
    fn of<T: Kind>(a: &nonius::Matrix<T>, b: &nonius::Matrix<T>) -> Result<(Any, Report), Failure> {
        let task = Solve::new(a).rhs(b).device(device());
        let (x, report) = on_threads(|| Ok(task.run()?))?;
        let (residual, condition) = (report.relative_residual, report.condition_estimate);
        let digits = report.correct_digits;
        let told = Report::judged(&report.place, digits, Some(residual), Some(condition));
        Ok((T::any(x), told))
    }
    let solved = |a: &Any, b: &Any| both!(a, b, (a, b) => of(a, b));
    // SAFETY: as this function's.
    unsafe { solution(a, b, x, report, solved) }
}

/// Solves A·X = B so that every entry of X has proved digits, 1000 at most. The entries of A and B
/// count as exact. X has as many bits as the digits take.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_solve_digits(
    a: *const Matrix,
    b: *const Matrix,
    digits: u32,
    x: *mut *mut Matrix,
    report: *mut Report,
) -> Status {
    fn of<T: Kind>(
        a: &nonius::Matrix<T>,
        b: &nonius::Matrix<T>,
        digits: u32,
    ) -> Result<(Any, Report), Failure> {
        let task = Solve::new(a).rhs(b).digits(digits).device(device());
        let (found, place) = on_threads(|| Ok(task.run()?))?;
        let told = Report {
            condition_estimate: found.condition.to_f64(),
            error_bound: found.error_bound.to_f64(),
            digits_proved: found.digits.unwrap_or(digits),
            is_exact: found.digits.is_none().into(),
            ..Report::at(&place)
        };
        Ok((Any::Mp(found.x), told))
    }
    let solved = |a: &Any, b: &Any| both!(a, b, (a, b) => of(a, b, digits));
    // SAFETY: as this function's.
    unsafe { solution(a, b, x, report, solved) }
}

/// Writes what a task makes of two matrices, and its report.
///
/// # Safety
/// The [contract](crate#contract) for handles that are read, and for outputs.
unsafe fn solution(
    a: *const Matrix,
    b: *const Matrix,
    x: *mut *mut Matrix,
    report: *mut Report,
    task: impl FnOnce(&Any, &Any) -> Result<(Any, Report), Failure>,
) -> Status {
    guarded(|| {
        check(x, "x")?;
        // SAFETY: as this function's.
        let (Matrix(a), Matrix(b)) = unsafe { (reference(a, "a")?, reference(b, "b")?) };
        let (made, told) = task(a, b)?;
        // SAFETY: as this function's; the first pointer is checked.
        unsafe { put_result(x, made, report, told) }
    })
}

/// The inverse of a square matrix. The report may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_inverse(
    a: *const Matrix,
    inverse: *mut *mut Matrix,
    report: *mut Report,
) -> Status {
    fn of<T: Kind>(a: &nonius::Matrix<T>) -> Result<(Any, Report), Failure> {
        let task = Inverse::new(a).device(device());
        let (x, report) = on_threads(|| Ok(task.run()?))?;
        let (residual, condition) = (report.relative_residual, report.condition_estimate);
        let digits = report.correct_digits;
        let told = Report::judged(&report.place, digits, Some(residual), Some(condition));
        Ok((T::any(x), told))
    }
    guarded(|| {
        check(inverse, "inverse")?;
        // SAFETY: the contract for a handle that is read.
        let Matrix(a) = unsafe { reference(a, "a") }?;
        let (made, told) = each!(a, a => of(a))?;
        // SAFETY: the contract for outputs; the first pointer is checked.
        unsafe { put_result(inverse, made, report, told) }
    })
}

/// X with the least ‖B − A·X‖₂; where A has fewer rows than columns, the shortest solution of
/// A·X = B. The report may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_least_squares(
    a: *const Matrix,
    b: *const Matrix,
    x: *mut *mut Matrix,
    report: *mut Report,
) -> Status {
    fn of<T: Kind>(a: &nonius::Matrix<T>, b: &nonius::Matrix<T>) -> Result<(Any, Report), Failure> {
        let task = LeastSquares::new(a).rhs(b).device(device());
        let (x, report) = on_threads(|| Ok(task.run()?))?;
        let (residual, condition) = (report.relative_residual, report.condition_estimate);
        let digits = report.correct_digits;
        let told = Report::judged(&report.place, digits, Some(residual), Some(condition));
        Ok((T::any(x), told))
    }
    let solved = |a: &Any, b: &Any| both!(a, b, (a, b) => of(a, b));
    // SAFETY: as this function's.
    unsafe { solution(a, b, x, report, solved) }
}

/// The determinant of a square matrix as decimal text, which may exceed the range of doubles. The
/// buffer is as in nonius_matrix_decimal. The report may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_determinant(
    a: *const Matrix,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    report: *mut Report,
) -> Status {
    fn of<T: Kind>(a: &nonius::Matrix<T>) -> Result<(String, Report), Failure> {
        let task = Determinant::new(a).device(device());
        let (value, report) = on_threads(|| Ok(task.run()?))?;
        let text = decimal_determinant(&value, report.precision)?;
        let (digits, condition) = (report.correct_digits, report.condition_estimate);
        Ok((text, Report::judged(&report.place, digits, None, Some(condition))))
    }
    guarded(|| {
        let buffer = Buffer { bytes: buffer, capacity, length };
        buffer.check()?;
        // SAFETY: the contract for a handle that is read.
        let Matrix(a) = unsafe { reference(a, "a") }?;
        let (text, told) = each!(a, a => of(a))?;
        // SAFETY: the contracts for a report that is written or null, and a buffer.
        unsafe {
            put_if_wanted(report, told, "report")?;
            buffer.write(&text)
        }
    })
}

/// The determinant of a square matrix with proved digits, 1000 at most, as decimal text. The
/// entries count as exact. The buffer is as in nonius_matrix_decimal. The report may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_determinant_digits(
    a: *const Matrix,
    digits: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    report: *mut Report,
) -> Status {
    fn of<T: Kind>(a: &nonius::Matrix<T>, digits: u32) -> Result<(String, Report), Failure> {
        let task = Determinant::new(a).digits(digits).device(device());
        let (found, place) = on_threads(|| Ok(task.run()?))?;
        let told = Report {
            digits_proved: found.digits.unwrap_or(digits),
            is_exact: found.digits.is_none().into(),
            ..Report::at(&place)
        };
        Ok((written(found.value, 0)?, told))
    }
    guarded(|| {
        let buffer = Buffer { bytes: buffer, capacity, length };
        buffer.check()?;
        // SAFETY: the contract for a handle that is read.
        let Matrix(a) = unsafe { reference(a, "a") }?;
        let (text, told) = each!(a, a => of(a, digits))?;
        // SAFETY: the contracts for a report that is written or null, and a buffer.
        unsafe {
            put_if_wanted(report, told, "report")?;
            buffer.write(&text)
        }
    })
}

/// The eigenvalues of a symmetric matrix in ascending order, as a column; unless `vectors` is NULL
/// the eigenvectors too, as the columns of a matrix. The report may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_eigenvalues(
    a: *const Matrix,
    values: *mut *mut Matrix,
    vectors: *mut *mut Matrix,
    report: *mut Report,
) -> Status {
    fn of<T: Kind>(
        a: &nonius::Matrix<T>,
        vectors: Vectors,
    ) -> Result<([Option<Any>; 2], Report), Failure> {
        let task = Eigenvalues::new(a).vectors(vectors).device(device());
        let (found, report) = on_threads(|| Ok(task.run()?))?;
        let told = Report::judged(&report.place, f64::NAN, report.relative_residual, None);
        Ok(([Some(column(a, &found.values)), found.vectors.map(T::any)], told))
    }
    guarded(|| {
        check(values, "values")?;
        let wanted = wanted(vectors, "vectors")?;
        // SAFETY: the contract for a handle that is read.
        let Matrix(a) = unsafe { reference(a, "a") }?;
        let (found, told) = each!(a, a => of(a, wanted))?;
        // SAFETY: the contract for outputs; the pointers of matrices are checked.
        unsafe {
            put_if_wanted(report, told, "report")?;
            put_matrices([values, vectors], found);
        }
        Ok(())
    })
}

/// The singular values of a matrix in descending order, as a column; unless `u` and `v` are NULL
/// the singular vectors too, as the columns of U and V with A = U·S·Vᵀ. The report may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_singular_values(
    a: *const Matrix,
    values: *mut *mut Matrix,
    u: *mut *mut Matrix,
    v: *mut *mut Matrix,
    report: *mut Report,
) -> Status {
    fn of<T: Kind>(
        a: &nonius::Matrix<T>,
        vectors: Vectors,
    ) -> Result<([Option<Any>; 3], Report), Failure> {
        let task = SingularValues::new(a).vectors(vectors).device(device());
        let (found, report) = on_threads(|| Ok(task.run()?))?;
        let told = Report::judged(&report.place, f64::NAN, report.relative_residual, None);
        let values = column(a, &found.values);
        let (u, v) = found.vectors.map_or((None, None), |(u, v)| (Some(u), Some(v)));
        Ok(([Some(values), u.map(T::any), v.map(T::any)], told))
    }
    guarded(|| {
        check(values, "values")?;
        let wanted = match (wanted(u, "u")?, wanted(v, "v")?) {
            (Vectors::No, Vectors::No) => Vectors::No,
            _ => Vectors::Yes,
        };
        // SAFETY: the contract for a handle that is read.
        let Matrix(a) = unsafe { reference(a, "a") }?;
        let (found, told) = each!(a, a => of(a, wanted))?;
        // SAFETY: the contract for outputs; the pointers of matrices are checked.
        unsafe {
            put_if_wanted(report, told, "report")?;
            put_matrices([values, u, v], found);
        }
        Ok(())
    })
}

/// Whether there is a place for vectors.
fn wanted(place: *mut *mut Matrix, name: &str) -> Result<Vectors, Failure> {
    if place.is_null() {
        return Ok(Vectors::No);
    }
    check(place, name).map(|()| Vectors::Yes)
}

/// Numbers like those of a matrix, as a column.
fn column<T: Kind>(like: &nonius::Matrix<T>, numbers: &[T]) -> Any {
    T::any(nonius::Matrix::from_fn_in(like.format(), numbers.len(), 1, |i, _| numbers[i]))
}

/// Hands over a matrix, and a report where it is wanted.
///
/// # Safety
/// The [contract](crate#contract) for outputs; the pointer of the matrix has been checked.
pub(crate) unsafe fn put_result(
    place: *mut *mut Matrix,
    made: Any,
    report: *mut Report,
    told: Report,
) -> Result<(), Failure> {
    // SAFETY: as this function's.
    unsafe {
        put_if_wanted(report, told, "report")?;
        hand_over(place, Matrix(made));
    }
    Ok(())
}

/// Hands over those matrices that are there and wanted.
///
/// # Safety
/// The [contract](crate#contract) for outputs; the pointers have been checked, or are null.
unsafe fn put_matrices<const N: usize>(places: [*mut *mut Matrix; N], found: [Option<Any>; N]) {
    for (place, matrix) in places.into_iter().zip(found) {
        if let Some(matrix) = matrix
            && !place.is_null()
        {
            // SAFETY: as this function's.
            unsafe { hand_over(place, Matrix(matrix)) };
        }
    }
}
