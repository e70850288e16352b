//! Vectors of numbers in residues.

use nonius_num::RnsFloat;
use nonius_num::rns::float::{Format, RnsNumbers, RnsRef, RnsSlice, RnsSliceMut, stepwise};

use super::{HostLog, MP_BLOCK};
use crate::backend::{NumberOp, Reading, Sign, Space};
use crate::threads::{Grain, available, for_each, map};
use crate::{Error, Number};

/// Residues of a vector that are worth sharing among threads: some 50 µs.
const PARALLEL: usize = 1 << 12;

/// Vectors of numbers whose significands are residues modulo the numbers of a [`Format`].
///
/// Every product and every sum is rounded by itself, in the order of
/// [`HostSpace<Mp>`](super::HostSpace) with the arithmetic
/// [`Ieee`](crate::dense::gemm::Arithmetic::Ieee), and so has the bits of its numbers of the same
/// precision, whatever the moduli. Matrices have values in `f64`, which products take exactly.
///
/// Source: K. Isupov, V. Knyazkov, *Multiple-precision sparse matrix–vector multiplication on
/// GPUs*, J. Comput. Sci. 61 (2022): linear algebra on significands in residues.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::krylov::{Cg, Identity, Options, RnsSpace};
/// use nonius_linalg::sparse::Dia;
/// use nonius_num::RnsFloat;
/// use nonius_num::rns::float::{Format, RnsNumbers};
///
/// let format = Format::with_bits(212)?;
/// let (mut b, mut x) = (RnsNumbers::new(&format), RnsNumbers::new(&format));
/// for _ in 0..2 {
///     b.push(RnsFloat::one(&format).view());
///     x.push(RnsFloat::zero(&format).view());
/// }
/// let a = Dia::<f64>::diagonal(vec![1.0, 3.0].into());
/// let mut space = RnsSpace::new(&format).ok_or("too few bits")?;
/// let options = Options { tolerance: 1e-58, ..Options::default() };
/// Cg::new(&space, 2)?.solve(&mut space, &a, &Identity, &b, &mut x, &options, |_| Continue(()))?;
/// assert!(x.at(1).to_mp().to_string().starts_with(&format!("0.{}", "3".repeat(55))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RnsSpace {
    format: Format,
}

impl RnsSpace {
    /// The fewest bits: those of an `f64`, which products take exactly.
    pub const LEAST_BITS: u32 = 53;

    /// Vectors of numbers of this format; `None` below [`LEAST_BITS`](Self::LEAST_BITS).
    pub fn new(format: &Format) -> Option<Self> {
        (format.bits() >= Self::LEAST_BITS).then(|| Self { format: format.clone() })
    }

    /// Moduli and precision.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// `Σ x[i]·y[i]`
    pub(super) fn sum_products(&self, x: RnsSlice<'_>, y: RnsSlice<'_>) -> RnsFloat {
        assert_eq!(x.len(), y.len(), "lengths");
        let blocks = x.len().div_ceil(MP_BLOCK);
        let of_block = |block: usize| {
            let range = block * MP_BLOCK..x.len().min((block + 1) * MP_BLOCK);
            stepwise::strided_dot(x.range(range.clone()), y.range(range))
        };
        let grain = Grain::shared_if(is_shared(&self.format, x.len()));
        let mut sums: Vec<RnsFloat> = map(blocks, grain, of_block);
        // Pairwise, neighbours first.
        while sums.len() > 1 {
            let pair = |pair: &[RnsFloat]| match pair {
                [x, y] => x + y,
                rest => rest[0].clone(),
            };
            sums = sums.chunks(2).map(pair).collect();
        }
        sums.pop().unwrap_or_else(|| RnsFloat::zero(&self.format))
    }
}

fn signed(sign: Sign, x: &RnsFloat) -> RnsRef<'_> {
    match sign {
        Sign::Plus => x.view(),
        Sign::Minus => x.view().negated(),
    }
}

/// Whether a line of `count` numbers is worth sharing among threads.
pub(crate) fn is_shared(format: &Format, count: usize) -> bool {
    count * format.lanes() >= PARALLEL && available() > 1
}

