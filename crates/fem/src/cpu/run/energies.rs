//! Energies, in the order of sums that devices have too.

use nonius_linalg::cpu::simd::real::Number;
use nonius_linalg::threads::{Grain, map};

use super::super::precision::Numbers;
use super::{HostRun, OF_TALLY};
use crate::solid::{Tallies, sum_of_block};

impl<P: Numbers> HostRun<P> {
    /// Kinetic energy, and what forces at the time do in the half step before it on what moves as
    /// given.
    ///
    /// The latter is work that reactions take back when the next step begins. What forces do on all
    /// else in that half step makes the kinetic energy of now from that of then.
    pub(super) fn energies(&self) -> [f64; 2] {
        let last = self.clock.last;
        let count = self.masses.len();
        let parts: Vec<[f64; 2]> = map(count.div_ceil(OF_TALLY), Grain::ANY, |tally| {
            let nodes = tally * OF_TALLY..count.min((tally + 1) * OF_TALLY);
            let (v, a) = (&self.v[nodes.clone()], &self.a[nodes.clone()]);
            let (masses, given) = (&self.masses[nodes.clone()], &self.given[nodes]);
            let mut of_nodes = [[0.0; OF_TALLY]; 2];
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
        parts.into_iter().fold([0.0; 2], |[a, b], [x, y]| [a + x, b + y])
    }

    /// Work done until now.
    pub(super) fn tallies(&self) -> Tallies {
        let patches = self.blocks.iter().map(|block| block.works().to_vec());
        Tallies { patches: patches.collect(), nodes: self.works.clone() }
    }
}
