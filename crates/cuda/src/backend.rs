//! The backend: memory of a device, and the stream that all work goes through.

use core::any::Any;
use core::cell::Cell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use nonius_gpu::{Buffer, Device, Error, Plain, Resources, Stream, bytes_of, bytes_of_mut};
use nonius_linalg::backend::{Memory, Schedule, View, ViewMut};
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::{DeviceFailure, MatRef, Matrix, Number, Scalar};

use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef};
use crate::transfer::{self, Transfer};

/// A GPU as a backend of `nonius-linalg`.
///
/// Work is queued in one stream, and what an algorithm lets go on beside it in a second. The first
/// failure is kept: nothing is done from then on, and whoever downloads a result learns of it.
/// Copies of a backend share streams and failure.
#[derive(Clone, Debug)]
pub struct Cuda {
    device: Device,
    stream: Stream,
    /// For work beside that of `stream`, see [`Schedule::join`].
    side: Stream,
    failure: Arc<OnceLock<Error>>,
    transfer: Transfer,
    resources: Arc<Resources>,
    products: Products,
}

/// The stream beside work that is itself the first part of a `join`.
#[derive(Debug, Default)]
struct Inside(Mutex<Option<Stream>>);

thread_local! {
    /// Whether this thread queues the second part of a `join`.
    static ASIDE: Cell<bool> = const { Cell::new(false) };
}

/// Sends the work of this thread to the stream aside as long as it lives.
struct Aside;

impl Aside {
    fn begin() -> Self {
        ASIDE.set(true);
        Self
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        ASIDE.set(false);
    }
}

impl Cuda {
    /// A backend with streams of its own.
    ///
    /// # Errors
    /// Where the device gives no stream.
    pub fn new(device: &Device) -> Result<Self, Error> {
        // What others wait for goes first where both have work.
        let stream = device.urgent_stream()?;
        let side = device.stream()?;
        let transfer = Transfer::default();
        Ok(Self {
            device: device.clone(),
            stream,
            side,
            failure: Arc::default(),
            transfer,
            resources: Arc::default(),
            products: Products::default(),
        })
    }

    /// The same with another way to copy matrices to and from the device.
    #[must_use]
    pub fn with_transfer(self, transfer: Transfer) -> Self {
        Self { transfer, ..self }
    }

    /// The same with products of matrices computed so.
    #[must_use]
    pub fn with_products(self, products: Products) -> Self {
        Self { products, ..self }
    }

    /// The same for work that is itself a part of a [`Schedule::join`]. In the first part it has
    /// another stream for what it lets go on beside it; in the second part nothing goes on beside
    /// it. It keeps its own failure: the caller decides what becomes of that.
    pub(crate) fn inside(&self) -> Result<Self, Error> {
        let inside = Self { failure: Arc::default(), ..self.clone() };
        if Self::is_aside() {
            return Ok(inside);
        }
        let side = self.resource::<Inside>();
        let mut side = side.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stream = match &*side {
            Some(stream) => stream.clone(),
            None => side.insert(self.device.stream()?).clone(),
        };
        Ok(Self { side: stream, ..inside })
    }

    /// The same with a failure of its own, for work that is to be judged by itself.
    #[must_use]
    pub fn renewed(&self) -> Self {
        Self { failure: Arc::default(), ..self.clone() }
    }

    /// How products of matrices are computed.
    pub(crate) fn products(&self) -> Products {
        self.products
    }

    /// How matrices are copied.
    pub(crate) fn transfer(&self) -> Transfer {
        self.transfer
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The stream that work goes through; in the second part of a [`Schedule::join`] the one beside
    /// it.
    pub fn stream(&self) -> &Stream {
        if Self::is_aside() { &self.side } else { &self.stream }
    }

    /// Whether this thread queues the second part of a [`Schedule::join`].
    pub(crate) fn is_aside() -> bool {
        ASIDE.get()
    }

    /// What a module keeps for this backend and its copies, made at its first use.
    pub fn resource<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        self.resources.get()
    }

    /// Waits for all work.
    ///
    /// # Errors
    /// The first failure since the backend was made.
    pub fn finish(&self) -> Result<(), Error> {
        self.attempt(|| self.stream.synchronize());
        self.check()
    }

