//! Sparse matrices on a device, and their products with vectors.

use nonius_gpu::{
    Buffer, Const, Entry, Error, Kernel, Plain, Pointer, Shape, kernel_arguments, kernel_parameters,
};
use nonius_linalg::krylov::LinearOperator;
use nonius_linalg::sparse::{Layout, Pattern};
use nonius_linalg::{Error as LinalgError, dense::gemm::Arithmetic};

use super::kernels::Log;
use super::kind::Kind;
use super::vector::{CudaVector, Planar, Planes, Values, Vector};
use super::{CudaSpace, Source};
use crate::backend::Cuda;

/// Threads of a block in products.
const THREADS: usize = 128;

kernel_arguments! {
    /// A sparse matrix as kernels see it, by lines of terms.
    pub(super) struct Sparse {
        rows: i64,
        cols: i64,
        /// CSR: where each row begins, and where the last ends. JAD: where term `k` of the first
        /// line lies. DIA: column minus row of each diagonal.
        starts: Pointer<Const<i64>>,
        /// But for DIA and full matrices.
        columns: Pointer<Const<u32>>,
        /// Terms of each line, for ELL and JAD.
        lengths: Pointer<Const<u32>>,
        /// The row that a line is, for JAD.
        row_of_line: Pointer<Const<u32>>,
        /// For DIA.
        diagonals: i64,
    }
}

kernel_parameters! {
    /// `y ← A·x`
    struct SparseProduct {
        a: Sparse,
        values: Planes<Values>,
        x: Planes<Vector>,
        y: Planes<Vector>,
        held: Pointer<Const<Log>>,
    }
}

const SPMV: Entry<SparseProduct> = Entry::new(c"spmv");

/// A sparse matrix in one of the [formats](nonius_linalg::sparse) in a device's memory, as an
/// operator on vectors of a [`CudaSpace`].
#[derive(Debug)]
pub struct CudaSparse {
    shape: (usize, usize),
    /// Arrays that the structure points at.
    _arrays: Vec<Buffer>,
    sparse: Sparse,
    values: CudaVector,
    kernel: Kernel<SparseProduct>,
    /// Threads that share a line.
    sharing: usize,
    /// Of the vectors.
    kind: Kind,
}

/// Formats as kernels number them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Csr,
    Ell,
    Jad,
    Dia,
    Full,
}

fn source(
    kind: &Kind,
    values: &Kind,
    format: Format,
    arithmetic: Arithmetic,
    sharing: usize,
) -> Source {
    let name = match format {
        Format::Csr => "spmv-csr",
        Format::Ell => "spmv-ell",
        Format::Jad => "spmv-jad",
        Format::Dia => "spmv-dia",
        Format::Full => "spmv-full",
    };
    let (values_name, size) = values.values();
    let mut definitions = vec![(values_name, size), ("FORMAT", format as usize)];
    if let Kind::Mp(_) = kind {
        definitions.push(("SHARING", sharing));
    }
    let name = match kind {
        Kind::Limbs(_) | Kind::Rns(_) => format!("{name}-{size}"),
        Kind::Mp(_) => format!("{name}-{size}-{sharing}"),
    };
    kind.source(&name, "sparse/spmv.cu", arithmetic, &definitions).entry(SPMV)
}

/// Modules for values of one limb or 64 bits, and for those of the vectors.
pub(super) fn sources(kind: &Kind) -> Vec<Source> {
    let mut sources = Vec::new();
    for format in [Format::Csr, Format::Ell, Format::Jad, Format::Dia, Format::Full] {
        let of = |values: Kind| source(kind, &values, format, Arithmetic::Delayed, 1);
        sources.extend(kind.usual_values().map(of));
    }
    if let Kind::Mp(_) = kind {
        let short = kind.short();
        let shared = |sharing| source(kind, &short, Format::Csr, Arithmetic::Delayed, sharing);
        sources.extend([8, 32].map(shared));
        sources.push(source(kind, &short, Format::Csr, Arithmetic::Ieee, 1));
    }
    sources
}

/// Threads that share a line, which has `terms` terms on average. Sums of `mp` numbers are the same
/// in any order unless they are rounded term by term.
fn sharing(kind: &Kind, arithmetic: Arithmetic, format: Format, terms: usize) -> usize {
    match (kind, arithmetic) {
        (Kind::Limbs(_) | Kind::Rns(_), _) | (_, Arithmetic::Ieee) => 1,
        _ if terms <= 8 => 1,
        // Four neighbouring rows of a column are what one access to memory fetches.
        _ if terms <= 64 || format == Format::Full => 8,
        _ => 32,
    }
}

