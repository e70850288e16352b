//! Tests at every precision, and with every set of registers.

use std::sync::{Mutex, PoisonError};

use nonius_linalg::cpu::simd::Level;

/// Runs a generic test at every precision.
macro_rules! at_every_precision {
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
