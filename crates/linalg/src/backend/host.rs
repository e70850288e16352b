//! The two backends on the host: the same matrices and views, other kernels.

use core::cmp::Ordering;
use core::convert::Infallible;

use super::{
    Breakdown, Elementwise, Gemm, Gemv, Judge, Memory, Order, Panel, Prepare, Rearrange, Reduce,
    Reflect, Schedule, Share, Syrk, Trsm, View, ViewMut,
};
use crate::dense::gemm::{Places, Products, Report, Way, Whole};
use crate::dense::{Diagonal, Operand, Side, Transpose, Triangle};
use crate::operation::Operations;
use crate::{Error, MatMut, MatRef, Matrix, Number, cpu, reference, threads};

/// The textbook kernels of [`mod@reference`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

/// The kernels of [`cpu`]: SIMD and threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu {
    products: Products,
}

impl Cpu {
    /// The kernels of [`cpu`] with products of matrices computed so; [`Cpu::default`] has the
    /// default for these.
    pub fn new(products: Products) -> Self {
        Self { products }
    }

    /// How products of matrices are computed.
    pub fn products(&self) -> Products {
        self.products
    }
}

impl<T: Number> View<T> for MatRef<'_, T> {
    fn shape(&self) -> (usize, usize) {
        MatRef::shape(self)
    }

    fn format(&self) -> T::Format {
        MatRef::format(self)
    }

    fn block(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        MatRef::block(&self, row, col, rows, cols)
    }
}

impl<T: Number, M> ViewMut<T, M> for MatMut<'_, T>
where
    M: for<'a> Memory<T, Ref<'a> = MatRef<'a, T>, Mut<'a> = MatMut<'a, T>>,
{
    fn shape(&self) -> (usize, usize) {
        MatMut::shape(self)
    }

    fn format(&self) -> T::Format {
        MatMut::format(self)
    }

    fn as_ref(&self) -> MatRef<'_, T> {
        MatMut::as_ref(self)
    }

    fn reborrow(&mut self) -> MatMut<'_, T> {
        MatMut::reborrow(self)
    }

    fn block_mut(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        MatMut::block_mut(self, row, col, rows, cols)
    }

    fn split_cols(self, col: usize) -> (Self, Self) {
        MatMut::split_cols(self, col)
    }
}

