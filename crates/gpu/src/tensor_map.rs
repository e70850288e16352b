//! Boxes of matrices as the copying unit of GPUs of compute capability 9.0 takes them.

use core::mem::MaybeUninit;

use cudarc::driver::sys::{
    self, CUtensorMapDataType, CUtensorMapFloatOOBfill, CUtensorMapInterleave,
    CUtensorMapL2promotion, CUtensorMapSwizzle,
};

use crate::driver::check;
use crate::error::Error;

/// Planes of lines of bytes, of which a box of some lines and 128 bytes of each is copied at a time. What lies beyond the lines or their
/// ends is zero.
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

impl Planes {
    /// The structure `TensorMap` for boxes of so many lines.
    pub fn map(self, box_lines: u32) -> Result<[u64; 16], Error> {
        let sizes = [self.depth as u64, self.lines as u64, self.count as u64];
        let strides = [self.depth as u64, self.stride as u64];
        let (whole, steps) = ([BOX_DEPTH, box_lines, 1], [1; 3]);
        let mut map = MaybeUninit::<sys::CUtensorMap>::uninit();
        // SAFETY: every driver from 12.0 on, which `init` asks for, has the function. It writes the map, of 128 bytes at a multiple of 64, and
        // reads three sizes, two strides, and three numbers twice.
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
        Ok(map.opaque)
    }
}
