//! cuSOLVER and cuBLAS in f64: LU factors and inverses by them, eigenvectors and singular vectors.

mod inverse;
mod library;
mod spectra;

use core::{fmt, ptr};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use nonius_gpu::{Buffer, Context, Error, Stream, bytes_of_mut};

use self::library::{Blas, Handle, Solver};
use crate::backend::Cuda;
use crate::matrix::Layout;

const TYPE_64F: i32 = 1;
const DOING: &str = "factoring by cuSOLVER";

/// The libraries opened for one device.
pub(crate) struct CuSolver {
    solver: &'static Solver,
    blas: &'static Blas,
    handles: Mutex<Handles>,
}

#[derive(Clone, Copy)]
struct Handles {
    solver: Handle,
    parameters: Handle,
    blas: Handle,
}

// SAFETY: the libraries' functions may be called from any thread, one at a time for a handle: hence
// the mutex.
unsafe impl Send for CuSolver {}
// SAFETY: as above.
unsafe impl Sync for CuSolver {}

impl fmt::Debug for CuSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cuSOLVER")
    }
}

fn check(status: i32) -> Result<(), Error> {
    if status == 0 {
        return Ok(());
    }
    Err(Error::driver(format!("cuSOLVER's error {status}"), DOING))
}

/// The libraries of a backend, once they were looked for.
#[derive(Debug, Default)]
struct Opened(OnceLock<Option<Arc<CuSolver>>>);

impl Cuda {
    /// cuSOLVER, where it is on the machine.
    pub(crate) fn solver(&self) -> Option<Arc<CuSolver>> {
        let open = || CuSolver::open(self.device().context()).map(Arc::new);
        self.resource::<Opened>().0.get_or_init(open).clone()
    }
}

impl CuSolver {
    /// Opens the libraries for a device; `None` where they are not on this machine, or do not work.
    fn open(context: &Context) -> Option<Self> {
        let (solver, blas) = (Solver::get()?, Blas::get()?);
        context.bind().ok()?;
        let none =
            Handles { solver: ptr::null_mut(), parameters: ptr::null_mut(), blas: ptr::null_mut() };
        let mut libraries = Self { solver, blas, handles: Mutex::new(none) };
        let handles = libraries.handles.get_mut().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: a context is current, and the handles outlive the calls.
        let created = unsafe {
            check((solver.create)(&mut handles.solver))
                .and_then(|()| check((solver.create_parameters)(&mut handles.parameters)))
                .and_then(|()| check((blas.create)(&mut handles.blas)))
        };
        created.is_ok().then_some(libraries)
    }

    /// Replaces `A` by its factors, `P·A = L·U`. Returns the row of `A` that each row of `P·A` is;
    /// none where a pivot is zero, the column of which is returned instead.
    ///
    /// # Safety
    /// A square matrix on the stream's device, each column contiguous, that nobody else uses
    /// meanwhile.
    pub(crate) unsafe fn factor(
        &self,
        stream: &Stream,
        a: Layout,
    ) -> Result<Result<Vec<i64>, usize>, Error> {
        let solver = self.solver;
        let handles = self.handles_on(stream)?;
        let n = a.rows;
        let (mut on_device, mut on_host) = (0, 0);
        // SAFETY: handles live, and both numbers outlive the call.
        unsafe {
            check((solver.factor_size)(
                handles.solver,
                handles.parameters,
                n,
                n,
                TYPE_64F,
                a.data,
                a.column,
                TYPE_64F,
                &mut on_device,
                &mut on_host,
            ))?;
        }
        let mut host = vec![0_u8; on_host];
        let workspace = Buffer::new(stream, on_device)?;
        let on_device_pivots = Buffer::new(stream, 8 * n as usize)?;
        let mut info = Buffer::new(stream, 4)?;
        info.clear()?;
        // SAFETY: the caller's promises; what is allocated here is as large as the library asks
        // for, and lives until the stream has been waited for.
        unsafe {
            check((solver.factor)(
                handles.solver,
                handles.parameters,
                n,
                n,
                TYPE_64F,
                a.data,
                a.column,
                on_device_pivots.address(),
                TYPE_64F,
                workspace.address(),
                on_device,
                host.as_mut_ptr().cast(),
                on_host,
                info.address(),
            ))?;
        }
        let (mut zero_pivot, mut pivots) = ([0_i32], vec![0_i64; n as usize]);
        // SAFETY: looked at when the stream has been waited for.
        unsafe {
            info.read(stream, 0, bytes_of_mut(&mut zero_pivot))?;
            on_device_pivots.read(stream, 0, bytes_of_mut(&mut pivots))?;
        }
        stream.synchronize()?;
        if zero_pivot[0] != 0 {
            return Ok(Err(zero_pivot[0].unsigned_abs() as usize - 1));
        }
        let mut rows: Vec<i64> = (0..n).collect();
        for (i, pivot) in pivots.into_iter().enumerate() {
            rows.swap(i, pivot as usize - 1);
        }
        Ok(Ok(rows))
    }

    /// The handles, with their work queued on this stream from now on.
    fn handles_on(&self, stream: &Stream) -> Result<Handles, Error> {
        let handles = *self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        stream.context().bind()?;
        // SAFETY: handles live.
        unsafe {
            check((self.solver.set_stream)(handles.solver, stream.raw().cast()))?;
            check((self.blas.set_stream)(handles.blas, stream.raw().cast()))?;
        }
        Ok(handles)
    }
}

impl Drop for CuSolver {
    fn drop(&mut self) {
        let handles = *self.handles.get_mut().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: created once, destroyed once.
        unsafe {
            if !handles.blas.is_null() {
                (self.blas.destroy)(handles.blas);
            }
            if !handles.parameters.is_null() {
                (self.solver.destroy_parameters)(handles.parameters);
            }
            if !handles.solver.is_null() {
                (self.solver.destroy)(handles.solver);
            }
        }
    }
}
