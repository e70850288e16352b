//! Eigenvectors and singular vectors in f64.

use core::ptr;

use nonius_gpu::{Buffer, Error, Stream, bytes_of_mut};

use super::{CuSolver, TYPE_64F, check};
use crate::matrix::Layout;

const VECTORS: i32 = 1;
const LOWER: i32 = 0;
const ECONOMIC: i32 = 1;

/// Memory that a function asks for, and where it says whether it succeeded.
struct Workspace {
    device: Buffer,
    device_bytes: usize,
    host: Vec<u8>,
    info: Buffer,
}

impl Workspace {
    fn new(stream: &Stream, on_device: usize, on_host: usize) -> Result<Self, Error> {
        let mut info = Buffer::new(stream, 4)?;
        info.clear()?;
        let device = Buffer::new(stream, on_device)?;
        Ok(Self { device, device_bytes: on_device, host: vec![0; on_host], info })
    }

    /// Whether it succeeded, when it is done.
    fn succeeded(&self, stream: &Stream) -> Result<bool, Error> {
        let mut info = [0_i32];
        // SAFETY: looked at when the stream has been waited for.
        unsafe { self.info.read(stream, 0, bytes_of_mut(&mut info))? };
        stream.synchronize()?;
        Ok(info[0] == 0)
    }
}

impl CuSolver {
    /// Replaces a symmetric matrix, of which the lower triangle is read, by its eigenvectors in
    /// ascending order of the eigenvalues. Says whether it succeeded.
    ///
    /// # Safety
    /// A square matrix on the stream's device, each column contiguous, that nobody else uses
    /// meanwhile.
    pub(crate) unsafe fn eigenvectors(&self, stream: &Stream, a: Layout) -> Result<bool, Error> {
        let handles = self.handles_on(stream)?;
        let (mut on_device, mut on_host) = (0, 0);
        let values = Buffer::new(stream, 8 * a.rows as usize)?;
        // SAFETY: handles live, and both numbers outlive the call.
        unsafe {
            check((self.solver.eigenvectors_size)(
                handles.solver,
                handles.parameters,
                VECTORS,
                LOWER,
                a.rows,
                TYPE_64F,
                a.data,
                a.column,
                TYPE_64F,
                values.address(),
                TYPE_64F,
                &mut on_device,
                &mut on_host,
            ))?;
        }
        let mut workspace = Workspace::new(stream, on_device, on_host)?;
        // SAFETY: the caller's promises; what is allocated here is as large as the library asks
        // for, and lives until the stream has been waited for.
        unsafe {
            check((self.solver.eigenvectors)(
                handles.solver,
                handles.parameters,
                VECTORS,
                LOWER,
                a.rows,
                TYPE_64F,
                a.data,
                a.column,
                TYPE_64F,
                values.address(),
                TYPE_64F,
                workspace.device.address(),
                workspace.device_bytes,
                workspace.host.as_mut_ptr().cast(),
                workspace.host.len(),
                workspace.info.address(),
            ))?;
        }
        workspace.succeeded(stream)
    }

    /// Singular vectors of the first of three square matrices, which it loses: left ones to the
    /// second, right ones to the third, in descending order of the singular values. Says whether it
    /// succeeded.
    ///
    /// # Safety
    /// Matrices of one order on the stream's device, each column contiguous, that nobody else uses
    /// meanwhile.
    pub(crate) unsafe fn singular_vectors(
        &self,
        stream: &Stream,
        [a, u, v]: [Layout; 3],
    ) -> Result<bool, Error> {
        let handles = self.handles_on(stream)?;
        let (mut on_device, mut on_host) = (0, 0);
        let values = Buffer::new(stream, 8 * a.rows as usize)?;
        // SAFETY: handles live, and both numbers outlive the call.
        unsafe {
            check((self.solver.singular_vectors_size)(
                handles.solver,
                handles.parameters,
                VECTORS,
                ECONOMIC,
                a.rows,
                a.cols,
                TYPE_64F,
                a.data,
                a.column,
                TYPE_64F,
                values.address(),
                TYPE_64F,
                u.data,
                u.column,
                TYPE_64F,
                v.data,
                v.column,
                TYPE_64F,
                &mut on_device,
                &mut on_host,
            ))?;
        }
        let mut workspace = Workspace::new(stream, on_device, on_host)?;
        // How far a singular matrix was moved.
        let mut moved = 0.0_f64;
        // SAFETY: the caller's promises; what is allocated here is as large as the library asks
        // for, and lives until the stream has been waited for.
        unsafe {
            check((self.solver.singular_vectors)(
                handles.solver,
                handles.parameters,
                VECTORS,
                ECONOMIC,
                a.rows,
                a.cols,
                TYPE_64F,
                a.data,
                a.column,
                TYPE_64F,
                values.address(),
                TYPE_64F,
                u.data,
                u.column,
                TYPE_64F,
                v.data,
                v.column,
                TYPE_64F,
                workspace.device.address(),
                workspace.device_bytes,
                workspace.host.as_mut_ptr().cast(),
                workspace.host.len(),
                workspace.info.address(),
                ptr::from_mut(&mut moved),
            ))?;
        }
        workspace.succeeded(stream)
    }
}
