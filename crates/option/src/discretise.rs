//! The equation on a grid, as an evolution.
//!
//! **Method.** Back in time `τ` the price obeys `V_τ = ½σ²S²·V_SS + (r − q)·S·V_S − r·V` (Black and
//! Scholes 1973, Merton 1973). With the node's number `x` as the variable, `S' = dS/dx`,
//!
//! `V_SS = (V_x/S')_x/S'`, by central differences `((V_(i+1) − V_i)/S'_(i+1/2) − (V_i −
//! V_(i−1))/S'_(i−1/2))/S'_i`, and `V_S = (V_(i+1) − V_(i−1))/(2·S'_i)`.
//!
//! At `S = 0` the equation is `V_τ = −r·V`; at the far end `V_SS = 0` and `V_S` is the difference
//! from the node before; at a barrier the price is the rebate.
//!
//! In time Crank–Nicolson with Rannacher's start-up: after a kink or a jump the first two steps are
//! made of two halves each that are implicit Euler (Rannacher 1984; Giles and Carter, *Convergence
//! analysis of Crank–Nicolson and Rannacher time-marching*, 2006). For American exercise the times
//! are `τ_k = τ·(k/m)²` after a kink, which gives order 2 in spite of the square root with which
//! the boundary begins (Forsyth and Vetzal, *Quadratic convergence for valuing American options
//! using a penalty method*, 2002), with the complementarity problem solved in every step; the last
//! two steps are damped like the first, since the boundary goes from node to node and what each
//! jump stirs would be seen in today's gamma and theta. A volatility that is local is taken in the
//! middle of a step.
//!
//! **Error.** `C·h² + O(h⁴)` for a grid whose distances in both directions are `h` times those of
//! another, for European exercise and continuous barriers, since strike and barriers are nodes;
//! with American exercise the boundary lies between nodes, which adds to the `h²` a part that is
//! not smooth in `h`, some hundredths of it, or as much where the boundary rests for years.
//!
//! Dividends move values along the nodes by cubic interpolation. What looking at a barrier does is
//! in [`monitoring`](crate::monitoring).

use nonius_linalg::Number;

use crate::contract::{Amount, Contract, Exercise, Kind};
use crate::evolve::{Constraint, End, Evolution, Generator, Row, Stage, Steps};
use crate::layout::{Edge, Layout, Mesh};
use crate::monitoring::monitoring;
use crate::part::Part;
use crate::timeline::{Event, Span, timeline};

/// An evolution from maturity until today.
pub(crate) struct Discretisation<T> {
    pub(crate) evolution: Evolution<T>,
    /// For every step with an obstacle the time at its end.
    pub(crate) times: Vec<T>,
}

/// How the right to exercise at one date comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtDates {
    /// As a floor, which knows where between two nodes its kink lies.
    Floor,
    /// As a step of no time, which tells the nodes that are exercised.
    Step,
}

/// The exercise region's end of the nodes.
pub(crate) fn exercise_end(kind: Kind) -> End {
    match kind {
        Kind::Call => End::High,
        Kind::Put => End::Low,
    }
}

/// The evolution of a part of a contract on a grid of `time` steps, halved `level` times.
pub(crate) fn discretise<T: Number>(
    contract: &Contract<T>,
    part: &Part<T>,
    (layout, mesh): (&Layout<T>, &Mesh<T>),
    (time, level): (usize, u32),
    at_dates: AtDates,
) -> Discretisation<T> {
    let american = contract.exercise == Exercise::American;
    let early = contract.exercise != Exercise::European;
    let start = start(contract, part, layout, mesh);
    let obstacles = if early { vec![obstacle(contract, part, layout, mesh)] } else { Vec::new() };
    let constraint = american.then(|| Constraint { obstacle: 0, end: exercise_end(contract.kind) });
    let mut builder = Builder {
        contract,
        layout,
        mesh,
        constraint,
        generators: Vec::new(),
        market: None,
        stages: Vec::new(),
        times: Vec::new(),
        now: contract.maturity,
    };
    for event in timeline(contract, part.barrier) {
        match event {
            Event::Span(span) => builder.span(&span, span.steps(time, contract.maturity) << level),
            Event::Dividend(amount) => builder.stages.push(Stage::Map(
                (0..=mesh.last()).map(|i| dividend(part, layout, mesh, amount, i)).collect(),
            )),
            Event::Exercise => builder.exercise(at_dates),
            Event::Monitoring => {
                let rows = monitoring(contract, part, layout, mesh);
                builder.stages.extend(rows.map(Stage::Map));
            }
        }
    }
    let Builder { generators, stages, times, .. } = builder;
    let mut evolution = Evolution { start, generators, obstacles, stages };
    // Zeros and ones have the fewest bits.
    evolution.bring_to(contract.spot.format());
    Discretisation { evolution, times }
}

