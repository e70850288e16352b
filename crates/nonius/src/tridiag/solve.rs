//! The solution of a batch, and of one that a GPU forms.

use std::fmt;
use std::time::Duration;

use nonius_cuda::DeviceNumber;
use nonius_files::room::{NoRoom, check_memory};
use nonius_linalg::tridiag::{self, Cause, Method, Options, Order};
use nonius_linalg::{Element, Error, Numbers};
use nonius_num::stored_bytes;

use super::form::Form;
use super::numbers::{Number, Precision};
use super::solved::Solved;
use super::systems::{Systems, zeros};
use super::transfer::Transfer;
use crate::backend::{Backend, DeviceJob, Machine};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;

/// How a batch was solved.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Method and failures.
    pub outcome: tridiag::Report,
    /// Where it was computed.
    pub place: Place,
    /// Time of the solution, with the ways to a GPU and back, if there were any; without the check
    /// of a GPU's unknowns on the host.
    pub time: Duration,
}

/// Methods that both builders have.
macro_rules! options {
    () => {
        /// The method, [`Method::Auto`] by default.
        pub fn method(mut self, method: Method) -> Self {
            self.options.method = method;
            self
        }

        /// Whether the first row has the last unknown as its neighbour, and the last row the first.
        pub fn periodic(mut self, periodic: bool) -> Self {
            self.options.periodic = periodic;
            self
        }

        /// Whether rows are exchanged.
        pub fn pivoting(mut self, pivoting: bool) -> Self {
            self.options.pivoting = pivoting;
            self
        }
    };
}

/// Tridiagonal systems in the host's memory.
///
/// ```
/// use nonius::Device;
/// use nonius::tridiag::{Order, Solve, Systems};
///
/// let batch = Systems {
///     systems: 1,
///     size: 2,
///     order: Order::Contiguous,
///     matrix: [vec![0.0, 1.0].into(), vec![2.0, 2.0].into(), vec![1.0, 0.0].into()],
///     right: vec![3.0, 3.0].into(),
/// };
/// let (x, _) = Solve::new(&batch).device(Device::Cpu).run()?;
/// assert_eq!(x.plain(), [1.0, 1.0]);
/// # Ok::<(), nonius::tridiag::Error>(())
/// ```
#[must_use = "a batch is solved by `run`"]
#[derive(Clone, Copy)]
pub struct Solve<'a, T: Element> {
    batch: &'a Systems<T>,
    options: Options,
    transfer: Transfer,
    device: Device,
}

impl<'a, T: Number> Solve<'a, T> {
    /// A batch without exchanges of rows.
    pub fn new(batch: &'a Systems<T>) -> Self {
        let (options, transfer) = (Options::default(), Transfer::default());
        Self { batch, options, transfer, device: Device::Auto }
    }

    options!();

    /// How the batch comes to a GPU, and its unknowns back.
    pub fn transfer(mut self, transfer: Transfer) -> Self {
        self.transfer = transfer;
        self
    }

    setters!(device);

    /// Solves the batch. Returns the unknowns in the order of the coefficients, NaN for systems
    /// without solution, and the report.
    ///
    /// # Errors
    /// As [`tridiag::solve`](nonius_linalg::tridiag::solve()); as
    /// [`Cuda::solve_tridiagonal`](nonius_cuda::Cuda::solve_tridiagonal) where a GPU is asked for.
    pub fn run(self) -> Result<(Numbers<T>, Report), Error> {
        let Self { batch, options, transfer, device } = self;
        let precision = Precision::of::<T>(batch.right.format());
        let work = Work::tridiagonal(precision, batch.right.len() as f64);
        let job = Given { batch, options: &options, transfer };
        let (Solved { x, report: outcome, time }, place) =
            device.share(work, job, |job| Ok(*job))?;
        let x = without_failures(x, (batch.systems, batch.size), batch.order, &outcome);
        Ok((x, Report { outcome, place, time }))
    }
}

impl<T: Element> fmt::Debug for Solve<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solve")
            .field("shape", &(self.batch.systems, self.batch.size))
            .field("options", &self.options)
            .field("transfer", &self.transfer)
            .field("device", &self.device)
            .finish()
    }
}