/// Implements every capability but products of matrices for a backend by the kernels of the module
/// `$kernels`.
macro_rules! host {
    ($backend:ty, $kernels:ident, panel: $width:expr, block: $block:expr, span: $span:expr, order: $order:expr,
     reflectors: $reflectors:expr, together: $together:expr) => {
        impl<T: Number> Memory<T> for $backend {
            type Matrix = Matrix<T>;
            type Ref<'a> = MatRef<'a, T>;
            type Mut<'a> = MatMut<'a, T>;

            fn zeros(&self, format: T::Format, rows: usize, cols: usize) -> Matrix<T> {
                Matrix::zeros_in(format, rows, cols)
            }

            fn identity(&self, format: T::Format, rows: usize, cols: usize) -> Matrix<T> {
                let mut a = Matrix::zeros_in(format, rows, cols);
                (0..rows.min(cols)).for_each(|i| a.set(i, i, T::ONE));
                a
            }

            fn upload(&self, a: MatRef<'_, T>) -> Matrix<T> {
                a.to_matrix()
            }

            fn download(&self, a: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
                Ok(a.to_matrix())
            }

            fn copy_of(&self, a: MatRef<'_, T>) -> Matrix<T> {
                a.to_matrix()
            }

            fn copy(&self, from: MatRef<'_, T>, mut to: MatMut<'_, T>) {
                to.copy_from(from);
            }

            fn view<'a>(&self, a: &'a Matrix<T>) -> MatRef<'a, T> {
                a.view()
            }

            fn view_mut<'a>(&self, a: &'a mut Matrix<T>) -> MatMut<'a, T> {
                a.view_mut()
            }
        }

        impl<T: Number> Prepare<T> for $backend {}

        impl<T: Number> Judge<T> for $backend {
            fn mirror_lower(&self, mut a: MatMut<'_, T>) {
                for j in 0..a.cols() {
                    for i in 0..j {
                        a.set(i, j, a.at(j, i));
                    }
                }
            }
        }

        impl<T: Number> Elementwise<T> for $backend {
            fn elementwise<const K: usize>(
                &self,
                operation: impl Operations<K>,
                operands: [Operand<T, MatRef<'_, T>>; K],
                output: MatMut<'_, T>,
            ) {
                $kernels::elementwise::elementwise(operation, operands, output);
            }

            fn powi(&self, x: MatRef<'_, T>, n: i32, output: MatMut<'_, T>) {
                $kernels::elementwise::powi(x, n, output);
            }

            fn sin_cos(&self, x: MatRef<'_, T>, sin: MatMut<'_, T>, cos: MatMut<'_, T>) {
                $kernels::elementwise::sin_cos(x, sin, cos);
            }
        }

        impl<T: Number> Reduce<T> for $backend {
            fn dot(&self, x: MatRef<'_, T>, y: MatRef<'_, T>, mut result: MatMut<'_, T>) {
                result.set(0, 0, $kernels::reduce::dot(x.column(0), y.column(0)));
            }

            fn sum(&self, x: MatRef<'_, T>, mut result: MatMut<'_, T>) {
                result.set(0, 0, $kernels::reduce::sum(x.column(0)));
            }

            fn asum(&self, x: MatRef<'_, T>, mut result: MatMut<'_, T>) {
                result.set(0, 0, $kernels::reduce::asum(x.column(0)));
            }

            fn nrm2(&self, x: MatRef<'_, T>, mut result: MatMut<'_, T>) {
                result.set(0, 0, $kernels::reduce::nrm2(x.column(0)));
            }

            fn iamax(&self, x: MatRef<'_, T>) -> Result<Option<usize>, Error> {
                Ok($kernels::reduce::iamax(x.column(0)))
            }
        }

        impl<T: Number> Gemv<T> for $backend {
            fn gemv(
                &self,
                transpose: Transpose,
                alpha: T,
                a: MatRef<'_, T>,
                x: MatRef<'_, T>,
                beta: T,
                mut y: MatMut<'_, T>,
            ) {
                $kernels::gemv::gemv(transpose, alpha, a, x.column(0), beta, y.column_mut(0));
            }
        }

        impl<T: Number> Trsm<T> for $backend {
            const ORDER: usize = $order;

            fn trsm(
                &self,
                side: Side,
                triangle: Triangle,
                transpose: Transpose,
                diagonal: Diagonal,
                alpha: T,
                a: MatRef<'_, T>,
                b: MatMut<'_, T>,
            ) {
                $kernels::trsm::trsm(side, triangle, transpose, diagonal, alpha, a, b);
            }
        }

        impl<T: Number> Panel<T> for $backend {
            const WIDTH: usize = $width;
            const BLOCK: usize = $block;
            const SPAN: usize = $span;

            fn lu_panel(&self, a: MatMut<'_, T>, pivots: &mut [usize]) -> Result<(), Breakdown> {
                $kernels::panel::lu_panel(a, pivots)
            }

            type Watch = ();

            fn cholesky_panel(
                &self,
                a: MatMut<'_, T>,
                column: usize,
                _: &(),
            ) -> Result<(), Breakdown> {
                $kernels::panel::cholesky_panel(a).map_err(|b| b.shifted(column))
            }

            fn watch(&self) {}

            fn breakdown(&self, _: ()) -> Result<(), Breakdown> {
                Ok(())
            }

            const COLUMNS: usize = 0;
            type Inverse = Infallible;

            fn lu_block(&self, _: MatMut<'_, T>, _: &mut [usize]) -> Option<Infallible> {
                None
            }

            fn solve_block(
                &self,
                inverse: &Infallible,
                _: Triangle,
                _: Transpose,
                _: MatMut<'_, T>,
            ) {
                match *inverse {}
            }

            fn cholesky_block(&self, _: MatMut<'_, T>) -> bool {
                false
            }

            fn swap_rows(&self, a: MatMut<'_, T>, pivots: &[usize], order: Order) {
                $kernels::swap::swap_rows(a, pivots, order);
            }
        }

        impl<T: Number> Reflect<T> for $backend {
            const REFLECTORS: usize = $reflectors;
            const TOGETHER: usize = $together;

            fn qr_panel(&self, a: MatMut<'_, T>) {
                $kernels::reflect::qr_panel(a);
            }

            fn unit_lower(&self, a: MatRef<'_, T>) -> Matrix<T> {
                Matrix::from_fn_in(a.format(), a.rows(), a.cols(), |i, j| match i.cmp(&j) {
                    Ordering::Less => T::ZERO,
                    Ordering::Equal => T::ONE,
                    Ordering::Greater => a.at(i, j),
                })
            }

            fn halve_diagonal(&self, mut a: MatMut<'_, T>) {
                (0..a.cols()).for_each(|j| a.set(j, j, a.at(j, j).ldexp(-1)));
            }
        }

        impl<T: Number> Rearrange<T> for $backend {
            fn transpose_of(&self, a: MatRef<'_, T>) -> Matrix<T> {
                a.transposed()
            }

            fn triangle_of(&self, triangle: Triangle, a: MatRef<'_, T>) -> Matrix<T> {
                Matrix::from_fn_in(a.format(), a.rows(), a.cols(), |i, j| {
                    if triangle.contains(i, j) { a.at(i, j) } else { T::ZERO }
                })
            }

            fn diagonal_of(&self, a: MatRef<'_, T>) -> Matrix<T> {
                Matrix::from_fn_in(a.format(), a.rows(), 1, |i, _| a.at(i, i))
            }
        }
    };
}

