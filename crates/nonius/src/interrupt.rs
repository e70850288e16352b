//! Ends a computation before it is done.
//!
//! Dense and certified tasks end within milliseconds of CPU work. Tasks that tell of their steps
//! (iterations, time steps) are better stopped by their observers, which leave a result.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

pub use nonius_linalg::interrupt::{Interrupt, Interrupted, interruptible};

use crate::here;

/// Runs a computation on the threads that work; meanwhile the caller's thread asks every `pause`
/// whether it is `wanted`.
///
/// On one of the threads that work, nobody asks.
///
/// ```
/// use std::time::Duration;
///
/// use nonius::interrupt::{Interrupted, watched};
/// use nonius::prelude::*;
///
/// let a = Matrix::from_fn(300, 300, |i, j| Qd::ONE / (i + j + 1) as f64);
/// let inverse = || Inverse::new(&a).device(Device::Cpu).run();
/// assert_eq!(watched(Duration::from_millis(1), inverse, || false).err(), Some(Interrupted));
/// ```
///
/// # Errors
/// [`Interrupted`], where it was not wanted any more.
pub fn watched<R: Send>(
    pause: Duration,
    computation: impl FnOnce() -> R + Send,
    mut wanted: impl FnMut() -> bool,
) -> Result<R, Interrupted> {
    let interrupt = Interrupt::new();
    if rayon::current_thread_index().is_some() {
        return interruptible(&interrupt, computation);
    }
    let (send, receive) = sync_channel(1);
    let here = here::here();
    rayon::in_place_scope(|scope| {
        let interrupt = &interrupt;
        scope.spawn(move |_| {
            // The receiver waits for it.
            let _ = send.send(here::at(here, || interruptible(interrupt, computation)));
        });
        loop {
            match receive.recv_timeout(pause) {
                Ok(outcome) => return outcome,
                Err(RecvTimeoutError::Timeout) if wanted() => {}
                Err(RecvTimeoutError::Timeout) => interrupt.set(),
                // The scope hands the computation's panic on.
                Err(RecvTimeoutError::Disconnected) => return Err(Interrupted),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::threads;

    const PAUSE: Duration = Duration::from_millis(1);

    #[test]
    fn results_arrive() {
        assert_eq!(watched(PAUSE, || 7, || false), Ok(7));
        let inside = || watched(PAUSE, || 8, || unreachable!("nobody asks"));
        assert_eq!(threads::with(NonZeroUsize::new(1), inside).unwrap(), Ok(8));
    }

    #[test]
    fn what_is_not_wanted_ends() {
        let mut asked = 0;
        let forever = || {
            loop {
                nonius_linalg::interrupt::check();
            }
        };
        let wanted = || {
            asked += 1;
            asked < 3
        };
        assert_eq!(watched(PAUSE, forever, wanted), Err::<(), _>(Interrupted));
        assert!(asked >= 3);
    }

    #[test]
    #[should_panic(expected = "ours")]
    fn panics_reach_the_caller() {
        let _ = watched(PAUSE, || panic!("ours"), || true);
    }
}
