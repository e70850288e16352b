//! Determinants with proved digits.

use std::borrow::Cow;
use std::fmt;

use nonius_linalg::Error;
use nonius_linalg::certified::{self, Data, MOST_DIGITS, Options, Prover, Refusal};
use nonius_num::mp::Bits;

use super::work::{or_refused, proof_setters, proved};
use crate::Precision;
use crate::backend::{DeviceJob, Machine};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;

/// The determinant of a square matrix, proved to have the digits asked for:
/// [`certified::determinant`].
///
/// An exact determinant, which `f64` finds to be zero:
///
/// ```
/// use nonius::certified::{Data, Determinant};
/// use nonius::prelude::*;
///
/// let a = matrix![[1e9 + 1.0, 1e9], [1e9, 1e9 - 1.0]];
/// let a = Data::from_matrix(a.view());
/// let (found, _) = Determinant::new(&a, 20).run()?;
/// assert!(found.value.to_f64() == -1.0 && found.digits.is_none());
/// # Ok::<(), nonius::certified::Refusal>(())
/// ```
#[must_use = "a determinant is found by `run`"]
pub struct Determinant<'a> {
    a: Cow<'a, Data>,
    options: Options,
    device: Device,
    observe: Option<&'a mut (dyn FnMut(Bits) + Send)>,
}

impl<'a> Determinant<'a> {
    /// Of the matrix `A`, `n × n`. The digits are at most [`MOST_DIGITS`].
    pub fn new(a: &'a Data, digits: u32) -> Self {
        Self::of(Cow::Borrowed(a), Options::new(digits))
    }

    /// [`new`](Self::new) for data that nothing else needs.
    pub(crate) fn owning(a: Data, digits: u32) -> Self {
        Self::of(Cow::Owned(a), Options::new(digits))
    }

    pub(super) fn of(a: Cow<'a, Data>, options: Options) -> Self {
        Self { a, options, device: Device::Auto, observe: None }
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
    /// [`Refusal`]: why not, and what is known.
    pub fn run(self) -> Result<(certified::Determinant, Place), Refusal> {
        let Self { a, options, device, observe } = self;
        let n = a.values().rows() as f64;
        // Four products of as many bits as twice the digits need, which a matrix that is not the
        // worst takes.
        let bits = options.digits.min(MOST_DIGITS) * 20 / 3 + 64;
        let bits = Bits::new(bits.clamp(Bits::LEAST, Bits::MOST));
        let precision = bits.map_or(Precision::Qd, Precision::Mp);
        let work = Work::new(precision, 8.0 * n * n * n, n * n);
        let job = Elimination { a: &a, options, observe };
        proved(device.share(work, job, |job| Ok(Elimination { observe: None, ..*job })))
    }
}

impl fmt::Debug for Determinant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Determinant")
            .field("shape", &self.a.values().shape())
            .field("options", &self.options)
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

/// Finds a determinant with proved digits.
struct Elimination<'a, 'b> {
    a: &'a Data,
    options: Options,
    observe: Option<&'b mut (dyn FnMut(Bits) + Send)>,
}

impl<B: Machine> DeviceJob<B> for Elimination<'_, '_> {
    type Output = Result<certified::Determinant, Refusal>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let Self { a, options, observe } = self;
        let mut report = |bits| {
            if let Some(observe) = observe {
                observe(bits);
            }
        };
        or_refused(backend.prover()?.determinant(a, *options, &mut report))
    }
}

/// A determinant with proved digits, of a matrix of decimals.
#[derive(Clone, Debug)]
pub struct DecimalDeterminant {
    /// That of the matrix times a power of ten.
    pub scaled: certified::Determinant,
    /// The determinant is that of the scaled matrix times `10^-shift`.
    pub shift: i64,
}

impl DecimalDeterminant {
    /// The determinant in decimal, with the digits promised; all of its digits where it is exact.
    pub fn text(&self) -> String {
        let mut out = Vec::new();
        self.scaled.value.view().append_decimal_shifted(-self.shift, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i32 {
        match self.scaled.value.head() {
            head if head.is_zero() => 0,
            head if head.is_negative() => -1,
            _ => 1,
        }
    }
}
