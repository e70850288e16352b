//! All methods, and refinement.

use std::ops::ControlFlow;

use nonius_cuda::{CudaSpace, CudaSparse, CudaVector};
use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{
    Algorithm, HostSpace, Identity, Inner, Inverse, Options, Refinement, Residual,
};
use nonius_linalg::sparse::{Coo, Csr, Layout, Triplet};
use nonius_num::{Dd, Qd};
use nonius_testkit::krylov::{Suite, suite};

use super::{Host, matrix, mp, rns, short};
use crate::gpu;

/// A space on the GPU, for the suite of all methods.
struct Methods<H> {
    host: H,
    device: CudaSpace,
}

impl<H: Host + Suite<Space = H>> Suite for Methods<H>
where
    <H as Suite>::Matrix: Layout,
{
    type Space = CudaSpace;
    type Matrix = CudaSparse;
    type Diagonal = Inverse<CudaSparse>;

    fn space(&mut self) -> &mut CudaSpace {
        &mut self.device
    }

    fn unit_roundoff(&self) -> f64 {
        self.host.unit_roundoff()
    }

    fn matrix(&self, a: &Csr<f64>) -> CudaSparse {
        self.device.upload_matrix(&self.host.matrix(a)).unwrap()
    }

    fn diagonal(&self, inverse: &[f64]) -> Inverse<CudaSparse> {
        let n = inverse.len();
        let triplet = |i: usize| Triplet { row: i, col: i, value: inverse[i] };
        let diagonal = Coo::new(n, n, (0..n).map(triplet).collect()).unwrap();
        Inverse(self.matrix(&Csr::from_coo(diagonal).unwrap()))
    }

    fn to_space(&self, x: &[f64]) -> CudaVector {
        self.device.upload(&self.host.to_space(x)).unwrap()
    }

    fn to_host(&self, x: &CudaVector) -> Vec<f64> {
        self.host.to_host(&self.device.download(x).unwrap())
    }
}

fn methods<H: Host + Suite<Space = H>>(host: H)
where
    <H as Suite>::Matrix: Layout,
{
    let gpu = gpu();
    let device = host.device(&gpu);
    suite(&mut Methods { host, device });
}

mod all_methods {
    use super::*;

    #[test]
    #[ignore = "needs a GPU"]
    fn f64() {
        methods(HostSpace::<f64>::new(()));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn qd() {
        methods(HostSpace::<Qd>::new(()));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp212() {
        methods(mp(212, Arithmetic::Delayed));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn residues106() {
        methods(rns(106));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn mp106_ieee() {
        methods(mp(106, Arithmetic::Ieee));
    }
}

/// A solution refined around iterations in `f64`, all on the device.
fn refined<H: Host + Suite<Space = H>>(host: H)
where
    <H as Suite>::Matrix: Layout,
{
    let gpu = gpu();
    let mut space = host.device(&gpu);
    let mut inner = CudaSpace::numbers::<f64>(&gpu, (), Arithmetic::Delayed).unwrap();
    let csr = short(&matrix(20, true));
    let n = csr.shape().0;
    let (a, rounded) =
        (space.upload_matrix(&host.matrix(&csr)).unwrap(), inner.upload_matrix(&csr).unwrap());
    let b = space.upload(&host.random(n, 3, false)).unwrap();
    let mut x = space.vector(n).unwrap();
    let mut refinement = Refinement::new(&space, &inner, n, Algorithm::Cg).unwrap();
    let tolerance = host.unit_roundoff() * 2.0_f64.powi(16);
    let options = Options { tolerance, residual: Residual::True, ..Options::default() };
    let inner =
        Inner { space: &mut inner, a: &rounded, m: &Identity, exponent: 0, tolerance: 1e-8 };
    let report = refinement
        .solve(&mut space, &a, inner, &b, &mut x, &options, |_| ControlFlow::Continue(()))
        .unwrap();
    assert!(report.report.converged, "{report:?}");
    assert!(report.report.relative_residual_true <= tolerance, "{report:?}");
    assert!(report.inner_iterations > report.report.iterations, "{report:?}");
}

#[test]
#[ignore = "needs a GPU"]
fn refinement_around_f64() {
    refined(HostSpace::<Dd>::new(()));
    refined(HostSpace::<Qd>::new(()));
    refined(mp(424, Arithmetic::Delayed));
}
