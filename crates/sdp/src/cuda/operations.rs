//! The operations.

use nonius_comm::dense::Cargo;
use nonius_cuda::{DeviceMatrix, DeviceMut, DeviceRef, Kind, Layout};
use nonius_gpu::{Arguments, Entry, Error};
use nonius_linalg::backend::{Elementwise, Memory, Reduce, View, ViewMut};
use nonius_linalg::dense::{Operand, Transpose};
use nonius_linalg::{BinaryOp, Element, Error as LinalgError, MatRef, Numbers, Slice, TernaryOp};

use super::arguments::{
    self, ADD_TO_DIAGONAL, IDENTITY, LARGEST, Largest, MIRROR, SECOND_ORDER_IDENTITY,
    SECOND_ORDER_SQUARE, SECOND_ORDER_TRIPLE, SMALL_GRAM, SMALL_IDENTITY, SMALL_MULTIPLY,
    SMALL_SYMMETRIZE, SYMMETRIZE, Shifts,
};
use super::blocks::{CudaBlocks, diagonal, uploaded, zeros};
use super::cone::CudaCone;
use super::launch::shape;
use super::second_order_kernels::Operands as OfCones;
use super::small::Position;
use super::small_kernels::Operands;
use super::sources::cone_source;
use crate::cone::{Blockwise, Cone, least_eigenvalues, of_doubles, rounded};

impl<T: Cargo> CudaCone<T> {
    /// Launches a kernel for each entry of a matrix, which is part of what it takes.
    pub(super) fn each<A: Arguments>(
        &self,
        entry: Entry<A>,
        a: DeviceMut<'_, T>,
        arguments: impl FnOnce(Layout) -> A,
    ) -> Result<(), Error> {
        let (rows, cols) = a.layout().shape();
        let (source, arguments) = (cone_source(self.kind()), arguments(a.layout()));
        // SAFETY: the matrix is borrowed mutably; beside it there are numbers.
        unsafe { self.launch(&source, entry, shape(rows, cols), &arguments) }
    }

    /// How many rows of the diagonal block are none of second-order cones.
    pub(super) fn rows(&self) -> usize {
        self.order - self.second_order.iter().sum::<usize>()
    }

    /// Launches a kernel for each square.
    pub(super) fn each_square(&self, entry: Entry<Layout>, a: &mut CudaBlocks<T>) {
        for a in &mut a.squares {
            self.gpu.attempt(|| self.each(entry, a.as_mut(), |a| a));
        }
    }

    fn scale(&self, alpha: f64, x: DeviceMut<'_, T>) {
        let operands = [Operand::Scalar(T::from_f64(alpha)), Operand::Output];
        self.gpu.elementwise(BinaryOp::Mul, operands, x);
    }

    /// `y ← α·x + y`
    fn add(&self, alpha: f64, x: DeviceRef<'_, T>, y: DeviceMut<'_, T>) {
        let alpha = Operand::Scalar(T::from_f64(alpha));
        self.gpu.elementwise(TernaryOp::MulAdd, [alpha, Operand::Entries(x), Operand::Output], y);
    }

    /// `C ← α·A·B + β·C`; `C` is not read where `β = 0`.
    fn multiply(&self, alpha: T, [a, b]: [&CudaBlocks<T>; 2], beta: T, c: &mut CudaBlocks<T>) {
        self.check(b);
        let small = Operands { b: b.small.as_ref().layout(), alpha, beta, ..self.operands(a, c) };
        let pairs = a.squares.iter().zip(&b.squares);
        for (square, ((a, b), c)) in pairs.zip(&mut c.squares).enumerate() {
            self.multiply_square(square, alpha, [a.as_ref(), b.as_ref()], beta, c);
        }
        self.gpu.attempt(|| self.each_small(SMALL_MULTIPLY, small));
        let (a, b) = (a.diagonal.as_ref(), b.diagonal.as_ref());
        let mut product = self.zeros(self.order, 1);
        let operands = [Operand::Entries(a), Operand::Entries(b)];
        self.gpu.elementwise(BinaryOp::Mul, operands, product.as_mut());
        let operands = [Operand::Scalar(alpha), Operand::Output];
        self.gpu.elementwise(BinaryOp::Mul, operands, product.as_mut());
        let (c, product) = (c.diagonal.as_mut(), product.as_ref());
        if beta == T::ZERO {
            self.gpu.copy(product, c);
        } else {
            let operands = [Operand::Scalar(beta), Operand::Output, Operand::Entries(product)];
            self.gpu.elementwise(TernaryOp::MulAdd, operands, c);
        }
    }

