//! Nodes through a step.

use nonius_linalg::cpu::simd::real::Number;
use nonius_linalg::threads::{chunks, map_parts};

use super::super::precision::Numbers;
use super::{GROUPS, HostRun};
use crate::model::Wall;
use crate::solid::{NODES, sum_of_block};

impl<P: Numbers> HostRun<P> {
    /// Velocities and displacements of a step, what is given and walls among them; the first node,
    /// by its number in the layout, whose velocity is not finite.
    pub(super) fn moved(&mut self, dt: f64) -> Option<u32> {
        let mean = 0.5 * (dt + self.clock.last);
        let (time, end) = (self.clock.time, self.clock.time + dt);
        let problem = &self.share.problem;
        let at = |time: f64| -> Vec<f64> {
            problem.courses.iter().map(|course| course.at(time)).collect()
        };
        // Displacements are given at the end of the step, velocities half way.
        let (courses, halfway) = (at(end), at(time + 0.5 * dt));
        // Of gravity on everything at both ends of the step.
        let mut pull = [0.0; 3];
        for gravity in problem.gravity.iter().filter(|gravity| gravity.elements.is_none()) {
            let course = gravity.course as usize;
            let both = problem.courses[course].at(time) + courses[course];
            (0..3).for_each(|k| pull[k] += gravity.direction[k] * both);
        }
        let half = 0.5 * dt;
        let (masses, stopped, given) = (&self.masses, &self.stopped, &self.given);
        let (a, nodes) = (&self.a, &self.share.nodes);
        let (owned, moved) = (self.share.owned, self.share.moved);
        let (own_u, other_u) = self.u[..moved].split_at_mut(owned);
        let (own_v, other_v) = self.v.split_at_mut(owned);
        // Works of nodes of other ranks' groups are these ranks'.
        let mut unused = vec![[0.0; 2]; (moved - owned).div_ceil(NODES)];
        let own = (0, own_u, own_v, &mut self.works[..]);
        let others = (owned, other_u, other_v, &mut unused[..]);
        let broken = [own, others].map(|(first, u, v, works)| {
            let numbers = ((chunks(u, NODES), chunks(v, NODES)), works);
            let broken = map_parts(numbers, GROUPS, |group, ((u, v), works)| {
                let mut broken = None;
                let mut done = [0.0; NODES];
                for i in 0..u.len() {
                    let node = first + group * NODES + i;
                    let old = v[i].map(Number::get);
                    let free: [f64; 3] = core::array::from_fn(|k| {
                        P::Sum::rounded(old[k] + mean * a[node][k].get()).get()
                    });
                    let mut new = free;
                    for k in 0..3 {
                        let Some(number) = given[node][k].checked_sub(1) else { continue };
                        let motion = &problem.motions[number as usize];
                        let course = motion.course as usize;
                        new[k] = if motion.is_velocity {
                            halfway[course]
                        } else {
                            (courses[course] - u[i][k].get()) / dt
                        };
                    }
                    let mut walls = stopped[node];
                    while walls != 0 {
                        let wall = &problem.walls[walls.trailing_zeros() as usize];
                        let x = &problem.coordinates[node];
                        stop(wall, x, u[i].map(Number::get), &mut new, dt);
                        walls &= walls - 1;
                    }
                    for k in 0..3 {
                        v[i][k] = P::Sum::rounded(new[k]);
                        let new = v[i][k].get();
                        let mid = 0.5 * (old[k] + new);
                        // The impulse of reactions.
                        done[i] += masses[node] * ((new - free[k]) * mid + half * pull[k] * new);
                        u[i][k] = P::Sum::rounded(u[i][k].get() + dt * new);
                        if !new.is_finite() {
                            broken = broken.or(Some(nodes[node]));
                        }
                    }
                }
                works[1] += sum_of_block(&done);
                broken
            });
            broken.into_iter().flatten().next()
        });
        broken.into_iter().flatten().min()
    }
}

/// Takes from a velocity what would carry the node through the wall.
fn stop(wall: &Wall, x: &[f64; 3], u: [f64; 3], v: &mut [f64; 3], dt: f64) {
    let along = |a: [f64; 3]| (0..3).map(|k| a[k] * wall.normal[k]).sum::<f64>();
    let gap = along(core::array::from_fn(|k| x[k] + u[k] - wall.point[k]));
    let speed = along(*v);
    if gap + dt * speed < 0.0 {
        let change = -gap / dt - speed;
        for (v, along) in v.iter_mut().zip(wall.normal) {
            *v += change * along;
        }
    }
}
