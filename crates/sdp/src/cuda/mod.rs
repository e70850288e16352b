//! What interior-point methods for semidefinite programs ask of a machine ([`Cone`](crate::cone::Cone)), on a GPU.
//!
//! Dense work is that of the [backend](Cuda), but for squares of few rows, which kernels of `small` work on together. What has to do with the program's entries are kernels of their own: `Σ xᵢ·Fᵢ + α·F₀` with the bits of the host, a thread for each entry of
//! the sum; `Fᵢ•A`, threads that share a sum or, for many entries, a block; and the Schur complement (`schur`).
//!
//! Everything is in a fixed order: results are the same whenever.

// The launch of kernels.
#![allow(unsafe_code)]

mod blocks;
mod formula;
mod full;
mod maps;
mod operations;
mod part;
mod schur;
mod small;
#[cfg(test)]
mod tests;

use core::ffi::CStr;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use nonius_cuda::{Cuda, DeviceMatrix, Words};
use nonius_gpu::{Buffer, Error, Shape, Source, Texts, argument_of_words};
use nonius_linalg::backend::Gemm;
use nonius_linalg::sparse::Values;
use nonius_linalg::{Error as LinalgError, MatRef, Scalar};
use nonius_num::Decimal;

use self::blocks::zeros;
use self::part::Part;
use self::schur::Columns;
use self::small::{Position, Small, small_source};
use crate::cone::{Magnitudes, Program};

pub use blocks::CudaBlocks;
pub use formula::CudaSchurFormula;

/// Threads of a block.
const THREADS: usize = 256;
/// Threads that share a short sum, as many as the host has partial sums.
const SHARE: usize = 8;
/// Entries from which on a block of threads has a sum.
const LONG_SUM: usize = 512;
/// Products of entries of two constraints from which on a warp shares them.
const LONG_PAIR: usize = 256;
/// Blocks of a grid in its second dimension.
const MOST_BLOCKS: usize = 65_535;

static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/kernels");

static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| Texts::of_folder(&FOLDER).with(nonius_cuda::texts()));

fn source(name: &str, file: &str, limbs: usize) -> Source {
    let numbers = [
        ("CONE_THREADS", THREADS),
        ("CONE_SHARE", SHARE),
        ("CONE_LONG", LONG_PAIR),
        ("CONE_ORDER", small::ORDER),
    ];
    Source::new(&TEXTS, format!("{name}-{limbs}"), file).define("LIMBS", limbs).define_all(&numbers)
}

fn cone_source(limbs: usize) -> Source {
    source("cone", "sdp/cone.cu", limbs)
}

fn schur_source(limbs: usize) -> Source {
    source("cone-schur", "sdp/schur.cu", limbs)
}

/// Every module that cones on a GPU ask for.
pub fn sources() -> Vec<Source> {
    let of_limbs = |limbs| [cone_source(limbs), small_source(limbs), schur_source(limbs)];
    (1..=4).flat_map(of_limbs).collect()
}

/// Lists in a device's memory that structures of kernels point to.
#[derive(Debug, Default)]
struct Lists(Vec<Buffer>);

impl Lists {
    /// Keeps a list; where it is.
    fn keep(&mut self, list: Buffer) -> u64 {
        let address = list.address();
        self.0.push(list);
        address
    }
}

/// A program with numbers `T` on a GPU.
///
/// Products of matrices are computed as the [backend](Cuda) does it. The first failure of the device is kept, and whoever asks for a number learns of it.
#[derive(Debug)]
pub struct CudaCone<T> {
    gpu: Cuda,
    constraints: usize,
    /// The orders of the squares, and that of the diagonal block.
    orders: Vec<usize>,
    order: usize,
    /// Where the squares are, and how many numbers the small ones have.
    positions: Vec<Position>,
    length: usize,
    small: Small,
    objective: DeviceMatrix<T>,
    /// All squares; the small ones together; the diagonal block.
    squares: Vec<Part<T>>,
    together: Part<T>,
    diagonal: Part<T>,
    /// For each square how the columns of the Schur complement are computed.
    columns: Vec<Columns>,
    /// For each entry of the diagonal block its number row by row.
    numbers: Buffer,
    /// On the host.
    magnitudes: Magnitudes,
}

