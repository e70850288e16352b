//! Some rows and columns of products of which other devices compute the rest.

use nonius_gpu::Error;
use nonius_linalg::Number;
use nonius_linalg::backend::Share;
use nonius_linalg::dense::gemm::{Report, Way, Whole};
use nonius_linalg::dense::{Transpose, Triangle};

use crate::backend::Cuda;
use crate::crt::{Integers, LimbRows, MpRows, Outcome};
use crate::kind::Kind;
use crate::matrix::{DeviceMut, DeviceRef};
use crate::multiplication::{Multiplication, multiplication, update};
use crate::operand::ALWAYS;

impl Cuda {
    fn way_of<T: Number>(
        &self,
        whole: &Whole<'_>,
        [(transpose_a, a), (transpose_b, b)]: [(Transpose, DeviceRef<'_, T>); 2],
    ) -> Result<Way, Error> {
        let (format, [m, n, _]) = (a.format, whole.sizes);
        // Whoever names the engine gets it where more bits do.
        let waits = !whole.queued || self.products().engine.is_some();
        let target = self.target_of::<T>(format, whole.sizes, whole.triangle, m + n, waits);
        let Some(target) = target else { return Ok(Way::Direct(None)) };
        let lines = [a.layout.op(transpose_a), b.layout.op(transpose_b.flipped())];
        match Kind::of::<T>(format) {
            Kind::Limbs(limbs) => {
                let lines = lines.map(|layout| LimbRows { limbs, layout });
                self.way_by_residues(whole, target, waits, lines)
            }
            Kind::Mp(bits) => {
                let lines = lines.map(|layout| MpRows { bits, layout });
                self.way_by_residues(whole, target, waits, lines)
            }
        }
    }

    fn multiply_by<T: Number>(
        &self,
        way: Way,
        product: Multiplication<T>,
    ) -> Result<Report, Error> {
        let [m, n, _] = product.sizes();
        if m == 0 || n == 0 {
            return Ok(Report::direct());
        }
        let fallback = match way {
            Way::Direct(fallback) => fallback,
            Way::Crt(plan) if product.alpha != T::ZERO => {
                match self.multiply_with_residues(product, [None; 2], Integers::Of(plan))? {
                    Outcome::Done(report) => return Ok(report),
                    Outcome::Refused(reason) => Some(reason),
                    Outcome::Unless(_) => None,
                }
            }
            Way::Crt(_) => None,
        };
        self.multiply_directly(self.products().arithmetic, product, ALWAYS)?;
        Ok(Report { fallback, ..Report::direct() })
    }
}

impl<T: Number> Share<T> for Cuda {
    fn way(
        &self,
        whole: &Whole<'_>,
        a: (Transpose, DeviceRef<'_, T>),
        b: (Transpose, DeviceRef<'_, T>),
    ) -> Way {
        self.attempt(|| self.way_of(whole, [a, b])).unwrap_or(Way::Direct(None))
    }

    fn gemm_by(
        &self,
        way: Way,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        b: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) -> Report {
        let product = multiplication((transpose_a, a), (transpose_b, b), alpha, beta, c);
        self.attempt(|| self.multiply_by(way, product)).unwrap_or(Report::direct())
    }

    fn syrk_by(
        &self,
        way: Way,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) {
        let product = update(triangle, (transpose, a), alpha, beta, c);
        self.attempt(|| self.multiply_by(way, product));
    }
}
