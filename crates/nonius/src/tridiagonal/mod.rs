//! Batches of tridiagonal systems.

mod arrays;
pub(crate) mod form;
mod numbers;
pub(crate) mod solved;
pub(crate) mod systems;
pub(crate) mod transfer;

use nonius_cuda::DeviceNumber;
use nonius_files::room::{NoRoom, check_memory};
use nonius_linalg::tridiag::{Cause, Options, Order, Report};
use nonius_linalg::{Element, Error, Numbers};
use nonius_num::stored_bytes;

use crate::backend::{Backend, DeviceJob};
use crate::device::{Device, Place};
use crate::work::Work;

use solved::Solved;
use systems::zeros;

pub use arrays::{read as read_arrays, read_from as read_arrays_from, write as write_unknowns};
pub use form::{Form, UnknownForm};
pub use numbers::{TridiagonalJob, TridiagonalPrecision, UnknownTridiagonalPrecision};
pub use systems::TridiagonalSystems;
pub use transfer::TridiagonalTransfer;

/// The outcome of a batch: method, failures, time and place.
#[derive(Clone, Debug, PartialEq)]
pub struct TridiagonalReport {
    /// Method and failures.
    pub report: Report,
    /// Time of the solution, with the ways to a GPU and back, if there were any; without the check
    /// of a GPU's unknowns on the host.
    pub seconds: f64,
    /// Where it was computed.
    pub place: Place,
}

/// Solves a batch; the part of a system without solution is NaN.
///
/// ```
/// use nonius::linalg::tridiag::{Options, Order};
/// use nonius::{Device, TridiagonalSystems, TridiagonalTransfer, tridiagonal};
///
/// let batch = TridiagonalSystems {
///     systems: 1,
///     size: 2,
///     order: Order::Contiguous,
///     matrix: [vec![0.0, 1.0].into(), vec![2.0, 2.0].into(), vec![1.0, 0.0].into()],
///     right: vec![3.0, 3.0].into(),
/// };
/// let transfer = TridiagonalTransfer::default();
/// let (x, _) = tridiagonal(&batch, &Options::default(), transfer, Device::Cpu)?;
/// assert_eq!(x.plain(), [1.0, 1.0]);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// As [`tridiag::solve`](nonius_linalg::tridiag::solve()); as
/// [`Cuda::solve_tridiagonal`](nonius_cuda::Cuda::solve_tridiagonal) where a GPU is asked for.
pub fn tridiagonal<T: DeviceNumber>(
    batch: &TridiagonalSystems<T>,
    options: &Options,
    transfer: TridiagonalTransfer,
    device: Device,
) -> Result<(Numbers<T>, TridiagonalReport), Error> {
    let precision = TridiagonalPrecision::of::<T>(batch.right.format());
    let work = Work::tridiagonal(precision, batch.right.len() as f64);
    let job = Given { batch, options, transfer };
    let (Solved { x, report, seconds }, place) = device.run(work, job)?;
    let x = without_failures(x, (batch.systems, batch.size), batch.order, &report);
    Ok((x, TridiagonalReport { report, seconds, place }))
}

/// Solves a batch in the host's memory.
struct Given<'a, T: Element> {
    batch: &'a TridiagonalSystems<T>,
    options: &'a Options,
    transfer: TridiagonalTransfer,
}

impl<T: DeviceNumber, B: Backend> DeviceJob<B> for Given<'_, T> {
    type Output = Solved<T>;

    fn run(&mut self, backend: &B) -> Result<Solved<T>, Error> {
        let &mut Self { batch, options, transfer } = self;
        let borrowed = batch.batch()?;
        let right = &batch.right;
        let mut x = zeros(right.format(), (batch.size, batch.systems), right.len())?;
        let (report, seconds) =
            backend.tridiagonal(&borrowed, options, transfer, x.as_mut_slice())?;
        Ok(Solved { x, report, seconds })
    }
}

/// Solves a batch that a GPU forms in its memory.
///
/// # Errors
/// As [`tridiagonal`]; [`Error::Device`] where there is no GPU, and for statements that are no C++.
pub fn tridiagonal_formed<T: DeviceNumber>(
    format: T::Format,
    (systems, size): (usize, usize),
    order: Order,
    form: &Form,
    options: &Options,
    device: Device,
) -> Result<(Numbers<T>, TridiagonalReport), Error> {
    let device = if device == Device::Auto { Device::Cuda(0) } else { device };
    // Whatever it takes, it is asked for on a GPU.
    let precision = TridiagonalPrecision::of::<T>(format);
    let work = Work::tridiagonal(precision, (systems as f64) * size as f64);
    let job = ByRule::<T> { format, shape: (systems, size), order, form, options };
    let (Solved { x, report, seconds }, place) = device.run(work, job)?;
    let x = without_failures(x, (systems, size), order, &report);
    Ok((x, TridiagonalReport { report, seconds, place }))
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
    report: &Report,
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
pub fn tridiagonal_room<T: DeviceNumber>(
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
