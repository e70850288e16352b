//! Tridiagonal systems that are shared out: solutions and reports have the bits of one device.

use nonius_comm::tridiag::{Solver, solve};
use nonius_comm::{Communicator, Error, Packed};
use nonius_linalg::tridiag::{Batch, Cause, Method, Options, Order, Report, Solvable};
use nonius_linalg::{Numbers, Slice};

/// Batches of numbers of a kind, in both orders, with systems that cannot be solved.
pub(crate) fn check<T: Solvable + Packed>(
    ranks: &Communicator,
    solver: &impl Solver<T>,
    format: <T as nonius_num::Element>::Format,
) -> Result<(), Error> {
    let pivoting = Options { pivoting: true, ..Options::default() };
    let periodic = Options { periodic: true, ..Options::default() };
    let reduction = Options { method: Method::Pcr, ..Options::default() };
    for order in [Order::Contiguous, Order::Interleaved] {
        for (systems, size) in [(0, 5), (1, 7), (3, 4), (150, 33)] {
            for options in [Options::default(), pivoting, periodic, reduction] {
                batch::<T>(ranks, solver, format, (systems, size), order, &options);
            }
        }
        refusals::<T>(ranks, solver, format, order);
    }
    ranks.barrier()
}

fn batch<T: Solvable + Packed>(
    ranks: &Communicator,
    solver: &impl Solver<T>,
    format: <T as nonius_num::Element>::Format,
    (systems, size): (usize, usize),
    order: Order,
    options: &Options,
) {
    let numbers = |shift: f64, scale: f64| {
        let mut numbers = Numbers::<T>::zeros(format, systems * size);
        for at in 0..systems * size {
            let x = (0.7 * at as f64 + shift).sin();
            numbers.set(at, number(scale * x + shift));
        }
        numbers
    };
    let (lower, upper, right) = (numbers(0.0, 1.0), numbers(0.1, 0.9), numbers(0.3, 7.0));
    let mut diagonal = numbers(4.0, 1.0);
    for system in (0..systems).filter(|system| system % 7 == 2) {
        // A row of zeros, and one that no number is.
        let row = order.index((systems, size), system, size / 2);
        let bad = if system % 2 == 0 { 0.0 } else { f64::NAN };
        diagonal.set(row, number(bad));
    }
    let matrix = [&lower, &diagonal, &upper].map(Numbers::as_slice);
    let batch = Batch::new(systems, size, order, matrix, right.as_slice()).unwrap();
    let mut expected = Numbers::zeros(format, systems * size);
    let report = solver.solve(&batch, options, expected.as_mut_slice()).unwrap();
    let mut found = Numbers::zeros(format, systems * size);
    let on_ranks = solve(ranks, solver, &batch, options, found.as_mut_slice()).unwrap();
    assert_eq!(on_ranks, report, "{options:?} {order:?} {systems} × {size}");
    assert_eq!(words(found.as_slice()), words(expected.as_slice()), "{options:?} {order:?}");
    let Report { failures, .. } = report;
    let is_named = |cause| failures.iter().any(|failure| failure.cause == cause);
    assert!(systems < 100 || is_named(Cause::NotFinite));
}

fn number<T: Solvable>(x: f64) -> T {
    <T as nonius_linalg::tridiag::Number>::from_f64(x)
}

fn words<T: Packed>(numbers: Slice<'_, T>) -> Vec<u64> {
    let mut words = Vec::new();
    T::pack(numbers, &mut words);
    words
}

/// Errors are those of one device, on every rank.
fn refusals<T: Solvable + Packed>(
    ranks: &Communicator,
    solver: &impl Solver<T>,
    format: <T as nonius_num::Element>::Format,
    order: Order,
) {
    let numbers = Numbers::<T>::zeros(format, 4);
    let all = numbers.as_slice();
    let batch = Batch::new(2, 2, order, [all; 3], all).unwrap();
    let pivoted = Options { pivoting: true, method: Method::Pcr, ..Options::default() };
    let periodic = Options { periodic: true, ..Options::default() };
    for (length, options) in [(3, Options::default()), (4, pivoted), (4, periodic)] {
        let [mut x, mut y] = [(); 2].map(|()| Numbers::zeros(format, length));
        let expected = solver.solve(&batch, &options, x.as_mut_slice()).unwrap_err();
        let found = solve(ranks, solver, &batch, &options, y.as_mut_slice()).unwrap_err();
        assert_eq!(found, expected);
    }
}