/// The payoff at every node.
fn start<T: Number>(
    contract: &Contract<T>,
    part: &Part<T>,
    layout: &Layout<T>,
    mesh: &Mesh<T>,
) -> Vec<T> {
    let mut u: Vec<T> =
        mesh.spots.iter().map(|&spot| contract.payoff(spot) - part.deducted).collect();
    if !layout.aligned {
        smooth(contract, layout, mesh, &mut u);
    }
    for (edge, node) in [(layout.low, 0), (layout.high, mesh.last())] {
        if edge == Edge::Barrier {
            u[node] = at_barrier(contract, part, mesh.spots[node]);
        }
    }
    u
}

/// What the option is worth at the barrier. Who may exercise at any time may do so just before.
fn at_barrier<T: Number>(contract: &Contract<T>, part: &Part<T>, spot: T) -> T {
    let payoff = contract.payoff(spot);
    if contract.exercise == Exercise::American && payoff > part.rebate {
        payoff
    } else {
        part.rebate
    }
}

/// Adds the mean of the kink over the node's cell where the strike is no node.
fn smooth<T: Number>(contract: &Contract<T>, layout: &Layout<T>, mesh: &Mesh<T>, u: &mut [T]) {
    let place = layout.place(mesh, contract.strike).to_f64().round();
    if place < 0.0 || place > mesh.last() as f64 {
        return;
    }
    let node = place as usize;
    let distance = (mesh.spots[node] - contract.strike).abs();
    let half = mesh.slopes[node].ldexp(-1);
    let rest = half - distance;
    if rest > T::ZERO {
        u[node] += rest * rest / half.ldexp(2);
    }
}

/// What exercise pays at every node.
fn obstacle<T: Number>(
    contract: &Contract<T>,
    part: &Part<T>,
    layout: &Layout<T>,
    mesh: &Mesh<T>,
) -> Vec<T> {
    let mut g: Vec<T> = mesh.spots.iter().map(|&spot| contract.payoff(spot)).collect();
    for (edge, node) in [(layout.low, 0), (layout.high, mesh.last())] {
        if edge == Edge::Barrier {
            g[node] = at_barrier(contract, part, mesh.spots[node]);
        }
    }
    g
}

/// The old price where the underlying has paid.
fn dividend<T: Number>(
    part: &Part<T>,
    layout: &Layout<T>,
    mesh: &Mesh<T>,
    amount: Amount<T>,
    node: usize,
) -> Row<T> {
    let spot = mesh.spots[node];
    let edge = if node == 0 { Some(layout.low) } else { None };
    let edge = if node == mesh.last() { Some(layout.high) } else { edge };
    if edge == Some(Edge::Barrier) {
        return Row::unchanged(node);
    }
    let paid = match amount {
        Amount::Cash(cash) => spot - cash,
        Amount::Proportional(share) => spot * (T::ONE - share),
    };
    if paid <= mesh.spots[0] {
        return match layout.low {
            Edge::Barrier => Row::constant(part.rebate),
            _ => Row::unchanged(0),
        };
    }
    let first = mesh.below(paid).saturating_sub(1).min(mesh.last() - 3);
    let spots = &mesh.spots[first..first + 4];
    let weights = core::array::from_fn(|j| {
        (0..4)
            .filter(|&k| k != j)
            .fold(T::ONE, |weight, k| weight * ((paid - spots[k]) / (spots[j] - spots[k])))
    });
    Row { first, weights, constant: T::ZERO }
}

/// Stages as they come.
struct Builder<'a, T> {
    contract: &'a Contract<T>,
    layout: &'a Layout<T>,
    mesh: &'a Mesh<T>,
    constraint: Option<Constraint>,
    generators: Vec<Generator<T>>,
    /// The rate, yield and volatility of the last generator, where these tell generators apart.
    market: Option<[T; 3]>,
    stages: Vec<Stage<T>>,
    times: Vec<T>,
    /// Where the last span ended.
    now: T,
}

