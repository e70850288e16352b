//! Vectors of numbers of any bits.

use std::time::Instant;

use nonius_linalg::Error;
use nonius_linalg::krylov::{
    Cg, Identity, IncompleteCholesky, Inverse, LinearOperator, MpSpace, Preconditioner, Step,
    block_jacobi, jacobi,
};
use nonius_linalg::mp::{Bits, Matrix, Mp, Numbers};
use nonius_linalg::sparse::{Csr, Dia, Ell, Jad, Layout};

use super::{CgOptions, Preconditioning, Solved, SparseFormat, SparseValues, in_format};

pub(crate) fn mp(
    bits: Bits,
    a: SparseValues<Mp>,
    b: &Matrix,
    x0: Matrix,
    options: &CgOptions,
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
    a.check_symmetric()?;
    let (m, entries) = (conditioner(bits, &a, options)?, a.entries());
    let a = in_format!(options.format, a);
    let n = a.size().0;
    Error::check_length("b", n, b.rows() * b.cols())?;
    Error::check_length("x0", n, x0.rows() * x0.cols())?;
    let mut x = Numbers::zeros(bits, 0);
    x.extend(x0.numbers().as_slice());
    let mut cg = Cg::new(&space, n)?;
    let start = Instant::now();
    let b = b.numbers();
    let iteration = cg.solve(&mut space, &*a, &*m, b, &mut x, &options.iteration, observe)?;
    let seconds = start.elapsed().as_secs_f64();
    let x = Matrix::from_columns(n, 1, x).ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    Ok(Solved { x, iteration, seconds, entries })
}

fn conditioner(
    bits: Bits,
    a: &Csr<Numbers>,
    options: &CgOptions,
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
