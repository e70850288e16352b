//! Numbers of any precision, and products of their matrices, against MPFR.

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Engine, Products, gemm_on};
use nonius_linalg::mp::Matrix;
use nonius_num::mp::{Bits, Mp};
use nonius_oracle::mp::{float, number, same};
use nonius_testkit::Random;
use rug::Float;
use rug::float::Round;

const PRECISIONS: [u32; 8] = [64, 106, 107, 128, 212, 424, 1000, 2048];

fn bits(p: u32) -> Bits {
    Bits::new(p).unwrap()
}

#[test]
fn arithmetic_is_rounded_as_mpfr_rounds() {
    let mut random = Random::new(1);
    for p in PRECISIONS {
        for round in 0..20_000 {
            let range = [2, 100, 3 * p as i32, 1_000_000][round % 4];
            let q = PRECISIONS[random.below(PRECISIONS.len())];
            let x = number(bits(p), range, &mut random);
            let mut y = number(bits(q), range, &mut random);
            if round % 16 == 0 {
                // Cancels, but for the last bits.
                let tiny = x.ldexp(-(p as i32) - round as i32 % 7);
                y = (-x + tiny).view().to_mp(bits(q));
            }
            let (a, b) = (float(x.view()), float(y.view()));
            let mut z = Mp::zero(bits([p, q, 64, 300][round / 4 % 4]));
            let to = z.bits().get();
            let what = || format!("{to} bits of {a} and {b}");
            z.set_sum(x.view(), y.view());
            assert!(same(z.view(), &Float::with_val(to, &a + &b)), "sum, {}", what());
            z.set_difference(x.view(), y.view());
            assert!(same(z.view(), &Float::with_val(to, &a - &b)), "difference, {}", what());
            z.set_product(x.view(), y.view());
            assert!(same(z.view(), &Float::with_val(to, &a * &b)), "product, {}", what());
            z.set_quotient(x.view(), y.view());
            assert!(same(z.view(), &Float::with_val(to, &a / &b)), "quotient, {}", what());
            z.set_root(x.view());
            let root = Float::with_val(to, a.sqrt_ref());
            assert!(same(z.view(), &root), "root, {}", what());
            assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b));
            assert_eq!(x.to_f64().to_bits(), a.to_f64().to_bits(), "{a}");
        }
    }
}

