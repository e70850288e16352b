//! The matrices of a product, as the kernels take them.

use nonius_gpu::{Const, KernelType, Plain, Pointer, Source, kernel_arguments};
use nonius_linalg::dense::{Transpose, Triangle};
use nonius_num::mp::Bits;

use crate::factor::Factor;
use crate::kind::Kind;
use crate::matrix::Layout;
use crate::texts;

/// One kernel is for all precisions.
impl Kind {
    /// Bits of the shortest integers that such numbers are made.
    pub(super) fn least_bits(self) -> u32 {
        match self {
            Kind::Limbs(limbs) => 53 * limbs as u32,
            Kind::Mp(bits) => bits.get(),
        }
    }

    /// Bits of the shortest integers that kernels for such numbers are made for.
    pub(super) fn shortest(self) -> usize {
        match self {
            Kind::Limbs(limbs) => 53 * limbs,
            Kind::Mp(_) => Bits::LEAST as usize,
        }
    }

    /// Whether there are kernels for integers of any length: sums of limbs are never long.
    pub(super) fn has_any_length(self) -> bool {
        matches!(self, Kind::Mp(_))
    }

    /// A module for such numbers.
    pub(super) fn crt_module(self, name: &str, file: &str, definitions: &[(&str, &str)]) -> Source {
        self.made(name, |name, limbs| texts::of_limbs(name, limbs, file).define_all(definitions))
    }

    /// [`crt_module`](Self::crt_module) with definitions that are numbers.
    pub(super) fn module_with(self, name: &str, file: &str, numbers: &[(&str, usize)]) -> Source {
        self.made(name, |name, limbs| texts::of_limbs(name, limbs, file).define_all(numbers))
    }

    fn made(self, name: &str, make: impl Fn(&str, usize) -> Source) -> Source {
        match self {
            Kind::Limbs(limbs) => make(name, limbs),
            // Limbs are not made of them.
            Kind::Mp(_) => make(&format!("{name}-mp"), 1).define("MP", "1"),
        }
    }
}

kernel_arguments! {
    /// Numbers of limbs in lines: entry `place` of line `line` is number
    /// `line·line_stride + place·place_stride`.
    pub(crate) struct LimbNumbers {
        /// Limb `l` of number `i` is at `data[l·plane + i]`.
        data: Pointer<Const<f64>>,
        plane: i64,
        line_stride: i64,
        place_stride: i64,
    }

    /// Numbers of any precision in lines, as [`LimbNumbers`].
    pub(crate) struct MpNumbers {
        /// Lanes, to which strides count.
        data: Pointer<Const<u64>>,
        /// Words of a number.
        count: i64,
        line_stride: i64,
        place_stride: i64,
    }

    /// Matrices of a product of numbers of limbs: `C ← α·op(A)·op(B) + β·C`.
    pub(crate) struct LimbMatrices {
        a: Layout,
        b: Layout,
        c: Layout,
        alpha: Factor,
        beta: Factor,
        /// Terms.
        k: i64,
    }

    /// `C` of numbers of any precision.
    pub(crate) struct MpMatrices {
        /// A number has `count` words, of which `precision` bits count, and behind them a head.
        data: Pointer<u64>,
        count: i64,
        precision: i64,
        /// Lanes from one row to the next, and from one column to the next.
        row_stride: i64,
        column_stride: i64,
    }
}

impl MpMatrices {
    fn of(bits: Bits, c: Layout) -> Self {
        Self {
            data: Pointer::at(c.data),
            count: bits.words() as i64,
            precision: bits.get().into(),
            row_stride: c.row,
            column_stride: c.column,
        }
    }
}

/// The lines of an operand: rows of `op(A)`, or columns of `op(B)`.
pub(crate) trait Lines: Copy {
    /// The numbers as kernels see them.
    type Numbers: KernelType + Plain;

    /// What the numbers consist of.
    fn kind(&self) -> Kind;

    /// Number of lines, and of terms.
    fn shape(&self) -> (usize, usize);

    /// The numbers from the given line and place of it on.
    fn numbers(&self, first: [usize; 2]) -> Self::Numbers;
}

/// `op(A)`, `op(B)` and `C` of a product with entries and terms, and what becomes of it.
pub(crate) trait Matrices: Copy {
    /// Its operands.
    type Lines: Lines;
    /// The matrices as the kernels see them that make numbers of residues.
    type Matrices: KernelType + Plain;

    /// The rows of `op(A)`, the columns of `op(B)`.
    fn operands(&self) -> [Self::Lines; 2];

