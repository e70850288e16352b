//! The operations.

use std::sync::Arc;

use nonius_linalg::Error;
use nonius_linalg::backend::{Sign, Space};
use nonius_linalg::cpu::space::MpSpace;
use nonius_linalg::cpu::space::kernels::axpy;
use nonius_linalg::cpu::space::mp::pieces;
use nonius_linalg::dense::{Transpose, invert};
use nonius_linalg::mp::{Matrix, Numbers, Slice, SliceMut};
use nonius_linalg::threads::{Grain, for_each, map_parts};
use nonius_num::mp::{Mp, MpRef};

use super::blocks::MpBlocks;
use super::cone::MpCone;
use super::{dense, maps, schur, sums};
use crate::cone::{Cone, Magnitudes};
use crate::cpu::complement::{Schur, SparseSchur};

/// `y ← α·x + y`
fn add(alpha: MpRef<'_>, x: Slice<'_>, y: SliceMut<'_>) {
    pieces(x, y, |x, y| axpy(alpha, x, y));
}

fn largest(x: &Numbers) -> MpRef<'_> {
    let all = (1..x.len()).map(|i| x.entry(i));
    all.fold(x.entry(0), |a, b| if b.compare_magnitudes(a).is_gt() { b } else { a })
}

fn copy_out(x: &Numbers) -> Vec<Mp> {
    (0..x.len()).map(|i| x.entry(i).to_mp(x.bits())).collect()
}

fn copy_in(x: &[Mp], mut to: SliceMut<'_>) {
    assert_eq!(x.len(), to.len(), "lengths");
    x.iter().enumerate().for_each(|(i, x)| to.put(i, x.view()));
}

impl Cone for MpCone {
    type Number = Mp;
    type Vector = Numbers;
    type Blocks = MpBlocks;
    type Schur = Schur<Mp>;

    fn constraints(&self) -> usize {
        self.program.constraints()
    }

    fn squares(&self) -> Vec<usize> {
        self.program.squares().iter().map(|square| square.order).collect()
    }

    fn diagonal(&self) -> usize {
        self.program.diagonal().order
    }

    fn vector(&self) -> Result<Numbers, Error> {
        self.zeros(self.constraints())
    }

    fn blocks(&self) -> Result<MpBlocks, Error> {
        let square = |n| Matrix::try_zeros_in(self.bits, n, n);
        let squares = self.squares().into_iter().map(square).collect::<Result<_, _>>()?;
        Ok(MpBlocks { squares, diagonal: self.zeros(self.diagonal())? })
    }

    fn schur(&self) -> Result<Self::Schur, Error> {
        let m = self.constraints();
        Ok(match &self.sparsity {
            None => Schur::Dense(Matrix::try_zeros_in(self.bits, m, m)?),
            Some(sparsity) => Schur::Sparse(SparseSchur::new(self.bits, Arc::clone(sparsity))?),
        })
    }

    fn download_vector(&self, x: &Numbers) -> Result<Vec<Mp>, Error> {
        Ok(copy_out(x))
    }

    fn upload_vector(&self, x: &[Mp]) -> Result<Numbers, Error> {
        let mut vector = self.vector()?;
        copy_in(x, vector.as_mut_slice());
        Ok(vector)
    }

    fn download_blocks(&self, a: &MpBlocks) -> Result<Vec<Vec<Mp>>, Error> {
        Ok(a.parts().map(copy_out).collect())
    }

    fn upload_blocks(&self, a: &[Vec<Mp>]) -> Result<MpBlocks, Error> {
        let mut blocks = self.blocks()?;
        blocks.parts_mut().zip(a).for_each(|(to, a)| copy_in(a, to));
        Ok(blocks)
    }

    fn objective(&self) -> &Numbers {
        self.program.objective()
    }

    /// Not less than the least normal `f64`.
    fn unit_roundoff(&self) -> f64 {
        0.5_f64.powi(self.bits.get() as i32).max(f64::MIN_POSITIVE)
    }

    fn to_f64(&self, x: &Mp) -> f64 {
        x.to_f64()
    }

    fn number(&self, x: f64) -> Mp {
        Mp::from_f64(self.bits, x)
    }

    fn difference(&self, x: &Mp, y: &Mp) -> Mp {
        x - y
    }

    fn copy_vector(&self, x: &Numbers, y: &mut Numbers) {
        y.as_mut_slice().copy_from(x.as_slice());
    }

