//! All methods, on the host's spaces.

use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{LimbSpace, MpSpace};
use nonius_linalg::mp::Bits;
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
