//! Batches of tridiagonal systems.

mod form;
mod npy;
mod numbers;

use std::time::Instant;

use nonius_cuda::{Cuda, DeviceNumber, Transfer};
use nonius_files::room::{NoRoom, check_memory};
use nonius_linalg::Error;
use nonius_linalg::tridiag::{self, Batch, Cause, Options, Order, Report, settle};

use crate::device::{Device, Engine, Place};
use crate::work::Work;

pub use form::{Form, UnknownForm};
pub use npy::{
    ArrayError, ArrayProblem, read as read_arrays, read_from as read_arrays_from,
    write as write_unknowns,
};
pub use numbers::{TridiagonalJob, TridiagonalPrecision, UnknownTridiagonalPrecision};

/// The coefficients and right sides of tridiagonal systems, owned.
#[derive(Clone, Debug, PartialEq)]
pub struct TridiagonalSystems<T> {
    /// Number of systems.
    pub systems: usize,
    /// Equations of each.
    pub size: usize,
    /// Where the numbers lie.
    pub order: Order,
    /// Lower, main and upper diagonals.
    pub matrix: [Vec<T>; 3],
    /// Right sides.
    pub right: Vec<T>,
}

impl<T: DeviceNumber> TridiagonalSystems<T> {
    /// The batch.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::TooLarge`].
    pub fn batch(&self) -> Result<Batch<'_, T>, Error> {
        let [lower, diagonal, upper] = &self.matrix;
        let matrix = [&lower[..], &diagonal[..], &upper[..]];
        Batch::new(self.systems, self.size, self.order, matrix, &self.right)
    }
}

/// How a batch comes to a GPU, and its solution back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TridiagonalTransfer {
    /// All at once; then the solution; then all back.
    Synchronous,
    /// In pieces, whose copies and solutions overlap.
    #[default]
    Asynchronous,
    /// Kernels reach the host's memory.
    Mapped,
    /// It is in the device's memory before, and the solution stays there.
    Device,
}

impl TridiagonalTransfer {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Synchronous, Self::Asynchronous, Self::Mapped, Self::Device];

    /// The spelling: `sync`, `async`, `mapped`, `device`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Synchronous => "sync",
            Self::Asynchronous => "async",
            Self::Mapped => "mapped",
            Self::Device => "device",
        }
    }
}

