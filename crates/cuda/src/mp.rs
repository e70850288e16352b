//! Products of matrices of numbers of any precision.

use nonius_gpu::{Entry, Error, Shape, Source, kernel_arguments};
use nonius_linalg::dense::Side;
use nonius_linalg::dense::gemm::Report;
use nonius_linalg::dense::gemm::crt::{Fallback, Target};
use nonius_linalg::mp::{Bits, Mp, MpRef};

use crate::backend::Cuda;
use crate::converted::{DeviceFactor, parts};
use crate::crt::{Kept, MpTask, Outcome};
use crate::mp_matrix::{MpLayout, MpMatrix, Numbers};
use crate::texts::{self, USUAL_BITS};

kernel_arguments! {
    /// `C ← α·P + β·C`, entry by entry.
    struct Update {
        /// `P`, which may be `C`; of no numbers where it is not used.
        product: Numbers,
        c: Numbers,
        /// `α` and `β`.
        factors: Numbers,
        /// What becomes of `P` and of `C`: see [`Use`].
        product_use: i32,
        c_use: i32,
    }
}

const UPDATE: Entry<Update> = Entry::new(c"update");

/// Threads of a block of that kernel.
const THREADS: usize = 256;
/// Blocks of it at the most: each thread goes on with further entries.
const MOST_BLOCKS: usize = 1 << 16;

/// What becomes of a term of a sum, by its factor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(i32)]
enum Use {
    /// It is not read: the factor is 0.
    Absent = 0,
    /// The factor is 1.
    Unchanged = 1,
    Multiplied = 2,
}

impl Use {
    fn by(factor: MpRef<'_>) -> Self {
        if factor.head().is_zero() {
            Self::Absent
        } else if factor == Mp::one(factor.bits()).view() {
            Self::Unchanged
        } else {
            Self::Multiplied
        }
    }
}

fn source(bits: Bits) -> Source {
    let numbers = [("PRECISION", bits.get() as usize), ("UPDATE_THREADS", THREADS)];
    texts::module(format!("mp-update-{}", bits.get()), "mp/update.cu")
        .define_all(&numbers)
        .entry(UPDATE)
}

/// The module of a usual precision; those of others are compiled for the bits that are asked for.
pub(crate) fn usual_sources() -> Option<Source> {
    Bits::new(USUAL_BITS).ok().map(source)
}

/// `op(A)` and `op(B)` that fit, with the residues that there are.
struct Operands<'a> {
    sides: [MpLayout; 2],
    kept: [Option<&'a Kept>; 2],
}

impl<'a> Operands<'a> {
    /// Panics where shapes or precisions do not fit.
    fn new(
        a: DeviceFactor<'a, &'a MpMatrix>,
        b: DeviceFactor<'a, &'a MpMatrix>,
    ) -> Result<Self, nonius_linalg::Error> {
        let (transpose_a, a, kept_a) = parts(a, Side::Left)?;
        let (transpose_b, b, kept_b) = parts(b, Side::Right)?;
        let sides = [a.layout().op(transpose_a), b.layout().op(transpose_b)];
        assert_eq!(sides[0].shape.1, sides[1].shape.0, "inner dimensions");
        assert_eq!(a.precision(), b.precision(), "precisions");
        Ok(Self { sides, kept: [kept_a, kept_b] })
    }

    fn bits(&self) -> Bits {
        self.sides[0].bits
    }

    /// Rows, columns and terms of the product.
    fn shape(&self) -> [usize; 3] {
        [self.sides[0].shape.0, self.sides[1].shape.1, self.sides[0].shape.1]
    }
}

impl Cuda {
    /// A matrix of zeros.
    ///
    /// # Errors
    /// [`nonius_linalg::Error::Device`]: the first failure of the backend.
    pub fn zeros_mp(
        &self,
        bits: Bits,
        rows: usize,
        cols: usize,
    ) -> Result<MpMatrix, nonius_linalg::Error> {
        self.fetch(|| MpMatrix::zeros(self, bits, (rows, cols)))
    }

    /// `op(A)·op(B)` by residues, rounded to the precision of both; within the bound of [`Target::of_bits`].
    ///
    /// Panics where shapes or precisions do not fit.
    ///
    /// # Errors
    /// As [`upload_mp`](Self::upload_mp); [`nonius_linalg::Error::WrongSide`] when an operand was converted for the other side; [`Fallback`] where it is not
    /// computed this way: devices have no other for such numbers.
    pub fn multiply_mp(
        &self,
        a: DeviceFactor<'_, &MpMatrix>,
        b: DeviceFactor<'_, &MpMatrix>,
    ) -> Result<Result<(MpMatrix, Report), Fallback>, nonius_linalg::Error> {
        let operands = Operands::new(a, b)?;
        let [m, n, k] = operands.shape();
        self.fetch(|| {
            if k == 0 {
                let zeros = MpMatrix::zeros(self, operands.bits(), (m, n))?;
                return Ok(Ok((zeros, Report::direct())));
            }
            let product = MpMatrix::new(self, operands.bits(), (m, n))?;
            let report = self.write_product(&operands, &product)?;
            Ok(report.map(|report| (product, report)))
        })
    }

