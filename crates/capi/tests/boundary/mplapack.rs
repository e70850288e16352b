//! The dense routines of MPLAPACK: their meaning, illegal arguments, and what they leave alone.

use std::ffi::{CString, c_char};
use std::ptr::null_mut;

use nonius::dense::{Cholesky, Eigenvalues, Lu, Multiply, Transpose, Triangle};
use nonius::{Dd, Device, Matrix};
use nonius_c::mplapack::dd::*;
use nonius_c::mplapack::qd::*;
use nonius_c::mplapack::{DoubleDouble, NONIUS_INFO_FAILURE, QuadDouble};

use super::last;

/// What lies between columns, and in triangles that are not stated.
const FOREIGN: f64 = -77.5;

fn dd(x: f64) -> DoubleDouble {
    DoubleDouble { x: [x, 0.0] }
}

fn qd(x: f64) -> QuadDouble {
    QuadDouble { x: [x, 0.0, 0.0, 0.0] }
}

/// Entries that need two doubles.
fn entry(i: usize, j: usize) -> Dd {
    Dd::from(((i * 37 + j * 101 + i * j * 13) % 64) as f64 - 31.5) / 7.0
}

/// The array of a matrix with `gap` foreign numbers behind each column, and its leading dimension.
fn array(a: &Matrix<Dd>, gap: usize) -> (Vec<DoubleDouble>, i64) {
    let ld = (a.rows() + gap).max(1);
    let mut to = vec![dd(FOREIGN); ld * a.cols()];
    for j in 0..a.cols() {
        for i in 0..a.rows() {
            to[i + j * ld] = DoubleDouble { x: a.at(i, j).limbs() };
        }
    }
    (to, ld as i64)
}

/// The matrix of an array. What lies between its columns has to be as it was.
#[track_caller]
fn back(from: &[DoubleDouble], (rows, cols): (usize, usize), ld: i64) -> Matrix<Dd> {
    let ld = ld as usize;
    for j in 0..cols {
        assert!(from[j * ld + rows..(j + 1) * ld].iter().all(|x| *x == dd(FOREIGN)));
    }
    Matrix::from_fn(rows, cols, |i, j| Dd::from_limbs(from[i + j * ld].x))
}

fn option(letter: &str) -> CString {
    CString::new(letter).unwrap()
}

/// Matrices of some shape, filled so that products of them differ.
fn filled(rows: usize, cols: usize, seed: usize) -> Matrix<Dd> {
    Matrix::from_fn(rows, cols, |i, j| entry(i + seed, j + 2 * seed))
}

/// Diagonally dominant and symmetric.
fn definite(n: usize) -> Matrix<Dd> {
    let large = Dd::from(10.0 * n as f64);
    Matrix::from_fn(n, n, |i, j| entry(i.max(j), i.min(j)) + if i == j { large } else { Dd::ZERO })
}

#[test]
fn rgemm_is_our_product_bit_for_bit() {
    for (m, n, k) in [(1, 1, 1), (3, 5, 7), (64, 33, 65), (4, 4, 0), (0, 3, 2), (3, 0, 2)] {
        for (ta, tb) in [("N", "n"), ("t", "N"), ("n", "C"), ("c", "T")] {
            for (alpha, beta) in [(1.0, 0.0), (-2.5, 1.0), (0.0, 3.0), (0.0, 0.0), (1.0, -1.0)] {
                let op = |t: &str| {
                    if t.eq_ignore_ascii_case("n") { Transpose::No } else { Transpose::Yes }
                };
                let shaped = |t, r, c, seed| match op(t) {
                    Transpose::No => filled(r, c, seed),
                    Transpose::Yes => filled(c, r, seed),
                };
                let (a, b, c) = (shaped(ta, m, k, 1), shaped(tb, k, n, 2), filled(m, n, 3));
                let expected = Multiply::new(&a, &b)
                    .transpose_a(op(ta))
                    .transpose_b(op(tb))
                    .alpha(Dd::from(alpha))
                    .plus(Dd::from(beta), c.clone())
                    .device(Device::Cpu)
                    .run()
                    .unwrap()
                    .0;
                for gap in [0, 3] {
                    let ((a, lda), (b, ldb), (mut to, ldc)) =
                        (array(&a, gap), array(&b, gap), array(&c, gap));
                    let (ta, tb) = (option(ta), option(tb));
                    // SAFETY: the arrays hold the matrices.
                    let info = unsafe {
                        nonius_dd_Rgemm(
                            ta.as_ptr(),
                            tb.as_ptr(),
                            m as i64,
                            n as i64,
                            k as i64,
                            dd(alpha),
                            a.as_ptr(),
                            lda,
                            b.as_ptr(),
                            ldb,
                            dd(beta),
                            to.as_mut_ptr(),
                            ldc,
                        )
                    };
                    assert_eq!(info, 0, "{}", last());
                    assert_eq!(back(&to, (m, n), ldc), expected, "{m} {n} {k} {ta:?} {tb:?}");
                }
            }
        }
    }
}

