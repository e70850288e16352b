//! Solutions with proved digits: what a machine is asked for, and what comes of it.

use nonius_linalg::Matrix;
use nonius_linalg::backend::{Cpu, Memory};
use nonius_linalg::certified::{
    Bounds, By, Correction, Data, DigitsIn, Machine, Magnitude, Options, determinant, solve,
};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Products, gemm_on};
use nonius_linalg::mp::{self, Bits, Mp};
use nonius_num::Fixed;
use nonius_testkit::Random;

use crate::gpu;

fn bits(p: u32) -> Bits {
    Bits::new(p).unwrap()
}

fn cpu() -> Cpu {
    Cpu::new(Products::direct())
}

/// Numbers of all bits, of sizes that differ by up to `2^spread`, some zero.
fn numbers(precision: Bits, rows: usize, cols: usize, spread: usize, seed: u64) -> mp::Matrix {
    let mut random = Random::new(seed);
    mp::Matrix::from_fn_in(precision, rows, cols, |_, _| {
        let mut sum = Mp::zero(precision);
        if random.below(20) == 0 {
            return sum;
        }
        for piece in 0..precision.get().div_ceil(32) as i32 + 1 {
            sum += Mp::from_f64(precision, random.below(1 << 31) as f64).ldexp(-32 * (piece + 1));
        }
        let sum = sum.ldexp(-(random.below(spread + 1) as i32));
        if random.below(2) == 0 { sum } else { -sum }
    })
}

fn doubles(rows: usize, cols: usize, seed: u64) -> Matrix<f64> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| {
        let scale = 2.0_f64.powi(random.below(60) as i32 - 80);
        (random.below(1 << 31) as f64 - (1_u64 << 30) as f64) * scale
    })
}