// Small enough that small tests meet every boundary.
host!(Reference, reference, panel: 2, block: 6, span: 14, order: 5, reflectors: 2, together: 7);
host!(Cpu, cpu, panel: T::BLOCKING.panel, block: T::BLOCKING.block, span: T::BLOCKING.span,
    order: T::BLOCKING.span, reflectors: 16, together: T::BLOCKING.together);

impl<T: Number> Gemm<T> for Reference {
    fn gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) -> Report {
        reference::gemm::gemm(transpose_a, transpose_b, alpha, a, b, beta, c);
        Report::direct()
    }
}

impl<T: Number> Syrk<T> for Reference {
    fn syrk(
        &self,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) {
        reference::syrk::syrk(triangle, transpose, alpha, a, beta, c);
    }
}

impl<T: Number> Gemm<T> for Cpu {
    fn check_products(&self) -> Result<(), Error> {
        T::check_products(self.products)
    }

    fn gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) -> Report {
        cpu::gemm::gemm(self.products, transpose_a, transpose_b, alpha, a, b, beta, c)
    }
}

impl<T: Number> Syrk<T> for Cpu {
    fn syrk(
        &self,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) {
        cpu::syrk::syrk(self.products, triangle, transpose, alpha, a, beta, c);
    }
}

impl<T: Number> Share<T> for Cpu {
    fn way(
        &self,
        whole: &Whole<'_>,
        a: (Transpose, MatRef<'_, T>),
        b: (Transpose, MatRef<'_, T>),
    ) -> Way {
        cpu::gemm::way(self.products, whole, [a, b])
    }

    fn gemm_by(
        &self,
        way: Way,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) -> Report {
        cpu::gemm::gemm_by(self.products, way, transpose_a, transpose_b, alpha, a, b, beta, c)
    }

    fn syrk_by(
        &self,
        way: Way,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) {
        cpu::syrk::syrk_by(self.products, Some(way), triangle, transpose, alpha, a, beta, c);
    }

    fn triangle_by(
        &self,
        way: Way,
        triangle: Triangle,
        places: Places<'_>,
        transpose: Transpose,
        alpha: T,
        left: MatRef<'_, T>,
        right: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) -> bool {
        let (products, lines) = (self.products, [left, right]);
        cpu::syrk::triangle_by(products, way, triangle, places, transpose, alpha, lines, beta, c);
        true
    }
}

impl Schedule for Reference {}

impl Schedule for Cpu {
    fn run<R: Send>(&self, algorithm: impl FnOnce() -> R + Send) -> R {
        threads::enter(algorithm)
    }

    fn join<R: Send, S: Send>(
        &self,
        first: impl FnOnce() -> R + Send,
        second: impl FnOnce() -> S + Send,
    ) -> (R, S) {
        threads::join(first, second)
    }
}
