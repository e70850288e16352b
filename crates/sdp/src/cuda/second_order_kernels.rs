//! Operations on the second-order cones, a kernel for all of them together.

use nonius_cuda::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use nonius_gpu::{Entry, Error, Pointer};
use nonius_linalg::Number;

use super::arguments::{
    OfCones, SECOND_ORDER_PRODUCTS, SECOND_ORDER_ROOT, SECOND_ORDER_SCHUR, SECOND_ORDER_WEIGHTS,
    SecondOrder,
};
use super::blocks::zeros;
use super::cone::CudaCone;
use super::second_order::{Cones, shape_of_products, shape_of_schur};
use super::small;
use super::sources::second_order_source;

/// What kernels of cones take: columns with the rows of the diagonal block.
#[derive(Clone, Copy)]
pub(super) struct Operands<T> {
    pub(super) u: Layout,
    pub(super) d: Layout,
    pub(super) v: Layout,
    pub(super) to: Layout,
    pub(super) alpha: T,
    pub(super) beta: T,
}

impl<T: Number> Operands<T> {
    /// An operation on one column.
    pub(super) fn new(u: DeviceRef<'_, T>, to: DeviceMut<'_, T>) -> Self {
        let u = u.layout();
        Self { u, d: u, v: u, to: to.layout(), alpha: T::ONE, beta: T::ZERO }
    }

    /// An operation of a column on itself, which reads nothing of it.
    pub(super) fn on(to: DeviceMut<'_, T>) -> Self {
        let to = to.layout();
        Self { u: to, d: to, v: to, to, alpha: T::ONE, beta: T::ZERO }
    }
}

impl<T: Number> CudaCone<T> {
    /// Launches a kernel with a block of threads for each cone, which writes its rows of `to`.
    pub(super) fn each_cone(
        &self,
        entry: Entry<SecondOrder>,
        operands: Operands<T>,
    ) -> Result<(), Error> {
        self.launch_cones(entry, operands, Pointer::NULL)
    }

    fn launch_cones(
        &self,
        entry: Entry<SecondOrder>,
        Operands { u, d, v, to, alpha, beta }: Operands<T>,
        failed: Pointer<u32>,
    ) -> Result<(), Error> {
        if self.cones.count == 0 {
            return Ok(());
        }
        let factors = [self.gpu.factor(alpha, self.format)?, self.gpu.factor(beta, self.format)?];
        let is_own = |layout: &Layout| layout.shape() == (self.order, 1);
        assert!([u, d, v, to].iter().all(is_own), "columns of another cone");
        let arguments = SecondOrder {
            cones: self.cones.rows,
            count: self.cones.count as i64,
            u,
            d,
            v,
            to,
            alpha: factors[0].number,
            beta: factors[1].number,
            failed,
        };
        let (source, shape) = (second_order_source(self.kind()), small::shape(self.cones.count));
        // SAFETY: cones are rows of the diagonal block, which all columns have.
        unsafe { self.launch(&source, entry, shape, &arguments) }
    }

    /// Square roots in all cones; whether there are.
    pub(super) fn root_of_cones(&self, operands: Operands<T>) -> Result<bool, Error> {
        if self.cones.count == 0 {
            return Ok(true);
        }
        let failed = self.gpu.numbers(&[0_u32])?;
        self.launch_cones(SECOND_ORDER_ROOT, operands, failed.pointer())?;
        Ok(self.gpu.read::<u32>(&failed, 1)?[0] == 0)
    }

    /// Replaces the weights of cones' rows in the Schur complement.
    pub(super) fn weights_of_cones(
        &self,
        u: DeviceRef<'_, T>,
        v: DeviceRef<'_, T>,
        weights: DeviceMut<'_, T>,
    ) -> Result<(), Error> {
        let operands = Operands { v: v.layout(), ..Operands::new(u, weights) };
        self.each_cone(SECOND_ORDER_WEIGHTS, operands)
    }

    /// Adds to the Schur complement what cones have beside these weights.
    pub(super) fn schur_of_cones(
        &self,
        u: DeviceRef<'_, T>,
        v: DeviceRef<'_, T>,
        b: Layout,
    ) -> Result<(), Error> {
        let Cones { parts, constraints, part_count, starts, of_cones, .. } = self.cones;
        if part_count == 0 {
            return Ok(());
        }
        let mut products: DeviceMatrix<T> = zeros(&self.gpu, self.format, 2 * part_count, 1)?;
        let arguments = OfCones {
            entries: self.diagonal.entries,
            parts,
            constraints,
            count: part_count as i64,
            starts,
            of_cones,
            u: u.layout(),
            v: v.layout(),
            products: products.as_mut().layout(),
            b,
        };
        let source = second_order_source(self.kind());
        let shape = shape_of_products(part_count);
        // SAFETY: parts have entries of the diagonal block, in rows of `U` and `V`, and constraints
        // that are rows and columns of `B`.
        unsafe {
            self.launch(&source, SECOND_ORDER_PRODUCTS, shape, &arguments)?;
            self.launch(&source, SECOND_ORDER_SCHUR, shape_of_schur(self.constraints), &arguments)
        }
    }
}
