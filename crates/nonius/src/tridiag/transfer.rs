//! Ways to a GPU.

/// How a batch comes to a GPU, and its solution back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// All at once; then the solution; then all back.
    Synchronous,
    /// In pieces, whose copies and solutions overlap.
    #[default]
    Asynchronous,
    /// Kernels reach the host's memory.
    Mapped,
    /// It is in the device's memory before, and the solution stays there.
    Device,
}

impl Transfer {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Synchronous, Self::Asynchronous, Self::Mapped, Self::Device];

    /// The spelling: `sync`, `async`, `mapped`, `device`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Synchronous => "sync",
            Self::Asynchronous => "async",
            Self::Mapped => "mapped",
            Self::Device => "device",
        }
    }
}
