//! The operations.

use std::sync::Arc;

use nonius_linalg::backend::{Cpu, Schedule};
use nonius_linalg::cpu::{gemm, reduce, syrk};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::dense::{Diagonal, Transpose, Triangle, TriangularSystem, invert};
use nonius_linalg::threads::{Grain, for_each, map, map_parts};
use nonius_linalg::{Error, MatMut, Matrix, Number, Numbers, Slice, SliceMut};

use super::blocks::Blocks;
use super::complement::{Schur, SparseSchur};
use super::cone::CpuCone;
use super::kernels::Kernels;
use super::maps;
use super::second_order;
use super::symmetric::symmetrize;
use crate::cone::{Blockwise, Cone, Congruent, least_eigenvalues, round_into, rounded, zeros};

/// Does the same with the squares of two matrices.
fn each<T: Number, R: Send>(
    a: &[Matrix<T>],
    b: &mut [Matrix<T>],
    f: impl Fn(&Matrix<T>, &mut Matrix<T>) -> R + Sync,
) -> Vec<R> {
    map_parts(b, Grain::ANY, |i, b| f(&a[i], b))
}

fn largest<T: Number>(x: Slice<'_, T>) -> f64 {
    reduce::iamax(x).map_or(0.0, |i| x.at(i).abs().to_f64())
}

impl<T: Kernels> CpuCone<T> {
    /// How many rows of the diagonal block are none of second-order cones.
    fn rows(&self) -> usize {
        let diagonal = self.program.diagonal();
        diagonal.second_order.cones.first().map_or(diagonal.order, |cone| cone.rows.start)
    }

    /// Does the same with each second-order cone of some vectors and of another one.
    fn each_cone<const N: usize, R: Send>(
        &self,
        from: [&Blocks<T>; N],
        to: &mut Blocks<T>,
        f: impl Fn([Slice<'_, T>; N], SliceMut<'_, T>) -> R + Sync,
    ) -> Vec<R> {
        let cones = &self.program.diagonal().second_order.cones;
        let mut rest = to.diagonal.as_mut_slice().range(self.rows()..self.diagonal());
        let mut pieces = Vec::with_capacity(cones.len());
        for cone in cones {
            let (piece, others) = rest.split_at(cone.rows.len());
            let from = from.map(|a| a.diagonal.as_slice().range(cone.rows.clone()));
            pieces.push((from, piece));
            rest = others;
        }
        map_parts(&mut pieces[..], Grain::ANY, |_, (from, to)| f(*from, to.reborrow()))
    }
}

impl<T: Kernels> Cone for CpuCone<T> {
    type Number = T;
    type Vector = Numbers<T>;
    type Blocks = Blocks<T>;
    type Schur = Schur<T>;

    fn format(&self) -> T::Format {
        self.program.objective().format()
    }

    fn constraints(&self) -> usize {
        self.program.constraints()
    }

    fn squares(&self) -> Vec<usize> {
        self.program.squares().iter().map(|square| square.order).collect()
    }

    fn diagonal(&self) -> usize {
        self.program.diagonal().order
    }

    fn second_order(&self) -> Vec<usize> {
        self.program.diagonal().second_order.orders()
    }

    fn vector(&self) -> Result<Numbers<T>, Error> {
        zeros(self.format(), self.constraints())
    }

    fn blocks(&self) -> Result<Blocks<T>, Error> {
        let square = |n| Matrix::try_zeros_in(self.format(), n, n);
        let squares = self.squares().into_iter().map(square).collect::<Result<_, _>>()?;
        Ok(Blocks { squares, diagonal: zeros(self.format(), self.diagonal())? })
    }

    fn schur(&self) -> Result<Schur<T>, Error> {
        let (m, format) = (self.constraints(), self.format());
        Ok(match self.sparsity() {
            None => Schur::Dense(Matrix::try_zeros_in(format, m, m)?),
            Some(sparsity) => Schur::Sparse(SparseSchur::new(format, Arc::clone(sparsity))?),
        })
    }

