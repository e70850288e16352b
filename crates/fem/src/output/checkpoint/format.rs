//! What all files have in common.

/// What tells models apart: a hash of all that a run depends on.
pub type Fingerprint = [u8; 32];

/// The version that is written, and the newest that can be read.
pub const VERSION: u32 = 1;

/// Bytes that are converted at once.
pub(super) const BUFFER: usize = 1 << 20;
