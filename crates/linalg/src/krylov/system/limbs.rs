//! Vectors of `f64`, `dd`, `td` and `qd`.

use crate::backend::{Round, Space};
use crate::krylov::{
    Identity, IncompleteCholesky, LimbSpace, LinearOperator, Preconditioner, Step, block_jacobi,
    jacobi,
};
use crate::mp::{Bits, Mp};
use crate::sparse::{Coo, Csr, Dia, Layout};
use crate::{Error, Matrix, Scalar};

use super::home::{Carries, Conditioner, Home, Homes};
use super::options::{KrylovOptions, Preconditioning, SparseValues};
use super::outcome::{Iterated, Solved};
use super::run::{Rounded, System, run};
use super::scale::Scale;
use super::truth;

/// Solves a system of limbs; see [`Iterates`](super::Iterates).
///
/// # Errors
/// As there.
pub fn limbs<T: Scalar, B: Homes>(
    backend: &B,
    (): (),
    a: SparseValues<T>,
    (b, x0): (&Matrix<T>, &Matrix<T>),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step),
) -> Result<Solved<Matrix<T>>, Error> {
    let n = match &a {
        SparseValues::Short(a) => square(a)?,
        SparseValues::Full(a) => square(a)?,
    };
    Error::check_length("b", n, b.rows() * b.cols())?;
    Error::check_length("x0", n, x0.rows() * x0.cols())?;
    let vectors = (b.as_slice().to_vec(), x0.as_slice().to_vec());
    let homes = backend.limbs::<T>()?;
    let (x, iterated, entries) = of_values(homes, a, vectors, options, observe)?;
    let x = Matrix::from_columns(n, 1, x).ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    Ok(Solved { x, iterated, entries })
}

pub(super) fn square<V>(a: &Coo<V>) -> Result<usize, Error> {
    Error::check_square(a.shape()).map(|()| a.shape().0)
}

type Outcome<T> = Result<(Vec<T>, Iterated, usize), Error>;

fn of_values<T: Scalar, M, R>(
    homes: (M, R),
    a: SparseValues<T>,
    vectors: (Vec<T>, Vec<T>),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step),
) -> Outcome<T>
where
    M: Home<LimbSpace<T>, Space: Round<R::Space>>
        + Carries<LimbSpace<T>, Vec<f64>>
        + Carries<LimbSpace<T>, Vec<T>>,
    R: Carries<LimbSpace<f64>, Vec<f64>>,
{
    match a {
        SparseValues::Short(a) => solve::<T, f64, M, R>(homes, a, vectors, options, observe),
        SparseValues::Full(a) => solve::<T, T, M, R>(homes, a, vectors, options, observe),
    }
}

fn solve<T: Scalar, V: Scalar, M, R>(
    (mut home, mut inner): (M, R),
    a: Coo<V>,
    (b, start): (Vec<T>, Vec<T>),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step),
) -> Outcome<T>
where
    M: Home<LimbSpace<T>, Space: Round<R::Space>>
        + Carries<LimbSpace<T>, Vec<V>>
        + Carries<LimbSpace<T>, Vec<f64>>
        + Carries<LimbSpace<T>, Vec<T>>,
    R: Carries<LimbSpace<f64>, Vec<f64>>,
{
    let a: Csr<Vec<V>> = Csr::from_coo((), a)?;
    a.check_finite("a")?;
    if options.needs_symmetry() {
        a.check_symmetric()?;
    }
    let scale = Scale::of(&a, &b, &start);
    let scaled = scale.matrix(&a)?;
    let mut x = start.clone();
    scale.begin(&mut x);
    let asked = options;
    let options = &scale.options(options);
    let entries = a.entries();
    let near = scaled.as_ref().unwrap_or(&a);
    let (m, rounded): (Conditioner<M::Space>, _) = match options.refine {
        None => (conditioner::<T, V, M>(&home, near, options)?, None),
        Some(tolerance) => {
            let short = near.map::<Vec<f64>>((), |x| x.to_f64())?;
            let rounded = for_corrections(&inner, short, (0, tolerance), options)?;
            (Box::new(Identity), Some(rounded))
        }
    };
    let is_scaled = scaled.is_some();
    let near = scaled.unwrap_or_else(|| a.clone());
    let system = System { a: home.in_format(options.format, near)?, m };
    let (there, mut found) = (home.vector(scale.right(&b))?, home.vector(x)?);
    let spaces = (home.space(), inner.space());
    let mut iterated = run(spaces, &system, rounded, (&there, &mut found), options, observe)?;
    let mut x = home.host(found)?;
    let first = scale.first_residual(&iterated.iteration);
    scale.undo(&mut x, &mut iterated.iteration)?;
    let digits = (-<T as nonius_num::Fixed>::UNIT_ROUNDOFF.log2()) as u32;
    let (entry, number) = (exact::<V>, exact::<T>);
    let (a, b, start) = (&a, &b, &start);
    let solved = truth::Solved { a, b, x: &x, entry, number, digits, start, first, is_scaled };
    solved.judge(&mut iterated.iteration, asked);
    Ok((x, iterated, entries))
}

