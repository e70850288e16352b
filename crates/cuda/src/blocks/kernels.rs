//! The kernels of `mp/blocks.cu`.

use nonius_gpu::{Arguments, Buffer, Entry, Error, Pointer, Shape, Source, kernel_arguments};

use crate::backend::Cuda;
use crate::kind::Kind;
use crate::matrix::Layout;

#[cfg(all(test, target_os = "linux"))]
mod here;

kernel_arguments! {
    /// A matrix, or its lower triangle, of whose exponents the largest is found.
    struct Largest {
        a: Layout,
        lower: i64,
        exponent: Pointer<u32>,
    }

    /// A matrix of `f64`.
    struct LargestDouble {
        a: Layout,
        exponent: Pointer<u32>,
    }

    /// A block of columns as the work begins.
    struct Begin {
        a: Layout,
        /// Its first rows as double-doubles, scaled.
        doubles: Layout,
        /// `−A`, scaled.
        negative: Layout,
        symmetric: i64,
        exponent: Pointer<u32>,
        failed: Pointer<u32>,
    }

    /// A triangle of double-doubles.
    struct Widen {
        doubles: Layout,
        to: Layout,
        magnitudes: Layout,
        upper: i32,
        unit: i32,
        negate: i64,
        failed: Pointer<u32>,
    }

    /// Corrections.
    struct Split {
        f: Layout,
        lower: Layout,
        upper: Layout,
        symmetric: i64,
        exponent: Pointer<u32>,
    }

    /// The square on top of a block when the work is done.
    struct Finish {
        lower: Layout,
        upper: Layout,
        to: Layout,
        symmetric: i64,
        exponent: Pointer<u32>,
    }

    /// A matrix, and what it lacks.
    struct Settle {
        near: Layout,
        rest: Layout,
    }

    /// A matrix to another scale.
    struct Shifted {
        from: Layout,
        to: Layout,
        roots: i64,
        exponent: Pointer<u32>,
    }
}

const LARGEST: Entry<Largest> = Entry::new(c"largest_exponent");
const LARGEST_DOUBLE: Entry<LargestDouble> = Entry::new(c"largest_double");
const BEGIN: Entry<Begin> = Entry::new(c"begin");
const WIDEN: Entry<Widen> = Entry::new(c"widen");
const SPLIT: Entry<Split> = Entry::new(c"split");
const FINISH: Entry<Finish> = Entry::new(c"finish");
const SETTLE: Entry<Settle> = Entry::new(c"settle");
const SHIFT: Entry<Shifted> = Entry::new(c"shift");

/// Threads of a block.
const THREADS: usize = 256;
/// Most blocks of a launch.
const MOST_BLOCKS: usize = 1 << 14;

pub(super) fn source(kind: Kind) -> Source {
    kind.module("blocks", "mp/blocks.cu")
        .entry(LARGEST)
        .entry(LARGEST_DOUBLE)
        .entry(BEGIN)
        .entry(WIDEN)
        .entry(SPLIT)
        .entry(FINISH)
        .entry(SETTLE)
        .entry(SHIFT)
}

/// Corrections of how many steps are told apart.
pub(super) const STEPS: usize = 24;
const WORDS: usize = 4 + STEPS;
/// What exponents are shifted by where kernels tell them; 0 is for zero.
const SHIFTED: i64 = (1 << 30) + 1;

/// A number that kernels find.
#[derive(Clone, Copy)]
pub(super) enum Word {
    /// The largest exponent of the matrix, or of the square on top of a symmetric one.
    Exponent,
    /// Not zero where there is something that is not finite, or leaves the range when it is scaled.
    Failed,
    /// The largest exponents of `|L||L⁻¹|` and of `|U||U⁻¹|`.
    Lower,
    Upper,
    /// The largest exponent of the corrections of a step.
    Correction(usize),
}

impl Word {
    fn place(self) -> usize {
        match self {
            Self::Exponent => 0,
            Self::Failed => 1,
            Self::Lower => 2,
            Self::Upper => 3,
            Self::Correction(step) => 4 + step.min(STEPS - 1),
        }
    }
}

/// What the host has read of it.
pub(super) struct Read([u32; WORDS]);

impl Read {
    pub(super) fn failed(&self) -> bool {
        self.0[Word::Failed.place()] != 0
    }

    /// The `e` with all magnitudes below `2^e`; none where all are zero.
    pub(super) fn exponent(&self, word: Word) -> Option<i64> {
        let found = i64::from(self.0[word.place()]);
        (found != 0).then(|| found - SHIFTED)
    }
}

