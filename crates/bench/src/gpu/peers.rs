//! What other libraries reach on an NVIDIA H200: `runs/2026-11-nvidia-h200/peers.csv`.
//!
//! - GQD: Lu, He, Luo, *Supporting extended precision on graphics processors*, library `gpuprec`;
//! - MPLAPACK: the kernel of Nakata and others, sloppy products and Cray-style sums;
//! - tiled: 64 × 64 tiles of normalised operators, IEEE sums (dd), branch-free (qd);
//! - unnormalised: 64 × 64 tiles, 4 × 4 numbers a thread, sums of 12 instructions a term that are
//!   normalised at the end;
//! - slices: Ozaki's scheme by products of slices in FP64, 21 (dd) and 66 (qd);
//! - MPRES-BLAS: residue number systems of 106 and 212 bits, vectors of 10⁶ numbers;
//! - cuBLAS, cuSOLVER and cuSPARSE at f64.

use std::fmt::Write;
use std::sync::LazyLock;

use crate::record::Record;

static PEERS: LazyLock<Vec<Record>> = LazyLock::new(|| {
    let text = include_str!("../../runs/2026-11-nvidia-h200/peers.csv");
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().expect("the peers' figures are records")
});

/// Elements in the regime bound by memory: more than the caches hold.
pub(super) const MEMORY_BOUND_LENGTH: usize = 1 << 22;

/// The peers' precision that stands beside one of ours.
fn counterpart(precision: &str) -> &str {
    match precision {
        "mp106" => "dd",
        "mp212" => "qd",
        other => other,
    }
}

/// The peers' figures for what a row measures, each with our rate over theirs.
///
/// Rates are in GFLOPS, and in Gop/s of elements.
pub(super) fn beside(precision: &str, operation: &str, rows: usize, rate: f64) -> String {
    let mut text = String::new();
    let found = PEERS.iter().filter(|peer| {
        // Vectors of 10⁶ numbers stand beside longer ones.
        let size = if peer.m == 1_000_000 { MEMORY_BOUND_LENGTH } else { peer.m };
        counterpart(&peer.precision) == precision && peer.operation == operation && size == rows
    });
    for peer in found {
        let theirs = if peer.unit == "M/s" { peer.rate / 1e3 } else { peer.rate };
        let _ = write!(text, "   {} {theirs} ({:.2}×)", peer.library, rate / theirs);
    }
    text
}

/// Seconds that a peer takes for batches of some systems and equations.
pub(super) fn seconds(precision: &str, operation: &str, shape: [usize; 2]) -> Option<f64> {
    let found = PEERS.iter().find(|peer| {
        peer.precision == precision && peer.operation == operation && [peer.m, peer.n] == shape
    });
    Some(found?.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_beside_ours() {
        assert_eq!(beside("dd", "add", MEMORY_BOUND_LENGTH, 166.0), "   GQD 83 (2.00×)");
        assert_eq!(beside("dd", "dot", MEMORY_BOUND_LENGTH, 1.4), "   MPRES-BLAS 1.4 (1.00×)");
        assert!(beside("qd", "gemm", 1024, 1.0).contains("tiled 147"));
        assert_eq!(seconds("f64", "tridiag-strided", [4096, 256]), Some(61e-6));
        assert_eq!(seconds("dd", "tridiag-strided", [4096, 256]), None);
    }
}
