//! The host does the same every time, also from a state.

use nonius_linalg::backend::Cpu;

use crate::model::Kind;
use crate::solid::tests::suite::same_as;

#[test]
fn runs_repeat() {
    for kind in Kind::ALL {
        same_as(&Cpu::default(), &Cpu::default(), kind);
    }
}
