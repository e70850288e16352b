//! A program in a device's memory, and launches of kernels with what it has there.

use nonius_comm::dense::Ranks;
use nonius_cuda::{Cuda, DeviceMatrix, Kind};
use nonius_gpu::{Arguments, Buffer, Entry, Error, Shape, Source};
use nonius_linalg::backend::Gemm;
use nonius_linalg::{Error as LinalgError, Number};

use super::blocks::{CudaBlocks, uploaded};
use super::columns::Columns;
use super::divided::Divided;
use super::draft::Draft;
use super::formula::{self, CudaSchurFormula};
use super::part::Part;
use super::second_order::Cones;
use super::small::{self, Position, Small};
use crate::cone::{Magnitudes, Program};

/// A program with numbers `T` on a GPU.
///
/// Products of matrices are computed as the [backend](Cuda) does it. The first failure of the
/// device is kept, and whoever asks for a number learns of it.
#[derive(Debug)]
pub struct CudaCone<T: Number> {
    pub(super) gpu: Cuda,
    pub(super) format: T::Format,
    pub(super) constraints: usize,
    /// The orders of the squares, and that of the diagonal block.
    pub(super) orders: Vec<usize>,
    pub(super) order: usize,
    /// The orders of the second-order cones, and what they have on the device.
    pub(super) second_order: Vec<usize>,
    pub(super) cones: Cones,
    /// Where the squares are, and how many numbers the small ones have.
    pub(super) positions: Vec<Position>,
    pub(super) length: usize,
    pub(super) small: Small,
    pub(super) objective: DeviceMatrix<T>,
    /// All squares; the small ones together; the diagonal block.
    pub(super) squares: Vec<Part<T>>,
    pub(super) together: Part<T>,
    pub(super) diagonal: Part<T>,
    /// For each square how the columns of the Schur complement are computed.
    pub(super) columns: Vec<Columns>,
    /// For each entry of the diagonal block its number row by row.
    pub(super) numbers: Buffer,
    /// On the host.
    pub(super) magnitudes: Magnitudes,
    /// The ranks that form columns of the Schur complement together.
    pub(super) together_with: Option<Ranks<Cuda>>,
    /// Where ranks divide the work on squares.
    pub(super) divided: Option<Divided>,
}

impl<T: Number> CudaCone<T> {
    /// Copies a program to the GPU.
    ///
    /// # Errors
    /// [`LinalgError::Device`] where the GPU fails or has too little memory,
    /// [`LinalgError::NoArithmetic`] where products were asked for in an arithmetic that such
    /// numbers lack.
    pub fn new(gpu: &Cuda, program: &Program<T>) -> Result<Self, LinalgError> {
        Self::copied(gpu, program, None, &|_| true)
    }

