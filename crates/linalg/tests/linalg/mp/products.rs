use nonius_linalg::Error;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::crt::Fallback;
use nonius_linalg::dense::gemm::{Accuracy, Arithmetic, Engine, Products, Report};
use nonius_linalg::mp::{Matrix, Mp};
use nonius_num::mp::Dot;
use nonius_testkit::orthogonal::scaled;
use rayon::ThreadPoolBuilder;

use crate::mp::{assert_same_bits, bits, gemm, matrix};

const NO: Transpose = Transpose::No;
const PRECISIONS: [u32; 7] = [106, 107, 128, 212, 424, 1000, 2048];

const CRT: Products = Products {
    engine: Some(Engine::Crt),
    arithmetic: Arithmetic::Delayed,
    accuracy: Accuracy::Entrywise,
    workspace: None,
};

fn engines() -> [Products; 2] {
    [Products::direct(), CRT]
}

fn product(how: Products, a: &Matrix, b: &Matrix) -> (Matrix, Report) {
    let p = a.bits();
    let (one, mut c) = (Mp::one(p), Matrix::zeros_in(p, a.rows(), b.cols()));
    let report = gemm(how, NO, NO, one.view(), a, b, Mp::zero(p).view(), &mut c).unwrap();
    (c, report)
}

/// The largest error of an entry in units of `u·(|A||B|)`.
fn worst(a: &Matrix, b: &Matrix, c: &Matrix) -> f64 {
    let p = a.bits();
    // As good as exact beside the errors of `p` bits.
    let wide = bits((2 * p.get() + 64).min(4096));
    let rows = a.transposed().with_bits(wide);
    let (columns, mut dot) = (b.with_bits(wide), Dot::new(wide));
    let mut worst = 0.0_f64;
    for j in 0..b.cols() {
        for i in 0..a.rows() {
            let (x, y) = (rows.column(i), columns.column(j));
            let [mut exact, mut size] = [Mp::zero(wide), Mp::zero(wide)];
            exact.set_dot(&mut dot, (x.heads(), x.words()), (y.heads(), y.words()));
            let magnitudes =
                |heads: &[nonius_num::mp::Head]| heads.iter().map(|h| h.abs()).collect::<Vec<_>>();
            let (mx, my) = (magnitudes(x.heads()), magnitudes(y.heads()));
            size.set_dot(&mut dot, (&mx, x.words()), (&my, y.words()));
            let error = (c.entry(i, j).to_mp(wide) - exact).abs();
            if error.is_zero() {
                continue;
            }
            let mut units = Mp::zero(wide);
            units.set_quotient(error.ldexp(p.get() as i32).view(), size.view());
            worst = worst.max(units.to_f64());
        }
    }
    worst
}

/// The factor of `u·(|A||B|)` that an engine promises for `k` terms.
fn promised(report: Report, k: usize) -> f64 {
    match report.engine {
        // The sum is rounded once; the factor itself is rounded to `f64`.
        Engine::Direct => 1.0 + 4.0 * f64::EPSILON,
        Engine::Crt => k as f64 + 3.0,
    }
}

#[test]
fn bounds_hold_however_exponents_spread() {
    for p in [106, 424, 1000] {
        for span in [20, 300, 1_000_000] {
            let grade = |l: usize| (l as i32 * 7919 % 41 - 20) * (span / 20);
            let (a, b) = (matrix(bits(p), 9, 30, 3), matrix(bits(p), 30, 8, 4));
            // Rows and columns of any size, and large entries of A that meet small ones of B.
            let a_graded = scaled(&a, |i, l| grade(l) + grade(i + 5));
            let b_graded = scaled(&b, |l, j| grade(j + 11) - grade(l));
            for how in engines() {
                let (c, report) = product(how, &a_graded, &b_graded);
                let units = worst(&a_graded, &b_graded, &c);
                assert!(units <= promised(report, 30), "mp{p} 2^{span}: {units}");
                // Rows and columns alone change exponents only.
                let (rows, columns) = (scaled(&a, |i, _| grade(i)), scaled(&b, |_, j| grade(j)));
                let (expected, _) = product(how, &a, &b);
                let (c, same) = product(how, &rows, &columns);
                assert_same_bits(&c, &scaled(&expected, |i, j| grade(i) + grade(j)), "graded");
                assert_eq!(Some(same.engine), how.engine);
            }
        }
    }
}

#[test]
fn what_cancels_and_what_is_zero() {
    let p = bits(212);
    let a = matrix(p, 5, 20, 5);
    // Half of the terms are the negatives of the others, but for tiny ones.
    let doubled = Matrix::from_fn_in(p, 5, 40, |i, l| match l {
        0..20 => a.entry(i, l).to_mp(p),
        _ => -a.entry(i, l - 20).to_mp(p),
    });
    let b = matrix(p, 20, 4, 6);
    let twice = Matrix::from_fn_in(p, 40, 4, |l, j| {
        let x = b.entry(l % 20, j).to_mp(p);
        if l == 33 { x + x.ldexp(-200) } else { x }
    });
    for how in engines() {
        let (c, report) = product(how, &doubled, &twice);
        assert!(worst(&doubled, &twice, &c) <= promised(report, 40));
        // Blocks that do not meet, a row of zeros, a column of one entry.
        let left = Matrix::from_fn_in(p, 4, 20, |i, l| {
            if i == 3 || (i < 2) != (l < 10) { Mp::zero(p) } else { a.entry(i, l).to_mp(p) }
        });
        let right = Matrix::from_fn_in(p, 20, 4, |l, j| {
            if (j < 2) != (l < 10) || j == 1 && l != 4 {
                Mp::zero(p)
            } else {
                b.entry(l, j).to_mp(p)
            }
        });
        let (c, report) = product(how, &left, &right);
        assert!(worst(&left, &right, &c) <= promised(report, 20));
        let zeros = |i: usize, j: usize| i == 3 || (i < 2) != (j < 2);
        for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
            assert_eq!(c.at(i, j).head().is_zero(), zeros(i, j), "({i}, {j})");
        }
    }
}

