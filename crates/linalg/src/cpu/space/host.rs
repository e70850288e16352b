//! Vectors of numbers of every kind.

use nonius_num::Precision;

use super::HostLog;
use crate::backend::{NumberOp, Reading, Round, Sign, Space};
use crate::dense::gemm::Arithmetic;
use crate::{Error, Number, Numbers};

/// Vectors in the host's memory for iterative methods, of numbers of one kind.
///
/// **Limbs.** Sums have blocks of [`BLOCKS`](crate::cpu::reduce::BLOCKS) entries; all else has the
/// bits of the operators.
///
/// **Any bits.** `y ± α·x` and `x ± β·y` round each entry once. A sum of products rounds once in
/// each block of [`MP_BLOCK`](super::MP_BLOCK) entries, within `(1 + 2^-61)·u·Σ|x||y|` of the
/// block's exact sum, and once for each of the `⌈log₂⌈n/MP_BLOCK⌉⌉` levels on which the blocks are
/// added pairwise, neighbours first. A row of a sparse matrix is one such block.
///
/// With sums in the arithmetic [`Ieee`](Arithmetic::Ieee) every product and every addition is
/// rounded by itself instead: those of a row from the first to the last, those of a block in
/// [256 sums](nonius_num::mp::stepwise::strided_dot) that are added pairwise. Methods then take the
/// iterations that programs in MPFR and the literature report. With delayed sums, whose errors are
/// smaller, they take about one in a hundred less at 424 bits.
#[derive(Clone, Debug)]
pub struct HostSpace<T: Number> {
    format: T::Format,
    arithmetic: Arithmetic,
    /// Sums of blocks.
    pub(super) sums: Numbers<T>,
    /// Products of lines of a matrix.
    pub(crate) lines: Numbers<T>,
}

/// `Ok` where iterations on numbers of this precision have sums in this arithmetic: delayed, or for
/// numbers of any bits `ieee`.
///
/// # Errors
/// [`Error::NotOfIterations`], [`Error::NoArithmetic`].
pub fn check_sums(precision: Precision, arithmetic: Arithmetic) -> Result<(), Error> {
    match precision {
        Precision::Mp(_) if arithmetic.is_for_dd() => {
            Err(Error::NoArithmetic { arithmetic, precision: "mp" })
        }
        Precision::Mp(_) => Ok(()),
        _ if arithmetic == Arithmetic::Delayed => Ok(()),
        limbs => Err(Error::NotOfIterations { arithmetic, precision: limbs.kind() }),
    }
}

impl<T: Number> HostSpace<T> {
    /// Vectors of numbers of this format, with delayed sums.
    pub fn new(format: T::Format) -> Self {
        let (sums, lines) = (Numbers::new(format), Numbers::new(format));
        Self { format, arithmetic: Arithmetic::Delayed, sums, lines }
    }

    /// The same with sums in the arithmetic that is given.
    ///
    /// # Errors
    /// As [`check_sums`].
    pub fn with_arithmetic(self, arithmetic: Arithmetic) -> Result<Self, Error> {
        check_sums(T::precision(self.format), arithmetic)?;
        Ok(Self { arithmetic, ..self })
    }

    /// The format of the numbers.
    pub fn format(&self) -> T::Format {
        self.format
    }

    /// The arithmetic of sums.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }
}

fn signed<T: Number>(sign: Sign, alpha: T) -> T {
    match sign {
        Sign::Plus => alpha,
        Sign::Minus => -alpha,
    }
}

impl<T: Number> Space for HostSpace<T> {
    type Vector = Numbers<T>;
    type Number = T;
    type Log = HostLog;

    const LOOK: usize = 1;

    fn vector(&self, n: usize) -> Result<Numbers<T>, Error> {
        Numbers::try_zeros(self.format, n).ok_or(Error::TooLarge { rows: n, cols: 1 })
    }

    fn number(&self) -> T {
        T::ZERO.to_format(self.format)
    }

    fn length(&self, x: &Numbers<T>) -> usize {
        x.len()
    }

    fn check_numbers(&self, operand: &'static str, x: &Numbers<T>) -> Result<(), Error> {
        Error::check_format::<T>(operand, self.format, x.format())
    }

    fn set(&mut self, value: f64, to: &mut T) {
        *to = T::from_f64(value).to_format(self.format);
    }

    fn copy(&mut self, x: &Numbers<T>, y: &mut Numbers<T>) {
        y.as_mut_slice().copy_from(x.as_slice());
    }

    fn clear(&mut self, x: &mut Numbers<T>) {
        x.as_mut_slice().clear();
    }

    fn dot(&mut self, x: &Numbers<T>, y: &Numbers<T>, to: &mut T) {
        *to = T::sum_products(self.arithmetic, x.as_slice(), y.as_slice(), &mut self.sums);
    }

    fn axpy(&mut self, sign: Sign, alpha: &T, x: &Numbers<T>, y: &mut Numbers<T>) {
        let alpha = signed(sign, *alpha);
        T::axpy(self.arithmetic, alpha, x.as_slice(), y.as_mut_slice());
    }

    fn xpay(&mut self, x: &Numbers<T>, sign: Sign, beta: &T, y: &mut Numbers<T>) {
        let beta = signed(sign, *beta);
        T::xpay(self.arithmetic, x.as_slice(), beta, y.as_mut_slice());
    }

    fn scale(&mut self, alpha: &T, x: &mut Numbers<T>) {
        T::scale(x.as_mut_slice(), *alpha);
    }

    fn multiply(&mut self, x: &Numbers<T>, y: &mut Numbers<T>) {
        T::multiply_entries(x.as_slice(), y.as_mut_slice());
    }

    fn norm(&mut self, x: &Numbers<T>, to: &mut T) {
        self.dot(x, x, to);
        *to = to.sqrt();
    }

    fn assign(&mut self, a: &T, to: &mut T) {
        *to = *a;
    }

    fn compute(&mut self, operation: NumberOp, a: &T, b: &T, to: &mut T) {
        *to = match operation {
            NumberOp::Add => *a + *b,
            NumberOp::Sub => *a - *b,
            NumberOp::Mul => *a * *b,
            NumberOp::Div => *a / *b,
        };
    }

    fn root(&mut self, a: &T, to: &mut T) {
        *to = a.sqrt();
    }

    fn log(&self, columns: usize, _: Reading) -> HostLog {
        HostLog::new(columns)
    }

    fn record<const K: usize>(&mut self, log: &mut HostLog, row: [&T; K]) {
        log.append(row.into_iter().map(|x| x.nearest()));
    }

    fn hold(&mut self, _: &HostLog) {}

    fn release(&mut self) {}

    fn look<'a>(&mut self, log: &'a mut HostLog) -> Result<&'a [Reading], Error> {
        Ok(log.look())
    }
}

impl<T: Number> Round<HostSpace<f64>> for HostSpace<T> {
    fn round(&mut self, x: &Numbers<T>, exponent: i64, to: &mut Numbers<f64>) {
        T::round_entries(x.as_slice(), exponent, to.plain_mut());
    }

    fn widen(&mut self, x: &Numbers<f64>, exponent: i64, to: &mut Numbers<T>) {
        T::widen_entries(x.plain(), exponent, to.as_mut_slice());
    }
}
