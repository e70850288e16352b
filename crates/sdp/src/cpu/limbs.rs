//! Cones of numbers of limbs.

use std::sync::{Arc, OnceLock};

use nonius_linalg::backend::{Cpu, Schedule};
use nonius_linalg::cpu::{elementwise, gemm, gemv, reduce, syrk};
use nonius_linalg::dense::{
    Diagonal, Operand, Transpose, Triangle, TriangularSystem, factor_in_place, invert,
};
use nonius_linalg::threads::{Grain, for_each, map_parts};
use nonius_linalg::{BinaryOp, TernaryOp};
use nonius_linalg::{Element, Error, MatMut, MatRef, Matrix, Numbers, Scalar};

use super::blocks::Blocks;
use super::complement::{Schur, SparseSchur};
use super::formula::{self, SchurFormula};
use super::gathered::Gathered;
use super::sparsity::Sparsity;
use super::symmetric::symmetrize;
use super::{maps, schur};
use crate::cone::{Cone, Machine, Magnitudes, Program, Square};

/// A program with numbers `T`, on the host.
#[derive(Clone, Debug)]
pub struct LimbCone<T: Element> {
    program: Program<T>,
    cpu: Cpu,
    /// For each square how the columns of the Schur complement are computed.
    formulas: Vec<Vec<SchurFormula>>,
    /// The squares' entries once more, as sums want them.
    gathered: Vec<Gathered<T>>,
    /// Where the Schur complement has entries; `None` where it is dense.
    pub(super) sparsity: Option<Arc<Sparsity>>,
    /// Once they are asked for.
    magnitudes: OnceLock<Magnitudes>,
}

impl<T: Scalar> LimbCone<T> {
    /// The program, with products of matrices as `cpu` has them.
    pub fn new(program: Program<T>, cpu: Cpu) -> Self {
        let formulas =
            program.squares().iter().map(|square| formula::choose(square, T::LIMBS)).collect();
        Self::with_formulas(program, cpu, formulas)
    }

    /// The same with one formula for all columns of the Schur complement, not the fastest for each.
    pub fn with_formula(program: Program<T>, cpu: Cpu, formula: SchurFormula) -> Self {
        let count = |square: &Square<T>| square.constraints.len();
        let formulas = program.squares().iter().map(|s| vec![formula; count(s)]).collect();
        Self::with_formulas(program, cpu, formulas)
    }

    fn with_formulas(program: Program<T>, cpu: Cpu, formulas: Vec<Vec<SchurFormula>>) -> Self {
        let gathered = program.squares().iter().map(Gathered::new).collect();
        let sparsity = Sparsity::new(&program).map(Arc::new);
        Self { program, cpu, formulas, gathered, sparsity, magnitudes: OnceLock::new() }
    }

    /// The program.
    pub fn program(&self) -> &Program<T> {
        &self.program
    }

    /// Puts the Cholesky factor in the place of the lower triangle; whether there is one.
    fn factor_square(&self, a: &mut Matrix<T>) -> bool {
        self.cpu.run(|| factor_in_place(&self.cpu, a.view_mut())).is_ok()
    }
}

/// Does the same with the squares of two matrices.
fn each<T: Scalar, R: Send>(
    a: &[Matrix<T>],
    b: &mut [Matrix<T>],
    f: impl Fn(&Matrix<T>, &mut Matrix<T>) -> R + Sync,
) -> Vec<R> {
    map_parts(b, Grain::ANY, |i, b| f(&a[i], b))
}

/// `y ← α·x + y`
fn add<T: Scalar>(alpha: f64, x: &[T], y: &mut [T]) {
    let alpha = Operand::Scalar(T::from_f64(alpha));
    let operands = [alpha, Operand::Entries(MatRef::from_column(x)), Operand::Output];
    elementwise::elementwise(TernaryOp::MulAdd, operands, MatMut::from_column(y));
}

fn scale<T: Scalar>(alpha: f64, x: &mut [T]) {
    let operands = [Operand::Scalar(T::from_f64(alpha)), Operand::Output];
    elementwise::elementwise(BinaryOp::Mul, operands, MatMut::from_column(x));
}

fn largest<T: Scalar>(x: &[T]) -> f64 {
    reduce::iamax(x.into()).map_or(0.0, |i| x[i].abs().to_f64())
}