    /// The first failure since the backend was made.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.failure.get().map_or(Ok(()), |failure| Err(failure.clone()))
    }

    /// Does something unless there was a failure before; keeps its failure. Returns what it yields
    /// where it succeeds.
    pub fn attempt<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Option<R> {
        if self.failure.get().is_some() { None } else { self.succeeded(work()) }
    }

    /// What succeeded; a failure is kept, unless there was one before.
    fn succeeded<R>(&self, outcome: Result<R, Error>) -> Option<R> {
        match outcome {
            Ok(value) => Some(value),
            Err(failure) => {
                // Where another thread was first, its failure stays.
                let _ = self.failure.set(failure);
                None
            }
        }
    }

    /// Like [`attempt`](Self::attempt), for whoever waits for the outcome.
    pub fn fetch<R>(
        &self,
        work: impl FnOnce() -> Result<R, Error>,
    ) -> Result<R, nonius_linalg::Error> {
        self.attempt(work).ok_or_else(|| {
            let failure = self.failure.get().cloned().unwrap_or(Error::NoDevice);
            nonius_linalg::Error::Device(DeviceFailure::new(failure))
        })
    }

    /// A copy of some numbers on the device.
    pub fn numbers<P: Plain>(&self, numbers: &[P]) -> Result<Buffer, Error> {
        let mut buffer = Buffer::new(self.stream(), size_of_val(numbers))?;
        // SAFETY: not locked memory.
        unsafe { buffer.write(self.stream(), 0, bytes_of(numbers))? };
        Ok(buffer)
    }

    /// Reads `count` numbers from the device.
    pub fn read<P: Plain + Default>(&self, from: &Buffer, count: usize) -> Result<Vec<P>, Error> {
        let mut numbers = vec![P::default(); count];
        // SAFETY: looked at when the stream has been waited for; any bits are such numbers.
        unsafe { from.read(self.stream(), 0, bytes_of_mut(&mut numbers))? };
        self.stream().synchronize()?;
        Ok(numbers)
    }

    /// Writes a matrix of the host over a rectangle of the same shape.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn write<T: Number>(&self, from: MatRef<'_, T>, to: DeviceMut<'_, T>) -> Result<(), Error> {
        transfer::upload(&self.device, self.stream(), self.transfer, from, to)
    }

    /// A matrix that `fill` has written; one without memory where there was a failure.
    pub(crate) fn filled<T: Number>(
        &self,
        format: T::Format,
        (rows, cols): (usize, usize),
        fill: impl FnOnce(&mut DeviceMatrix<T>) -> Result<(), Error>,
    ) -> DeviceMatrix<T> {
        self.attempt(|| {
            let mut matrix = DeviceMatrix::new_in(self.stream(), format, rows, cols)?;
            fill(&mut matrix)?;
            Ok(matrix)
        })
        .unwrap_or_else(|| DeviceMatrix::absent(self.stream(), format, rows, cols))
    }

    /// A matrix of zeros.
    pub fn zeros<T: Scalar>(&self, rows: usize, cols: usize) -> DeviceMatrix<T> {
        Memory::zeros(self, (), rows, cols)
    }
}

impl Cuda {
    /// [`Schedule::join`] of work that stays on this thread.
    ///
    /// Both parts are queued by it: the second first, in the stream aside, so that whatever the
    /// first waits for finds it under way.
    ///
    /// What the second part allocates is freed in its stream. Its memory goes to others only when
    /// that stream has come so far, and its next user there waits for the first stream, as `join`
    /// begins by that.
    pub fn beside<R, S>(&self, first: impl FnOnce() -> R, second: impl FnOnce() -> S) -> (R, S) {
        let forked =
            !Self::is_aside() && self.attempt(|| self.side.wait(&self.stream.record()?)).is_some();
        if !forked {
            return (first(), second());
        }
        let aside = Aside::begin();
        let second = second();
        drop(aside);
        let first = first();
        // After a failure too: memory that the second part uses may be freed in the first stream.
        self.succeeded(self.side.record().and_then(|mark| self.stream.wait(&mark)));
        (first, second)
    }
}

impl Schedule for Cuda {
    fn join<R: Send, S: Send>(
        &self,
        first: impl FnOnce() -> R + Send,
        second: impl FnOnce() -> S + Send,
    ) -> (R, S) {
        self.beside(first, second)
    }
}

impl<T: Number> Memory<T> for Cuda {
    type Matrix = DeviceMatrix<T>;
    type Ref<'a> = DeviceRef<'a, T>;
    type Mut<'a> = DeviceMut<'a, T>;

    fn zeros(&self, format: T::Format, rows: usize, cols: usize) -> DeviceMatrix<T> {
        self.filled(format, (rows, cols), DeviceMatrix::clear)
    }

    fn room(&self, format: T::Format, rows: usize, cols: usize) -> DeviceMatrix<T> {
        self.filled(format, (rows, cols), |_| Ok(()))
    }

    fn identity(&self, format: T::Format, rows: usize, cols: usize) -> DeviceMatrix<T> {
        self.filled(format, (rows, cols), DeviceMatrix::set_identity)
    }

    fn upload(&self, a: MatRef<'_, T>) -> DeviceMatrix<T> {
        self.filled(a.format(), a.shape(), |matrix| self.write(a, matrix.as_mut()))
    }

    fn download(&self, a: DeviceRef<'_, T>) -> Result<Matrix<T>, nonius_linalg::Error> {
        self.fetch(|| transfer::download(&self.device, self.stream(), self.transfer, a))
    }

    fn copy_of(&self, a: DeviceRef<'_, T>) -> DeviceMatrix<T> {
        self.filled(a.format(), a.shape(), |matrix| {
            transfer::copy(&self.device, self.stream(), a, matrix.as_mut())
        })
    }

    fn copy(&self, from: DeviceRef<'_, T>, to: DeviceMut<'_, T>) {
        self.attempt(|| transfer::copy(&self.device, self.stream(), from, to));
    }

    fn view<'a>(&self, a: &'a DeviceMatrix<T>) -> DeviceRef<'a, T> {
        a.as_ref()
    }

    fn view_mut<'a>(&self, a: &'a mut DeviceMatrix<T>) -> DeviceMut<'a, T> {
        a.as_mut()
    }
}

impl<T: Number> ViewMut<T, Cuda> for DeviceMut<'_, T> {
    fn shape(&self) -> (usize, usize) {
        self.layout.shape()
    }

    fn format(&self) -> T::Format {
        self.format
    }

    fn as_ref(&self) -> DeviceRef<'_, T> {
        DeviceRef::of(self.layout, self.format)
    }

    fn reborrow(&mut self) -> DeviceMut<'_, T> {
        DeviceMut::of(self.layout, self.format)
    }

    fn block_mut(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        Self::of(self.layout.block(row, col, rows, cols), self.format)
    }

    fn split_cols(self, col: usize) -> (Self, Self) {
        let (rows, cols) = self.layout.shape();
        assert!(col <= cols, "column {col} of {cols}");
        let part = |col, cols| Self::of(self.layout.block(0, col, rows, cols), self.format);
        (part(0, col), part(col, cols - col))
    }
}
