//! Accelerations of forces in full.

use nonius_linalg::cpu::simd::real::Number;
use nonius_linalg::threads::map;

use super::super::element::Step;
use super::super::precision::Numbers;
use super::super::way::Way;
use super::{GROUPS, HostRun};
use crate::solid::{Failure, NODES};

/// What forces in full come to.
pub(super) struct Afresh<T> {
    pub(super) accelerations: Vec<[T; 3]>,
    /// The norm of the elements' forces on nodes.
    internal: f64,
}

impl<P: Numbers> HostRun<P> {
    /// Accelerations by all elements and loads at the time, whatever was summed up until then.
    pub(super) fn afresh(&mut self) -> Result<Afresh<P::Sum>, Failure> {
        let viscosity = self.share.problem.viscosity;
        let here = Step { dt: 0.0, viscosity, hourglass: 0.0, scale: self.scale };
        self.elements(&here, Way::Standing, None)?;
        let zeros = vec![[P::Sum::default(); 3]; self.a.len()];
        let summed = core::mem::replace(&mut self.a, zeros);
        self.add_forces(Way::Standing);
        let internal = self.norm(|node| self.a[node].map(Number::get))?;
        let time = self.clock.time;
        self.add_loads(time, time, true);
        let accelerations = core::mem::replace(&mut self.a, summed);
        Ok(Afresh { accelerations, internal })
    }

    /// See [`Run::drift`](crate::solid::Run::drift).
    pub(super) fn drift_of_forces(&mut self) -> Result<f64, Failure> {
        let Afresh { accelerations, internal } = self.afresh()?;
        let of = |node: usize| accelerations[node].map(Number::get);
        let difference = self.norm(|node| {
            let (summed, full) = (self.a[node].map(Number::get), of(node));
            core::array::from_fn(|k| summed[k] - full[k])
        })?;
        let whole = internal.max(self.norm(of)?);
        Ok(if difference > 0.0 { difference / whole } else { 0.0 })
    }

    /// The norm of the forces of accelerations.
    fn norm(&self, acceleration: impl Fn(usize) -> [f64; 3] + Sync) -> Result<f64, Failure> {
        let groups: Vec<&[f64]> = self.masses[..self.share.owned].chunks(NODES).collect();
        let squares: Vec<f64> = map(groups.len(), GROUPS, |group| {
            let of_node = |(node, mass): (usize, &f64)| -> f64 {
                acceleration(node).into_iter().map(|a| (mass * a).powi(2)).sum()
            };
            (group * NODES..).zip(groups[group]).map(of_node).sum()
        });
        Ok(self.whole.sum_of_groups(&squares)?.sqrt())
    }
}
