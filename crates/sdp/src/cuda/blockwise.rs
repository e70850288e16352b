//! What a GPU's cone says of single blocks.

use nonius_comm::dense::Cargo;
use nonius_cuda::DeviceMatrix;
use nonius_linalg::backend::{Memory, Reduce, ViewMut};
use nonius_linalg::{Error as LinalgError, Matrix, Numbers};

use super::blocks::{CudaBlocks, flat, uploaded};
use super::cone::CudaCone;
use super::part::Part;
use super::small::{Position, first_small};
use crate::cone::Blockwise;

impl<T: Cargo> CudaCone<T> {
    /// Where the parts' numbers are for each block: the large squares, the small ones together,
    /// the diagonal block.
    fn part_of(&self, block: usize) -> usize {
        let large = self.squares.len() - self.small.count;
        match self.positions.get(block) {
            Some(Position::Alone(number)) => *number,
            Some(Position::Among(_)) => large,
            None => large + 1,
        }
    }

    /// What each block has of a sum, from what the parts have.
    fn of_blocks(&self, parts: &Numbers<T>) -> Numbers<T> {
        let mut blocks = Numbers::with_capacity(self.format, self.orders.len() + 1);
        (0..=self.orders.len()).for_each(|block| blocks.push(parts.at(self.part_of(block))));
        blocks
    }

    /// The first block of each part; none where there are no small squares.
    fn first_blocks(&self) -> impl Iterator<Item = Option<usize>> {
        let is_large = |&block: &usize| matches!(self.positions[block], Position::Alone(_));
        let large = (0..self.positions.len()).filter(is_large).map(Some);
        large.chain([first_small(&self.positions), Some(self.positions.len())])
    }

    fn downloaded_numbers(&self, x: &DeviceMatrix<T>) -> Result<Numbers<T>, LinalgError> {
        Ok(self.gpu.download(x.as_ref())?.into_numbers())
    }
}

/// The small squares are one part of each sum, which stands at each of them.
impl<T: Cargo> Blockwise for CudaCone<T> {
    fn sum(&self, contributions: &Numbers<T>) -> T {
        let zero = T::ZERO.to_format(self.format);
        let parts: Vec<T> =
            self.first_blocks().map(|first| first.map_or(zero, |i| contributions.at(i))).collect();
        self.sum_of_parts(parts.into_iter())
    }

    fn inner_products(
        &self,
        a: &CudaBlocks<T>,
        b: &CudaBlocks<T>,
    ) -> Result<Numbers<T>, LinalgError> {
        let mut results = Memory::<T>::zeros(&self.gpu, self.format, a.parts().count(), 1);
        for (block, (a, b)) in a.parts().zip(b.parts()).enumerate() {
            let result = results.as_mut().block_mut(block, 0, 1, 1);
            self.gpu.dot(flat(a), flat(b), result);
        }
        Ok(self.of_blocks(&self.downloaded_numbers(&results)?))
    }

    fn constant_products(&self, a: &CudaBlocks<T>) -> Result<Numbers<T>, LinalgError> {
        self.check(a);
        let products = self.gpu.fetch(|| self.launch_constant_products(a))?;
        Ok(self.of_blocks(&self.downloaded_numbers(&products)?))
    }

    fn product_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.orders.len() + 1];
        for (block, part) in self.first_blocks().zip(self.parts()) {
            block.into_iter().for_each(|block| counts[block] = part.constraints.len());
        }
        counts
    }

    fn products_of_blocks(&self, a: &CudaBlocks<T>) -> Result<Vec<Numbers<T>>, LinalgError> {
        self.check(a);
        let products = self.gpu.fetch(|| self.launch_products_of_parts(a))?;
        let products: Matrix<T> = self.gpu.download(products.as_ref())?;
        let of_part = |(number, part): (usize, &Part<T>)| {
            let mut found = Numbers::with_capacity(self.format, part.constraints.len());
            part.constraints.iter().for_each(|&i| found.push(products.at(i as usize, number)));
            found
        };
        let of_parts: Vec<Numbers<T>> = self.parts().enumerate().map(of_part).collect();
        Ok((0..=self.orders.len()).map(|block| of_parts[self.part_of(block)].clone()).collect())
    }

    /// In the order and with the bits of the GPU, which adds them to zero.
    fn add_products(
        &self,
        products: &[Numbers<T>],
        v: &mut DeviceMatrix<T>,
    ) -> Result<(), LinalgError> {
        let mut sums = Numbers::zeros(self.format, self.constraints);
        for (block, part) in self.first_blocks().zip(self.parts()) {
            let Some(block) = block else { continue };
            for (&i, x) in part.constraints.iter().zip(products[block].as_slice().iter()) {
                sums.set(i as usize, sums.at(i as usize) + x);
            }
        }
        *v = self.gpu.fetch(|| uploaded(&self.gpu, &sums))?;
        Ok(())
    }

    fn diagonals(&self, a: &CudaBlocks<T>) -> Result<Vec<Vec<f64>>, LinalgError> {
        self.diagonals_of(a)
    }

    fn sizes_of_schur(&self, u: &[Vec<f64>], v: &[Vec<f64>]) -> Vec<f64> {
        self.magnitudes.of_schur(u, v)
    }
}
