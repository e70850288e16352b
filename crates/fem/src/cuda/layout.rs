//! How runs are laid out on a device.

use crate::solid::PATCH;

/// How a run is laid out on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceLayout {
    /// Elements of a patch, which are the threads of a block: 32, 64, 128 or 256; other numbers are
    /// taken as the next of these.
    pub patch: usize,
    /// Streams among which the patches of each block are divided, at least one.
    pub streams: usize,
}

impl Default for DeviceLayout {
    fn default() -> Self {
        Self { patch: PATCH, streams: 1 }
    }
}