    fn scale_vector(&self, alpha: f64, x: &mut Numbers) {
        dense::scale(self.number(alpha).view(), x.as_mut_slice());
    }

    fn add_vector(&self, alpha: f64, x: &Numbers, y: &mut Numbers) {
        MpSpace::new(self.bits).axpy(Sign::Plus, &self.number(alpha), x, y);
    }

    fn dot(&self, x: &Numbers, y: &Numbers) -> Result<Mp, Error> {
        Ok(self.sum_of_products(x, y))
    }

    fn largest(&self, x: &Numbers) -> Result<f64, Error> {
        Ok(if x.is_empty() { 0.0 } else { largest(x).to_f64().abs() })
    }

    fn copy_blocks(&self, a: &MpBlocks, b: &mut MpBlocks) {
        b.parts_mut().zip(a.parts()).for_each(|(b, a)| b.copy_from(a.as_slice()));
    }

    fn identity(&self, alpha: f64, a: &mut MpBlocks) {
        let alpha = self.number(alpha);
        a.parts_mut().for_each(|mut part| sums::clear(&mut part));
        for a in &mut a.squares {
            (0..a.cols()).for_each(|i| a.put(i, i, alpha.view()));
        }
        (0..a.diagonal.len()).for_each(|i| a.diagonal.put(i, alpha.view()));
    }

    fn scale_blocks(&self, alpha: f64, a: &mut MpBlocks) {
        let alpha = self.number(alpha);
        a.parts_mut().for_each(|part| dense::scale(alpha.view(), part));
    }

    fn add_blocks(&self, alpha: f64, a: &MpBlocks, b: &mut MpBlocks) {
        let alpha = self.number(alpha);
        b.parts_mut().zip(a.parts()).for_each(|(b, a)| add(alpha.view(), a.as_slice(), b));
    }

    fn multiply(&self, alpha: f64, a: &MpBlocks, b: &MpBlocks, beta: f64, c: &mut MpBlocks) {
        let [alpha, beta] = [alpha, beta].map(|x| self.number(x));
        for_each(&mut c.squares[..], Grain::ANY, |i, c| {
            let (a, b) = ((Transpose::No, &a.squares[i]), &b.squares[i]);
            dense::multiply(self.products, alpha.view(), a, b, beta.view(), c);
        });
        let mut products = sums::products(&a.diagonal, &b.diagonal);
        dense::scale(alpha.view(), products.as_mut_slice());
        if !beta.is_zero() {
            add(beta.view(), c.diagonal.as_slice(), products.as_mut_slice());
        }
        c.diagonal = products;
    }

    fn symmetrize(&self, a: &mut MpBlocks) {
        for_each(&mut a.squares[..], Grain::ANY, |_, a| dense::symmetrize(a));
    }

    fn inner(&self, a: &MpBlocks, b: &MpBlocks) -> Result<Mp, Error> {
        let sums = a.parts().zip(b.parts()).map(|(a, b)| self.sum_of_products(a, b));
        Ok(sums.fold(Mp::zero(self.bits), |x, y| x + y))
    }

    fn largest_entry(&self, a: &MpBlocks) -> Result<f64, Error> {
        let parts = a.parts().filter(|part| !part.is_empty()).map(largest);
        let greater = |a: MpRef<'_>, b: MpRef<'_>| b.compare_magnitudes(a).is_gt();
        let largest = parts.reduce(|a, b| if greater(a, b) { b } else { a });
        Ok(largest.map_or(0.0, |x| x.to_f64().abs()))
    }

    fn factor(&self, a: &MpBlocks, l: &mut MpBlocks) -> Result<bool, Error> {
        let squares = map_parts(&mut l.squares[..], Grain::ANY, |i, l| {
            *l = a.squares[i].clone();
            self.factor_square(l)
        });
        let mut is_definite = squares.into_iter().all(|is_definite| is_definite);
        let mut root = Mp::zero(self.bits);
        for i in 0..a.diagonal.len() {
            let x = a.diagonal.entry(i);
            let is_positive = x.head().exponent().is_some() && !x.head().is_negative();
            is_definite &= is_positive;
            root.set_root(x);
            l.diagonal.put(i, root.view());
        }
        Ok(is_definite)
    }

