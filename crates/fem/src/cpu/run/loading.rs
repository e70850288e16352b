//! Forces from outside, and their work.

use nonius_linalg::cpu::simd::real::Number;
use nonius_linalg::threads::{chunks, for_each};

use super::super::precision::Numbers;
use super::loads::Loads;
use super::{GROUPS, HostRun, add};
use crate::solid::{NODES, sum_of_block};

impl<P: Numbers> HostRun<P> {
    /// Adds to accelerations what loads change between two times, or all of the latter; keeps the
    /// sums of both times.
    pub(super) fn add_loads(&mut self, from: f64, to: f64, all: bool) {
        let Loads { pressed, partial, nodes: _, both, place: own } = &mut self.loads;
        let problem = &self.share.problem;
        let ends = |course: u32| {
            let course = &problem.courses[course as usize];
            [course.at(from), course.at(to)]
        };
        let change = |[old, new]: [f64; 2]| new - if all { 0.0 } else { old };
        both.fill([0.0; 3]);
        for force in &problem.forces {
            let (node, axis) = (force.node, force.axis as usize);
            let ends = ends(force.course);
            let by = change(ends) * self.inverses[node as usize];
            add(&mut self.a[node as usize][axis], by);
            both[own[node as usize] as usize][axis] += ends[1] + ends[0];
        }
        let u = &self.u;
        let at = |node: u32| {
            let (node, coordinates) = (node as usize, &problem.coordinates);
            core::array::from_fn(|k| coordinates[node][k] + u[node][k].get())
        };
        let changes = pressed.renew(problem, to, at);
        let is_moved = |&&node: &&u32| (node as usize) < self.share.moved;
        let nodes = pressed.nodes.iter().take_while(is_moved);
        for ((&node, now), change) in nodes.zip(&pressed.forces).zip(changes) {
            let node = node as usize;
            let inverse = self.inverses[node];
            for k in 0..3 {
                let by = if all { now[k] } else { change[k] };
                add(&mut self.a[node][k], by * inverse);
                both[own[node] as usize][k] += 2.0 * now[k] - change[k];
            }
        }
        for (gravity, partial) in problem.gravity.iter().zip(&*partial) {
            let [old, new] = ends(gravity.course);
            let by = gravity.direction.map(|x| change([old, new]) * x);
            let is_constant = change([old, new]) == 0.0;
            for &(node, mass) in partial {
                let node = node as usize;
                let part = mass * self.inverses[node];
                for k in 0..3 {
                    if !is_constant {
                        add(&mut self.a[node][k], part * by[k]);
                    }
                    both[own[node] as usize][k] += mass * gravity.direction[k] * (new + old);
                }
            }
            if gravity.elements.is_none() && !is_constant {
                for_each(chunks(&mut self.a, NODES), GROUPS, |_, a| {
                    a.iter_mut().for_each(|a| (0..3).for_each(|k| add(&mut a[k], by[k])));
                });
            }
        }
    }

    /// Counts the work of loads in a step of which `half` is half the length.
    pub(super) fn tally_loads(&mut self, half: f64) {
        let Loads { nodes, both, .. } = &self.loads;
        let owned = nodes.partition_point(|&node| (node as usize) < self.share.owned);
        let (nodes, group) = (&nodes[..owned], |node: u32| node as usize / NODES);
        let mut rest = &both[..];
        for own in nodes.chunk_by(|&a, &b| group(a) == group(b)) {
            let (both, others) = rest.split_at(own.len());
            rest = others;
            let mut done = [0.0; NODES];
            for (&node, f) in own.iter().zip(both) {
                let v = self.v[node as usize].map(Number::get);
                done[node as usize % NODES] = half * (f[0] * v[0] + f[1] * v[1] + f[2] * v[2]);
            }
            self.works[group(own[0])][0] += sum_of_block(&done);
        }
    }
}