fn zeros<T: Scalar>(count: usize) -> Result<Vec<T>, Error> {
    Ok(Matrix::try_zeros(count, 1)?.into_columns())
}

impl Machine for Cpu {
    type Cone<T: Scalar> = LimbCone<T>;

    fn cone<T: Scalar>(&self, program: Program<T>) -> Result<LimbCone<T>, Error> {
        Ok(LimbCone::new(program, *self))
    }
}

impl<T: Scalar> Cone for LimbCone<T> {
    type Number = T;
    type Vector = Numbers<T>;
    type Blocks = Blocks<T>;
    type Schur = Schur<T>;

    fn constraints(&self) -> usize {
        self.program.constraints()
    }

    fn squares(&self) -> Vec<usize> {
        self.program.squares().iter().map(|square| square.order).collect()
    }

    fn diagonal(&self) -> usize {
        self.program.diagonal().order
    }

    fn vector(&self) -> Result<Numbers<T>, Error> {
        Ok(zeros(self.constraints())?.into())
    }

    fn blocks(&self) -> Result<Blocks<T>, Error> {
        let square = |n| Matrix::try_zeros(n, n);
        let squares = self.squares().into_iter().map(square).collect::<Result<_, _>>()?;
        Ok(Blocks { squares, diagonal: zeros(self.diagonal())? })
    }

    fn schur(&self) -> Result<Self::Schur, Error> {
        Ok(match &self.sparsity {
            None => Schur::Dense(Matrix::try_zeros(self.constraints(), self.constraints())?),
            Some(sparsity) => Schur::Sparse(SparseSchur::new((), Arc::clone(sparsity))?),
        })
    }

    fn download_vector(&self, x: &Numbers<T>) -> Result<Vec<T>, Error> {
        Ok(x.plain().to_vec())
    }

    fn upload_vector(&self, x: &[T]) -> Result<Numbers<T>, Error> {
        let mut vector = self.vector()?;
        vector.plain_mut().copy_from_slice(x);
        Ok(vector)
    }

    fn download_blocks(&self, a: &Blocks<T>) -> Result<Vec<Vec<T>>, Error> {
        let squares = a.squares.iter().map(|a| a.as_slice().to_vec());
        Ok(squares.chain([a.diagonal.clone()]).collect())
    }

    fn upload_blocks(&self, a: &[Vec<T>]) -> Result<Blocks<T>, Error> {
        let mut blocks = self.blocks()?;
        let squares = blocks.squares.iter_mut().map(Matrix::as_mut_slice);
        for (to, from) in squares.chain([&mut blocks.diagonal[..]]).zip(a) {
            to.copy_from_slice(from);
        }
        Ok(blocks)
    }

    fn objective(&self) -> &Numbers<T> {
        self.program.objective()
    }

    fn unit_roundoff(&self) -> f64 {
        T::UNIT_ROUNDOFF
    }

    fn to_f64(&self, x: &T) -> f64 {
        x.to_f64()
    }

    fn number(&self, x: f64) -> T {
        T::from_f64(x)
    }

    fn difference(&self, x: &T, y: &T) -> T {
        *x - *y
    }

    fn copy_vector(&self, x: &Numbers<T>, y: &mut Numbers<T>) {
        y.plain_mut().copy_from_slice(x.plain());
    }

    fn scale_vector(&self, alpha: f64, x: &mut Numbers<T>) {
        scale(alpha, x.plain_mut());
    }

    fn add_vector(&self, alpha: f64, x: &Numbers<T>, y: &mut Numbers<T>) {
        add(alpha, x.plain(), y.plain_mut());
    }

    fn dot(&self, x: &Numbers<T>, y: &Numbers<T>) -> Result<T, Error> {
        Ok(reduce::dot(x, y))
    }

    fn largest(&self, x: &Numbers<T>) -> Result<f64, Error> {
        Ok(largest(x.plain()))
    }

    fn copy_blocks(&self, a: &Blocks<T>, b: &mut Blocks<T>) {
        for (a, b) in a.squares.iter().zip(&mut b.squares) {
            b.as_mut_slice().copy_from_slice(a.as_slice());
        }
        b.diagonal.copy_from_slice(&a.diagonal);
    }

