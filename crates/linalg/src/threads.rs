//! Work that the threads of the current pool share.
//!
//! A parallel loop of rayon is compiled anew for each closure that it runs, some hundred functions
//! at a time. The loops of this module hand closures on as `dyn Fn`. What cuts the work and gives
//! it to threads is compiled once for each kind of [`Parts`], for loops over indices once in all.
//!
//! A call through `dyn` takes a few nanoseconds, so that one index or part should be worth many.
//! Work is cut in halves while threads are idle, as rayon does it, and within the limits of a
//! [`Grain`]. No result depends on the cuts: each index and each part has its own. Where a pool has
//! one thread, the caller's thread does the whole.
//!
//! Work that is too short to be shared runs [`alone`].
//!
//! A panic of the work reaches the caller after the other threads have ended theirs. Before each
//! index or part, a thread looks whether the computation is [interrupted](crate::interrupt).

use core::cell::Cell;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::interrupt;

thread_local! {
    /// Whether this thread works [`alone`].
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// How finely work is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Into single parts, each of which the next free thread takes.
    Single,
    /// As long as halves have at least this many parts.
    AtLeast(usize),
}

impl Grain {
    /// As long as threads are idle.
    pub const ANY: Self = Self::AtLeast(1);

    /// Not at all: the caller's thread does the whole.
    pub const WHOLE: Self = Self::AtLeast(usize::MAX);

    /// [`ANY`](Self::ANY) for work that is worth sharing, else [`WHOLE`](Self::WHOLE).
    pub fn shared_if(worth: bool) -> Self {
        if worth { Self::ANY } else { Self::WHOLE }
    }
}

/// What falls into parts, each of which one thread may have.
pub trait Parts: Sized + Send {
    /// One of them.
    type Part;

    /// How many there are.
    fn count(&self) -> usize;

    /// The first `count` parts, and the others.
    fn cut(self, count: usize) -> (Self, Self);

    /// Takes the first part away.
    fn take_first(&mut self) -> Option<Self::Part>;
}

/// Items of a slice.
impl<'a, T: Send> Parts for &'a mut [T] {
    type Part = &'a mut T;

    fn count(&self) -> usize {
        self.len()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }

    fn take_first(&mut self) -> Option<&'a mut T> {
        self.split_off_first_mut()
    }
}

/// Chunks of a slice; see [`chunks`].
#[derive(Debug)]
pub struct Chunks<'a, T> {
    rest: &'a mut [T],
    size: usize,
}

/// `size` items of a slice in each part, fewer in the last. Panics where `size` is zero.
pub fn chunks<T>(items: &mut [T], size: usize) -> Chunks<'_, T> {
    assert_ne!(size, 0, "items of a chunk");
    Chunks { rest: items, size }
}

impl<'a, T: Send> Parts for Chunks<'a, T> {
    type Part = &'a mut [T];

    fn count(&self) -> usize {
        self.rest.len().div_ceil(self.size)
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let middle = self.rest.len().min(count * self.size);
        let (left, right) = self.rest.split_at_mut(middle);
        (Self { rest: left, ..self }, Self { rest: right, ..self })
    }

    fn take_first(&mut self) -> Option<&'a mut [T]> {
        let size = self.size.min(self.rest.len());
        if size == 0 { None } else { self.rest.split_off_mut(..size) }
    }
}

/// Parts side by side, as many as the shorter has.
impl<A: Parts, B: Parts> Parts for (A, B) {
    type Part = (A::Part, B::Part);

    fn count(&self) -> usize {
        self.0.count().min(self.1.count())
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let ((a, rest_of_a), (b, rest_of_b)) = (self.0.cut(count), self.1.cut(count));
        ((a, b), (rest_of_a, rest_of_b))
    }

    fn take_first(&mut self) -> Option<Self::Part> {
        Some((self.0.take_first()?, self.1.take_first()?))
    }
}

/// Calls `work` with the place of each part and the part.
///
/// ```
/// use nonius_linalg::threads::{Grain, chunks, for_each};
///
/// let mut numbers = [0; 10];
/// for_each(chunks(&mut numbers, 4), Grain::ANY, |place, part| part.fill(place));
/// assert_eq!(numbers, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
/// ```
pub fn for_each<P: Parts>(parts: P, grain: Grain, work: impl Fn(usize, P::Part) + Sync) {
    each(parts, grain, &work);
}