/// What a batch took.
#[derive(Clone, Debug, PartialEq)]
pub struct TridiagonalReport {
    /// Method and failures.
    pub report: Report,
    /// Time of the solution, with the ways to a GPU and back, if there were any; without the check of a GPU's unknowns on the host.
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
///     matrix: [vec![0.0, 1.0], vec![2.0, 2.0], vec![1.0, 0.0]],
///     right: vec![3.0, 3.0],
/// };
/// let (x, _) = tridiagonal(&batch, &Options::default(), TridiagonalTransfer::default(), Device::Cpu)?;
/// assert_eq!(x, [1.0, 1.0]);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// As [`tridiag::solve`]; as [`Cuda::solve_tridiagonal`] where a GPU is asked for.
pub fn tridiagonal<T: DeviceNumber>(
    batch: &TridiagonalSystems<T>,
    options: &Options,
    transfer: TridiagonalTransfer,
    device: Device,
) -> Result<(Vec<T>, TridiagonalReport), Error> {
    let rows = batch.right.len();
    let work = Work::tridiagonal(T::LIMBS, rows as f64);
    let ((x, report, seconds), place) = device.run(work, |engine| {
        let borrowed = batch.batch()?;
        let mut x = zeros(batch.size, batch.systems, rows)?;
        let (report, seconds) = match engine {
            Engine::Cpu => {
                let start = Instant::now();
                let report = tridiag::solve(&borrowed, options, &mut x)?;
                (report, start.elapsed().as_secs_f64())
            }
            Engine::Cuda(gpu) => {
                let (mut report, seconds) = on_gpu(gpu, &borrowed, options, transfer, &mut x)?;
                report.failures = settle(&borrowed, options, &mut x, &report.failures)?;
                (report, seconds)
            }
        };
        Ok((x, report, seconds))
    })?;
    Ok((without_failures(x, batch, &report)?, TridiagonalReport { report, seconds, place }))
}

/// Solves a batch that a GPU forms in its memory.
///
/// # Errors
/// As [`tridiagonal`]; [`Error::Device`] where there is no GPU, and for statements that are no C++.
pub fn tridiagonal_formed<T: DeviceNumber>(
    (systems, size): (usize, usize),
    order: Order,
    form: &Form,
    options: &Options,
    device: Device,
) -> Result<(Vec<T>, TridiagonalReport), Error> {
    let device = if device == Device::Auto { Device::Cuda(0) } else { device };
    // Whatever it takes, it is asked for on a GPU.
    let work = Work::tridiagonal(T::LIMBS, (systems as f64) * size as f64);
    let ((x, report, seconds), place) = device.run(work, |engine| {
        let Engine::Cuda(gpu) = engine else {
            return Err(Error::NeedsGpu { what: "coefficients by statements" });
        };
        let generator = form.generator();
        let mut batch = gpu.generate_tridiagonal::<T>(systems, size, order, &generator)?;
        // Kernels are compiled, and the coefficients there.
        gpu.solve_tridiagonal(&mut batch, options)?;
        let start = Instant::now();
        let mut report = gpu.solve_tridiagonal(&mut batch, options)?;
        let seconds = start.elapsed().as_secs_f64();
        let array = || zeros(size, systems, systems * size);
        let mut x = array()?;
        gpu.download_unknowns(&batch, &mut x)?;
        let (mut matrix, mut right) = ([array()?, array()?, array()?], array()?);
        let [lower, diagonal, upper] = &mut matrix;
        gpu.download_coefficients(&batch, [lower, diagonal, upper, &mut right])?;
        let formed = TridiagonalSystems { systems, size, order, matrix, right };
        report.failures = settle(&formed.batch()?, options, &mut x, &report.failures)?;
        Ok((x, report, seconds))
    })?;
    let shape = TridiagonalSystems::<T> {
        systems,
        size,
        order,
        matrix: Default::default(),
        right: Vec::new(),
    };
    Ok((without_failures(x, &shape, &report)?, TridiagonalReport { report, seconds, place }))
}

fn zeros<T: DeviceNumber>(rows: usize, cols: usize, count: usize) -> Result<Vec<T>, Error> {
    let mut x = Vec::new();
    x.try_reserve_exact(count).map_err(|_| Error::TooLarge { rows, cols })?;
    x.resize(count, T::ZERO);
    Ok(x)
}

fn without_failures<T: DeviceNumber>(
    mut x: Vec<T>,
    batch: &TridiagonalSystems<T>,
    report: &Report,
) -> Result<Vec<T>, Error> {
    let shape = (batch.systems, batch.size);
    for failure in &report.failures {
        for i in 0..batch.size {
            x[batch.order.index(shape, failure.system, i)] = T::from_f64(f64::NAN);
        }
    }
    Ok(x)
}

fn on_gpu<T: DeviceNumber>(
    gpu: &Cuda,
    batch: &Batch<'_, T>,
    options: &Options,
    transfer: TridiagonalTransfer,
    x: &mut [T],
) -> Result<(Report, f64), Error> {
    let way = match transfer {
        TridiagonalTransfer::Synchronous => Transfer::Synchronous,
        TridiagonalTransfer::Asynchronous => Transfer::Asynchronous,
        TridiagonalTransfer::Mapped => Transfer::Mapped,
        TridiagonalTransfer::Device => {
            let mut there = gpu.upload_tridiagonal(batch)?;
            gpu.solve_tridiagonal(&mut there, options)?;
            let start = Instant::now();
            let report = gpu.solve_tridiagonal(&mut there, options)?;
            let seconds = start.elapsed().as_secs_f64();
            gpu.download_unknowns(&there, x)?;
            return Ok((report, seconds));
        }
    };
    let mut pinned = gpu.pin_tridiagonal(batch)?;
    warm(gpu, batch, options)?;
    let start = Instant::now();
    let report = gpu.solve_pinned(&mut pinned, options, way)?;
    let seconds = start.elapsed().as_secs_f64();
    pinned.unknowns(x);
    Ok((report, seconds))
}

/// Has the kernels compiled and loaded, by one system.
fn warm<T: DeviceNumber>(gpu: &Cuda, batch: &Batch<'_, T>, options: &Options) -> Result<(), Error> {
    let n = batch.size();
    let (zero, one) = (vec![T::ZERO; n], vec![T::ONE; n]);
    let single = Batch::new(1, n, batch.order(), [&zero, &one, &zero], &one)?;
    let mut there = gpu.upload_tridiagonal(&single)?;
    gpu.solve_tridiagonal(&mut there, options).map(drop)
}

/// Refuses a batch whose coefficients, unknowns and their copies do not fit into free memory.
///
/// # Errors
/// What does not fit.
pub fn tridiagonal_room<T: DeviceNumber>(systems: usize, size: usize) -> Result<(), NoRoom> {
    /// Four arrays of coefficients and the unknowns, and as many again: copies for a GPU, or rings cut open.
    const ARRAYS: u128 = 10;
    let bytes = ARRAYS * size_of::<T>() as u128 * systems as u128 * size as u128;
    check_memory(format_args!("{systems} systems of {size} equations in {}", T::NAME), bytes)
}

/// What a cause is called: `not finite`, `pivot` or `overflow`.
pub fn cause_name(cause: Cause) -> &'static str {
    match cause {
        Cause::NotFinite => "not finite",
        Cause::Pivot => "pivot",
        Cause::Overflow => "overflow",
    }
}
