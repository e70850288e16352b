//! Householder reflections of a few columns. Sums are of blocks of rows: the last bits are not the host's.

use nonius_gpu::{
    Arguments, Buffer, Entry, Error, Kernel, Pointer, Shape, Source, kernel_arguments, kernel_types,
};
use nonius_linalg::Scalar;
use nonius_linalg::backend::{Memory, Reflect, View};

use crate::backend::Cuda;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use crate::texts;

/// Most columns of a panel, by the registers that their sums take.
const fn width(limbs: usize) -> usize {
    [0, 32, 16, 16, 8][limbs]
}

/// By limbs, [`Reflect::TOGETHER`]: products of so many terms gain from the residue engine.
const TOGETHER: [usize; 5] = [0, 128, 512, 256, 256];

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
    let numbers = [("REFLECT_WIDTH", width(limbs)), ("REFLECT_THREADS", THREADS)];
    texts::of_limbs("reflect", limbs, "dense/reflect.cu")
        .define_all(&numbers)
        .entry(QR_PANEL)
        .entry(UNIT_LOWER)
        .entry(HALVE_DIAGONAL)
}

/// Every module of this capability.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    vec![source(limbs)]
}

/// For columns scaled to about the same size, as factorisations have them.
impl<T: Scalar> Reflect<T> for Cuda {
    const REFLECTORS: usize = width(T::LIMBS);
    const TOGETHER: usize = TOGETHER[T::LIMBS];

    fn qr_panel(&self, a: DeviceMut<'_, T>) {
        let (rows, columns) = a.layout.shape();
        assert!(columns <= width(T::LIMBS) && columns <= rows, "a panel's shape");
        if columns > 0 {
            self.attempt(|| self.launch_qr::<T>(a.layout));
        }
    }

    fn unit_lower(&self, a: DeviceRef<'_, T>) -> DeviceMatrix<T> {
        let mut copy = self.copy_of(a);
        let (rows, columns) = a.shape();
        if rows > 0 && columns > 0 {
            let shape =
                Shape { grid: [columns as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
            let copy = copy.as_mut().layout;
            self.attempt(|| self.launch_reflect::<T>(UNIT_LOWER, shape, copy));
        }
        copy
    }

    fn halve_diagonal(&self, a: DeviceMut<'_, T>) {
        let (rows, columns) = a.layout.shape();
        if rows > 0 && columns > 0 {
            let blocks = rows.min(columns).div_ceil(THREADS) as u32;
            let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
            self.attempt(|| self.launch_reflect::<T>(HALVE_DIAGONAL, shape, a.layout));
        }
    }
}

impl Cuda {
    fn reflect_kernel<T: Scalar, A: Arguments>(&self, entry: Entry<A>) -> Result<Kernel<A>, Error> {
        self.device().module(&source(T::LIMBS))?.kernel(entry)
    }

    fn launch_reflect<T: Scalar>(
        &self,
        entry: Entry<Layout>,
        shape: Shape,
        matrix: Layout,
    ) -> Result<(), Error> {
        let kernel = self.reflect_kernel::<T, _>(entry)?;
        // SAFETY: a matrix that is borrowed mutably or new, whose memory is freed in the order of the stream.
        unsafe { kernel.launch(self.stream(), shape, &matrix) }
    }

    fn launch_qr<T: Scalar>(&self, a: Layout) -> Result<(), Error> {
        let kernel = self.reflect_kernel::<T, _>(QR_PANEL)?;
        let multiprocessors = self.device().info().multiprocessors as usize;
        let most = kernel.resident_blocks(THREADS as u32, 0)? * multiprocessors;
        let blocks = a.shape().0.div_ceil(THREADS).min(most);
        // Two sets of sums for each block, and for the row on the diagonal.
        let set = width(T::LIMBS) * T::LIMBS * PACKET;
        let mut sums = Buffer::new(self.stream(), 2 * (blocks + 1) * set)?;
        sums.clear()?;
        let panel = QrPanel { rows: a.rows, columns: a.cols, a, sums: sums.pointer() };
        let shape = Shape { grid: [blocks as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: the panel is borrowed mutably, the sums are freed in the order of the stream; all blocks run at the same
        // time, for there are no more than `most`.
        unsafe { kernel.launch_together(self.stream(), shape, &panel) }
    }
}
