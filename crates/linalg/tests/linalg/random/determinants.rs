//! Determinants: digits claimed at a fixed precision, and digits proved.

use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::{self, Data, DigitsIn, Failure, Options};
use nonius_linalg::dense::determinant_on;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::mp::Bits;
use nonius_linalg::{Matrix, Scalar};
use nonius_testkit::{Random, random_cases};

use crate::random::exact::{self, Exact, OF_LOGARITHMS, Rows, spread};
use crate::random::inputs::{at_any_precision, matrix, symmetric};
use crate::random::solve::ALLOWANCE;

fn determinant(a: &Rows) -> Exact {
    exact::solve(a, &vec![Vec::new(); a.len()]).determinant
}

#[test]
fn random_determinants_have_the_digits_claimed() {
    random_cases("determinants", 1000, |random| at_any_precision!(random, claimed));
}

fn square<T: Scalar>(random: &mut Random, most: usize) -> Matrix<T> {
    let n = random.below(most);
    if random.below(3) == 0 { symmetric(random, n) } else { matrix(random, n, n) }
}

fn claimed<T: Scalar>(random: &mut Random) {
    let a = square::<T>(random, 8);
    let exact = determinant(&exact::rows(&a));
    let found = determinant_on(&Cpu::default(), a.view()).unwrap();
    let value = &Exact::of(found.value.mantissa) * &Exact::power(found.value.exponent);
    let claimed = (-found.error_estimate.log10()).max(0.0);
    let error = (&value - &exact).log2();
    if error == f64::NEG_INFINITY {
        return;
    }
    let digits = (exact.log2() - error) * std::f64::consts::LOG10_2;
    assert!(
        claimed <= digits.max(0.0) + ALLOWANCE,
        "{}: {claimed} digits claimed, {digits} there: {a:?}",
        T::NAME
    );
}

/// Digits are proved of every matrix whose numbers fit, zero included.
#[test]
fn random_determinants_are_proved() {
    random_cases("proved determinants", 300, |random| at_any_precision!(random, proved));
}

fn proved<T: Scalar>(random: &mut Random) {
    let a = square::<T>(random, 7);
    let exact = determinant(&exact::rows(&a));
    let digits = [1, 16, 40][random.below(3)];
    let most_bits = Bits::new(Bits::MOST).unwrap();
    let options = Options { digits, digits_in: DigitsIn::Entry, most_bits };
    let cpu = Cpu::new(Products::direct());
    let found =
        match certified::determinant(&cpu, &Data::from_matrix(a.view()), options, &mut |_| {}) {
            Ok(found) => found,
            // Rows and columns of very different sizes may take more bits than there are.
            Err(refusal) => {
                let regular =
                    !exact.is_zero() && matches!(refusal.failure, Failure::Precision { .. });
                assert!(regular && spread(&a) > 1000, "{refusal}: {a:?}");
                return;
            }
        };
    let value = Exact::of_mp(found.value.view());
    let error = (&value - &exact).abs();
    match found.digits {
        None => assert!(error.is_zero(), "not exact: {a:?}"),
        Some(proved) => {
            assert!(proved >= digits, "{proved} of {digits}: {a:?}");
            let allowed = exact.log2() - f64::from(proved) / std::f64::consts::LOG10_2 - 1.0;
            assert!(
                error.log2() <= allowed + OF_LOGARITHMS,
                "{proved} digits are not there: {a:?}"
            );
        }
    }
}

/// A triangle of any sizes has the product of its diagonal, and one with a zero there has none.
#[test]
fn random_graded_triangles() {
    random_cases("graded triangles", 300, |random| {
        let n = 1 + random.below(12);
        let mut a = Matrix::zeros(n, n);
        for j in 0..n {
            for i in j..n {
                let e = random.below(2000) as i32 - 1000;
                a[(i, j)] = random.unit() * 2.0_f64.powi(e);
            }
        }
        if random.below(4) == 0 {
            let k = random.below(n);
            a[(k, k)] = 0.0;
        }
        let a = if random.below(2) == 0 { a.transposed() } else { a };
        let exact = (0..n).fold(Exact::one(), |product, k| &product * &Exact::of(a[(k, k)]));
        let most_bits = Bits::new(4096).unwrap();
        let options = Options { digits: 30, digits_in: DigitsIn::Entry, most_bits };
        let cpu = Cpu::new(Products::direct());
        let data = Data::from_matrix(a.view());
        let found = certified::determinant(&cpu, &data, options, &mut |_| {});
        let found = found.unwrap_or_else(|refusal| panic!("{refusal}: {a:?}"));
        let error = (&Exact::of_mp(found.value.view()) - &exact).abs();
        let allowed = exact.log2() - 30.0 / std::f64::consts::LOG10_2;
        assert!(error.is_zero() || found.digits.is_some() && error.log2() < allowed, "{a:?}");
    });
}
