//! Householder reflections of a few columns. Sums are of blocks of rows: the last bits are not the host's.

use core::ffi::CStr;

use nonius_gpu::{Buffer, Error, Kernel, Shape, Source, argument_of_words};
use nonius_linalg::Scalar;
use nonius_linalg::backend::{Memory, Reflect, View};

use crate::backend::Cuda;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use crate::texts;
use crate::words::Words;

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

fn source(limbs: usize) -> Source {
    let numbers = [("REFLECT_WIDTH", width(limbs)), ("REFLECT_THREADS", THREADS)];
    texts::of_limbs("reflect", limbs, "dense/reflect.cu").define_all(&numbers)
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
            let words = Words::default().matrix(copy.as_mut().layout);
            self.attempt(|| self.launch_reflect::<T>(c"unit_lower", shape, &words));
        }
        copy
    }

    fn halve_diagonal(&self, a: DeviceMut<'_, T>) {
        let (rows, columns) = a.layout.shape();
        if rows > 0 && columns > 0 {
            let blocks = rows.min(columns).div_ceil(THREADS) as u32;
            let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
            let words = Words::default().matrix(a.layout);
            self.attempt(|| self.launch_reflect::<T>(c"halve_diagonal", shape, &words));
        }
    }
}

impl Cuda {
    fn reflect_kernel<T: Scalar>(&self, name: &'static CStr) -> Result<Kernel, Error> {
        self.device().module(&source(T::LIMBS))?.kernel(name)
    }

    fn launch_reflect<T: Scalar>(
        &self,
        name: &'static CStr,
        shape: Shape,
        words: &Words,
    ) -> Result<(), Error> {
        let kernel = self.reflect_kernel::<T>(name)?;
        // SAFETY: the kernels take one structure, which `words` is, member by member: a matrix that is borrowed mutably or new, whose memory is freed in the
        // order of the stream.
        unsafe { kernel.launch(self.stream(), shape, &mut [argument_of_words(words.as_slice())]) }
    }

    fn launch_qr<T: Scalar>(&self, a: Layout) -> Result<(), Error> {
        let kernel = self.reflect_kernel::<T>(c"qr_panel")?;
        let (rows, columns) = a.shape();
        let multiprocessors = self.device().info().multiprocessors as usize;
        let most = kernel.resident_blocks(THREADS as u32, 0)? * multiprocessors;
        let blocks = rows.div_ceil(THREADS).min(most);
        // Two sets of sums for each block, and for the row on the diagonal.
        let set = width(T::LIMBS) * T::LIMBS * PACKET;
        let mut sums = Buffer::new(self.stream(), 2 * (blocks + 1) * set)?;
        sums.clear()?;
        let words = Words::default().long(rows).long(columns).matrix(a).address(sums.address());
        let shape = Shape { grid: [blocks as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: the kernel takes one structure, which `words` is, member by member. The panel is borrowed mutably, the sums are freed in the order of the
        // stream; all blocks run at the same time, for there are no more than `most`.
        unsafe {
            kernel.launch_together(self.stream(), shape, &mut [argument_of_words(words.as_slice())])
        }
    }
}
