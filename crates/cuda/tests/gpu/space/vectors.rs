//! Operations on vectors and numbers.

use nonius_cuda::CudaSpace;
use nonius_linalg::Error;
use nonius_linalg::backend::{NumberOp, Sign, Space};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{HostSpace, RnsSpace};
use nonius_linalg::mp::{Bits, Numbers};
use nonius_num::rns::float::Format;
use nonius_num::{Dd, Mp, Qd, Td};

use super::{Host, Same, mp, rns};
use crate::gpu;

/// The vectors and numbers that a run of operations leaves, one after the other, in vectors of one
/// length.
fn operations<S: Space>(space: &mut S, x: &S::Vector, y: &S::Vector) -> Vec<S::Vector> {
    let n = space.length(x);
    let vector = |space: &S| space.vector(n).expect("a vector");
    let mut results = Vec::new();
    let (mut a, mut b, mut c) = (space.number(), space.number(), space.number());
    space.dot(x, y, &mut a);
    space.dot(x, x, &mut b);
    let mut of_x = vector(space);
    space.axpy(Sign::Plus, &a, x, &mut of_x);
    results.push(of_x);
    for operation in [NumberOp::Add, NumberOp::Sub, NumberOp::Mul, NumberOp::Div] {
        space.compute(operation, &a, &b, &mut c);
        let mut z = vector(space);
        space.copy(y, &mut z);
        space.axpy(Sign::Minus, &c, x, &mut z);
        results.push(z);
    }
    space.root(&b, &mut c);
    let mut z = vector(space);
    space.copy(x, &mut z);
    space.scale(&c, &mut z);
    space.xpay(y, Sign::Plus, &c, &mut z);
    results.push(z);
    space.set(-0.1, &mut c);
    let mut z = vector(space);
    space.copy(x, &mut z);
    space.xpay(y, Sign::Minus, &c, &mut z);
    results.push(z);
    let mut z = vector(space);
    space.copy(y, &mut z);
    space.multiply(x, &mut z);
    space.norm(y, &mut c);
    space.scale(&c, &mut z);
    results.push(z);
    space.assign(&a, &mut c);
    let mut z = vector(space);
    space.copy(x, &mut z);
    space.clear(&mut z);
    space.axpy(Sign::Plus, &c, y, &mut z);
    results.push(z);
    results
}

fn vectors<H: Host>(mut host: H) {
    let gpu = gpu();
    let mut device = host.device(&gpu);
    for &n in H::LENGTHS {
        for specials in [false, true] {
            let (x, y) = (host.random(n, 1, specials), host.random(n, 2, specials));
            let on_device = {
                let (x, y) = (device.upload(&x).unwrap(), device.upload(&y).unwrap());
                operations(&mut device, &x, &y)
            };
            for (k, (right, found)) in
                operations(&mut host, &x, &y).iter().zip(&on_device).enumerate()
            {
                let result: H::Vector = device.download(found).unwrap();
                assert!(result.same(right), "result {k} of {n} numbers, specials: {specials}");
            }
        }
    }
}

mod vectors_have_the_hosts_bits {
    use super::*;

    #[test]
    #[ignore = "needs a GPU"]
    fn f64() {
        vectors(HostSpace::<f64>::new(()));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn dd() {
        vectors(HostSpace::<Dd>::new(()));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn td() {
        vectors(HostSpace::<Td>::new(()));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn qd() {
        vectors(HostSpace::<Qd>::new(()));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp_delayed() {
        for bits in [64, 106, 424, 1500] {
            vectors(mp(bits, Arithmetic::Delayed));
        }
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp_ieee() {
        for bits in [106, 424] {
            vectors(mp(bits, Arithmetic::Ieee));
        }
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn residues() {
        for bits in [106, 424] {
            vectors(rns(bits));
        }
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn residues_of_the_fewest_bits() {
        vectors(rns(53));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn residues_of_many_bits() {
        vectors(rns(1696));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn residues_modulo_numbers_of_ones_own() {
        // They give 56 bits.
        let moduli = [3, 5, 7, 11, 257, 65_537, 1_000_003, (1 << 31) - 1, (1 << 30) + 3];
        vectors(RnsSpace::new(&Format::new(&moduli).unwrap()).unwrap());
    }
}

/// What one type of number makes, another cannot take.
#[test]
#[ignore = "needs a GPU"]
fn kinds_do_not_mix() {
    let gpu = gpu();
    let space = CudaSpace::numbers::<Dd>(&gpu, (), Arithmetic::Delayed).unwrap();
    let numbers = Numbers::zeros(Bits::new(106).unwrap(), 3);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| space.upload(&numbers)));
    assert!(outcome.is_err());
    // Iterations refuse vectors of another kind.
    let bits = Bits::new(128).unwrap();
    let other = CudaSpace::numbers::<Mp>(&gpu, bits, Arithmetic::Delayed).unwrap();
    let wide = other.upload(&Numbers::zeros(bits, 3)).unwrap();
    let refused = Error::Precision { operand: "b", expected: 104, found: 128 };
    assert_eq!(space.check_numbers("b", &wide), Err(refused));
    assert_eq!(other.check_numbers("b", &wide), Ok(()));
    let host = rns(106);
    let residues = CudaSpace::rns(&gpu, &host).unwrap();
    assert!(matches!(residues.check_numbers("x", &wide), Err(Error::NotInResidues { .. })));
}
