//! Energies, in the order of sums that devices have too.

use nonius_linalg::cpu::simd::real::Number;
use rayon::prelude::*;

use super::super::precision::Numbers;
use super::{HostRun, OF_TALLY};
use crate::solid::{Tallies, sum_of_block};

impl<P: Numbers> HostRun<P> {
    /// Kinetic energy, and what forces at the time do in the half step before it on what moves as given.
    ///
    /// The latter is work that reactions take back when the next step begins. What forces do on all else in that half step makes
    /// the kinetic energy of now from that of then.
    pub(super) fn energies(&self) -> [f64; 2] {
        let numbers = self
            .masses
            .par_chunks(OF_TALLY)
            .zip(self.v.par_chunks(OF_TALLY))
            .zip(self.a.par_chunks(OF_TALLY))
            .zip(self.given.par_chunks(OF_TALLY));
        let last = self.clock.last;
        let parts: Vec<[f64; 2]> = numbers
            .map(|(((masses, v), a), given)| {
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
            })
            .collect();
        parts.into_iter().fold([0.0; 2], |[a, b], [x, y]| [a + x, b + y])
    }

    /// Work done until now.
    pub(super) fn tallies(&self) -> Tallies {
        let patches = self.blocks.iter().map(|block| block.works().to_vec());
        Tallies { patches: patches.collect(), nodes: self.works.clone() }
    }
}