    fn download_vector(&self, x: &Numbers<T>) -> Result<Numbers<T>, Error> {
        rounded(x.as_slice(), self.format())
    }

    fn upload_vector<'a>(&self, x: impl Into<Slice<'a, T>>) -> Result<Numbers<T>, Error> {
        let x = x.into();
        assert_eq!(x.len(), self.constraints(), "length");
        rounded(x, self.format())
    }

    fn download_blocks(&self, a: &Blocks<T>) -> Result<Vec<Numbers<T>>, Error> {
        a.parts().map(|part| rounded(part, self.format())).collect()
    }

    fn upload_blocks<'a, P>(&self, a: &'a [P]) -> Result<Blocks<T>, Error>
    where
        &'a P: Into<Slice<'a, T>>,
    {
        let mut blocks = self.blocks()?;
        assert_eq!(a.len(), blocks.parts().count(), "blocks");
        for (to, from) in blocks.parts_mut().zip(a) {
            let from = from.into();
            assert_eq!(from.len(), to.len(), "length");
            round_into(from, to);
        }
        Ok(blocks)
    }

    fn objective(&self) -> &Numbers<T> {
        self.program.objective()
    }

    fn copy_vector(&self, x: &Numbers<T>, y: &mut Numbers<T>) {
        y.as_mut_slice().copy_from(x.as_slice());
    }

    fn scale_vector(&self, alpha: f64, x: &mut Numbers<T>) {
        T::scale(x.as_mut_slice(), T::from_f64(alpha));
    }

    fn add_vector(&self, alpha: f64, x: &Numbers<T>, y: &mut Numbers<T>) {
        T::axpy(Arithmetic::Delayed, T::from_f64(alpha), x.as_slice(), y.as_mut_slice());
    }

    fn dot(&self, x: &Numbers<T>, y: &Numbers<T>) -> Result<T, Error> {
        Ok(reduce::dot(x, y))
    }

    fn largest(&self, x: &Numbers<T>) -> Result<f64, Error> {
        Ok(largest(x.as_slice()))
    }

    fn copy_blocks(&self, a: &Blocks<T>, b: &mut Blocks<T>) {
        b.parts_mut().zip(a.parts()).for_each(|(b, a)| b.copy_from(a));
    }

    fn identity(&self, alpha: f64, a: &mut Blocks<T>) {
        let alpha = T::from_f64(alpha);
        for a in &mut a.squares {
            a.numbers_mut().clear();
            (0..a.cols()).for_each(|i| a.set(i, i, alpha));
        }
        (0..self.rows()).for_each(|i| a.diagonal.set(i, alpha));
        self.each_cone([], a, |[], a| second_order::identity(alpha, a));
    }

    fn scale_blocks(&self, alpha: f64, a: &mut Blocks<T>) {
        let alpha = T::from_f64(alpha);
        a.parts_mut().for_each(|part| T::scale(part, alpha));
    }

    fn add_blocks(&self, alpha: f64, a: &Blocks<T>, b: &mut Blocks<T>) {
        let alpha = T::from_f64(alpha);
        each(&a.squares, &mut b.squares, |a, b| {
            T::axpy(Arithmetic::Delayed, alpha, a.numbers().as_slice(), b.numbers_mut());
        });
        T::axpy(Arithmetic::Delayed, alpha, a.diagonal.as_slice(), b.diagonal.as_mut_slice());
    }

    fn triple(
        &self,
        alpha: f64,
        [u, d, v]: [&Blocks<T>; 3],
        beta: f64,
        work: &mut Blocks<T>,
        c: &mut Blocks<T>,
    ) {
        let [alpha, beta] = [alpha, beta].map(T::from_f64);
        let (products, no) = (self.cpu.products(), Transpose::No);
        let mut pairs: Vec<_> = work.squares.iter_mut().zip(&mut c.squares).collect();
        for_each(&mut pairs[..], Grain::ANY, |i, (work, c)| {
            let [u, d, v] = [u, d, v].map(|a| a.squares[i].view());
            gemm::gemm(products, no, no, T::ONE, d, v, T::ZERO, work.view_mut());
            gemm::gemm(products, no, no, alpha, u, work.view(), beta, c.view_mut());
            symmetrize(c);
        });
        for i in 0..self.rows() {
            let [u, d, v] = [u, d, v].map(|a| a.diagonal.at(i));
            let product = alpha * (u * (d * v));
            let is_new = beta == T::ZERO;
            c.diagonal.set(i, if is_new { product } else { product + beta * c.diagonal.at(i) });
        }
        self.each_cone([u, d, v], c, |factors, c| second_order::triple(alpha, factors, beta, c));
    }

    fn symmetrize(&self, a: &mut Blocks<T>) {
        for_each(&mut a.squares[..], Grain::ANY, |_, a| symmetrize(a));
    }

    fn inner(&self, a: &Blocks<T>, b: &Blocks<T>) -> Result<T, Error> {
        Ok(self.sum(&self.inner_products(a, b)?))
    }

    fn largest_entry(&self, a: &Blocks<T>) -> Result<f64, Error> {
        let not_less = |x: f64, y: f64| if y.is_nan() || y > x { y } else { x };
        Ok(a.parts().map(largest).fold(0.0, not_less))
    }

    fn factor(&self, a: &Blocks<T>, l: &mut Blocks<T>) -> Result<bool, Error> {
        let squares = each(&a.squares, &mut l.squares, |a, l| {
            l.numbers_mut().copy_from(a.numbers().as_slice());
            let is_definite = self.factor_square(l);
            (1..l.cols()).for_each(|j| l.column_mut(j).range(0..j).clear());
            is_definite
        });
        let mut is_definite = squares.into_iter().all(|is_definite| is_definite);
        for i in 0..self.rows() {
            let (pivot, root) = (a.diagonal.at(i), a.diagonal.at(i).sqrt());
            l.diagonal.set(i, root);
            is_definite &= pivot > T::ZERO && root.is_finite();
        }
        let cones = self.each_cone([a], l, |[a], l| second_order::root(a, l));
        Ok(is_definite && cones.into_iter().all(|is_definite| is_definite))
    }

    fn invert_factor(&self, l: &Blocks<T>, m: &mut Blocks<T>) {
        self.identity(1.0, m);
        each(&l.squares, &mut m.squares, |l, m| {
            invert::<T, Cpu>(&self.cpu, l.view(), m.view_mut());
        });
        (0..self.rows()).for_each(|i| m.diagonal.set(i, T::ONE / l.diagonal.at(i)));
        self.each_cone([l], m, |[l], m| second_order::invert(l, m));
    }

    fn gram(&self, m: &Blocks<T>, a: &mut Blocks<T>) {
        let (products, lower, yes) = (self.cpu.products(), Triangle::Lower, Transpose::Yes);
        each(&m.squares, &mut a.squares, |m, a| {
            syrk::syrk(products, lower, yes, T::ONE, m.view(), T::ZERO, a.view_mut());
            for j in 1..a.cols() {
                (0..j).for_each(|i| a.set(i, j, a.at(j, i)));
            }
        });
        for i in 0..self.rows() {
            a.diagonal.set(i, m.diagonal.at(i) * m.diagonal.at(i));
        }
        self.each_cone([m], a, |[m], a| second_order::square(m, a));
    }

    fn least_eigenvalues<const N: usize>(
        &self,
        pairs: [(&Blocks<T>, &Blocks<T>); N],
        enough: f64,
    ) -> Result<[f64; N], Error> {
        least_eigenvalues(self, pairs, enough)
    }

    fn constraint_products(&self, a: &Blocks<T>, v: &mut Numbers<T>) {
        let products = maps::constraint_products(&self.program, &self.gathered, a);
        maps::add_products(&self.program, &products, v.as_mut_slice());
    }

    fn constant_product(&self, a: &Blocks<T>) -> Result<T, Error> {
        Ok(self.sum(&self.constant_products(a)?))
    }

    fn combine(&self, x: &Numbers<T>, alpha: f64, a: &mut Blocks<T>) {
        maps::combine(&self.program, x.as_slice(), T::from_f64(alpha), a);
    }

    fn form_schur(&self, u: &Blocks<T>, v: &Blocks<T>, b: &mut Schur<T>) {
        match self.sparsity() {
            None => self.prepared().form((u, v), &mut b.columns()),
            Some(sparsity) => self.prepared().form_sparse((u, v), sparsity, &mut b.columns()),
        }
    }

    fn schur_sizes(&self, u: &Blocks<T>, v: &Blocks<T>) -> Result<Vec<f64>, Error> {
        Ok(self.sizes_of_schur(&self.diagonals(u)?, &self.diagonals(v)?))
    }

    fn factor_schur(&self, shifts: &[f64], b: &mut Schur<T>) -> Result<bool, Error> {
        let shifts = shifts.iter().map(|&shift| T::from_f64(shift));
        match b {
            Schur::Dense(b) => {
                shifts.enumerate().for_each(|(i, shift)| b.set(i, i, b.at(i, i) + shift));
                Ok(self.factor_square(b))
            }
            Schur::Sparse(b) => {
                b.shift(shifts);
                self.cpu.run(|| b.factor(&self.cpu))
            }
        }
    }

    fn solve_schur(&self, factor: &Schur<T>, x: &mut Numbers<T>) {
        let factor = match factor {
            Schur::Dense(factor) => factor,
            Schur::Sparse(factor) => return factor.solve(&self.cpu, x),
        };
        for transpose in [Transpose::No, Transpose::Yes] {
            let x = MatMut::from_vector(x.as_mut_slice());
            TriangularSystem::left(Triangle::Lower, transpose, Diagonal::NonUnit).solve(
                &self.cpu,
                T::ONE,
                factor.view(),
                x,
            );
        }
    }
}

