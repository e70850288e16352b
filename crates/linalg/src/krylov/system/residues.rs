//! Vectors of numbers in residues.

use core::ops::ControlFlow;
use nonius_num::rns::float::{Format, RnsNumbers};
use nonius_num::{Precision, RnsFloat};

use crate::Error;
use crate::backend::{Reading, Round};
use crate::krylov::{HostSpace, Identity, RnsSpace, Step};
use crate::mp::{Bits, Matrix, Mp, Numbers};
use crate::sparse::{Csr, Layout};

use super::home::{Carries, Conditioner, Home, Homes};
use super::options::{KrylovOptions, SparseValues, Storage};
use super::outcome::{Iterated, Solved};
use super::positional::{for_corrections, of_doubles, positional};
use super::run::{System, run};
use super::truth;

/// The format of numbers in residues, where these are asked for.
///
/// # Errors
/// [`Error::NotInResidues`].
pub fn format_of_residues(
    precision: Precision,
    options: &KrylovOptions,
) -> Result<Option<Format>, Error> {
    let Storage::Residues(own) = &options.storage else { return Ok(None) };
    let expected = "mp precisions of at most 1900 bits";
    let Precision::Mp(bits) = precision else { return Err(Error::NotInResidues { expected }) };
    if let Some(format) = own {
        let expected = "the precision that their moduli give";
        let fits = format.bits() == bits.get();
        return if fits { Ok(own.clone()) } else { Err(Error::NotInResidues { expected }) };
    }
    match Format::with_bits(bits.get()) {
        Ok(format) => Ok(Some(format)),
        Err(_) => Err(Error::NotInResidues { expected }),
    }
}

/// Solves a system of any precision, in words or in residues; see [`Iterates`](super::Iterates).
///
/// # Errors
/// As there.
pub fn in_any_storage<B: Homes>(
    backend: &B,
    bits: Bits,
    a: SparseValues<Mp>,
    vectors: (&Matrix, &Matrix),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<Solved<Matrix>, Error> {
    match format_of_residues(Precision::Mp(bits), options)? {
        Some(format) => residues(backend, (bits, &format), a, vectors, options, observe),
        None => positional(backend, bits, a, vectors, options, observe),
    }
}

fn residues<B: Homes>(
    backend: &B,
    (bits, format): (Bits, &Format),
    a: SparseValues<Mp>,
    (b, x0): (&Matrix, &Matrix),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<Solved<Matrix>, Error> {
    let n = a.order()?;
    let SparseValues::Short(a) = a else {
        return Err(Error::NotInResidues { expected: "matrices with values in f64" });
    };
    if options.full_preconditioner {
        return Err(Error::NotInResidues { expected: "preconditioners in f64" });
    }
    Error::check_length("b", n, b.rows() * b.cols())?;
    Error::check_length("x0", n, x0.rows() * x0.cols())?;
    Error::check_format::<Mp>("b", bits, b.format())?;
    Error::check_format::<Mp>("x0", bits, x0.format())?;
    let space = RnsSpace::new(format).unwrap_or_else(|| unreachable!("mp has 64 bits at least"));
    let a = Csr::from_coo(a)?;
    let vectors = (b.numbers(), x0.numbers());
    let homes = backend.residues(space)?;
    let (x, iterated, entries) = solve(homes, (format, a), vectors, options, observe)?;
    let x = Matrix::from_numbers(n, 1, x).ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    Ok(Solved { x, iterated, entries })
}

fn solve<M, R>(
    (mut home, mut inner): (M, R),
    (format, a): (&Format, Csr<f64>),
    (b, start): (&Numbers, &Numbers),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<(Numbers, Iterated, usize), Error>
where
    M: Home<RnsSpace, Space: Round<R::Space>> + Carries<RnsSpace, f64>,
    R: Carries<HostSpace<f64>, f64>,
{
    a.check_finite("a")?;
    if options.needs_symmetry() {
        a.check_symmetric()?;
    }
    let entries = a.entries();
    let (m, rounded): (Conditioner<M::Space>, _) = match options.refine {
        None => (of_doubles(&home, &a, options)?, None),
        Some(tolerance) => {
            let rounded = for_corrections(&inner, a.clone(), (0, tolerance), options)?;
            (Box::new(Identity), Some(rounded))
        }
    };
    let system = System { a: home.in_format(options.format, a.clone())?, m };
    let there = home.vector(in_residues(format, b)?)?;
    let mut found = home.vector(in_residues(format, start)?)?;
    let spaces = (home.space(), inner.space());
    let mut iterated = run(spaces, &system, rounded, (&there, &mut found), options, observe)?;
    let x = in_words(b.bits(), &home.host(found)?)?;
    let (digits, is_scaled) = (format.bits(), false);
    let first = Reading::of(iterated.iteration.first_residual);
    let a = &a;
    let solved = truth::Solved { a, b, x: &x, digits, start, first, is_scaled };
    solved.judge(&mut iterated.iteration, options);
    Ok((x, iterated, entries))
}

fn in_residues(format: &Format, x: &Numbers) -> Result<RnsNumbers, Error> {
    let n = x.len();
    let zeros = RnsNumbers::try_zeros(format, n);
    let mut numbers = zeros.ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    (0..n).for_each(|i| numbers.set(i, RnsFloat::from_mp(format, x.entry(i)).view()));
    Ok(numbers)
}

/// The same numbers, exactly.
fn in_words(bits: Bits, x: &RnsNumbers) -> Result<Numbers, Error> {
    let n = x.len();
    let zeros = Numbers::try_zeros(bits, n);
    let mut numbers = zeros.ok_or(Error::TooLarge { rows: n, cols: 1 })?;
    (0..n).for_each(|i| numbers.put(i, x.at(i).to_mp().view()));
    Ok(numbers)
}
