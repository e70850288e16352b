//! Draws inputs, runs operations, keeps the worst.

use nonius_num::MultiFloat;
use nonius_testkit::{Domain, Inputs};
use rug::Float;

use crate::bound::{Bound, Deviation};
use crate::value::exact;

/// The findings for one operation at one width.
#[derive(Clone, Debug)]
pub struct Row {
    /// The group it belongs to.
    pub group: &'static str,
    /// The operation.
    pub name: String,
    /// `dd`, `td` or `qd`.
    pub width: &'static str,
    /// Inputs tried.
    pub inputs: u64,
    /// The bound, in units of the last place.
    pub bound: String,
    /// The worst error in units of the last place, and the limbs of the operands that gave it.
    pub worst: (f64, String),
    /// The largest error as a fraction of the bound.
    pub of_bound: f64,
    /// The worst excess near underflow in units of `2^-1074`, and its operands.
    pub worst_tiny: (f64, String),
    /// How many results broke the promise.
    pub failures: u64,
    /// The first few of them.
    pub examples: Vec<String>,
}

/// Runs the operations of a group at one width.
pub struct Oracle<const N: usize> {
    /// Random inputs for an operation, and as many steps of search for the worst.
    pub count: u64,
    /// The seed of all inputs.
    pub seed: u64,
    group: &'static str,
    filter: String,
    rows: Vec<Row>,
}

/// How many failures a report shows.
const EXAMPLES: usize = 5;

impl<const N: usize> Oracle<N> {
    /// An oracle for one group; `filter` is a part of the names of the operations to run, or
    /// nothing.
    pub fn new(group: &'static str, count: u64, seed: u64, filter: &str) -> Self {
        Self { count, seed, group, filter: filter.into(), rows: Vec::new() }
    }

    /// The findings.
    pub fn into_rows(self) -> Vec<Row> {
        self.rows
    }

    /// `f(x)` against `reference(precision, x)`, which must round correctly (as MPFR does).
    pub fn unary(
        &mut self,
        name: &str,
        domain: Domain,
        bound: Bound,
        f: impl Fn(MultiFloat<N>) -> MultiFloat<N>,
        reference: impl Fn(u32, &Float) -> Float,
    ) {
        let precision = bound.reference_precision::<N>();
        self.each(name, bound.describe::<N>(), [&domain], |[x]| {
            let z = f(x);
            bound.judge(z, &reference(precision, &exact(x))).map_err(|e| explain(e, z))
        });
    }

    /// `f(x, y)` against `reference(precision, x, y)`.
    pub fn binary(
        &mut self,
        name: &str,
        domains: [Domain; 2],
        bound: Bound,
        f: impl Fn(MultiFloat<N>, MultiFloat<N>) -> MultiFloat<N>,
        reference: impl Fn(u32, &Float, &Float) -> Float,
    ) {
        let precision = bound.reference_precision::<N>();
        self.each(name, bound.describe::<N>(), [&domains[0], &domains[1]], |[x, y]| {
            let z = f(x, y);
            bound.judge(z, &reference(precision, &exact(x), &exact(y))).map_err(|e| explain(e, z))
        });
    }

    /// `f(x, y, z)` against `reference(precision, x, y, z)`; a third of the `z` nearly cancel
    /// `x·y`.
    pub fn ternary(
        &mut self,
        name: &str,
        domains: [Domain; 3],
        bound: Bound,
        f: impl Fn(MultiFloat<N>, MultiFloat<N>, MultiFloat<N>) -> MultiFloat<N>,
        reference: impl Fn(u32, &Float, &Float, &Float) -> Float,
    ) {
        let precision = bound.reference_precision::<N>();
        let domains = [&domains[0], &domains[1], &domains[2]];
        self.each(name, bound.describe::<N>(), domains, |[x, y, z]| {
            let w = f(x, y, z);
            let right = reference(precision, &exact(x), &exact(y), &exact(z));
            bound.judge(w, &right).map_err(|e| explain(e, w))
        });
    }

    /// A property that holds for every number: the closure says what is wrong.
    pub fn property(
        &mut self,
        name: &str,
        domain: Domain,
        holds: impl Fn(MultiFloat<N>) -> Result<(), String>,
    ) {
        self.each(name, "exact".into(), [&domain], |[x]| holds(x).map(|()| Deviation::default()));
    }

    /// A property of pairs.
    pub fn property_of_two(
        &mut self,
        name: &str,
        domains: [Domain; 2],
        holds: impl Fn(MultiFloat<N>, MultiFloat<N>) -> Result<(), String>,
    ) {
        self.each(name, "exact".into(), [&domains[0], &domains[1]], |[x, y]| {
            holds(x, y).map(|()| Deviation::default())
        });
    }

    /// Pairs with a judgement of their own; `bound` is what the report prints.
    pub fn judged(
        &mut self,
        name: &str,
        bound: &str,
        domains: [Domain; 2],
        judge: impl Fn(MultiFloat<N>, MultiFloat<N>) -> Result<Deviation, String>,
    ) {
        self.each(name, bound.into(), [&domains[0], &domains[1]], |[x, y]| judge(x, y));
    }