    /// The part of `C` that is computed; all of it where none is named.
    fn part(&self) -> Option<Triangle> {
        None
    }

    /// The matrices.
    fn matrices(&self) -> Self::Matrices;

    /// Whether entries of `C` are those of the product alone.
    fn is_plain(&self) -> bool {
        true
    }

    /// What the numbers of `C` consist of.
    fn kind(&self) -> Kind {
        self.operands()[0].kind()
    }
}

/// Rows of a matrix of limbs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimbRows {
    pub(crate) limbs: usize,
    pub(crate) layout: Layout,
}

impl Lines for LimbRows {
    type Numbers = LimbNumbers;

    fn kind(&self) -> Kind {
        Kind::Limbs(self.limbs)
    }

    fn shape(&self) -> (usize, usize) {
        self.layout.shape()
    }

    fn numbers(&self, [line, place]: [usize; 2]) -> LimbNumbers {
        let Layout { data, row, column, plane, .. } = self.layout;
        let skipped = line as u64 * row as u64 + place as u64 * column as u64;
        let data = Pointer::at(data + 8 * skipped);
        LimbNumbers { data, plane, line_stride: row, place_stride: column }
    }
}

/// `C ← α·op(A)·op(B) + β·C` for numbers of limbs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) limbs: usize,
    pub(crate) a: Layout,
    pub(crate) b: Layout,
    pub(crate) c: Layout,
    /// `α` and `β`, and whether they are 1 and 0.
    pub(crate) factors: [Factor; 2],
    pub(crate) plain: bool,
    pub(crate) part: Option<Triangle>,
}

impl Matrices for Task {
    type Lines = LimbRows;
    type Matrices = LimbMatrices;

    fn operands(&self) -> [LimbRows; 2] {
        let limbs = self.limbs;
        [self.a, self.b.op(Transpose::Yes)].map(|layout| LimbRows { limbs, layout })
    }

    fn part(&self) -> Option<Triangle> {
        self.part
    }

    fn matrices(&self) -> LimbMatrices {
        let Self { a, b, c, factors: [alpha, beta], .. } = *self;
        LimbMatrices { a, b, c, alpha, beta, k: a.cols }
    }

    fn is_plain(&self) -> bool {
        self.plain
    }
}

/// Rows of a matrix of numbers of any precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MpRows {
    pub(crate) bits: Bits,
    pub(crate) layout: Layout,
}

impl Lines for MpRows {
    type Numbers = MpNumbers;

    fn kind(&self) -> Kind {
        Kind::Mp(self.bits)
    }

    fn shape(&self) -> (usize, usize) {
        self.layout.shape()
    }

    fn numbers(&self, [line, place]: [usize; 2]) -> MpNumbers {
        let Layout { data, row, column, .. } = self.layout;
        let skipped = line as u64 * row as u64 + place as u64 * column as u64;
        MpNumbers {
            data: Pointer::at(data + 8 * skipped),
            count: self.bits.words() as i64,
            line_stride: row,
            place_stride: column,
        }
    }
}

/// `C ← op(A)·op(B)`, or one triangle of it, for numbers of any precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MpTask {
    pub(crate) bits: Bits,
    pub(crate) a: Layout,
    pub(crate) b: Layout,
    /// Bits of `C`.
    pub(crate) sums: Bits,
    pub(crate) c: Layout,
    pub(crate) part: Option<Triangle>,
}

impl Matrices for MpTask {
    type Lines = MpRows;
    type Matrices = MpMatrices;

    fn operands(&self) -> [MpRows; 2] {
        let bits = self.bits;
        [self.a, self.b.op(Transpose::Yes)].map(|layout| MpRows { bits, layout })
    }

    fn part(&self) -> Option<Triangle> {
        self.part
    }

    fn matrices(&self) -> MpMatrices {
        MpMatrices::of(self.sums, self.c)
    }
}

/// `C ← A·B` for numbers of `limbs` limbs, with sums of `bits` bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LongTask {
    pub(crate) limbs: usize,
    pub(crate) bits: Bits,
    pub(crate) a: Layout,
    pub(crate) b: Layout,
    pub(crate) c: Layout,
}

impl Matrices for LongTask {
    type Lines = LimbRows;
    type Matrices = MpMatrices;

    fn operands(&self) -> [LimbRows; 2] {
        let limbs = self.limbs;
        [self.a, self.b.op(Transpose::Yes)].map(|layout| LimbRows { limbs, layout })
    }

    fn matrices(&self) -> MpMatrices {
        MpMatrices::of(self.bits, self.c)
    }

    fn kind(&self) -> Kind {
        Kind::Mp(self.bits)
    }
}
