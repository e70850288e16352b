//! Conjugate gradients against the same loop in MPFR, and operations on vectors against MPFR's.

use std::path::PathBuf;

use nonius::sparse::{Options, Preconditioning, Report, Solve};
use nonius::{Device, files};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::MP_BLOCK;
use nonius_linalg::mp::{Matrix, Mp};
use nonius_linalg::sparse::Coo;
use nonius_num::mp::stepwise::PARTIALS;
use nonius_num::mp::{Bits, Head, axpy, gathered_dot, xpay};
use nonius_oracle::mp::{float, number, same};
use nonius_testkit::Random;
use rug::{Assign, Float};

fn matrix(name: &str) -> Coo<f64> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../data").join(name);
    files::read::<f64>((), &path).unwrap().into_coo().unwrap()
}

/// Every product and every sum rounded, in rows from the first term to the last, in vectors of one
/// block as 256 sums that are added pairwise: the solution, and the iterations until the residual
/// has fallen by `10^-8`.
fn by_mpfr(a: &Coo<f64>, bits: u32, jacobi: bool) -> (Vec<Float>, usize) {
    let n = a.rows();
    let zeros = || vec![Float::new(bits); n];
    let mut rows = vec![Vec::new(); n];
    let mut entries: Vec<_> = a.triplets().collect();
    entries.sort_by_key(|t| (t.row, t.col));
    let mut inverse = vec![1.0; n];
    for t in entries {
        rows[t.row].push((t.col, t.value));
        if jacobi && t.row == t.col {
            inverse[t.row] = 1.0 / t.value;
        }
    }
    assert!(n <= MP_BLOCK, "vectors of one block");
    let dot = |x: &[Float], y: &[Float]| {
        let (mut sums, mut term) = (vec![Float::new(bits); PARTIALS], Float::new(bits));
        for (i, (x, y)) in x.iter().zip(y).enumerate() {
            term.assign(x * y);
            sums[i % PARTIALS] += &term;
        }
        while sums.len() > 1 {
            let pairs = sums.chunks(2).map(|pair| Float::with_val(bits, &pair[0] + &pair[1]));
            sums = pairs.collect();
        }
        sums.remove(0)
    };
    // y ← y + α·x
    let add = |alpha: &Float, x: &[Float], y: &mut [Float]| {
        let mut term = Float::new(bits);
        for (x, y) in x.iter().zip(y) {
            term.assign(alpha * x);
            *y += &term;
        }
    };
    let conditioned = |r: &[Float]| -> Vec<Float> {
        r.iter().zip(&inverse).map(|(r, d)| Float::with_val(bits, r * d)).collect()
    };
    let (mut x, mut q) = (zeros(), zeros());
    let mut r = vec![Float::with_val(bits, 1); n];
    let mut z = conditioned(&r);
    let mut p = z.clone();
    let first = dot(&r, &r);
    let mut rho = dot(&r, &z);
    for iteration in 1.. {
        for (q, row) in q.iter_mut().zip(&rows) {
            q.assign(0);
            for &(col, value) in row {
                *q += Float::with_val(bits, &p[col] * value);
            }
        }
        let alpha = Float::with_val(bits, &rho / &dot(&p, &q));
        add(&alpha, &p, &mut x);
        add(&-alpha, &q, &mut r);
        if (dot(&r, &r) / &first).to_f64().sqrt() <= Options::default().iteration.tolerance {
            return (x, iteration);
        }
        z = conditioned(&r);
        let next = dot(&r, &z);
        let beta = Float::with_val(bits, &next / &rho);
        rho = next;
        for (p, z) in p.iter_mut().zip(&z) {
            *p *= &beta;
            *p += z;
        }
    }
    unreachable!("the loop ends")
}

fn by_us(a: &Coo<f64>, bits: Bits, jacobi: bool, arithmetic: Arithmetic) -> (Matrix, Report) {
    let n = a.rows();
    let b = Matrix::from_fn_in(bits, n, 1, |_, _| Mp::one(bits));
    let preconditioning = if jacobi { Preconditioning::Jacobi } else { Preconditioning::None };
    let options = Options { preconditioning, arithmetic, ..Options::default() };
    Solve::short(a.clone(), &b).options(options).device(Device::Cpu).run().unwrap()
}

