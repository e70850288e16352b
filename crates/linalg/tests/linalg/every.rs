//! Tests at every precision, and with every set of registers.

use std::sync::{Mutex, PoisonError};

use nonius_linalg::cpu::simd::Level;

/// Runs a test that is generic over numbers with each kind of them, at every precision of suites.
macro_rules! at_every_precision {
    ($check:ident) => {
        $check::<f64>(());
        $check::<nonius_num::Dd>(());
        $check::<nonius_num::Td>(());
        $check::<nonius_num::Qd>(());
        for bits in nonius_testkit::PRECISIONS {
            $check::<nonius_num::Mp>(nonius_num::mp::Bits::new(bits).unwrap());
        }
    };
}

/// Runs a test of what numbers of fixed precision alone have with each kind of them.
macro_rules! at_every_width {
    ($check:ident $(, $argument:expr)*) => {
        $check::<f64>($($argument),*);
        $check::<nonius_num::Dd>($($argument),*);
        $check::<nonius_num::Td>($($argument),*);
        $check::<nonius_num::Qd>($($argument),*);
    };
}

/// The level is the whole process's: one test at a time changes it.
static CHANGING: Mutex<()> = Mutex::new(());

/// Runs a test with every set of registers that this processor has.
pub(crate) fn at_every_level(mut test: impl FnMut(Level)) {
    let _alone = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    for level in Level::available() {
        Level::set(level);
        test(level);
    }
    Level::set(Level::best());
}
