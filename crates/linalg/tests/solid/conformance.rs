//! The host does the same every time, also from a state.

use nonius_linalg::backend::Cpu;
use nonius_testkit::solids::{KINDS, same_bits};

#[test]
fn runs_repeat() {
    for kind in KINDS {
        same_bits(&Cpu::default(), kind);
    }
}
