//! Cones of semidefinite matrices, on the host.

mod ranks;
pub(crate) mod suite;

use nonius_linalg::backend::Cpu;
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::{Number, Numbers, Scalar};
use nonius_num::{Dd, Qd, Td};
use rayon::ThreadPoolBuilder;

use crate::cone::Cone;
use crate::cone::tests::suite::{Bitwise, Limbs, Suite, outcomes, sparse, suite};
use crate::cone::{Place, Program};
use crate::cpu::{CpuCone, Kernels, Schur};

fn bitwise(bits: u32) -> Bitwise {
    Bitwise::new(Bits::new(bits).unwrap())
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

/// Thirds of these bits.
fn thirds(bits: u32, count: usize) -> Numbers<Mp> {
    let bits = Bits::new(bits).unwrap();
    let mut numbers = Numbers::zeros(bits, count);
    (0..count)
        .for_each(|i| numbers.set(i, Mp::from_f64(bits, 1.0 + i as f64) / Mp::from_f64(bits, 3.0)));
    numbers
}

fn assert_rounded(found: &Numbers<Mp>, exact: &Numbers<Mp>, bits: Bits) {
    assert_eq!((found.format(), found.len()), (bits, exact.len()));
    for (found, exact) in found.as_slice().iter().zip(exact.as_slice().iter()) {
        assert_eq!(found, exact.in_bits(bits));
    }
}

/// That of the objective: kernels read all numbers alike.
#[test]
fn programs_have_one_format() {
    for [of_objective, of_values] in [[106, 424], [424, 106]] {
        let place = |block, matrix, row| Place { block, matrix, col: row, row };
        let places = [place(0, 1, 0), place(0, 2, 1), place(1, 1, 0), place(1, 2, 1)];
        let (objective, values) = (thirds(of_objective, 2), thirds(of_values, 4));
        let program = Program::new(objective, &[2], 2, &places, &values).unwrap();
        let bits = Bits::new(of_objective).unwrap();
        let part = |range| values.as_slice().range(range).into();
        assert_rounded(&program.squares()[0].entries.values, &part(0..2), bits);
        assert_rounded(&program.diagonal().values, &part(2..4), bits);

        let cone = CpuCone::new(program, Cpu::default());
        let x = cone.upload_vector(&part(0..2)).unwrap();
        assert_rounded(&cone.download_vector(&x).unwrap(), &part(0..2), bits);
        let a = cone.upload_blocks(&[values.clone(), part(0..2)]).unwrap();
        let [square, diagonal] = &cone.download_blocks(&a).unwrap()[..] else { panic!("two") };
        assert_rounded(square, &values, bits);
        assert_rounded(diagonal, &part(0..2), bits);
    }
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
    assert_same_for_any_threads(&bitwise(1000));
}
