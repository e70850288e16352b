//! Conjugate gradients, with all preconditioners: the same iterations and bits as on the host.

use nonius_cuda::{CudaSpace, Planar};
use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{
    Cg, Identity, IncompleteCholesky, Inverse, LimbSpace, LinearOperator, Options, Preconditioner,
    Report, Residual, block_jacobi, jacobi,
};
use nonius_linalg::mp::{Mp, Numbers};
use nonius_linalg::sparse::{Coo, Csr, Dia, Ell, Layout, Triplet, Values};
use nonius_linalg::{Error, Scalar};
use nonius_num::{Dd, Qd, Td};

use super::{Host, Same, matrix, mp, rns, short};
use crate::gpu;

fn solve<S: Space>(
    space: &mut S,
    a: &impl LinearOperator<S>,
    m: &impl Preconditioner<S>,
    b: &S::Vector,
    x: &mut S::Vector,
    options: &Options,
) -> Result<(Report, usize), Error> {
    let mut steps = 0;
    let report = Cg::new(space, a.size().0)?.solve(space, a, m, b, x, options, |_| steps += 1)?;
    Ok((report, steps))
}

/// Solves on both; the solutions have the same bits and took the same iterations.
fn compare<H: Host>(
    host: &mut H,
    device: &mut CudaSpace,
    a: (&impl LinearOperator<H>, &impl LinearOperator<CudaSpace>),
    m: (&impl Preconditioner<H>, &impl Preconditioner<CudaSpace>),
    b: &H::Vector,
    options: &Options,
    what: &str,
) {
    let n = a.0.size().0;
    let mut x = host.zeros(n);
    let right = solve(host, a.0, m.0, b, &mut x, options);
    let (on_device, mut y) = (device.upload(b).unwrap(), device.vector(n).unwrap());
    let found = solve(device, a.1, m.1, &on_device, &mut y, options);
    let (right, found) = match (right, found) {
        (Ok(right), Ok(found)) => (right, found),
        (right, found) => return assert_eq!(format!("{right:?}"), format!("{found:?}"), "{what}"),
    };
    assert_eq!(found.1, right.1, "{what}: steps");
    assert_eq!(found.0.iterations, right.0.iterations, "{what}");
    assert_eq!(found.0.non_positive, right.0.non_positive, "{what}");
    assert_eq!(found.0.converged, right.0.converged, "{what}");
    let result: H::Vector = device.download(&y).unwrap();
    assert!(result.same(&x), "{what}: the solutions differ");
}

fn iterations<H: Host, V>(
    mut host: H,
    csr: Csr<V>,
    preconditioners: (Dia<V>, Csr<V>, IncompleteCholesky<V>),
) where
    V: Planar + Values,
    Csr<V>: LinearOperator<H>,
    Ell<V>: LinearOperator<H>,
    Dia<V>: LinearOperator<H>,
    IncompleteCholesky<V>: Preconditioner<H>,
{
    let gpu = gpu();
    let device = &mut host.device(&gpu);
    let host = &mut host;
    let n = csr.shape().0;
    let b = host.random(n, 9, false);
    let ell = Ell::from_csr(&csr).unwrap();
    let a = device.upload_matrix(&csr).unwrap();
    let options = Options::default();
    compare(host, device, (&csr, &a), (&Identity, &Identity), &b, &options, "csr");
    let on_device = device.upload_matrix(&ell).unwrap();
    compare(host, device, (&ell, &on_device), (&Identity, &Identity), &b, &options, "ell");
    let (diagonal, blocks, factors) = preconditioners;
    let on_device = Inverse(device.upload_matrix(&diagonal).unwrap());
    let m = Inverse(diagonal);
    compare(host, device, (&csr, &a), (&m, &on_device), &b, &options, "jacobi");
    let on_device = Inverse(device.upload_matrix(&blocks).unwrap());
    let m = Inverse(blocks);
    compare(host, device, (&csr, &a), (&m, &on_device), &b, &options, "blocks");
    let on_device = device.upload_incomplete_cholesky(&factors).unwrap();
    compare(host, device, (&csr, &a), (&factors, &on_device), &b, &options, "ic0");
    for (what, options) in [
        ("true residual", Options { residual: Residual::True, ..Options::default() }),
        ("few", Options { max_iterations: 3, ..Options::default() }),
        ("none", Options { max_iterations: 0, ..Options::default() }),
        ("beyond reach", Options { tolerance: 0.0, max_iterations: 130, ..Options::default() }),
        ("at once", Options { tolerance: 1.0, ..Options::default() }),
    ] {
        compare(host, device, (&csr, &a), (&Identity, &Identity), &b, &options, what);
    }
    let zero = host.zeros(n);
    compare(host, device, (&csr, &a), (&Identity, &Identity), &zero, &options, "zero");
    let special = host.random(n, 9, true);
    compare(host, device, (&csr, &a), (&Identity, &Identity), &special, &options, "specials");
}