    /// The largest magnitude in some matrices.
    fn largest_of<'a>(
        &self,
        all: impl Iterator<Item = DeviceRef<'a, T>>,
    ) -> Result<f64, LinalgError> {
        self.gpu.fetch(|| {
            let bits = self.gpu.numbers(&[0_u64])?;
            for a in all {
                let a = a.layout();
                let largest = Largest { a, bits: bits.pointer() };
                let shape = shape(a.shape().0, a.shape().1);
                // SAFETY: the matrix is borrowed, and the bits are new.
                unsafe { self.launch(&cone_source(self.kind()), LARGEST, shape, &largest)? };
            }
            Ok(f64::from_bits(self.gpu.read::<u64>(&bits, 1)?[0]))
        })
    }

    /// The entries of a matrix, column by column.
    pub(super) fn downloaded(&self, x: DeviceRef<'_, T>) -> Result<Numbers<T>, LinalgError> {
        Ok(self.gpu.download(x)?.into_numbers())
    }

    /// The only entry of a matrix.
    fn number_at(&self, x: DeviceRef<'_, T>) -> Result<T, LinalgError> {
        Ok(self.downloaded(x)?.at(0))
    }

    /// A vector of these numbers.
    pub(super) fn upload(&self, x: &[f64]) -> Result<DeviceMatrix<T>, LinalgError> {
        let numbers = of_doubles(x.into(), self.format)?;
        self.gpu.fetch(|| uploaded(&self.gpu, &numbers))
    }

    /// Copies numbers of the host, each rounded, to a matrix, column by column.
    fn write(&self, from: Slice<'_, T>, to: DeviceMut<'_, T>) -> Result<(), LinalgError> {
        if from.format() != self.format {
            return self.write(rounded(from, self.format)?.as_slice(), to);
        }
        let (rows, cols) = to.layout().shape();
        assert_eq!(from.len(), rows * cols, "length");
        self.gpu.fetch(|| self.gpu.write(MatRef::from_numbers(from, rows, cols, rows), to))
    }

    /// The same of numbers that are `f64`, to a matrix of zeros.
    fn write_doubles(&self, from: Slice<'_, f64>, to: DeviceMut<'_, T>) -> Result<(), LinalgError> {
        let Kind::Limbs(_) = self.kind() else {
            return self.write(of_doubles(from, self.format)?.as_slice(), to);
        };
        let (rows, cols) = to.layout().shape();
        assert_eq!(from.len(), rows * cols, "length");
        // SAFETY: the plane of first limbs, of a matrix that is borrowed mutably.
        let plane: DeviceMut<'_, f64> = unsafe { DeviceMut::of_layout(to.layout(), ()) };
        self.gpu.fetch(|| self.gpu.write(MatRef::from_numbers(from, rows, cols, rows), plane))
    }

    /// A matrix of numbers of the host: each square column by column, then the diagonal block.
    /// `small` makes numbers of the cone of those of a small square; `write` copies the others to
    /// zeros.
    fn placed<'a, E: Element>(
        &self,
        a: &[Slice<'a, E>],
        small: impl Fn(Slice<'a, E>) -> Result<Numbers<T>, LinalgError>,
        write: impl Fn(Slice<'a, E>, DeviceMut<'_, T>) -> Result<(), LinalgError>,
    ) -> Result<CudaBlocks<T>, LinalgError> {
        let mut blocks = self.blocks()?;
        assert_eq!(a.len(), self.orders.len() + 1, "blocks");
        let mut in_column = Numbers::with_capacity(self.format, self.length);
        for ((&part, &order), position) in a.iter().zip(&self.orders).zip(&self.positions) {
            assert_eq!(part.len(), order * order, "length");
            match *position {
                Position::Alone(number) => write(part, blocks.squares[number].as_mut())?,
                Position::Among(_) => in_column.extend(small(part)?.as_slice()),
            }
        }
        self.write(in_column.as_slice(), blocks.small.as_mut())?;
        write(a[a.len() - 1], blocks.diagonal.as_mut())?;
        Ok(blocks)
    }

    /// A matrix of zeros; one without memory where there was a failure.
    pub(super) fn zeros(&self, rows: usize, cols: usize) -> DeviceMatrix<T> {
        Memory::zeros(&self.gpu, self.format, rows, cols)
    }
}