    fn identity(&self, alpha: f64, a: &mut Blocks<T>) {
        let alpha = T::from_f64(alpha);
        for a in &mut a.squares {
            a.as_mut_slice().fill(T::ZERO);
            (0..a.cols()).for_each(|i| a[(i, i)] = alpha);
        }
        a.diagonal.fill(alpha);
    }

    fn scale_blocks(&self, alpha: f64, a: &mut Blocks<T>) {
        a.squares.iter_mut().for_each(|a| scale(alpha, a.as_mut_slice()));
        scale(alpha, &mut a.diagonal);
    }

    fn add_blocks(&self, alpha: f64, a: &Blocks<T>, b: &mut Blocks<T>) {
        each(&a.squares, &mut b.squares, |a, b| add(alpha, a.as_slice(), b.as_mut_slice()));
        add(alpha, &a.diagonal, &mut b.diagonal);
    }

    fn multiply(&self, alpha: f64, a: &Blocks<T>, b: &Blocks<T>, beta: f64, c: &mut Blocks<T>) {
        let [alpha, beta] = [alpha, beta].map(T::from_f64);
        let (products, no) = (self.cpu.products(), Transpose::No);
        for_each(&mut c.squares[..], Grain::ANY, |i, c| {
            let (a, b) = (&a.squares[i], &b.squares[i]);
            gemm::gemm(products, no, no, alpha, a.view(), b.view(), beta, c.view_mut());
        });
        for ((&a, &b), c) in a.diagonal.iter().zip(&b.diagonal).zip(&mut c.diagonal) {
            let product = alpha * (a * b);
            *c = if beta == T::ZERO { product } else { product + beta * *c };
        }
    }

    fn symmetrize(&self, a: &mut Blocks<T>) {
        for_each(&mut a.squares[..], Grain::ANY, |_, a| symmetrize(a));
    }

    fn inner(&self, a: &Blocks<T>, b: &Blocks<T>) -> Result<T, Error> {
        let squares = a.squares.iter().zip(&b.squares);
        let sums = squares.map(|(a, b)| reduce::dot(a.as_slice(), b.as_slice()));
        Ok(sums.fold(reduce::dot(&a.diagonal, &b.diagonal), |x, y| x + y))
    }

    fn largest_entry(&self, a: &Blocks<T>) -> Result<f64, Error> {
        let squares = a.squares.iter().map(|a| largest(a.as_slice()));
        let not_less = |x: f64, y: f64| if y.is_nan() || y > x { y } else { x };
        Ok(squares.fold(largest(&a.diagonal), not_less))
    }

    fn factor(&self, a: &Blocks<T>, l: &mut Blocks<T>) -> Result<bool, Error> {
        let squares = each(&a.squares, &mut l.squares, |a, l| {
            l.as_mut_slice().copy_from_slice(a.as_slice());
            let is_definite = self.factor_square(l);
            for j in 1..l.cols() {
                l.col_mut(j)[..j].fill(T::ZERO);
            }
            is_definite
        });
        let mut is_definite = squares.into_iter().all(|is_definite| is_definite);
        for (&a, l) in a.diagonal.iter().zip(&mut l.diagonal) {
            *l = a.sqrt();
            is_definite &= a > T::ZERO && l.is_finite();
        }
        Ok(is_definite)
    }

    fn invert_factor(&self, l: &Blocks<T>, m: &mut Blocks<T>) {
        self.identity(1.0, m);
        each(&l.squares, &mut m.squares, |l, m| {
            invert::<T, Cpu>(&self.cpu, l.view(), m.view_mut());
        });
        for (&l, m) in l.diagonal.iter().zip(&mut m.diagonal) {
            *m = T::ONE / l;
        }
    }

    fn gram(&self, m: &Blocks<T>, a: &mut Blocks<T>) {
        let (products, lower, yes) = (self.cpu.products(), Triangle::Lower, Transpose::Yes);
        each(&m.squares, &mut a.squares, |m, a| {
            syrk::syrk(products, lower, yes, T::ONE, m.view(), T::ZERO, a.view_mut());
            for j in 1..a.cols() {
                (0..j).for_each(|i| a[(i, j)] = a[(j, i)]);
            }
        });
        for (&m, a) in m.diagonal.iter().zip(&mut a.diagonal) {
            *a = m * m;
        }
    }

