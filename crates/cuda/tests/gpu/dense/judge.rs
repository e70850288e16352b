//! Judging solutions on a device: within the bound of what the host finds.

use nonius_linalg::backend::{Judge, Memory, Reading};
use nonius_linalg::dense::gemm::gemm;
use nonius_linalg::dense::{Transpose, inverse, inverse_on, residual};
use nonius_linalg::{MatRef, Matrix, Scalar};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::{random_matrix, scaled};
use nonius_testkit::{Sample, affordable};

use super::result;
use crate::gpu;

fn largest<'a, T: Sample>(x: impl Into<MatRef<'a, T>>) -> Reading {
    let x = x.into();
    let columns = (0..x.cols()).flat_map(|j| x.column(j).iter());
    columns.map(T::magnitude).fold(Reading::ZERO, Reading::max)
}

/// The largest residuals by a kernel, for right-hand sides that `X` solves nearly.
fn largest_residuals_are_found<T: Sample>(format: T::Format) {
    let gpu = &gpu();
    for (rows, terms, columns) in [(1, 1, 1), (60, 60, 4), (70, 65, 300), (300, 257, 33)] {
        if !affordable::<T>(format, rows * terms * columns / 10) {
            continue;
        }
        for (of_a, of_x) in [(0, 0), (200, -230), (-250, -255)] {
            let a = scaled(&random_matrix::<T>(format, rows, terms, 3), |_, _| of_a);
            let x = scaled(&random_matrix::<T>(format, terms, columns, 4), |_, _| of_x);
            let mut product = Matrix::zeros_in(format, rows, columns);
            let (no, view) = (Transpose::No, product.view_mut());
            gemm(no, no, T::ONE, a.view(), x.view(), T::ZERO, view).expect("shapes");
            let unit = |i, j| T::from_f64(f64::from(i == j));
            let identity = Matrix::from_fn_in(format, rows, columns, unit);
            for (b, is_identity) in [(&product, false), (&identity, true)] {
                check(gpu, [&a, &x, b], is_identity);
            }
        }
    }
}

fn check<T: Sample>(gpu: &nonius_cuda::Cuda, [a, x, b]: [&Matrix<T>; 3], is_identity: bool) {
    let there = [a, x, b].map(|matrix| gpu.upload(matrix.view()));
    let [a_there, x_there, b_there] = [0, 1, 2].map(|k| gpu.view(&there[k]));
    let b_there = (!is_identity).then_some(b_there);
    let found = gpu.largest_residuals(a_there, x_there, b_there).expect("a GPU that works");
    let found = found.expect("products by residues");
    let exact = residual(a.view(), x.view(), b.view()).expect("shapes");
    assert_eq!(found.len(), x.cols());
    let format = a.format();
    for (j, found) in found.into_iter().enumerate() {
        let unit = T::units(format, 2.0_f64.powi(-24) * a.cols() as f64);
        let exact = largest::<T>(exact.column(j));
        let terms = unit * largest(a) * largest::<T>(x.column(j));
        let bound = terms + exact * Reading::of(4.0 * f64::EPSILON);
        let what = format!("{} {:?} {j}: {found:e}, {exact:e}", T::name(format), a.shape());
        assert!((found - exact).abs() <= bound, "{what}, bound {bound:e}");
    }
}

at_every_precision!(largest_residuals_are_found);

/// Inverses large enough to be judged there have the digits that the host says.
fn inverses_are_judged_as_on_the_host<T: Scalar + Sample>() {
    let n = if T::LIMBS == 1 { 820 } else { 816 };
    let general = random_matrix::<T>((), n, n, 5);
    let symmetric = Matrix::from_fn(n, n, |i, j| {
        let x = general[(i.max(j), i.min(j))] / T::from_f64(n as f64);
        if i == j { x + T::from_f64(4.0) } else { x }
    });
    // Rows far apart in size are balanced first.
    let far = Matrix::from_fn(n, n, |i, j| general[(i, j)].ldexp((i as i32 % 3 - 1) * 400));
    for a in [&general, &symmetric, &far] {
        let (host, found) = (inverse(a.view()), inverse_on(gpu(), a.view()));
        let (host, found) = (host.expect("regular"), found.expect("regular"));
        assert_eq!(host.report.method, found.report.method);
        let digits = [&host, &found].map(|found| found.report.correct_digits());
        assert!((digits[0] - digits[1]).abs() < 1.0, "{} {digits:?}", T::NAME);
        let of_host = nonius_linalg::dense::relative_residual(
            a.view(),
            found.x.view(),
            Matrix::identity(n).view(),
        );
        let (of_host, of_device) = (of_host.expect("shapes"), found.report.relative_residual);
        let bound = 2.0_f64.powi(-22) * n as f64 * T::UNIT_ROUNDOFF;
        assert!((of_host - of_device).abs() <= bound, "{} {of_host:e} {of_device:e}", T::NAME);
        if std::ptr::eq(a, &symmetric) {
            let x = &found.x;
            assert!((0..n).all(|j| (0..j).all(|i| x[(i, j)] == x[(j, i)])), "symmetric");
        }
    }
}

at_every_width!(inverses_are_judged_as_on_the_host);

fn triangles_are_mirrored<T: Sample>(format: T::Format) {
    for n in [0, 1, 33, 129] {
        let a = random_matrix::<T>(format, n, n, 6);
        let gpu = &gpu();
        let found = result(gpu, &a, |a| gpu.mirror_lower(a));
        let expected = Matrix::from_fn_in(format, n, n, |i, j| a.at(i.max(j), i.min(j)));
        assert_same_bits(&found, &expected, "mirrored");
    }
}

at_every_precision!(triangles_are_mirrored);