/// Without a factor operands are not read, and with `β = 0` neither is the result.
#[test]
fn what_is_not_read_may_be_anything() {
    let n = option("N");
    let mut c = [dd(f64::NAN), dd(f64::NAN), dd(f64::NAN), dd(f64::NAN)];
    // SAFETY: null arrays are not read.
    let info = unsafe {
        nonius_dd_Rgemm(
            n.as_ptr(),
            n.as_ptr(),
            2,
            2,
            5,
            dd(0.0),
            null_mut(),
            2,
            null_mut(),
            5,
            dd(0.0),
            c.as_mut_ptr(),
            2,
        )
    };
    assert_eq!((info, c), (0, [dd(0.0); 4]));
    let l = option("L");
    let mut c = [dd(f64::NAN); 4];
    let a = [dd(1.0), dd(2.0)];
    // SAFETY: the arrays hold the matrices.
    let info = unsafe {
        nonius_dd_Rsyrk(
            l.as_ptr(),
            n.as_ptr(),
            2,
            1,
            dd(1.0),
            a.as_ptr(),
            2,
            dd(0.0),
            c.as_mut_ptr(),
            2,
        )
    };
    assert_eq!((info, c[0], c[1], c[3]), (0, dd(1.0), dd(2.0), dd(4.0)));
    assert!(c[2].x[0].is_nan());
    let mut b = [dd(f64::NAN); 2];
    // SAFETY: a null array is not read.
    let info = unsafe {
        let (l, n) = (l.as_ptr(), n.as_ptr());
        nonius_dd_Rtrsm(l, l, n, n, 2, 1, dd(0.0), null_mut(), 2, b.as_mut_ptr(), 2)
    };
    assert_eq!((info, b), (0, [dd(0.0); 2]));
}

