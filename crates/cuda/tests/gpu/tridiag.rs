//! Batches of tridiagonal systems on a device have the bits of those on the host, and the same
//! failures.

use nonius_cuda::{Cuda, DeviceNumber, Generator, Transfer};
use nonius_linalg::tridiag::{
    Batch, Cause, Failure, Method, Options, Order, Report, residual, settle, solve,
};
use nonius_linalg::{Error, Numbers};
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::tridiag::{Arrays, ORDERS};

use crate::gpu;

/// The precision of `count` bits.
fn bits(count: u32) -> Bits {
    Bits::new(count).unwrap()
}

const METHODS: [Method; 3] = [Method::Hybrid, Method::Thomas, Method::Pcr];
const TRANSFERS: [Transfer; 3] = [Transfer::Synchronous, Transfer::Asynchronous, Transfer::Mapped];

/// Whether these are the same numbers; NaN is as good as NaN.
fn same<T: DeviceNumber>(x: &Numbers<T>, y: &Numbers<T>) -> bool {
    x.len() == y.len() && (0..x.len()).all(|at| is_same(x.at(at), y.at(at)))
}

fn is_same<T: DeviceNumber>(x: T, y: T) -> bool {
    x == y || !x.is_finite() && !y.is_finite()
}

/// Both solutions are the same, once the host has looked at that of the device.
fn check<T: DeviceNumber>(gpu: &Cuda, batch: &Batch<'_, T>, options: &Options) {
    let mut right = Numbers::zeros(batch.format(), batch.right().len());
    let expected = solve(batch, options, &mut right).unwrap();
    let mut there = gpu.upload_tridiagonal(batch).unwrap();
    let mut report = gpu.solve_tridiagonal(&mut there, options).unwrap();
    let mut x = Numbers::zeros(batch.format(), right.len());
    gpu.download_unknowns(&there, &mut x).unwrap();
    report.failures = settle(batch, options, &mut x, &report.failures).unwrap();
    let (n, order) = (batch.size(), batch.order());
    let what = format!("{} {options:?} {order:?} n = {n}", T::name(batch.format()));
    assert_eq!(report, expected, "{what}");
    for s in (0..batch.systems()).filter(|&s| !report.failures.iter().any(|f| f.system == s)) {
        let places = (0..n).map(|i| batch.index(s, i));
        let same = places.into_iter().all(|at| is_same(x.at(at), right.at(at)));
        assert!(same, "{what}, system {s}");
    }
}