    /// `C ← α·op(A)·op(B) + β·C`, with the bits of [`gemm_of`](nonius_linalg::dense::gemm::gemm_of)
    /// by the residue
    /// engine. Where `α` is 0, `A` and `B` are not read; where `β` is, `C` is not.
    ///
    /// Panics where shapes or precisions do not fit.
    ///
    /// # Errors
    /// As [`multiply_mp`](Self::multiply_mp).
    pub fn gemm_mp(
        &self,
        alpha: MpRef<'_>,
        a: DeviceFactor<'_, &MpMatrix>,
        b: DeviceFactor<'_, &MpMatrix>,
        beta: MpRef<'_>,
        c: &mut MpMatrix,
    ) -> Result<Result<Report, Fallback>, nonius_linalg::Error> {
        let operands = Operands::new(a, b)?;
        let [m, n, k] = operands.shape();
        assert_eq!(c.shape(), (m, n), "shape of C");
        for bits in [operands.bits(), alpha.bits(), beta.bits()] {
            assert_eq!(bits, c.precision(), "precisions");
        }
        let of_product = if k == 0 { Use::Absent } else { Use::by(alpha) };
        let uses = [of_product, Use::by(beta)];
        self.fetch(|| match uses {
            [Use::Absent, Use::Unchanged] => Ok(Ok(Report::direct())),
            [Use::Absent, _] => {
                self.update(uses, [alpha, beta], None, c)?;
                Ok(Ok(Report::direct()))
            }
            [Use::Unchanged, Use::Absent] => self.write_product(&operands, c),
            [Use::Multiplied, Use::Absent] => {
                let report = self.write_product(&operands, c)?;
                if report.is_ok() {
                    self.update(uses, [alpha, beta], None, c)?;
                }
                Ok(report)
            }
            _ => {
                let product = MpMatrix::new(self, c.precision(), (m, n))?;
                let report = self.write_product(&operands, &product)?;
                if report.is_ok() {
                    self.update(uses, [alpha, beta], Some(&product), c)?;
                }
                Ok(report)
            }
        })
    }

    /// Writes a product of some terms over a matrix that nobody else uses, or leaves it as it is.
    fn write_product(
        &self,
        operands: &Operands<'_>,
        product: &MpMatrix,
    ) -> Result<Result<Report, Fallback>, Error> {
        let [m, n, k] = operands.shape();
        if m == 0 || n == 0 {
            return Ok(Ok(Report::direct()));
        }
        let Operands { sides: [a, b], kept } = *operands;
        let task = MpTask { a, b, c: product.layout() };
        let target = Target::of_bits(operands.bits().get(), k, Target::MOST_BITS);
        Ok(match self.multiply_by_residues(task, kept, target, true)? {
            Outcome::Done(report) => Ok(report),
            Outcome::Refused(fallback) => Err(fallback),
            // Only where nobody waits.
            Outcome::Unless(_) => Err(Fallback::NoEngine),
        })
    }

    /// `C ← α·P + β·C`; the product is in `C` where none is given.
    fn update(
        &self,
        [product_use, c_use]: [Use; 2],
        factors: [MpRef<'_>; 2],
        product: Option<&MpMatrix>,
        c: &mut MpMatrix,
    ) -> Result<(), Error> {
        let count = c.shape().0 * c.shape().1;
        if count == 0 {
            return Ok(());
        }
        let factors = MpMatrix::of_numbers(self, c.precision(), &factors)?;
        let arguments = Update {
            product: product.unwrap_or(c).kernel_numbers(),
            c: c.kernel_numbers(),
            factors: factors.kernel_numbers(),
            product_use: product_use as i32,
            c_use: c_use as i32,
        };
        let kernel = self.device().module(&source(c.precision()))?.kernel(UPDATE)?;
        let blocks = count.div_ceil(THREADS).min(MOST_BLOCKS) as u32;
        let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: all three are matrices of the module's precision whose memory is freed in the
        // order of the stream; `C` is borrowed mutably, and entry `i` depends on entries `i` alone.
        unsafe { kernel.launch(self.stream(), shape, &arguments) }
    }
}