impl CudaSpace {
    /// A copy of a matrix.
    ///
    /// Panics where values have neither one limb nor those of the vectors, or limbs meet numbers of
    /// any bits; vectors in residues take values in `f64`.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn upload_matrix<A: Layout>(&self, a: &A) -> Result<CudaSparse, LinalgError> {
        self.cuda.fetch(|| CudaSparse::new(self, a))
    }
}

/// Arrays on the device.
struct Arrays<'a> {
    cuda: &'a Cuda,
    buffers: Vec<Buffer>,
}

impl Arrays<'_> {
    /// Where a copy is.
    fn put<P: Plain>(&mut self, numbers: &[P]) -> Result<Pointer<Const<P>>, Error> {
        let buffer = self.cuda.numbers(numbers)?;
        let pointer = buffer.pointer();
        self.buffers.push(buffer);
        Ok(pointer)
    }

    /// The same for places.
    fn put_places(&mut self, places: &[usize]) -> Result<Pointer<Const<i64>>, Error> {
        self.put(&places.iter().map(|&at| at as i64).collect::<Vec<_>>())
    }
}

impl CudaSparse {
    fn new<A: Layout>(space: &CudaSpace, a: &A) -> Result<Self, Error> {
        let cuda = space.cuda();
        let (rows, cols) = a.shape();
        let mut arrays = Arrays { cuda, buffers: Vec::new() };
        let mut sparse = Sparse {
            rows: rows as i64,
            cols: cols as i64,
            starts: Pointer::NULL,
            columns: Pointer::NULL,
            lengths: Pointer::NULL,
            row_of_line: Pointer::NULL,
            diagonals: 0,
        };
        let format = match a.pattern() {
            Pattern::Csr { starts, columns } => {
                sparse.starts = arrays.put_places(starts)?;
                sparse.columns = arrays.put(columns)?;
                Format::Csr
            }
            Pattern::Ell { lengths, columns } => {
                sparse.lengths = arrays.put(lengths)?;
                sparse.columns = arrays.put(columns)?;
                Format::Ell
            }
            Pattern::Jad { starts, lengths, columns, lines } => {
                let mut rows: Vec<u32> = vec![0; lines.len()];
                lines.iter().zip(0..).for_each(|(&line, row)| rows[line as usize] = row);
                sparse.starts = arrays.put_places(starts)?;
                sparse.lengths = arrays.put(lengths)?;
                sparse.columns = arrays.put(columns)?;
                sparse.row_of_line = arrays.put(&rows)?;
                Format::Jad
            }
            Pattern::Dia { offsets } => {
                sparse.starts = arrays.put(offsets)?;
                sparse.diagonals = offsets.len() as i64;
                Format::Dia
            }
            Pattern::Full => Format::Full,
        };
        let values = a.values().upload(cuda)?;
        let fits = space.kind().takes(values.kind());
        assert!(fits, "values of {:?} for vectors of {:?}", values.kind(), space.kind());
        let sharing = sharing(space.kind(), space.arithmetic(), format, a.entries() / rows.max(1));
        let source = source(space.kind(), values.kind(), format, space.arithmetic(), sharing);
        let kernel = cuda.device().module(&source)?.kernel(SPMV)?;
        let (shape, kind) = ((rows, cols), space.kind().clone());
        Ok(Self { shape, _arrays: arrays.buffers, sparse, values, kernel, sharing, kind })
    }

    /// What kernels take.
    pub(super) fn sparse(&self) -> Sparse {
        self.sparse
    }

    pub(super) fn values(&self) -> &CudaVector {
        &self.values
    }
}

impl LinearOperator<CudaSpace> for CudaSparse {
    fn size(&self) -> (usize, usize) {
        self.shape
    }

    fn apply(&self, space: &mut CudaSpace, x: &CudaVector, y: &mut CudaVector) {
        assert_eq!((y.len(), x.len()), self.shape, "lengths");
        assert_eq!((x.kind(), y.kind()), (&self.kind, &self.kind), "kind of numbers");
        let blocks = (self.shape.0 * self.sharing).div_ceil(THREADS) as u32;
        let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        let arguments = SparseProduct {
            a: self.sparse,
            values: self.values.planes(),
            x: x.planes(),
            y: y.planes(),
            held: space.held(),
        };
        let cuda = space.cuda();
        // SAFETY: the vectors are as long as the matrix is wide and tall.
        cuda.attempt(|| unsafe { self.kernel.launch(cuda.stream(), shape, &arguments) });
    }
}
