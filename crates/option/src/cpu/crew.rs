//! Up to `W` registers of members that go through their stages together.

use nonius_linalg::cpu::simd::Kernel;
use nonius_linalg::{Pack, Scalar};
use nonius_num::Lane;

use crate::evolve::reference::{begins_high, floor, map};
use crate::evolve::{Constraint, Evolution, Outcome, Stage, Steps};

/// Members with the same stages, at least one and at most `W` registers full, all of which
/// [`Evolution::check`] lets pass.
pub(super) struct Crew<'a, T, const W: usize> {
    pub(super) members: &'a [&'a Evolution<T>],
}

impl<T: Scalar, const W: usize> Kernel for Crew<'_, T, W> {
    /// Nothing where a member fails.
    type Output = Option<Vec<Outcome<T>>>;

    #[inline(always)]
    fn run<L: Lane>(self) -> Self::Output {
        let first = self.members[0];
        let n = first.start.len();
        let mut u = vec![0.0; n * size::<T, L, W>()];
        gather::<T, L, W>(self.members, |member| &member.start, &mut u);
        let mut contact: Vec<Vec<Option<u32>>> = vec![Vec::new(); self.members.len()];
        let mut work = Work::new(n, size::<T, L, W>());
        // What the generator's and the obstacle's memory holds.
        let (mut generator, mut obstacle) = (None, None);
        for (number, stage) in first.stages.iter().enumerate() {
            match stage {
                Stage::Steps(steps) => {
                    if generator.replace(steps.generator) != Some(steps.generator) {
                        let at = steps.generator;
                        work.gather_generator::<T, L, W>(self.members, at);
                    }
                    let high_first = begins_high(steps.constraint);
                    let numbers = Numbers::<T::Pack<L>, W>::new(self.members, number);
                    if !work.factor(&numbers, high_first) {
                        return None;
                    }
                    if let Some(constraint @ Constraint { obstacle: at, .. }) = steps.constraint {
                        if obstacle.replace(at) != Some(at) {
                            gather::<T, L, W>(
                                self.members,
                                |member| &member.obstacles[at],
                                &mut work.obstacle,
                            );
                        }
                        for _ in 0..steps.count {
                            let counts =
                                work.step::<T::Pack<L>, W, true>(&mut u, &numbers, high_first);
                            for (place, contact) in contact.iter_mut().enumerate() {
                                let count = counts[place / L::LANES].lane(place % L::LANES);
                                contact.push(constraint.contact(count as usize, n));
                            }
                        }
                    } else {
                        for _ in 0..steps.count {
                            work.step::<T::Pack<L>, W, false>(&mut u, &numbers, high_first);
                        }
                    }
                }
                Stage::Map(_) => {
                    for (place, member) in self.members.iter().enumerate() {
                        if let Stage::Map(rows) = &member.stages[number] {
                            let new = map(rows, &taken::<T, L, W>(&u, place));
                            put::<T, L, W>(&new, place, &mut u);
                        }
                    }
                }
                Stage::Floor(at) => {
                    for (place, member) in self.members.iter().enumerate() {
                        let mut new = taken::<T, L, W>(&u, place);
                        floor(&mut new, &member.obstacles[*at]);
                        put::<T, L, W>(&new, place, &mut u);
                    }
                }
            }
            if !all_finite::<L>(&u) {
                return None;
            }
        }
        let outcome = |(place, contact)| Outcome { u: taken::<T, L, W>(&u, place), contact };
        Some(contact.into_iter().enumerate().map(outcome).collect())
    }
}

/// How many limbs a node has in a crew's memory: `W` registers of `LIMBS` limbs, register by
/// register.
const fn size<T: Scalar, L: Lane, const W: usize>() -> usize {
    T::LIMBS * W * L::LANES
}

/// Where limb 0 of a member's number lies in those of a node; the others follow at distances of the
/// lanes.
fn offset<T: Scalar, L: Lane>(place: usize) -> usize {
    place / L::LANES * T::LIMBS * L::LANES + place % L::LANES
}

/// Writes a member's numbers.
fn put<T: Scalar, L: Lane, const W: usize>(from: &[T], place: usize, to: &mut [f64]) {
    let offset = offset::<T, L>(place);
    for (x, node) in from.iter().zip(to.chunks_exact_mut(size::<T, L, W>())) {
        for limb in 0..T::LIMBS {
            node[offset + limb * L::LANES] = x.limb(limb);
        }
    }
}

