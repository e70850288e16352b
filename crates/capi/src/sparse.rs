//! Sparse matrices, and systems solved by iteration.

use std::ffi::c_char;

use nonius::sparse::{Algorithm, Coo, Preconditioning, Solve, Values};

use crate::any::{Any, Kind, different};
use crate::failure::{Failure, guarded};
use crate::matrix::Matrix;
use crate::pointers::{check, elements, free, hand_over, put_if_wanted, reference, text};
use crate::report::Report;
use crate::settings::{device, on_threads};
use crate::status::Status;

/// Conjugate gradients, for symmetric positive definite matrices.
pub const NONIUS_CG: u32 = 0;
/// MINRES, for symmetric matrices.
pub const NONIUS_MINRES: u32 = 1;
/// BiCGSTAB, for any square matrix.
pub const NONIUS_BICGSTAB: u32 = 2;
/// GMRES with cycles of 50 iterations, for any square matrix.
pub const NONIUS_GMRES: u32 = 3;

/// A sparse matrix.
#[derive(Clone, Debug)]
pub struct Sparse {
    shape: (usize, usize),
    places: Vec<(usize, usize)>,
    /// A column with the value of each place.
    values: Any,
}

/// How far an iteration came.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// How many iterations there were.
    pub iterations: u64,
    /// 1 where the residual became as small as it was asked to be, else 0.
    pub converged: i32,
    /// The number of the GPU, -1 for the CPU, -2 for all GPUs.
    pub device: i32,
    /// The norm of the residual that the iteration updated, beside that of the first.
    pub recursive_residual: f64,
    /// The norm of b − A·x, beside that of the first residual.
    pub true_residual: f64,
}

/// A sparse matrix by triplets: `values[k]` belongs to row `row_indices[k]` and column
/// `col_indices[k]`, which count from 0. Values of one place are added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sparse_from_coo(
    rows: usize,
    cols: usize,
    count: usize,
    row_indices: *const i64,
    col_indices: *const i64,
    values: *const f64,
    sparse: *mut *mut Sparse,
) -> Status {
    guarded(|| {
        check(sparse, "sparse")?;
        // SAFETY: the contract for three arrays of `count` elements.
        let (row_indices, col_indices, values) = unsafe {
            (
                elements(row_indices, count, "row_indices")?,
                elements(col_indices, count, "col_indices")?,
                elements(values, count, "values")?,
            )
        };
        let places = pairs(row_indices.iter().copied(), col_indices, (rows, cols))?;
        let made = Sparse { shape: (rows, cols), places, values: column(values) };
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(sparse, made) };
        Ok(())
    })
}

/// A sparse matrix by compressed rows: the values of row i are `values[k]`, in the columns
/// `col_indices[k]`, for k from `starts[i]` to `starts[i + 1] - 1`. All count from 0, and `starts`
/// has `rows + 1` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sparse_from_csr(
    rows: usize,
    cols: usize,
    starts: *const i64,
    col_indices: *const i64,
    values: *const f64,
    sparse: *mut *mut Sparse,
) -> Status {
    guarded(|| {
        check(sparse, "sparse")?;
        let many = rows.checked_add(1).ok_or_else(|| Failure::shape("too many rows"))?;
        // SAFETY: the contract for an array of `rows + 1` elements.
        let starts = unsafe { elements(starts, many, "starts") }?;
        if starts[0] != 0 {
            let text = format_args!("starts[0]: expected 0, found {}", starts[0]);
            return Err(Failure::argument(text));
        }
        if let Some(row) = (0..rows).find(|&row| starts[row] > starts[row + 1]) {
            let (at, next) = (starts[row], starts[row + 1]);
            let text = format_args!("starts[{}] is {next}, less than {at} before it", row + 1);
            return Err(Failure::argument(text));
        }
        let count = usize::try_from(starts[rows]).map_err(Failure::argument)?;
        // SAFETY: the contract for two arrays of as many elements as the last start says.
        let (col_indices, values) = unsafe {
            (elements(col_indices, count, "col_indices")?, elements(values, count, "values")?)
        };
        let lengths = starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        let of_rows = lengths.enumerate().flat_map(|(row, n)| core::iter::repeat_n(row as i64, n));
        let places = pairs(of_rows, col_indices, (rows, cols))?;
        let made = Sparse { shape: (rows, cols), places, values: column(values) };
        // SAFETY: the contract for an output; the pointer is checked.
        unsafe { hand_over(sparse, made) };
        Ok(())
    })
}