/// Runs `work` on pieces of both vectors.
fn pieces(
    x: RnsSlice<'_>,
    y: RnsSliceMut<'_>,
    work: impl Fn(RnsSlice<'_>, RnsSliceMut<'_>) + Sync,
) {
    assert_eq!(x.len(), y.len(), "lengths");
    if !is_shared(x.format(), x.len()) {
        return work(x, y);
    }
    let mut parts: Vec<_> = y.into_pieces(MP_BLOCK).map(Some).collect();
    for_each(&mut parts[..], Grain::ANY, |block, y| {
        let Some(y) = y.take() else { return };
        let first = block * MP_BLOCK;
        work(x.range(first..first + y.len()), y);
    });
}

impl Space for RnsSpace {
    type Vector = RnsNumbers;
    type Number = RnsFloat;
    type Log = HostLog;

    const LOOK: usize = 1;

    fn vector(&self, n: usize) -> Result<RnsNumbers, Error> {
        RnsNumbers::try_zeros(&self.format, n).ok_or(Error::TooLarge { rows: n, cols: 1 })
    }

    fn number(&self) -> RnsFloat {
        RnsFloat::zero(&self.format)
    }

    fn length(&self, x: &RnsNumbers) -> usize {
        x.len()
    }

    fn check_numbers(&self, _: &'static str, x: &RnsNumbers) -> Result<(), Error> {
        let expected = "vectors with the moduli of their space";
        let fits = *x.format() == self.format;
        if fits { Ok(()) } else { Err(Error::NotInResidues { expected }) }
    }

    fn set(&mut self, value: f64, to: &mut RnsFloat) {
        *to = RnsFloat::from_f64(&self.format, value);
    }

    fn copy(&mut self, x: &RnsNumbers, y: &mut RnsNumbers) {
        y.as_mut_slice().copy_from(x.as_slice());
    }

    fn clear(&mut self, x: &mut RnsNumbers) {
        x.as_mut_slice().clear();
    }

    fn dot(&mut self, x: &RnsNumbers, y: &RnsNumbers, to: &mut RnsFloat) {
        *to = self.sum_products(x.as_slice(), y.as_slice());
    }

    fn axpy(&mut self, sign: Sign, alpha: &RnsFloat, x: &RnsNumbers, y: &mut RnsNumbers) {
        let alpha = signed(sign, alpha);
        pieces(x.as_slice(), y.as_mut_slice(), |x, y| stepwise::axpy(alpha, x, y));
    }

    fn xpay(&mut self, x: &RnsNumbers, sign: Sign, beta: &RnsFloat, y: &mut RnsNumbers) {
        let beta = signed(sign, beta);
        pieces(x.as_slice(), y.as_mut_slice(), |x, y| stepwise::xpay(x, beta, y));
    }

    fn scale(&mut self, alpha: &RnsFloat, x: &mut RnsNumbers) {
        stepwise::scale(alpha.view(), x.as_mut_slice());
    }

    fn multiply(&mut self, x: &RnsNumbers, y: &mut RnsNumbers) {
        pieces(x.as_slice(), y.as_mut_slice(), stepwise::multiply);
    }

    fn norm(&mut self, x: &RnsNumbers, to: &mut RnsFloat) {
        let mut square = self.number();
        self.dot(x, x, &mut square);
        to.set_root(square.view());
    }

    fn assign(&mut self, a: &RnsFloat, to: &mut RnsFloat) {
        to.clone_from(a);
    }

    fn compute(&mut self, operation: NumberOp, a: &RnsFloat, b: &RnsFloat, to: &mut RnsFloat) {
        let (a, b) = (a.view(), b.view());
        match operation {
            NumberOp::Add => to.set_sum(a, b),
            NumberOp::Sub => to.set_difference(a, b),
            NumberOp::Mul => to.set_product(a, b),
            NumberOp::Div => to.set_quotient(a, b),
        }
    }

    fn root(&mut self, a: &RnsFloat, to: &mut RnsFloat) {
        to.set_root(a.view());
    }

    fn log(&self, columns: usize, _: Reading) -> HostLog {
        HostLog::new(columns)
    }

    fn record<const K: usize>(&mut self, log: &mut HostLog, row: [&RnsFloat; K]) {
        log.append(row.into_iter().map(|x| x.to_mp().nearest()));
    }

    fn hold(&mut self, _: &HostLog) {}

    fn release(&mut self) {}

    fn look<'a>(&mut self, log: &'a mut HostLog) -> Result<&'a [Reading], Error> {
        Ok(log.look())
    }
}
