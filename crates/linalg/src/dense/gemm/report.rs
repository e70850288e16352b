//! How a product was computed.

use super::Engine;
use super::crt::Fallback;

/// How a product was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// By which engine.
    pub engine: Engine,
    /// For [`Engine::Crt`] the bits of the integers that entries were rounded to.
    pub bits: Option<u32>,
    /// For [`Engine::Crt`] the number of moduli; else 0.
    pub moduli: usize,
    /// Why [`Engine::Crt`] was tried and not taken.
    pub fallback: Option<Fallback>,
}

impl Report {
    /// A product that the direct engine was chosen for.
    pub const fn direct() -> Self {
        Self { engine: Engine::Direct, bits: None, moduli: 0, fallback: None }
    }
}