    fn invert_factor(&self, l: &MpBlocks, m: &mut MpBlocks) {
        for_each(&mut m.squares[..], Grain::ANY, |i, m| {
            let l = &l.squares[i];
            *m = Matrix::identity_in(self.bits, l.rows());
            invert(&self.cpu(), l.view(), m.view_mut());
        });
        let one = Mp::one(self.bits);
        for i in 0..l.diagonal.len() {
            m.diagonal.put(i, (one.view() / l.diagonal.entry(i)).view());
        }
    }

    fn gram(&self, m: &MpBlocks, a: &mut MpBlocks) {
        let (one, zero) = (self.number(1.0), self.number(0.0));
        for_each(&mut a.squares[..], Grain::ANY, |i, a| {
            let m = &m.squares[i];
            let left = (Transpose::Yes, m);
            dense::multiply(self.products, one.view(), left, m, zero.view(), a);
        });
        a.diagonal = sums::products(&m.diagonal, &m.diagonal);
    }

    fn congruence(
        &self,
        m: &MpBlocks,
        a: &MpBlocks,
        q: &[f64],
        w: &mut [f64],
    ) -> Result<(), Error> {
        let (mut q, mut w) = (q, w);
        let mut parts = Vec::with_capacity(m.squares.len());
        for (m, a) in m.squares.iter().zip(&a.squares) {
            let (from, to);
            (from, q) = q.split_at(m.cols());
            (to, w) = w.split_at_mut(m.cols());
            parts.push((m, a, from, to));
        }
        for_each(&mut parts[..], Grain::ANY, |_, (m, a, q, w)| dense::congruence(m, a, q, w));
        for (i, (q, w)) in q.iter().zip(w).enumerate() {
            let m = m.diagonal.entry(i);
            let product = (m * m) * a.diagonal.entry(i).to_mp(self.bits);
            *w = (product * self.number(*q)).to_f64();
        }
        Ok(())
    }

    fn constraint_products(&self, a: &MpBlocks, v: &mut Numbers) {
        maps::constraint_products(self, a, v);
    }

    fn constant_product(&self, a: &MpBlocks) -> Result<Mp, Error> {
        Ok(maps::constant_product(self, a))
    }

    fn combine(&self, x: &Numbers, alpha: f64, a: &mut MpBlocks) {
        maps::combine(self, x, self.number(alpha).view(), a);
    }

    fn form_schur(&self, u: &MpBlocks, v: &MpBlocks, b: &mut Self::Schur) {
        match b {
            Schur::Dense(b) => schur::form(self, u, v, b),
            Schur::Sparse(b) => {
                let (sparsity, entries) = b.parts();
                schur::form_sparse(self, u, v, sparsity, entries);
            }
        }
    }

    fn schur_sizes(&self, u: &MpBlocks, v: &MpBlocks) -> Result<Vec<f64>, Error> {
        let diagonals = |a: &MpBlocks| -> Vec<Vec<f64>> {
            let of_square = |a: &Matrix| (0..a.cols()).map(|i| a.entry(i, i).to_f64()).collect();
            let last = (0..a.diagonal.len()).map(|i| a.diagonal.entry(i).to_f64()).collect();
            a.squares.iter().map(of_square).chain([last]).collect()
        };
        let new = || Magnitudes::new(&self.program);
        let magnitudes = self.magnitudes.get_or_init(new);
        Ok(magnitudes.of_schur(&diagonals(u), &diagonals(v)))
    }

    fn factor_schur(&self, shifts: &[f64], b: &mut Self::Schur) -> Result<bool, Error> {
        let shifts = shifts.iter().map(|&shift| self.number(shift)).enumerate();
        match b {
            Schur::Dense(b) => {
                for (i, shift) in shifts {
                    b.put(i, i, (b.entry(i, i) + shift.view()).view());
                }
                Ok(self.factor_square(b))
            }
            Schur::Sparse(b) => {
                let (sparsity, entries) = b.parts();
                for (at, (_, shift)) in sparsity.symbolic.diagonal().zip(shifts) {
                    entries.put(at, (entries.entry(at) + shift.view()).view());
                }
                b.factor(&self.panels())
            }
        }
    }

    fn solve_schur(&self, factor: &Self::Schur, x: &mut Numbers) {
        match factor {
            Schur::Dense(factor) => {
                dense::substitute(factor, Transpose::No, x);
                dense::substitute(factor, Transpose::Yes, x);
            }
            Schur::Sparse(factor) => factor.solve(&self.panels(), x),
        }
    }
}