#[test]
fn integers_are_exact() {
    for p in [106, 424] {
        let entry = |x: i64| Mp::from_f64(bits(p), x as f64);
        let a = Matrix::from_fn_in(bits(p), 6, 50, |i, l| {
            entry((i as i64 + 3) * (l as i64 - 20).pow(5))
        });
        let b = Matrix::from_fn_in(bits(p), 50, 7, |l, j| entry((l * j) as i64 - 60));
        for how in engines() {
            let (c, _) = product(how, &a, &b);
            assert_eq!(worst(&a, &b, &c), 0.0);
        }
    }
}

#[test]
fn what_is_not_finite_follows_ieee() {
    let p = bits(128);
    let from = |rows: usize, cols: usize, x: &[f64]| {
        Matrix::from_fn_in(p, rows, cols, |i, j| Mp::from_f64(p, x[i + j * rows]))
    };
    const INF: f64 = f64::INFINITY;
    let a = from(3, 2, &[INF, 1.0, f64::NAN, 1.0, 2.0, 3.0]);
    let b = from(2, 3, &[1.0, 1.0, -1.0, 5.0, 0.0, -INF]);
    for how in engines() {
        let (c, _) = product(how, &a, &b);
        let found: Vec<String> = (0..9).map(|i| c.at(i % 3, i / 3).to_string()).collect();
        assert_eq!(found, ["inf", "3", "NaN", "-inf", "9", "NaN", "NaN", "-inf", "NaN"]);
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let p = bits(212);
    let (a, b) = (matrix(p, 130, 20, 10), matrix(p, 20, 70, 11));
    for how in engines() {
        let expected = product(how, &a, &b).0;
        for threads in [1, 2, 3] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let c = pool.install(|| product(how, &a, &b).0);
            assert_same_bits(&c, &expected, "threads");
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let (p, q) = (bits(100), bits(200));
    let (one, a) = (Mp::one(p), Matrix::identity_in(p, 3));
    let run = |how, a: &Matrix, b: &Matrix| {
        gemm(how, NO, NO, one.view(), a, b, one.view(), &mut Matrix::zeros_in(p, 3, 3)).unwrap_err()
    };
    let error = run(Products::direct(), &a, &Matrix::identity_in(q, 3));
    assert_eq!(error, Error::Precision { operand: "b", expected: 100, found: 200 });
    assert_eq!(error.to_string(), "operand b has 200 bits where 100 are needed");
    assert!(matches!(run(Products::direct(), &a, &Matrix::identity_in(p, 4)), Error::Shape { .. }));
    let how = Products { arithmetic: Arithmetic::Ieee, ..Products::default() };
    let text = "ieee arithmetic is for f64, dd, td and qd only, not for mp";
    assert_eq!(run(how, &a, &a).to_string(), text);
}

#[test]
fn residues_take_the_bits_of_the_numbers_or_more_or_are_not_taken() {
    for p in PRECISIONS {
        let (a, b) = (matrix(bits(p), 20, 64, 12), matrix(bits(p), 64, 20, 13));
        let (_, report) = product(CRT, &a, &b);
        assert!((p..p + 3).contains(&report.bits.unwrap()), "{report:?}");
        let (_, narrow) = product(Products { workspace: Some(1), ..CRT }, &a, &b);
        assert_eq!(narrow, report);
        // Large entries of A meet small ones of B.
        let grade = |l: usize| (l as i32 * 37 % 64 - 32) * 4;
        let a_graded = scaled(&a, |_, l| grade(l));
        let b_graded = scaled(&b, |l, _| -grade(l));
        let (c, report) = product(CRT, &a_graded, &b_graded);
        assert!(report.bits.unwrap() > p + 50, "{report:?}");
        assert!(worst(&a_graded, &b_graded, &c) <= 67.0);
        let far = |l: usize| 100 * grade(l);
        let (far_a, far_b) = (scaled(&a, |_, l| far(l)), scaled(&b, |l, _| -far(l)));
        let (c, report) = product(CRT, &far_a, &far_b);
        assert_eq!(report.engine, Engine::Direct);
        assert!(matches!(report.fallback, Some(Fallback::Spread { .. })));
        assert_same_bits(&c, &product(Products::direct(), &far_a, &far_b).0, "fallback");
        // To the norms of rows and columns, bits need not grow.
        let how = Products { accuracy: Accuracy::Normwise, ..CRT };
        let (_, report) = product(how, &a_graded, &b_graded);
        assert_eq!(report.bits, Some(p));
    }
    let mut a = matrix(bits(106), 3, 3, 1);
    a.put(1, 1, Mp::nan(bits(106)).view());
    assert_eq!(product(CRT, &a, &a).1.fallback, Some(Fallback::NotFinite));
}
