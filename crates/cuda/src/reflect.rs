//! Householder reflections of a few columns. A kernel factors a panel of limbs, whose sums are of
//! blocks of rows: the last bits are not the host's. Columns of numbers of any precision go one by
//! one through products with vectors, and have the bits of the host.

use nonius_gpu::{Buffer, Entry, Error, Pointer, Shape, Source, kernel_arguments, kernel_types};
use nonius_linalg::backend::{Elementwise, Gemv, Memory, Reduce, Reflect, View, ViewMut};
use nonius_linalg::dense::{Operand, Transpose};
use nonius_linalg::reference::reflect::reflected;
use nonius_linalg::{BinaryOp, Matrix, Number};

use crate::backend::Cuda;
use crate::kind::{Kind, by_limbs};
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use crate::texts;

/// Most columns of a panel, by the registers that their sums take.
const WIDTH: [usize; 5] = [32, 32, 16, 16, 8];

/// [`Reflect::TOGETHER`]: products of this many terms gain from the residue engine.
const TOGETHER: [usize; 5] = [128, 128, 512, 256, 256];

/// Threads of a block.
const THREADS: usize = 128;
/// Bytes of a packet (`offers.cuh`).
const PACKET: usize = 16;

kernel_types! {
    /// Sums that blocks hand to one another.
    Sums;
}

kernel_arguments! {
    /// A panel of QR.
    struct QrPanel {
        rows: i64,
        columns: i64,
        a: Layout,
        /// For every block two, zeros at first: for even and odd columns; then two for the row on
        /// the diagonal.
        sums: Pointer<Sums>,
    }
}

const QR_PANEL: Entry<QrPanel> = Entry::new(c"qr_panel");
const UNIT_LOWER: Entry<Layout> = Entry::new(c"unit_lower");
const HALVE_DIAGONAL: Entry<Layout> = Entry::new(c"halve_diagonal");

fn source(limbs: usize) -> Source {
    let numbers = [("REFLECT_WIDTH", WIDTH[limbs]), ("REFLECT_THREADS", THREADS)];
    texts::of_limbs("reflect", limbs, "dense/reflect.cu").define_all(&numbers).entry(QR_PANEL)
}

fn diagonal_source(kind: Kind) -> Source {
    kind.module("reflect-diagonal", "dense/diagonal.cu").entry(UNIT_LOWER).entry(HALVE_DIAGONAL)
}

/// Every module of this capability.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    let panel = match kind {
        Kind::Limbs(limbs) => Some(source(limbs)),
        Kind::Mp(_) => None,
    };
    panel.into_iter().chain([diagonal_source(kind)]).collect()
}

/// For columns scaled to about the same size, as factorisations have them.
impl<T: Number> Reflect<T> for Cuda {
    const REFLECTORS: usize = by_limbs::<T>(WIDTH);
    const TOGETHER: usize = by_limbs::<T>(TOGETHER);

    fn qr_panel(&self, a: DeviceMut<'_, T>) {
        let (rows, columns) = a.layout.shape();
        assert!(columns <= by_limbs::<T>(WIDTH) && columns <= rows, "a panel's shape");
        match Kind::of::<T>(a.format) {
            _ if columns == 0 => {}
            Kind::Limbs(limbs) => {
                self.attempt(|| self.launch_qr(limbs, a.layout));
            }
            // A failure is kept for whoever asks for numbers.
            Kind::Mp(_) => drop(self.reflect_columns(a)),
        }
    }

