//! A contract as a sum of contracts that finite differences take: an option that a barrier knocks
//! in is one without a barrier less one that it knocks out.

use nonius_linalg::Number;

use crate::contract::{Contract, Knock, Monitoring, Side};

/// A contract without its barrier, or one that its barrier knocks out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part<T> {
    /// Whether it counts negatively.
    pub(crate) is_negative: bool,
    /// Whether the barrier matters.
    pub(crate) barrier: bool,
    /// What is paid at once at the barrier.
    pub(crate) rebate: T,
    /// What the payoff is less by.
    pub(crate) deducted: T,
}

/// What a contract is worth.
pub(crate) enum Sum<T> {
    /// The sum of its parts.
    Parts(Vec<Part<T>>),
    /// A sum of money that is due.
    Due(T),
}

/// The parts of a contract.
///
/// With a rebate `R` at maturity, an option that is knocked in is worth
/// `E[payoff·1_in + R·1_out] = E[payoff] − E[(payoff − R)·1_out]`, discounted.
pub(crate) fn parts<T: Number>(contract: &Contract<T>) -> Sum<T> {
    let zero = T::ZERO.to_format(contract.spot.format());
    let plain = Part { is_negative: false, barrier: false, rebate: zero, deducted: zero };
    let Some(barrier) = &contract.barrier else { return Sum::Parts(vec![plain]) };
    let is_beyond = match barrier.side {
        Side::Up => contract.spot >= barrier.level,
        Side::Down => contract.spot <= barrier.level,
    };
    let is_hit = is_beyond && barrier.monitoring == Monitoring::Continuous;
    let rebate = barrier.rebate;
    match barrier.knock {
        Knock::Out if is_hit => Sum::Due(rebate),
        Knock::Out => Sum::Parts(vec![Part { barrier: true, rebate, ..plain }]),
        Knock::In if is_hit => Sum::Parts(vec![plain]),
        Knock::In => Sum::Parts(vec![
            plain,
            Part { is_negative: true, barrier: true, deducted: rebate, ..plain },
        ]),
    }
}
