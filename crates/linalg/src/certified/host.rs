//! The host's processor as a [`Machine`].

use nonius_num::mp::{Bits, Head, Mp};

use super::judged::{Bounds, Judged};
use super::machine::{Correction, Held, Machine};
use super::magnitude::{Magnitude, leading};
use super::system::to_f64;
use crate::backend::Cpu;
use crate::dense::Transpose;
use crate::dense::gemm::{Accuracy, Products, gemm_on};
use crate::threads::{Grain, for_each, map, map_parts};
use crate::{Error, MatRef, Matrix, mp};

impl Held for mp::Matrix {
    fn bits(&self) -> Bits {
        mp::Matrix::bits(self)
    }

    fn shape(&self) -> (usize, usize) {
        mp::Matrix::shape(self)
    }
}

impl Machine for Cpu {
    type Numbers = mp::Matrix;

    const TOGETHER: usize = 16;
    const DIRECT: bool = true;
    const SUSPICIOUS: u32 = 320;
    // Orders from 256 to 1024, 30 and 100 digits, on two cores.
    const ELIMINATION: f64 = 2.0;

    fn hold(&self, a: &mp::Matrix) -> Result<mp::Matrix, Error> {
        Ok(a.clone())
    }

    fn fetch(&self, a: &mp::Matrix) -> Result<mp::Matrix, Error> {
        Ok(a.clone())
    }

    fn rounded(&self, a: &mp::Matrix, bits: Bits) -> Result<mp::Matrix, Error> {
        Ok(a.with_bits(bits))
    }

    fn widened(&self, a: MatRef<'_, f64>, bits: Bits) -> Result<mp::Matrix, Error> {
        Ok(transposed(a, bits))
    }

    fn nearest(&self, a: &mp::Matrix) -> Result<Matrix<f64>, Error> {
        let columns = map(a.rows(), Grain::ANY, |j| {
            (0..a.cols()).map(|i| to_f64(a.entry(j, i), 0)).collect()
        });
        Ok(of_columns(a.cols(), &columns))
    }

    fn product(
        &self,
        transposed: bool,
        a: &mp::Matrix,
        b: &mp::Matrix,
    ) -> Result<mp::Matrix, Error> {
        let bits = b.bits();
        let wide = (a.bits() < bits).then(|| a.with_bits(bits));
        let a = wide.as_ref().unwrap_or(a);
        let rows = if transposed { a.cols() } else { a.rows() };
        let mut c = mp::Matrix::try_zeros_in(bits, rows, b.cols())?;
        let op = if transposed { Transpose::Yes } else { Transpose::No };
        let (cpu, no) = (self.for_products(), Transpose::No);
        gemm_on(&cpu, op, no, Mp::ONE, a.view(), b.view(), Mp::ZERO, c.view_mut())?;
        Ok(c)
    }

    fn for_products(&self) -> Self {
        // Its bound by norms is the one that is promised.
        Self::new(Products { accuracy: Accuracy::Normwise, ..Products::default() })
    }

    fn difference(&self, a: &mp::Matrix, b: &mp::Matrix) -> Result<mp::Matrix, Error> {
        let mut c = mp::Matrix::try_zeros_in(a.bits(), a.rows(), a.cols())?;
        let mut columns = c.numbers_mut().pieces(a.rows().max(1));
        for_each(&mut columns[..], Grain::ANY, |j, column| {
            let mut x = Mp::zero(a.bits());
            for i in 0..column.len() {
                x.set_difference(a.entry(i, j), b.entry(i, j));
                column.put(i, x.view());
            }
        });
        Ok(c)
    }

    fn column_sums(&self, a: &mp::Matrix, weights: &[f64]) -> Result<Vec<Magnitude>, Error> {
        Ok(map(a.cols(), Grain::ANY, |j| column_sum(a, j, weights)))
    }

    fn column_defects(&self, a: &mp::Matrix, first: usize) -> Result<Vec<Magnitude>, Error> {
        Ok(map(a.cols(), Grain::ANY, |j| column_defect(a, j, first + j)))
    }

    fn column_exponents(&self, a: &mp::Matrix) -> Result<Vec<Option<i64>>, Error> {
        let exponents = |j| a.column(j).heads().iter().filter_map(|head| head.exponent());
        Ok(map(a.cols(), Grain::ANY, |j| exponents(j).max().map(i64::from)))
    }

    fn scaled(&self, a: &mp::Matrix, exponents: &[i64]) -> Result<Matrix<f64>, Error> {
        let column = |j: usize| {
            let down = -exponents[j];
            (0..a.rows()).map(|i| to_f64(a.entry(i, j), down)).collect()
        };
        Ok(of_columns(a.rows(), &map(a.cols(), Grain::ANY, column)))
    }