    /// A property of the items of a list: the closure says what is wrong.
    pub fn list<T: std::fmt::Debug>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        holds: impl Fn(&T) -> Result<(), String>,
    ) {
        if !name.contains(&self.filter) {
            return;
        }
        let mut row = self.row(name, "exact".into());
        for item in items {
            let verdict = holds(&item).map(|()| Deviation::default());
            row.add(&|| format!("{item:?}"), verdict);
        }
        self.rows.push(row);
    }

    fn row(&self, name: &str, bound: String) -> Row {
        Row {
            group: self.group,
            name: name.into(),
            width: ["dd", "td", "qd"][N - 2],
            inputs: 0,
            bound,
            worst: (0.0, String::new()),
            of_bound: 0.0,
            worst_tiny: (0.0, String::new()),
            failures: 0,
            examples: Vec::new(),
        }
    }

    /// Random numbers for a test of another shape.
    pub fn inputs(&self, name: &str) -> Inputs<N> {
        Inputs::new(self.seed, name)
    }

    /// Random tuples of the domains, walks uphill from the worst, then every tuple of specials.
    fn each<const K: usize>(
        &mut self,
        name: &str,
        bound: String,
        domains: [&Domain; K],
        judge: impl Fn([MultiFloat<N>; K]) -> Result<Deviation, String>,
    ) {
        if !name.contains(&self.filter) {
            return;
        }
        let mut inputs = Inputs::<N>::new(self.seed, name);
        let mut row = self.row(name, bound);
        for _ in 0..self.count {
            let operands = draw(&mut inputs, domains);
            row.add(&|| show(operands), judge(operands));
        }
        if row.of_bound > 0.0 {
            climb(&mut inputs, self.count, domains, |operands| {
                let verdict = judge(operands);
                let height = verdict.as_ref().map_or(0.0, |deviation| deviation.of_bound);
                row.add(&|| show(operands), verdict);
                height
            });
        }
        if domains.iter().all(|domain| domain.specials) {
            let specials = Inputs::<N>::specials();
            for index in 0..specials.len().pow(K as u32) {
                let mut rest = index;
                let operands = core::array::from_fn(|_| {
                    let special = specials[rest % specials.len()];
                    rest /= specials.len();
                    special
                });
                row.add(&|| show(operands), judge(operands));
            }
        }
        self.rows.push(row);
    }
}

/// `K` numbers, one in each domain, often related.
fn draw<const N: usize, const K: usize>(
    inputs: &mut Inputs<N>,
    domains: [&Domain; K],
) -> [MultiFloat<N>; K] {
    use rand::Rng;
    let mut operands = [MultiFloat::ZERO; K];
    match K {
        1 => operands[0] = inputs.number(domains[0]),
        _ => operands[..2].copy_from_slice(&inputs.two([domains[0], domains[1]])),
    }
    if K == 3 {
        let product = operands[0] * operands[1];
        let usable = product.is_finite() && product.first() != 0.0;
        operands[2] = if usable && inputs.rng.random_ratio(1, 3) {
            -inputs.neighbour(product)
        } else {
            inputs.number(domains[2])
        };
        if !operands[2].is_finite() {
            operands[2] = inputs.number(domains[2]);
        }
    }
    operands
}

/// Walks from the worst of a few inputs to ever worse neighbours, `count` steps in all from eight
/// starts.
fn climb<const N: usize, const K: usize>(
    inputs: &mut Inputs<N>,
    count: u64,
    domains: [&Domain; K],
    mut height: impl FnMut([MultiFloat<N>; K]) -> f64,
) {
    use rand::Rng;
    for _ in 0..8 {
        let (mut top, mut best) = (0.0, draw(inputs, domains));
        for step in 0..count / 8 {
            let operands = if step < count / 64 {
                draw(inputs, domains)
            } else {
                let mut operands = best;
                for _ in 0..inputs.rng.random_range(1..4) {
                    let which = inputs.rng.random_range(0..K);
                    operands[which] = inputs.mutated(operands[which]);
                }
                operands
            };
            if operands.iter().zip(domains).all(|(&x, domain)| inputs.accepts(domain, x)) {
                let reached = height(operands);
                if reached >= top {
                    (top, best) = (reached, operands);
                }
            }
        }
    }
}

/// A verdict with the result it is about.
fn explain<const N: usize>(verdict: String, z: MultiFloat<N>) -> String {
    format!("gives {:?}: {verdict}", z.limbs())
}

/// The limbs of the operands.
fn show<const N: usize, const K: usize>(operands: [MultiFloat<N>; K]) -> String {
    operands.map(|x| format!("{:?}", x.limbs())).join(", ")
}

impl Row {
    fn add(&mut self, input: &dyn Fn() -> String, verdict: Result<Deviation, String>) {
        self.inputs += 1;
        match verdict {
            Ok(deviation) => {
                if deviation.ulps > self.worst.0 {
                    self.worst = (deviation.ulps, input());
                }
                self.of_bound = self.of_bound.max(deviation.of_bound);
                if deviation.tiny > self.worst_tiny.0 {
                    self.worst_tiny = (deviation.tiny, input());
                }
            }
            Err(explanation) => {
                self.failures += 1;
                if self.examples.len() < EXAMPLES {
                    self.examples.push(format!("{} {explanation}", input()));
                }
            }
        }
    }
}
