//! Vectors of numbers of any bits.

use nonius_linalg::Error;
use nonius_linalg::krylov::{
    Identity, IncompleteCholesky, Inverse, LinearOperator, MpSpace, Preconditioner, Step,
    block_jacobi, jacobi,
};
use nonius_linalg::mp::{Bits, Matrix, Mp, Numbers};
use nonius_linalg::sparse::{Csr, Dia, Ell, Jad, Layout};

use super::limbs::for_corrections;
use super::{
    KrylovOptions, Preconditioning, Rounded, Solved, SparseFormat, SparseValues, in_format, run,
};

pub(crate) fn mp(
    bits: Bits,
    a: SparseValues<Mp>,
    b: &Matrix,
    x0: Matrix,
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step),
) -> Result<Solved<Matrix>, Error> {
    let mut space = MpSpace::new(bits).with_arithmetic(options.arithmetic)?;
    let a: Csr<Numbers> = match a {
        SparseValues::Short(a) => {
            Error::check_square(a.shape())?;
            Csr::<Vec<f64>>::from_coo((), a)?.to_mp()?
        }
        SparseValues::Full(a) => {
            Error::check_square(a.shape())?;
            Csr::from_coo(bits, a)?
        }
    };
    a.check_finite("a")?;
    if options.needs_symmetry() {
        a.check_symmetric()?;
    }
    let entries = a.entries();
    let (m, rounded): (Box<dyn Preconditioner<MpSpace> + Send>, _) = match options.refine {
        None => (conditioner(bits, &a, options)?, None),
        Some(tolerance) => (Box::new(Identity), Some(corrections(&a, tolerance, options)?)),
    };
    let a = in_format!(options.format, a);
    let n = a.size().0;
    Error::check_length("b", n, b.rows() * b.cols())?;
    Error::check_length("x0", n, x0.rows() * x0.cols())?;
    let mut x = Numbers::zeros(bits, 0);
    x.extend(x0.numbers().as_slice());
    let system = (&*a as &dyn LinearOperator<_>, &*m as &dyn Preconditioner<_>, rounded.as_ref());
    let iterated = run(&mut space, system, b.numbers(), &mut x, options, observe)?;
    let x = Matrix::from_columns(n, 1, x).ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    Ok(Solved { x, iterated, entries })
}

/// The system for corrections: the matrix divided by a power of two near its largest entry, since its numbers may lie beyond the range of `f64`.
fn corrections(
    a: &Csr<Numbers>,
    tolerance: f64,
    options: &KrylovOptions,
) -> Result<Rounded, Error> {
    let heads = a.values().as_slice().heads();
    let exponent = heads.iter().filter_map(|head| head.exponent()).max().unwrap_or(0);
    let short = a.map::<Vec<f64>>((), |x| x.ldexp(-exponent).to_f64())?;
    for_corrections(short, i64::from(exponent), tolerance, options)
}

fn conditioner(
    bits: Bits,
    a: &Csr<Numbers>,
    options: &KrylovOptions,
) -> Result<Box<dyn Preconditioner<MpSpace> + Send>, Error> {
    let full = options.full_preconditioner;
    // Numbers of this many bits hold `f64`s.
    let short = Bits::new(64).unwrap_or(bits);
    Ok(match options.preconditioning {
        Preconditioning::None => Box::new(Identity),
        Preconditioning::Jacobi if full => {
            let one = Mp::one(bits);
            Box::new(jacobi::<_, Numbers>(a, bits, |x| &one / &x.view().to_mp(bits))?)
        }
        Preconditioning::Jacobi => Box::new(jacobi::<_, Numbers>(a, short, |x| {
            let inverse = (&Mp::one(x.bits()) / &x).to_f64();
            Mp::from_f64(short, inverse)
        })?),
        Preconditioning::BlockJacobi(size) => Box::new(Inverse(block_jacobi(a, size)?.0.to_mp()?)),
        Preconditioning::IncompleteCholesky => {
            let bits = if full { bits } else { short };
            Box::new(IncompleteCholesky::new(&a.map(bits, |x| x.view().to_mp(bits))?)?)
        }
    })
}
