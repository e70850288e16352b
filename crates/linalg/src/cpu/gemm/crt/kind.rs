//! The kinds of units, and the fastest one.

use std::sync::OnceLock;

use super::bytes;

/// Set to `floats`, residues are not multiplied as bytes.
const VARIABLE: &str = "NONIUS_RESIDUES";

/// The kinds of [`Unit`](super::unit::Unit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu::gemm) enum Kind {
    /// Products of bytes, summed in 32 bits.
    Bytes,
    /// Products of integers in `f64`.
    Floats,
}

impl Kind {
    /// The one that is fastest on this processor, or the one that [`VARIABLE`] asks for.
    pub(in crate::cpu::gemm) fn best() -> Self {
        static BEST: OnceLock<Kind> = OnceLock::new();
        *BEST.get_or_init(|| {
            let floats = std::env::var(VARIABLE).is_ok_and(|name| name == "floats");
            if floats || bytes::Level::current() == bytes::Level::Plain {
                Kind::Floats
            } else {
                Kind::Bytes
            }
        })
    }
}
