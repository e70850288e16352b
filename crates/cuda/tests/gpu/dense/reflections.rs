//! Factorisations by reflections.

use nonius_linalg::backend::{Cpu, Memory, Reading, Reflect};
use nonius_linalg::dense::{Qr, least_squares, least_squares_on};
use nonius_num::Mp;
use nonius_testkit::orthogonal::{
    assert_factors, difference, gamma, norm, qr_of_random_matrices, qr_of_special_matrices,
    random_matrix,
};
use nonius_testkit::{Sample, affordable, order};

use crate::{bits, gpu};

fn by_reflections<T: Sample>(format: T::Format) {
    let gpu = gpu();
    qr_of_random_matrices::<T, _>(&gpu, format);
    qr_of_special_matrices(format, |a| Qr::<T, _>::factor_on(gpu.clone(), a));
    // Several blocks of threads, and of columns.
    for (m, n) in [(1000, 40), (700, 600)] {
        if !affordable::<T>(format, m * n * n) {
            continue;
        }
        let a = random_matrix::<T>(format, m, n, 7);
        let qr = Qr::factor_on(gpu.clone(), a.view()).expect("finite entries");
        assert_factors(&qr, &a, &format!("{m} × {n}"));
    }
}

/// Solutions are those of the host but for what the bound of each allows.
fn best_solutions<T: Sample>(format: T::Format) {
    let gpu = gpu();
    let (few, many) = (order::<T>(format, 70), order::<T>(format, 200));
    for (m, n) in [(many, few), (few, few), (few, many)] {
        let (a, b) = (random_matrix::<T>(format, m, n, 8), random_matrix::<T>(format, m, 3, 9));
        let found = least_squares_on(gpu.clone(), a.view(), b.view()).expect("a full rank");
        let host = least_squares(a.view(), b.view()).expect("a full rank");
        let condition = host.report.condition_estimate;
        let spread = Reading::of(1.0) + condition * host.report.relative_residual;
        let gamma = gamma::<T>(format, m.max(n), m.min(n));
        let relative = Reading::of(4.0) * gamma * condition * spread;
        let error = norm(&difference(&found.x, &host.x));
        let bound = relative * norm(&host.x);
        assert!(error <= bound, "{} {m} × {n}: {error:e} > {bound:e}", T::name(format));
    }
}

/// Columns of numbers of any precision go through products with vectors, as on the host.
fn columns_have_the_hosts_bits<T: Sample>(format: T::Format) {
    let gpu = gpu();
    for (m, n) in [(1, 1), (5, 3), (40, 32), (1100, 5), (2500, 3)] {
        let a = random_matrix::<T>(format, m, n, 10);
        let mut expected = a.clone();
        Reflect::<T>::qr_panel(&Cpu::default(), expected.view_mut());
        let mut there = gpu.upload(a.view());
        gpu.qr_panel(there.as_mut());
        let found = gpu.download(there.as_ref()).expect("a panel");
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let what = format!("{} {m} × {n} ({i}, {j})", T::name(format));
            assert!(found.at(i, j).same_bits(expected.at(i, j)), "{what}");
        }
    }
}

tests! {
    mp106_has_the_hosts_bits columns_have_the_hosts_bits::<Mp>(bits(106));
    mp424_has_the_hosts_bits columns_have_the_hosts_bits::<Mp>(bits(424));
    mp3072_has_the_hosts_bits columns_have_the_hosts_bits::<Mp>(bits(3072));
}

at_every_precision!(by_reflections);
at_every_precision!(best_solutions);
