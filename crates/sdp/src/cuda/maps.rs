//! From vectors to matrices and back: `Σ xᵢ·Fᵢ + α·F₀` and `Fᵢ•A`.

use nonius_cuda::{DeviceMatrix, DeviceRef, Layout};
use nonius_gpu::Error;
use nonius_linalg::Number;

use super::arguments::COMBINE;
use super::blocks::{CudaBlocks, zeros};
use super::cone::CudaCone;
use super::filled::{Factors, Images};
use super::part::{Part, Tasks};
use super::small::Position;
use super::sources::cone_source;

impl<T: Number> CudaCone<T> {
    /// `A ← Σ xᵢ·Fᵢ + α·F₀`
    pub(super) fn launch_combine(
        &self,
        x: DeviceRef<'_, T>,
        alpha: T,
        a: &mut CudaBlocks<T>,
    ) -> Result<(), Error> {
        a.clear()?;
        let alpha = self.gpu.factor(alpha, self.format)?;
        for (part, a) in self.parts().zip(a.parts_mut()) {
            let (values, weights) = (part.values.as_ref().layout(), (x.layout(), alpha.number));
            let (shape, combination) = part.pattern.combination(values, weights, a.layout());
            // SAFETY: places are those of the part's entries, and constraints that the vector
            // has no number for are that of `F₀`.
            unsafe { self.launch(&cone_source(self.kind()), COMBINE, shape, &combination)? };
        }
        Ok(())
    }

    /// `vᵢ ← Fᵢ•A`
    pub(super) fn launch_constraint_products(
        &self,
        a: &CudaBlocks<T>,
        v: &mut DeviceMatrix<T>,
    ) -> Result<(), Error> {
        v.clear()?;
        for (part, factors) in self.parts_with(a, |_| v.as_ref().layout()) {
            self.launch_products(part, &factors, 0)?;
        }
        Ok(())
    }

    /// The same with what each part has of it in a column of its own.
    pub(super) fn launch_products_of_parts(
        &self,
        a: &CudaBlocks<T>,
    ) -> Result<DeviceMatrix<T>, Error> {
        let m = self.constraints;
        let mut products = zeros(&self.gpu, self.format, m, a.parts().count())?;
        let to = products.as_mut().layout();
        for (part, factors) in self.parts_with(a, |block| to.block(0, block, m, 1)) {
            self.launch_products(part, &factors, 0)?;
        }
        Ok(products)
    }

    /// `F₀•A`, block by block, the diagonal one last.
    pub(super) fn launch_constant_products(
        &self,
        a: &CudaBlocks<T>,
    ) -> Result<DeviceMatrix<T>, Error> {
        let mut products = zeros(&self.gpu, self.format, a.parts().count(), 1)?;
        let to = products.as_mut().layout();
        for (part, factors) in self.parts_with(a, |block| to.block(block, 0, 1, 1)) {
            self.launch_tasks(part, &part.constant, true, &factors, 0)?;
        }
        Ok(products)
    }

    /// The parts of [`CudaBlocks::parts`].
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part<T>> {
        let large = self.squares.iter().zip(&self.positions);
        let large = large.filter(|(_, position)| matches!(position, Position::Alone(_)));
        large.map(|(part, _)| part).chain([&self.together, &self.diagonal])
    }

    /// With each its block of a matrix, and where products with it go.
    fn parts_with<'a>(
        &'a self,
        a: &'a CudaBlocks<T>,
        to: impl Fn(usize) -> Layout + 'a,
    ) -> impl Iterator<Item = (&'a Part<T>, Factors)> {
        let large = a.squares.len();
        self.parts().zip(a.parts()).enumerate().map(move |(block, (part, a))| {
            let images = if block < large { Images::Same } else { Images::None };
            let order = a.layout().shape().0;
            (part, Factors { a: a.layout(), order, images, columns: None, to: to(block) })
        })
    }

    /// Adds the products with the part's matrices from one on.
    pub(super) fn launch_products(
        &self,
        part: &Part<T>,
        factors: &Factors,
        from: usize,
    ) -> Result<(), Error> {
        self.launch_tasks(part, &part.short, false, factors, from)?;
        self.launch_tasks(part, &part.long, true, factors, from)
    }

    fn launch_tasks(
        &self,
        part: &Part<T>,
        tasks: &Tasks,
        is_long: bool,
        factors: &Factors,
        from: usize,
    ) -> Result<(), Error> {
        let (entry, shape, products) = factors.products(part.entries, tasks.from(from), is_long);
        // SAFETY: the lists are of matrices of the part, whose entries lie in a matrix of the
        // part's order, and of these there are as many as columns.
        unsafe { self.launch(&cone_source(self.kind()), entry, shape, &products) }
    }
}
