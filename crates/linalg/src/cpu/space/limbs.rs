//! Vectors of limbs.

use super::HostLog;
use crate::backend::{NumberOp, Reading, Sign, Space};
use crate::cpu::{elementwise::elementwise, reduce};
use crate::dense::Operand;
use crate::operation::{BinaryOp, TernaryOp};
use crate::{Error, MatMut, MatRef, Scalar};

/// Vectors of `f64`, `dd`, `td` or `qd`. Sums have blocks of [`reduce::BLOCKS`] entries; all else has the bits of the operators.
#[derive(Clone, Debug)]
pub struct LimbSpace<T> {
    /// Sums of blocks.
    sums: Vec<T>,
    /// Products of lines of a matrix.
    pub(crate) lines: Vec<T>,
}

impl<T> Default for LimbSpace<T> {
    fn default() -> Self {
        Self { sums: Vec::new(), lines: Vec::new() }
    }
}

impl<T> LimbSpace<T> {
    /// The space.
    pub fn new() -> Self {
        Self::default()
    }
}

fn column<T: Scalar>(x: &[T]) -> Operand<T, MatRef<'_, T>> {
    Operand::Entries(MatRef::from_column(x))
}

fn signed<T: Scalar>(sign: Sign, alpha: T) -> T {
    match sign {
        Sign::Plus => alpha,
        Sign::Minus => -alpha,
    }
}

impl<T: Scalar> Space for LimbSpace<T> {
    type Vector = Vec<T>;
    type Number = T;
    type Log = HostLog;

    const LOOK: usize = 1;

    fn vector(&self, n: usize) -> Result<Vec<T>, Error> {
        let mut x = Vec::new();
        x.try_reserve_exact(n).map_err(|_| Error::TooLarge { rows: n, cols: 1 })?;
        x.resize(n, T::ZERO);
        Ok(x)
    }

    fn number(&self) -> T {
        T::ZERO
    }

    fn length(&self, x: &Vec<T>) -> usize {
        x.len()
    }

    fn set(&mut self, value: f64, to: &mut T) {
        *to = T::from_f64(value);
    }

    fn copy(&mut self, x: &Vec<T>, y: &mut Vec<T>) {
        y.copy_from_slice(x);
    }

    fn clear(&mut self, x: &mut Vec<T>) {
        x.fill(T::ZERO);
    }

    fn dot(&mut self, x: &Vec<T>, y: &Vec<T>, to: &mut T) {
        *to = reduce::dot_in(x, y, &mut self.sums);
    }

    fn axpy(&mut self, sign: Sign, alpha: &T, x: &Vec<T>, y: &mut Vec<T>) {
        let alpha = Operand::Scalar(signed(sign, *alpha));
        let operands = [alpha, column(x), Operand::Output];
        elementwise(TernaryOp::MulAdd, operands, MatMut::from_column(y));
    }

    fn xpay(&mut self, x: &Vec<T>, sign: Sign, beta: &T, y: &mut Vec<T>) {
        let beta = Operand::Scalar(signed(sign, *beta));
        let operands = [beta, Operand::Output, column(x)];
        elementwise(TernaryOp::MulAdd, operands, MatMut::from_column(y));
    }

    fn scale(&mut self, alpha: &T, x: &mut Vec<T>) {
        let operands = [Operand::Scalar(*alpha), Operand::Output];
        elementwise(BinaryOp::Mul, operands, MatMut::from_column(x));
    }

    fn multiply(&mut self, x: &Vec<T>, y: &mut Vec<T>) {
        elementwise(BinaryOp::Mul, [column(x), Operand::Output], MatMut::from_column(y));
    }

    fn norm(&mut self, x: &Vec<T>, to: &mut T) {
        *to = reduce::dot_in(x, x, &mut self.sums).sqrt();
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
        log.append(row.into_iter().map(|x| Reading::of(x.to_f64())));
    }

    fn hold(&mut self, _: &HostLog) {}

    fn release(&mut self) {}

    fn look<'a>(&mut self, log: &'a mut HostLog) -> Result<&'a [Reading], Error> {
        Ok(log.look())
    }
}
