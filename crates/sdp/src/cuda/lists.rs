//! Lists in a device's memory.

use nonius_gpu::Buffer;

/// Lists in a device's memory that structures of kernels point to.
#[derive(Debug, Default)]
pub(super) struct Lists(Vec<Buffer>);

impl Lists {
    /// Keeps a list; where it is.
    pub(super) fn keep(&mut self, list: Buffer) -> u64 {
        let address = list.address();
        self.0.push(list);
        address
    }
}