    fn row_sums(&self, a: MatRef<'_, f64>, weights: &[f64]) -> Result<Vec<f64>, Error> {
        let mut sums = vec![0.0; a.rows()];
        for (j, weight) in weights.iter().enumerate() {
            for (sum, x) in sums.iter_mut().zip(a.col(j)) {
                *sum += x.abs() * weight;
            }
        }
        Ok(sums)
    }

    fn row_defects(&self, a: MatRef<'_, f64>, first: usize) -> Result<Vec<f64>, Error> {
        let mut defects = vec![0.0; a.rows()];
        for j in 0..a.cols() {
            for (i, (defect, x)) in defects.iter_mut().zip(a.col(j)).enumerate() {
                *defect += if first + i == j { (1.0 - x).abs() } else { x.abs() };
            }
        }
        Ok(defects)
    }

    fn column_maxima(&self, a: MatRef<'_, f64>) -> Result<Vec<f64>, Error> {
        let largest = |j| a.col(j).iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        Ok((0..a.cols()).map(largest).collect())
    }

    fn correct(
        &self,
        y: &mut mp::Matrix,
        correction: Correction<'_, Self>,
        bounds: &Bounds<'_>,
    ) -> Result<Vec<Judged>, Error> {
        let (bits, rows) = (y.bits(), y.rows());
        let mut columns = y.numbers_mut().pieces(rows.max(1));
        Ok(map_parts(&mut columns[..], Grain::ANY, |j, column| {
            let mut judged = Judged::NOTHING;
            let mut sum = Mp::zero(bits);
            for i in 0..column.len() {
                let z = match &correction {
                    Correction::F64(z, exponents) => {
                        let z = Mp::from_f64(super::least_bits(), z.at(i, j));
                        z.ldexp(exponents[j] as i32)
                    }
                    Correction::Mp(z) => z.entry(i, j).to_mp(z.bits()),
                };
                sum.set_sum(column.as_slice().entry(i), z.view());
                column.put(i, sum.view());
                judged.add(bounds, (i, j), Magnitude::above(z.view()), sum.view());
            }
            judged
        }))
    }
}

/// The machine for what is done on the host whatever the other work is done on.
pub(super) fn cpu() -> Cpu {
    Cpu::new(Products::direct())
}

fn of_columns(rows: usize, columns: &[Vec<f64>]) -> Matrix<f64> {
    Matrix::from_fn(rows, columns.len(), |i, j| columns[j][i])
}

/// The transpose of a matrix of finite numbers.
fn transposed(a: MatRef<'_, f64>, bits: Bits) -> mp::Matrix {
    let (rows, words) = (a.cols(), bits.words());
    let mut result = mp::Matrix::zeros_in(bits, rows, a.rows());
    let mut columns = result.numbers_mut().pieces(rows.max(1));
    for_each(&mut columns[..], Grain::ANY, |j, column| {
        let (heads, significands) = column.reborrow().into_parts();
        for (i, (head, number)) in
            heads.iter_mut().zip(significands.chunks_exact_mut(words)).enumerate()
        {
            let x = a.at(j, i);
            let Some(e) = crate::scalar::exponent(x) else { continue };
            *head = Head::finite(x < 0.0, i64::from(e) + 1);
            // A significand of 53 bits at most, as an integer.
            number[words - 1] =
                (nonius_num::Real::ldexp(x.abs(), -e) * (1_u64 << 52) as f64) as u64 * (1 << 11);
        }
    });
    result
}

/// `Σ_i |δ_i − a_ij|` for the unit vector `δ` with this entry.
fn column_defect(a: &mp::Matrix, j: usize, unit: usize) -> Magnitude {
    let column = a.column(j);
    (0..column.len()).fold(Magnitude::ZERO, |sum, i| {
        let x = column.entry(i);
        if i != unit {
            return sum.plus(Magnitude::above(x));
        }
        let one = Mp::one(x.bits());
        // Rounded once, which doubling covers.
        sum.plus(Magnitude::above((one.view() - x).view()).shifted(1))
    })
}

/// `Σ_i |a_ij|·w_i`
fn column_sum(a: &mp::Matrix, j: usize, weights: &[f64]) -> Magnitude {
    let column = a.column(j);
    let largest = column.heads().iter().map(|head| head.code()).max().unwrap_or(0);
    let mut sum = 0.0;
    for (i, weight) in weights.iter().enumerate() {
        let x = column.entry(i);
        let Some((m, e)) = leading(x) else {
            if x.head().is_zero() {
                continue;
            }
            return Magnitude::INFINITE;
        };
        let down = (e - i64::from(largest)).max(-900) as i32;
        sum += nonius_num::Real::ldexp(m, down) * weight;
    }
    // Below 2^-900 numbers count as that times their significand; all roundings together are less
    // than this factor adds.
    let up = 1.0 + 4.0 * (column.len() as f64 + 8.0) * f64::EPSILON;
    Magnitude::new(sum * up, i64::from(largest))
}
