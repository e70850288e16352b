//! Products at the ends of the range: an overflow is an error, and nothing else is.

use nonius::dense::{Engine, Error, Products};
use nonius::num::mp::Bits;
use nonius::prelude::*;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::gemm_on;
use nonius_linalg::{Scalar, mp};
use nonius_testkit::{Random, random_cases};

#[test]
fn random_products_overflow_or_are_there() {
    random_cases("products", 1000, |random| match random.below(4) {
        0 => check::<f64>(random),
        1 => check::<Dd>(random),
        2 => check::<Td>(random),
        _ => check::<Qd>(random),
    });
}

fn matrix<T: Number + Scalar>(random: &mut Random, rows: usize, cols: usize) -> Matrix<T> {
    let (range, shift) = ([4, 60, 400][random.below(3)], [0, 0, 500, 600, -600][random.below(5)]);
    Matrix::from_fn(rows, cols, |_, _| {
        let limbs = random.limbs::<4>();
        let e = random.below(2 * range + 1) as i32 - range as i32 + shift;
        T::from_limbs(|l| limbs[l]).ldexp(e)
    })
}

fn transpose(random: &mut Random) -> Transpose {
    if random.below(2) == 0 { Transpose::No } else { Transpose::Yes }
}

/// The same product of magnitudes in numbers of 64 bits with a wide range of exponents says what
/// overflows.
fn check<T: Number + Scalar>(random: &mut Random) {
    let [m, k, n] = [(); 3].map(|()| random.below(6));
    let (transpose_a, transpose_b) = (transpose(random), transpose(random));
    let (rows, cols) = transpose_a.shape((m, k));
    let a = matrix::<T>(random, rows, cols);
    let (rows, cols) = transpose_b.shape((k, n));
    let b = matrix::<T>(random, rows, cols);
    let c = matrix::<T>(random, m, n);
    let [alpha, beta] =
        [(); 2].map(|()| T::from_f64([0.0, 1.0, -1.0, 3.0, 1e-200][random.below(5)]));
    let products = Products {
        engine: [None, Some(Engine::Direct), Some(Engine::Crt)][random.below(3)],
        ..Products::default()
    };

    let bits = Bits::new(256).unwrap();
    let size = |x: &Matrix<T>| mp::Matrix::from_limbs(bits, x.map(|x| x.abs()).view());
    let number = |x: T| Mp::from_f64(bits, x.abs().to_f64());
    let mut sizes = size(&c);
    let direct = Cpu::new(Products::direct());
    let (size_a, size_b) = (size(&a), size(&b));
    let (one, zero) = (Mp::one(bits), Mp::zero(bits));
    let mut all_terms = size(&c);
    let done = gemm_on(
        &direct,
        transpose_a,
        transpose_b,
        one,
        size_a.view(),
        size_b.view(),
        zero,
        all_terms.view_mut(),
    );
    done.unwrap();
    let done = gemm_on(
        &direct,
        transpose_a,
        transpose_b,
        number(alpha),
        size_a.view(),
        size_b.view(),
        number(beta),
        sizes.view_mut(),
    );
    done.unwrap();
    let largest = |x: &mp::Matrix| {
        x.numbers()
            .as_slice()
            .heads()
            .iter()
            .filter_map(|head| head.exponent())
            .max()
            .unwrap_or(-9999)
    };
    let terms = if alpha == T::ZERO { -9999 } else { largest(&all_terms) };
    let fits = terms.max(largest(&sizes)) < 1020;

    let product = Multiply::new(&a, &b).transpose_a(transpose_a).transpose_b(transpose_b);
    let sum = product.alpha(alpha).plus(beta, c.clone());
    match sum.products(products).device(Device::Cpu).run() {
        Ok((found, _)) => assert!(found.as_slice().iter().all(|x| x.is_finite())),
        Err(error) => {
            let overflow = matches!(error, Error::Overflow { operand: "the product", .. });
            assert!(overflow && !fits, "{} {error}: {alpha:?} {a:?} {b:?} {beta:?} {c:?}", T::NAME);
        }
    }
}