impl<T: Cargo> Cone for CudaCone<T> {
    type Number = T;
    type Vector = DeviceMatrix<T>;
    type Blocks = CudaBlocks<T>;
    type Schur = DeviceMatrix<T>;

    fn format(&self) -> T::Format {
        self.format
    }

    fn constraints(&self) -> usize {
        self.constraints
    }

    fn squares(&self) -> Vec<usize> {
        self.orders.clone()
    }

    fn diagonal(&self) -> usize {
        self.order
    }

    fn second_order(&self) -> Vec<usize> {
        self.second_order.clone()
    }

    fn vector(&self) -> Result<DeviceMatrix<T>, LinalgError> {
        self.gpu.fetch(|| zeros(&self.gpu, self.format, self.constraints, 1))
    }

    fn blocks(&self) -> Result<CudaBlocks<T>, LinalgError> {
        let position = |(&order, position): (&usize, &Position)| match position {
            Position::Alone(_) => Some(order),
            Position::Among(_) => None,
        };
        let large: Vec<usize> =
            self.orders.iter().zip(&self.positions).filter_map(position).collect();
        self.gpu
            .fetch(|| CudaBlocks::zeros(&self.gpu, self.format, &large, self.length, self.order))
    }

    fn schur(&self) -> Result<DeviceMatrix<T>, LinalgError> {
        self.gpu.fetch(|| zeros(&self.gpu, self.format, self.constraints, self.constraints))
    }

    fn download_vector(&self, x: &DeviceMatrix<T>) -> Result<Numbers<T>, LinalgError> {
        self.downloaded(x.as_ref())
    }