/// [`for_each`] with scratch memory, which `init` makes for each run of parts that a thread takes.
pub fn for_each_with<P: Parts, M>(
    parts: P,
    grain: Grain,
    init: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, usize, P::Part) + Sync,
) {
    share(parts, grain, &|first, parts| {
        let mut memory = init();
        go_through(first, parts, &mut |index, part| work(&mut memory, index, part));
    });
}

/// Calls `work` with each index below `count`.
pub fn for_each_index(count: usize, grain: Grain, work: impl Fn(usize) + Sync) {
    each_index(count, grain, &work);
}

/// `work(i)` for each index below `count`, in their order.
///
/// ```
/// use nonius_linalg::threads::{Grain, map};
///
/// assert_eq!(map(4, Grain::ANY, |i| i * i), [0, 1, 4, 9]);
/// ```
pub fn map<R: Send>(count: usize, grain: Grain, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    results(count, |found| each(found, grain, &|i, to: &mut Option<R>| *to = Some(work(i))))
}

/// [`map`] with scratch memory, which `init` makes for each run of indices that a thread takes.
pub fn map_with<R: Send, M>(
    count: usize,
    grain: Grain,
    init: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, usize) -> R + Sync,
) -> Vec<R> {
    results(count, |found| {
        for_each_with(found, grain, init, |memory, i, to| *to = Some(work(memory, i)));
    })
}

/// What `work` makes of the place of each part and the part, in their order.
pub fn map_parts<P: Parts, R: Send>(
    parts: P,
    grain: Grain,
    work: impl Fn(usize, P::Part) -> R + Sync,
) -> Vec<R> {
    results(parts.count(), |found| {
        for_each((parts, found), grain, |i, (part, to)| *to = Some(work(i, part)));
    })
}

/// Whether all indices below `count` pass a test; after one that does not, others may go without.
pub fn all(count: usize, grain: Grain, test: impl Fn(usize) -> bool + Sync) -> bool {
    let passed = AtomicBool::new(true);
    for_each_index(count, grain, |i| {
        if passed.load(Ordering::Relaxed) && !test(i) {
            passed.store(false, Ordering::Relaxed);
        }
    });
    passed.into_inner()
}

/// Runs both, at the same time where there are two threads.
pub fn join<R: Send, S: Send>(
    first: impl FnOnce() -> R + Send,
    second: impl FnOnce() -> S + Send,
) -> (R, S) {
    let interrupt = interrupt::current();
    let (mut first, mut second) = (Task::new(first), Task::new(second));
    both(&mut || interrupt::with(interrupt.clone(), || first.run()), &mut || {
        interrupt::with(interrupt.clone(), || second.run())
    });
    (first.result(), second.result())
}

/// Runs work on this thread, which shares nothing of it with others: what takes less time than
/// the handing over, some ten microseconds.
///
/// ```
/// use nonius_linalg::threads::{alone, available};
///
/// assert_eq!(alone(available), 1);
/// ```
pub fn alone<R>(work: impl FnOnce() -> R) -> R {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _before = Before(ALONE.replace(true));
    work()
}

/// How many threads share the work of this one.
pub fn available() -> usize {
    if ALONE.get() { 1 } else { rayon::current_num_threads() }
}

/// Runs an algorithm on a thread of the pool.
///
/// Operations that an outsider shares with the pool cost it two changes of threads each; this pays
/// for them once.
pub fn enter<R: Send>(algorithm: impl FnOnce() -> R + Send) -> R {
    let interrupt = interrupt::current();
    let mut task = Task::new(algorithm);
    inside(&mut || interrupt::with(interrupt.clone(), || task.run()));
    task.result()
}

/// A function to be called once, and what it returns.
struct Task<F, R> {
    function: Option<F>,
    result: Option<R>,
}

impl<F: FnOnce() -> R, R> Task<F, R> {
    fn new(function: F) -> Self {
        Self { function: Some(function), result: None }
    }

    fn run(&mut self) {
        self.result = self.function.take().map(|function| function());
    }

    fn result(self) -> R {
        self.result.expect("a task has run")
    }
}

