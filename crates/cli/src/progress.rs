//! Signs of life during long work: on standard error, and only where that is a terminal.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use nonius::files::printable;

/// Whether progress is shown.
#[derive(Clone, Copy)]
pub(crate) struct Progress {
    shown: bool,
}

impl Progress {
    pub(crate) fn new(silent: bool) -> Self {
        Self { shown: !silent && std::io::stderr().is_terminal() }
    }

    /// A bar over the bytes of a file, or a count of them where their number is unknown.
    pub(crate) fn bytes(self, doing: String, length: Option<u64>) -> ProgressBar {
        let template = match length {
            Some(_) => "{msg} {wide_bar} {bytes}/{total_bytes} {eta}",
            None => "{spinner} {msg} {bytes}",
        };
        self.bar(ProgressBar::with_draw_target(length, self.target()), template, doing)
    }

    /// A bar over the ten thousandths of some work, with the time that is left.
    pub(crate) fn parts(self, doing: String) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(10_000), self.target());
        self.bar(bar, "{msg} {wide_bar} {percent} % {eta}", doing)
    }

    /// A spinner with the time passed.
    pub(crate) fn work(self, doing: String) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, self.target());
        self.bar(bar, "{spinner} {msg} {elapsed}", doing)
    }

    fn target(self) -> indicatif::ProgressDrawTarget {
        if self.shown {
            indicatif::ProgressDrawTarget::stderr()
        } else {
            indicatif::ProgressDrawTarget::hidden()
        }
    }

    fn bar(self, bar: ProgressBar, template: &str, doing: String) -> ProgressBar {
        if self.shown {
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        bar.with_message(printable(&doing).into_owned())
    }
}