/// Reads a member's numbers.
fn taken<T: Scalar, L: Lane, const W: usize>(from: &[f64], place: usize) -> Vec<T> {
    let offset = offset::<T, L>(place);
    from.chunks_exact(size::<T, L, W>())
        .map(|node| T::from_limbs(|limb| node[offset + limb * L::LANES]))
        .collect()
}

/// Writes numbers of all members; lanes without one get those of the first.
fn gather<T: Scalar, L: Lane, const W: usize>(
    members: &[&Evolution<T>],
    numbers: impl Fn(&Evolution<T>) -> &[T],
    to: &mut [f64],
) {
    for place in 0..W * L::LANES {
        put::<T, L, W>(numbers(members.get(place).unwrap_or(&members[0])), place, to);
    }
}

/// What a stage's numbers make of those of steps, member by member.
struct Numbers<P, const W: usize> {
    /// `θ·dt`, `1/θ` and `(1 − θ)/θ`.
    s: [P; W],
    w: [P; W],
    kappa: [P; W],
}

impl<P: Pack, const W: usize> Numbers<P, W> {
    fn new<T: Scalar<Pack<P::Lane> = P>>(members: &[&Evolution<T>], stage: usize) -> Self {
        let of = |w: usize, lane: usize, number: fn(&Steps<T>) -> T| {
            let place = w * P::Lane::LANES + lane;
            match &members.get(place).unwrap_or(&members[0]).stages[stage] {
                Stage::Steps(steps) => number(steps),
                _ => T::ONE,
            }
        };
        let all = |number: fn(&Steps<T>) -> T| {
            core::array::from_fn(|w| {
                P::from_limbs(|limb| P::Lane::from_fn(|lane| of(w, lane, number).limb(limb)))
            })
        };
        Self {
            s: all(|steps| steps.theta * steps.dt),
            w: all(|steps| T::ONE / steps.theta),
            kappa: all(|steps| (T::ONE - steps.theta) / steps.theta),
        }
    }
}

/// Memory of a crew beside its vectors.
struct Work {
    /// Of the generator, node by node.
    lower: Vec<f64>,
    diagonal: Vec<f64>,
    upper: Vec<f64>,
    obstacle: Vec<f64>,
    /// As counted from where elimination begins: `m`, `q`, `e` and `y` of the order of operations.
    multipliers: Vec<f64>,
    scaled_inverses: Vec<f64>,
    couplings: Vec<f64>,
    y: Vec<f64>,
}

impl Work {
    fn new(n: usize, size: usize) -> Self {
        let memory = || vec![0.0; n * size];
        Self {
            lower: memory(),
            diagonal: memory(),
            upper: memory(),
            obstacle: memory(),
            multipliers: memory(),
            scaled_inverses: memory(),
            couplings: memory(),
            y: memory(),
        }
    }

    fn gather_generator<T: Scalar, L: Lane, const W: usize>(
        &mut self,
        members: &[&Evolution<T>],
        at: usize,
    ) {
        gather::<T, L, W>(members, |member| &member.generators[at].lower, &mut self.lower);
        gather::<T, L, W>(members, |member| &member.generators[at].diagonal, &mut self.diagonal);
        gather::<T, L, W>(members, |member| &member.generators[at].upper, &mut self.upper);
    }

    /// Factors of the matrix; false where a pivot may be zero or not finite.
    #[inline(always)]
    fn factor<P: Pack, const W: usize>(
        &mut self,
        numbers: &Numbers<P, W>,
        high_first: bool,
    ) -> bool {
        let one = P::from_limbs(|limb| P::Lane::splat(if limb == 0 { 1.0 } else { 0.0 }));
        let node = P::LIMBS * W * P::Lane::LANES;
        let n = self.diagonal.len() / node;
        let (before, after) =
            if high_first { (&self.upper, &self.lower) } else { (&self.lower, &self.upper) };
        let mut sound = true;
        // Of the node before.
        let (mut p, mut c) = ([one; W], [one; W]);
        for k in 0..n {
            let i = (if high_first { n - 1 - k } else { k }) * node;
            let before = &before[i..i + node];
            let diagonal = &self.diagonal[i..i + node];
            let after = &after[i..i + node];
            let k_at = k * node;
            let multipliers = &mut self.multipliers[k_at..k_at + node];
            let scaled_inverses = &mut self.scaled_inverses[k_at..k_at + node];
            let couplings = &mut self.couplings[k_at..k_at + node];
            for w in 0..W {
                let s = numbers.s[w];
                let mut pivot = one - s * load::<P>(diagonal, w);
                if k > 0 {
                    let multiplier = -(s * load::<P>(before, w)) * p[w];
                    store(multiplier, multipliers, w);
                    pivot = pivot - multiplier * c[w];
                }
                p[w] = one / pivot;
                sound &= pivot.limb(0).all_ordinary() & p[w].limb(0).all_finite();
                c[w] = -(s * load::<P>(after, w));
                store(p[w] * numbers.w[w], scaled_inverses, w);
                store(c[w] * p[w], couplings, w);
            }
        }
        sound
    }

