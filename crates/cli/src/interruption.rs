//! Signals that end the program, and its end.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{ranks, say};

/// Exit status of a run that a signal has ended.
pub(crate) const EXIT_CODE: u8 = 130;

/// Whether somebody asks for [`NOTED`].
static AWAITED: AtomicBool = AtomicBool::new(false);
/// Whether there was a signal.
static NOTED: AtomicBool = AtomicBool::new(false);

/// From now on a signal ends the program without leaving a temporary file behind.
pub(crate) fn listen() {
    // Without the handler it ends the program as well.
    let _ = ctrlc::set_handler(|| {
        if AWAITED.load(Ordering::Relaxed) && !NOTED.swap(true, Ordering::Relaxed) {
            return;
        }
        nonius::files::remove_unfinished();
        // A launcher that ends ranks says why itself.
        if ranks::count() == 1 {
            say::failure("interrupted");
        }
        end_process(EXIT_CODE);
    });
}

/// From now on a first signal is only noted, for work that ends itself; a second one ends the
/// program.
pub(crate) fn wait_for_it() {
    AWAITED.store(true, Ordering::Relaxed);
}

/// Whether there was a signal.
pub(crate) fn noted() -> bool {
    NOTED.load(Ordering::Relaxed)
}

/// Ends the process at once, without the functions that libraries have registered for its end.
///
/// A GPU's driver has threads of its own and closes itself by such a function, while those threads
/// or others still use it: one process in a thousand aborted there, its results complete. Nothing
/// waits for standard output, which a thread that is interrupted may hold.
pub(crate) fn end_process(exit_code: u8) -> ! {
    signal_hook::low_level::exit(i32::from(exit_code))
}
