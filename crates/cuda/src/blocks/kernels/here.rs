//! How blocks of columns begin, on the host.

use nonius_linalg::mp::{Bits, Matrix};
use nonius_num::{Dd, Mp};
use nonius_testkit::orthogonal::random_matrix;

use super::{BEGIN, Begin, LARGEST, Largest, SHIFTED, Shape, THREADS, source};
use crate::here::{Here, Rectangle, kernel, pointer};
use crate::kind::Kind;

const ROWS: usize = 7;
const COLUMNS: usize = 3;

/// What becomes of a block as the work begins.
struct Begun {
    exponent: i64,
    negative: Matrix,
    doubles: nonius_linalg::Matrix<Dd>,
    /// Whether it is left to panels.
    failed: bool,
}

/// Begins with a block; nothing where there is no compiler.
fn begin(here: &Here, a: &Matrix, symmetric: bool) -> Option<Begun> {
    let mut block = Rectangle::of(a.view());
    let mut negative = Rectangle::of(a.view());
    let height = if symmetric { COLUMNS } else { ROWS };
    let mut doubles = Rectangle::of(nonius_linalg::Matrix::<Dd>::zeros(height, COLUMNS).view());
    let (mut exponent, mut failed) = ([0_u32], [0_u32]);
    let shape = Shape { grid: [1, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
    let of_exponent =
        if symmetric { block.layout().block(0, 0, COLUMNS, COLUMNS) } else { block.layout() };
    let largest =
        Largest { a: of_exponent, lower: symmetric.into(), exponent: pointer(&mut exponent) };
    // SAFETY: matrices and numbers that live.
    if !unsafe { here.run(LARGEST, shape, &largest) } {
        return None;
    }
    let arguments = Begin {
        a: block.layout(),
        doubles: doubles.layout(),
        negative: negative.layout(),
        symmetric: symmetric.into(),
        exponent: pointer(&mut exponent),
        failed: pointer(&mut failed),
    };
    // SAFETY: as above.
    unsafe { here.run(BEGIN, shape, &arguments) };
    Some(Begun {
        exponent: i64::from(exponent[0]) - SHIFTED,
        negative: negative.matrix(),
        doubles: doubles.matrix(),
        failed: failed[0] != 0,
    })
}

/// Rows below a square may be far larger, and have no part in its scale.
#[test]
fn blocks_are_scaled_by_their_squares() {
    let bits = Bits::new(106).expect("a precision");
    let here = Here::new(&source(Kind::Mp(bits)), &[kernel(LARGEST), kernel(BEGIN)]);
    let usual = random_matrix::<Mp>(bits, ROWS, COLUMNS, 1);
    let with = |below: i32| {
        Matrix::from_fn_in(bits, ROWS, COLUMNS, |i, j| match i {
            _ if i == j => Mp::from_f64(bits, 3.0),
            _ if i < COLUMNS => usual.at(i, j),
            _ => usual.at(i, j).ldexp(below),
        })
    };
    for below in [0, 4001, -4001] {
        let a = with(below);
        let Some(begun) = begin(&here, &a, true) else { return };
        assert_eq!((begun.exponent, begun.failed), (2, false), "{below}");
        for (i, j) in (0..ROWS).flat_map(|i| (0..COLUMNS).map(move |j| (i, j))) {
            if i < COLUMNS && j > i {
                continue;
            }
            let down = if i < COLUMNS { 2 } else { 1 };
            let scaled = a.at(i, j).ldexp(-down);
            assert_eq!(begun.negative.at(i, j), -scaled, "({i}, {j})");
            if i < COLUMNS {
                let [first, second] = begun.doubles.at(i, j).limbs().map(|x| Mp::from_f64(bits, x));
                let found = first + second;
                assert!((found - scaled).abs() <= scaled.abs().ldexp(-100), "({i}, {j})");
            }
        }
    }
    // What is not finite, or leaves the range, is for panels.
    for symmetric in [false, true] {
        let places = [(0, 0), (COLUMNS, 1), (ROWS - 1, 0)];
        let far = Mp::one(bits).ldexp(-(1 << 28) - 1);
        for (place, x) in places
            .into_iter()
            .flat_map(|place| [Mp::infinity(bits, true), Mp::nan(bits), far].map(|x| (place, x)))
        {
            let mut a = with(0);
            a.set(place.0, place.1, x);
            let Some(begun) = begin(&here, &a, symmetric) else { return };
            assert!(begun.failed, "{place:?}, {x:?}");
        }
    }
}
