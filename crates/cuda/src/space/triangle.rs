//! Incomplete Cholesky factors on a device.

use core::cell::Cell;

use nonius_gpu::{Buffer, Const, Entry, Kernel, Pointer, Shape, kernel_parameters};
use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{IncompleteCholesky, Preconditioner};
use nonius_linalg::{Error as LinalgError, Number};

use super::kernels::Log;
use super::kind::Kind;
use super::sparse::Sparse;
use super::vector::{CudaVector, FreshVector, Planar, Planes, Values, Vector};
use super::{CudaSpace, CudaSparse, Source};

/// Threads of a block, of which 32 have a row.
const THREADS: usize = 128;

kernel_parameters! {
    /// `z ← T⁻¹·r` for a triangle by rows.
    struct Substitution {
        /// The triangle without its diagonal, and the inverses of that.
        a: Sparse,
        values: Planes<Values>,
        inverses: Planes<Values>,
        r: Planes<Vector>,
        /// May be `r`.
        z: Planes<FreshVector>,
        /// For every row the last round in which it was solved.
        ready: Pointer<u32>,
        /// Which no earlier launch had.
        round: u32,
        /// Whether rows are taken from the last to the first.
        backward: i32,
        held: Pointer<Const<Log>>,
    }
}

const SOLVE: Entry<Substitution> = Entry::new(c"solve");

/// A copy of incomplete Cholesky factors, as a preconditioner of methods on vectors of a
/// [`CudaSpace`].
#[derive(Debug)]
pub struct CudaIncompleteCholesky {
    lower: CudaSparse,
    upper: CudaSparse,
    inverses: CudaVector,
    kernel: Kernel<Substitution>,
    /// For every row the last round in which it was solved.
    ready: Buffer,
    round: Cell<u32>,
}

fn source(kind: &Kind, values: &Kind, arithmetic: Arithmetic) -> Source {
    let (name, size) = values.values();
    kind.source(&format!("triangle-{size}"), "sparse/triangle.cu", arithmetic, &[(name, size)])
        .entry(SOLVE)
}

pub(super) fn sources(kind: &Kind) -> Vec<Source> {
    let of = |values: Kind| source(kind, &values, Arithmetic::Delayed);
    kind.usual_values().map(of).collect()
}

impl CudaSpace {
    /// A copy of incomplete Cholesky factors.
    ///
    /// Panics as [`upload_matrix`](Self::upload_matrix).
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn upload_incomplete_cholesky<V: Number>(
        &self,
        factors: &IncompleteCholesky<V>,
    ) -> Result<CudaIncompleteCholesky, LinalgError> {
        let (lower, upper, inverses) = factors.parts();
        let (lower, upper) = (self.upload_matrix(lower)?, self.upload_matrix(upper)?);
        let cuda = self.cuda();
        cuda.fetch(|| {
            let inverses = inverses.upload(cuda)?;
            let module =
                cuda.device().module(&source(self.kind(), inverses.kind(), self.arithmetic()))?;
            let kernel = module.kernel(SOLVE)?;
            let mut ready = Buffer::new(cuda.stream(), 4 * inverses.len())?;
            ready.clear()?;
            let round = Cell::new(0);
            Ok(CudaIncompleteCholesky { lower, upper, inverses, kernel, ready, round })
        })
    }
}

impl CudaIncompleteCholesky {
    fn solve(
        &self,
        space: &CudaSpace,
        triangle: &CudaSparse,
        r: Planes<Vector>,
        z: &mut CudaVector,
        backward: bool,
    ) {
        let blocks = (32 * z.len()).div_ceil(THREADS) as u32;
        let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // After 2^32 rounds the numbers come again; by then no row has one that is about to come.
        let round = self.round.get().wrapping_add(1).max(1);
        self.round.set(round);
        let arguments = Substitution {
            a: triangle.sparse(),
            values: triangle.values().planes(),
            inverses: self.inverses.planes(),
            r,
            z: z.planes(),
            ready: self.ready.pointer(),
            round,
            backward: backward.into(),
            held: space.held(),
        };
        let cuda = space.cuda();
        // SAFETY: the vectors are as long as the triangle is tall, and there are as many counters.
        cuda.attempt(|| unsafe { self.kernel.launch(cuda.stream(), shape, &arguments) });
    }
}

impl Preconditioner<CudaSpace> for CudaIncompleteCholesky {
    fn apply(&self, space: &mut CudaSpace, r: &CudaVector, z: &mut CudaVector) {
        assert_eq!((space.length(r), space.length(z)), (self.inverses.len(), self.inverses.len()));
        self.solve(space, &self.lower, r.planes(), z, false);
        self.solve(space, &self.upper, z.planes(), z, true);
    }
}
