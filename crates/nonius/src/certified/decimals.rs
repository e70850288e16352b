//! Proofs of decimals, which are read with as many bits as the proof takes.

use std::borrow::Cow;
use std::fmt;

use nonius_linalg::certified::{
    Data, Event, Failure, MOST_DIGITS, Options, Reading, Refusal, Solution,
};
use nonius_num::mp::Bits;

use super::work::proof_setters;
use super::{DecimalDeterminant, Determinant, Solve};
use crate::device::{Device, Place};
use crate::setters::setters;

/// [`Solve`] for decimals, which a function reads.
///
/// Where it rounds some, it is called once more: to read them times the power of ten that makes
/// integers of all, if a few hundred bits hold these, which leaves the solution as it is and
/// nothing rounded; else with twice as many bits wherever these turn out to be too few.
///
/// ```
/// use nonius::certified::{Datum, Reading, SolveDecimals};
/// use nonius::files::matrix_market::read_as;
///
/// // 0.1·x = 0.3
/// let text = |x| format!("%%MatrixMarket matrix array real general\n1 1\n{x}\n");
/// let (a, b) = (text("0.1"), text("0.3"));
/// let read = |reading: Reading| -> Result<_, Box<dyn std::error::Error>> {
///     let data = |text: &str| read_as::<Datum>(reading, text.as_bytes());
///     Ok((data(&a)?.into_dense()?, data(&b)?.into_dense()?))
/// };
/// let (solution, _) = SolveDecimals::new(read, 30).run().unwrap();
/// assert!(solution.digits.is_none_or(|digits| digits >= 30)); // none: it is exact
/// assert_eq!(solution.x.at(0, 0).to_f64(), 3.0);
/// ```
#[must_use = "a system is solved by `run`"]
pub struct SolveDecimals<'a, F> {
    read: F,
    options: Options,
    device: Device,
    observe: Option<&'a mut (dyn FnMut(Event) + Send)>,
}

/// [`Determinant`] for decimals, which a function reads; as [`SolveDecimals`].
///
/// ```
/// use nonius::certified::{Data, Datum, DeterminantDecimals, Reading};
/// use nonius::files::matrix_market::read_as;
///
/// // 0.1·0.3 − 0.2·0.2
/// let text = "%%MatrixMarket matrix array real general\n2 2\n0.1\n0.2\n0.2\n0.3\n";
/// let read = |reading: Reading| -> Result<Data, Box<dyn std::error::Error>> {
///     Ok(read_as::<Datum>(reading, text.as_bytes())?.into_dense()?)
/// };
/// let (found, _) = DeterminantDecimals::new(read, 30).run().unwrap();
/// assert_eq!((found.text().as_str(), found.sign()), ("-0.01", -1));
/// ```
#[must_use = "a determinant is found by `run`"]
pub struct DeterminantDecimals<'a, F> {
    read: F,
    options: Options,
    device: Device,
    observe: Option<&'a mut (dyn FnMut(Bits) + Send)>,
}

/// Why there is no proof of decimals.
#[derive(Debug)]
pub enum DecimalsError<E> {
    /// They were not read.
    Read(E),
    /// They were, and the digits asked for are not proved.
    Refused(Refusal),
}

impl<'a, F> SolveDecimals<'a, F> {
    /// The system whose matrix, `n × n`, and right-hand sides, `n × k`, `read` reads. The digits
    /// are at most [`MOST_DIGITS`].
    pub fn new(read: F, digits: u32) -> Self {
        Self { read, options: Options::new(digits), device: Device::Auto, observe: None }
    }

    proof_setters!();
    setters!(device);

    /// Has `observe` told of every step.
    pub fn observe(mut self, observe: &'a mut (dyn FnMut(Event) + Send)) -> Self {
        self.observe = Some(observe);
        self
    }

    /// Solves the system. Returns `X`, `n × k`, with what is proved of it, and the place.
    ///
    /// # Errors
    /// [`DecimalsError`].
    pub fn run<E>(self) -> Result<(Solution, Place), DecimalsError<E>>
    where
        F: FnMut(Reading) -> Result<(Data, Data), E>,
    {
        let Self { read, options, device, observe } = self;
        let mut unheard = |_| {};
        let observe = observe.unwrap_or(&mut unheard);
        by_readings(
            options,
            read,
            |(a, b)| vec![a, b],
            |(a, b), _| {
                let solve = Solve::of(Cow::Borrowed(a), Cow::Borrowed(b), options);
                solve.device(device).observe(observe).run()
            },
        )
    }
}