    /// A step; for every member how many nodes from the end where substitution begins lie on the
    /// obstacle.
    #[inline(always)]
    fn step<P: Pack, const W: usize, const CONSTRAINED: bool>(
        &mut self,
        u: &mut [f64],
        numbers: &Numbers<P, W>,
        high_first: bool,
    ) -> [P::Lane; W] {
        let node = P::LIMBS * W * P::Lane::LANES;
        let n = u.len() / node;
        let zero = P::Lane::splat(0.0);
        let mut y = [P::from_limbs(|_| zero); W];
        for k in 0..n {
            let i = (if high_first { n - 1 - k } else { k }) * node;
            let u = &u[i..i + node];
            let multipliers = &self.multipliers[k * node..(k + 1) * node];
            let to = &mut self.y[k * node..(k + 1) * node];
            for (w, y) in y.iter_mut().enumerate() {
                let own = load::<P>(u, w);
                *y = if k == 0 { own } else { own - load::<P>(multipliers, w) * *y };
                store(*y, to, w);
            }
        }
        let mut contact = [zero; W];
        // 1 while all nodes so far lie on the obstacle.
        let mut touching = [P::Lane::splat(1.0); W];
        let mut v = y;
        for k in (0..n).rev() {
            let i = (if high_first { n - 1 - k } else { k }) * node;
            let g = &self.obstacle[i..i + node];
            let u = &mut u[i..i + node];
            let y = &self.y[k * node..(k + 1) * node];
            let scaled_inverses = &self.scaled_inverses[k * node..(k + 1) * node];
            let couplings = &self.couplings[k * node..(k + 1) * node];
            for w in 0..W {
                let own = load::<P>(y, w) * load::<P>(scaled_inverses, w);
                v[w] = if k + 1 == n { own } else { own - load::<P>(couplings, w) * v[w] };
                let kept = numbers.kappa[w] * load::<P>(u, w);
                let mut next = v[w] - kept;
                if CONSTRAINED {
                    let g = load::<P>(g, w);
                    let above = (next - g).limb(0);
                    let (below, on) = (P::Lane::less(above, zero), P::Lane::equal(above, zero));
                    next = chosen(below, g, chosen(on, g, next));
                    let lifted = g + kept;
                    v[w] = chosen(below, lifted, chosen(on, lifted, v[w]));
                    let still = touching[w];
                    touching[w] = P::Lane::select(below, still, P::Lane::select(on, still, zero));
                    contact[w] = contact[w] + touching[w];
                }
                store(next, u, w);
            }
        }
        contact
    }
}

#[inline(always)]
fn all_finite<L: Lane>(numbers: &[f64]) -> bool {
    let mut finite = true;
    for register in numbers.chunks_exact(L::LANES) {
        finite &= L::load(register).all_finite();
    }
    finite
}

/// `a` where the mask is set, else `b`.
#[inline(always)]
fn chosen<P: Pack>(mask: <P::Lane as Lane>::Mask, a: P, b: P) -> P {
    P::from_limbs(|limb| P::Lane::select(mask, a.limb(limb), b.limb(limb)))
}

/// Register `w` of a node.
#[inline(always)]
fn load<P: Pack>(node: &[f64], w: usize) -> P {
    P::from_limbs(|limb| P::Lane::load(&node[(w * P::LIMBS + limb) * P::Lane::LANES..]))
}

#[inline(always)]
fn store<P: Pack>(x: P, node: &mut [f64], w: usize) {
    for limb in 0..P::LIMBS {
        x.limb(limb).store(&mut node[(w * P::LIMBS + limb) * P::Lane::LANES..]);
    }
}
