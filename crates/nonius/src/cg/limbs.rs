//! Vectors of `f64`, `dd`, `td` and `qd`.

use std::time::Instant;

use nonius_linalg::krylov::{
    Cg, Identity, IncompleteCholesky, LimbSpace, LinearOperator, Preconditioner, Step,
    block_jacobi, jacobi,
};
use nonius_linalg::sparse::{Coo, Csr, Dia, Ell, Jad, Layout};
use nonius_linalg::{Error, Matrix};

use super::{CgOptions, Preconditioning, Solved, SparseFormat, SparseValues, in_format};
use crate::Number;

type Operator<T> = Box<dyn LinearOperator<LimbSpace<T>> + Send>;
type Conditioner<T> = Box<dyn Preconditioner<LimbSpace<T>> + Send>;

pub(crate) fn limbs<T: Number>(
    a: SparseValues<T>,
    b: &Matrix<T>,
    x0: Matrix<T>,
    options: &CgOptions,
    observe: &mut dyn FnMut(Step),
) -> Result<Solved<Matrix<T>>, Error> {
    let (a, m, entries) = match a {
        SparseValues::Short(a) => prepare::<T, f64>(a, options)?,
        SparseValues::Full(a) => prepare::<T, T>(a, options)?,
    };
    let n = a.size().0;
    Error::check_length("b", n, b.rows() * b.cols())?;
    Error::check_length("x0", n, x0.rows() * x0.cols())?;
    let (b, mut x) = (b.as_slice().to_vec(), x0.into_columns());
    let mut space = LimbSpace::new();
    let mut cg = Cg::new(&space, n)?;
    let start = Instant::now();
    let iteration = cg.solve(&mut space, &*a, &*m, &b, &mut x, &options.iteration, observe)?;
    let seconds = start.elapsed().as_secs_f64();
    let x = Matrix::from_columns(n, 1, x).ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    Ok(Solved { x, iteration, seconds, entries })
}

/// The matrix, its preconditioner, and the number of its entries.
fn prepare<T: Number, V: Number>(
    a: Coo<V>,
    options: &CgOptions,
) -> Result<(Operator<T>, Conditioner<T>, usize), Error> {
    Error::check_square(a.shape())?;
    let a: Csr<Vec<V>> = Csr::from_coo((), a)?;
    a.check_finite("a")?;
    a.check_symmetric()?;
    let (m, entries) = (conditioner(&a, options)?, a.entries());
    Ok((in_format!(options.format, a), m, entries))
}

fn conditioner<T: Number, V: Number>(
    a: &Csr<Vec<V>>,
    options: &CgOptions,
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