impl<T: Kernels> Congruent for CpuCone<T> {
    fn congruence(
        &self,
        m: &Blocks<T>,
        a: &Blocks<T>,
        q: &[f64],
        w: &mut [f64],
    ) -> Result<(), Error> {
        let (mut q, mut w) = (q, w);
        let mut pieces = Vec::with_capacity(m.squares.len());
        for (m, a) in m.squares.iter().zip(&a.squares) {
            let (from, to);
            (from, q) = q.split_at(m.cols());
            (to, w) = w.split_at_mut(m.cols());
            pieces.push((m, a, from, to));
        }
        for_each(&mut pieces[..], Grain::ANY, |_, (m, a, q, w)| {
            if q.iter().all(|&x| x == 0.0) {
                w.fill(0.0);
            } else {
                T::congruence(m, a, q, w);
            }
        });
        for (i, (q, w)) in q.iter().zip(&mut *w).enumerate().take(self.rows()) {
            let m = m.diagonal.at(i);
            *w = (m * m * a.diagonal.at(i)).to_f64() * q;
        }
        let cones = &self.program.diagonal().second_order.cones;
        let least = map(cones.len(), Grain::ANY, |number| {
            let rows = &cones[number].rows;
            let [m, a] = [m, a].map(|a| a.diagonal.as_slice().range(rows.clone()));
            // Not where the squares alone need another product.
            let is_asked = q[rows.clone()].iter().any(|&q| q != 0.0);
            if is_asked { second_order::least_eigenvalue(m, a) } else { 0.0 }
        });
        for (cone, least) in cones.iter().zip(least) {
            let rows = cone.rows.clone();
            w[rows.clone()].iter_mut().zip(&q[rows]).for_each(|(w, q)| *w = least * q);
        }
        Ok(())
    }
}
