//! Vectors of numbers of any bits.

use nonius_num::mp::{Bits, Head, Mp, MpRef, stepwise};

use super::HostLog;
use super::kernels::{self, Line};
use crate::Error;
use crate::backend::{NumberOp, Reading, Sign, Space};
use crate::dense::gemm::Arithmetic;
use crate::mp::{Numbers, Slice, SliceMut};
use crate::threads::{Grain, chunks, for_each};

/// Entries whose products are summed before they are rounded.
pub const MP_BLOCK: usize = 1024;
/// Words of a vector that are worth sharing among threads: some 50 µs.
const PARALLEL: usize = 1 << 14;

/// Vectors of numbers of so many bits.
///
/// `y ± α·x` and `x ± β·y` round each entry once. A sum of products rounds once in each block of [`MP_BLOCK`] entries, within
/// `(1 + 2^-61)·u·Σ|x||y|` of the block's exact sum, and once for each of the `⌈log₂⌈n/MP_BLOCK⌉⌉` levels on which the blocks are added pairwise, neighbours first. A row of a
/// sparse matrix is one such block.
///
/// With sums in the arithmetic [`Ieee`](Arithmetic::Ieee) every product and every addition is rounded by itself instead: those of a row from the first to the last, those of a block in
/// [256 sums](stepwise::strided_dot) that are added pairwise. Methods then take the iterations that programs in MPFR and the literature report; with delayed sums, whose errors are smaller, about one in a hundred less at 424 bits.
#[derive(Clone, Debug)]
pub struct MpSpace {
    bits: Bits,
    arithmetic: Arithmetic,
    /// Sums of blocks.
    sums: Numbers,
    /// The sum of two blocks.
    sum: Mp,
    /// A product.
    product: Mp,
    /// What a product leaves.
    rest: Mp,
}

impl MpSpace {
    /// Vectors of so many bits, with delayed sums.
    pub fn new(bits: Bits) -> Self {
        let [sum, product, rest] = core::array::from_fn(|_| Mp::zero(bits));
        let arithmetic = Arithmetic::Delayed;
        Self { bits, arithmetic, sums: Numbers::new(bits), sum, product, rest }
    }

    /// The same with sums in the arithmetic that is given: delayed, or `ieee`.
    ///
    /// # Errors
    /// [`Error::NoArithmetic`].
    pub fn with_arithmetic(self, arithmetic: Arithmetic) -> Result<Self, Error> {
        if arithmetic.is_for_dd() {
            return Err(Error::NoArithmetic { arithmetic, precision: "mp" });
        }
        Ok(Self { arithmetic, ..self })
    }

    /// The bits.
    pub fn bits(&self) -> Bits {
        self.bits
    }

    /// The arithmetic of sums.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// Three numbers to compute with.
    pub fn spare(&mut self) -> [&mut Mp; 3] {
        [&mut self.sum, &mut self.product, &mut self.rest]
    }
}

fn signed<'a>(sign: Sign, x: &'a Mp) -> MpRef<'a> {
    match sign {
        Sign::Plus => x.view(),
        Sign::Minus => x.view().negated(),
    }
}

