//! Numbers of several precisions in one call.

use nonius::dense::{Error, decimal_determinant};
use nonius::num::mp::Bits;
use nonius::prelude::*;
use nonius::sparse::{self, Coo, Options, Storage, Triplet};
use nonius::tridiag;

fn bits(bits: u32) -> Bits {
    Bits::new(bits).unwrap()
}

fn thirds(precision: u32, rows: usize, cols: usize) -> Matrix<Mp> {
    let third = Mp::one(bits(precision)) / Mp::from_f64(bits(precision), 3.0);
    Matrix::from_fn_in(bits(precision), rows, cols, |_, _| third)
}

/// `Mp::ONE` has 64 bits, and a product the bits of its factors.
#[test]
fn a_product_has_the_bits_of_its_factors() {
    let (a, b) = (thirds(424, 2, 3), thirds(424, 3, 2));
    let product = Multiply::new(&a, &b).device(Device::Cpu);
    let (c, report) = product.clone().run().unwrap();
    assert_eq!(report.precision, Precision::Mp(bits(424)));
    let third = Mp::one(bits(424)) / Mp::from_f64(bits(424), 3.0);
    assert!((c.at(0, 0) - third).abs().to_f64() < 0.5_f64.powi(422));
    let zeros = Matrix::zeros_in(bits(424), 2, 2);
    let (again, report) = product.plus(Mp::ONE, zeros).run().unwrap();
    assert_eq!(report.precision, Precision::Mp(bits(424)));
    assert!(again.at(1, 1) == c.at(1, 1));
}

#[test]
fn vectors_of_other_bits_are_refused_by_iterations() {
    let identity = |n| {
        let one = |i| Triplet { row: i, col: i, value: 1.0 };
        Coo::new(n, n, (0..n).map(one).collect()).unwrap()
    };
    for storage in [Storage::default(), Storage::Residues(None)] {
        let options = Options { storage, ..Options::default() };
        // 100 bits take as many words as 128.
        for other in [106, 100, 64, 424] {
            for (expected, found) in [(128, other), (other, 128)] {
                let (b, x0) = (thirds(expected, 2, 1), thirds(found, 2, 1));
                let solve = sparse::Solve::short(identity(2), &b).start(&x0);
                let refused = solve.options(options.clone()).device(Device::Cpu).run();
                let error = Error::Precision { operand: "x0", expected, found };
                assert_eq!(refused.unwrap_err(), error);
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
        let (value, report) = Determinant::new(&a).device(Device::Cpu).run().unwrap();
        let Error::OutOfRange { result: "the determinant", exponent } =
            decimal_determinant(&value, report.precision).unwrap_err()
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
        assert!(tridiag::check_room::<f64>((), shape).is_err(), "{shape:?}");
    }
}
