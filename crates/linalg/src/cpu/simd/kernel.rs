//! Work for registers.

use nonius_num::Lane;

/// Work that is written once for registers of any width.
pub trait Kernel {
    /// What it returns.
    type Output;

    /// Does the work with registers `L`. Implementations must be `#[inline(always)]`, and so must
    /// everything they call per element: only what is inlined here is compiled with the level's
    /// instructions.
    fn run<L: Lane>(self) -> Self::Output;
}