/// Solves a batch in the host's memory.
#[derive(Clone, Copy)]
struct Given<'a, T: Element> {
    batch: &'a Systems<T>,
    options: &'a Options,
    transfer: Transfer,
}

impl<T: Number, B: Machine> DeviceJob<B> for Given<'_, T> {
    type Output = Solved<T>;

    fn run(&mut self, backend: &B) -> Result<Solved<T>, Error> {
        let &mut Self { batch, options, transfer } = self;
        let borrowed = batch.batch()?;
        let right = &batch.right;
        let mut x = zeros(right.format(), (batch.size, batch.systems), right.len())?;
        let (report, time) = backend.tridiagonal(&borrowed, options, transfer, x.as_mut_slice())?;
        Ok(Solved { x, report, time })
    }
}

/// Systems that a GPU forms in its memory: on the first GPU, unless another is named.
#[must_use = "a batch is solved by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct SolveFormed<'a> {
    form: &'a Form,
    shape: (usize, usize),
    order: Order,
    options: Options,
    device: Device,
}

impl<'a> SolveFormed<'a> {
    /// Systems of `size` equations by a rule.
    pub fn new(form: &'a Form, systems: usize, size: usize) -> Self {
        let (shape, order) = ((systems, size), Order::Contiguous);
        Self { form, shape, order, options: Options::default(), device: Device::Auto }
    }

    /// The order of the unknowns.
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    options!();
    setters!(device);

    /// Forms and solves the batch with numbers of a format. Returns the unknowns, NaN for systems
    /// without solution, and the report.
    ///
    /// # Errors
    /// As [`Solve::run`]; [`Error::Device`] where there is no GPU, and for statements that are no
    /// C++.
    pub fn run<T: DeviceNumber>(self, format: T::Format) -> Result<(Numbers<T>, Report), Error> {
        let Self { form, shape, order, options, device } = self;
        let device = if device == Device::Auto { Device::Cuda(0) } else { device };
        // Whatever it takes, it is asked for on a GPU.
        let precision = Precision::of::<T>(format);
        let work = Work::tridiagonal(precision, (shape.0 as f64) * shape.1 as f64);
        let job = ByRule::<T> { format, shape, order, form, options: &options };
        let (Solved { x, report: outcome, time }, place) = device.run(work, job)?;
        let x = without_failures(x, shape, order, &outcome);
        Ok((x, Report { outcome, place, time }))
    }
}

/// Solves a batch whose coefficients follow a rule.
struct ByRule<'a, T: Element> {
    format: T::Format,
    shape: (usize, usize),
    order: Order,
    form: &'a Form,
    options: &'a Options,
}

impl<T: DeviceNumber, B: Backend> DeviceJob<B> for ByRule<'_, T> {
    type Output = Solved<T>;

    fn run(&mut self, backend: &B) -> Result<Solved<T>, Error> {
        backend.tridiagonal_formed(self.format, self.shape, self.order, self.form, self.options)
    }
}

fn without_failures<T: DeviceNumber>(
    mut x: Numbers<T>,
    (systems, size): (usize, usize),
    order: Order,
    report: &tridiag::Report,
) -> Numbers<T> {
    for failure in &report.failures {
        for i in 0..size {
            x.set(order.index((systems, size), failure.system, i), T::from_f64(f64::NAN));
        }
    }
    x
}

/// Refuses a batch whose coefficients, unknowns and their copies do not fit into free memory.
///
/// # Errors
/// What does not fit.
pub fn check_room<T: DeviceNumber>(
    format: T::Format,
    (systems, size): (usize, usize),
) -> Result<(), NoRoom> {
    /// Four arrays of coefficients and the unknowns, and as many again: copies for a GPU, or rings
    /// cut open.
    const ARRAYS: u128 = 10;
    let unknowns = (systems as u128).saturating_mul(size as u128);
    let bytes = unknowns.saturating_mul(ARRAYS * stored_bytes::<T>(format) as u128);
    let name = T::name(format);
    check_memory(format_args!("{systems} systems of {size} equations in {name}"), bytes)
}

/// What a cause is called: `not finite`, `pivot` or `overflow`.
pub fn cause_name(cause: Cause) -> &'static str {
    match cause {
        Cause::NotFinite => "not finite",
        Cause::Pivot => "pivot",
        Cause::Overflow => "overflow",
    }
}
