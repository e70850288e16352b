//! All methods, on the host's spaces.

use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{LimbSpace, MpSpace, RnsSpace};
use nonius_linalg::mp::Bits;
use nonius_num::rns::float::Format;
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::krylov::suite;

#[test]
fn limbs() {
    suite(&mut LimbSpace::<f64>::new());
    suite(&mut LimbSpace::<Dd>::new());
    suite(&mut LimbSpace::<Td>::new());
    suite(&mut LimbSpace::<Qd>::new());
}

#[test]
fn numbers_of_any_bits() {
    for bits in [64, 106, 424] {
        suite(&mut MpSpace::new(Bits::new(bits).unwrap()));
    }
}

#[test]
fn sums_rounded_term_by_term() {
    let space = MpSpace::new(Bits::new(212).unwrap());
    suite(&mut space.with_arithmetic(Arithmetic::Ieee).unwrap());
}

#[test]
fn numbers_in_residues() {
    suite(&mut RnsSpace::new(&Format::with_bits(106).unwrap()).unwrap());
    // Moduli of one's own: primes below 2^16.
    let is_prime = |m: &u32| (3..256).step_by(2).all(|d| d >= *m || !m.is_multiple_of(d));
    let moduli: Vec<u32> = (3..1 << 16).rev().step_by(2).filter(is_prime).take(16).collect();
    suite(&mut RnsSpace::new(&Format::new(&moduli).unwrap()).unwrap());
}
