//! Solutions with proved digits, of systems of any sizes and with right-hand sides of zeros.

use nonius_linalg::Scalar;
use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::{Data, DigitsIn, Failure, Options, solve};
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::mp::Bits;
use nonius_testkit::{Random, random_cases};

use crate::random::exact::{self, Exact, OF_LOGARITHMS, spread};
use crate::random::inputs::{at_any_precision, matrix, rights, symmetric};

#[test]
fn random_digits_are_proved() {
    random_cases("proved digits", 500, |random| at_any_precision!(random, proved));
}

fn proved<T: Scalar>(random: &mut Random) {
    let n = 1 + random.below(6);
    let a = if random.below(3) == 0 { symmetric::<T>(random, n) } else { matrix(random, n, n) };
    let cols = [1, 3, 18][random.below(3)];
    let mut b = rights(random, &a, cols);
    if random.below(3) == 0 {
        b.col_mut(random.below(cols)).fill(T::ZERO);
    }
    let solved = exact::solve(&exact::rows(&a), &exact::rows(&b));
    let digits = [1, 16, 40][random.below(3)];
    let digits_in = [DigitsIn::Entry, DigitsIn::Norm][random.below(2)];
    let options = Options { digits, digits_in, most_bits: Bits::new(Bits::MOST).unwrap() };
    let data = [&a, &b].map(|x| Data::from_matrix(x.view()));
    let cpu = Cpu::new(Products::direct());
    let found = match solve(&cpu, &data[0], &data[1], options, &mut |_| {}) {
        Ok(found) => found,
        Err(refusal) => {
            let justified = match &refusal.failure {
                // Entries that are zero, or so small beside the largest that they seem to be.
                Failure::Undecided(open) => {
                    let size = |i: usize, j: usize| solved.numerators[i][j].log2();
                    let largest =
                        |j: usize| (0..n).map(|i| size(i, j)).fold(f64::NEG_INFINITY, f64::max);
                    let negligible = -64.0 - 2.0 * f64::from(digits) / std::f64::consts::LOG10_2;
                    digits_in == DigitsIn::Entry
                        && open.iter().all(|x| size(x.row, x.col) - largest(x.col) < negligible)
                }
                Failure::Singular { .. } | Failure::Zero { .. } | Failure::ZeroDiagonal { .. } => {
                    solved.determinant.is_zero()
                }
                // More bits than the limit may be needed where entries of all sizes meet.
                Failure::Precision { .. } => spread(&a).max(spread(&b)) > 1000,
                _ => false,
            };
            assert!(justified, "{digits} digits in {digits_in:?}: {refusal}: {a:?} {b:?}");
            return;
        }
    };
    assert!(!solved.determinant.is_zero(), "a solution of a singular system: {a:?}");
    let promised = found.digits.unwrap_or(u32::MAX);
    assert!(promised >= digits, "{promised} of {digits}: {a:?} {b:?}");
    let below = solved.determinant.log2();
    for j in 0..cols {
        let size = |i: usize| solved.numerators[i][j].log2() - below;
        let largest = (0..n).map(size).fold(f64::NEG_INFINITY, f64::max);
        for i in 0..n {
            let x = Exact::of_mp(found.x.entry(i, j));
            let error = &solved.numerators[i][j] - &(&x * &solved.determinant);
            if error.is_zero() {
                continue;
            }
            let beside = if digits_in == DigitsIn::Entry { size(i) } else { largest };
            let allowed = beside - f64::from(digits) / std::f64::consts::LOG10_2 - 1.0;
            let exact = found.digits.is_none();
            let error = error.log2() - below;
            assert!(!exact && error <= allowed + OF_LOGARITHMS, "entry ({i}, {j}): {a:?} {b:?}");
        }
    }
}
