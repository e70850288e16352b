//! All methods on all numbers, at the boundaries of chunks.

use super::bits;
use crate::every::at_every_level;
use nonius_linalg::backend::Reading;
use nonius_linalg::dense::Lu;
use nonius_linalg::reference;
use nonius_linalg::tridiag::{
    Batch, Method, Options, Order, Partition, Parts, Solvable, dominance, residual, solve,
};
use nonius_linalg::{Error, Matrix, Numbers};
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::tridiag::{Arrays, ORDERS};

const METHODS: [Method; 3] = [Method::Thomas, Method::Pcr, Method::Hybrid];

/// Sizes around chunks, numbers of chunks, and systems of chunks.
const SIZES: [usize; 24] = [
    1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 256, 257, 300, 513, 1025,
];

fn solutions<T: Solvable>(format: T::Format, sizes: &[usize], systems: usize) {
    for order in ORDERS {
        for &size in sizes {
            let arrays = Arrays::<T>::in_format(format, (systems, size), order, 0.1);
            let batch = arrays.batch();
            for method in METHODS {
                let mut x = arrays.garbage();
                let options = Options { method, ..Options::default() };
                let report = solve(&batch, &options, &mut x).unwrap();
                assert_eq!((report.method, report.failures), (method, vec![]));
                let found = residual(&batch, false, &x).unwrap();
                // Steps of elimination, each with a few roundings; the residual's own are 4.
                let steps = if method == Method::Thomas { 1.0 } else { (size as f64).log2() + 1.0 };
                let bound: Reading = (T::Size::from(16.0 * steps) * arrays.unit_roundoff()).into();
                let what = format!("{} {method} {order:?} n = {size}", arrays.name());
                assert!(found.backward_error <= bound, "{what}: {found:?} above {bound:e}");
                assert_eq!(x, one_by_one(&batch, method), "{what}");
            }
        }
    }
}

/// By the reference.
fn one_by_one<T: Solvable>(batch: &Batch<'_, T>, method: Method) -> Numbers<T> {
    let (m, n) = (batch.systems(), batch.size());
    let mut x = Numbers::zeros(batch.format(), m * n);
    let [lower, diagonal, upper] = batch.matrix();
    for s in 0..m {
        let rows: Vec<[T; 4]> = (0..n)
            .map(|i| {
                let at = batch.index(s, i);
                let lower = if i == 0 { T::ZERO } else { lower.at(at) };
                let upper = if i + 1 == n { T::ZERO } else { upper.at(at) };
                [lower, diagonal.at(at), upper, batch.right().at(at)]
            })
            .collect();
        let mut of_system = vec![T::ZERO; n];
        reference::tridiag::solve(method, batch.order(), &rows, &mut of_system).unwrap();
        of_system.into_iter().enumerate().for_each(|(i, value)| x.set(batch.index(s, i), value));
    }
    x
}

#[test]
fn f32() {
    solutions::<f32>((), &SIZES, 37);
}

#[test]
fn f64() {
    solutions::<f64>((), &SIZES, 67);
    solutions::<f64>((), &[2047, 2048, 2049, 5000], 2);
}

#[test]
fn dd() {
    solutions::<Dd>((), &SIZES, 9);
}

#[test]
fn td() {
    solutions::<Td>((), &SIZES[..20], 5);
}

#[test]
fn qd() {
    solutions::<Qd>((), &SIZES, 3);
}

#[test]
fn mp() {
    solutions::<Mp>(bits(106), &SIZES, 3);
    solutions::<Mp>(bits(424), &SIZES, 3);
    solutions::<Mp>(bits(1000), &[1, 2, 5, 33, 130, 600], 2);
    solutions::<Mp>(bits(2048), &[1, 2, 5, 33, 130, 600], 2);
    solutions::<Mp>(bits(4096), &[130], 1);
}

/// Against elimination with all of the matrix.
#[test]
fn dense_elimination_agrees() {
    for method in METHODS {
        let arrays = Arrays::<Dd>::random(3, 21, Order::Interleaved, 0.5);
        let batch = arrays.batch();
        let mut x = arrays.garbage();
        solve(&batch, &Options { method, ..Options::default() }, &mut x).unwrap();
        for s in 0..3 {
            let entry = |i: usize, j: usize| {
                let at = batch.index(s, i);
                match j as i64 - i as i64 {
                    -1 => arrays.matrix[0][at],
                    0 => arrays.matrix[1][at],
                    1 => arrays.matrix[2][at],
                    _ => Dd::from(0),
                }
            };
            let a = Matrix::from_fn(21, 21, entry);
            let b = Matrix::from_fn(21, 1, |i, _| arrays.right[batch.index(s, i)]);
            let right = Lu::factor(a.view()).unwrap().solve(b.view()).unwrap();
            for i in 0..21 {
                let difference = (x[batch.index(s, i)] - right[(i, 0)]).abs().to_f64();
                // The inverse of a matrix whose diagonal exceeds the rest by 0.5 is at most 2 in
                // norm.
                assert!(difference <= 1e3 * Dd::UNIT_ROUNDOFF, "{method} {s} {i}");
            }
        }
    }
}