/// Arrays that overlap: inputs are read before anything is written.
#[test]
fn overlapping_arrays() {
    let n = option("N");
    let a = filled(8, 8, 1);
    let (mut square, ld) = array(&a, 0);
    let expected = &a * &a;
    let pointer = square.as_mut_ptr();
    // SAFETY: all three are the same array of 8 × 8 numbers.
    let info = unsafe {
        let n = n.as_ptr();
        nonius_dd_Rgemm(n, n, 8, 8, 8, dd(1.0), pointer, ld, pointer, ld, dd(0.0), pointer, ld)
    };
    assert_eq!((info, back(&square, (8, 8), ld)), (0, expected));
    // The same without gaps, where the product would be computed in place but for A and B.
    let (mut square, ld) = array(&a, 0);
    let pointer = square.as_mut_ptr();
    // SAFETY: as above.
    let info = unsafe {
        let n = n.as_ptr();
        nonius_dd_Rgemm(n, n, 8, 8, 8, dd(1.0), pointer, ld, pointer, ld, dd(1.0), pointer, ld)
    };
    let expected = Multiply::new(&a, &a).plus(Dd::ONE, a.clone()).device(Device::Cpu).run();
    assert_eq!((info, back(&square, (8, 8), ld)), (0, expected.unwrap().0));
    // The right-hand side is the array of the factors, or begins inside it.
    let definite = definite(8);
    let ((mut factors, ld), mut pivots, mut info) = (array(&definite, 0), [0; 8], 0);
    // SAFETY: the array holds the matrix.
    unsafe {
        nonius_dd_Rgetrf(8, 8, factors.as_mut_ptr(), ld, pivots.as_mut_ptr(), &mut info);
    }
    assert_eq!(info, 0);
    for first in [0, 3] {
        let mut apart = factors[8 * first..].to_vec();
        let cols = 8 - first as i64;
        let (mut both, n) = (factors.clone(), option("N"));
        // SAFETY: the arrays hold the factors, and right-hand sides to the end.
        unsafe {
            let (a, piv) = (factors.as_ptr(), pivots.as_ptr());
            nonius_dd_Rgetrs(n.as_ptr(), 8, cols, a, ld, piv, apart.as_mut_ptr(), ld, &mut info);
            let (a, b) = (both.as_ptr(), both.as_mut_ptr().add(8 * first));
            nonius_dd_Rgetrs(n.as_ptr(), 8, cols, a, ld, piv, b, ld, &mut info);
        }
        assert_eq!((info, &both[..8 * first]), (0, &factors[..8 * first]));
        assert_eq!(both[8 * first..], apart);
    }
    // Blocks of one array, as a blocked elimination has them: rows 4 to 7 of the last columns less
    // a product of the blocks beside and above.
    let (mut square, ld) = array(&a, 0);
    let pointer = square.as_mut_ptr();
    // SAFETY: the blocks lie in the array of 8 × 8 numbers.
    let info = unsafe {
        let (left, above, rest) = (pointer.add(4), pointer.add(32), pointer.add(36));
        let n = n.as_ptr();
        nonius_dd_Rgemm(n, n, 4, 4, 4, dd(-1.0), left, ld, above, ld, dd(1.0), rest, ld)
    };
    let found = back(&square, (8, 8), ld);
    for j in 0..8 {
        for i in 0..8 {
            let is_changed = i >= 4 && j >= 4;
            let product: Dd = (0..4).map(|k| a[(i, k)] * a[(k, j)]).sum();
            let expected = if is_changed { a[(i, j)] - product } else { a[(i, j)] };
            let bound = if is_changed { 1e-28 } else { 0.0 };
            assert!((found[(i, j)] - expected).abs().to_f64() <= bound, "{info}");
        }
    }
}

#[test]
fn rsyrk_writes_one_triangle() {
    for (n, k) in [(1, 1), (5, 9), (40, 17), (4, 0)] {
        for (uplo, trans) in [("U", "N"), ("u", "t"), ("L", "c"), ("l", "n")] {
            let plain = trans == "N" || trans == "n";
            let a = if plain { filled(n, k, 1) } else { filled(k, n, 1) };
            let c = filled(n, n, 2);
            let of = if plain { a.clone() } else { a.transposed() };
            let ((from, lda), (mut to, ldc)) = (array(&a, 2), array(&c, 1));
            let (letter, op) = (option(uplo), option(trans));
            // SAFETY: the arrays hold the matrices.
            let info = unsafe {
                nonius_dd_Rsyrk(
                    letter.as_ptr(),
                    op.as_ptr(),
                    n as i64,
                    k as i64,
                    dd(-1.0),
                    from.as_ptr(),
                    lda,
                    dd(2.0),
                    to.as_mut_ptr(),
                    ldc,
                )
            };
            assert_eq!(info, 0);
            let found = back(&to, (n, n), ldc);
            for j in 0..n {
                for i in 0..n {
                    let stated = if uplo == "U" || uplo == "u" { i <= j } else { i >= j };
                    let product: Dd = (0..k).map(|l| of[(i, l)] * of[(j, l)]).sum();
                    let (expected, bound) =
                        if stated { (c[(i, j)] * 2.0 - product, 1e-27) } else { (c[(i, j)], 0.0) };
                    assert!((found[(i, j)] - expected).abs().to_f64() <= bound);
                }
            }
        }
    }
}

