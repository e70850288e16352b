//! Elements through a step, and their forces on nodes.

use nonius_linalg::cpu::simd::real::Number;
use nonius_linalg::threads::{chunks, map_parts};

use super::super::block::{Findings, Nodes};
use super::super::element::Step;
use super::super::precision::Numbers;
use super::super::way::Way;
use super::{GROUPS, HostRun, add};
use crate::solid::{Failure, Link, NODES};

/// Ranks take steps together, so that one tag does.
const TAG: u16 = 0;

impl<P: Numbers> HostRun<P> {
    /// All elements' step, and the longest stable one after it. The sums that other ranks wait for
    /// are formed first, and are on their way while the elements inside are computed.
    ///
    /// `broken` is a node of this rank that [is not finite](Self::moved).
    pub(super) fn elements(
        &mut self,
        step: &Step,
        way: Way,
        broken: Option<u32>,
    ) -> Result<f64, Failure> {
        let boundary = self.advance_parts(true, step, way);
        self.send()?;
        let inside = self.advance_parts(false, step, way);
        self.receive()?;
        self.verdict(broken, boundary, inside)
    }

    /// The step of those elements that other ranks wait for, or of all others: what they found,
    /// with the first block and the first element there that have turned inside out.
    fn advance_parts(&mut self, boundary: bool, step: &Step, way: Way) -> Found {
        let coordinates = &self.share.problem.coordinates;
        let nodes = Nodes { coordinates, u: &self.u, v: &self.v };
        let mut found = Found::NONE;
        let mut rest = &mut self.sums[..];
        for part in &mut self.parts {
            let (own, others) = rest.split_at_mut(part.elements.sums());
            rest = others;
            if part.is_boundary == boundary {
                let of_part = part.elements.advance(&nodes, step, way, own);
                found = found.with(Found::of(part.block, of_part));
            }
        }
        found
    }

    fn send(&self) -> Result<(), Failure> {
        for Link { rank, sums, nodes, .. } in &self.share.links {
            let sums = sums.iter().map(|&slot| self.sums[slot as usize]);
            let nodes = nodes.iter().map(|&node| self.u[node as usize]);
            let message: Vec<[P::Sum; 3]> = sums.chain(nodes).collect();
            if !message.is_empty() {
                self.whole.ranks.send(*rank, TAG, message.as_flattened())?;
            }
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<(), Failure> {
        for Link { rank, sums_from, nodes_from, .. } in &self.share.links {
            let count = sums_from.len() + nodes_from.len();
            if count > 0 {
                let mut message = vec![[P::Sum::default(); 3]; count];
                self.whole.ranks.receive(*rank, TAG, message.as_flattened_mut())?;
                let (sums, nodes) = message.split_at(sums_from.len());
                self.sums[sums_from.clone()].copy_from_slice(sums);
                self.u[nodes_from.clone()].copy_from_slice(nodes);
            }
        }
        Ok(())
    }

    /// What all ranks found: the longest stable step, or the failure that one device would have
    /// met, which is the first one by nodes and then by elements.
    fn verdict(&self, broken: Option<u32>, one: Found, other: Found) -> Result<f64, Failure> {
        let Found { stable, inverted } = one.with(other);
        let [block, element] = inverted.unwrap_or([u32::MAX; 2]);
        let mine = [
            broken.map_or(u64::MAX, u64::from),
            u64::from(block) << 32 | u64::from(element),
            // Steps are not negative, and ordered as their bits.
            stable.to_bits(),
        ];
        let ranks = &self.whole.ranks;
        let mut all = vec![0; mine.len() * ranks.size()];
        ranks.all_gather(&mine, &mut all)?;
        let least =
            |k: usize| all.iter().skip(k).step_by(mine.len()).fold(u64::MAX, |a, &b| a.min(b));
        let (broken, inverted) = (least(0), least(1));
        if broken < u64::MAX {
            return Err(Failure::NotFinite { node: self.whole.old_number(broken as usize) });
        }
        if inverted < u64::MAX {
            let (block, element) = ((inverted >> 32) as usize, inverted as u32 as usize);
            return Err(Failure::Inverted { block, element });
        }
        Ok(f64::from_bits(least(2)))
    }

    /// Adds the elements' forces to accelerations, or puts them in their place, and finds the scale
    /// of the next increments.
    pub(super) fn assemble(&mut self, way: Way) -> Result<(), Failure> {
        let sizes = self.add_forces(way);
        if way == Way::Increments {
            let size = self.whole.sum_of_groups(&sizes)?;
            if size > 0.0 && size.is_finite() {
                // A power of two, which rounds nothing.
                let mean = size / (3.0 * self.whole.nodes() as f64);
                self.scale = (-mean.log2()).round().clamp(-100.0, 100.0).exp2();
            }
        }
        Ok(())
    }

    /// Adds the elements' sums to accelerations or, where they are forces in full, puts them in
    /// their place; of each group the sum of all forces' magnitudes.
    pub(super) fn add_forces(&mut self, way: Way) -> Vec<f64> {
        let (share, sums) = (&self.share, &self.sums);
        let (masses, inverses) = (&self.masses, &self.inverses);
        let add_to = |first: usize, a: &mut [[P::Sum; 3]]| -> Vec<f64> {
            map_parts(chunks(a, NODES), GROUPS, |group, a| {
                let mut size = 0.0;
                for (node, a) in (first + group * NODES..).zip(a) {
                    let own = share.first[node] as usize..share.first[node + 1] as usize;
                    let mut force = [0.0; 3];
                    for &slot in &share.slots[own] {
                        let sum = &sums[slot as usize];
                        (0..3).for_each(|k| force[k] += sum[k].get());
                    }
                    if way != Way::Increments {
                        *a = [P::Sum::default(); 3];
                    }
                    for k in 0..3 {
                        add(&mut a[k], -inverses[node] * force[k]);
                        size += masses[node] * a[k].get().abs();
                    }
                }
                size
            })
        };
        let (own, others) = self.a.split_at_mut(share.owned);
        add_to(share.owned, others);
        add_to(0, own)
    }
}

/// What some parts found.
#[derive(Clone, Copy)]
struct Found {
    stable: f64,
    /// The first block with an element that has turned inside out, and the first of these.
    inverted: Option<[u32; 2]>,
}

impl Found {
    const NONE: Self = Self { stable: f64::INFINITY, inverted: None };

    fn of(block: usize, Findings { stable, inverted }: Findings) -> Self {
        Self { stable, inverted: inverted.map(|element| [block as u32, element]) }
    }

    fn with(self, other: Self) -> Self {
        let inverted = self.inverted.into_iter().chain(other.inverted).min();
        Self { stable: self.stable.min(other.stable), inverted }
    }
}
