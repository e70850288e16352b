//! Sums over vectors and products with a matrix give the bits that they give on the host.

use nonius_cuda::Cuda;
use nonius_linalg::Matrix;
use nonius_linalg::backend::{Cpu, Gemv, Reduce, View, ViewMut};
use nonius_linalg::dense::Transpose;
use nonius_testkit::elementwise::same_number;
use nonius_testkit::orthogonal::scaled;
use nonius_testkit::{Random, Sample, spread};

use crate::gpu;

/// Around groups, blocks, and the lengths from which several blocks and several rounds of additions
/// are needed.
const LENGTHS: [usize; 14] = [0, 1, 7, 8, 9, 63, 64, 65, 127, 4095, 4096, 4097, 12_289, 100_003];

fn vector<T: Sample>(format: T::Format, n: usize, seed: u64, range: u32) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn_in(format, n, 1, |_, _| spread(format, range, &mut random))
}

/// Every sum of two vectors, and the index of the largest entry, by one backend.
fn sums<T: Sample, B: Reduce<T>>(backend: &B, x: &Matrix<T>, y: &Matrix<T>) -> Vec<T> {
    let mut results = backend.zeros(x.format(), 4, 1);
    let (x, y) = (backend.upload(x.view()), backend.upload(y.view()));
    {
        let (x, y) = (backend.view(&x), backend.view(&y));
        backend.dot(x, y, backend.view_mut(&mut results).block_mut(0, 0, 1, 1));
        backend.sum(x, backend.view_mut(&mut results).block_mut(1, 0, 1, 1));
        backend.asum(x, backend.view_mut(&mut results).block_mut(2, 0, 1, 1));
        backend.nrm2(x, backend.view_mut(&mut results).block_mut(3, 0, 1, 1));
    }
    let results = backend.download(backend.view(&results)).expect("a download");
    let largest = backend.iamax(backend.view(&x)).expect("an index");
    let index = T::from_f64(largest.map_or(-1.0, |index| index as f64));
    results.numbers().as_slice().iter().chain([index]).collect()
}

fn compare<T: Sample>(gpu: &Cuda, x: &Matrix<T>, y: &Matrix<T>, what: &str) {
    let (found, expected) = (sums(gpu, x, y), sums(&Cpu::default(), x, y));
    let names = ["dot", "sum", "asum", "nrm2", "iamax"];
    for ((&found, &expected), name) in found.iter().zip(&expected).zip(names) {
        assert!(
            same_number(found, expected),
            "{} {name} of {} numbers, {what}: {found:?} for {expected:?}",
            T::name(x.format()),
            x.rows()
        );
    }
}

fn have_the_hosts_bits<T: Sample>(format: T::Format) {
    let gpu = gpu();
    for n in LENGTHS {
        for range in [2, 60] {
            let (x, y) = (vector::<T>(format, n, 1, range), vector::<T>(format, n, 2, range));
            compare(&gpu, &x, &y, &format!("2^±{range}"));
        }
    }
    specials::<T>(&gpu, format);
    for (m, n) in
        [(0, 3), (3, 0), (1, 1), (7, 9), (8, 33), (63, 16), (65, 17), (70, 300), (5000, 3)]
    {
        matrix_times_vector::<T>(&gpu, format, m, n);
    }
}

/// Not finite, and near the ends of the range, in every place of a group of threads.
fn specials<T: Sample>(gpu: &Cuda, format: T::Format) {
    let number = T::from_f64;
    let (infinity, nan) = (number(f64::INFINITY), number(f64::NAN));
    let [large, .., least] = T::extremes();
    for special in [infinity, -infinity, nan, number(f64::MAX), large, least, -T::ZERO] {
        for place in [0, 1, 9, 37, 4100] {
            let mut x = vector::<T>(format, 5000, 3, 10);
            let mut y = x.clone();
            x.set(place, 0, special);
            compare(gpu, &x, &y, &format!("{special:?} at {place}"));
            y.set(place, 0, -special);
            y.set(place / 2, 0, special);
            compare(gpu, &x, &y, &format!("{special:?} at {place}, twice"));
            compare(gpu, &y, &x, &format!("{special:?} at {place}, twice, exchanged"));
        }
    }
    let ends = [T::LEAST_EXPONENT, -T::LEAST_EXPONENT - 74];
    for power in [-1000, -600, -201, -200, 399, 400, 600].into_iter().chain(ends) {
        let x = scaled(&vector::<T>(format, 300, 4, 10), |_, _| power);
        compare(gpu, &x, &Matrix::zeros_in(format, 300, 1), &format!("2^{power}"));
    }
    let equal =
        Matrix::from_fn_in(format, 10_000, 1, |i, _| number(if i % 3 == 1 { -2.0 } else { 1.0 }));
    compare(gpu, &equal, &equal, "equals");
    compare(gpu, &Matrix::<T>::zeros_in(format, 5, 1), &Matrix::zeros_in(format, 5, 1), "zeros");
    compare(
        gpu,
        &Matrix::from_fn_in(format, 5, 1, |_, _| -T::ZERO),
        &Matrix::zeros_in(format, 5, 1),
        "negative zeros",
    );
}

/// `α·op(A)·x + β·y` for all cases of the factors by one backend, `A` being part of a larger
/// matrix.
fn products<T: Sample, B: Gemv<T>>(
    backend: &B,
    a: &Matrix<T>,
    (m, n): (usize, usize),
    alpha: T,
    beta: T,
    transpose: Transpose,
) -> Matrix<T> {
    let format = a.format();
    let (rows, k) = transpose.shape((m, n));
    let (x, y) = (vector::<T>(format, k, 6, 20), vector::<T>(format, rows, 7, 20));
    let (a, x) = (backend.upload(a.view()), backend.upload(x.view()));
    let mut y = backend.upload(y.view());
    let part = backend.view(&a).block(1, 2, m, n);
    backend.gemv(transpose, alpha, part, backend.view(&x), beta, backend.view_mut(&mut y));
    backend.download(backend.view(&y)).expect("a download")
}

fn matrix_times_vector<T: Sample>(gpu: &Cuda, format: T::Format, m: usize, n: usize) {
    let entries = vector::<T>(format, (m + 1) * (n + 2), 5, 20);
    let a = Matrix::from_fn_in(format, m + 1, n + 2, |i, j| entries.at(i + j * (m + 1), 0));
    let mut infinite = a.clone();
    infinite.set(m.min(1), n / 2, T::from_f64(f64::INFINITY));
    let factors = [0.0, 1.0, -0.7].map(T::from_f64);
    for transpose in [Transpose::No, Transpose::Yes] {
        for alpha in factors {
            for beta in factors {
                for a in [&a, &infinite] {
                    let found = products(gpu, a, (m, n), alpha, beta, transpose);
                    let expected = products(&Cpu::default(), a, (m, n), alpha, beta, transpose);
                    for (i, (x, y)) in
                        found.column(0).iter().zip(expected.column(0).iter()).enumerate()
                    {
                        assert!(
                            same_number(x, y),
                            "{} gemv {transpose:?} {m} × {n}, α = {alpha:?}, β = {beta:?}, entry {i}: {x:?} for {y:?}",
                            T::name(format)
                        );
                    }
                }
            }
        }
    }
}

at_every_precision!(have_the_hosts_bits);