    /// The same for a rank that forms some columns of the Schur complement, those of constraints
    /// that `has` tells. What is in the other columns is of no use.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(super) fn with_columns(
        ranks: &Ranks<Cuda>,
        program: &Program<T>,
        has: &dyn Fn(usize) -> bool,
    ) -> Result<Self, LinalgError> {
        let cone = Self::copied(ranks.local(), program, None, has)?;
        Ok(Self { together_with: Some(ranks.clone()), ..cone })
    }

    /// The same with one formula for all columns of the Schur complement, where it is possible, not
    /// the fastest for each.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_formula(
        gpu: &Cuda,
        program: &Program<T>,
        formula: CudaSchurFormula,
    ) -> Result<Self, LinalgError> {
        Self::copied(gpu, program, Some(formula), &|_| true)
    }

    /// The same for a rank that has some blocks, of which ranks divide the work on those that
    /// `blocks` tells.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(super) fn with_divided(
        ranks: &Ranks<Cuda>,
        program: &Program<T>,
        blocks: &[bool],
    ) -> Result<Self, LinalgError> {
        let cone = Self::new(ranks.local(), program)?;
        let (mut count, mut places) = (0, Vec::new());
        for (position, &is_divided) in cone.positions.iter().zip(blocks) {
            if let Position::Alone(_) = position {
                places.push(is_divided.then_some(count));
            }
            count += usize::from(is_divided);
        }
        Ok(Self { divided: Some(Divided { ranks: ranks.clone(), places }), ..cone })
    }

    fn copied(
        gpu: &Cuda,
        program: &Program<T>,
        only: Option<CudaSchurFormula>,
        has: &dyn Fn(usize) -> bool,
    ) -> Result<Self, LinalgError> {
        Gemm::<T>::check_products(gpu)?;
        let (squares, diagonal) = (program.squares(), program.diagonal());
        gpu.fetch(|| {
            check_counts(program)?;
            let format = program.objective().format();
            let kind = Kind::of::<T>(format);
            let columns = |square| {
                let formulas = formula::choose(square, kind, only);
                Columns::new(gpu, square, &formulas, has)
            };
            let numbers: Vec<u32> =
                diagonal.numbers.iter().map(|&(number, _)| number as u32).collect();
            let orders: Vec<usize> = squares.iter().map(|square| square.order).collect();
            let (positions, length) = small::positions(&orders, small::most_rows(kind));
            let in_column = small::squares(squares, &positions);
            Ok(Self {
                gpu: gpu.clone(),
                format,
                constraints: program.constraints(),
                order: diagonal.order,
                second_order: diagonal.second_order.orders(),
                cones: Cones::new(gpu, &diagonal.second_order)?,
                length,
                small: Small::new(gpu, &orders, &positions)?,
                objective: uploaded(gpu, program.objective())?,
                squares: (squares.iter())
                    .map(|square| Part::new(gpu, &Draft::of_square(square)))
                    .collect::<Result<_, _>>()?,
                together: Part::new(gpu, &Draft::of_small(format, in_column))?,
                diagonal: Part::new(gpu, &Draft::of_diagonal(diagonal))?,
                columns: squares.iter().map(columns).collect::<Result<_, _>>()?,
                numbers: gpu.numbers(&numbers)?,
                magnitudes: Magnitudes::new(program),
                together_with: None,
                divided: None,
                orders,
                positions,
            })
        })
    }

    /// The backend.
    pub fn gpu(&self) -> &Cuda {
        &self.gpu
    }

    /// What its numbers consist of.
    pub(super) fn kind(&self) -> Kind {
        Kind::of::<T>(self.format)
    }

    /// Panics unless a matrix is one of this cone: kernels take its numbers where they know them.
    pub(super) fn check(&self, a: &CudaBlocks<T>) {
        let is_large = |(_, position): &(_, &Position)| matches!(position, Position::Alone(_));
        let large = self.orders.iter().zip(&self.positions).filter(is_large);
        let columns = [(self.length, 1), (self.order, 1)];
        let shapes = large.map(|(&order, _)| (order, order)).chain(columns);
        let found = a.matrices().map(|part| (part.format(), part.shape()));
        assert!(found.eq(shapes.map(|shape| (self.format, shape))), "blocks of another cone");
    }

    /// The same for a matrix with a row for each constraint.
    pub(super) fn check_rows(&self, a: &DeviceMatrix<T>, cols: usize) {
        let own = (self.format, (self.constraints, cols));
        assert_eq!((a.format(), a.shape()), own, "a matrix of another cone");
    }

    /// Launches a kernel with a structure.
    ///
    /// # Safety
    /// Matrices and lists in it are as large as each other and the numbers in the lists say.
    /// Their memory is freed in the order of the stream, and what is written is borrowed mutably
    /// or new.
    pub(super) unsafe fn launch<A: Arguments>(
        &self,
        source: &Source,
        entry: Entry<A>,
        shape: Shape,
        arguments: &A,
    ) -> Result<(), Error> {
        let kernel = self.gpu.device().module(source)?.kernel(entry)?;
        // SAFETY: the caller's promise.
        unsafe { kernel.launch(self.gpu.stream(), shape, arguments) }
    }
}

/// Kernels count rows and entries, mirror images included, in 32 bits.
fn check_counts<T: Number>(program: &Program<T>) -> Result<(), Error> {
    let diagonal = program.diagonal();
    let squares = program.squares().iter().flat_map(|square| [square.order, square.sources.len()]);
    counted(squares.chain([diagonal.order, diagonal.numbers.len(), program.constraints()]))
}

pub(super) fn counted(mut counts: impl Iterator<Item = usize>) -> Result<(), Error> {
    let most = u32::MAX as usize - 1;
    let sum = counts.try_fold(0_usize, usize::checked_add).unwrap_or(usize::MAX);
    if sum <= most { Ok(()) } else { Err(Error::TooManyRows { rows: sum, most }) }
}
