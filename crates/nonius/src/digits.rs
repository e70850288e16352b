//! The job of a linear system with the number of digits that is asked for.

use nonius_linalg::Error;
use nonius_linalg::certified::{
    self, Data, Event, Failure, Options, Prover, Reading, Refusal, Solution,
};
use nonius_num::mp::Bits;

use crate::backend::{Backend, DeviceJob};
use crate::work::Work;
use crate::{Device, Place, Precision};

/// Solves `A·X = B` so that every entry of `X` is proved to have the digits asked for:
/// [`certified`] says how, and what is proved.
///
/// ```
/// use nonius::certified::{Data, DigitsIn, Options};
/// use nonius::num::mp::Bits;
/// use nonius::{Device, Matrix, solve_digits};
///
/// // 1/(i + j + 1) for i, j < 12, times the least common multiple of its denominators. Its
/// // condition is 1.8e16.
/// let a = Matrix::from_fn(12, 12, |i, j| (5_354_228_880 / (i + j + 1)) as f64);
/// let b = Matrix::from_fn(12, 1, |i, _| i as f64 / 8.0);
/// let options = Options { digits: 40, digits_in: DigitsIn::Entry, most_bits: Bits::new(4096)? };
/// let (a, b) = (Data::from_limbs(a.view()), Data::from_limbs(b.view()));
/// let (solution, _) = solve_digits(&a, &b, options, Device::Auto, &mut |_| {})?;
/// assert!(solution.digits.is_none_or(|digits| digits >= 40));
/// assert!(solution.condition.log10() > 15.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Refusal`]: why not, and what is known.
pub fn solve_digits(
    a: &Data,
    b: &Data,
    options: Options,
    device: Device,
    report: &mut (dyn FnMut(Event) + Send),
) -> Result<(Solution, Place), Refusal> {
    let (n, rights) = (a.values().rows() as f64, b.values().cols() as f64);
    // An inverse in f64 and a product with it, and products of more bits for each digit.
    let operations = 4.0 * n * n * n + 2.0 * n * n * rights * f64::from(options.digits);
    let work = Work::new(Precision::F64, operations, n * (n + rights));
    proved(device.run(work, System { a, b, options, report }))
}

/// Solves a system with proved digits.
struct System<'a> {
    a: &'a Data,
    b: &'a Data,
    options: Options,
    report: &'a mut (dyn FnMut(Event) + Send),
}

impl<B: Backend> DeviceJob<B> for System<'_> {
    type Output = Result<Solution, Refusal>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let Self { a, b, options, report } = self;
        or_refused(backend.prover().solve(a, b, *options, report))
    }
}

/// What came of a proof, unless a device failed.
pub(crate) fn or_refused<R>(found: Result<R, Refusal>) -> Result<Result<R, Refusal>, Error> {
    match found {
        Err(Refusal { failure: Failure::Input(error @ Error::Device(_)), .. }) => Err(error),
        other => Ok(other),
    }
}

/// What was proved, and where.
pub(crate) fn proved<R>(
    found: Result<(Result<R, Refusal>, Place), Error>,
) -> Result<(R, Place), Refusal> {
    match found {
        Ok((found, place)) => found.map(|found| (found, place)),
        Err(error) => Err(Failure::Input(error).into()),
    }
}