    fn upload_vector<'a>(
        &self,
        x: impl Into<Slice<'a, T>>,
    ) -> Result<DeviceMatrix<T>, LinalgError> {
        let x = x.into();
        assert_eq!(x.len(), self.constraints, "length");
        let mut vector = self.vector()?;
        self.write(x, vector.as_mut())?;
        Ok(vector)
    }

    fn download_blocks(&self, a: &CudaBlocks<T>) -> Result<Vec<Numbers<T>>, LinalgError> {
        let small = self.downloaded(a.small.as_ref())?;
        let square = |(&order, position): (&usize, &Position)| match *position {
            Position::Alone(number) => self.downloaded(a.squares[number].as_ref()),
            Position::Among(offset) => {
                Ok(small.as_slice().range(offset..offset + order * order).into())
            }
        };
        let squares = self.orders.iter().zip(&self.positions).map(square);
        squares.chain([self.downloaded(a.diagonal.as_ref())]).collect()
    }

    fn upload_blocks<'a, P>(&self, a: &'a [P]) -> Result<CudaBlocks<T>, LinalgError>
    where
        &'a P: Into<Slice<'a, T>>,
    {
        let parts: Vec<Slice<'a, T>> = a.iter().map(Into::into).collect();
        let small = |part| rounded(part, self.format);
        self.placed(&parts, small, |part, to| self.write(part, to))
    }

    fn upload_doubles(&self, a: &[Slice<'_, f64>]) -> Result<CudaBlocks<T>, LinalgError> {
        let small = |part| of_doubles(part, self.format);
        self.placed(a, small, |part, to| self.write_doubles(part, to))
    }

    fn objective(&self) -> &DeviceMatrix<T> {
        &self.objective
    }

    fn copy_vector(&self, x: &DeviceMatrix<T>, y: &mut DeviceMatrix<T>) {
        self.gpu.copy(x.as_ref(), y.as_mut());
    }

    fn scale_vector(&self, alpha: f64, x: &mut DeviceMatrix<T>) {
        self.scale(alpha, x.as_mut());
    }

    fn add_vector(&self, alpha: f64, x: &DeviceMatrix<T>, y: &mut DeviceMatrix<T>) {
        self.add(alpha, x.as_ref(), y.as_mut());
    }

    fn dot(&self, x: &DeviceMatrix<T>, y: &DeviceMatrix<T>) -> Result<T, LinalgError> {
        let mut result = self.zeros(1, 1);
        self.gpu.dot(x.as_ref(), y.as_ref(), result.as_mut());
        self.number_at(result.as_ref())
    }

    fn largest(&self, x: &DeviceMatrix<T>) -> Result<f64, LinalgError> {
        self.check_rows(x, 1);
        self.largest_of([x.as_ref()].into_iter())
    }

    fn copy_blocks(&self, a: &CudaBlocks<T>, b: &mut CudaBlocks<T>) {
        for (a, b) in a.parts().zip(b.parts_mut()) {
            self.gpu.copy(a, b);
        }
    }

    fn identity(&self, alpha: f64, a: &mut CudaBlocks<T>) {
        let alpha = T::from_f64(alpha);
        let small = Operands { alpha, ..self.operand(a) };
        self.gpu.attempt(|| self.each_small(SMALL_IDENTITY, small));
        let identity = |a: DeviceMut<'_, T>, is_column: bool| {
            self.gpu.attempt(|| {
                let alpha = self.gpu.factor(alpha, self.format)?;
                let (alpha, is_column) = (alpha.number, is_column.into());
                self.each(IDENTITY, a, |a| arguments::Diagonal { a, alpha, is_column })
            });
        };
        a.squares.iter_mut().for_each(|a| identity(a.as_mut(), false));
        identity(a.diagonal.as_mut(), true);
        let cones = OfCones { alpha, ..OfCones::on(a.diagonal.as_mut()) };
        self.gpu.attempt(|| self.each_cone(SECOND_ORDER_IDENTITY, cones));
    }

    fn scale_blocks(&self, alpha: f64, a: &mut CudaBlocks<T>) {
        a.parts_mut().for_each(|a| self.scale(alpha, a));
    }

    fn add_blocks(&self, alpha: f64, a: &CudaBlocks<T>, b: &mut CudaBlocks<T>) {
        for (a, b) in a.parts().zip(b.parts_mut()) {
            self.add(alpha, a, b);
        }
    }

    fn triple(
        &self,
        alpha: f64,
        [u, d, v]: [&CudaBlocks<T>; 3],
        beta: f64,
        work: &mut CudaBlocks<T>,
        c: &mut CudaBlocks<T>,
    ) {
        let [alpha, beta] = [alpha, beta].map(T::from_f64);
        // What is read of the rows of cones is overwritten with those of the others.
        let mut cones = self.zeros(self.order, 1);
        if self.cones.count > 0 {
            self.gpu.copy(c.diagonal.as_ref(), cones.as_mut());
            let [d, v] = [d, v].map(|a| a.diagonal.as_ref().layout());
            let operands = OfCones::new(u.diagonal.as_ref(), cones.as_mut());
            let operands = OfCones { d, v, alpha, beta, ..operands };
            self.gpu.attempt(|| self.each_cone(SECOND_ORDER_TRIPLE, operands));
        }
        self.multiply(T::ONE, [d, v], T::ZERO, work);
        self.multiply(alpha, [u, work], beta, c);
        self.symmetrize(c);
        if self.cones.count > 0 {
            let (first, count) = (self.rows(), self.order - self.rows());
            let to = c.diagonal.as_mut();
            let to = to.block_mut(first, 0, count, 1);
            self.gpu.copy(cones.as_ref().block(first, 0, count, 1), to);
        }
    }

    fn symmetrize(&self, a: &mut CudaBlocks<T>) {
        let small = self.operand(a);
        self.each_square(SYMMETRIZE, a);
        self.gpu.attempt(|| self.each_small(SMALL_SYMMETRIZE, small));
    }

    fn inner(&self, a: &CudaBlocks<T>, b: &CudaBlocks<T>) -> Result<T, LinalgError> {
        Ok(self.sum(&self.inner_products(a, b)?))
    }

    fn largest_entry(&self, a: &CudaBlocks<T>) -> Result<f64, LinalgError> {
        self.check(a);
        self.largest_of(a.parts())
    }

    fn factor(&self, a: &CudaBlocks<T>, l: &mut CudaBlocks<T>) -> Result<bool, LinalgError> {
        self.factor_of(a, l, |_| true)
    }

    fn are_definite(
        &self,
        a: [&CudaBlocks<T>; 2],
        work: &mut CudaBlocks<T>,
    ) -> Result<bool, LinalgError> {
        let mut are_definite = true;
        for (which, a) in a.into_iter().enumerate() {
            are_definite &= self.factor_of(a, work, |square| self.has(which, square))?;
        }
        Ok(are_definite)
    }

    fn invert_factor(&self, l: &CudaBlocks<T>, m: &mut CudaBlocks<T>) {
        self.invert_factor_of(l, m, |_| true);
    }

    fn invert_factors(
        &self,
        a: [&CudaBlocks<T>; 2],
        work: &mut CudaBlocks<T>,
        mut m: [&mut CudaBlocks<T>; 2],
    ) -> Result<bool, LinalgError> {
        let mut are_definite = true;
        for (which, (a, m)) in a.into_iter().zip(&mut m).enumerate() {
            let has = |square| self.has(which, square);
            are_definite &= self.factor_of(a, work, has)?;
            if are_definite {
                self.invert_factor_of(work, m, has);
            }
        }
        are_definite = self.agree(are_definite)?;
        if are_definite {
            for (which, m) in m.into_iter().enumerate() {
                self.give_squares(which, m)?;
            }
        }
        Ok(are_definite)
    }

    fn gram(&self, m: &CudaBlocks<T>, a: &mut CudaBlocks<T>) {
        let small = self.operands(m, a);
        for (square, (m, a)) in m.squares.iter().zip(&mut a.squares).enumerate() {
            self.gram_of_square(square, m.as_ref(), a);
        }
        self.each_square(MIRROR, a);
        self.gpu.attempt(|| self.each_small(SMALL_GRAM, small));
        let operands = [Operand::Entries(m.diagonal.as_ref()); 2];
        self.gpu.elementwise(BinaryOp::Mul, operands, a.diagonal.as_mut());
        let cones = OfCones::new(m.diagonal.as_ref(), a.diagonal.as_mut());
        self.gpu.attempt(|| self.each_cone(SECOND_ORDER_SQUARE, cones));
    }

    fn least_eigenvalues<const N: usize>(
        &self,
        pairs: [(&CudaBlocks<T>, &CudaBlocks<T>); N],
        enough: f64,
    ) -> Result<[f64; N], LinalgError> {
        least_eigenvalues(self, pairs, enough)
    }

    fn constraint_products(&self, a: &CudaBlocks<T>, v: &mut DeviceMatrix<T>) {
        self.check(a);
        self.check_rows(v, 1);
        self.gpu.attempt(|| self.launch_constraint_products(a, v));
    }

    fn constant_product(&self, a: &CudaBlocks<T>) -> Result<T, LinalgError> {
        Ok(self.sum(&self.constant_products(a)?))
    }

    fn combine(&self, x: &DeviceMatrix<T>, alpha: f64, a: &mut CudaBlocks<T>) {
        self.check_rows(x, 1);
        self.check(a);
        self.gpu.attempt(|| self.launch_combine(x.as_ref(), T::from_f64(alpha), a));
    }

    fn form_schur(&self, u: &CudaBlocks<T>, v: &CudaBlocks<T>, b: &mut DeviceMatrix<T>) {
        self.check(u);
        self.check(v);
        self.check_rows(b, self.constraints);
        self.gpu.attempt(|| self.launch_schur(u, v, b));
    }

    fn schur_sizes(&self, u: &CudaBlocks<T>, v: &CudaBlocks<T>) -> Result<Vec<f64>, LinalgError> {
        Ok(self.sizes_of_schur(&self.diagonals(u)?, &self.diagonals(v)?))
    }

    fn factor_schur(&self, shifts: &[f64], b: &mut DeviceMatrix<T>) -> Result<bool, LinalgError> {
        self.shift_schur(shifts, b)?;
        let is_definite = self.factor_alone(b.as_mut())?;
        if is_definite {
            self.prepare_systems(b.as_mut());
        }
        Ok(is_definite)
    }

    fn solve_schur(&self, factor: &DeviceMatrix<T>, x: &mut DeviceMatrix<T>) {
        if self.constraints == 0 {
            return;
        }
        for transpose in [Transpose::No, Transpose::Yes] {
            self.solve_triangle(transpose, factor.as_ref(), x.as_mut());
        }
    }
}