/// Replaces the values by those of a column with as many rows as there are values, in their order:
/// numbers of the precision of later right-hand sides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sparse_set_values(
    sparse: *mut Sparse,
    values: *const Matrix,
) -> Status {
    guarded(|| {
        // SAFETY: the contracts for a handle that is changed and one that is read.
        let (sparse, Matrix(values)) =
            unsafe { (crate::pointers::changed(sparse, "sparse")?, reference(values, "values")?) };
        let (expected, found) = ((sparse.places.len(), 1), values.shape());
        if expected != found {
            let text = format_args!(
                "values are {} × {} where {} × 1 is needed",
                found.0, found.1, expected.0
            );
            return Err(Failure::shape(text));
        }
        sparse.values = values.clone();
        Ok(())
    })
}

/// Frees a sparse matrix. NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sparse_free(sparse: *mut Sparse) {
    // SAFETY: the contract for a handle that is freed.
    unsafe { free(sparse) }
}

/// Solves A·x = b by iteration in the precision of b, a column.
///
/// The method is NONIUS_CG, NONIUS_MINRES, NONIUS_BICGSTAB or NONIUS_GMRES. The preconditioner is
/// `none`, `jacobi`, `block-jacobi:16` for blocks of 16 rows, or `ic0`; NULL stands for `none`. The
/// iteration begins at `start`, or at zero where that is NULL. It ends where the norm of the
/// residual is at most `tolerance` times that of the first one, or after `most` iterations.
///
/// An iteration that did not converge is no error: x is what it came to, and the report, which may
/// be NULL, says so.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nonius_sparse_solve(
    a: *const Sparse,
    b: *const Matrix,
    start: *const Matrix,
    method: u32,
    preconditioner: *const c_char,
    tolerance: f64,
    most: u64,
    x: *mut *mut Matrix,
    report: *mut Iteration,
) -> Status {
    guarded(|| {
        check(x, "x")?;
        // SAFETY: the contract for handles that are read, and for a text, where they are not null.
        let (a, Matrix(b), start, preconditioner) = unsafe {
            let start = if start.is_null() { None } else { Some(&reference(start, "start")?.0) };
            let named = if preconditioner.is_null() {
                "none"
            } else {
                text(preconditioner, "preconditioner")?
            };
            (reference(a, "a")?, reference(b, "b")?, start, named)
        };
        let algorithm = match method {
            NONIUS_CG => Algorithm::Cg,
            NONIUS_MINRES => Algorithm::Minres,
            NONIUS_BICGSTAB => Algorithm::Bicgstab,
            NONIUS_GMRES => Algorithm::Gmres { restart: 50 },
            other => {
                let text = format_args!("method: expected 0 to 3, found {other}");
                return Err(Failure::argument(text));
            }
        };
        if tolerance.is_nan() || tolerance < 0.0 {
            let text = format_args!("tolerance: expected 0 or more, found {tolerance}");
            return Err(Failure::argument(text));
        }
        let preconditioning: Preconditioning = preconditioner.parse().map_err(Failure::argument)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let asked = Asked { algorithm, preconditioning, tolerance, most };
        let (made, told) = match (&a.values, b) {
            (Any::F64(values), Any::F64(b)) => of(Values::Full(a.coo(values)?), b, start, asked),
            (Any::F64(values), b) => {
                let short = a.coo(values)?;
                match b {
                    Any::Dd(b) => of(Values::Short(short), b, start, asked),
                    Any::Td(b) => of(Values::Short(short), b, start, asked),
                    Any::Qd(b) => of(Values::Short(short), b, start, asked),
                    Any::Mp(b) => of(Values::Short(short), b, start, asked),
                    Any::F64(b) => of(Values::Short(short), b, start, asked),
                }
            }
            (Any::Dd(values), Any::Dd(b)) => of(Values::Full(a.coo(values)?), b, start, asked),
            (Any::Td(values), Any::Td(b)) => of(Values::Full(a.coo(values)?), b, start, asked),
            (Any::Qd(values), Any::Qd(b)) => of(Values::Full(a.coo(values)?), b, start, asked),
            (Any::Mp(values), Any::Mp(b)) => of(Values::Full(a.coo(values)?), b, start, asked),
            (values, b) => Err(different(values, b)),
        }?;
        // SAFETY: the contract for outputs; the pointer of the matrix is checked.
        unsafe {
            put_if_wanted(report, told, "report")?;
            hand_over(x, Matrix(made));
        }
        Ok(())
    })
}