#[test]
fn specials_are_those_of_mpfr() {
    let p = bits(100);
    let specials = [0.0, -0.0, 1.0, -2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let all: Vec<(Mp, Float)> =
        specials.iter().map(|&x| (Mp::from_f64(p, x), Float::with_val(100, x))).collect();
    for (x, a) in &all {
        assert!(same(x.sqrt().view(), &Float::with_val(100, a.sqrt_ref())), "√{a}");
        for (y, b) in &all {
            assert!(same((x + y).view(), &Float::with_val(100, a + b)), "{a} + {b}");
            assert!(same((x - y).view(), &Float::with_val(100, a - b)), "{a} − {b}");
            assert!(same((x * y).view(), &Float::with_val(100, a * b)), "{a} · {b}");
            assert!(same((x / y).view(), &Float::with_val(100, a / b)), "{a} / {b}");
            assert_eq!(x.partial_cmp(y), a.partial_cmp(b), "{a}, {b}");
        }
    }
}

/// Digits of all lengths with exponents that lead to all magnitudes.
fn text(p: u32, random: &mut Random) -> String {
    let most = [3, p as usize / 3, p as usize][random.below(3)];
    let length = 1 + random.below(most);
    let digits: String = (0..length).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
    let range = [20, 1000, 300_000][random.below(3)];
    format!("{digits}e{}", random.below(2 * range + 1) as i64 - range as i64)
}

#[test]
fn decimal_text_is_read_and_written_as_mpfr_would() {
    let mut random = Random::new(2);
    for p in PRECISIONS {
        for round in 0..1000 {
            let text = text(p, &mut random);
            let x = Mp::from_decimal(bits(p), text.as_bytes()).unwrap();
            let expected = Float::with_val(p, Float::parse(&text).unwrap());
            assert!(same(x.view(), &expected), "mp{p} {text}");

            let range = [10, 2000, 100_000][round % 3];
            let x = number(bits(p), range, &mut random).abs();
            let written = x.to_string();
            let back = Float::with_val(p, Float::parse(&written).unwrap());
            assert!(same(x.view(), &back), "mp{p} {written}");
            // With one digit less the nearest text reads back as another number.
            let digits: String = written.split('e').next().unwrap().replace('.', "");
            let digits = digits.trim_matches('0').len();
            if digits > 2 {
                let shorter = back.to_string_radix_round(10, Some(digits - 1), Round::Nearest);
                assert!(
                    Float::with_val(p, Float::parse(&shorter).unwrap()) != back,
                    "mp{p} {written}"
                );
            }
        }
    }
}

/// A matrix whose entries have exponents of the given ranges: all alike, and by rows and columns.
fn matrix(p: u32, rows: usize, cols: usize, range: i32, grade: i32, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    Matrix::from_fn_in(bits(p), rows, cols, |i, j| {
        let x = number(bits(p), range, &mut random);
        x.ldexp(grade * (i as i32 % 5 - 2) - grade * (j as i32 % 7 - 3))
    })
}

#[test]
fn products_of_matrices_keep_their_bounds() {
    let (m, k, n) = (7, 40, 6);
    let (mut taken, mut left) = (0, 0);
    for p in PRECISIONS {
        for (range, grade) in [(1, 0), (30, 0), (300, 0), (2, 1_000_000)] {
            let a = matrix(p, m, k, range, grade, 3);
            let b = matrix(p, k, n, range, grade, 4);
            let row = |i: usize| (0..k).map(|l| float(a.entry(i, l))).collect::<Vec<_>>();
            let column = |j: usize| (0..k).map(|l| float(b.entry(l, j))).collect::<Vec<_>>();
            let rows: Vec<_> = (0..m).map(row).collect();
            let columns: Vec<_> = (0..n).map(column).collect();
            for engine in Engine::ALL {
                let how = Products { engine: Some(engine), ..Products::default() };
                let (one, zero) = (Mp::one(bits(p)), Mp::zero(bits(p)));
                let mut c = Matrix::zeros_in(bits(p), m, n);
                let no = Transpose::No;
                let (cpu, into) = (Cpu::new(how), c.view_mut());
                let report = gemm_on(&cpu, no, no, one, a.view(), b.view(), zero, into).unwrap();
                let units = match report.engine {
                    // The sum is rounded once; the factor itself is rounded to `f64`.
                    Engine::Direct => 1.0 + 4.0 * f64::EPSILON,
                    Engine::Crt => k as f64 + 3.0,
                };
                taken += usize::from(report.engine == Engine::Crt);
                left += usize::from(report.fallback.is_some());
                for (i, x) in rows.iter().enumerate() {
                    for (j, y) in columns.iter().enumerate() {
                        let wide = 3 * p + 200;
                        let exact = Float::with_val(wide, Float::dot(x.iter().zip(y)));
                        let sizes: Vec<(Float, Float)> = x
                            .iter()
                            .zip(y)
                            .map(|(x, y)| (x.clone().abs(), y.clone().abs()))
                            .collect();
                        let size =
                            Float::with_val(wide, Float::dot(sizes.iter().map(|(x, y)| (x, y))));
                        let error = (float(c.entry(i, j)) - exact).abs();
                        let bound = (size * units) >> p;
                        assert!(
                            error <= bound,
                            "mp{p} {range} {grade} {engine} ({i}, {j}): {error}"
                        );
                    }
                }
            }
        }
    }
    assert!(taken >= 16 && left >= 1, "{taken} {left}");
}
