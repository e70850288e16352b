//! The matrices of a product, as the kernels take them.

use nonius_gpu::Source;
use nonius_linalg::Scalar;
use nonius_linalg::dense::{Transpose, Triangle};

use crate::matrix::Layout;
use crate::mp_matrix::MpLayout;
use crate::texts;
use crate::words::Words;

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

/// The lines of an operand: rows of `op(A)`, or columns of `op(B)`.
pub(crate) trait Lines: Copy {
    /// What the numbers consist of.
    fn kind(&self) -> Kind;

    /// Number of lines, and of terms.
    fn shape(&self) -> (usize, usize);

    /// Where the numbers are, from the given line and place of it on: the first members of `Profile` and `Pack`. Then come the
    /// numbers from one line to the next, and from one place of a line to the next.
    fn numbers(&self, first: [usize; 2]) -> Words;
}

/// `op(A)`, `op(B)` and `C` of a product with entries and terms, and what becomes of it.
pub(crate) trait Matrices: Copy {
    /// Its operands.
    type Lines: Lines;

    /// The rows of `op(A)`, the columns of `op(B)`.
    fn operands(&self) -> [Self::Lines; 2];

    /// The part of `C` that is computed.
    fn part(&self) -> Option<Triangle>;

    /// The first members of `Rebuild`.
    fn entries(&self) -> Words;

    /// Whether entries of `C` are those of the product alone.
    fn is_plain(&self) -> bool;
}

/// Rows of a matrix of limbs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimbRows {
    pub(crate) limbs: usize,
    pub(crate) layout: Layout,
}

impl Lines for LimbRows {
    fn kind(&self) -> Kind {
        Kind::Limbs(self.limbs)
    }

    fn shape(&self) -> (usize, usize) {
        self.layout.shape()
    }

    fn numbers(&self, [line, place]: [usize; 2]) -> Words {
        let Layout { data, row, column, plane, .. } = self.layout;
        let skipped = line as u64 * row as u64 + place as u64 * column as u64;
        let words = Words::default().address(data + 8 * skipped);
        words.long(plane as usize).long(row as usize).long(column as usize)
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

    fn operands(&self) -> [LimbRows; 2] {
        [self.a, self.b.op(Transpose::Yes)].map(|layout| LimbRows { limbs: T::LIMBS, layout })
    }

    fn part(&self) -> Option<Triangle> {
        self.part
    }

    fn entries(&self) -> Words {
        let words = Words::default().matrix(self.a).matrix(self.b).matrix(self.c);
        words.factor(self.alpha).factor(self.beta).long(self.a.shape().1)
    }

    fn is_plain(&self) -> bool {
        self.alpha == T::ONE && self.beta == T::ZERO
    }
}

impl Lines for MpLayout {
    fn kind(&self) -> Kind {
        Kind::Mp
    }

    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn numbers(&self, [line, place]: [usize; 2]) -> Words {
        let MpLayout { heads, words, bits, strides, .. } = *self;
        let skipped = (line * strides[0] + place * strides[1]) as u64;
        Words::default()
            .address(heads + 4 * skipped)
            .address(words + 8 * bits.words() as u64 * skipped)
            .long(bits.words())
            .long(strides[0])
            .long(strides[1])
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

    fn operands(&self) -> [MpLayout; 2] {
        [self.a, self.b.op(Transpose::Yes)]
    }

    fn part(&self) -> Option<Triangle> {
        None
    }

    fn entries(&self) -> Words {
        let MpLayout { heads, words, bits, strides, .. } = self.c;
        let words = Words::default().address(heads).address(words).long(bits.words());
        words.long(bits.get() as usize).long(strides[1])
    }

    fn is_plain(&self) -> bool {
        true
    }
}
