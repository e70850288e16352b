//! The kernels of each number, compiled with this crate.
//!
//! A generic function is compiled anew in every library, program and test that calls it, and a
//! kernel once for each width of registers. What is called through [`Kernels`], whose
//! implementations are not generic, is compiled here alone.

#![expect(private_interfaces, reason = "nobody outside can name the trait")]

use nonius_num::{Dd, Qd, Td};

use super::gemm::{Converted, Factors, Operand, Part};
use super::reduce::Terms;
use super::{backward_error, gemm, gemv, panel, reduce, residual, rotate, trsm};
use crate::backend::Breakdown;
use crate::dense::gemm::crt::Fallback;
use crate::dense::gemm::{Products, Report};
use crate::dense::{Rotation, Side};
use crate::{MatMut, MatRef};

/// From rows `fn name(arguments) -> result = kernel;` makes the trait, and implements it for every
/// number by the kernels named.
macro_rules! kernels {
    ([$($number:ident)*] $functions:tt) => {
        kernels!(trait $functions);
        $(kernels!(impl $number $functions);)*
    };
    (trait {$(
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $kernel:path;
    )*}) => {
        /// What is compiled here for a number. It seals [`Scalar`](crate::Scalar): kernels
        /// reinterpret slices of scalars as slices of limbs, so no other type may be one.
        pub trait Kernels: Sized {
            $(#[doc = concat!("`", stringify!($kernel), "`.")]
            fn $name($($argument: $type),*) $(-> $result)?;)*
        }
    };
    (impl $number:ident {$(
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $kernel:path;
    )*}) => {
        impl Kernels for $number {
            $(fn $name($($argument: $type),*) $(-> $result)? {
                $kernel($($argument),*)
            })*
        }
    };
}

kernels! { [f64 Dd Td Qd] {
    fn multiply(
        products: Products,
        operands: [Operand<'_, Self>; 2],
        converted: [Option<&Converted>; 2],
        factors: Factors<Self>,
        part: Part,
        c: MatMut<'_, Self>,
    ) -> Report = gemm::multiply_by_engine;
    fn convert(side: Side, a: Operand<'_, Self>, bits: u32) -> Result<Converted, Fallback> = gemm::crt::convert;
    fn total(terms: Terms<'_>, sums: &mut Vec<Self>) -> Self = reduce::total;
    fn band_times_vector(
        factors: [Self; 2],
        a: MatRef<'_, Self>,
        x: &[Self],
        y: &mut [Self],
    ) = gemv::band_times_vector;
    fn trsm(system: trsm::System<'_, Self>, b: MatMut<'_, Self>) = trsm::solve;
    fn lu_panel(a: MatMut<'_, Self>, pivots: &mut [usize]) -> Result<(), Breakdown> = panel::lu;
    fn cholesky_panel(a: MatMut<'_, Self>) -> Result<(), Breakdown> = panel::cholesky;
    fn residual(a: MatRef<'_, Self>, x: MatRef<'_, Self>, r: MatMut<'_, Self>) = residual::by_limbs;
    fn largest_residuals(
        a: MatRef<'_, Self>,
        x: MatRef<'_, Self>,
        b: MatRef<'_, Self>,
    ) -> Vec<f64> = backward_error::by_limbs;
    fn rotate(bands: &mut [Vec<f64>], rotations: &[Rotation<Self>]) = rotate::rotate;
}}
