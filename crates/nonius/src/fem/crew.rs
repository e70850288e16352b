//! Simulations on all GPUs of a machine.
//!
//! Whoever has a simulation may ask for anything between its steps. So its ranks are threads that
//! last as long as it does, and all of them do what one asks for.

use std::num::NonZeroU64;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use nonius_comm::Communicator;
use nonius_comm::threads::{Failure as OfRanks, run_with};
use nonius_fem::Precision;
use nonius_fem::solid::{
    Advance, Clock, Failure, Goal, Limits, Operations, Problem, Solids, State, Works,
};
use nonius_linalg::DeviceFailure;

use crate::backend::Member;
use crate::device::all;
use crate::threads::{self, share};

/// So many GPUs as a backend of simulations.
pub(super) struct Crew(pub(super) usize);

impl Solids for Crew {
    fn solids(
        &self,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Box<dyn Advance>, Failure> {
        Ok(Box::new(OnCrew::begin(self.0, Arc::new((problem.clone(), state.clone())), precision)?))
    }
}

/// What every rank does with its part of a problem; it hears which rank it is.
type Order = Arc<dyn Fn(usize, &mut dyn Advance) -> Result<(), Failure> + Send + Sync>;

/// What a rank begins with, and hears from then on.
struct Desk {
    begin: Arc<(Problem, State)>,
    precision: Precision,
    orders: Receiver<Order>,
}

impl Desk {
    /// Does a rank's part of all orders.
    fn serve(self, ranks: &Communicator) -> Result<(), Failure> {
        let Self { begin, precision, orders } = self;
        let gpu = all::open(ranks.rank()).map_err(Failure::Device)?;
        let backend = Member::solids(&gpu, ranks).map_err(Failure::Device)?;
        let mut part = backend.solids(&begin.0, precision, &begin.1)?;
        drop(begin);
        orders.iter().try_for_each(|order| order(ranks.rank(), part.as_mut()))
    }
}

/// How all ranks have ended.
type Ended = Result<(), OfRanks<Failure>>;

/// A problem at a time, of which each rank has a part.
struct OnCrew {
    /// Those of each rank.
    orders: Mutex<Vec<Sender<Order>>>,
    /// The thread that has started the ranks, until it has been waited for.
    thread: Mutex<Option<JoinHandle<Ended>>>,
    /// Why there are no ranks any longer.
    failure: OnceLock<Failure>,
    clock: Clock,
}

impl OnCrew {
    /// Has so many ranks begin with a problem at the time of a state.
    fn begin(
        ranks: usize,
        begin: Arc<(Problem, State)>,
        precision: Precision,
    ) -> Result<Self, Failure> {
        let desk = |_| {
            let (send, orders) = channel();
            (send, Desk { begin: Arc::clone(&begin), precision, orders })
        };
        let (orders, desks): (Vec<_>, Vec<_>) = (0..ranks).map(desk).unzip();
        drop(begin);
        let share = share(ranks);
        let mut works = desks.into_iter().map(|desk| {
            move |ranks: &Communicator| {
                threads::with(Some(share), || desk.serve(ranks)).map_err(failed)?
            }
        });
        let first = works.next().ok_or_else(gone)?;
        let others = works.collect();
        let thread = thread::Builder::new().name("crew".into());
        let thread = thread.spawn(|| run_with(first, others).map(drop)).map_err(failed)?;
        let mut run = Self {
            orders: Mutex::new(orders),
            thread: Mutex::new(Some(thread)),
            failure: OnceLock::new(),
            clock: Clock::default(),
        };
        run.clock = run.ask(|part| Ok(part.clock()))?;
        Ok(run)
    }

    /// Has all ranks do something, and returns what it yields on the first one.
    fn ask<R: Send + 'static>(
        &self,
        what: impl Fn(&mut dyn Advance) -> Result<R, Failure> + Send + Sync + 'static,
    ) -> Result<R, Failure> {
        let (answer, answered) = sync_channel(1);
        let order: Order = Arc::new(move |rank, part| match what(part) {
            // The rank ends with it, and all others learn of it.
            Err(failure @ Failure::Device(_)) => Err(failure),
            found => {
                if rank == 0 {
                    // Who asks waits for it.
                    let _ = answer.send(found);
                }
                Ok(())
            }
        });
        // All ranks have all orders in one order, whoever asks meanwhile.
        all::in_turn(|| {
            for rank in lock(&self.orders).iter() {
                // A rank that has ended takes none, and who waits for it learns why.
                let _ = rank.send(Arc::clone(&order));
            }
            drop(order);
            answered.recv().unwrap_or_else(|_| Err(self.failure()))
        })
    }

