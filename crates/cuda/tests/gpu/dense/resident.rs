//! Matrices that stay on the device, those in memory of others among them.

// Whoever hands memory out says where it is.
#![allow(unsafe_code)]

use std::sync::Arc;

use nonius_cuda::{ForeignMatrix, Layout, Refusal};
use nonius_linalg::backend::{Memory, Rearrange, Reference};
use nonius_linalg::dense::resident::{self, LuFactors, QrFactors};
use nonius_linalg::dense::{Method, Transpose, Triangle, solve};
use nonius_linalg::{Matrix, Scalar};
use nonius_testkit::Sample;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::{difference, gamma, norm, product, random_matrix};

use crate::gpu;

const NO: Transpose = Transpose::No;

fn rearranged<T: Scalar + Sample>() {
    let gpu = gpu();
    for n in [0, 1, 2, 33, 64, 257] {
        let a = random_matrix::<T>((), n, n, 1);
        let there = gpu.upload(a.view());
        let check = |found, expected: &Matrix<T>, what: &str| {
            let found = gpu.download(gpu.view(&found)).unwrap();
            assert_same_bits(&found, expected, &format!("{what} of {n}"));
        };
        check(gpu.transpose_of(there.as_ref()), &a.transposed(), "transpose");
        check(gpu.diagonal_of(there.as_ref()), &Reference.diagonal_of(a.view()), "diagonal");
        for triangle in [Triangle::Lower, Triangle::Upper] {
            let expected = Reference.triangle_of(triangle, a.view());
            check(gpu.triangle_of(triangle, there.as_ref()), &expected, "triangle");
            // Of a transpose that is none in memory.
            let expected = Reference.triangle_of(triangle, a.transposed().view());
            check(gpu.triangle_of(triangle, there.as_ref().transposed()), &expected, "triangle");
        }
    }
}

at_every_width!(rearranged);

fn solved<T: Scalar + Sample>() {
    let gpu = gpu();
    for n in [1, 17, 64, 200] {
        let (a, b) = (random_matrix::<T>((), n, n, 1), random_matrix::<T>((), n, 3, 2));
        let here = solve(a.view(), b.view(), Method::Lu).unwrap();
        let (there, right) = (gpu.upload(a.view()), gpu.upload(b.view()));
        for method in [Method::Auto, Method::Lu, Method::GaussJordan] {
            let found = resident::solve(&gpu, there.as_ref(), right.as_ref(), method).unwrap();
            let x = gpu.download(found.x.as_ref()).unwrap();
            // Either is exact for a matrix within γ of A in norm.
            let bound = gamma::<T>((), n, n) * here.report.condition_estimate * norm(&here.x);
            let error = norm(&difference(&x, &here.x));
            assert!(error <= bound.scaled(3), "{n} by {method:?}: {error:e} > {bound:e}");
        }
        let LuFactors { lower, upper, pivots, .. } = resident::lu(&gpu, there.as_ref()).unwrap();
        let whole = resident::multiply(&gpu, NO, lower.as_ref(), NO, upper.as_ref()).unwrap();
        let whole = gpu.download(whole.as_ref()).unwrap();
        let mut rows = a.clone();
        for (j, &pivot) in pivots.iter().enumerate() {
            rows.view_mut().swap_rows(j, pivot);
        }
        let bound = (gamma::<T>((), n, n) * norm(&a)).scaled(4);
        assert!(norm(&difference(&whole, &rows)) <= bound, "{n}");
        for (m, n) in [(n, n), (2 * n, n), (n, 2 * n)] {
            let a = random_matrix::<T>((), m, n, 5);
            let there = gpu.upload(a.view());
            let QrFactors { q, r } = resident::qr(&gpu, there.as_ref(), true).unwrap();
            let [q, r] = [q.unwrap(), r].map(|x| gpu.download(x.as_ref()).unwrap());
            let bound = (gamma::<T>((), m, n) * norm(&a)).scaled(2);
            let error = norm(&difference(&product(NO, &q, NO, &r), &a));
            assert!(error <= bound, "{m} × {n}: {error:e} > {bound:e}");
        }
        // The operands are what they were.
        assert_same_bits(&gpu.download(there.as_ref()).unwrap(), &a, "matrix");
    }
}

at_every_width!(solved);

fn foreign<T: Scalar + Sample>() {
    let gpu = gpu();
    let (m, n) = (9, 5);
    let a = random_matrix::<T>((), m, n, 1);
    let there = Arc::new(gpu.upload(a.view()));
    let whole = there.as_ref().as_ref().layout();
    let of = |layout: Layout| {
        // SAFETY: memory of a matrix that the owner keeps.
        let matrix = unsafe { ForeignMatrix::<T>::new(0, (), layout, there.clone()) }.unwrap();
        let copy = gpu.copy_of(matrix.as_ref());
        gpu.download(copy.as_ref()).unwrap()
    };
    assert_same_bits(&of(whole), &a, "whole");
    let Layout { data, row, column, .. } = whole;
    let (m, n) = (m as i64, n as i64);
    let last = 8 * ((m - 1) * row + (n - 1) * column) as u64;
    let reversed = Layout { data: data + last, row: -row, column: -column, ..whole };
    let expected =
        Matrix::from_fn_in((), a.rows(), a.cols(), |i, j| a.at(a.rows() - 1 - i, a.cols() - 1 - j));
    assert_same_bits(&of(reversed), &expected, "reversed");
    let steps = Layout { rows: 5, cols: 2, row: 2 * row, column: 3 * column, ..whole };
    let expected = Matrix::from_fn_in((), 5, 2, |i, j| a.at(2 * i, 3 * j));
    assert_same_bits(&of(steps), &expected, "steps");
    let constant = Layout { row: 0, column: 0, ..whole };
    let expected = Matrix::from_fn_in((), a.rows(), a.cols(), |_, _| a.at(0, 0));
    assert_same_bits(&of(constant), &expected, "constant");
    let host = [0.0_f64; 64];
    let on_host = Layout {
        data: host.as_ptr().expose_provenance() as u64,
        rows: 4,
        cols: 4,
        row: 1,
        column: 4,
        plane: 0,
    };
    // SAFETY: refused before it is read.
    let refused = unsafe { ForeignMatrix::<T>::new(0, (), on_host, Arc::new(())) };
    assert_eq!(refused.unwrap_err(), Refusal::OnHost);
}

at_every_width!(foreign);
