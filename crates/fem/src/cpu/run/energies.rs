//! Energies, in the order of sums that devices have too.

use nonius_linalg::cpu::simd::real::Number;
use nonius_linalg::threads::map;

use super::super::precision::Numbers;
use super::{GROUPS, HostRun};
use crate::solid::{Failure, NODES, Tallies, sum_of_block};

impl<P: Numbers> HostRun<P> {
    /// Kinetic energy, and what forces at the time do in the half step before it on what moves as
    /// given.
    ///
    /// The latter is work that reactions take back when the next step begins. What forces do on all
    /// else in that half step makes the kinetic energy of now from that of then.
    pub(super) fn energies(&self) -> Result<[f64; 2], Failure> {
        let last = self.clock.last;
        let count = self.share.owned;
        let parts: Vec<[f64; 2]> = map(count.div_ceil(NODES), GROUPS, |group| {
            let nodes = group * NODES..count.min((group + 1) * NODES);
            let (v, a) = (&self.v[nodes.clone()], &self.a[nodes.clone()]);
            let (masses, given) = (&self.masses[nodes.clone()], &self.given[nodes]);
            let mut of_nodes = [[0.0; NODES]; 2];
            for (i, &mass) in masses.iter().enumerate() {
                let half = 0.5 * last;
                for k in 0..3 {
                    let speed = v[i][k].get();
                    let more = half * mass * speed * a[i][k].get();
                    let is_given = given[i][k] > 0;
                    of_nodes[0][i] +=
                        0.5 * mass * (speed * speed) + if is_given { 0.0 } else { more };
                    of_nodes[1][i] += if is_given { more } else { 0.0 };
                }
            }
            of_nodes.each_ref().map(sum_of_block)
        });
        let parts = self.whole.of_groups(&parts)?;
        Ok(parts.into_iter().fold([0.0; 2], |[a, b], [x, y]| [a + x, b + y]))
    }

    /// Work done until now.
    pub(super) fn tallies(&self) -> Result<Tallies, Failure> {
        let of_block = |block: usize| {
            let mine = self.of_block(block, |elements| elements.works().to_vec());
            self.whole.of_patches(block, &mine)
        };
        let patches = (0..self.whole.blocks()).map(of_block).collect::<Result<_, _>>()?;
        Ok(Tallies { patches, nodes: self.whole.of_groups(&self.works)? })
    }
}