/// With every sum rounded iterations and solution are MPFR's, bit for bit; with delayed sums the
/// iterations are as many or fewer.
#[test]
fn iterations_and_solutions() {
    for (name, p) in [
        ("nos4.mtx.xz", 106),
        ("nos4.mtx.xz", 1000),
        ("nos4.mtx.xz", 2048),
        ("bcsstk01.mtx.xz", 212),
        ("bcsstk03.mtx.xz", 212),
        ("bcsstk03.mtx.xz", 424),
        ("bcsstk03.mtx.xz", 600),
    ] {
        let (a, bits) = (matrix(name), Bits::new(p).unwrap());
        for jacobi in [false, true] {
            let (expected, count) = by_mpfr(&a, p, jacobi);
            let (x, report) = by_us(&a, bits, jacobi, Arithmetic::Ieee);
            assert_eq!(report.iteration.iterations, count, "{name} mp{p}");
            for (i, expected) in expected.iter().enumerate() {
                assert!(same(x.entry(i, 0), expected), "{name} mp{p}, entry {i}");
            }
            let (_, report) = by_us(&a, bits, jacobi, Arithmetic::Delayed);
            assert!(report.iteration.iterations <= count, "{name} mp{p}");
            println!("{name} mp{p} jacobi {jacobi}: {count}, {}", report.iteration.iterations);
        }
    }
}

fn line(numbers: &[Mp]) -> (Vec<Head>, Vec<u64>) {
    let words = numbers.iter().flat_map(|x| x.words().iter().copied()).collect();
    (numbers.iter().map(Mp::head).collect(), words)
}

/// `y + α·x` and `x + β·y` are MPFR's fused products and sums; a sum of products is within its
/// bound of the exact one.
#[test]
fn vectors() {
    let mut random = Random::new(5);
    for p in [64, 106, 159, 212, 318, 424, 512, 848] {
        let bits = Bits::new(p).unwrap();
        for round in 0..2000 {
            let range = [2, 30, p as i32][round % 3];
            let alpha = number(bits, range, &mut random);
            let x: Vec<Mp> = (0..8).map(|_| number(bits, range, &mut random)).collect();
            let y: Vec<Mp> = (0..8).map(|_| number(bits, range, &mut random)).collect();
            let (from, to) = (line(&x), line(&y));
            for exchanged in [false, true] {
                let mut z = to.clone();
                if exchanged {
                    xpay((&from.0, &from.1), alpha.view(), (&mut z.0, &mut z.1));
                } else {
                    axpy(alpha.view(), (&from.0, &from.1), (&mut z.0, &mut z.1));
                }
                for (i, (x, y)) in x.iter().zip(&y).enumerate() {
                    let (factor, summand) = if exchanged { (y, x) } else { (x, y) };
                    let (a, u, v) =
                        (float(alpha.view()), float(factor.view()), float(summand.view()));
                    let expected = Float::with_val(p, a.mul_add_ref(&u, &v));
                    let words = &z.1[i * bits.words()..][..bits.words()];
                    let found = nonius_num::mp::MpRef::new(bits, z.0[i], words);
                    assert!(same(found, &expected), "mp{p}: {v} + {a} · {u}");
                }
            }
            let wide = 4 * p + 4 * range as u32 + 64;
            let (mut sum, mut size) = (Float::new(wide), Float::new(wide));
            for (x, y) in x.iter().zip(&y) {
                let product = Float::with_val(wide, &float(x.view()) * &float(y.view()));
                size += product.clone().abs();
                sum += product;
            }
            let mut words = vec![0; bits.words()];
            let pairs = (0..8).map(|i| (i, i));
            let head = gathered_dot(bits, (&from.0, &from.1), (&to.0, &to.1), pairs, &mut words);
            let error = (sum - float(nonius_num::mp::MpRef::new(bits, head, &words))).abs();
            let bound = (size * (1.0 + 0.5_f64.powi(50))) >> p;
            assert!(error <= bound, "mp{p}: {error} > {bound}");
        }
    }
}