#[test]
fn rtrsm_solves_every_form() {
    let (m, n) = (7, 5);
    for side in ["L", "r"] {
        for uplo in ["U", "l"] {
            for trans in ["N", "t", "C"] {
                for diag in ["U", "n"] {
                    let order = if side == "L" { m } else { n };
                    let upper = uplo == "U";
                    // Outside the triangle, and on a diagonal of ones, lies what is not read.
                    let a = Matrix::from_fn(order, order, |i, j| {
                        let stated = if upper { i <= j } else { i >= j };
                        let nan = Dd::from(f64::NAN);
                        match (stated, i == j) {
                            (true, true) if diag == "U" => nan,
                            (true, true) => Dd::from(9.0),
                            (true, false) => entry(i, j) / 16.0,
                            (false, _) => nan,
                        }
                    });
                    let full = Matrix::from_fn(order, order, |i, j| {
                        let (i, j) = if trans == "N" { (i, j) } else { (j, i) };
                        let stated = if upper { i <= j } else { i >= j };
                        if i == j && diag == "U" {
                            Dd::ONE
                        } else if stated {
                            a[(i, j)]
                        } else {
                            Dd::ZERO
                        }
                    });
                    let x = filled(m, n, 4);
                    let b = if side == "L" { &full * &x } else { &x * &full };
                    let ((from, lda), (mut to, ldb)) = (array(&a, 1), array(&b, 2));
                    let letters = [side, uplo, trans, diag].map(option);
                    let [s, u, t, d] = letters.each_ref().map(|letter| letter.as_ptr());
                    // SAFETY: the arrays hold the matrices.
                    let info = unsafe {
                        nonius_dd_Rtrsm(
                            s,
                            u,
                            t,
                            d,
                            m as i64,
                            n as i64,
                            dd(0.5),
                            from.as_ptr(),
                            lda,
                            to.as_mut_ptr(),
                            ldb,
                        )
                    };
                    assert_eq!(info, 0);
                    let found = back(&to, (m, n), ldb);
                    for (found, x) in found.iter().zip(&x) {
                        let error = (found * 2.0 - x).abs().to_f64();
                        assert!(error < 1e-25, "{letters:?}: {error}");
                    }
                }
            }
        }
    }
}

