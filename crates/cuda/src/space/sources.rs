//! The modules of spaces.

use nonius_gpu::Source;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::mp::Bits;
use nonius_num::rns::float::Format;

use super::kind::Kind;
use super::{source, sparse, triangle};
use crate::texts::USUAL_BITS;

fn all(kind: &Kind) -> Vec<Source> {
    let mut sources = vec![source(kind, Arithmetic::Delayed)];
    sources.extend(sparse::sources(kind));
    sources.extend(triangle::sources(kind));
    sources
}

/// Every module of this capability for limbs; those of other numbers are compiled for the bits that
/// are asked for.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    all(&Kind::Limbs(limbs))
}

/// The modules of `mp` numbers and of those in residues that are compiled beforehand: of a usual
/// precision.
pub(crate) fn usual_sources() -> Vec<Source> {
    let mut sources = Vec::new();
    if let Ok(bits) = Bits::new(USUAL_BITS) {
        sources.extend(all(&Kind::Mp(bits)));
        sources.push(source(&Kind::Mp(bits), Arithmetic::Ieee));
    }
    if let Ok(format) = Format::with_bits(USUAL_BITS) {
        sources.extend(all(&Kind::Rns(format)));
    }
    sources
}