/// [`solve_digits`] for decimals, which `read` reads. Where some are rounded, they are read once
/// more: times the power of ten that makes integers of all, if a few hundred bits hold these, which
/// leaves the solution as it is and nothing rounded; else with twice as many bits wherever these
/// turn out to be too few.
///
/// Decimals that no binary number holds are read as integers, so that nothing is rounded:
///
/// ```
/// use nonius::certified::{Datum, DigitsIn, Options};
/// use nonius::linalg::sparse::matrix_market::read_as;
/// use nonius::num::mp::Bits;
/// use nonius::{Device, solve_decimals};
///
/// // 0.1·x = 0.3
/// let text = |x| format!("%%MatrixMarket matrix array real general\n1 1\n{x}\n");
/// let (a, b) = (text("0.1"), text("0.3"));
/// let read = |reading| -> Result<_, Box<dyn std::error::Error>> {
///     let data = |text: &str| read_as::<Datum>(reading, text.as_bytes());
///     Ok((data(&a)?.into_dense()?, data(&b)?.into_dense()?))
/// };
/// let options = Options { digits: 30, digits_in: DigitsIn::Entry, most_bits: Bits::new(4096)? };
/// let (solution, _) = solve_decimals(read, options, Device::Cpu, &mut |_| {})??;
/// assert!(solution.digits.is_none_or(|digits| digits >= 30)); // none: it is exact
/// assert_eq!(solution.x.at(0, 0).to_f64(), 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What `read` fails with; within, [`Refusal`].
pub fn solve_decimals<E>(
    mut read: impl FnMut(Reading) -> Result<(Data, Data), E>,
    options: Options,
    device: Device,
    report: &mut (dyn FnMut(Event) + Send),
) -> Result<Result<(Solution, Place), Refusal>, E> {
    let mut bits = first_bits(options);
    let mut integer_bits = few_bits(options);
    loop {
        let Ok(precision) = Bits::new(bits) else { return Ok(Err(too_short(options))) };
        let (a, b) = read(precision.into())?;
        if let Some(reading) = as_integers(&[&a, &b], integer_bits) {
            let (a, b) = read(reading)?;
            if a.is_exact() && b.is_exact() {
                return Ok(solve_digits(&a, &b, options, device, report));
            }
        }
        match solve_digits(&a, &b, options, device, report) {
            Err(Refusal { failure: Failure::Data { .. }, .. })
                if bits < options.most_bits.get() =>
            {
                bits = (2 * bits).min(options.most_bits.get());
            }
            // What no rounded numbers decide, integers may.
            Err(Refusal { failure: Failure::Data { .. }, .. })
                if integer_bits < options.most_bits
                    && as_integers(&[&a, &b], options.most_bits).is_some() =>
            {
                integer_bits = options.most_bits;
            }
            other => return Ok(other),
        }
    }
}

/// Most bits of integers that decimals are made for the sake of exactness, before rounded ones are
/// tried.
const INTEGER_BITS: u32 = 1024;

/// Bits with which decimals are read first: what the digits take, and as much for the condition.
pub(crate) fn first_bits(options: Options) -> u32 {
    let bits = options.digits.min(certified::MOST_DIGITS) * 10 / 3 + 64;
    (bits.next_multiple_of(64) + 64).min(options.most_bits.get())
}

/// Most bits of integers at first.
pub(crate) fn few_bits(options: Options) -> Bits {
    Bits::new(INTEGER_BITS).map_or(options.most_bits, |few| few.min(options.most_bits))
}

/// How rounded decimals are read as integers, where these have at most so many bits.
pub(crate) fn as_integers(all: &[&Data], most: Bits) -> Option<Reading> {
    if all.iter().all(|data| data.is_exact()) {
        return None;
    }
    let heads = all.iter().flat_map(|data| data.values().numbers().as_slice().heads());
    let largest = heads.filter_map(|head| head.exponent()).map(i64::from).max()?;
    let shift = all.iter().map(|data| data.places()).max()?;
    // log2 10 < 3.322; a number is below 2^exponent.
    let bits = largest + (f64::from(shift) * 3.322).ceil() as i64 + 1;
    let bits = u32::try_from(bits.max(Bits::LEAST.into())).ok()?.next_multiple_of(64);
    let bits = Bits::new(bits).ok().filter(|&bits| bits <= most)?;
    Some(Reading { bits, shift })
}

pub(crate) fn too_short(options: Options) -> Refusal {
    Failure::Precision { most: options.most_bits, nonsingular: false }.into()
}
