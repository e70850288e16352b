//! Householder reflections of a few columns. Sums are of blocks of rows: the last bits are not the host's.

use nonius_gpu::{Buffer, Entry, Error, Pointer, Shape, Source, kernel_arguments, kernel_types};
use nonius_linalg::Number;
use nonius_linalg::backend::{Cpu, Memory, Reflect, View, ViewMut};

use crate::backend::Cuda;
use crate::kind::{Kind, by_limbs};
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use crate::texts;

/// Most columns of a panel, by the registers that their sums take.
const WIDTH: [usize; 5] = [32, 32, 16, 16, 8];

/// [`Reflect::TOGETHER`]: products of so many terms gain from the residue engine.
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
        /// For every block two, zeros at first: for even and odd columns; then two for the row on the diagonal.
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

    /// Those of numbers of any precision are factored by the host.
    fn qr_panel(&self, a: DeviceMut<'_, T>) {
        let (rows, columns) = a.layout.shape();
        assert!(columns <= by_limbs::<T>(WIDTH) && columns <= rows, "a panel's shape");
        match Kind::of::<T>(a.format) {
            _ if columns == 0 => {}
            Kind::Limbs(limbs) => {
                self.attempt(|| self.launch_qr(limbs, a.layout));
            }
            Kind::Mp(_) => {
                if let Ok(mut panel) = self.download(a.as_ref()) {
                    Reflect::<T>::qr_panel(&Cpu::new(self.products()), panel.view_mut());
                    self.attempt(|| self.write(panel.view(), a));
                }
            }
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
        // SAFETY: a matrix that is borrowed mutably or new, whose memory is freed in the order of the stream.
        unsafe { kernel.launch(self.stream(), shape, &matrix) }
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
        // SAFETY: the panel is borrowed mutably, the sums are freed in the order of the stream; all blocks run at the same
        // time, for there are no more than `most`.
        unsafe { kernel.launch_together(self.stream(), shape, &panel) }
    }
}
