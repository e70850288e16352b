//! Cones of semidefinite matrices, on the host.

pub(crate) mod suite;

use nonius_linalg::Scalar;
use nonius_linalg::backend::Cpu;
use nonius_linalg::mp::{Bits, Mp};
use nonius_num::{Dd, Qd, Td};
use rayon::ThreadPoolBuilder;

use crate::cone::Cone;
use crate::cone::tests::suite::{Bitwise, Limbs, Suite, outcomes, sparse, suite};
use crate::cone::{Place, Program};
use crate::cpu::{CpuCone, Kernels, Schur};

fn bitwise(bits: u32) -> Bitwise {
    Bitwise(Bits::new(bits).unwrap())
}

#[test]
fn limbs_f64() {
    suite(&Limbs::<f64>::default());
}

#[test]
fn limbs_dd() {
    suite(&Limbs::<Dd>::default());
}

#[test]
fn limbs_td() {
    suite(&Limbs::<Td>::default());
}

#[test]
fn limbs_qd() {
    suite(&Limbs::<Qd>::default());
}

#[test]
fn mp212() {
    suite(&bitwise(212));
}

#[test]
fn mp106() {
    suite(&bitwise(106));
}

#[test]
fn mp424() {
    suite(&bitwise(424));
}

#[test]
fn mp1000() {
    suite(&bitwise(1000));
}

/// A square of which places of entries leave 32 bits.
#[test]
fn squares_may_be_large() {
    let order = 70_000_u32;
    let places = (1..order).map(|col| Place { block: 0, matrix: 1, col, row: col - 1 });
    let places: Vec<Place> = places.collect();
    let values = vec![1.0; places.len()];
    let program = Program::new(vec![1.0], &[order as usize], 0, &places, &values).unwrap();
    let cone = CpuCone::new(program, Cpu::default());
    assert_eq!((cone.constraints(), cone.squares()), (1, vec![70_000]));
}

#[test]
fn sparse_complements_are_kept_sparse() {
    for data in sparse() {
        let complement = Limbs::<Dd>::default().cone(&data).schur().unwrap();
        assert!(matches!(complement, Schur::Sparse(_)), "{}", data.name);
        let complement = bitwise(212).cone(&data).schur().unwrap();
        assert!(matches!(complement, Schur::Sparse(_)), "{}, mp212", data.name);
    }
}

fn assert_same_for_any_threads<S: Suite + Sync>(suite: &S) {
    let run = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| outcomes(suite))
    };
    let one = run(1);
    let parts = |x: &Mp| (x.head(), x.words().to_vec());
    for threads in [2, 5] {
        let several = run(threads);
        assert_eq!(one.len(), several.len());
        for (i, (x, y)) in one.iter().zip(&several).enumerate() {
            assert_eq!(parts(x), parts(y), "number {i} with {threads} threads");
        }
    }
}

fn limbs_with_threads<T: Scalar + Kernels>() {
    assert_same_for_any_threads(&Limbs::<T>::default());
}

#[test]
fn threads_do_not_change_limbs() {
    limbs_with_threads::<f64>();
    limbs_with_threads::<Dd>();
    limbs_with_threads::<Td>();
    limbs_with_threads::<Qd>();
}

#[test]
fn threads_do_not_change_mp() {
    assert_same_for_any_threads(&bitwise(212));
    assert_same_for_any_threads(&bitwise(424));
    assert_same_for_any_threads(&bitwise(1000));
}