impl<T: Scalar + Decimal> CudaCone<T> {
    /// Copies a program to the GPU.
    ///
    /// # Errors
    /// [`LinalgError::Device`] where the GPU fails or has too little memory, [`LinalgError::NoArithmetic`] where products were asked for in an arithmetic that such numbers lack.
    pub fn new(gpu: &Cuda, program: &Program<Vec<T>>) -> Result<Self, LinalgError> {
        Self::copied(gpu, program, None)
    }

    /// The same with one formula for all columns of the Schur complement, where it is possible, not the fastest for each.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_formula(
        gpu: &Cuda,
        program: &Program<Vec<T>>,
        formula: CudaSchurFormula,
    ) -> Result<Self, LinalgError> {
        Self::copied(gpu, program, Some(formula))
    }

    fn copied(
        gpu: &Cuda,
        program: &Program<Vec<T>>,
        only: Option<CudaSchurFormula>,
    ) -> Result<Self, LinalgError> {
        Gemm::<T>::check_products(gpu)?;
        let (squares, diagonal) = (program.squares(), program.diagonal());
        gpu.fetch(|| {
            check_counts(program)?;
            let columns = |square| {
                let formulas = formula::choose(square, T::LIMBS, only);
                Columns::new(gpu, square, &formulas)
            };
            let numbers: Vec<u32> = diagonal.numbers.iter().map(|&(_, number)| number).collect();
            let orders: Vec<usize> = squares.iter().map(|square| square.order).collect();
            let (positions, length) = small::positions(&orders);
            let in_column = small::squares(squares, &positions);
            Ok(Self {
                gpu: gpu.clone(),
                constraints: program.constraints(),
                order: diagonal.order,
                length,
                small: Small::new(gpu, &orders, &positions)?,
                objective: uploaded(gpu, program.objective())?,
                squares: (squares.iter().map(|square| Part::of_square(gpu, square)))
                    .collect::<Result<_, _>>()?,
                together: Part::of_small(gpu, in_column)?,
                diagonal: Part::of_diagonal(gpu, diagonal)?,
                columns: squares.iter().map(columns).collect::<Result<_, _>>()?,
                numbers: gpu.numbers(&numbers)?,
                magnitudes: Magnitudes::new(program, |value: T| value.abs().to_f64()),
                orders,
                positions,
            })
        })
    }

    /// The backend.
    pub fn gpu(&self) -> &Cuda {
        &self.gpu
    }

    /// Launches a kernel with a structure.
    ///
    /// # Safety
    /// The words are the structure that the kernel takes, member by member. Matrices and lists in it are as large as each other and the numbers in the lists say; their memory is freed in the
    /// order of the stream, and what is written is borrowed mutably or new.
    unsafe fn launch(
        &self,
        source: &Source,
        name: &'static CStr,
        shape: Shape,
        words: &Words,
    ) -> Result<(), Error> {
        let kernel = self.gpu.device().module(source)?.kernel(name)?;
        let arguments = &mut [argument_of_words(words.as_slice())];
        // SAFETY: the caller's promise.
        unsafe { kernel.launch(self.gpu.stream(), shape, arguments) }
    }
}

/// Kernels count rows and entries, mirror images included, in 32 bits.
fn check_counts<V: Values>(program: &Program<V>) -> Result<(), Error> {
    let diagonal = program.diagonal();
    let squares = program.squares().iter().flat_map(|square| [square.order, square.sources.len()]);
    counted(squares.chain([diagonal.order, diagonal.numbers.len(), program.constraints()]))
}

fn counted(mut counts: impl Iterator<Item = usize>) -> Result<(), Error> {
    let most = u32::MAX as usize - 1;
    let sum = counts.try_fold(0_usize, usize::checked_add).unwrap_or(usize::MAX);
    if sum <= most { Ok(()) } else { Err(Error::TooManyRows { rows: sum, most }) }
}

/// A vector.
fn uploaded<T: Scalar>(gpu: &Cuda, x: &[T]) -> Result<DeviceMatrix<T>, Error> {
    let mut vector = zeros(gpu, x.len(), 1)?;
    let from = MatRef::from_column(x);
    gpu.write(from, vector.as_mut())?;
    Ok(vector)
}

/// So many threads in blocks along the first dimension, and so many blocks in the second, where kernels go on in steps.
fn shape(threads: usize, second: usize) -> Shape {
    let blocks = threads.div_ceil(THREADS).min(i32::MAX as usize) as u32;
    let second = second.min(MOST_BLOCKS) as u32;
    Shape { grid: [blocks, second, 1], block: [THREADS as u32, 1, 1], shared: 0 }
}
