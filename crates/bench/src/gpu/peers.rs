//! What other libraries reach on an NVIDIA H200 (driver 580, CUDA 13.0), measured in November 2026; kernels alone.
//!
//! - GQD: Lu, He, Luo, *Supporting extended precision on graphics processors*, the library `gpuprec`;
//! - MPLAPACK: the kernel of Nakata and others, sloppy products and Cray-style sums;
//! - tiled: 64 × 64 tiles of normalised operators, IEEE sums (dd), branch-free (qd);
//! - unnormalised: 64 × 64 tiles, 4 × 4 numbers a thread, sums of 12 instructions a term that are normalised at the end;
//! - slices: Ozaki's scheme by products of slices in FP64, 21 (dd) and 66 (qd);
//! - MPRES-BLAS: residue number systems of 106 and 212 bits, vectors of 10⁶ numbers;
//! - cuBLAS and cuSOLVER at f64.

use std::fmt::Write;

use super::vectors::{FEW, MANY};

/// A library's figures for an operation at some sizes.
struct Peer {
    library: &'static str,
    precision: &'static str,
    operation: &'static str,
    /// Rows of the result, and work a second in our row's unit: Gop/s of elements, GFLOPS of matrices.
    rates: &'static [(usize, f64)],
}

const fn peer(
    library: &'static str,
    precision: &'static str,
    operation: &'static str,
    rates: &'static [(usize, f64)],
) -> Peer {
    Peer { library, precision, operation, rates }
}

const PEERS: &[Peer] = &[
    peer("GQD", "dd", "add", &[(MANY, 83.0)]),
    peer("GQD", "dd", "mul", &[(MANY, 83.0)]),
    peer("GQD", "dd", "div", &[(MANY, 82.0)]),
    peer("GQD", "dd", "sqrt", &[(MANY, 114.0)]),
    peer("GQD", "dd", "exp", &[(MANY, 14.1)]),
    peer("GQD", "dd", "ln", &[(MANY, 12.8)]),
    peer("GQD", "dd", "sin", &[(MANY, 7.5)]),
    peer("GQD", "qd", "add", &[(MANY, 41.0)]),
    peer("GQD", "qd", "mul", &[(MANY, 41.0)]),
    peer("GQD", "qd", "div", &[(MANY, 15.4)]),
    peer("GQD", "qd", "sqrt", &[(MANY, 4.3)]),
    peer("GQD", "qd", "exp", &[(MANY, 1.24)]),
    peer("GQD", "qd", "ln", &[(MANY, 0.38)]),
    peer("GQD", "qd", "sin", &[(MANY, 0.40)]),
    peer("GQD", "dd", "add chain", &[(FEW, 1130.0)]),
    peer("GQD", "dd", "mul chain", &[(FEW, 526.0)]),
    peer("GQD", "dd", "div chain", &[(FEW, 241.0)]),
    peer("GQD", "qd", "add chain", &[(FEW, 144.0)]),
    peer("GQD", "qd", "mul chain", &[(FEW, 60.0)]),
    peer("GQD", "qd", "div chain", &[(FEW, 18.0)]),
    peer("MPRES-BLAS axpy", "dd", "mul_add", &[(MANY, 3.3)]),
    peer("MPRES-BLAS axpy", "qd", "mul_add", &[(MANY, 1.3)]),
    peer("MPRES-BLAS", "dd", "dot", &[(MANY, 1.4)]),
    peer("unnormalised", "dd", "gemm", &[(2048, 2190.0), (4096, 2220.0), (8192, 2290.0)]),
    peer("slices", "dd", "gemm", &[(1024, 1930.0), (2048, 2510.0), (4096, 2800.0), (8192, 2870.0)]),
    peer("MPRES-BLAS", "dd", "gemm", &[(1024, 9.3)]),
    peer(
        "tiled",
        "dd",
        "gemm-ieee",
        &[(1024, 950.0), (2048, 990.0), (4096, 1000.0), (8192, 980.0)],
    ),
    peer(
        "MPLAPACK",
        "dd",
        "gemm-sloppy",
        &[(1024, 1630.0), (2048, 1700.0), (4096, 1760.0), (8192, 1750.0)],
    ),
    peer("tiled", "qd", "gemm", &[(1024, 147.0), (2048, 151.0), (4096, 153.0)]),
    peer("slices", "qd", "gemm", &[(1024, 460.0), (2048, 660.0), (4096, 800.0), (8192, 860.0)]),
    peer("MPRES-BLAS", "qd", "gemm", &[(1024, 3.0)]),
    peer("cuBLAS", "f64", "gemm", &[(4096, 57_000.0)]),
    peer("cuSOLVER", "f64", "lu", &[(2400, 1317.0), (4096, 3369.0), (8192, 9570.0)]),
    peer("cuSOLVER", "f64", "cholesky", &[(2400, 3840.0), (4096, 10_910.0), (8192, 21_300.0)]),
];

/// The peers' figures for what a row measures, each with our rate over theirs.
pub(super) fn beside(precision: &str, operation: &str, rows: usize, rate: f64) -> String {
    let mut text = String::new();
    for peer in PEERS.iter().filter(|p| p.precision == precision && p.operation == operation) {
        for (_, theirs) in peer.rates.iter().filter(|(size, _)| *size == rows) {
            let _ = write!(text, "   {} {theirs} ({:.2}×)", peer.library, rate / theirs);
        }
    }
    text
}