/// The system for corrections with this matrix, which is the system's divided by `2^exponent`.
pub(super) fn for_corrections<R: Carries<LimbSpace<f64>, Vec<f64>>>(
    home: &R,
    a: Csr<Vec<f64>>,
    (exponent, tolerance): (i64, f64),
    options: &KrylovOptions,
) -> Result<Rounded<R::Space>, Error> {
    let m = conditioner::<f64, f64, R>(home, &a, options)?;
    let system = System { a: home.in_format(options.format, a)?, m };
    Ok(Rounded { system, exponent, tolerance })
}

fn conditioner<T: Scalar, V: Scalar, M>(
    home: &M,
    a: &Csr<Vec<V>>,
    options: &KrylovOptions,
) -> Result<Conditioner<M::Space>, Error>
where
    M: Carries<LimbSpace<T>, Vec<f64>> + Carries<LimbSpace<T>, Vec<T>>,
{
    let full = options.full_preconditioner;
    match options.preconditioning {
        Preconditioning::Jacobi if full => {
            home.inverse(jacobi::<_, Vec<T>>(a, (), |x| T::ONE / widened::<V, T>(x))?.0)
        }
        Preconditioning::Jacobi => {
            home.inverse(jacobi::<_, Vec<f64>>(a, (), |x| (V::ONE / x).to_f64())?.0)
        }
        Preconditioning::BlockJacobi(size) => home.inverse(block_jacobi(a, size)?.0),
        Preconditioning::IncompleteCholesky if full => {
            home.factors(IncompleteCholesky::new(&a.map::<Vec<T>>((), widened::<V, T>)?)?)
        }
        Preconditioning::None => Ok(Box::new(Identity)),
        Preconditioning::IncompleteCholesky => {
            of_doubles(home, &a.map::<Vec<f64>>((), |x| x.to_f64())?, options)
        }
    }
}

/// The preconditioner of a matrix of `f64`s, in `f64`.
pub(super) fn of_doubles<H, M>(
    home: &M,
    a: &Csr<Vec<f64>>,
    options: &KrylovOptions,
) -> Result<Conditioner<M::Space>, Error>
where
    H: Space,
    M: Carries<H, Vec<f64>>,
    Dia<Vec<f64>>: LinearOperator<H>,
    Csr<Vec<f64>>: LinearOperator<H>,
    IncompleteCholesky<Vec<f64>>: Preconditioner<H>,
{
    match options.preconditioning {
        Preconditioning::None => Ok(Box::new(Identity)),
        Preconditioning::Jacobi => home.inverse(jacobi::<_, Vec<f64>>(a, (), |x| 1.0 / x)?.0),
        Preconditioning::BlockJacobi(size) => home.inverse(block_jacobi(a, size)?.0),
        Preconditioning::IncompleteCholesky => home.factors(IncompleteCholesky::new(a)?),
    }
}

/// The same number; `V` is `f64` or `T`.
fn widened<V: Scalar, T: Scalar>(x: V) -> T {
    if V::LIMBS == 1 { T::from_f64(x.limb(0)) } else { T::from_limbs(|limb| x.limb(limb)) }
}

/// The number in so many bits, by its limbs.
fn exact<T: Scalar>(x: T, bits: Bits) -> Mp {
    let first = Mp::from_f64(bits, x.limb(0));
    (1..T::LIMBS).fold(first, |sum, limb| sum + Mp::from_f64(bits, x.limb(limb)))
}