fn limb_iterations<T: Scalar + nonius_num::Decimal>() {
    let csr = short(&matrix(20, true));
    let diagonal = jacobi::<_, Vec<f64>>(&csr, (), |x| 1.0 / x).unwrap().0;
    let blocks = block_jacobi(&csr, 7).unwrap().0;
    let factors = IncompleteCholesky::new(&csr).unwrap();
    iterations(LimbSpace::<T>::new(), csr, (diagonal, blocks, factors));
}

fn mp_iterations(bits: u32, arithmetic: Arithmetic) {
    let short = short(&matrix(20, true));
    let csr = short.to_mp().unwrap();
    let least = csr.values().bits();
    let diagonal = jacobi::<_, Numbers>(&csr, least, |x| Mp::one(least) / x).unwrap().0;
    let blocks = block_jacobi(&short, 7).unwrap().0.to_mp().unwrap();
    let factors = IncompleteCholesky::new(&csr).unwrap();
    iterations(mp(bits, arithmetic), csr, (diagonal, blocks, factors));
}

mod iterations_have_the_hosts_bits {
    use super::*;

    #[test]
    #[ignore = "needs a GPU"]
    fn f64() {
        limb_iterations::<f64>();
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn dd() {
        limb_iterations::<Dd>();
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn td() {
        limb_iterations::<Td>();
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn qd() {
        limb_iterations::<Qd>();
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp106() {
        mp_iterations(106, Arithmetic::Delayed);
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp424() {
        mp_iterations(424, Arithmetic::Delayed);
        mp_iterations(424, Arithmetic::Ieee);
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn residues106() {
        rns_iterations(106);
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn residues424() {
        rns_iterations(424);
    }
}

fn rns_iterations(bits: u32) {
    let csr = short(&matrix(20, true));
    let diagonal = jacobi::<_, Vec<f64>>(&csr, (), |x| 1.0 / x).unwrap().0;
    let blocks = block_jacobi(&csr, 7).unwrap().0;
    let factors = IncompleteCholesky::new(&csr).unwrap();
    iterations(rns(bits), csr, (diagonal, blocks, factors));
}

/// An indefinite matrix is solved formally, and refused where that is asked for.
#[test]
#[ignore = "needs a GPU"]
fn indefinite_matrices() {
    let gpu = gpu();
    let n = 300;
    let sign = |i: usize| if i.is_multiple_of(5) { -1.0 } else { 1.0 };
    let triplets = (0..n).map(|i| Triplet { row: i, col: i, value: sign(i) * (1.0 + i as f64) });
    let csr: Csr<Vec<f64>> =
        Csr::from_coo((), Coo::new(n, n, triplets.collect()).unwrap()).unwrap();
    let (mut host, mut device) = (LimbSpace::<Qd>::new(), CudaSpace::limbs::<Qd>(&gpu).unwrap());
    let a = device.upload_matrix(&csr).unwrap();
    let b = host.random(n, 4, false);
    for require_positive_definite in [false, true] {
        let options = Options { require_positive_definite, ..Options::default() };
        let (a, m) = ((&csr, &a), (&Identity, &Identity));
        compare(&mut host, &mut device, a, m, &b, &options, "indefinite");
    }
    let nothing: Csr<Vec<f64>> = Csr::from_coo((), Coo::new(n, n, Vec::new()).unwrap()).unwrap();
    let on_device = device.upload_matrix(&nothing).unwrap();
    let (a, m) = ((&nothing, &on_device), (&Identity, &Identity));
    compare(&mut host, &mut device, a, m, &b, &Options::default(), "zero matrix");
}
