//! Tasks on handles, with results that are known.

use std::ptr::{null, null_mut};

use nonius_c::dense::*;
use nonius_c::factors::*;
use nonius_c::matrix::*;
use nonius_c::precision::*;
use nonius_c::report::Report;
use nonius_c::sdp::*;
use nonius_c::sparse::*;
use nonius_c::status::Status;

use super::{decimal, last, made, matrix, ok, text, written};

const PRECISIONS: [u32; 6] =
    [NONIUS_F64, NONIUS_DD, NONIUS_TD, NONIUS_QD, NONIUS_MP + 64, NONIUS_MP + 424];

/// Results of order 2 in `f64`, whose numbers are at most 5: a few roundings of each.
const CLOSE: f64 = 45.0 * f64::EPSILON;
/// An iteration to a relative residual of 2⁻⁴³ errs by κ·‖x‖₂ = 112 times that, 57 344 ε, at most.
const ITERATED: f64 = 45_000.0 * f64::EPSILON;

/// Bits of a precision.
fn bits(precision: u32) -> u32 {
    precision % NONIUS_MP
}

#[test]
fn doubles_come_back() {
    for precision in PRECISIONS {
        let data = [1.5, -0.0, f64::MAX, 5e-324, 0.1, f64::INFINITY];
        let a = matrix(precision, 3, 2, &data);
        let (mut rows, mut cols, mut found) = (0, 0, 0);
        // A column of four numbers holds three.
        let mut back = [7.0; 8];
        // SAFETY: outputs live, and the array holds two columns at a distance of four.
        unsafe {
            ok(nonius_matrix_shape(a, &mut rows, &mut cols));
            ok(nonius_matrix_precision(a, &mut found));
            ok(nonius_matrix_to_doubles(a, back.as_mut_ptr(), 4));
            nonius_matrix_free(a);
        }
        assert_eq!((rows, cols, found), (3, 2, precision));
        assert_eq!(back, [1.5, -0.0, f64::MAX, 7.0, 5e-324, 0.1, f64::INFINITY, 7.0]);
    }
}

#[test]
fn decimals_are_rounded_once() {
    for precision in PRECISIONS {
        let texts = ["0.1", "-2.5e-3", " 1d9 ", "inf"].map(text);
        let pointers = texts.each_ref().map(|text| text.as_ptr());
        // SAFETY: four texts, which live.
        let a = made(|to| unsafe {
            nonius_matrix_from_decimals(precision, 2, 2, pointers.as_ptr(), to)
        });
        let all: Vec<String> = (0..4).map(|i| decimal(a, i % 2, i / 2, 0)).collect();
        assert_eq!(all, ["0.1", "-0.0025", "1000000000", "inf"]);
        // The nearest number has an error of at most half a unit in the last place.
        let digits = decimal(a, 0, 0, 200);
        assert!(digits.starts_with("1.0000000000000000") || digits.starts_with("9.99999999"));
        let exact = bits(precision) as usize * 3 / 10;
        let (lead, rest) = digits.split_at(exact);
        assert!(rest.len() > 2 && (lead.ends_with('0') || lead.ends_with('9')), "{digits}");
        // SAFETY: handles and texts live.
        unsafe {
            ok(nonius_matrix_set(a, 1, 1, text("3.25").as_ptr()));
            ok(nonius_matrix_set_double(a, 0, 1, -4.5));
            assert_eq!(
                (decimal(a, 1, 1, 0), decimal(a, 0, 1, 3)),
                ("3.25".into(), "-4.50e0".into())
            );
            assert_eq!(nonius_matrix_set(a, 1, 1, text("3.2x").as_ptr()), Status::Text);
            assert!(last().starts_with("`3.2x`: "), "{}", last());
            assert_eq!(decimal(a, 1, 1, 0), "3.25");
            nonius_matrix_free(a);
        }
    }
}