#[test]
fn factors_and_solutions_are_ours() {
    for n in [1, 2, 30] {
        let (a, b) = (definite(n), filled(n, 3, 5));
        let order = n as i64;
        let by_cholesky = Cholesky::factor(Triangle::Lower, a.view()).unwrap();
        let (expected, lower) =
            (by_cholesky.solve(b.view()).unwrap(), by_cholesky.lower().unwrap());
        for (gap, letter) in [(0, "L"), (2, "l"), (1, "U")] {
            let uplo = option(letter);
            let is_lower = letter != "U";
            let ((mut factor, lda), (mut x, ldb)) = (array(&a, gap), array(&b, gap));
            let (p, q) = (factor.as_mut_ptr(), x.as_mut_ptr());
            let mut info = 9;
            // SAFETY: the arrays hold the matrices.
            unsafe {
                assert_eq!(nonius_dd_Rpotrf(uplo.as_ptr(), order, p, lda, &mut info), 0);
                assert_eq!(info, 0);
                assert_eq!(nonius_dd_Rpotrs(uplo.as_ptr(), order, 3, p, lda, q, ldb, &mut info), 0);
            }
            let found = back(&factor, (n, n), lda);
            for j in 0..n {
                for i in 0..n {
                    let expected = match (i >= j, is_lower) {
                        (true, true) => lower[(i, j)],
                        (false, false) => lower[(j, i)],
                        _ if i == j => lower[(i, i)],
                        _ => a[(i, j)],
                    };
                    assert_eq!(found[(i, j)], expected);
                }
            }
            let solution = back(&x, (n, 3), ldb);
            if is_lower {
                assert_eq!(solution, expected);
            }
            let ((mut factor, lda), (mut again, ldb)) = (array(&a, gap), array(&b, gap));
            let (p, q) = (factor.as_mut_ptr(), again.as_mut_ptr());
            // SAFETY: the arrays hold the matrices.
            unsafe {
                assert_eq!(nonius_dd_Rposv(uplo.as_ptr(), order, 3, p, lda, q, ldb, null_mut()), 0);
            }
            assert_eq!((back(&again, (n, 3), ldb), back(&factor, (n, n), lda)), (solution, found));
        }

        let a = filled(n, n, 7);
        let lu = Lu::factor(a.view()).unwrap();
        let expected = lu.solve(b.view()).unwrap();
        let ((mut factors, lda), (mut x, ldb)) = (array(&a, 1), array(&b, 1));
        let (mut ipiv, mut info) = (vec![0; n], 9);
        let (p, q) = (factors.as_mut_ptr(), x.as_mut_ptr());
        let plain = option("n");
        // SAFETY: the arrays hold the matrices.
        unsafe {
            assert_eq!(nonius_dd_Rgetrf(order, order, p, lda, ipiv.as_mut_ptr(), &mut info), 0);
            let pivots: Vec<i64> = lu.pivots().iter().map(|&row| row as i64 + 1).collect();
            assert_eq!((info, &ipiv), (0, &pivots));
            let (trans, i) = (plain.as_ptr(), ipiv.as_ptr());
            assert_eq!(nonius_dd_Rgetrs(trans, order, 3, p, lda, i, q, ldb, &mut info), 0);
        }
        assert_eq!(back(&x, (n, 3), ldb), expected);
        let ((mut again, lda), (mut y, ldb)) = (array(&a, 0), array(&b, 0));
        let (p, q, i) = (again.as_mut_ptr(), y.as_mut_ptr(), ipiv.as_mut_ptr());
        // SAFETY: the arrays hold the matrices.
        assert_eq!(unsafe { nonius_dd_Rgesv(order, 3, p, lda, i, q, ldb, &mut info) }, 0);
        assert_eq!(back(&y, (n, 3), ldb), expected);
        let (factors, again) = (back(&factors, (n, n), n as i64 + 1), back(&again, (n, n), lda));
        assert_eq!(factors, again);
    }
}

#[test]
fn pivots_that_do_not_do() {
    // The second column is twice the first.
    let a = Matrix::from_fn(3, 3, |i, j| {
        Dd::from([[1.0, 2.0, 1.0], [2.0, 4.0, 0.0], [4.0, 8.0, 5.0]][i][j])
    });
    let ((mut factors, lda), mut b) = (array(&a, 0), [dd(1.0); 3]);
    let (mut ipiv, mut info) = ([0; 3], 0);
    // SAFETY: the arrays hold the matrices.
    let returned = unsafe {
        nonius_dd_Rgesv(
            3,
            1,
            factors.as_mut_ptr(),
            lda,
            ipiv.as_mut_ptr(),
            b.as_mut_ptr(),
            3,
            &mut info,
        )
    };
    assert_eq!((returned, info, b), (2, 2, [dd(1.0); 3]));
    assert_eq!(last(), "Rgesv: the matrix is singular: no nonzero pivot in column 2");
    assert!(ipiv.iter().zip(1..).all(|(&row, j)| row >= j && row <= 3));
    let indefinite =
        Matrix::from_fn(3, 3, |i, j| Dd::from(if i == j { [4.0, 1.0, -1.0][i] } else { 1.0 }));
    let (given, lda) = array(&indefinite, 1);
    for letter in ["U", "L"] {
        let (mut a, mut b) = (given.clone(), [dd(1.0); 3]);
        let uplo = option(letter);
        // SAFETY: the arrays hold the matrices.
        unsafe {
            let p = a.as_mut_ptr();
            assert_eq!(nonius_dd_Rpotrf(uplo.as_ptr(), 3, p, lda, &mut info), 3);
            assert_eq!((info, &a), (3, &given));
            let q = b.as_mut_ptr();
            assert_eq!(
                nonius_dd_Rposv(uplo.as_ptr(), 3, 1, a.as_mut_ptr(), lda, q, 3, &mut info),
                3
            );
            assert_eq!((b, &a), ([dd(1.0); 3], &given));
        }
    }
    let mut a = [dd(1.0), dd(f64::NAN), dd(0.0), dd(f64::INFINITY)];
    let l = option("L");
    // SAFETY: the arrays hold the matrices.
    unsafe {
        let p = a.as_mut_ptr();
        assert_eq!(nonius_dd_Rgetrf(2, 2, p, 2, ipiv.as_mut_ptr(), &mut info), -3);
        assert_eq!(nonius_dd_Rpotrf(l.as_ptr(), 2, p, 2, &mut info), -3);
    }
}

