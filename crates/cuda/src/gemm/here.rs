//! The direct kernels for numbers of any precision on the host.

use nonius_gpu::Pointer;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Arithmetic, Engine, Products, gemm_on};
use nonius_linalg::mp::{Bits, Matrix};
use nonius_num::Mp;
use nonius_testkit::Random;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use super::{GEMM, GEMM_FEW, GEMM_SOME, MP_THREADS, Product, mp_shape, source};
use crate::factor::Factor;
use crate::here::{Here, Rectangle, kernel};
use crate::kind::Kind;
use crate::operand::ALWAYS;

fn have_the_hosts_bits(here: &Here, a: &Matrix, b: &Matrix) {
    let bits = a.bits();
    let ((m, k), n) = (a.shape(), b.cols());
    let (one, zero, no) = (Mp::one(bits), Mp::zero(bits), Transpose::No);
    let products = Products { engine: Some(Engine::Direct), ..Products::default() };
    let mut expected = Matrix::zeros_in(bits, m, n);
    let into = expected.view_mut();
    gemm_on(&Cpu::new(products), no, no, one, a.view(), b.view(), zero, into).expect("shapes fit");
    let [mut left, mut right] = [a, b].map(|x| Rectangle::of(x.view()));
    let factor = |x| Factor::alone::<Mp>(x, bits).expect("a number without words");
    for (entry, shape) in [
        (GEMM, mp_shape(m * n)),
        (GEMM_SOME, mp_shape(8 * m * n)),
        (GEMM_FEW, mp_shape(MP_THREADS * m * n)),
    ] {
        let mut to = Rectangle::of(random_matrix::<Mp>(bits, m, n, 1).view());
        let product = Product {
            k: k as i64,
            m: m as i32,
            n: n as i32,
            whole: 0,
            part: 0,
            rows_contiguous_a: 1,
            columns_contiguous_b: 0,
            a: left.layout(),
            b: right.layout(),
            c: to.layout(),
            alpha: factor(one),
            beta: factor(zero),
            only_if: Pointer::at(ALWAYS),
        };
        // SAFETY: matrices of these shapes that live.
        if unsafe { here.run::<Product>(entry, shape, &product) } {
            assert_same_bits(&to.matrix(), &expected, &format!("{:?} mp{bits}", entry.name()));
        }
    }
}

/// Sums that cancel: units depend on how many products there are, and zeros are none.
#[test]
fn sums_that_cancel_beside_zeros_have_the_hosts_bits() {
    let kernels = [GEMM, GEMM_FEW, GEMM_SOME].map(kernel);
    for bits in [64, 106] {
        let bits = Bits::new(bits).expect("a precision");
        let here = Here::new(&source(Arithmetic::Delayed, Kind::Mp(bits)), &kernels);
        let one = Mp::one(bits);
        let small = (one + one + one).ldexp(-187);
        let row = [one, -one, small, Mp::zero(bits), -Mp::zero(bits)];
        let a = Matrix::from_fn_in(bits, 1, 5, |_, l| row[l]);
        let b = Matrix::from_fn_in(bits, 5, 1, |_, _| one);
        have_the_hosts_bits(&here, &a, &b);

        let (m, n, k) = (5, 7, 70);
        let mut random = Random::new(3);
        let mut a = random_matrix::<Mp>(bits, m, k, 4);
        let mut b = random_matrix::<Mp>(bits, k, n, 5);
        for l in (0..k).step_by(2) {
            let zero = random.below(3);
            for i in 0..m {
                // Pairs of terms that cancel, others far below them, zeros in either factor.
                let x = a.at(i, l).ldexp(-(random.below(180) as i32));
                a.set(i, l, if zero == 0 { Mp::zero(bits) } else { x });
                a.set(i, l + 1, -a.at(i, l));
            }
            for j in 0..n {
                let x = if zero == 1 && j % 2 == 0 { Mp::zero(bits) } else { b.at(l, j) };
                b.set(l, j, x);
                b.set(l + 1, j, x);
            }
        }
        for i in 0..m {
            a.set(i, k - 1, one.ldexp(-(190 + random.below(9) as i32)));
        }
        have_the_hosts_bits(&here, &a, &b);
    }
}
