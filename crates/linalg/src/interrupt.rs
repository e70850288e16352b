//! Ends a computation before it is done.
//!
//! The loops of [`threads`](crate::threads) look at the [`Interrupt`] of the computation that they
//! belong to, before each part of their work. Where it is set, they unwind the computation as a
//! panic would, but without a message. What the computation holds is given back, and
//! [`interruptible`] returns [`Interrupted`].

use core::cell::RefCell;
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The interrupt of the computation that this thread works for.
    static CURRENT: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
}

/// A wish to end a computation, which any thread may express.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

/// The computation ended before it was done, because its [`Interrupt`] was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl Interrupt {
    /// One that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the computations that run with it, and those that begin later.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs a computation that ends early once `interrupt` is set.
///
/// ```
/// use nonius_linalg::dense::inverse;
/// use nonius_linalg::interrupt::{Interrupt, Interrupted, interruptible};
/// use nonius_linalg::Matrix;
///
/// let a = Matrix::from_fn(50, 50, |i, j| 1.0 / (1 + i + j) as f64 + f64::from(i == j));
/// let interrupt = Interrupt::new();
/// assert!(interruptible(&interrupt, || inverse(a.view())).is_ok());
/// interrupt.set();
/// assert_eq!(interruptible(&interrupt, || inverse(a.view())).err(), Some(Interrupted));
/// ```
///
/// # Errors
/// [`Interrupted`], where the computation has not ended of its own accord before.
pub fn interruptible<R>(
    interrupt: &Interrupt,
    computation: impl FnOnce() -> R,
) -> Result<R, Interrupted> {
    let guarded = AssertUnwindSafe(|| with(Some(interrupt.clone()), computation));
    catch_unwind(guarded).map_err(|panic| match panic.downcast::<Interrupted>() {
        Ok(interrupted) => *interrupted,
        Err(panic) => resume_unwind(panic),
    })
}

/// Unwinds the computation that this thread works for, where its interrupt is set.
///
/// Algorithms that wait for something else than [`threads`](crate::threads) call this.
pub fn check() {
    if CURRENT.with_borrow(|interrupt| interrupt.as_ref().is_some_and(Interrupt::is_set)) {
        resume_unwind(Box::new(Interrupted));
    }
}

/// Does `work` to its end, whatever the interrupt of this computation says.
///
/// A GPU may still write to memory that an unwound computation would give back.
pub fn uninterrupted<R>(work: impl FnOnce() -> R) -> R {
    with(None, work)
}

/// The interrupt of the computation that this thread works for.
pub(crate) fn current() -> Option<Interrupt> {
    CURRENT.with_borrow(Clone::clone)
}

/// Does `work` for a computation with this interrupt, then goes on for the one before.
pub(crate) fn with<R>(interrupt: Option<Interrupt>, work: impl FnOnce() -> R) -> R {
    struct Before(Option<Interrupt>);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _before = Before(CURRENT.replace(interrupt));
    work()
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl core::error::Error for Interrupted {}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::threads::{Grain, enter, for_each_index, join};

    /// Sets the interrupt at the index 10 of 1000, and counts the calls.
    fn interrupted_at_ten(threads: usize, grain: Grain) -> usize {
        let (interrupt, calls) = (Interrupt::new(), AtomicUsize::new(0));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let outcome = pool.install(|| {
            interruptible(&interrupt, || {
                enter(|| {
                    for_each_index(1000, grain, |i| {
                        calls.fetch_add(1, Ordering::Relaxed);
                        if i == 10 {
                            interrupt.set();
                        }
                    });
                });
            })
        });
        assert_eq!(outcome, Err(Interrupted));
        calls.into_inner()
    }

    #[test]
    fn loops_end_early() {
        for grain in [Grain::Single, Grain::ANY, Grain::WHOLE] {
            assert_eq!(interrupted_at_ten(1, grain), 11);
            // What other threads did until then.
            assert!(interrupted_at_ten(3, grain) >= 1);
        }
    }

    #[test]
    fn a_thread_goes_on_with_the_interrupt_before() {
        let (outer, inner) = (Interrupt::new(), Interrupt::new());
        inner.set();
        let outcome = interruptible(&outer, || {
            assert_eq!(interruptible(&inner, check), Err(Interrupted));
            check();
            join(check, check);
        });
        assert_eq!(outcome, Ok(()));
        assert!(current().is_none());
    }

    /// Two computations share the threads; the interrupt of one does not end the other.
    #[test]
    fn others_are_not_interrupted() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let started = Barrier::new(2);
        let computed = |interrupted: bool| {
            let interrupt = Interrupt::new();
            started.wait();
            pool.install(|| {
                interruptible(&interrupt, || {
                    for_each_index(100_000, Grain::Single, |i| {
                        if i == 5 && interrupted {
                            interrupt.set();
                        }
                    });
                })
            })
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(|| computed(false));
            assert_eq!(computed(true), Err(Interrupted));
            assert_eq!(other.join().unwrap(), Ok(()));
        });
    }

    #[test]
    fn what_must_end_ends() {
        let interrupt = Interrupt::new();
        interrupt.set();
        let outcome = interruptible(&interrupt, || {
            uninterrupted(|| for_each_index(9, Grain::Single, |_| check()));
            check();
        });
        assert_eq!(outcome, Err(Interrupted));
    }

    #[test]
    fn panics_go_on() {
        let outcome = catch_unwind(|| interruptible(&Interrupt::new(), || panic!("ours")));
        assert_eq!(*outcome.unwrap_err().downcast::<&str>().unwrap(), "ours");
    }
}