/// Neither registers nor threads change a bit.
#[test]
fn same_bits_on_all_registers() {
    for order in ORDERS {
        let (short, long) =
            (Arrays::<f64>::random(133, 50, order, 0.0), Arrays::<Qd>::random(19, 20, order, 0.0));
        let (mut first, mut first_long) = (None, None);
        at_every_level(|level| {
            let (mut x, mut y) = (short.garbage(), long.garbage());
            solve(&short.batch(), &Options::default(), &mut x).unwrap();
            solve(&long.batch(), &Options::default(), &mut y).unwrap();
            assert_eq!(*first.get_or_insert(x.clone()), x, "{}", level.name());
            assert_eq!(*first_long.get_or_insert(y.clone()), y, "{}", level.name());
        });
    }
}

#[test]
fn shapes() {
    let (a, short) = ([1.0; 6], [1.0; 5]);
    let error = Batch::new(2, 3, Order::Contiguous, [&a[..], &short, &a], &a).unwrap_err();
    assert_eq!(error, Error::Shape { operand: "diagonal", expected: (6, 1), found: (5, 1) });
    let error = Batch::new(2, usize::MAX, Order::Contiguous, [&a; 3], &a).unwrap_err();
    assert_eq!(error, Error::TooLarge { rows: usize::MAX, cols: 2 });
    let batch = Batch::new(2, 3, Order::Contiguous, [&a; 3], &a).unwrap();
    let error = solve(&batch, &Options::default(), &mut [0.0; 5]).unwrap_err();
    assert_eq!(error, Error::Shape { operand: "x", expected: (6, 1), found: (5, 1) });
    assert!(residual(&batch, false, &[0.0; 7]).is_err());
    for (systems, size) in [(0, 0), (0, 5), (5, 0)] {
        let none: [f64; 0] = [];
        let batch = Batch::new(systems, size, Order::Interleaved, [&none; 3], &none).unwrap();
        for method in METHODS {
            let options = Options { method, ..Options::default() };
            assert!(solve(&batch, &options, &mut []).unwrap().failures.is_empty());
        }
        assert_eq!(dominance(&batch, false), None);
        assert_eq!(residual(&batch, false, &[]).unwrap().relative, 0.0);
    }
}

/// As the table in the module says: chunks that fill 32 threads, or 256.
#[test]
fn partitions() {
    let of = |limbs, size| Partition::new(Parts::Limbs(limbs), Order::Contiguous, size);
    assert_eq!(of(1, 2), Partition::Whole { chunk: 8, chunks: 1 });
    assert_eq!(of(1, 256), Partition::Whole { chunk: 8, chunks: 32 });
    assert_eq!(of(1, 2048), Partition::Whole { chunk: 8, chunks: 256 });
    assert_eq!(of(1, 2049), Partition::Split { chunk: 8 });
    assert_eq!(of(4, 128), Partition::Whole { chunk: 2, chunks: 64 });
    assert_eq!(of(4, 1024), Partition::Whole { chunk: 4, chunks: 256 });
    let of = |parts, size| Partition::new(parts, Order::Interleaved, size);
    assert_eq!(of(Parts::Single, 256), Partition::Whole { chunk: 8, chunks: 32 });
    assert_eq!(of(Parts::Limbs(1), 257), Partition::Whole { chunk: 16, chunks: 32 });
    assert_eq!(of(Parts::Limbs(1), 1024), Partition::Whole { chunk: 32, chunks: 32 });
    assert_eq!(of(Parts::Limbs(1), 1025), Partition::Split { chunk: 8 });
    for order in ORDERS {
        let of = |size| Partition::new(Parts::Words, order, size);
        assert_eq!(of(1), Partition::Whole { chunk: 4, chunks: 1 });
        assert_eq!(of(128), Partition::Whole { chunk: 4, chunks: 32 });
        assert_eq!(of(129), Partition::Split { chunk: 4 });
    }
}

#[test]
fn dominant_diagonals() {
    let (lower, diagonal) = ([9.0, 1.0, 1.0, 9.0, 1.0, -2.0], [2.0, 4.0, 1.0, 3.0, -9.0, 3.0]);
    let upper = [1.0, 1.0, 9.0, 1.0, -4.0, 9.0];
    let batch =
        Batch::new(2, 3, Order::Contiguous, [&lower, &diagonal, &upper], &diagonal).unwrap();
    let found = dominance(&batch, false).unwrap();
    assert_eq!((found.least, found.system, found.row), (1.0, 0, 2));
    let found = dominance(&batch, true).unwrap();
    assert_eq!((found.least, found.system, found.row), (0.1, 0, 2));
    let single = Batch::new(1, 1, Order::Contiguous, [&[1.0], &[2.0], &[1.0]], &[0.0]).unwrap();
    assert_eq!(dominance(&single, false).unwrap().least, f64::INFINITY);
}
