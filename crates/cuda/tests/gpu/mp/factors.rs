//! Panels of what is not ordinary.

use nonius_cuda::Cuda;
use nonius_linalg::backend::{Cpu, Panel};
use nonius_linalg::mp::{Bits, Matrix, Mp};

use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use super::{definite, download, upload};
use crate::gpu;

fn lu(gpu: &Cuda, a: &Matrix, what: &str) {
    let cols = a.cols();
    let (mut pivots, mut expected_pivots) = (vec![0; cols], vec![0; cols]);
    let (mut there, mut expected) = (upload(gpu, a), a.clone());
    let found = gpu.lu_panel(there.as_mut(), &mut pivots);
    let host = Panel::<Mp>::lu_panel(&Cpu::default(), expected.view_mut(), &mut expected_pivots);
    match (found, host) {
        (Ok(()), Ok(())) => {
            assert_eq!(pivots, expected_pivots, "{what}");
            assert_same_bits(&download(gpu, &there), &expected, what);
        }
        (Err(found), Err(host)) => {
            assert_eq!(found.column, host.column, "{what}");
            assert_eq!(found.pivot.to_bits(), host.pivot.to_bits(), "{what}");
        }
        (found, host) => panic!("{what}: {found:?}, the host {host:?}"),
    }
}

/// Zeros, infinities, exponents far apart: the same pivots, the same failures. Ties and NaN are in
/// the suite of all kinds of numbers.
#[test]
#[ignore = "needs a GPU"]
fn odd_panels_fail_alike() {
    let gpu = &gpu();
    let bits = Bits::new(212).unwrap();
    for rows in [5, 300] {
        let mut a = definite(bits, rows, 4, 1);
        a.set(4, 1, Mp::from_f64(bits, f64::INFINITY));
        lu(gpu, &a, "not finite");
        let zeros = Matrix::zeros_in(bits, rows, 3);
        lu(gpu, &zeros, "zeros");
        let far = |i: usize, j: usize| {
            random_matrix::<Mp>(bits, 1, 1, (i * 7 + j) as u64)
                .at(0, 0)
                .ldexp((i as i32 - j as i32) * 4000)
        };
        lu(gpu, &Matrix::from_fn_in(bits, rows, 5, far), "far apart");
        let mut indefinite = definite(bits, rows, 5, 3);
        for x in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
            indefinite.set(3, 3, Mp::from_f64(bits, x));
            let watch = Panel::<Mp>::watch(gpu);
            let (mut there, mut on_host) = (upload(gpu, &indefinite), indefinite.clone());
            gpu.cholesky_panel(there.as_mut(), 7, &watch).expect("a failure is kept");
            let found = Panel::<Mp>::breakdown(gpu, watch).expect_err("no pivot");
            let expected = Panel::<Mp>::cholesky_panel(&Cpu::default(), on_host.view_mut(), 7, &())
                .expect_err("no pivot");
            assert_eq!(found.column, expected.column, "{x}");
            assert_eq!(found.pivot.to_bits(), expected.pivot.to_bits(), "{x}");
        }
    }
}
