//! Lists in a device's memory.

use nonius_gpu::{Buffer, Pointer};

/// Lists in a device's memory that structures of kernels point to.
#[derive(Debug, Default)]
pub(super) struct Lists(Vec<Buffer>);

impl Lists {
    /// Keeps a list; where it is.
    pub(super) fn keep<P>(&mut self, list: Buffer) -> Pointer<P> {
        let pointer = list.pointer();
        self.0.push(list);
        pointer
    }
}
