//! Where the nodes of a grid lie, for all refinements of it.
//!
//! The domain begins at zero, where the equation has no second derivative and needs no boundary
//! condition, or at a barrier, and ends at a barrier or where prices of the underlying are
//! improbable. Nodes are dense around the strike; where the underlying may fall to a small part of
//! it, around zero, so that they are even in the logarithm of the price. The strike is a node, and
//! so is a barrier that is looked at on dates: the error then has the same expansion for every
//! refinement by halves, which extrapolation needs. Ends that are free move for that, and where
//! neither is, the width of the map does.

use nonius_linalg::Number;

use crate::contract::{Contract, Monitoring, Side};
use crate::coordinate::{Centre, Coordinate};

/// How many standard deviations the domain reaches beyond strike and spot at least: a probability
/// of 10⁻¹² lies beyond, of a solution that the boundary condition meets but for its curvature.
const DEVIATIONS: f64 = 7.0;

/// The width of the map, as a part of the strike, which it stays below: nearer to zero than that
/// nodes have to lie as dense as between zero and the strike.
const WIDEST: f64 = 0.5;

/// Standard deviations up to maturity from which on nodes are dense around zero, so that their
/// distances grow in proportion to the price of the underlying: it is then likely to fall far below
/// the width above.
const WIDE_DEVIATION: f64 = 1.0;

/// Fewer intervals below the strike would move a free end far.
const FEWEST: f64 = 4.0;

/// To what part the number of intervals below the strike may fall for the sake of a barrier.
const FEWER: f64 = 0.6;

/// How far the width of the map may change for the sake of alignment.
const STRETCH: f64 = 16.0;

/// The nodes of the coarsest grid and of its refinements.
#[derive(Clone, Debug)]
pub(crate) struct Layout<T> {
    coordinate: Coordinate<T>,
    /// `ξ` at node 0, and from node to node of the coarsest grid.
    first: T,
    interval: T,
    /// Intervals of the coarsest grid.
    space: usize,
    /// The ends where these are given, and prices that are nodes, with their places in the coarsest
    /// grid.
    marks: Vec<(usize, T)>,
    /// Whether the strike is a node or outside.
    pub(crate) aligned: bool,
    pub(crate) low: Edge,
    pub(crate) high: Edge,
}

/// An end of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The underlying is worthless.
    Zero,
    /// The underlying is improbably dear.
    Far,
    /// The option ends.
    Barrier,
}

/// The nodes of one grid.
#[derive(Clone, Debug)]
pub(crate) struct Mesh<T> {
    /// Prices of the underlying.
    pub(crate) spots: Vec<T>,
    /// Their derivatives with respect to the number of the node.
    pub(crate) slopes: Vec<T>,
    /// The same half a node further.
    pub(crate) halfway: Vec<T>,
    first: T,
    interval: T,
}

