//! What happens between maturity and today, in the order of a calculation that goes back in time.

use nonius_linalg::Number;

use crate::contract::{Amount, Contract, Exercise, Monitoring, Volatility};

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event<T> {
    /// Time passes, from the later time to the earlier.
    Span(Span<T>),
    /// The underlying falls.
    Dividend(Amount<T>),
    /// The option may be exercised.
    Exercise,
    /// The barrier is looked at.
    Monitoring,
}

/// Times between which nothing happens and no rate changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span<T> {
    pub(crate) later: T,
    pub(crate) earlier: T,
    /// Whether the solution at the later time may have kinks and jumps.
    pub(crate) is_fresh: bool,
}

/// Fewest steps of the coarsest grid after a kink, two of which are damped, and elsewhere.
const FEWEST: [usize; 2] = [4, 1];

/// Rounding may add this much to a whole number of steps, which makes no further step.
const ROUNDED: f64 = 1e-9;

impl<T: Number> Span<T> {
    /// How many steps it has in the coarsest grid, if the whole time has `time` of them.
    pub(crate) fn steps(&self, time: usize, maturity: T) -> usize {
        let share = ((self.later - self.earlier) / maturity).to_f64() * time as f64;
        ((share - ROUNDED).ceil() as usize).max(if self.is_fresh { FEWEST[0] } else { FEWEST[1] })
    }
}

/// All events. At one date the barrier is looked at, then the option may be exercised, then the
/// underlying pays: backwards the other way round.
pub(crate) fn timeline<T: Number>(contract: &Contract<T>, barrier: bool) -> Vec<Event<T>> {
    let maturity = contract.maturity;
    let monitoring: &[T] = match contract.barrier.as_ref().filter(|_| barrier) {
        Some(barrier) => match &barrier.monitoring {
            Monitoring::Dates(dates) => dates,
            Monitoring::Continuous => &[],
        },
        None => &[],
    };
    let exercises: &[T] = match &contract.exercise {
        Exercise::Bermudan(dates) => dates,
        _ => &[],
    };
    let dividends: Vec<_> = contract.effective_dividends().collect();
    let mut times: Vec<T> = contract.rates.changes().chain(contract.yields.changes()).collect();
    match &contract.volatility {
        Volatility::Terms(terms) => times.extend(terms.changes()),
        Volatility::Local(surface) => times.extend(surface.times()),
    }
    times.extend(dividends.iter().map(|dividend| dividend.time));
    times.extend(exercises.iter().chain(monitoring));
    times.retain(|&time| time > T::ZERO && time < maturity);
    times.push(T::ZERO);
    times.sort_by(|a, b| b.partial_cmp(a).unwrap_or(core::cmp::Ordering::Equal));
    times.dedup();

    let mut events = Vec::new();
    let at = |time: T, events: &mut Vec<Event<T>>| {
        let before = events.len();
        // Of several dividends at one date the last of the list is the first to undo.
        let paid = dividends.iter().rev().filter(|dividend| dividend.time == time);
        events.extend(paid.map(|dividend| Event::Dividend(dividend.amount)));
        let american = contract.exercise == Exercise::American && events.len() > before;
        if american || (time < maturity && exercises.contains(&time)) {
            events.push(Event::Exercise);
        }
        if monitoring.contains(&time) {
            events.push(Event::Monitoring);
        }
        events.len() > before
    };
    at(maturity, &mut events);
    let (mut later, mut is_fresh) = (maturity, true);
    for earlier in times {
        events.push(Event::Span(Span { later, earlier, is_fresh }));
        is_fresh = at(earlier, &mut events);
        later = earlier;
    }
    events
}
