//! All methods, on the host's spaces.

use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{HostSpace, RnsSpace};
use nonius_linalg::mp::Bits;
use nonius_num::rns::float::Format;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::krylov::suite;

#[test]
fn limbs() {
    suite(&mut HostSpace::<f64>::new(()));
    suite(&mut HostSpace::<Dd>::new(()));
    suite(&mut HostSpace::<Td>::new(()));
    suite(&mut HostSpace::<Qd>::new(()));
}

#[test]
fn numbers_of_any_bits() {
    for bits in [64, 106, 424, 1000, 2048] {
        suite(&mut HostSpace::<Mp>::new(Bits::new(bits).unwrap()));
    }
}

#[test]
fn sums_rounded_term_by_term() {
    let space = HostSpace::<Mp>::new(Bits::new(212).unwrap());
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
