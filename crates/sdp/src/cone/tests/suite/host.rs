//! The cones of the host.

use core::marker::PhantomData;

use nonius_linalg::backend::Cpu;
use nonius_linalg::cpu::reduce::{BLOCKS, PARTIALS};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_linalg::{Number, Scalar};

use super::exact::{wide, wide_beside};
use super::{Data, Suite};
use crate::cpu::{CpuCone, Kernels, Schur, SparseSchur};

/// Numbers of limbs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limbs<T> {
    pub cpu: Cpu,
    numbers: PhantomData<T>,
}

impl<T> Limbs<T> {
    pub(crate) fn on(cpu: Cpu) -> Self {
        Self { cpu, numbers: PhantomData }
    }
}

/// Numbers with a given number of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bitwise(pub Bits, pub Cpu);

impl Bitwise {
    pub(crate) fn new(bits: Bits) -> Self {
        Self(bits, Cpu::default())
    }
}

impl<T: Scalar + Kernels> Suite for Limbs<T> {
    type Cone = CpuCone<T>;

    fn cone(&self, data: &Data) -> CpuCone<T> {
        CpuCone::new(data.program(()), self.cpu)
    }

    /// The nearest number of limbs.
    fn number(&self, x: &Mp) -> T {
        let x = Matrix::from_fn_in(x.bits(), 1, 1, |_, _| *x);
        x.to_limbs::<T>()[(0, 0)]
    }

    fn exact(&self, x: &T) -> Mp {
        let limbs: Vec<f64> = (0..T::LIMBS).map(|limb| x.limb(limb)).collect();
        Mp::from_limbs(wide(), &limbs)
    }

    /// That of a product of matrices, which has
    /// [`Accumulator`](nonius_linalg::accumulate::Accumulator)'s bound, with the additions of
    /// partial sums and blocks that [`reduce`](nonius_linalg::cpu::reduce) has besides, and two
    /// roundings more that sums by the operators have.
    fn sum(&self, terms: usize) -> f64 {
        let levels = terms.div_ceil(BLOCKS[T::LIMBS]).max(1).next_power_of_two().ilog2();
        let pairs = PARTIALS[T::LIMBS].ilog2();
        Arithmetic::Delayed.error::<T>(terms) + f64::from(pairs + levels) + 2.0
    }

    /// Sums in `n/16 + 4` pieces at most: blocks, halves of a block, and panels of 16 columns; each
    /// is rounded when it joins the entry. Those of sparse factors, of which each supernode below
    /// has one, are fewer in these programs.
    fn elimination(&self, terms: usize) -> f64 {
        let error = |terms| Arithmetic::Delayed.error::<T>(terms);
        error(terms) + (terms as f64 / 16.0 + 4.0) * (error(0) + 2.0) + 8.0
    }

    fn schur(&self, b: &Schur<T>) -> Vec<T> {
        match b {
            Schur::Dense(b) => b.as_slice().to_vec(),
            Schur::Sparse(b) => spread(b, T::ZERO),
        }
    }
}

impl Suite for Bitwise {
    type Cone = CpuCone<Mp>;

    fn cone(&self, data: &Data) -> CpuCone<Mp> {
        CpuCone::new(data.program(self.0), self.1)
    }

    fn number(&self, x: &Mp) -> Mp {
        x.view().to_mp(self.0)
    }

    fn wide(&self) -> Bits {
        wide_beside(self.0)
    }

    fn exact(&self, x: &Mp) -> Mp {
        x.view().to_mp(self.wide())
    }

    /// That of a product of matrices by residues; a single sum is rounded once.
    fn sum(&self, terms: usize) -> f64 {
        terms as f64 + 3.0
    }

    /// As [`Lu`](nonius_linalg::dense::Lu) has it, and Cholesky's factorisation.
    fn elimination(&self, terms: usize) -> f64 {
        2.1 * terms as f64 + 8.0
    }

    fn schur(&self, b: &Schur<Mp>) -> Vec<Mp> {
        match b {
            Schur::Dense(b) => {
                (0..b.numbers().len()).map(|i| b.numbers().entry(i).to_mp(self.0)).collect()
            }
            Schur::Sparse(b) => spread(b, Mp::zero(self.0)),
        }
    }
}

/// All entries of a sparse Schur complement column by column, zeros included.
fn spread<T: Number>(b: &SparseSchur<T>, zero: T) -> Vec<T> {
    let m = b.order();
    let mut all = vec![zero; m * m];
    b.entries().for_each(|(i, j, value)| all[i + j * m] = value);
    all
}