/// Limbs that overlap, are in any order, cancel or are not finite.
#[test]
fn limbs_are_sums() {
    let cases: [(&[f64], &[f64]); 7] = [
        (
            &[1.0, 2.0_f64.powi(-60), 2.0_f64.powi(-130)],
            &[1.0, 2.0_f64.powi(-60), 2.0_f64.powi(-130)],
        ),
        (&[1.0, 1.0, 1.0], &[3.0, 0.0, 0.0]),
        (&[2.0_f64.powi(-200), 1.0, 2.0_f64.powi(-70)], &[1.0, 2.0_f64.powi(-70), 0.0]),
        (&[1e300, -1e300, 5e-324], &[5e-324, 0.0, 0.0]),
        (&[f64::INFINITY, 0.0, 0.0], &[f64::INFINITY, 0.0, 0.0]),
        (&[f64::MAX, f64::MAX, 0.0], &[f64::INFINITY, 0.0, 0.0]),
        (&[0.0, 0.0, -3.0], &[-3.0, 0.0, 0.0]),
    ];
    for (limbs, expected) in cases {
        // SAFETY: one number of three limbs, and room for as many.
        let (a, back) = unsafe {
            let a = made(|to| nonius_matrix_from_limbs(NONIUS_TD, 1, 1, limbs.as_ptr(), 3, to));
            let mut back = [9.0; 3];
            ok(nonius_matrix_to_limbs(a, back.as_mut_ptr(), 3));
            (a, back)
        };
        assert_eq!(back[0], expected[0], "{limbs:?}");
        // SAFETY: the handle is freed once.
        unsafe { nonius_matrix_free(a) };
        if expected[0].is_finite() && limbs[1] != 1.0 {
            assert_eq!(back, expected, "{limbs:?}");
        }
    }
}

#[test]
fn conversions_there_and_back() {
    let third = {
        let (one, three) = (matrix(NONIUS_QD, 1, 1, &[1.0]), matrix(NONIUS_QD, 1, 1, &[3.0]));
        // SAFETY: handles live.
        let x = made(|to| unsafe { nonius_solve(three, one, to, null_mut()) });
        // SAFETY: handles are freed once.
        unsafe {
            nonius_matrix_free(one);
            nonius_matrix_free(three);
        }
        x
    };
    for precision in [NONIUS_MP + 256, NONIUS_MP + 4096] {
        // SAFETY: handles live until they are freed.
        unsafe {
            let wide = made(|to| nonius_matrix_convert(third, precision, to));
            let back = made(|to| nonius_matrix_convert(wide, NONIUS_QD, to));
            let (mut x, mut y) = ([0.0; 4], [1.0; 4]);
            ok(nonius_matrix_to_limbs(third, x.as_mut_ptr(), 4));
            ok(nonius_matrix_to_limbs(back, y.as_mut_ptr(), 4));
            assert_eq!(x, y);
            let mut first = [0.0; 6];
            ok(nonius_matrix_to_limbs(wide, first.as_mut_ptr(), 6));
            assert_eq!((&first[..4], &first[4..]), (&x[..], &[0.0; 2][..]));
            nonius_matrix_free(wide);
            nonius_matrix_free(back);
        }
    }
    // SAFETY: the handle is freed once.
    unsafe { nonius_matrix_free(third) };
}

