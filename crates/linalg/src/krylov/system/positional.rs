//! Vectors of numbers that lie in memory as they are.

use core::ops::ControlFlow;
use nonius_num::{Real, Ring};

use crate::backend::{Reading, Round, Space};
use crate::krylov::precondition::block_jacobi_in;
use crate::krylov::{
    HostSpace, Identity, IncompleteCholesky, LinearOperator, Preconditioner, Step, block_jacobi,
    jacobi,
};
use crate::mp::Bits;
use crate::sparse::{Csr, Dia, Layout, Multiplies};
use crate::{Error, Matrix, Number, Numbers};

use super::home::{Carries, Conditioner, Home, Homes};
use super::number::SparseNumber;
use super::options::{KrylovOptions, Preconditioning, SparseValues};
use super::outcome::{Iterated, Solved};
use super::run::{Rounded, System, run};
use super::scale::{self, Scale};
use super::truth;

/// Solves a system; see [`Iterates`](super::Iterates).
///
/// # Errors
/// As there.
pub fn positional<T: SparseNumber, B: Homes>(
    backend: &B,
    format: T::Format,
    a: SparseValues<T>,
    (b, x0): (&Matrix<T>, &Matrix<T>),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<Solved<Matrix<T>>, Error> {
    let n = a.order()?;
    Error::check_length("b", n, b.rows() * b.cols())?;
    Error::check_length("x0", n, x0.rows() * x0.cols())?;
    Error::check_format::<T>("b", format, b.format())?;
    Error::check_format::<T>("x0", format, x0.format())?;
    let vectors = (b.numbers(), x0.numbers());
    let homes = backend.numbers::<T>(format, options.arithmetic)?;
    let (x, iterated, entries) = match a {
        SparseValues::Short(a) => {
            let a = T::short(Csr::from_coo(a)?)?;
            solve(homes, (format, a), vectors, options, observe)
        }
        SparseValues::Full(a) => {
            let a = Csr::from_coo(a)?;
            let fits = a.values().format() == format;
            let a = if fits { a } else { a.map(format, |x| x.to_format(format))? };
            solve(homes, (format, a), vectors, options, observe)
        }
    }?;
    let x = Matrix::from_numbers(n, 1, x).ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    Ok(Solved { x, iterated, entries })
}

fn solve<T: SparseNumber, V: Multiplies<T>, M, R>(
    (mut home, mut inner): (M, R),
    (format, a): (T::Format, Csr<V>),
    (b, start): (&Numbers<T>, &Numbers<T>),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<(Numbers<T>, Iterated, usize), Error>
where
    M: Home<HostSpace<T>, Space: Round<R::Space>>
        + Carries<HostSpace<T>, V>
        + Carries<HostSpace<T>, T::Short>
        + Carries<HostSpace<T>, T>,
    R: Carries<HostSpace<f64>, f64>,
{
    a.check_finite("a")?;
    if options.needs_symmetry() {
        a.check_symmetric()?;
    }
    let scale = Scale::of(&a, b, start);
    let scaled = scale.matrix(&a)?;
    let asked = options;
    let options = &scale.options(options);
    let entries = a.entries();
    let near = scaled.as_ref().unwrap_or(&a);
    let (m, rounded): (Conditioner<M::Space>, _) = match options.refine {
        None => (conditioner::<T, V, M>(&home, format, near, options)?, None),
        Some(tolerance) => {
            let (short, exponent) = scale::in_f64(near)?;
            let rounded = for_corrections(&inner, short, (exponent, tolerance), options)?;
            (Box::new(Identity), Some(rounded))
        }
    };
    let is_scaled = scaled.is_some();
    let near = scaled.unwrap_or_else(|| a.clone());
    let system = System { a: home.in_format(options.format, near)?, m };
    let there = home.vector(scale.right(b))?;
    let mut found = home.vector(scale.begin(start))?;
    let spaces = (home.space(), inner.space());
    let mut iterated = run(spaces, &system, rounded, (&there, &mut found), options, observe)?;
    let x = home.host(found)?;
    let first = scale.first_residual(&iterated.iteration);
    let x = scale.undo(x, &mut iterated.iteration)?;
    let (a, digits) = (&a, T::precision(format).bits());
    let solved = truth::Solved { a, b, x: &x, digits, start, first, is_scaled };
    solved.judge(&mut iterated.iteration, asked);
    Ok((x, iterated, entries))
}

/// The system for corrections with this matrix, which is the system's divided by `2^exponent`.
pub(super) fn for_corrections<R: Carries<HostSpace<f64>, f64>>(
    home: &R,
    a: Csr<f64>,
    (exponent, tolerance): (i64, f64),
    options: &KrylovOptions,
) -> Result<Rounded<R::Space>, Error> {
    let m = of_doubles(home, &a, options)?;
    let system = System { a: home.in_format(options.format, a)?, m };
    Ok(Rounded { system, exponent, tolerance })
}

fn conditioner<T: SparseNumber, V: Multiplies<T>, M>(
    home: &M,
    format: T::Format,
    a: &Csr<V>,
    options: &KrylovOptions,
) -> Result<Conditioner<M::Space>, Error>
where
    M: Carries<HostSpace<T>, T::Short> + Carries<HostSpace<T>, T>,
{
    let short = T::Short::ZERO.format();
    let full = options.full_preconditioner;
    // Values that are taken for `f64`s, those in the range.
    let are_doubles = V::precision(a.values().format()).bits() <= Bits::LEAST;
    match options.preconditioning {
        Preconditioning::None => Ok(Box::new(Identity)),
        Preconditioning::Jacobi if full => {
            let one = T::ONE.to_format(format);
            home.inverse(jacobi::<_, T>(a, format, |x| one / x.widened(format))?.0)
        }
        Preconditioning::Jacobi => {
            let one = Reading::of(1.0);
            let inverse = |x: V| {
                let near = if are_doubles { one / x.nearest() } else { (V::ONE / x).nearest() };
                T::Short::from_size(near.into())
            };
            home.inverse(jacobi::<_, T::Short>(a, short, inverse)?.0)
        }
        Preconditioning::BlockJacobi(size) => {
            home.inverse(block_jacobi_in::<_, T::Short>(a, size, short)?.0)
        }
        Preconditioning::IncompleteCholesky if full => {
            let a = a.map::<T>(format, |x| x.widened(format))?;
            home.factors(IncompleteCholesky::new(&a)?)
        }
        Preconditioning::IncompleteCholesky if are_doubles && are_in_range(a) => {
            let factors = IncompleteCholesky::new(&a.map::<f64>((), V::to_f64)?)?;
            home.factors(factors.to_format::<T::Short>(short)?)
        }
        Preconditioning::IncompleteCholesky => {
            let a = a.map::<T::Short>(short, |x| x.widened(format).shorten())?;
            home.factors(IncompleteCholesky::new(&a)?)
        }
    }
}

/// Whether all values are in the range of `f64`.
fn are_in_range<V: Number>(a: &Csr<V>) -> bool {
    let range = <f64 as Number>::LEAST_EXPONENT..f64::MAX_EXP;
    V::exponents(a.values().as_slice()).flatten().all(|e| range.contains(&e))
}

/// The preconditioner of a matrix of `f64`s, in `f64`.
pub(super) fn of_doubles<H, M>(
    home: &M,
    a: &Csr<f64>,
    options: &KrylovOptions,
) -> Result<Conditioner<M::Space>, Error>
where
    H: Space,
    M: Carries<H, f64>,
    Dia<f64>: LinearOperator<H>,
    Csr<f64>: LinearOperator<H>,
    IncompleteCholesky<f64>: Preconditioner<H>,
{
    match options.preconditioning {
        Preconditioning::None => Ok(Box::new(Identity)),
        Preconditioning::Jacobi => home.inverse(jacobi::<_, f64>(a, (), |x| 1.0 / x)?.0),
        Preconditioning::BlockJacobi(size) => home.inverse(block_jacobi(a, size)?.0),
        Preconditioning::IncompleteCholesky => home.factors(IncompleteCholesky::new(a)?),
    }
}