impl<T: Number> Builder<'_, T> {
    /// A span of `count` steps.
    fn span(&mut self, span: &Span<T>, count: usize) {
        self.now = span.earlier;
        let length = span.later - span.earlier;
        let graded = self.constraint.is_some() && span.is_fresh;
        let local = matches!(self.contract.volatility, crate::Volatility::Local(_));
        let format = length.format();
        let number = |k: usize| T::from_f64(k as f64).to_format(format);
        // What has passed after k steps.
        let passed = |k: usize| {
            let part = number(k) / number(count);
            if graded { length * (part * part) } else { length * part }
        };
        let damped = if span.is_fresh { count.min(2) } else { 0 };
        let until_today = self.constraint.is_some() && span.earlier == T::ZERO;
        if !graded && !local && !until_today {
            let dt = length / number(count);
            let generator = self.generator(span.later - length.ldexp(-1));
            self.steps(generator, 2 * damped, dt.ldexp(-1), T::ONE);
            self.steps(generator, count - damped, dt, T::ONE.ldexp(-1));
            let ends = |k: usize| span.later - passed(k);
            let times = (1..=2 * damped)
                .map(|half| span.later - dt.ldexp(-1) * number(half))
                .chain((damped + 1..=count).map(ends));
            if self.constraint.is_some() {
                self.times.extend(times);
            }
            return;
        }
        let is_damped = |k: usize| k < damped || (until_today && k + 2 >= count);
        for k in 0..count {
            let (begin, end) = (passed(k), passed(k + 1));
            let (dt, middle) = (end - begin, (begin + end).ldexp(-1));
            let generator = self.generator(span.later - middle);
            if is_damped(k) {
                self.steps(generator, 2, dt.ldexp(-1), T::ONE);
            } else {
                self.steps(generator, 1, dt, T::ONE.ldexp(-1));
            }
            if self.constraint.is_some() {
                if is_damped(k) {
                    self.times.push(span.later - middle);
                }
                self.times.push(span.later - end);
            }
        }
    }

    /// The right to exercise at one date.
    fn exercise(&mut self, at_dates: AtDates) {
        match at_dates {
            AtDates::Floor => self.stages.push(Stage::Floor(0)),
            AtDates::Step => {
                let generator = self.generator(self.now);
                self.steps(generator, 1, T::ZERO, T::ONE);
                self.times.push(self.now);
            }
        }
    }

    fn steps(&mut self, generator: usize, count: usize, dt: T, theta: T) {
        if count > 0 {
            let constraint = self.constraint;
            self.stages.push(Stage::Steps(Steps { generator, count, dt, theta, constraint }));
        }
    }

    /// The number of the generator at a time.
    fn generator(&mut self, time: T) -> usize {
        let (rate, dividend_yield) = (self.contract.rates.at(time), self.contract.yields.at(time));
        let level = match &self.contract.volatility {
            crate::Volatility::Terms(volatility) => Some(volatility.at(time)),
            // A surface that no time changes has one generator too.
            crate::Volatility::Local(surface) if surface.times().len() == 1 => Some(T::ZERO),
            crate::Volatility::Local(_) => None,
        };
        if let Some(level) = level {
            let market = [rate, dividend_yield, level];
            if self.market.replace(market) == Some(market) {
                return self.generators.len() - 1;
            }
        }
        let generator = generator(self.contract, self.layout, self.mesh, time);
        self.generators.push(generator);
        self.generators.len() - 1
    }
}

/// The equation's right-hand side at a time.
fn generator<T: Number>(
    contract: &Contract<T>,
    layout: &Layout<T>,
    mesh: &Mesh<T>,
    time: T,
) -> Generator<T> {
    let (rate, drift) =
        (contract.rates.at(time), contract.rates.at(time) - contract.yields.at(time));
    let n = mesh.last();
    let zeros = || vec![T::ZERO.to_format(rate.format()); n + 1];
    let mut l = Generator { lower: zeros(), diagonal: zeros(), upper: zeros() };
    for i in 1..n {
        let (spot, slope) = (mesh.spots[i], mesh.slopes[i]);
        let scaled = contract.volatility.at(time, spot) * spot;
        let diffusion = (scaled * scaled).ldexp(-1) / slope;
        let (down, up) = (diffusion / mesh.halfway[i - 1], diffusion / mesh.halfway[i]);
        let along = (drift * spot / slope).ldexp(-1);
        l.lower[i] = down - along;
        l.upper[i] = up + along;
        l.diagonal[i] = -(down + up) - rate;
    }
    if layout.low == Edge::Zero {
        l.diagonal[0] = -rate;
    }
    if layout.high == Edge::Far {
        let along = drift * mesh.spots[n] / (mesh.spots[n] - mesh.spots[n - 1]);
        l.lower[n] = -along;
        l.diagonal[n] = along - rate;
    }
    l
}
