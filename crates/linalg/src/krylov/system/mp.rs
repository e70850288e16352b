//! Vectors of numbers of any bits.

use nonius_num::Precision;

use crate::Error;
use crate::backend::{Reading, Round};
use crate::krylov::{Identity, IncompleteCholesky, LimbSpace, MpSpace, Step, block_jacobi, jacobi};
use crate::mp::{Bits, Matrix, Mp, Numbers};
use crate::sparse::{Csr, Layout};

use super::home::{Carries, Conditioner, Home, Homes};
use super::limbs::{for_corrections, square};
use super::options::{KrylovOptions, Preconditioning, SparseValues};
use super::outcome::{Iterated, Solved};
use super::run::{Rounded, System, run};
use super::{residues, truth};

/// Solves a system of any precision, in words or in residues; see [`Iterates`](super::Iterates).
///
/// # Errors
/// As there.
pub fn mp<B: Homes>(
    backend: &B,
    bits: Bits,
    a: SparseValues<Mp>,
    (b, x0): (&Matrix, &Matrix),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step),
) -> Result<Solved<Matrix>, Error> {
    if let Some(format) = residues::format_of_residues(Precision::Mp(bits), options)? {
        return residues::residues(backend, &format, a, (b, x0), options, observe);
    }
    let n = match &a {
        SparseValues::Short(a) => square(a)?,
        SparseValues::Full(a) => square(a)?,
    };
    Error::check_length("b", n, b.rows() * b.cols())?;
    Error::check_length("x0", n, x0.rows() * x0.cols())?;
    let a: Csr<Numbers> = match a {
        SparseValues::Short(a) => Csr::<Vec<f64>>::from_coo((), a)?.to_mp()?,
        SparseValues::Full(a) => Csr::from_coo(bits, a)?,
    };
    let vectors = (b.numbers(), x0.numbers());
    let homes = backend.mp(bits, options.arithmetic)?;
    let (x, iterated, entries) = solve(homes, (bits, a), vectors, options, observe)?;
    let x = Matrix::from_numbers(n, 1, x).ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    Ok(Solved { x, iterated, entries })
}

fn solve<M, R>(
    (mut home, mut inner): (M, R),
    (bits, a): (Bits, Csr<Numbers>),
    (b, start): (&Numbers, &Numbers),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step),
) -> Result<(Numbers, Iterated, usize), Error>
where
    M: Home<MpSpace, Space: Round<R::Space>> + Carries<MpSpace, Numbers>,
    R: Carries<LimbSpace<f64>, Vec<f64>>,
{
    a.check_finite("a")?;
    if options.needs_symmetry() {
        a.check_symmetric()?;
    }
    let entries = a.entries();
    let (m, rounded): (Conditioner<M::Space>, _) = match options.refine {
        None => (conditioner(&home, bits, &a, options)?, None),
        Some(tolerance) => {
            let rounded = corrections(&inner, &a, tolerance, options)?;
            (Box::new(Identity), Some(rounded))
        }
    };
    let system = System { a: home.in_format(options.format, a.clone())?, m };
    let (there, mut found) = (home.vector(b.clone())?, home.vector(start.clone())?);
    let spaces = (home.space(), inner.space());
    let mut iterated = run(spaces, &system, rounded, (&there, &mut found), options, observe)?;
    let x = home.host(found)?;
    let digits = bits.get();
    let number = |x: Mp, bits| x.view().to_mp(bits);
    let (entry, is_scaled) = (number, false);
    let first = Reading::of(iterated.iteration.first_residual);
    let a = &a;
    let solved = truth::Solved { a, b, x: &x, entry, number, digits, start, first, is_scaled };
    solved.judge(&mut iterated.iteration, options);
    Ok((x, iterated, entries))
}

/// The system for corrections: the matrix divided by a power of two near its largest entry, since its numbers may lie beyond the range of `f64`.
fn corrections<R: Carries<LimbSpace<f64>, Vec<f64>>>(
    home: &R,
    a: &Csr<Numbers>,
    tolerance: f64,
    options: &KrylovOptions,
) -> Result<Rounded<R::Space>, Error> {
    let heads = a.values().as_slice().heads();
    let exponent = heads.iter().filter_map(|head| head.exponent()).max().unwrap_or(0);
    let short = a.map::<Vec<f64>>((), |x| x.ldexp(-exponent).to_f64())?;
    for_corrections(home, short, (i64::from(exponent), tolerance), options)
}

fn conditioner<M: Carries<MpSpace, Numbers>>(
    home: &M,
    bits: Bits,
    a: &Csr<Numbers>,
    options: &KrylovOptions,
) -> Result<Conditioner<M::Space>, Error> {
    let full = options.full_preconditioner;
    // Numbers of this many bits hold `f64`s.
    let short = Bits::new(64).unwrap_or(bits);
    match options.preconditioning {
        Preconditioning::None => Ok(Box::new(Identity)),
        Preconditioning::Jacobi if full => {
            let one = Mp::one(bits);
            home.inverse(jacobi::<_, Numbers>(a, bits, |x| one / x.view().to_mp(bits))?.0)
        }
        Preconditioning::Jacobi => {
            let of_doubles = a.values().bits() == short;
            let inverse = |x: Mp| {
                let inverse = match of_doubles {
                    true => 1.0 / x.to_f64(),
                    false => (Mp::one(x.bits()) / x).to_f64(),
                };
                Mp::from_f64(short, inverse)
            };
            home.inverse(jacobi::<_, Numbers>(a, short, inverse)?.0)
        }
        Preconditioning::BlockJacobi(size) => home.inverse(block_jacobi(a, size)?.0.to_mp()?),
        // A matrix of `f64`s.
        Preconditioning::IncompleteCholesky if !full && a.values().bits() == short => {
            let factors = IncompleteCholesky::new(&a.map::<Vec<f64>>((), |x| x.to_f64())?)?;
            home.factors(factors.to_mp()?)
        }
        Preconditioning::IncompleteCholesky => {
            let bits = if full { bits } else { short };
            home.factors(IncompleteCholesky::new(&a.map(bits, |x| x.view().to_mp(bits))?)?)
        }
    }
}