impl<T: Number> Layout<T> {
    /// Where nodes lie for a valid contract, with `space` intervals of the coarsest grid and an end
    /// where it matters less than the tolerance; `barrier` says whether the barrier matters.
    pub(crate) fn new(contract: &Contract<T>, barrier: bool, space: usize, tolerance: f64) -> Self {
        let barrier = contract.barrier.as_ref().filter(|_| barrier);
        let level = barrier.map(|barrier| barrier.level);
        let continuous =
            |side| barrier.filter(|b| b.side == side && b.monitoring == Monitoring::Continuous);
        let format = contract.spot.format();
        let number = |x: f64| T::from_f64(x).to_format(format);
        let low = continuous(Side::Down).map_or(number(0.0), |barrier| barrier.level);
        let high = continuous(Side::Up).map(|barrier| barrier.level);
        let inner = level.filter(|_| {
            barrier.is_some_and(|barrier| barrier.monitoring != Monitoring::Continuous)
        });
        let edges = |given: bool, free| if given { Edge::Barrier } else { free };
        let (low_edge, high_edge) =
            (edges(low > T::ZERO, Edge::Zero), edges(high.is_some(), Edge::Far));

        let strike = contract.strike.to_f64();
        let (deviation, drift) = (contract.deviation().to_f64(), contract.drift().to_f64());
        // The logarithm of a tail is half the square of its beginning; one more, for what the tail
        // is multiplied by.
        let deviations = DEVIATIONS.max((-2.0 * tolerance.ln()).sqrt() + 1.0);
        let barrier_level = level.map_or(0.0, |level| level.to_f64());
        let most = strike.max(contract.spot.to_f64()).max(barrier_level);
        let second = level.map(|level| level.to_f64()).filter(|&level| level != strike);
        let is_wide = deviation > WIDE_DEVIATION;
        // Curvature, `S²·V_SS`, is that of a normal distribution in the logarithm of `S/K`, with
        // the mean of half the variance.
        let free_top = if is_wide {
            let reach = (0.5 * deviation + deviations) * deviation + drift;
            let paid = contract.cash().to_f64();
            let highest = (strike.max(barrier_level) + paid) * reach.exp();
            highest.max(contract.spot.to_f64() * deviation.exp())
        } else {
            most * (deviations * deviation + drift).exp()
        };
        let top = high.map_or(free_top, |h| h.to_f64());
        let relative = deviation.hypot(drift);
        let width = strike * relative / (1.0 + (relative / WIDEST).powi(2)).sqrt();
        let zero = is_wide.then(|| {
            let reach = deviation.min(deviations);
            let lowest = second.map_or(strike, |level| strike.min(level));
            lowest * ((0.5 * reach - deviations) * reach - drift).exp()
        });
        let sketch = Sketch { low: low.to_f64(), top, strike, barrier: second, space, width, zero };
        let plan = match second {
            Some(barrier) if inner.is_some() => sketch.with_barrier(barrier),
            _ if high.is_some() => sketch.between_ends(),
            _ => sketch.with_free_top(),
        };

        let one = number(1.0);
        let mut centres = vec![match zero {
            Some(width) => Centre { at: number(0.0), width: number(width), weight: one },
            None => Centre { at: contract.strike, width: number(plan.width), weight: one },
        }];
        if let (Some(_), Some(at)) = (second, level) {
            centres.push(Centre { at, width: number(plan.width), weight: number(plan.weight) });
        }
        let coordinate = Coordinate { centres };
        let first = coordinate.at(low);
        let interval = match (plan.strike_node, high) {
            (Some(node), _) => (coordinate.at(contract.strike) - first) / number(node as f64),
            (None, Some(high)) => (coordinate.at(high) - first) / number(space as f64),
            (None, None) => (coordinate.at(number(top)) - first) / number(space as f64),
        };
        let mut marks = vec![(0, low)];
        marks.extend(plan.strike_node.map(|node| (node, contract.strike)));
        marks.extend(plan.barrier_node.zip(inner));
        marks.extend(high.map(|high| (space, high)));
        let outside = contract.strike <= low || high.is_some_and(|high| contract.strike >= high);
        let aligned = outside || plan.strike_node.is_some();
        let (low, high) = (low_edge, high_edge);
        Self { coordinate, first, interval, space, marks, aligned, low, high }
    }

    /// The distance of nodes of the coarsest grid at a price.
    pub(crate) fn slope(&self, spot: T) -> T {
        self.coordinate.slope(spot) * self.interval
    }

    /// The greatest quotient of a price and the distance of nodes of the coarsest grid there,
    /// nearly: that at the centres and far away.
    pub(crate) fn steepest(&self) -> f64 {
        let quotient = |spot: T| (spot / self.slope(spot)).to_f64();
        let centres = self.coordinate.centres.iter().map(|centre| centre.at);
        let far = self.marks.iter().map(|mark| mark.1);
        centres.chain(far).map(quotient).fold(1.0 / self.interval.to_f64(), f64::max)
    }

    /// The grid after `level` halvings.
    pub(crate) fn mesh(&self, level: u32) -> Mesh<T> {
        let n = self.space << level;
        let interval = self.interval.ldexp(-(level as i32));
        let mut mesh = Mesh {
            spots: Vec::with_capacity(n + 1),
            slopes: Vec::with_capacity(n + 1),
            halfway: Vec::with_capacity(n),
            first: self.first,
            interval,
        };
        let half = interval.ldexp(-1);
        let mut near = self.marks[0].1;
        for i in 0..=2 * n {
            let (spot, slope) =
                self.coordinate.inverse(self.first + T::from_f64(i as f64) * half, near);
            near = spot;
            if i % 2 == 0 {
                mesh.spots.push(spot);
                mesh.slopes.push(slope * interval);
            } else {
                mesh.halfway.push(slope * interval);
            }
        }
        for &(node, spot) in &self.marks {
            mesh.spots[node << level] = spot;
        }
        mesh
    }

    /// The place of a price among the nodes of a grid of this layout, as a number of nodes and a
    /// part.
    pub(crate) fn place(&self, mesh: &Mesh<T>, spot: T) -> T {
        (self.coordinate.at(spot) - mesh.first) / mesh.interval
    }
}

impl<T: Number> Mesh<T> {
    /// The number of the last node.
    pub(crate) fn last(&self) -> usize {
        self.spots.len() - 1
    }

    /// The node at or below a price, and not the last.
    pub(crate) fn below(&self, spot: T) -> usize {
        self.spots.partition_point(|&s| s <= spot).saturating_sub(1).min(self.last() - 1)
    }
}

