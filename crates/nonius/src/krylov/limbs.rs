//! Vectors of `f64`, `dd`, `td` and `qd`.

use nonius_linalg::krylov::{
    Identity, IncompleteCholesky, LimbSpace, LinearOperator, Preconditioner, Step, block_jacobi,
    jacobi,
};
use nonius_linalg::sparse::{Coo, Csr, Dia, Ell, Jad, Layout};
use nonius_linalg::{Error, Matrix};

use super::{
    KrylovOptions, Preconditioning, Rounded, Solved, SparseFormat, SparseValues, in_format, run,
};
use crate::Number;

pub(super) type Operator<T> = Box<dyn LinearOperator<LimbSpace<T>> + Send>;
pub(super) type Conditioner<T> = Box<dyn Preconditioner<LimbSpace<T>> + Send>;

pub(crate) fn limbs<T: Number>(
    a: SparseValues<T>,
    b: &Matrix<T>,
    x0: Matrix<T>,
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step),
) -> Result<Solved<Matrix<T>>, Error> {
    let Prepared { a, m, rounded, entries } = match a {
        SparseValues::Short(a) => prepare::<T, f64>(a, options)?,
        SparseValues::Full(a) => prepare::<T, T>(a, options)?,
    };
    let n = a.size().0;
    Error::check_length("b", n, b.rows() * b.cols())?;
    Error::check_length("x0", n, x0.rows() * x0.cols())?;
    let (b, mut x) = (b.as_slice().to_vec(), x0.into_columns());
    let mut space = LimbSpace::new();
    let system = (&*a as &dyn LinearOperator<_>, &*m as &dyn Preconditioner<_>, rounded.as_ref());
    let iterated = run(&mut space, system, &b, &mut x, options, observe)?;
    let x = Matrix::from_columns(n, 1, x).ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    Ok(Solved { x, iterated, entries })
}

/// The matrix, its preconditioner, the same for corrections, and the number of its entries.
struct Prepared<T> {
    a: Operator<T>,
    m: Conditioner<T>,
    rounded: Option<Rounded>,
    entries: usize,
}

fn prepare<T: Number, V: Number>(a: Coo<V>, options: &KrylovOptions) -> Result<Prepared<T>, Error> {
    Error::check_square(a.shape())?;
    let a: Csr<Vec<V>> = Csr::from_coo((), a)?;
    a.check_finite("a")?;
    if options.needs_symmetry() {
        a.check_symmetric()?;
    }
    let entries = a.entries();
    let (m, rounded): (Conditioner<T>, _) = match options.refine {
        None => (conditioner(&a, options)?, None),
        Some(tolerance) => {
            let short = a.map::<Vec<f64>>((), |x| x.to_f64())?;
            (Box::new(Identity), Some(for_corrections(short, 0, tolerance, options)?))
        }
    };
    Ok(Prepared { a: in_format!(options.format, a), m, rounded, entries })
}

/// The system for corrections with this matrix, which is the system's divided by `2^exponent`.
pub(super) fn for_corrections(
    a: Csr<Vec<f64>>,
    exponent: i64,
    tolerance: f64,
    options: &KrylovOptions,
) -> Result<Rounded, Error> {
    let m = conditioner(&a, options)?;
    Ok(Rounded { a: in_format!(options.format, a), m, exponent, tolerance })
}

fn conditioner<T: Number, V: Number>(
    a: &Csr<Vec<V>>,
    options: &KrylovOptions,
) -> Result<Conditioner<T>, Error> {
    let full = options.full_preconditioner;
    Ok(match options.preconditioning {
        Preconditioning::None => Box::new(Identity),
        Preconditioning::Jacobi if full => {
            Box::new(jacobi::<_, Vec<T>>(a, (), |x| T::ONE / widened::<V, T>(x))?)
        }
        Preconditioning::Jacobi => {
            Box::new(jacobi::<_, Vec<f64>>(a, (), |x| (V::ONE / x).to_f64())?)
        }
        Preconditioning::BlockJacobi(size) => Box::new(block_jacobi(a, size)?),
        Preconditioning::IncompleteCholesky if full => {
            Box::new(IncompleteCholesky::new(&a.map::<Vec<T>>((), widened::<V, T>)?)?)
        }
        Preconditioning::IncompleteCholesky => {
            Box::new(IncompleteCholesky::new(&a.map::<Vec<f64>>((), |x| x.to_f64())?)?)
        }
    })
}

/// The same number; `V` is `f64` or `T`.
fn widened<V: Number, T: Number>(x: V) -> T {
    if V::LIMBS == 1 { T::from_f64(x.limb(0)) } else { T::from_limbs(|limb| x.limb(limb)) }
}
