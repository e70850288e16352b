//! Why runs stop.

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// An element has a volume that is not positive, or is not a number.
    Inverted {
        /// The place of its block.
        block: usize,
        /// Its place there.
        element: usize,
    },
    /// A node's velocity is not finite.
    NotFinite {
        /// The node.
        node: usize,
    },
    /// A state does not have the numbers of the problem.
    OtherState,
    /// A device cannot go on.
    Device(nonius_linalg::Error),
}