    fn congruence(
        &self,
        m: &Blocks<T>,
        a: &Blocks<T>,
        q: &[f64],
        w: &mut [f64],
    ) -> Result<(), Error> {
        let mut start = 0;
        let mut pieces = Vec::new();
        let mut rest = &mut *w;
        for (m, a) in m.squares.iter().zip(&a.squares) {
            let (piece, others) = rest.split_at_mut(m.cols());
            pieces.push((m, a, &q[start..start + m.cols()], piece));
            start += m.cols();
            rest = others;
        }
        for_each(&mut pieces[..], Grain::ANY, |_, (m, a, q, w)| {
            if q.iter().all(|&x| x == 0.0) {
                return w.fill(0.0);
            }
            let mut x: Vec<T> = q.iter().map(|&x| T::from_f64(x)).collect();
            let mut y = x.clone();
            let product = |transpose, a: &Matrix<T>, x: &[T], y: &mut [T]| {
                gemv::gemv(transpose, T::ONE, a.view(), x, T::ZERO, y);
            };
            product(Transpose::Yes, m, &x, &mut y);
            product(Transpose::No, a, &y, &mut x);
            product(Transpose::No, m, &x, &mut y);
            w.iter_mut().zip(&y).for_each(|(w, y)| *w = y.to_f64());
        });
        let (q, entries) = (&q[start..], m.diagonal.iter().zip(&a.diagonal));
        for ((w, (&m, &a)), &q) in rest.iter_mut().zip(entries).zip(q) {
            *w = (m * m * a).to_f64() * q;
        }
        Ok(())
    }

    fn constraint_products(&self, a: &Blocks<T>, v: &mut Numbers<T>) {
        maps::constraint_products(&self.program, &self.gathered, a, v.plain_mut());
    }

    fn constant_product(&self, a: &Blocks<T>) -> Result<T, Error> {
        Ok(maps::constant_product(&self.program, &self.gathered, a))
    }

    fn combine(&self, x: &Numbers<T>, alpha: f64, a: &mut Blocks<T>) {
        maps::combine(&self.program, x.plain(), T::from_f64(alpha), a);
    }

    fn form_schur(&self, u: &Blocks<T>, v: &Blocks<T>, b: &mut Self::Schur) {
        let prepared = (&self.formulas[..], &self.gathered[..]);
        let products = self.cpu.products();
        match b {
            Schur::Dense(b) => schur::form(&self.program, prepared, products, (u, v), b),
            Schur::Sparse(b) => {
                let (sparsity, entries) = b.parts();
                let entries = entries.plain_mut();
                schur::form_sparse(&self.program, prepared, products, (u, v), sparsity, entries);
            }
        }
    }

    fn schur_sizes(&self, u: &Blocks<T>, v: &Blocks<T>) -> Result<Vec<f64>, Error> {
        let diagonals = |a: &Blocks<T>| -> Vec<Vec<f64>> {
            let of_square = |a: &Matrix<T>| (0..a.cols()).map(|i| a[(i, i)].to_f64()).collect();
            let last = a.diagonal.iter().map(|x| x.to_f64()).collect();
            a.squares.iter().map(of_square).chain([last]).collect()
        };
        let new = || Magnitudes::new(&self.program);
        let magnitudes = self.magnitudes.get_or_init(new);
        Ok(magnitudes.of_schur(&diagonals(u), &diagonals(v)))
    }

    fn factor_schur(&self, shifts: &[f64], b: &mut Self::Schur) -> Result<bool, Error> {
        let shifts = shifts.iter().map(|&shift| T::from_f64(shift)).enumerate();
        match b {
            Schur::Dense(b) => {
                shifts.for_each(|(i, shift)| b[(i, i)] += shift);
                Ok(self.factor_square(b))
            }
            Schur::Sparse(b) => {
                let (sparsity, entries) = b.parts();
                let entries = entries.plain_mut();
                let diagonal = sparsity.symbolic.diagonal();
                diagonal.zip(shifts).for_each(|(at, (_, shift))| entries[at] += shift);
                self.cpu.run(|| b.factor(&self.cpu))
            }
        }
    }

    fn solve_schur(&self, factor: &Self::Schur, x: &mut Numbers<T>) {
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