/// The results that `fill` puts into `count` places.
fn results<R: Send>(count: usize, fill: impl FnOnce(&mut [Option<R>])) -> Vec<R> {
    let mut found = Vec::new();
    found.resize_with(count, || None);
    fill(&mut found);
    found.into_iter().map(|result| result.expect("each index has a result")).collect()
}

fn each<P: Parts>(parts: P, grain: Grain, work: &(dyn Fn(usize, P::Part) + Sync)) {
    share(parts, grain, &|first, parts| go_through(first, parts, &mut |i, part| work(i, part)));
}

fn each_index(count: usize, grain: Grain, work: &(dyn Fn(usize) + Sync)) {
    share(Indices(0..count), grain, &|first, range| go_through(first, range, &mut |_, i| work(i)));
}

fn go_through<P: Parts>(first: usize, mut parts: P, work: &mut dyn FnMut(usize, P::Part)) {
    let mut index = first;
    while let Some(part) = parts.take_first() {
        interrupt::check();
        work(index, part);
        index += 1;
    }
}

struct Indices(Range<usize>);

impl Parts for Indices {
    type Part = usize;

    fn count(&self) -> usize {
        self.0.len()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let middle = self.0.start + count;
        (Self(self.0.start..middle), Self(middle..self.0.end))
    }

    fn take_first(&mut self) -> Option<usize> {
        self.0.next()
    }
}

/// Calls `work` with runs of parts and the place of the first of each.
fn share<P: Parts>(parts: P, grain: Grain, work: &(dyn Fn(usize, P) + Sync)) {
    let cuts = Cuts::new(parts.count(), grain);
    let interrupt = interrupt::current();
    divide(0, parts, cuts, false, &|first, parts| {
        interrupt::with(interrupt.clone(), || work(first, parts));
    });
}

fn divide<P: Parts>(
    first: usize,
    parts: P,
    mut cuts: Cuts,
    migrated: bool,
    work: &(dyn Fn(usize, P) + Sync),
) {
    let count = parts.count();
    if !cuts.are_worth_it(count, migrated) {
        return work(first, parts);
    }
    let middle = count / 2;
    let (left, right) = parts.cut(middle);
    let (mut left, mut right) = (Some(left), Some(right));
    fork(
        &mut |migrated| {
            if let Some(left) = left.take() {
                divide(first, left, cuts, migrated, work);
            }
        },
        &mut |migrated| {
            if let Some(right) = right.take() {
                divide(first + middle, right, cuts, migrated, work);
            }
        },
    );
}

/// How often work is still to be cut in halves: as rayon's adaptors do it.
#[derive(Clone, Copy)]
struct Cuts {
    /// Pieces that this one is still to be cut into, about.
    pieces: usize,
    /// Parts that a half has at least.
    least: usize,
}

impl Cuts {
    fn new(count: usize, grain: Grain) -> Self {
        let threads = available();
        match grain {
            _ if threads == 1 => Self { pieces: 0, least: usize::MAX },
            Grain::Single => Self { pieces: threads.max(count), least: 1 },
            Grain::AtLeast(least) => Self { pieces: threads, least: least.max(1) },
        }
    }

    /// Whether `count` parts are to be halved. Parts that another thread has taken show that
    /// threads are idle.
    fn are_worth_it(&mut self, count: usize, migrated: bool) -> bool {
        if count / 2 < self.least {
            return false;
        }
        if migrated {
            self.pieces = rayon::current_num_threads().max(self.pieces / 2);
            return true;
        }
        let more = self.pieces > 0;
        self.pieces /= 2;
        more
    }
}

/// Runs both, and tells each whether another thread has taken it.
fn fork(first: &mut (dyn FnMut(bool) + Send), second: &mut (dyn FnMut(bool) + Send)) {
    rayon::join_context(|context| first(context.migrated()), |context| second(context.migrated()));
}

fn both(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    if available() == 1 {
        first();
        second();
    } else {
        rayon::join(first, second);
    }
}

fn inside(work: &mut (dyn FnMut() + Send)) {
    if available() == 1 || rayon::current_thread_index().is_some() {
        work();
    } else {
        rayon::scope(|_| work());
    }
}

#[cfg(test)]
mod tests;
