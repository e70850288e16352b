//! Cones whose work ranks share: what they compute has the bits of one device.

use nonius_comm::dense::{Grid, Ranks};
use nonius_comm::threads::run;
use nonius_linalg::Error;
use nonius_linalg::backend::{Cpu, Memory};
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::mp::{Bits, Mp};
use nonius_num::{Dd, Qd};

use super::suite::{Bitwise, Data, Limbs, Suite, dense, large, outcomes_of, sparse};
use crate::Machine;
use crate::cone::Cone;
use crate::cpu::{CpuCone, Kernels, RanksSchur};
use crate::ranks::RanksCone;

/// The order of tiles, of which matrices have several.
const TILE: usize = 7;

/// The numbers of a suite for the host, on ranks.
struct Shared<'a, S> {
    host: &'a S,
    ranks: Ranks<Cpu>,
}

impl<T: Kernels, S: Suite<Cone = CpuCone<T>>> Suite for Shared<'_, S> {
    type Cone = RanksCone<CpuCone<T>, Cpu>;

    fn cone(&self, data: &Data) -> Self::Cone {
        self.ranks.cone(self.host.cone(data).program().clone()).unwrap()
    }

    fn number(&self, x: &Mp) -> T {
        self.host.number(x)
    }

    fn wide(&self) -> Bits {
        self.host.wide()
    }

    fn exact(&self, x: &T) -> Mp {
        self.host.exact(x)
    }

    fn sum(&self, terms: usize) -> f64 {
        self.host.sum(terms)
    }

    fn elimination(&self, terms: usize) -> f64 {
        self.host.elimination(terms)
    }

    fn schur(&self, b: &<Self::Cone as Cone>::Schur) -> Vec<T> {
        match b {
            RanksSchur::Tiled { matrix, .. } => {
                let all = self.ranks.download(self.ranks.view(matrix)).unwrap();
                all.numbers().as_slice().iter().collect()
            }
            RanksSchur::Whole(b) => self.host.schur(b),
        }
    }
}

/// Without residues: see [`nonius_comm::dense`].
fn direct() -> Cpu {
    Cpu::new(Products::direct())
}

/// Every operation.
fn assert_bits_of_one_device<S, T: Kernels>(host: &S, data: &Data, ranks: usize)
where
    S: Suite<Cone = CpuCone<T>> + Sync,
{
    let all = run(ranks, |ranks| {
        let ranks = Ranks::new(Grid::new(ranks, TILE), direct()).unwrap();
        Ok::<_, Error>(outcomes_of(&Shared { host, ranks }, data))
    });
    let parts = |x: &Mp| (x.head(), x.words().to_vec());
    let one = outcomes_of(host, data);
    for found in all.unwrap() {
        assert_eq!(found.len(), one.len(), "{}", data.name);
        for (i, (x, y)) in found.iter().zip(&one).enumerate() {
            assert_eq!(parts(x), parts(y), "{}: number {i} on {ranks} ranks", data.name);
        }
    }
}

/// On programs with all that there may be.
fn all_have_the_bits_of_one_device<S, T: Kernels>(host: &S)
where
    S: Suite<Cone = CpuCone<T>> + Sync,
{
    for data in [sparse(), dense()].concat() {
        (1..=4).for_each(|ranks| assert_bits_of_one_device(host, &data, ranks));
    }
}

#[test]
fn limbs_have_the_bits_of_one_device() {
    all_have_the_bits_of_one_device(&Limbs::<f64>::on(direct()));
    all_have_the_bits_of_one_device(&Limbs::<Dd>::on(direct()));
    all_have_the_bits_of_one_device(&Limbs::<Qd>::on(direct()));
}

#[test]
fn mp_has_the_bits_of_one_device() {
    all_have_the_bits_of_one_device(&Bitwise(Bits::new(212).unwrap(), direct()));
}

/// Matrices worth several threads on each rank.
#[test]
fn large_programs_have_the_bits_of_one_device() {
    assert_bits_of_one_device(&Limbs::<Dd>::on(direct()), &large(), 3);
}

/// Matrices without a factor are so on all ranks, whichever of them has the block.
#[test]
fn ranks_agree_on_what_has_no_factor() {
    let host = Limbs::<Dd>::default();
    for data in dense() {
        for bad in (0..data.squares.len()).filter(|&block| data.squares[block] > 0) {
            let all = run(3, |ranks| {
                let ranks = Ranks::new(Grid::new(ranks, TILE), direct()).unwrap();
                let cone = Shared { host: &host, ranks }.cone(&data);
                let [mut a, mut l] = [cone.blocks()?, cone.blocks()?];
                cone.identity(1.0, &mut a);
                assert!(cone.factor(&a, &mut l)?);
                let mut entries = cone.download_blocks(&a)?;
                entries[bad].set(0, Dd::from(-1.0));
                let a = cone.upload_blocks(&entries)?;
                assert_eq!(cone.largest_entry(&a)?, 1.0);
                assert!(!cone.factor(&a, &mut l)?);
                entries[bad].set(0, Dd::from(f64::NAN));
                assert!(cone.largest_entry(&cone.upload_blocks(&entries)?)?.is_nan());
                Ok::<_, Error>(())
            });
            all.unwrap();
        }
    }
}