/// The heads and words of numbers.
pub fn line(x: Slice<'_>) -> Line<'_> {
    (x.heads(), x.words())
}

/// Runs `work` on pieces of both vectors.
pub fn pieces(
    x: Slice<'_>,
    y: SliceMut<'_>,
    work: impl Fn(Line<'_>, (&mut [Head], &mut [u64])) + Sync,
) {
    assert_eq!(x.len(), y.len(), "lengths");
    let words = x.bits().words();
    if x.words().len() < PARALLEL || rayon::current_num_threads() == 1 {
        return work(line(x), y.into_parts());
    }
    let (heads, significands) = y.into_parts();
    let to = (chunks(heads, MP_BLOCK), chunks(significands, MP_BLOCK * words));
    for_each(to, Grain::ANY, |block, to| {
        let first = block * MP_BLOCK;
        work(line(x.range(first..first + to.0.len())), to);
    });
}

impl Space for MpSpace {
    type Vector = Numbers;
    type Number = Mp;
    type Log = HostLog;

    const LOOK: usize = 1;

    fn vector(&self, n: usize) -> Result<Numbers, Error> {
        Numbers::try_zeros(self.bits, n).ok_or(Error::TooLarge { rows: n, cols: 1 })
    }

    fn number(&self) -> Mp {
        Mp::zero(self.bits)
    }

    fn length(&self, x: &Numbers) -> usize {
        x.len()
    }

    fn set(&mut self, value: f64, to: &mut Mp) {
        *to = Mp::from_f64(self.bits, value);
    }

    fn copy(&mut self, x: &Numbers, y: &mut Numbers) {
        y.as_mut_slice().copy_from(x.as_slice());
    }

    fn clear(&mut self, x: &mut Numbers) {
        let (heads, words) = x.as_mut_slice().into_parts();
        heads.fill(Head::zero(false));
        words.fill(0);
    }

    fn dot(&mut self, x: &Numbers, y: &Numbers, to: &mut Mp) {
        assert_eq!(x.len(), y.len(), "lengths");
        let (bits, words) = (self.bits, self.bits.words());
        let (x, y) = (x.as_slice(), y.as_slice());
        let blocks = x.len().div_ceil(MP_BLOCK);
        while self.sums.len() < blocks {
            self.sums.push(self.sum);
        }
        let arithmetic = self.arithmetic;
        let block = |block: usize, (head, to): (&mut Head, &mut [u64])| {
            let range = block * MP_BLOCK..x.len().min((block + 1) * MP_BLOCK);
            let (x, y) = (line(x.range(range.clone())), line(y.range(range)));
            *head = if arithmetic == Arithmetic::Ieee {
                stepwise::strided_dot(bits, x, y, to)
            } else {
                kernels::dot(bits, x, y, to)
            };
        };
        let (heads, significands) = self.sums.as_mut_slice().split_at(blocks).0.into_parts();
        let grain = Grain::shared_if(x.words().len() >= PARALLEL);
        for_each((heads, chunks(significands, words)), grain, block);
        let mut count = blocks;
        while count > 1 {
            for i in 0..count / 2 {
                self.sum.set_sum(self.sums.entry(2 * i), self.sums.entry(2 * i + 1));
                self.sums.put(i, self.sum.view());
            }
            if !count.is_multiple_of(2) {
                self.sums.copy_within(count - 1, count / 2);
            }
            count = count.div_ceil(2);
        }
        if blocks == 0 {
            to.set_value(Mp::zero(bits).view());
        } else {
            to.set_value(self.sums.entry(0));
        }
    }

    fn axpy(&mut self, sign: Sign, alpha: &Mp, x: &Numbers, y: &mut Numbers) {
        let alpha = signed(sign, alpha);
        let ieee = self.arithmetic == Arithmetic::Ieee;
        pieces(x.as_slice(), y.as_mut_slice(), |x, y| {
            if ieee { stepwise::axpy(alpha, x, y) } else { kernels::axpy(alpha, x, y) }
        });
    }

    fn xpay(&mut self, x: &Numbers, sign: Sign, beta: &Mp, y: &mut Numbers) {
        let beta = signed(sign, beta);
        let ieee = self.arithmetic == Arithmetic::Ieee;
        pieces(x.as_slice(), y.as_mut_slice(), |x, y| {
            if ieee { stepwise::xpay(x, beta, y) } else { kernels::xpay(x, beta, y) }
        });
    }

    fn scale(&mut self, alpha: &Mp, x: &mut Numbers) {
        for i in 0..x.len() {
            self.product.set_product(alpha.view(), x.entry(i));
            x.put(i, self.product.view());
        }
    }

    fn multiply(&mut self, x: &Numbers, y: &mut Numbers) {
        assert_eq!(x.len(), y.len(), "lengths");
        for i in 0..x.len() {
            self.product.set_product(x.entry(i), y.entry(i));
            y.put(i, self.product.view());
        }
    }

    fn norm(&mut self, x: &Numbers, to: &mut Mp) {
        self.dot(x, x, to);
        self.product.set_value(to.view());
        to.set_root(self.product.view());
    }

    fn assign(&mut self, a: &Mp, to: &mut Mp) {
        to.set_value(a.view());
    }

    fn compute(&mut self, operation: NumberOp, a: &Mp, b: &Mp, to: &mut Mp) {
        let (a, b) = (a.view(), b.view());
        match operation {
            NumberOp::Add => to.set_sum(a, b),
            NumberOp::Sub => to.set_difference(a, b),
            NumberOp::Mul => to.set_product(a, b),
            NumberOp::Div => to.set_quotient(a, b),
        }
    }

    fn root(&mut self, a: &Mp, to: &mut Mp) {
        to.set_root(a.view());
    }

    fn log(&self, columns: usize, _: Reading) -> HostLog {
        HostLog::new(columns)
    }

    fn record<const K: usize>(&mut self, log: &mut HostLog, row: [&Mp; K]) {
        log.append(row.into_iter().map(|x| reading(x.view())));
    }

    fn hold(&mut self, _: &HostLog) {}

    fn release(&mut self) {}

    fn look<'a>(&mut self, log: &'a mut HostLog) -> Result<&'a [Reading], Error> {
        Ok(log.look())
    }
}

/// A number rounded to an `f64` significand.
pub(super) fn reading(x: MpRef<'_>) -> Reading {
    match x.head().exponent() {
        Some(e) => {
            let unit = MpRef::new(x.bits(), x.head().shifted(-i64::from(e)), x.words());
            let near = Reading::of(unit.to_f64());
            Reading { exponent: near.exponent + i64::from(e), ..near }
        }
        None => Reading::of(x.to_f64()),
    }
}