    fn unit_lower(&self, a: DeviceRef<'_, T>) -> DeviceMatrix<T> {
        let mut copy = self.copy_of(a);
        let (rows, columns) = a.shape();
        if rows > 0 && columns > 0 {
            let shape =
                Shape { grid: [columns as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
            let copy = copy.as_mut().layout;
            let kind = Kind::of::<T>(a.format);
            self.attempt(|| self.launch_diagonal(kind, UNIT_LOWER, shape, copy));
        }
        copy
    }

    fn halve_diagonal(&self, a: DeviceMut<'_, T>) {
        let (rows, columns) = a.layout.shape();
        if rows > 0 && columns > 0 {
            let blocks = rows.min(columns).div_ceil(THREADS) as u32;
            let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
            let kind = Kind::of::<T>(a.format);
            self.attempt(|| self.launch_diagonal(kind, HALVE_DIAGONAL, shape, a.layout));
        }
    }
}

impl Cuda {
    fn launch_diagonal(
        &self,
        kind: Kind,
        entry: Entry<Layout>,
        shape: Shape,
        matrix: Layout,
    ) -> Result<(), Error> {
        let kernel = self.device().module(&diagonal_source(kind))?.kernel(entry)?;
        // SAFETY: a matrix that is borrowed mutably or new, whose memory is freed in the order of
        // the stream.
        unsafe { kernel.launch(self.stream(), shape, &matrix) }
    }

    /// A panel by products with vectors, as [`nonius_linalg::cpu`] factors it: a column takes all
    /// reflections before it at once, as `I − V·S⁻ᵀ·Vᵀ`. The host has `S`, and divides by it.
    fn reflect_columns<T: Number>(
        &self,
        mut a: DeviceMut<'_, T>,
    ) -> Result<(), nonius_linalg::Error> {
        let ((m, n), format) = (a.layout.shape(), a.format);
        let (yes, no) = (Transpose::Yes, Transpose::No);
        let zeros = |rows, columns| Memory::<T>::zeros(self, format, rows, columns);
        let number = |x: T| Matrix::from_fn_in(format, 1, 1, |_, _| x);
        let (mut v, mut s) = (zeros(m, n), Matrix::<T>::zeros_in(format, n, n));
        // A column of products with those before, the norm and the first entry.
        let mut sums = zeros(n + 1, 1);
        for j in 0..n {
            if j > 0 {
                let before = v.as_ref().block(0, 0, m, j);
                let x = a.as_ref().block(0, j, m, 1);
                let w = sums.as_mut().block_mut(0, 0, j, 1);
                self.gemv(yes, T::ONE, before, x, T::ZERO, w);
                let mut w = self.download(sums.as_ref().block(0, 0, j, 1))?;
                for i in 0..j {
                    let known = (0..i).fold(T::ZERO, |sum, k| sum + s.at(k, i) * w.at(k, 0));
                    w.set(i, 0, (w.at(i, 0) - known) / s.at(i, i));
                }
                let w = self.upload(w.view());
                let x = a.reborrow().block_mut(0, j, m, 1);
                self.gemv(no, -T::ONE, before, w.as_ref(), T::ONE, x);
            }
            let x = a.as_ref().block(j, j, m - j, 1);
            self.nrm2(x, sums.as_mut().block_mut(0, 0, 1, 1));
            self.copy(x.block(0, 0, 1, 1), sums.as_mut().block_mut(1, 0, 1, 1));
            let found = self.download(sums.as_ref().block(0, 0, 2, 1))?;
            let (norm, first) = (found.at(0, 0), found.at(1, 0));
            let beta = reflected(first, norm);
            let pivot = first - beta;
            let rest = a.reborrow().block_mut(j + 1, j, m - j - 1, 1);
            if pivot != T::ZERO {
                let reciprocal = T::ONE.to_format(format) / pivot;
                let is_usable = reciprocal.is_finite() && reciprocal != T::ZERO;
                if is_usable {
                    let by = [Operand::Output, Operand::Scalar(reciprocal)];
                    self.elementwise(BinaryOp::Mul, by, rest);
                } else {
                    let by = [Operand::Output, Operand::Scalar(pivot)];
                    self.elementwise(BinaryOp::Div, by, rest);
                }
            }
            let rest = a.as_ref().block(j + 1, j, m - j - 1, 1);
            self.copy(rest, v.as_mut().block_mut(j + 1, j, m - j - 1, 1));
            self.attempt(|| {
                self.write(number(T::ONE).view(), v.as_mut().block_mut(j, j, 1, 1))?;
                self.write(number(beta).view(), a.reborrow().block_mut(j, j, 1, 1))
            });
            let (both, x) =
                (v.as_ref().block(j, 0, m - j, j + 1), v.as_ref().block(j, j, m - j, 1));
            let products = sums.as_mut().block_mut(0, 0, j + 1, 1);
            self.gemv(yes, T::ONE, both, x, T::ZERO, products);
            let products = self.download(sums.as_ref().block(0, 0, j + 1, 1))?;
            (0..j).for_each(|i| s.set(i, j, products.at(i, 0)));
            s.set(j, j, products.at(j, 0).ldexp(-1));
        }
        Ok(())
    }

    fn launch_qr(&self, limbs: usize, a: Layout) -> Result<(), Error> {
        let kernel = self.device().module(&source(limbs))?.kernel(QR_PANEL)?;
        let multiprocessors = self.device().info().multiprocessors as usize;
        let most = kernel.resident_blocks(THREADS as u32, 0)? * multiprocessors;
        let blocks = a.shape().0.div_ceil(THREADS).min(most);
        // Two sets of sums for each block, and for the row on the diagonal.
        let set = WIDTH[limbs] * limbs * PACKET;
        let mut sums = Buffer::new(self.stream(), 2 * (blocks + 1) * set)?;
        sums.clear()?;
        let panel = QrPanel { rows: a.rows, columns: a.cols, a, sums: sums.pointer() };
        let shape = Shape { grid: [blocks as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: the panel is borrowed mutably, the sums are freed in the order of the stream; all
        // blocks run at the same time, for there are no more than `most`.
        unsafe { kernel.launch_together(self.stream(), shape, &panel) }
    }
}
