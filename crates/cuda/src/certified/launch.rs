//! How the kernels of certified solvers are launched.

/// Threads of a block, and the side of a square that is transposed.
pub(super) const THREADS: u32 = 256;