impl<'a, F> DeterminantDecimals<'a, F> {
    /// Of the matrix, `n × n`, that `read` reads. The digits are at most [`MOST_DIGITS`].
    pub fn new(read: F, digits: u32) -> Self {
        Self { read, options: Options::new(digits), device: Device::Auto, observe: None }
    }

    proof_setters!();
    setters!(device);

    /// Has `observe` told of the bits of every try.
    pub fn observe(mut self, observe: &'a mut (dyn FnMut(Bits) + Send)) -> Self {
        self.observe = Some(observe);
        self
    }

    /// Finds the determinant. Returns it with what is proved of it, and the place.
    ///
    /// # Errors
    /// [`DecimalsError`].
    pub fn run<E>(self) -> Result<(DecimalDeterminant, Place), DecimalsError<E>>
    where
        F: FnMut(Reading) -> Result<Data, E>,
    {
        let Self { read, options, device, observe } = self;
        let mut unheard = |_| {};
        let observe = observe.unwrap_or(&mut unheard);
        by_readings(
            options,
            read,
            |a| vec![a],
            |a, shift| {
                let determinant = Determinant::of(Cow::Borrowed(a), options).device(device);
                let (scaled, place) = determinant.observe(observe).run()?;
                let shift = i64::from(shift) * a.values().rows() as i64;
                Ok((DecimalDeterminant { scaled, shift }, place))
            },
        )
    }
}

/// Most bits of integers that decimals are made for the sake of exactness, before rounded ones are
/// tried.
const INTEGER_BITS: u32 = 1024;

/// Proves something of decimals: of rounded ones, with more bits wherever these turn out to be too
/// few, or of integers. `matrices` lists what was read, and `prove` is told the power of ten that
/// entries were multiplied by.
fn by_readings<D, R, E>(
    options: Options,
    mut read: impl FnMut(Reading) -> Result<D, E>,
    matrices: impl Fn(&D) -> Vec<&Data>,
    mut prove: impl FnMut(&D, u32) -> Result<R, Refusal>,
) -> Result<R, DecimalsError<E>> {
    let mut bits = first_bits(options);
    let few = Bits::new(INTEGER_BITS);
    let mut integer_bits = few.map_or(options.most_bits, |few| few.min(options.most_bits));
    loop {
        let Ok(precision) = Bits::new(bits) else {
            let most = options.most_bits;
            let failure = Failure::Precision { most, nonsingular: false };
            return Err(DecimalsError::Refused(failure.into()));
        };
        let rounded = read(precision.into()).map_err(DecimalsError::Read)?;
        if let Some(reading) = as_integers(&matrices(&rounded), integer_bits) {
            let integers = read(reading).map_err(DecimalsError::Read)?;
            if matrices(&integers).iter().all(|data| data.is_exact()) {
                return prove(&integers, reading.shift).map_err(DecimalsError::Refused);
            }
        }
        match prove(&rounded, 0) {
            Err(Refusal { failure: Failure::Data { .. }, .. })
                if bits < options.most_bits.get() =>
            {
                bits = (2 * bits).min(options.most_bits.get());
            }
            // What no rounded numbers decide, integers may.
            Err(Refusal { failure: Failure::Data { .. }, .. })
                if integer_bits < options.most_bits
                    && as_integers(&matrices(&rounded), options.most_bits).is_some() =>
            {
                integer_bits = options.most_bits;
            }
            other => return other.map_err(DecimalsError::Refused),
        }
    }
}

/// Bits with which decimals are read first: what the digits take, and as much for the condition.
fn first_bits(options: Options) -> u32 {
    let bits = options.digits.min(MOST_DIGITS) * 10 / 3 + 64;
    (bits.next_multiple_of(64) + 64).min(options.most_bits.get())
}

/// How rounded decimals are read as integers of at most `most` bits; `None` where they are exact,
/// or longer.
fn as_integers(all: &[&Data], most: Bits) -> Option<Reading> {
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

impl<F> fmt::Debug for SolveDecimals<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("SolveDecimals");
        debug.field("options", &self.options).field("device", &self.device).finish_non_exhaustive()
    }
}

impl<F> fmt::Debug for DeterminantDecimals<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("DeterminantDecimals");
        debug.field("options", &self.options).field("device", &self.device).finish_non_exhaustive()
    }
}

impl<E: fmt::Display> fmt::Display for DecimalsError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for DecimalsError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            Self::Read(error) => error,
            Self::Refused(refusal) => refusal,
        })
    }
}