/// `[2 1; 1 3]·x = [1; 0]` has the solution (3/5, −1/5), and the matrix the determinant 5.
#[test]
fn dense_tasks_at_all_precisions() {
    for precision in PRECISIONS {
        let a = matrix(precision, 2, 2, &[2.0, 1.0, 1.0, 3.0]);
        let b = matrix(precision, 2, 1, &[1.0, 0.0]);
        // The last digit or two of a precision may differ.
        let digits = (f64::from(bits(precision)) * core::f64::consts::LOG10_2) as u32 - 2;
        let expected =
            |lead: char, sign: &str| format!("{sign}{lead}.{}e-1", "0".repeat(digits as usize - 1));
        let check = |x: *mut Matrix| {
            assert_eq!(decimal(x, 0, 0, digits), expected('6', ""));
            assert_eq!(decimal(x, 1, 0, digits), expected('2', "-"));
            // SAFETY: the handle is freed once.
            unsafe { nonius_matrix_free(x) };
        };
        // SAFETY: handles live until they are freed, outputs are of the right type.
        unsafe {
            let mut report = core::mem::zeroed::<Report>();
            check(made(|to| nonius_solve(a, b, to, &mut report)));
            assert!(report.correct_digits > f64::from(digits) - 2.0, "{report:?}");
            assert_eq!((report.digits_proved, report.device), (0, -1));
            check(made(|to| nonius_solve_digits(a, b, digits, to, &mut report)));
            assert!(report.digits_proved >= digits);
            check(made(|to| nonius_least_squares(a, b, to, &mut report)));
            for factor in [nonius_lu, nonius_cholesky] {
                let factors = made(|to| factor(a, to));
                check(made(|to| nonius_factors_solve(factors, b, to)));
                nonius_factors_free(factors);
            }
            let inverse = made(|to| nonius_inverse(a, to, null_mut()));
            check(made(|to| nonius_multiply(inverse, 1, b, 0, to)));
            nonius_matrix_free(inverse);
            let found = written(|bytes, room, length| {
                nonius_determinant(a, bytes, room, length, null_mut())
            });
            assert!((found.parse::<f64>().unwrap() - 5.0).abs() < CLOSE, "{found}");
            let found = written(|bytes, room, length| {
                nonius_determinant_digits(a, 20, bytes, room, length, &mut report)
            });
            assert_eq!((found.as_str(), report.is_exact), ("5", 1));
            // (5 ± √5)/2
            let mut vectors = null_mut();
            let values = made(|to| nonius_eigenvalues(a, to, &mut vectors, &mut report));
            let mut all = [0.0; 2];
            ok(nonius_matrix_to_doubles(values, all.as_mut_ptr(), 2));
            let root = 5.0_f64.sqrt();
            assert!((all[0] - (5.0 - root) / 2.0).abs() < CLOSE);
            assert!((all[1] - (5.0 + root) / 2.0).abs() < CLOSE);
            assert!(report.relative_residual < CLOSE);
            nonius_matrix_free(vectors);
            nonius_matrix_free(values);
            let values = made(|to| nonius_eigenvalues(a, to, null_mut(), null_mut()));
            nonius_matrix_free(values);
            let (mut u, mut v) = (null_mut(), null_mut());
            let values = made(|to| nonius_singular_values(a, to, &mut u, &mut v, null_mut()));
            ok(nonius_matrix_to_doubles(values, all.as_mut_ptr(), 2));
            assert!((all[0] - (5.0 + root) / 2.0).abs() < CLOSE);
            [values, u, v].into_iter().for_each(|handle| nonius_matrix_free(handle));
            nonius_matrix_free(a);
            nonius_matrix_free(b);
        }
    }
}

#[test]
fn numbers_without_answer() {
    let singular = matrix(NONIUS_DD, 2, 2, &[1.0, 2.0, 2.0, 4.0]);
    let b = matrix(NONIUS_DD, 2, 1, &[1.0, 0.0]);
    let mut x = null_mut();
    // SAFETY: handles live until they are freed.
    unsafe {
        assert_eq!(nonius_solve(singular, b, &mut x, null_mut()), Status::Numbers);
        assert_eq!(last(), "the matrix is singular: no nonzero pivot in column 2");
        assert_eq!(nonius_solve_digits(singular, b, 30, &mut x, null_mut()), Status::Numbers);
        assert!(last().starts_with("the matrix is singular"), "{}", last());
        assert_eq!(nonius_solve_digits(b, singular, 30, &mut x, null_mut()), Status::Shape);
        assert_eq!(nonius_solve_digits(singular, b, 100_000, &mut x, null_mut()), Status::Argument);
        let mut factors = null_mut();
        assert_eq!(nonius_cholesky(singular, &mut factors), Status::Numbers);
        assert_eq!(nonius_lu(b, &mut factors), Status::Shape);
        let other = matrix(NONIUS_QD, 2, 1, &[1.0, 0.0]);
        assert_eq!(nonius_solve(singular, other, &mut x, null_mut()), Status::Precision);
        assert_eq!(last(), "the matrices are dd and qd where one precision is needed");
        assert!(x.is_null() && factors.is_null());
        [singular, b, other].into_iter().for_each(|handle| nonius_matrix_free(handle));
    }
}

