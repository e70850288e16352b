//! Sparse matrices on a device, and their products with vectors.

use nonius_gpu::{Buffer, Error, Kernel, Plain, Shape, argument};
use nonius_linalg::krylov::LinearOperator;
use nonius_linalg::sparse::{Layout, Pattern};
use nonius_linalg::{Error as LinalgError, dense::gemm::Arithmetic};

use super::kind::Kind;
use super::vector::{CudaVector, Planar};
use super::{CudaSpace, Source};
use crate::backend::Cuda;

/// Threads of a block in products.
const THREADS: usize = 128;

/// A sparse matrix in one of the [formats](nonius_linalg::sparse) in a device's memory, as an operator on vectors of a [`CudaSpace`].
#[derive(Debug)]
pub struct CudaSparse {
    shape: (usize, usize),
    /// Arrays that the structure points at.
    _arrays: Vec<Buffer>,
    /// `Sparse` in `sparse.cuh`.
    words: [u64; 7],
    values: CudaVector,
    kernel: Kernel,
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
    kind.source(&name, "sparse/spmv.cu", arithmetic, &definitions)
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

/// Threads that share a line of so many terms on the average: sums of `mp` numbers are the same in any order unless they are rounded term by term.
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
    pub fn upload_matrix<A: Layout<Values: Planar>>(
        &self,
        a: &A,
    ) -> Result<CudaSparse, LinalgError> {
        self.cuda.fetch(|| CudaSparse::new(self, a))
    }
}

/// Arrays on the device.
struct Arrays<'a> {
    cuda: &'a Cuda,
    buffers: Vec<Buffer>,
}

impl Arrays<'_> {
    /// The address of a copy.
    fn put<P: Plain>(&mut self, numbers: &[P]) -> Result<u64, Error> {
        let buffer = self.cuda.numbers(numbers)?;
        let address = buffer.address();
        self.buffers.push(buffer);
        Ok(address)
    }

    /// The same for places.
    fn put_places(&mut self, places: &[usize]) -> Result<u64, Error> {
        self.put(&places.iter().map(|&at| at as i64).collect::<Vec<_>>())
    }
}

impl CudaSparse {
    fn new<A: Layout<Values: Planar>>(space: &CudaSpace, a: &A) -> Result<Self, Error> {
        let cuda = space.cuda();
        let (rows, cols) = a.shape();
        let mut arrays = Arrays { cuda, buffers: Vec::new() };
        let (mut to_starts, mut to_columns, mut to_lengths) = (0, 0, 0);
        let (mut to_rows, mut diagonals) = (0, 0);
        let format = match a.pattern() {
            Pattern::Csr { starts, columns } => {
                to_starts = arrays.put_places(starts)?;
                to_columns = arrays.put(columns)?;
                Format::Csr
            }
            Pattern::Ell { lengths, columns } => {
                to_lengths = arrays.put(lengths)?;
                to_columns = arrays.put(columns)?;
                Format::Ell
            }
            Pattern::Jad { starts, lengths, columns, lines } => {
                let mut rows: Vec<u32> = vec![0; lines.len()];
                lines.iter().zip(0..).for_each(|(&line, row)| rows[line as usize] = row);
                to_starts = arrays.put_places(starts)?;
                to_lengths = arrays.put(lengths)?;
                to_columns = arrays.put(columns)?;
                to_rows = arrays.put(&rows)?;
                Format::Jad
            }
            Pattern::Dia { offsets } => {
                to_starts = arrays.put(offsets)?;
                diagonals = offsets.len() as u64;
                Format::Dia
            }
            Pattern::Full => Format::Full,
        };
        let (height, width) = (rows as u64, cols as u64);
        let words = [height, width, to_starts, to_columns, to_lengths, to_rows, diagonals];
        let values = a.values().upload(cuda)?;
        let fits = space.kind().takes(values.kind());
        assert!(fits, "values of {:?} for vectors of {:?}", values.kind(), space.kind());
        let sharing = sharing(space.kind(), space.arithmetic(), format, a.entries() / rows.max(1));
        let source = source(space.kind(), values.kind(), format, space.arithmetic(), sharing);
        let kernel = cuda.device().module(&source)?.kernel(c"spmv")?;
        let (shape, kind) = ((rows, cols), space.kind().clone());
        Ok(Self { shape, _arrays: arrays.buffers, words, values, kernel, sharing, kind })
    }

    /// The structure that kernels take.
    pub(super) fn words(&self) -> [u64; 7] {
        self.words
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
        let (values, x, y, held) = (self.values.words(), x.words(), y.words(), space.held());
        let arguments = &mut [
            argument(&self.words),
            argument(&values),
            argument(&x),
            argument(&y),
            argument(&held),
        ];
        let cuda = space.cuda();
        // SAFETY: the kernel takes a matrix, its values, vectors as long as it is wide and tall, and a log.
        cuda.attempt(|| unsafe { self.kernel.launch(cuda.stream(), shape, arguments) });
    }
}
