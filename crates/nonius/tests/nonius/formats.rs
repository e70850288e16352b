//! Numbers of several precisions in one call.

use std::ops::ControlFlow;

use nonius::linalg::dense::Transpose;
use nonius::linalg::dense::gemm::Products;
use nonius::linalg::sparse::{Coo, Triplet};
use nonius::linalg::{Error, mp};
use nonius::num::mp::Bits;
use nonius::{
    Device, KrylovOptions, Matmul, Matrix, Mp, Precision, SparseValues, Storage, determinant,
    krylov, matmul, tridiagonal_room,
};

fn bits(bits: u32) -> Bits {
    Bits::new(bits).unwrap()
}

fn thirds(precision: u32, rows: usize, cols: usize) -> mp::Matrix {
    let third = Mp::one(bits(precision)) / Mp::from_f64(bits(precision), 3.0);
    Matrix::from_fn_in(bits(precision), rows, cols, |_, _| third)
}

/// `Mp::ONE` has 64 bits, and a product the bits of its factors.
#[test]
fn a_product_has_the_bits_of_its_factors() {
    let (a, b) = (thirds(424, 2, 3), thirds(424, 3, 2));
    let (transpose_a, transpose_b) = (Transpose::No, Transpose::No);
    let product = || Matmul { a: &a, transpose_a, b: &b, transpose_b, alpha: Mp::ONE };
    let run = |added| matmul(product(), added, Products::default(), Device::Cpu).unwrap();
    let (c, report) = run(None);
    assert_eq!(report.precision, Precision::Mp(bits(424)));
    let third = Mp::one(bits(424)) / Mp::from_f64(bits(424), 3.0);
    assert!((c.at(0, 0) - third).abs().to_f64() < 0.5_f64.powi(422));
    let (again, report) = run(Some((Mp::ONE, Matrix::zeros_in(bits(424), 2, 2))));
    assert_eq!(report.precision, Precision::Mp(bits(424)));
    assert!(again.at(1, 1) == c.at(1, 1));
}

#[test]
fn vectors_of_other_bits_are_refused_by_iterations() {
    let identity = |n| {
        let one = |i| Triplet { row: i, col: i, value: 1.0 };
        SparseValues::<Mp>::Short(Coo::new(n, n, (0..n).map(one).collect()).unwrap())
    };
    let expected = |operand, found| Error::Precision { operand, expected: 128, found };
    for storage in [Storage::default(), Storage::Residues(None)] {
        let options = KrylovOptions { storage, ..KrylovOptions::default() };
        // 100 bits take as many words as 128.
        for found in [106, 100, 64, 424] {
            for (b, x0, operand) in [(found, 128, "b"), (128, found, "x0")] {
                let (b, x0) = (thirds(b, 2, 1), thirds(x0, 2, 1));
                let found_error =
                    krylov(bits(128), identity(2), &b, x0, &options, Device::Cpu, |_| {
                        ControlFlow::Continue(())
                    });
                assert_eq!(found_error.unwrap_err(), expected(operand, found));
            }
        }
    }
}

/// Exponents of numbers of any precision end as well.
#[test]
fn a_determinant_that_no_number_holds_is_refused() {
    for (power, about) in [(1 << 27, 1_i64 << 29), (-(1 << 27), -(1 << 29))] {
        let entry = |i, j| if i == j { Mp::one(bits(64)).ldexp(power) } else { Mp::zero(bits(64)) };
        let a = Matrix::from_fn_in(bits(64), 4, 4, entry);
        let Error::OutOfRange { result: "the determinant", exponent } =
            determinant(&a, Products::default(), Device::Cpu).unwrap_err()
        else {
            panic!("expected a refusal");
        };
        assert!((exponent - about).abs() <= 1, "{exponent}");
    }
}

/// Sizes whose product exceeds all integers.
#[test]
fn batches_beyond_all_memory_are_refused() {
    let half = 1_usize << 63;
    for shape in [(half, half), (usize::MAX, usize::MAX), (half, 2)] {
        assert!(tridiagonal_room::<f64>((), shape).is_err(), "{shape:?}");
    }
}