#[test]
fn rsyev_asks_for_room_and_reads_a_triangle() {
    let n = 12;
    let a = definite(n);
    let found = Eigenvalues::new(&a).device(Device::Cpu).run().unwrap().0;
    let order = n as i64;
    for (letter, gap) in [("U", 0), ("l", 2)] {
        let upper = letter == "U";
        let nan = Dd::from(f64::NAN);
        let half = Matrix::from_fn(n, n, |i, j| {
            if if upper { i <= j } else { i >= j } { a[(i, j)] } else { nan }
        });
        let (mut v, lda) = array(&half, gap);
        let given = v.clone();
        let (mut w, mut work, mut info) = (vec![dd(0.0); n], vec![dd(0.0); 3 * n - 1], 9);
        let [with, without, uplo] = ["V", "n", letter].map(option);
        let (p, q, r) = (v.as_mut_ptr(), w.as_mut_ptr(), work.as_mut_ptr());
        // SAFETY: the arrays hold the matrix, the values and the work.
        unsafe {
            let (with, without, uplo) = (with.as_ptr(), without.as_ptr(), uplo.as_ptr());
            // Arrays of a query are not looked at, but for the first number of work.
            let none = null_mut();
            assert_eq!(nonius_dd_Rsyev(with, uplo, order, none, lda, none, r, -1, &mut info), 0);
            assert_eq!((work[0], info), (dd(35.0), 0));
            let r = work.as_mut_ptr();
            for few in [34, 0, -2] {
                assert_eq!(nonius_dd_Rsyev(with, uplo, order, p, lda, q, r, few, &mut info), -8);
            }
            assert_eq!(nonius_dd_Rsyev(without, uplo, order, p, lda, q, r, 35, &mut info), 0);
            assert!(v.iter().zip(&given).all(|(x, y)| x == y || y.x[0].is_nan()));
            let values: Vec<Dd> = w.iter().map(|x| Dd::from_limbs(x.x)).collect();
            for (x, y) in values.iter().zip(&found.values) {
                assert!((*x - *y).abs().to_f64() < 1e-27);
            }
            let p = v.as_mut_ptr();
            let q = w.as_mut_ptr();
            assert_eq!(nonius_dd_Rsyev(with, uplo, order, p, lda, q, r, 35, &mut info), 0);
        }
        let values: Vec<Dd> = w.iter().map(|x| Dd::from_limbs(x.x)).collect();
        assert_eq!(values, found.values);
        assert_eq!(Some(back(&v, (n, n), lda)), found.vectors);
    }
}

