//! The matrices of a product, as the kernels take them.

use nonius_gpu::{Const, KernelType, Plain, Pointer, Source, kernel_arguments};
use nonius_linalg::Scalar;
use nonius_linalg::dense::{Transpose, Triangle};

use crate::matrix::{Factor, Layout};
use crate::mp_matrix::MpLayout;
use crate::texts;

/// What numbers consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// So many limbs.
    Limbs(usize),
    /// A head and words: [`nonius_num::mp`].
    Mp,
}

impl Kind {
    /// Bits of the shortest integers that such numbers are made.
    pub(super) fn least_bits(self) -> usize {
        match self {
            Kind::Limbs(limbs) => 53 * limbs,
            Kind::Mp => 64,
        }
    }

    /// Whether there are kernels for integers of any length: sums of limbs are never long.
    pub(super) fn has_any_length(self) -> bool {
        self == Kind::Mp
    }

    /// A module for such numbers.
    pub(super) fn module(self, name: &str, file: &str, definitions: &[(&str, &str)]) -> Source {
        self.made(name, |name, limbs| texts::of_limbs(name, limbs, file).define_all(definitions))
    }

    /// [`module`](Self::module) with definitions that are numbers.
    pub(super) fn module_with(self, name: &str, file: &str, numbers: &[(&str, usize)]) -> Source {
        self.made(name, |name, limbs| texts::of_limbs(name, limbs, file).define_all(numbers))
    }

    fn made(self, name: &str, make: impl Fn(&str, usize) -> Source) -> Source {
        match self {
            Kind::Limbs(limbs) => make(name, limbs),
            // Limbs are not made of them.
            Kind::Mp => make(&format!("{name}-mp"), 1).define("MP", "1"),
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
        heads: Pointer<Const<i32>>,
        words: Pointer<Const<u64>>,
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
        /// Number `i` has `heads[i]` and the `count` words from `words[i·count]` on, of which
        /// `precision` bits count.
        heads: Pointer<i32>,
        words: Pointer<u64>,
        count: i64,
        precision: i64,
        /// Numbers from one column to the next.
        column_stride: i64,
    }
}

impl From<MpLayout> for MpMatrices {
    fn from(c: MpLayout) -> Self {
        let MpLayout { heads, words, bits, strides, .. } = c;
        Self {
            heads: Pointer::at(heads),
            words: Pointer::at(words),
            count: bits.words() as i64,
            precision: bits.get().into(),
            column_stride: strides[1] as i64,
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
pub(crate) struct Task<T> {
    pub(crate) a: Layout,
    pub(crate) b: Layout,
    pub(crate) c: Layout,
    pub(crate) alpha: T,
    pub(crate) beta: T,
    pub(crate) part: Option<Triangle>,
}

impl<T: Scalar> Matrices for Task<T> {
    type Lines = LimbRows;
    type Matrices = LimbMatrices;

    fn operands(&self) -> [LimbRows; 2] {
        [self.a, self.b.op(Transpose::Yes)].map(|layout| LimbRows { limbs: T::LIMBS, layout })
    }

    fn part(&self) -> Option<Triangle> {
        self.part
    }

    fn matrices(&self) -> LimbMatrices {
        let Self { a, b, c, alpha, beta, .. } = *self;
        let [alpha, beta] = [alpha, beta].map(Factor::of);
        LimbMatrices { a, b, c, alpha, beta, k: a.cols }
    }

    fn is_plain(&self) -> bool {
        self.alpha == T::ONE && self.beta == T::ZERO
    }
}

impl Lines for MpLayout {
    type Numbers = MpNumbers;

    fn kind(&self) -> Kind {
        Kind::Mp
    }

    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn numbers(&self, [line, place]: [usize; 2]) -> MpNumbers {
        let MpLayout { heads, words, bits, strides, .. } = *self;
        let skipped = (line * strides[0] + place * strides[1]) as u64;
        MpNumbers {
            heads: Pointer::at(heads + 4 * skipped),
            words: Pointer::at(words + 8 * bits.words() as u64 * skipped),
            count: bits.words() as i64,
            line_stride: strides[0] as i64,
            place_stride: strides[1] as i64,
        }
    }
}

/// `C ← op(A)·op(B)` for numbers of any precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MpTask {
    pub(crate) a: MpLayout,
    pub(crate) b: MpLayout,
    pub(crate) c: MpLayout,
}

impl Matrices for MpTask {
    type Lines = MpLayout;
    type Matrices = MpMatrices;

    fn operands(&self) -> [MpLayout; 2] {
        [self.a, self.b.op(Transpose::Yes)]
    }

    fn matrices(&self) -> MpMatrices {
        self.c.into()
    }
}

/// `C ← A·B` for numbers of limbs, with sums of any precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LongTask {
    pub(crate) limbs: usize,
    pub(crate) a: Layout,
    pub(crate) b: Layout,
    pub(crate) c: MpLayout,
}

impl Matrices for LongTask {
    type Lines = LimbRows;
    type Matrices = MpMatrices;

    fn operands(&self) -> [LimbRows; 2] {
        let limbs = self.limbs;
        [self.a, self.b.op(Transpose::Yes)].map(|layout| LimbRows { limbs, layout })
    }

    fn matrices(&self) -> MpMatrices {
        self.c.into()
    }

    fn kind(&self) -> Kind {
        Kind::Mp
    }
}