fn solutions<T: DeviceNumber>(format: T::Format, sizes: &[usize], systems: usize) {
    let gpu = gpu();
    for order in ORDERS {
        for &size in sizes {
            let arrays = Arrays::<T>::in_format(format, (systems, size), order, 0.1);
            for method in METHODS {
                if method == Method::Pcr && size > 1024 {
                    continue;
                }
                check(&gpu, &arrays.batch(), &Options { method, ..Options::default() });
            }
            if size >= 3 {
                let rings = arrays.clone().closed();
                let options = Options { periodic: true, ..Options::default() };
                let usual = Options { method: Method::Hybrid, ..options };
                check(&gpu, &rings.batch(), &usual);
                check(&gpu, &rings.batch(), &Options { pivoting: true, ..options });
            }
            let weak = arrays.weakened();
            check(&gpu, &weak.batch(), &Options { pivoting: true, ..Options::default() });
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn f32() {
    solutions::<f32>((), &[1, 2, 3, 5, 8, 31, 64, 100, 256, 257, 260, 512, 1000, 2048, 5000], 67);
}

#[test]
#[ignore = "needs a GPU"]
fn f64() {
    solutions::<f64>(
        (),
        &[1, 2, 3, 5, 8, 16, 31, 64, 100, 256, 257, 512, 600, 1000, 1024, 1500, 2048, 5000, 65536],
        37,
    );
}

#[test]
#[ignore = "needs a GPU"]
fn dd() {
    solutions::<Dd>((), &[1, 2, 4, 33, 64, 128, 200, 256, 300, 1000, 3000], 19);
}

#[test]
#[ignore = "needs a GPU"]
fn td() {
    solutions::<Td>((), &[2, 3, 33, 64, 128, 150, 700], 9);
}

#[test]
#[ignore = "needs a GPU"]
fn qd() {
    solutions::<Qd>((), &[2, 3, 33, 64, 128, 300, 1024], 9);
}

#[test]
#[ignore = "needs a GPU"]
fn mp106() {
    solutions::<Mp>(bits(106), &[1, 2, 3, 5, 8, 33, 128, 129, 300, 600, 1024, 3000], 9);
}

#[test]
#[ignore = "needs a GPU"]
fn mp424() {
    solutions::<Mp>(bits(424), &[1, 3, 33, 128, 129, 600], 9);
}

#[test]
#[ignore = "needs a GPU"]
fn mp1000() {
    solutions::<Mp>(bits(1000), &[3, 33, 130], 5);
}

#[test]
#[ignore = "needs a GPU"]
fn mp2048() {
    solutions::<Mp>(bits(2048), &[3, 33, 130], 3);
}

#[test]
#[ignore = "needs a GPU"]
fn mp4096() {
    solutions::<Mp>(bits(4096), &[33, 130], 2);
}

/// A system that has no solution, in every way, among others that do.
fn failing<T: DeviceNumber>(format: T::Format) {
    let gpu = gpu();
    for order in ORDERS {
        for method in METHODS {
            let mut arrays = Arrays::<T>::in_format(format, (40, 30), order, 0.2);
            let at = |s, i| order.index((40, 30), s, i);
            let nan = T::from_f64(f64::NAN);
            arrays.matrix[0].set(at(3, 7), nan);
            arrays.matrix[1].set(at(17, 0), T::ZERO);
            arrays.right.set(at(20, 29), T::from_f64(f64::INFINITY));
            arrays.matrix[2].set(at(39, 28), nan);
            arrays.matrix[1].set(at(39, 5), T::from_f64(f64::INFINITY));
            arrays.matrix.iter_mut().for_each(|diagonal| diagonal.set(at(9, 12), T::ZERO));
            let options = Options { method, ..Options::default() };
            check(&gpu, &arrays.batch(), &options);
            for transfer in TRANSFERS {
                let mut pinned = gpu.pin_tridiagonal(&arrays.batch()).unwrap();
                let report = gpu.solve_pinned(&mut pinned, &options, transfer).unwrap();
                let first = Failure { system: 3, cause: Cause::NotFinite, row: 7 };
                assert_eq!(report.failures[0], first, "{transfer:?}");
            }
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn failures() {
    failing::<f32>(());
    failing::<f64>(());
    failing::<Dd>(());
    failing::<Qd>(());
    failing::<Mp>(bits(424));
}

/// However a batch travels, it is solved alike.
fn ways<T: DeviceNumber>(format: T::Format, systems: usize, size: usize) {
    let gpu = gpu();
    for order in ORDERS {
        let arrays = Arrays::<T>::in_format(format, (systems, size), order, 0.1).closed();
        for periodic in [false, true] {
            let options = Options { method: Method::Hybrid, periodic, pivoting: false };
            let mut right = arrays.garbage();
            solve(&arrays.batch(), &options, &mut right).unwrap();
            for transfer in TRANSFERS {
                let mut pinned = gpu.pin_tridiagonal(&arrays.batch()).unwrap();
                let report = gpu.solve_pinned(&mut pinned, &options, transfer).unwrap();
                assert_eq!(report, Report { method: Method::Hybrid, failures: vec![] });
                let mut x = arrays.garbage();
                pinned.unknowns(&mut x);
                assert!(same(&x, &right), "{} {order:?} {transfer:?} {periodic}", arrays.name());
            }
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn transfers() {
    ways::<f32>((), 5, 7);
    // Several pieces.
    ways::<f32>((), 20_000, 256);
    ways::<f64>((), 9_001, 250);
    ways::<Dd>((), 3_001, 100);
    ways::<Mp>(bits(424), 1_001, 100);
}

#[test]
#[ignore = "needs a GPU"]
fn generators() {
    let gpu = gpu();
    let body = "lower = row == 0 ? 0.0 : -1.0; diagonal = 2.0 + system; upper = -1.0; right = 1.0 / (row + 1);";
    for order in ORDERS {
        let mut there =
            gpu.generate_tridiagonal::<Dd>((), (7, 50), order, &Generator::new(body)).unwrap();
        gpu.solve_tridiagonal(&mut there, &Options::default()).unwrap();
        let mut x = Numbers::zeros((), 350);
        gpu.download_unknowns(&there, &mut x).unwrap();
        let mut arrays = Arrays::<Dd>::random(7, 50, order, 0.1);
        for s in 0..7 {
            for i in 0..50 {
                let at = order.index((7, 50), s, i);
                arrays.matrix[0].set(at, Dd::from(-1));
                arrays.matrix[1].set(at, Dd::from(2 + s as i32));
                arrays.matrix[2].set(at, Dd::from(-1));
                arrays.right.set(at, Dd::from(1.0 / (i + 1) as f64));
            }
        }
        // Elimination is backward stable for diagonally dominant rows (Higham, *Accuracy and
        // Stability of Numerical Algorithms*, 2nd ed., section 9.6). Each halving adds some
        // roundings.
        let bound = 512.0 * Dd::UNIT_ROUNDOFF;
        assert!(residual(&arrays.batch(), false, &x).unwrap().backward_error < bound);
    }
    // Doubles of all sizes are numbers of any bits.
    let body = "diagonal = 1.0; right = row == 0 ? 5e-324 : row == 1 ? -1.7976931348623157e308 : row / 3.0;";
    let generator = Generator::new(body);
    let there = gpu.generate_tridiagonal::<Mp>(bits(424), (1, 9), Order::Contiguous, &generator);
    let mut there = there.unwrap();
    gpu.solve_tridiagonal(&mut there, &Options::default()).unwrap();
    let mut x = Numbers::<Mp>::zeros(bits(424), 9);
    gpu.download_unknowns(&there, &mut x).unwrap();
    for row in 0..9 {
        let right = [5e-324, -f64::MAX].get(row).copied().unwrap_or(row as f64 / 3.0);
        assert_eq!(x.at(row), Mp::from_f64(bits(424), right));
    }
    let bad = Generator::new("diagonal = unheard_of;");
    let error = gpu.generate_tridiagonal::<f64>((), (1, 3), Order::Contiguous, &bad);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("unheard_of"), "{error}");
}

#[test]
#[ignore = "needs a GPU"]
fn what_cyclic_reduction_takes() {
    let gpu = gpu();
    let arrays = Arrays::<f64>::random(2, 1025, Order::Contiguous, 0.1);
    let options = Options { method: Method::Pcr, ..Options::default() };
    let error = gpu.tridiagonal(&arrays.batch(), &options, &mut arrays.garbage()).unwrap_err();
    let expected = Error::TooLargeForMethod { method: Method::Pcr, most: 1024, found: 1025 };
    assert_eq!(error, expected);
}