/// What is asked of an iteration.
#[derive(Clone, Copy)]
struct Asked {
    algorithm: Algorithm,
    preconditioning: Preconditioning,
    tolerance: f64,
    most: usize,
}

fn of<T: Kind>(
    a: Values<T>,
    b: &nonius::Matrix<T>,
    start: Option<&Any>,
    asked: Asked,
) -> Result<(Any, Iteration), Failure> {
    let begun = match start {
        None => None,
        Some(start) => Some(T::of(start).ok_or_else(|| different(start, &T::any(b.clone())))?),
    };
    let chosen = device();
    let (x, report) = on_threads(|| {
        let mut task = Solve::of(a, b)
            .algorithm(asked.algorithm)
            .preconditioning(asked.preconditioning)
            .tolerance(asked.tolerance)
            .max_iterations(asked.most)
            .device(chosen);
        if let Some(start) = begun {
            task = task.start(start);
        }
        Ok(task.run()?)
    })?;
    let told = Iteration {
        iterations: report.iteration.iterations as u64,
        converged: report.iteration.converged.into(),
        device: Report::at(&report.place).device,
        recursive_residual: report.iteration.relative_residual_recursive,
        true_residual: report.iteration.relative_residual_true,
    };
    Ok((T::any(x), told))
}

impl Sparse {
    fn coo<T: Kind>(&self, values: &nonius::Matrix<T>) -> Result<Coo<T>, Failure> {
        let (rows, cols) = self.shape;
        let made = Coo::from_parts(rows, cols, self.places.clone(), values.numbers().clone());
        made.ok_or_else(|| Failure::shape("a value lies outside the matrix"))
    }
}

/// Rows and columns of values, which have to lie inside.
fn pairs(
    row_indices: impl Iterator<Item = i64>,
    col_indices: &[i64],
    (rows, cols): (usize, usize),
) -> Result<Vec<(usize, usize)>, Failure> {
    let mut places = Vec::new();
    places
        .try_reserve_exact(col_indices.len())
        .map_err(|error| Failure::new(Status::Memory, error))?;
    for (k, (row, &col)) in row_indices.zip(col_indices).enumerate() {
        match (usize::try_from(row), usize::try_from(col)) {
            (Ok(i), Ok(j)) if i < rows && j < cols => places.push((i, j)),
            _ => {
                let text = format_args!(
                    "value {k} is in row {row}, column {col}, outside the matrix of {rows} × {cols}"
                );
                return Err(Failure::shape(text));
            }
        }
    }
    Ok(places)
}

fn column(values: &[f64]) -> Any {
    Any::F64(nonius::Matrix::from_fn(values.len(), 1, |i, _| values[i]))
}