/// What alignment has to decide, in `f64`: any choice is a good one as long as it is kept.
struct Sketch {
    low: f64,
    top: f64,
    strike: f64,
    /// Where it is not the strike, at an end or not.
    barrier: Option<f64>,
    space: usize,
    width: f64,
    /// The width of a centre at zero, which takes the place of that at the strike.
    zero: Option<f64>,
}

/// What alignment decided.
struct Plan {
    width: f64,
    /// Of the centre at the barrier.
    weight: f64,
    strike_node: Option<usize>,
    barrier_node: Option<usize>,
}

impl Sketch {
    /// The coordinate above that of the lower end.
    fn above_low(&self, spot: f64, width: f64, weight: f64) -> f64 {
        let xi = |spot: f64| {
            let second = self.barrier.map_or(0.0, |level| ((spot - level) / width).asinh());
            let first = match self.zero {
                Some(width) => spot / width,
                None => (spot - self.strike) / width,
            };
            first.asinh() + weight * second
        };
        xi(spot) - xi(self.low)
    }

    /// The place of a price among the nodes.
    fn place(&self, spot: f64, width: f64) -> f64 {
        let whole = self.above_low(self.top, width, 1.0);
        self.above_low(spot, width, 1.0) / whole * self.space as f64
    }

    fn unaligned(&self) -> Plan {
        Plan { width: self.width, weight: 1.0, strike_node: None, barrier_node: None }
    }

    /// The upper end moves up until the strike is a node.
    fn with_free_top(&self) -> Plan {
        if self.strike <= self.low {
            return self.unaligned();
        }
        let node = self.place(self.strike, self.width).floor().min(self.space as f64 - 1.0);
        if node < FEWEST {
            return self.between_ends();
        }
        Plan { strike_node: Some(node as usize), ..self.unaligned() }
    }

    /// The width changes until the strike is a node.
    fn between_ends(&self) -> Plan {
        if self.strike <= self.low || self.strike >= self.top {
            return self.unaligned();
        }
        let place = |width: f64| self.place(self.strike, width);
        let (narrow, wide) = (self.width / STRETCH, self.width * STRETCH);
        let (a, b) = (place(narrow), place(wide));
        let (least, most) =
            (a.min(b).ceil().max(1.0), a.max(b).floor().min(self.space as f64 - 1.0));
        if least > most {
            return self.unaligned();
        }
        let node = place(self.width).round().max(least).min(most);
        match root(narrow, wide, |width| place(width) - node) {
            Some(width) => Plan { width, strike_node: Some(node as usize), ..self.unaligned() },
            None => self.unaligned(),
        }
    }

    /// The weight of the centre at the barrier changes until strike and barrier are nodes, then the
    /// upper end moves up. Where no weight does, fewer nodes lie below the strike.
    fn with_barrier(&self, barrier: f64) -> Plan {
        let last = self.space as f64 - 1.0;
        let most = self.place(self.strike, self.width).floor().max(1.0).min(last);
        let tries = (1..=most as usize).rev().take_while(|&node| node as f64 >= FEWER * most);
        tries
            .filter_map(|strike_node| self.with_nodes(strike_node, barrier))
            .next()
            .unwrap_or(Plan { strike_node: Some(most as usize), ..self.unaligned() })
    }

    /// The same with `strike_node` nodes below the strike.
    fn with_nodes(&self, strike_node: usize, barrier: f64) -> Option<Plan> {
        let place = |weight: f64| {
            let above_low = |spot: f64| self.above_low(spot, self.width, weight);
            above_low(barrier) / above_low(self.strike) * strike_node as f64
        };
        let (narrow, wide) = (1.0 / STRETCH, STRETCH);
        let (a, b) = (place(narrow), place(wide));
        let last = self.space as f64 - 1.0;
        let (least, most) = (a.min(b).ceil().max(1.0), a.max(b).floor().min(last));
        if least > most {
            return None;
        }
        let node = place(1.0).round().max(least).min(most);
        // A node of its own.
        if node == strike_node as f64 {
            return None;
        }
        let weight = root(narrow, wide, |weight| place(weight) - node)?;
        Some(Plan {
            weight,
            strike_node: Some(strike_node),
            barrier_node: Some(node as usize),
            ..self.unaligned()
        })
    }
}

/// A place this near to a node is at the node, in distances of nodes. Rounding moves places among
/// thousands of nodes.
const AT_A_NODE: f64 = 1e-9;

/// Where a function is zero between two positive numbers, if it changes its sign there once.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> Option<f64> {
    let rises = f(high) > 0.0;
    for _ in 0..100 {
        let middle = (low * high).sqrt();
        if (f(middle) > 0.0) == rises {
            high = middle;
        } else {
            low = middle;
        }
    }
    let found = (low * high).sqrt();
    (f(found).abs() < AT_A_NODE).then_some(found)
}
