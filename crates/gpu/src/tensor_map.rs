//! Boxes of matrices as the copying unit of GPUs of compute capability 9.0 takes them.

use core::mem::MaybeUninit;

use cudarc::driver::sys::{
    self, CUtensorMapDataType, CUtensorMapFloatOOBfill, CUtensorMapInterleave,
    CUtensorMapL2promotion, CUtensorMapSwizzle,
};

use crate::arguments::KernelType;
use crate::driver::check;
use crate::error::Error;
use crate::plain::Plain;

/// Planes of lines of bytes, of which a box of some lines and 128 bytes of each is copied at a
/// time. What lies beyond the lines or their ends is zero.
#[derive(Clone, Copy, Debug)]
pub struct Planes {
    /// Where the first begins: a multiple of 16.
    pub address: u64,
    /// How many there are.
    pub count: usize,
    /// Lines of a plane.
    pub lines: usize,
    /// Bytes of a line, which is also what lies from one to the next: a multiple of 16.
    pub depth: usize,
    /// Bytes from one plane to the next.
    pub stride: usize,
}

/// Bytes of a line in a box.
const BOX_DEPTH: u32 = 128;

/// What the copying unit knows of a matrix and its boxes (`TensorMap` in kernels).
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct TensorMap([u64; 16]);

const _: () = assert!(size_of::<TensorMap>() == size_of::<sys::CUtensorMap>());

// SAFETY: `repr(C)`, numbers that fill it.
unsafe impl Plain for TensorMap {}

impl KernelType for TensorMap {
    fn declare(name: &str) -> String {
        format!("TensorMap {name}")
    }
}

impl Planes {
    /// The map of these planes for boxes of `box_lines` lines.
    pub fn map(self, box_lines: u32) -> Result<TensorMap, Error> {
        let sizes = [self.depth as u64, self.lines as u64, self.count as u64];
        let strides = [self.depth as u64, self.stride as u64];
        let (whole, steps) = ([BOX_DEPTH, box_lines, 1], [1; 3]);
        let mut map = MaybeUninit::<sys::CUtensorMap>::uninit();
        // SAFETY: every driver from 12.0 on, which `init` asks for, has the function. It writes the
        // map, of 128 bytes at a multiple of 64, and reads three sizes, two strides, and three
        // numbers twice.
        let result = unsafe {
            sys::cuTensorMapEncodeTiled(
                map.as_mut_ptr(),
                CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT8,
                sizes.len() as u32,
                self.address as *mut _,
                sizes.as_ptr(),
                strides.as_ptr(),
                whole.as_ptr(),
                steps.as_ptr(),
                CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
                CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B,
                CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
            )
        };
        check(result, "describing planes")?;
        // SAFETY: written by the call.
        let map = unsafe { map.assume_init() };
        Ok(TensorMap(map.opaque))
    }
}