impl<T: Cargo> CudaCone<T> {
    /// The diagonals of the squares, then that of the diagonal block.
    pub(super) fn diagonals_of(&self, a: &CudaBlocks<T>) -> Result<Vec<Vec<f64>>, LinalgError> {
        let near = |x: DeviceRef<'_, T>| -> Result<Vec<f64>, LinalgError> {
            Ok(self.downloaded(x)?.as_slice().iter().map(T::to_f64).collect())
        };
        let small = self.downloaded(a.small.as_ref())?;
        let of_square = |(&order, position): (&usize, &Position)| match *position {
            Position::Alone(number) => near(diagonal(a.squares[number].as_ref())),
            Position::Among(offset) => {
                Ok((0..order).map(|i| small.at(offset + i * (order + 1)).to_f64()).collect())
            }
        };
        let squares = self.orders.iter().zip(&self.positions).map(of_square);
        squares.chain([near(a.diagonal.as_ref())]).collect()
    }

    /// The sum of numbers of parts, that of the diagonal block first.
    pub(super) fn sum_of_parts(&self, numbers: impl DoubleEndedIterator<Item = T>) -> T {
        let sum = numbers.rev().reduce(|x, y| x + y);
        sum.unwrap_or_else(|| T::ZERO.to_format(self.format))
    }

    /// Adds a number for each constraint, or for none, to the diagonal of a Schur complement.
    pub(super) fn shift_schur(
        &self,
        shifts: &[f64],
        b: &mut DeviceMatrix<T>,
    ) -> Result<(), LinalgError> {
        self.check_rows(b, self.constraints);
        if shifts.is_empty() {
            return Ok(());
        }
        assert_eq!(shifts.len(), self.constraints, "length");
        let shifts = self.upload(shifts)?;
        let (a, shifts) = (b.as_mut().layout(), shifts.as_ref().layout());
        let (source, shape) = (cone_source(self.kind()), shape(self.constraints, 1));
        let arguments = Shifts { a, shifts };
        // SAFETY: the matrix is borrowed mutably, and has as many rows as there are shifts.
        self.gpu.attempt(|| unsafe { self.launch(&source, ADD_TO_DIAGONAL, shape, &arguments) });
        Ok(())
    }
}
