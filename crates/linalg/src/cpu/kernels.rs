//! The kernels of each number, compiled with this crate.
//!
//! A generic function is compiled anew in every library, program and test that calls it, and a
//! kernel once for each width of registers. What is called through [`Kernels`], whose
//! implementations are not generic, is compiled here alone.

#![expect(private_interfaces, reason = "nobody outside can name the trait")]

use nonius_num::{Dd, Mp, Plain, Qd, Td};

use super::entrywise::Entrywise;
use super::gemm::{self, Converted, Factors, Operand, Part};
use super::reduce::Terms;
use super::substitution::{self, Block};
use super::{backward_error, gemv, lines, mp, panel, reduce, residual, rotate, space, trsm};
use crate::backend::{Breakdown, Reading};
use crate::dense::gemm::crt::Fallback;
use crate::dense::gemm::{Arithmetic, Products, Report, Way, Whole};
use crate::dense::{Rotation, Side};
use crate::{Error, MatMut, MatRef, Matrix, Numbers, Slice, SliceMut};

/// From rows `fn name(arguments) -> result = kernel | other;` makes a trait, and implements it for
/// sums of limbs by the first kernel of each row, and for numbers of any precision by the second.
/// Rows `type Name = type | other;` come before them.
macro_rules! kernels {
    (
        $(#[$documentation:meta])*
        trait $trait:ident: [$($base:tt)+];
        limbs [$($limbs:ident)*] mp [$($mp:ident)*]
        $functions:tt
    ) => {
        kernels!(trait $trait [$($base)+], [$(#[$documentation])*] $functions);
        $(kernels!(limbs $trait $limbs $functions);)*
        $(kernels!(mp $trait $mp $functions);)*
    };
    (trait $trait:ident [$($base:tt)+], [$($documentation:tt)*] {$(
        type $kind:ident = $kind_of_limbs:ty | $kind_of_mp:ty;
    )* $(
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?
            = $limbs:path $(| $mp:path)?;
    )*}) => {
        $($documentation)*
        pub trait $trait: $($base)+ {
            $(#[doc = concat!("`", stringify!($kind_of_limbs), "`.")]
            type $kind;)*
            $(#[doc = concat!("`", stringify!($limbs), "`.")]
            fn $name($($argument: $type),*) $(-> $result)?;)*
        }
    };
    (limbs $trait:ident $number:ident {$(
        type $kind:ident = $kind_of_limbs:ty | $kind_of_mp:ty;
    )* $(
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?
            = $limbs:path $(| $mp:path)?;
    )*}) => {
        impl $trait for $number {
            $(type $kind = $kind_of_limbs;)*
            $(fn $name($($argument: $type),*) $(-> $result)? {
                $limbs($($argument),*)
            })*
        }
    };
    (mp $trait:ident $number:ident {$(
        type $kind:ident = $kind_of_limbs:ty | $kind_of_mp:ty;
    )* $(
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?
            = $limbs:path | $mp:path;
    )*}) => {
        impl $trait for $number {
            $(type $kind = $kind_of_mp;)*
            $(fn $name($($argument: $type),*) $(-> $result)? {
                $mp($($argument),*)
            })*
        }
    };
}

kernels! {
    /// What is compiled here for a kind of numbers. It seals [`Number`](crate::Number).
    trait Kernels: [Entrywise];
    limbs [f64 Dd Td Qd] mp [Mp]
    {
        type Rows = rotate::Bands | Matrix<Mp>;
        fn check_products(products: Products) -> Result<(), Error>
            = Products::check_limbs::<Self> | mp::check_products;
        fn way(
            products: Products,
            whole: &Whole<'_>,
            operands: [Operand<'_, Self>; 2],
        ) -> Way = gemm::way_of_limbs | gemm::mp::way;
        fn multiply(
            products: Products,
            way: Option<Way>,
            operands: [Operand<'_, Self>; 2],
            converted: [Option<&Converted>; 2],
            factors: Factors<Self>,
            part: Part<'_>,
            c: MatMut<'_, Self>,
        ) -> Report = gemm::multiply_by_engine | gemm::mp::multiply;
        fn convert(side: Side, a: Operand<'_, Self>, bits: u32) -> Result<Converted, Fallback>
            = gemm::crt::convert | gemm::mp::convert;
        fn dot(x: Slice<'_, Self>, y: Slice<'_, Self>) -> Self = reduce::dot_of | mp::reduce::dot;
        fn sum(x: Slice<'_, Self>) -> Self = reduce::sum_of | mp::reduce::sum;
        fn asum(x: Slice<'_, Self>) -> Self = reduce::asum_of | mp::reduce::asum;
        fn band_times_vector(
            factors: [Self; 2],
            a: MatRef<'_, Self>,
            x: Slice<'_, Self>,
            y: SliceMut<'_, Self>,
        ) = gemv::band_times_vector | mp::gemv::band_times_vector;
        fn trsm(system: trsm::System<'_, Self>, b: MatMut<'_, Self>) = trsm::solve | trsm::solve;
        fn substitute(block: Block<'_, Self>, b: MatMut<'_, Self>)
            = substitution::substitute | mp::substitution::substitute;
        fn lu_panel(a: MatMut<'_, Self>, pivots: &mut [usize]) -> Result<(), Breakdown>
            = panel::lu | mp::panel::lu;
        fn cholesky_panel(a: MatMut<'_, Self>) -> Result<(), Breakdown>
            = panel::cholesky | mp::panel::cholesky;
        fn residual(a: MatRef<'_, Self>, x: MatRef<'_, Self>, r: MatMut<'_, Self>)
            = residual::by_limbs | mp::residual::residual;
        fn largest_residuals(
            a: MatRef<'_, Self>,
            x: MatRef<'_, Self>,
            b: MatRef<'_, Self>,
        ) -> Vec<Reading> = backward_error::by_limbs | mp::residual::largest;
        fn divide(x: SliceMut<'_, Self>, by: Self) = lines::divide | mp::vectors::divide;
        fn scale(x: SliceMut<'_, Self>, by: Self) = lines::scale | mp::vectors::scale;
        fn axpy(arithmetic: Arithmetic, alpha: Self, x: Slice<'_, Self>, y: SliceMut<'_, Self>)
            = lines::axpy | mp::vectors::axpy;
        fn xpay(arithmetic: Arithmetic, x: Slice<'_, Self>, beta: Self, y: SliceMut<'_, Self>)
            = lines::xpay | mp::vectors::xpay;
        fn multiply_entries(x: Slice<'_, Self>, y: SliceMut<'_, Self>)
            = lines::multiply | mp::vectors::multiply;
        fn sum_products(
            arithmetic: Arithmetic,
            x: Slice<'_, Self>,
            y: Slice<'_, Self>,
            sums: &mut Numbers<Self>,
        ) -> Self = reduce::sum_products | mp::reduce::sum_products;
        fn rows(a: &Matrix<Self>) -> Self::Rows = rotate::rows | mp::rotate::rows;
        fn rotate(rows: &mut Self::Rows, rotations: &[Rotation<Self>])
            = rotate::rotate | mp::rotate::rotate;
        fn columns(rows: &Self::Rows, order: &[usize]) -> Matrix<Self>
            = rotate::columns | mp::rotate::columns;
        fn round_entries(x: Slice<'_, Self>, exponent: i64, to: &mut [f64])
            = space::limbs::round | space::mp::round;
        fn widen_entries(x: &[f64], exponent: i64, to: SliceMut<'_, Self>)
            = space::limbs::widen | space::mp::widen;
        fn pack_entries(x: Slice<'_, Self>, words: &mut Vec<u64>)
            = space::limbs::pack | space::mp::pack;
        fn unpack_entries(words: &[u64], to: SliceMut<'_, Self>)
            = space::limbs::unpack | space::mp::unpack;
    }
}

kernels! {
    /// What is compiled here for sums of limbs beside. It seals [`Scalar`](crate::Scalar): kernels
    /// reinterpret slices of scalars as slices of limbs, so no other type may be one.
    trait LimbKernels: [Kernels + Plain];
    limbs [f64 Dd Td Qd] mp []
    {
        fn total(terms: Terms<'_>, sums: &mut Vec<Self>) -> Self = reduce::total;
    }
}
