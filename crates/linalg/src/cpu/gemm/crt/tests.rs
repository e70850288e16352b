use nonius_num::{Dd, Qd, Td};
use nonius_testkit::{ExactSum, Random};

use super::*;
use crate::Matrix;
use crate::dense::Transpose;
use crate::dense::gemm::crt::Plan;

fn limbs<T: Scalar>(x: T) -> Vec<f64> {
    (0..T::LIMBS).map(|l| x.limb(l)).collect()
}

fn random<T: Scalar>(rows: usize, cols: usize, random: &mut Random) -> Matrix<T> {
    Matrix::from_fn(rows, cols, |_, _| {
        let limbs = random.limbs::<4>();
        T::from_limbs(|l| limbs[l])
    })
}

fn product<T: Scalar>(unit: Kind, a: &Matrix<T>, b: &Matrix<T>) -> Result<Matrix<T>, Fallback> {
    let mut c = Matrix::zeros(a.rows(), b.cols());
    let factors = Factors { alpha: T::ONE, beta: T::ZERO };
    let (left, right) =
        (Operand::new(Transpose::No, a.view()), Operand::new(Transpose::No, b.view()));
    let options = Options {
        unit,
        most_bits: Plan::MOST_BITS,
        accuracy: Accuracy::Entrywise,
        workspace: 1 << 28,
    };
    multiply(options, left, right, factors, Part::All, c.view_mut())?;
    Ok(c)
}

fn check<T: Scalar>(m: usize, k: usize, n: usize) {
    let mut source = Random::new((m + k + n) as u64);
    let (a, b) = (random::<T>(m, k, &mut source), random::<T>(k, n, &mut source));
    let c = product(Kind::Bytes, &a, &b).unwrap();
    let other = product(Kind::Floats, &a, &b).unwrap();
    for j in 0..n {
        for i in 0..m {
            assert_eq!(limbs(c[(i, j)]), limbs(other[(i, j)]), "{} entry ({i}, {j})", T::NAME);
        }
    }
    let mut worst = 0.0_f64;
    for _ in 0..40 {
        let (i, j) = (source.below(m), source.below(n));
        let (mut sum, mut size) = (ExactSum::new(), 0.0);
        for l in 0..k {
            sum.add_product(&limbs(a[(i, l)]), &limbs(b[(l, j)]));
            size += (a[(i, l)].to_f64() * b[(l, j)].to_f64()).abs();
        }
        let error = sum.distance(&limbs(c[(i, j)])) / (size * T::UNIT_ROUNDOFF);
        worst = worst.max(error);
    }
    println!("{} {m} × {k} × {n}: {worst:.3} units", T::NAME);
    assert!(worst <= 1.0, "{worst} units");
}

#[test]
fn products_are_right_and_the_same_on_every_unit() {
    check::<Dd>(1, 1, 1);
    check::<Dd>(33, 70, 17);
    check::<Td>(40, 33, 65);
    check::<Qd>(300, 129, 70);
    check::<Qd>(3, 5000, 2);
}

#[test]
fn every_unit_takes_the_most_bits_that_a_plan_has() {
    fn check<U: Unit>() {
        for k in [1, 1000, 1 << 20] {
            let plan = Plan::with_bits(k, Plan::MOST_BITS, 1.0);
            let crt = Crt::new(U::moduli(plan.modulus_bits, k).unwrap());
            let (left, right) =
                (Packer::<U>::left(&crt, plan.bits), Packer::<U>::right(&crt, plan.bits));
            assert_eq!(left.size(k), right.size(k));
        }
    }
    check::<Bytes>();
    check::<Floats>();
}