/// The kernels for a block of numbers of a kind.
pub(super) struct Kernels<'a> {
    pub(super) cuda: &'a Cuda,
    pub(super) kind: Kind,
    /// What they find, by [`Word`].
    found: Buffer,
}

impl<'a> Kernels<'a> {
    pub(super) fn new(cuda: &'a Cuda, kind: Kind) -> Result<Self, Error> {
        let mut found = Buffer::new(cuda.stream(), WORDS * size_of::<u32>())?;
        found.clear()?;
        Ok(Self { cuda, kind, found })
    }

    fn at(&self, word: Word) -> Pointer<u32> {
        Pointer::at(self.found.address() + (size_of::<u32>() * word.place()) as u64)
    }

    /// Waits for what was found.
    pub(super) fn read(&self) -> Result<Read, Error> {
        let words = self.cuda.read(&self.found, WORDS)?;
        let mut read = [0; WORDS];
        read.copy_from_slice(&words);
        Ok(Read(read))
    }

    fn launch<A: Arguments>(
        &self,
        entry: Entry<A>,
        over: Layout,
        arguments: &A,
    ) -> Result<(), Error> {
        // Where something failed, matrices have no memory.
        self.cuda.check()?;
        let (rows, cols) = over.shape();
        let kernel = self.cuda.device().module(&source(self.kind))?.kernel(entry)?;
        let blocks = (rows * cols).div_ceil(THREADS).clamp(1, MOST_BLOCKS) as u32;
        let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: matrices that the caller owns or borrows mutably, freed in the order of the
        // stream, as is what is found.
        unsafe { kernel.launch(self.cuda.stream(), shape, arguments) }
    }

    pub(super) fn largest_exponent(&self, a: Layout, lower: bool) -> Result<(), Error> {
        let exponent = self.at(Word::Exponent);
        self.launch(LARGEST, a, &Largest { a, lower: lower.into(), exponent })
    }

    pub(super) fn largest_double(&self, a: Layout, word: Word) -> Result<(), Error> {
        self.launch(LARGEST_DOUBLE, a, &LargestDouble { a, exponent: self.at(word) })
    }

    /// The first rows of `A` as double-doubles, and all of `−A`, scaled.
    pub(super) fn begin(
        &self,
        a: Layout,
        doubles: Layout,
        negative: Layout,
        symmetric: bool,
    ) -> Result<(), Error> {
        let [exponent, failed] = [Word::Exponent, Word::Failed].map(|word| self.at(word));
        let begin = Begin { a, doubles, negative, symmetric: symmetric.into(), exponent, failed };
        self.launch(BEGIN, a, &begin)
    }

    /// A triangle of double-doubles as numbers, or the numbers negated, and its magnitudes.
    pub(super) fn widen(
        &self,
        doubles: Layout,
        (upper, unit, negate): (bool, bool, bool),
        to: Layout,
        magnitudes: Layout,
    ) -> Result<(), Error> {
        let failed = self.at(Word::Failed);
        let (upper, unit, negate) = (upper.into(), unit.into(), negate.into());
        self.launch(WIDEN, to, &Widen { doubles, to, magnitudes, upper, unit, negate, failed })
    }

    /// The triangles of the corrections of a step; of a symmetric matrix one.
    pub(super) fn split(
        &self,
        f: Layout,
        lower: Layout,
        upper: Option<Layout>,
        step: usize,
    ) -> Result<(), Error> {
        let (symmetric, exponent) = (upper.is_none().into(), self.at(Word::Correction(step)));
        let upper = upper.unwrap_or(Layout::NONE);
        self.launch(SPLIT, f, &Split { f, lower, upper, symmetric, exponent })
    }

    /// Factors in the place of the matrix, to its scale.
    pub(super) fn finish(
        &self,
        lower: Layout,
        upper: Option<Layout>,
        to: Layout,
    ) -> Result<(), Error> {
        let (symmetric, exponent) = (upper.is_none().into(), self.at(Word::Exponent));
        let upper = upper.unwrap_or(Layout::NONE);
        self.launch(FINISH, to, &Finish { lower, upper, to, symmetric, exponent })
    }

    /// The sum of two matrices in the place of the first, what rounding leaves of it in that of the
    /// second.
    pub(super) fn settle(&self, near: Layout, rest: Layout) -> Result<(), Error> {
        self.launch(SETTLE, near, &Settle { near, rest })
    }

    /// A matrix times the root of the scale to the power `roots`.
    pub(super) fn shift(&self, from: Layout, roots: i64, to: Layout) -> Result<(), Error> {
        let exponent = self.at(Word::Exponent);
        self.launch(SHIFT, to, &Shifted { from, to, roots, exponent })
    }
}