/// The second difference of order 5 with a source of ones: `x_i = (i + 1)(5 − i)/2`.
#[test]
fn sparse_systems_by_every_method() {
    let (mut rows, mut cols, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut starts = vec![0];
    for i in 0..5_i64 {
        for j in (i - 1).max(0)..=(i + 1).min(4) {
            rows.push(i);
            cols.push(j);
            values.push(if i == j { 2.0 } else { -1.0 });
        }
        starts.push(cols.len() as i64);
    }
    for precision in PRECISIONS {
        let b = matrix(precision, 5, 1, &[1.0; 5]);
        let full = matrix(precision, values.len(), 1, &values);
        for method in [NONIUS_CG, NONIUS_MINRES, NONIUS_BICGSTAB, NONIUS_GMRES] {
            // SAFETY: arrays are as long as the counts say, handles live until they are freed.
            unsafe {
                let coo = made(|to| {
                    let (rows, cols, n) = (rows.as_ptr(), cols.as_ptr(), values.len());
                    nonius_sparse_from_coo(5, 5, n, rows, cols, values.as_ptr(), to)
                });
                let csr = made(|to| {
                    let (starts, cols) = (starts.as_ptr(), cols.as_ptr());
                    nonius_sparse_from_csr(5, 5, starts, cols, values.as_ptr(), to)
                });
                ok(nonius_sparse_set_values(csr, full));
                for a in [coo, csr] {
                    let mut report = core::mem::zeroed::<Iteration>();
                    let tolerance = 2.0_f64.powi(10 - bits(precision) as i32);
                    let jacobi = text("jacobi");
                    let x = made(|to| {
                        let how = jacobi.as_ptr();
                        nonius_sparse_solve(
                            a,
                            b,
                            null(),
                            method,
                            how,
                            tolerance,
                            100,
                            to,
                            &mut report,
                        )
                    });
                    assert_eq!(report.converged, 1, "{report:?}");
                    let mut all = [0.0; 5];
                    ok(nonius_matrix_to_doubles(x, all.as_mut_ptr(), 5));
                    for (x, exact) in all.iter().zip([2.5, 4.0, 4.5, 4.0, 2.5]) {
                        assert!((x - exact).abs() < ITERATED, "{method} {precision}: {all:?}");
                    }
                    // From the solution there is little to do.
                    let again = made(|to| {
                        nonius_sparse_solve(a, b, x, method, null(), 1.0, 100, to, null_mut())
                    });
                    nonius_matrix_free(again);
                    nonius_matrix_free(x);
                    nonius_sparse_free(a);
                }
            }
        }
        // SAFETY: handles are freed once.
        unsafe {
            nonius_matrix_free(b);
            nonius_matrix_free(full);
        }
    }
}

#[test]
fn a_program_is_solved_and_proved() {
    // The least x + y where [x 1; 1 y] is positive semidefinite is 2.
    let source = text("2\n1\n2\n1 1\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n");
    // SAFETY: handles live until they are freed.
    unsafe {
        let program = made(|to| nonius_sdp_parse(source.as_ptr(), to));
        let (mut constraints, mut blocks) = (0, 0);
        ok(nonius_sdp_size(program, &mut constraints, &mut blocks));
        assert_eq!((constraints, blocks), (2, 1));
        for precision in [NONIUS_DD, NONIUS_QD, NONIUS_MP + 256, 0] {
            let point = made(|to| nonius_sdp_solve(program, precision, 0.0, 1, to));
            let phase = written(|bytes, room, length| nonius_sdp_phase(point, bytes, room, length));
            assert_eq!(phase, "pdOPT");
            for which in [NONIUS_PRIMAL, NONIUS_DUAL] {
                let value = written(|bytes, room, length| {
                    nonius_sdp_objective(point, which, bytes, room, length)
                });
                assert!((value.parse::<f64>().unwrap() - 2.0).abs() < 1e-6, "{value}");
                let block = made(|to| nonius_sdp_block(point, which, 0, to));
                let mut all = [0.0; 4];
                ok(nonius_matrix_to_doubles(block, all.as_mut_ptr(), 2));
                let corner = if which == NONIUS_PRIMAL { 1.0 } else { -1.0 };
                assert!((all[1] - corner).abs() < 1e-3 && all[1] == all[2], "{all:?}");
                nonius_matrix_free(block);
            }
            let x = made(|to| nonius_sdp_x(point, to));
            let (mut rows, mut gap, mut digits, mut infeasible) = (0, 1.0, 0.0, 9);
            ok(nonius_matrix_shape(x, &mut rows, null_mut()));
            ok(nonius_sdp_progress(point, &mut gap, null_mut()));
            assert!(rows == 2 && gap < 1e-6);
            let proof = made(|to| nonius_sdp_certify(program, point, to));
            ok(nonius_sdp_proved(proof, &mut digits, &mut infeasible));
            let lower = written(|bytes, room, length| nonius_sdp_lower(proof, bytes, room, length));
            let upper = written(|bytes, room, length| nonius_sdp_upper(proof, bytes, room, length));
            assert!(digits > 5.0 && infeasible == 0);
            let (lower, upper): (nonius::Qd, nonius::Qd) =
                (lower.parse().unwrap(), upper.parse().unwrap());
            assert!(lower <= 2.0 && upper >= 2.0);
            let mut matrix = null_mut();
            assert_eq!(nonius_sdp_block(point, NONIUS_DUAL, 1, &mut matrix), Status::Shape);
            assert_eq!(nonius_sdp_block(point, 2, 0, &mut matrix), Status::Argument);
            nonius_matrix_free(x);
            nonius_sdp_proof_free(proof);
            nonius_sdp_point_free(point);
        }
        nonius_sdp_free(program);
        let mut program = null_mut();
        let broken = text("2\n1\n2\n1 1\n0 1 1 3 -1\n");
        assert_eq!(nonius_sdp_parse(broken.as_ptr(), &mut program), Status::Text);
        assert!(last().starts_with("line 5: "), "{}", last());
        let missing = text("/no/such/file.dat-s");
        assert_eq!(nonius_sdp_read(missing.as_ptr(), &mut program), Status::Text);
        assert!(last().starts_with("/no/such/file.dat-s: "), "{}", last());
    }
}

/// A program without a feasible point is proved to have none, and has no bounds.
#[test]
fn an_infeasible_program() {
    // x ≥ 1 and −x ≥ 0.
    let source = text("1\n1\n-2\n1\n0 1 1 1 1\n1 1 1 1 1\n1 1 2 2 -1\n");
    // SAFETY: handles live until they are freed.
    unsafe {
        let program = made(|to| nonius_sdp_parse(source.as_ptr(), to));
        let point = made(|to| nonius_sdp_solve(program, NONIUS_DD, 0.0, 1, to));
        let proof = made(|to| nonius_sdp_certify(program, point, to));
        let mut infeasible = 0;
        ok(nonius_sdp_proved(proof, null_mut(), &mut infeasible));
        assert_eq!(infeasible, 1);
        assert_eq!(nonius_sdp_lower(proof, null_mut(), 0, null_mut()), Status::Numbers);
        assert!(!last().is_empty());
        nonius_sdp_proof_free(proof);
        nonius_sdp_point_free(point);
        nonius_sdp_free(program);
    }
}
