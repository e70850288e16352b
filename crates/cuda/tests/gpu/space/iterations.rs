//! Conjugate gradients, with all preconditioners: the same iterations and bits as on the host.

use std::ops::ControlFlow;

use nonius_cuda::CudaSpace;
use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{
    Cg, HostSpace, Identity, IncompleteCholesky, Inverse, LinearOperator, Options, Preconditioner,
    Report, Residual, block_jacobi, jacobi,
};
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::{Coo, Csr, Dia, Ell, Layout, Triplet};
use nonius_linalg::{Error, Number, Numbers};
use nonius_num::{Dd, Qd, Real, Ring, Td};

use super::{Host, Same, Sample, matrix, rns, short};
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
    let observe = |_| {
        steps += 1;
        ControlFlow::Continue(())
    };
    let report = Cg::new(space, a.size().0)?.solve(space, a, m, b, x, options, observe)?;
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
    V: Number,
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

fn number_iterations<T: Sample>(format: T::Format, arithmetic: Arithmetic) {
    let csr = short(&matrix(20, true));
    let inverse = jacobi::<_, f64>(&csr, (), |x| 1.0 / x).unwrap().0;
    let mut values = Numbers::new(T::Short::ZERO.format());
    inverse.values().plain().iter().for_each(|&x| values.push(T::Short::from_f64(x)));
    let diagonal = Dia::diagonal(values);
    let blocks = T::short(block_jacobi(&csr, 7).unwrap().0).unwrap();
    let csr = T::short(csr).unwrap();
    let factors = IncompleteCholesky::new(&csr).unwrap();
    let space = HostSpace::<T>::new(format).with_arithmetic(arithmetic).unwrap();
    iterations(space, csr, (diagonal, blocks, factors));
}

mod iterations_have_the_hosts_bits {
    use super::*;

    #[test]
    #[ignore = "needs a GPU"]
    fn f64() {
        number_iterations::<f64>((), Arithmetic::Delayed);
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn dd() {
        number_iterations::<Dd>((), Arithmetic::Delayed);
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn td() {
        number_iterations::<Td>((), Arithmetic::Delayed);
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn qd() {
        number_iterations::<Qd>((), Arithmetic::Delayed);
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp106() {
        number_iterations::<Mp>(Bits::new(106).unwrap(), Arithmetic::Delayed);
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp424() {
        number_iterations::<Mp>(Bits::new(424).unwrap(), Arithmetic::Delayed);
        number_iterations::<Mp>(Bits::new(424).unwrap(), Arithmetic::Ieee);
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
    let diagonal = jacobi::<_, f64>(&csr, (), |x| 1.0 / x).unwrap().0;
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
    let csr: Csr<f64> = Csr::from_coo(Coo::new(n, n, triplets.collect()).unwrap()).unwrap();
    let (mut host, mut device) = (
        HostSpace::<Qd>::new(()),
        CudaSpace::numbers::<Qd>(&gpu, (), Arithmetic::Delayed).unwrap(),
    );
    let a = device.upload_matrix(&csr).unwrap();
    let b = host.random(n, 4, false);
    for require_positive_definite in [false, true] {
        let options = Options { require_positive_definite, ..Options::default() };
        let (a, m) = ((&csr, &a), (&Identity, &Identity));
        compare(&mut host, &mut device, a, m, &b, &options, "indefinite");
    }
    let nothing: Csr<f64> = Csr::from_coo(Coo::new(n, n, Vec::new()).unwrap()).unwrap();
    let on_device = device.upload_matrix(&nothing).unwrap();
    let (a, m) = ((&nothing, &on_device), (&Identity, &Identity));
    compare(&mut host, &mut device, a, m, &b, &Options::default(), "zero matrix");
}
