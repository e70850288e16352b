//! `C ← α·op(A)·op(A)ᵀ + β·C` on one triangle.

use nonius_linalg::Scalar;
use nonius_linalg::backend::Syrk;
use nonius_linalg::dense::{Transpose, Triangle};

use super::{
    Data, TRANSPOSES, Units, assert_close, exact_product, exact_update, factors, number, samples,
    stored, update_units,
};
use crate::Random;
use crate::framed::{Framed, nan, same_bits};

/// Runs the suite for one precision. `units` is the backend's bound.
pub fn syrk<T: Scalar, B: Syrk<T>>(backend: &B, units: Units) {
    let mut random = Random::new(10 + T::LIMBS as u64);
    let sizes = [0, 1, 2, 4, 5, 8, 9, 16, 17, 24, 25, 49, 97, 145, 150];
    for (n, k) in sizes.into_iter().zip([3, 0, 1, 9, 4, 8, 17, 33, 16, 5, 7, 20, 257, 3, 6]) {
        for data in [Data::Plain, Data::Graded] {
            let (a, _) = factors::<T>(data, n, 0, k, &mut random);
            let (alpha, beta) = (number(&mut random), number(&mut random));
            for triangle in [Triangle::Lower, Triangle::Upper] {
                for op in TRANSPOSES {
                    for (alpha, beta) in
                        [(T::ONE, T::ZERO), (-T::ONE, T::ONE), (alpha, beta), (T::ZERO, beta)]
                    {
                        check(backend, units, triangle, op, (alpha, beta), &a, &mut random);
                    }
                }
            }
        }
    }
}

fn check<T: Scalar, B: Syrk<T>>(
    backend: &B,
    units: Units,
    triangle: Triangle,
    op: Transpose,
    (alpha, beta): (T, T),
    a: &Framed<T>,
    random: &mut Random,
) {
    let (n, k) = a.shape();
    // Now and then a trapezoid.
    let cols = if random.below(3) == 0 { n.div_ceil(3) } else { n };
    // NaN in the triangle that must not be touched; also in the other, when C is not read.
    let c = Framed::from_fn(n, cols, |i, j| {
        let read = triangle.contains(i, j) && beta != T::ZERO;
        if read { number(random) } else { nan() }
    });
    let from = stored(a, op);
    let uploaded = from.upload(backend);
    let result = c.update(backend, |c| {
        backend.syrk(triangle, op, alpha, from.view(backend, &uploaded), beta, c);
    });
    for j in 0..cols {
        for i in 0..n {
            let (now, before) = (result[(i, j)], c.at(i, j));
            if !triangle.contains(i, j) {
                assert!(same_bits(now, before), "({i}, {j}) is outside the triangle: {now:?}");
            } else {
                assert!(now.is_finite(), "{} ({i}, {j}): {now:?}", T::NAME);
            }
        }
    }
    for (i, j) in samples(n, cols, random) {
        if !triangle.contains(i, j) {
            continue;
        }
        let terms = (0..k).map(|l| (a.at(i, l), a.at(j, l)));
        let (sum, size) = exact_product(terms);
        let exact = exact_update(alpha, &sum, beta, c.at(i, j));
        let allowed =
            units(k) * alpha.to_f64().abs() * size + update_units(alpha, size, beta, c.at(i, j));
        assert_close(result[(i, j)], &exact, allowed, &|| {
            format!("entry ({i}, {j}) of order {n}, {k} terms, {triangle:?}, transposed {op:?}")
        });
    }
}
