//! The engines that compute products of matrices, and what they promise.

use core::fmt;

/// A way to compute products of matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Every multiply-add in the element's own [`Arithmetic`](super::Arithmetic).
    Direct,
    /// Integer products modulo many numbers, put together by the Chinese remainder theorem:
    /// [`crt`](super::crt).
    Crt,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 2] = [Engine::Direct, Engine::Crt];

    /// The spelling everywhere: `direct`, `crt`.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Direct => "direct",
            Engine::Crt => "crt",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What [`Engine::Crt`] promises of its error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Accuracy {
    /// The direct product's bound for every entry: `c·u·(|A||B|)_ij`. Where exponents spread
    /// widely, this takes more bits, or the direct product.
    #[default]
    Entrywise,
    /// `k·2^(2 − t)·max|a_i|·max|b_j|` for row `i` and column `j`, with `t` the bits of an entry:
    /// small entries of a product may lose all digits beside large ones of their row or column.
    Normwise,
}

impl Accuracy {
    /// Both.
    pub const ALL: [Accuracy; 2] = [Accuracy::Entrywise, Accuracy::Normwise];

    /// The spelling everywhere: `entrywise`, `normwise`.
    pub fn name(self) -> &'static str {
        match self {
            Accuracy::Entrywise => "entrywise",
            Accuracy::Normwise => "normwise",
        }
    }
}