/// One illegal argument at a time, by its position.
#[test]
fn illegal_arguments() {
    let [n, l, v, x] = ["N", "L", "V", "x"].map(option);
    let (n, l, v, x): (*const c_char, _, _, _) = (n.as_ptr(), l.as_ptr(), v.as_ptr(), x.as_ptr());
    let (mut a, mut b, mut i) = ([dd(1.0); 9], [dd(1.0); 9], [1_i64; 3]);
    let (p, q, i) = (a.as_mut_ptr(), b.as_mut_ptr(), i.as_mut_ptr());
    let (none, u, mut info) = (null_mut::<DoubleDouble>(), std::ptr::null::<c_char>(), 0);
    let to: *mut i64 = &mut info;
    let one = dd(1.0);
    // SAFETY: the arrays hold three columns of three numbers.
    unsafe {
        let gemm = |ta, tb, m, k_n: (i64, i64), a, lda, b, ldb, c, ldc| {
            nonius_dd_Rgemm(ta, tb, m, k_n.0, k_n.1, one, a, lda, b, ldb, one, c, ldc)
        };
        for (expected, found) in [
            (-1, gemm(x, n, 3, (3, 3), p, 3, p, 3, q, 3)),
            (-1, gemm(u, n, 3, (3, 3), p, 3, p, 3, q, 3)),
            (-2, gemm(n, x, 3, (3, 3), p, 3, p, 3, q, 3)),
            (-3, gemm(n, n, -1, (3, 3), p, 3, p, 3, q, 3)),
            (-4, gemm(n, n, 3, (i64::MIN, 3), p, 3, p, 3, q, 3)),
            (-5, gemm(n, n, 3, (3, -1), p, 3, p, 3, q, 3)),
            (-7, gemm(n, n, 3, (3, 3), none, 3, p, 3, q, 3)),
            (-7, gemm(n, n, 3, (3, i64::MAX), p, 3, p, i64::MAX, q, 3)),
            (-8, gemm(n, n, 3, (3, 3), p, 2, p, 3, q, 3)),
            (-8, gemm(n, n, 0, (0, 0), p, 0, p, 1, q, 1)),
            (-9, gemm(n, n, 3, (3, 3), p, 3, none, 3, q, 3)),
            (-10, gemm(n, n, 3, (3, 3), p, 3, p, -3, q, 3)),
            (-12, gemm(n, n, 3, (3, 3), p, 3, p, 3, none, 3)),
            (-13, gemm(n, n, 3, (3, 3), p, 3, p, 3, q, 2)),
            (-1, nonius_dd_Rsyrk(x, n, 3, 3, one, p, 3, one, q, 3)),
            (-2, nonius_dd_Rsyrk(l, x, 3, 3, one, p, 3, one, q, 3)),
            (-3, nonius_dd_Rsyrk(l, n, -3, 3, one, p, 3, one, q, 3)),
            (-4, nonius_dd_Rsyrk(l, n, 3, -3, one, p, 3, one, q, 3)),
            (-7, nonius_dd_Rsyrk(l, n, 3, 3, one, p, 2, one, q, 3)),
            (-10, nonius_dd_Rsyrk(l, n, 3, 3, one, p, 3, one, q, 2)),
            (-1, nonius_dd_Rtrsm(x, l, n, n, 3, 3, one, p, 3, q, 3)),
            (-2, nonius_dd_Rtrsm(l, x, n, n, 3, 3, one, p, 3, q, 3)),
            (-3, nonius_dd_Rtrsm(l, l, x, n, 3, 3, one, p, 3, q, 3)),
            (-4, nonius_dd_Rtrsm(l, l, n, x, 3, 3, one, p, 3, q, 3)),
            (-5, nonius_dd_Rtrsm(l, l, n, n, -1, 3, one, p, 3, q, 3)),
            (-6, nonius_dd_Rtrsm(l, l, n, n, 3, -1, one, p, 3, q, 3)),
            (-9, nonius_dd_Rtrsm(l, l, n, n, 3, 3, one, p, 2, q, 3)),
            (-11, nonius_dd_Rtrsm(l, l, n, n, 3, 3, one, p, 3, q, 2)),
        ] {
            assert_eq!(found, expected, "{}", last());
        }
        for (expected, found) in [
            (-1, nonius_dd_Rpotrf(x, 3, p, 3, to)),
            (-2, nonius_dd_Rpotrf(l, -3, p, 3, to)),
            (-3, nonius_dd_Rpotrf(l, 3, none, 3, to)),
            (-4, nonius_dd_Rpotrf(l, 3, p, 2, to)),
            (-1, nonius_dd_Rpotrs(x, 3, 1, p, 3, q, 3, to)),
            (-3, nonius_dd_Rpotrs(l, 3, -1, p, 3, q, 3, to)),
            (-5, nonius_dd_Rpotrs(l, 3, 1, p, 2, q, 3, to)),
            (-7, nonius_dd_Rposv(l, 3, 1, p, 3, q, 2, to)),
            (-1, nonius_dd_Rgetrf(-3, 3, p, 3, i, to)),
            (-2, nonius_dd_Rgetrf(3, -3, p, 3, i, to)),
            (-4, nonius_dd_Rgetrf(3, 3, p, 2, i, to)),
            (-5, nonius_dd_Rgetrf(3, 3, p, 3, null_mut(), to)),
            (-1, nonius_dd_Rgetrs(x, 3, 1, p, 3, i, q, 3, to)),
            (-6, nonius_dd_Rgetrs(n, 3, 1, p, 3, [1, 2, 4].as_ptr(), q, 3, to)),
            (-6, nonius_dd_Rgetrs(n, 3, 1, p, 3, [0, 2, 3].as_ptr(), q, 3, to)),
            (-6, nonius_dd_Rgetrs(n, 3, 1, p, 3, [i64::MIN, 2, 3].as_ptr(), q, 3, to)),
            (-8, nonius_dd_Rgetrs(n, 3, 1, p, 3, i, q, 2, to)),
            (-1, nonius_dd_Rgesv(-3, 1, p, 3, i, q, 3, to)),
            (-2, nonius_dd_Rgesv(3, -1, p, 3, i, q, 3, to)),
            (-4, nonius_dd_Rgesv(3, 1, p, 2, i, q, 3, to)),
            (-7, nonius_dd_Rgesv(3, 1, p, 3, i, q, 2, to)),
            (-1, nonius_dd_Rsyev(x, l, 3, p, 3, q, q, 9, to)),
            (-2, nonius_dd_Rsyev(v, x, 3, p, 3, q, q, 9, to)),
            (-3, nonius_dd_Rsyev(v, l, -3, p, 3, q, q, 9, to)),
            (-5, nonius_dd_Rsyev(v, l, 3, p, 2, q, q, 9, to)),
            (-6, nonius_dd_Rsyev(v, l, 3, p, 3, none, q, 9, to)),
            (-7, nonius_dd_Rsyev(v, l, 3, p, 3, q, none, 9, to)),
            (-8, nonius_dd_Rsyev(v, l, 3, p, 3, q, q, 7, to)),
        ] {
            assert_eq!(found, expected, "{}", last());
        }
        nonius_dd_Rpotrf(l, 3, p, 2, to);
    }
    assert_eq!(info, -4);
    assert_eq!(last(), "Rpotrf: argument 4: leading dimension: expected 3 or more, found 2");
    assert_eq!((a, b), ([one; 9], [one; 9]));
    const { assert!(NONIUS_INFO_FAILURE < -13) };
}