    /// Why the ranks have ended.
    fn failure(&self) -> Failure {
        let why = || match self.end() {
            Some(Err(panic)) => resume_unwind(panic),
            Some(Ok(Err(OfRanks::Rank { error, .. }))) if !matches!(error, Failure::Device(_)) => {
                error
            }
            // It says which rank.
            Some(Ok(Err(failure))) => failed(failure),
            Some(Ok(Ok(()))) | None => gone(),
        };
        self.failure.get_or_init(why).clone()
    }

    /// Ends all ranks, and says how they have ended where nobody has heard it.
    fn end(&self) -> Option<thread::Result<Ended>> {
        lock(&self.orders).clear();
        lock(&self.thread).take().map(JoinHandle::join)
    }
}

impl Drop for OnCrew {
    fn drop(&mut self) {
        // Nobody asks for anything that may have failed.
        let _ = self.end();
    }
}

impl Advance for OnCrew {
    fn advance(&mut self, limits: Limits, goal: Goal, steps: u64) -> Result<(), Failure> {
        let (outcome, clock) = self.ask(move |part| match part.advance(limits, goal, steps) {
            Err(failure @ Failure::Device(_)) => Err(failure),
            outcome => Ok((outcome, part.clock())),
        })?;
        self.clock = clock;
        outcome
    }

    fn drift(&mut self) -> Result<f64, Failure> {
        self.ask(|part| part.drift())
    }

    fn operations(&self, resync: Option<NonZeroU64>) -> Result<Operations, Failure> {
        self.ask(move |part| part.operations(resync))
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn works(&self) -> Result<Works, Failure> {
        self.ask(|part| part.works())
    }

    fn kinetic(&self) -> Result<f64, Failure> {
        self.ask(|part| part.kinetic())
    }

    fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure> {
        self.ask(|part| part.motion())
    }

    fn elements(&self, block: usize) -> Result<Vec<f64>, Failure> {
        self.ask(move |part| part.elements(block))
    }

    fn state(&self) -> Result<State, Failure> {
        self.ask(|part| part.state())
    }
}

/// There are no ranks.
fn gone() -> Failure {
    nonius_comm::Error::Lost { rank: 0, cause: "it has ended".into() }.into()
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::Device(nonius_linalg::Error::Device(DeviceFailure::new(error)))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use nonius_fem::model::Kind;
    use nonius_fem::{generate, problem};

    use super::*;

    /// Whoever asks hears of a rank that has failed, and hears it again.
    #[test]
    fn a_rank_that_fails_is_told() {
        let model = generate::bar(Kind::ReducedHexahedron, [60, 3, 3]).unwrap();
        let problem = problem(&model).unwrap();
        let state = State::new(&problem);
        let begin = Arc::new((problem, state));
        let mut run = OnCrew::begin(3, begin, Precision::Double).unwrap();
        let limits = Limits { factor: 0.9, most: f64::INFINITY, resync: None };
        run.advance(limits, 1.0.into(), 3).unwrap();
        assert_eq!(run.clock().steps, 3);
        let calls = AtomicUsize::new(0);
        let lost = nonius_comm::Error::NotStarted("it fell from the bus".into());
        let one_fails = run.ask(move |part| match calls.fetch_add(1, Ordering::Relaxed) {
            1 => Err(lost.clone().into()),
            _ => part.works(),
        });
        let expected = one_fails.unwrap_err();
        let sentence = expected.to_string();
        assert!(sentence.starts_with("rank ") && sentence.ends_with("fell from the bus"));
        assert_eq!(run.advance(limits, 1.0.into(), 1), Err(expected.clone()));
        assert_eq!(run.state().unwrap_err(), expected);
    }

    #[test]
    #[should_panic(expected = "ours")]
    fn a_panic_reaches_the_caller() {
        let model = generate::bar(Kind::ReducedHexahedron, [20, 3, 3]).unwrap();
        let problem = problem(&model).unwrap();
        let state = State::new(&problem);
        let run = OnCrew::begin(2, Arc::new((problem, state)), Precision::Double).unwrap();
        let _: Result<(), Failure> = run.ask(|_| panic!("ours"));
    }
}
