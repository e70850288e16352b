//! Linear systems with proved digits.

use std::borrow::Cow;
use std::fmt;

use nonius_linalg::Error;
use nonius_linalg::certified::{Data, Event, Options, Prover, Refusal, Solution};

use super::work::{or_refused, proof_setters, proved};
use crate::Precision;
use crate::backend::{DeviceJob, Machine};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;

/// The linear system `A·X = B` with a square matrix, whose solution is proved to have the digits
/// asked for: [`nonius_linalg::certified`] says how, and what is proved.
///
/// ```
/// use nonius::certified::{Data, Solve};
/// use nonius::Matrix;
///
/// // 1/(i + j + 1) for i, j < 12, times the least common multiple of its denominators. Its
/// // condition is 1.8e16.
/// let a = Matrix::from_fn(12, 12, |i, j| (5_354_228_880 / (i + j + 1)) as f64);
/// let b = Matrix::from_fn(12, 1, |i, _| i as f64 / 8.0);
/// let (a, b) = (Data::from_matrix(a.view()), Data::from_matrix(b.view()));
/// let (solution, _) = Solve::new(&a, &b, 40).run()?;
/// assert!(solution.digits.is_none_or(|digits| digits >= 40));
/// assert!(solution.condition.log10() > 15.0);
/// # Ok::<(), nonius::certified::Refusal>(())
/// ```
#[must_use = "a system is solved by `run`"]
pub struct Solve<'a> {
    a: Cow<'a, Data>,
    b: Cow<'a, Data>,
    options: Options,
    device: Device,
    observe: Option<&'a mut (dyn FnMut(Event) + Send)>,
}

impl<'a> Solve<'a> {
    /// The system with the matrix `A`, `n × n`, and the right-hand sides `B`, `n × k`. The digits
    /// are at most [`MOST_DIGITS`](super::MOST_DIGITS).
    pub fn new(a: &'a Data, b: &'a Data, digits: u32) -> Self {
        Self::of(Cow::Borrowed(a), Cow::Borrowed(b), Options::new(digits))
    }

    /// [`new`](Self::new) for data that nothing else needs.
    pub(crate) fn owning(a: Data, b: Data, digits: u32) -> Self {
        Self::of(Cow::Owned(a), Cow::Owned(b), Options::new(digits))
    }

    pub(super) fn of(a: Cow<'a, Data>, b: Cow<'a, Data>, options: Options) -> Self {
        Self { a, b, options, device: Device::Auto, observe: None }
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
    /// [`Refusal`]: why not, and what is known.
    pub fn run(self) -> Result<(Solution, Place), Refusal> {
        let Self { a, b, options, device, observe } = self;
        let (n, rights) = (a.values().rows() as f64, b.values().cols() as f64);
        // An inverse in f64 and a product with it, and products of more bits for each digit.
        let operations = 4.0 * n * n * n + 2.0 * n * n * rights * f64::from(options.digits);
        let work = Work::new(Precision::F64, operations, n * (n + rights));
        let job = System { a: &a, b: &b, options, observe };
        proved(device.share(work, job, |job| Ok(System { observe: None, ..*job })))
    }
}

impl fmt::Debug for Solve<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { a, b, options, device, observe: _ } = self;
        let shapes = (a.values().shape(), b.values().shape());
        f.debug_struct("Solve")
            .field("shapes", &shapes)
            .field("options", options)
            .field("device", device)
            .finish_non_exhaustive()
    }
}

/// Solves a system with proved digits.
struct System<'a, 'b> {
    a: &'a Data,
    b: &'a Data,
    options: Options,
    observe: Option<&'b mut (dyn FnMut(Event) + Send)>,
}

impl<B: Machine> DeviceJob<B> for System<'_, '_> {
    type Output = Result<Solution, Refusal>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let Self { a, b, options, observe } = self;
        let mut report = |event| {
            if let Some(observe) = observe {
                observe(event);
            }
        };
        or_refused(backend.prover()?.solve(a, b, *options, &mut report))
    }
}
