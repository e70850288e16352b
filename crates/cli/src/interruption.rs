//! Signals that end the program.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

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
        nonius::fem::output::remove_unfinished();
        let _ = writeln!(std::io::stderr(), "nonius: interrupted");
        // At once, and not by the handlers that libraries have for a process's end: other threads are still at work,
        // and a GPU's driver that is closed under them aborts the process.
        signal_hook::low_level::exit(i32::from(EXIT_CODE));
    });
}

/// From now on a first signal is only noted, for work that ends itself; a second one ends the program.
pub(crate) fn wait_for_it() {
    AWAITED.store(true, Ordering::Relaxed);
}

/// Whether there was a signal.
pub(crate) fn noted() -> bool {
    NOTED.load(Ordering::Relaxed)
}