/// `|x − y| <= bound`, for all entries.
fn assert_within(x: &mp::Matrix, y: &mp::Matrix, bound: impl Fn(usize, usize) -> Magnitude) {
    assert_eq!(x.shape(), y.shape());
    let wide = bits(4096);
    for j in 0..x.cols() {
        for i in 0..x.rows() {
            let difference = x.entry(i, j).to_mp(wide) - y.entry(i, j).to_mp(wide);
            let size = Magnitude::below(difference.view());
            assert!(!bound(i, j).less(size), "({i}, {j}): {} and {}", x.at(i, j), y.at(i, j));
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn numbers_are_rounded_and_subtracted() {
    let gpu = gpu();
    for (from, to) in [(64, 64), (64, 300), (212, 64), (300, 128), (130, 101), (1024, 448)] {
        for spread in [0, 3, 70, 400] {
            let a = numbers(bits(from), 37, 9, spread, 1);
            let held = gpu.hold(&a).unwrap();
            let rounded = Machine::fetch(&gpu, &gpu.rounded(&held, bits(to)).unwrap()).unwrap();
            assert_eq!(rounded.bits(), bits(to));
            let unit = -i64::from(to);
            assert_within(&rounded, &a, |i, j| Magnitude::above(a.entry(i, j)).shifted(unit));
            if to >= from {
                assert_eq!(rounded, a, "exact");
            }
            let mut b = numbers(bits(from), 37, 9, spread, 2);
            // Cancellation, of all bits and of most.
            for i in 0..9 {
                let x = a.entry(i, i).to_mp(bits(from));
                let near = x + x.ldexp(-20 * i as i32);
                b.put(i, i, near.view());
                b.set(i + 1, i, a.at(i + 1, i));
            }
            let difference = gpu.difference(&held, &gpu.hold(&b).unwrap()).unwrap();
            let difference = Machine::fetch(&gpu, &difference).unwrap();
            let exact = mp::Matrix::from_fn_in(bits(4096), 37, 9, |i, j| {
                a.entry(i, j).to_mp(bits(4096)) - b.entry(i, j).to_mp(bits(4096))
            });
            assert_within(&difference, &exact, |i, j| {
                let sizes =
                    Magnitude::above(exact.entry(i, j)).plus(Magnitude::above(b.entry(i, j)));
                sizes.shifted(-i64::from(from))
            });
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn matrices_are_converted() {
    let gpu = gpu();
    let cpu = cpu();
    for (rows, cols) in [(1, 1), (33, 70), (100, 31)] {
        let a = doubles(rows, cols, 3);
        let on_gpu = gpu.upload(a.view());
        for precision in [64, 128, 300] {
            let wide = gpu.widened(gpu.view(&on_gpu), bits(precision)).unwrap();
            let found = Machine::fetch(&gpu, &wide).unwrap();
            assert_eq!(found, cpu.widened(a.view(), bits(precision)).unwrap());
            let back = gpu.nearest(&wide).unwrap();
            assert_eq!(gpu.download(gpu.view(&back)).unwrap(), a);
        }
        let x = numbers(bits(192), rows, cols, 500, 4);
        let held = gpu.hold(&x).unwrap();
        let near = gpu.nearest(&held).unwrap();
        assert_eq!(gpu.download(gpu.view(&near)).unwrap(), cpu.nearest(&x).unwrap());
        let exponents = gpu.column_exponents(&held).unwrap();
        assert_eq!(exponents, cpu.column_exponents(&x).unwrap());
        let exponents: Vec<i64> = exponents.into_iter().map(|e| e.unwrap_or(0)).collect();
        let scaled = gpu.scaled(&held, &exponents).unwrap();
        assert_eq!(gpu.download(gpu.view(&scaled)).unwrap(), cpu.scaled(&x, &exponents).unwrap());
    }
}

fn close(x: Magnitude, y: Magnitude) -> bool {
    // The device adds 301 terms in another order, and logarithms are rounded.
    let slack = 1e-9;
    x == y || (x.log10() - y.log10()).abs() < slack
}

#[test]
#[ignore = "needs a GPU"]
fn sums_are_those_of_the_host() {
    let gpu = gpu();
    let cpu = cpu();
    let n = 301;
    let weights: Vec<f64> = (0..n).map(|i| 1.0 / (i + 1) as f64).collect();
    let a = numbers(bits(128), n, n, 40, 5);
    let mut near_identity = numbers(bits(128), n, n, 3, 6);
    for j in 0..n {
        for i in 0..n {
            let x = near_identity.entry(i, j).to_mp(bits(128)).ldexp(-60);
            let x = if i == j { x + Mp::one(bits(128)) } else { x };
            near_identity.put(i, j, x.view());
        }
    }
    for x in [&a, &near_identity] {
        let held = gpu.hold(x).unwrap();
        let all = [
            (gpu.column_sums(&held, &weights), cpu.column_sums(x, &weights)),
            (gpu.column_defects(&held, 0), cpu.column_defects(x, 0)),
            (gpu.column_defects(&held, 7), cpu.column_defects(x, 7)),
        ];
        for (found, expected) in all {
            for (x, y) in found.unwrap().into_iter().zip(expected.unwrap()) {
                assert!(close(x, y), "{x} and {y}");
            }
        }
    }
    let a = doubles(n, n, 7);
    // Either sum rounds each term twice at the most, and each addition.
    let rounding = 2.0 * (n as f64 + 2.0) * f64::UNIT_ROUNDOFF;
    let on_gpu = gpu.upload(a.view());
    let view = gpu.view(&on_gpu);
    let all = [
        (gpu.row_sums(view, &weights), cpu.row_sums(a.view(), &weights)),
        (gpu.row_defects(view, 0), cpu.row_defects(a.view(), 0)),
        (gpu.row_defects(view, 7), cpu.row_defects(a.view(), 7)),
        (gpu.column_maxima(view), cpu.column_maxima(a.view())),
    ];
    for (found, expected) in all {
        for (x, y) in found.unwrap().into_iter().zip(expected.unwrap()) {
            assert!((x - y).abs() <= rounding * y, "{x} and {y}");
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn inverses_are_inverses() {
    let gpu = gpu();
    // Blocks of 64 and of 512 rows, whole ones and others.
    for n in [1, 7, 64, 100, 300, 612, 812, 1100] {
        let a = Matrix::from_fn(n, n, |i, j| {
            let x = ((i * 37 + j * 91) % 101) as f64 / 101.0;
            if i == j { x + n as f64 } else { x }
        });
        let on_gpu = gpu.upload(a.view());
        let inverse = gpu.inverted(gpu.view(&on_gpu)).unwrap();
        let inverse = gpu.download(gpu.view(&inverse)).unwrap();
        // Elimination leaves |A·X − I| <= 3n·u·|L||U||X| (Higham 2002, section 14.3), where
        // ‖|L||U|‖ <= (2n − 1)·‖A‖ for a dominant diagonal (section 9.5): with the rounding of the
        // sum below 6n²·u·‖A‖·max|X|. Blocks of the factors that are inverted add as much times
        // their condition, which is below 9 here: off the diagonal, rows of U sum up to less than
        // half of it, columns of L to less than 1/2.
        let norm = (0..n).map(|i| (0..n).map(|j| a[(i, j)].abs()).sum()).fold(0.0, f64::max);
        let largest = inverse.as_slice().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let bound = 60.0 * (n * n) as f64 * f64::UNIT_ROUNDOFF * norm * largest;
        for j in (0..n).step_by(n.div_ceil(40)) {
            for i in 0..n {
                let sum: f64 = (0..n).map(|k| a[(i, k)] * inverse[(k, j)]).sum();
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((sum - expected).abs() <= bound, "{n}: ({i}, {j})");
            }
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn corrections_are_those_of_the_host() {
    let gpu = gpu();
    let cpu = cpu();
    let (n, cols) = (300, 5);
    let row_sums: Vec<Magnitude> = (0..n).map(|i| Magnitude::new(1.0 + i as f64, 3)).collect();
    let shares: Vec<f64> = (0..n).map(|i| 1e-9 * i as f64).collect();
    let list = |e: i64| -> Vec<Magnitude> {
        (0..cols).map(|j| Magnitude::new(1.5 + j as f64, e - 9 * j as i64)).collect()
    };
    let (noise, reach, floors) = (list(-120), list(-20), list(-1000));
    let scales: Vec<i64> = (0..n as i64).map(|i| i % 50 - 25).collect();
    let bounds = Bounds {
        row_sums: &row_sums,
        shares: &shares,
        noise: &noise,
        reach: &reach,
        floors: &floors,
        scales: &scales,
        result_bits: bits(110),
        tolerance: Magnitude::power(-40),
    };
    let y = numbers(bits(192), n, cols, 60, 8);
    let z = doubles(n, cols, 9);
    let exponents: Vec<i64> = (0..cols as i64).map(|j| -30 * j).collect();
    let wide = numbers(bits(128), n, cols, 30, 10);
    let on_gpu = gpu.upload(z.view());
    let held = gpu.hold(&wide).unwrap();
    for in_f64 in [true, false] {
        let (mut x, mut expected) = (gpu.hold(&y).unwrap(), y.clone());
        let (added, added_on_host) = if in_f64 {
            let exponents = || exponents.clone();
            (
                Correction::F64(gpu.view(&on_gpu), exponents()),
                Correction::F64(z.view(), exponents()),
            )
        } else {
            (Correction::Mp(&held), Correction::Mp(&wide))
        };
        let found = gpu.correct(&mut x, added, &bounds).unwrap();
        let judged = cpu.correct(&mut expected, added_on_host, &bounds).unwrap();
        let x = Machine::fetch(&gpu, &x).unwrap();
        assert_within(&x, &expected, |i, j| Magnitude::above(expected.entry(i, j)).shifted(-190));
        for (x, y) in found.iter().zip(&judged) {
            assert_eq!(x.bounded, y.bounded);
            let all = [(x.worst, y.worst), (x.error, y.error), (x.open, y.open)];
            let more = [(x.least, y.least), (x.largest, y.largest)];
            assert!(all.into_iter().chain(more).all(|(x, y)| close(x, y)), "{x:?} and {y:?}");
        }
    }
}

/// Products with few columns and with many keep the bound.
#[test]
#[ignore = "needs a GPU"]
fn products_keep_their_bound() {
    let gpu = gpu();
    let sizes = [
        (64, 96, 1),
        (64, 160, 2),
        (128, 128, 1),
        (192, 256, 4),
        (256, 300, 1),
        (64, 320, 40),
        (100, 640, 1),
    ];
    for (of_a, of_y, cols) in sizes {
        for (n, spread) in [(1, 0), (130, 3), (257, 100), (60, 700)] {
            let a = numbers(bits(of_a), n, n, spread, 21);
            let y = numbers(bits(of_y), n, cols, spread, 22);
            let (on_gpu, held) = (gpu.hold(&a).unwrap(), gpu.hold(&y).unwrap());
            let wide = |rows, cols, f: &dyn Fn(usize, usize) -> Mp| {
                mp::Matrix::from_fn_in(bits(2048), rows, cols, f)
            };
            for transposed in [true, false] {
                let found = gpu.product(transposed, &on_gpu, &held).unwrap();
                let found = Machine::fetch(&gpu, &found).unwrap();
                let op = |i, j| if transposed { a.entry(j, i) } else { a.entry(i, j) };
                let rows = wide(n, n, &|i, j| op(i, j).to_mp(bits(2048)));
                let exact = product(&rows, &wide(n, cols, &|i, j| y.entry(i, j).to_mp(bits(2048))));
                let exponent = |numbers: &mut dyn Iterator<Item = Option<i32>>| {
                    numbers.flatten().max().map_or(-3000, i64::from)
                };
                let of_rows: Vec<i64> = (0..n)
                    .map(|i| exponent(&mut (0..n).map(|k| op(i, k).head().exponent())))
                    .collect();
                let of_cols: Vec<i64> = (0..cols)
                    .map(|j| exponent(&mut (0..n).map(|k| y.at(k, j).head().exponent())))
                    .collect();
                assert_within(&found, &exact, |i, j| {
                    Magnitude::new(3.0 * n as f64, of_rows[i] + of_cols[j] - i64::from(of_y))
                });
            }
        }
    }
}

fn product(a: &mp::Matrix, x: &mp::Matrix) -> mp::Matrix {
    let p = a.bits();
    let mut b = mp::Matrix::zeros_in(p, a.rows(), x.cols());
    let (one, zero) = (Mp::one(p), Mp::zero(p));
    let no = Transpose::No;
    let (cpu, into) = (Cpu::new(Products::direct()), b.view_mut());
    gemm_on(&cpu, no, no, one, a.view(), x.view(), zero, into).unwrap();
    b
}

/// Solves for the product of `A` and `X`: the digits promised are those asked for, and every entry
/// has them.
fn check(a: &mp::Matrix, x: &mp::Matrix, digits: u32) {
    let gpu = gpu();
    let (wide, precise) = (bits(4096), a.bits());
    let b = product(a, x);
    let options = Options { digits, digits_in: DigitsIn::Entry, most_bits: wide };
    let (given, rights) = (Data::exact(a.clone()), Data::exact(b));
    let solution = solve(&gpu, &given, &rights, options, &mut |_| {});
    let solution = solution.unwrap_or_else(|refusal| panic!("{refusal}"));
    let promised = solution.digits.unwrap_or(1000);
    assert!(promised >= digits, "{promised} of {digits}");
    let unit = Mp::from_decimal(wide, format!("0.5e-{promised}").as_bytes()).unwrap();
    for j in 0..x.cols() {
        for i in 0..x.rows() {
            let exact = x.entry(i, j).to_mp(wide);
            let difference = (solution.x.entry(i, j).to_mp(wide) - exact).abs();
            assert!(difference <= unit * exact.abs(), "({i}, {j}), {digits} of {precise} bits");
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn solutions_have_their_digits() {
    for (n, rights) in [(1, 1), (20, 3), (130, 1), (97, 40)] {
        let a = numbers(bits(64), n, n, 2, 11);
        let x = numbers(bits(64), n, rights, 20, 12);
        let exactly = |m: &mp::Matrix| {
            mp::Matrix::from_fn_in(bits(2048), m.rows(), m.cols(), |i, j| {
                m.entry(i, j).to_mp(bits(2048))
            })
        };
        for digits in [1, 15, 30, 100] {
            check(&exactly(&a), &exactly(&x), digits);
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn ill_conditioned_systems_are_solved() {
    // Wilkinson's and Hilbert's: 1/(i + j + 1) times a common multiple of the denominators.
    for n in [12, 20, 26] {
        let mut multiple = Mp::one(bits(2048));
        for k in 1..2 * n {
            multiple *= Mp::from_f64(bits(2048), k as f64);
        }
        let a = mp::Matrix::from_fn_in(bits(2048), n, n, |i, j| {
            multiple / Mp::from_f64(bits(2048), (i + j + 1) as f64)
        });
        let x = numbers(bits(64), n, 2, 3, 13);
        let x = mp::Matrix::from_fn_in(bits(2048), n, 2, |i, j| x.entry(i, j).to_mp(bits(2048)));
        check(&a, &x, 25);
    }
}

/// Triangles are such exactly, with the diagonal promised, and next to the inverses.
#[test]
#[ignore = "needs a GPU"]
fn inverse_triangles_are_triangles() {
    let gpu = gpu();
    // Blocks of 64 and of 512 rows, whole ones and others.
    for n in [1, 2, 7, 64, 100, 300, 612, 1100] {
        // Rows of a dominant diagonal in another order.
        let step = if n % 3 == 0 { 1 } else { 3 };
        let a = Matrix::from_fn(n, n, |i, j| {
            let x = ((i * 37 + j * 91) % 101) as f64 / 101.0;
            if (i * step + 1) % n == j { x + n as f64 } else { x }
        });
        let on_gpu = gpu.upload(a.view());
        let found = gpu.inverse_triangles(gpu.view(&on_gpu)).unwrap();
        let lower = gpu.download(gpu.view(&found.lower)).unwrap();
        let upper = gpu.download(gpu.view(&found.upper)).unwrap();
        let mut places: Vec<usize> = Vec::new();
        for i in 0..n {
            let others = (0..n).filter(|j| !places.contains(j));
            let new: Vec<usize> = others.filter(|&j| lower[(i, j)] != 0.0).collect();
            assert_eq!(new.len(), 1, "{n}: row {i}");
            assert_eq!(lower[(i, new[0])], 1.0, "{n}: row {i}");
            places.push(new[0]);
            assert!((0..i).all(|j| upper[(i, j)] == 0.0), "{n}: row {i}");
            assert_eq!(upper[(i, i)], found.diagonal[i]);
        }
        let inversions = |i: usize| (0..i).filter(|&k| places[k] > places[i]).count();
        assert_eq!(found.odd, (0..n).map(inversions).sum::<usize>() % 2 == 1, "{n}");
        let product = gpu.times(gpu.view(&found.lower), gpu.view(&on_gpu)).unwrap();
        let product = gpu.times(gpu.view(&product), gpu.view(&found.upper)).unwrap();
        let product = gpu.download(gpu.view(&product)).unwrap();
        // As for inverses: the growth of a dominant diagonal is at most 2, and sums of magnitudes
        // of a row of L^-1 and of A·U^-1 are below 4.
        let bound = 60.0 * (n * n) as f64 * f64::UNIT_ROUNDOFF;
        for j in 0..n {
            for i in 0..n {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product[(i, j)] - expected).abs() <= bound, "{n}: ({i}, {j})");
            }
        }
    }
}

/// A matrix whose last row is next to the sum of the others, to `2^-down`.
fn near_singular(n: usize, down: i32, seed: u64) -> mp::Matrix {
    let wide = bits(512);
    let a = numbers(bits(64), n, n, 2, seed);
    mp::Matrix::from_fn_in(wide, n, n, |i, j| {
        let x = a.entry(i, j).to_mp(wide);
        match i + 1 < n {
            true => x,
            false => (0..i).fold(x.ldexp(-down), |sum, k| sum + a.entry(k, j).to_mp(wide)),
        }
    })
}

#[test]
#[ignore = "needs a GPU"]
fn determinants_have_their_digits() {
    let gpu = gpu();
    for (n, down) in [(1, 0), (63, 0), (64, 0), (65, 40), (130, 0), (200, 60), (200, 200)] {
        let a = Data::exact(near_singular(n, down, 13));
        for digits in [1, 30, 100] {
            let options =
                |digits| Options { digits, digits_in: DigitsIn::Entry, most_bits: bits(4096) };
            let expected = determinant(&cpu(), &a, options(digits + 20), &mut |_| {}).unwrap();
            let found = determinant(&gpu, &a, options(digits), &mut |_| {}).unwrap();
            assert!(found.digits.is_none_or(|proved| proved >= digits), "{n}, {digits}");
            assert_eq!(found.route[0].by == By::Preconditioning, n >= 64, "{n}, {digits}");
            let wide = bits(4096);
            let (x, y) = (found.value.view().to_mp(wide), expected.value.view().to_mp(wide));
            let error = Magnitude::above((x - y).abs().view());
            // Both are within their bounds of the determinant, and the bounds below 1/2.
            let bounds = found.error_bound.plus(expected.error_bound.shifted(1));
            assert!(!bounds.times(Magnitude::above(y.view())).less(error), "{n}, {down}, {digits}");
            let ratio = found.condition.log10() - expected.condition.log10();
            assert!(ratio.abs() < 1.0, "{n}, {down}: {ratio}");
        }
    }
}