/// The wrappers for quad-doubles are those for double-doubles with other types.
#[test]
fn twins() {
    let (of_dd, of_qd) =
        (include_str!("../../src/mplapack/dd.rs"), include_str!("../../src/mplapack/qd.rs"));
    let other = of_dd
        .replace("double-double", "quad-double")
        .replace("DoubleDouble", "QuadDouble")
        .replace("nonius_dd_", "nonius_qd_")
        .replace("::<Dd>", "::<Qd>")
        .replace("nonius::Dd", "nonius::Qd");
    assert_eq!(other, of_qd);
}

#[test]
fn quad_doubles_too() {
    // [2 1; 1 3]·x = [1; 0]
    let (mut a, mut b) = ([2.0, 1.0, 1.0, 3.0].map(qd), [1.0, 0.0].map(qd));
    let (mut ipiv, mut info) = ([0; 2], 9);
    // SAFETY: the arrays hold the matrices.
    unsafe {
        let (p, q) = (a.as_mut_ptr(), b.as_mut_ptr());
        assert_eq!(nonius_qd_Rgesv(2, 1, p, 2, ipiv.as_mut_ptr(), q, 2, &mut info), 0);
    }
    let x = b.map(|x| nonius::Qd::from_limbs(x.x));
    assert!((x[0] * 5.0 - 3.0).abs().to_f64() < 1e-61 && (x[1] * 5.0 + 1.0).abs().to_f64() < 1e-61);
}
