//! Where residues lie.

/// Where residues go: planes of lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planes {
    pub(super) address: u64,
    /// Bytes from one plane to the next, and from one line to the next.
    pub(super) stride: usize,
    pub(super) pitch: usize,
}
