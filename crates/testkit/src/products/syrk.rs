//! `C ← α·op(A)·op(A)ᵀ + β·C` on one triangle.

use nonius_linalg::backend::{Reading, Syrk};
use nonius_linalg::dense::{Transpose, Triangle};

use super::{
    Data, TRANSPOSES, Units, affordable_often, assert_close, exact_product, exact_update, factors,
    samples, stored, update_units,
};
use crate::framed::{Framed, nan};
use crate::{Random, Sample};

/// Runs the suite for one precision. `units` is the backend's bound.
pub fn syrk<T: Sample, B: Syrk<T>>(backend: &B, format: T::Format, units: Units) {
    let mut random = Random::new(10 + T::seed(format));
    let sizes = [0, 1, 2, 4, 5, 8, 9, 16, 17, 24, 25, 49, 97, 145, 150];
    for (n, k) in sizes.into_iter().zip([3, 0, 1, 9, 4, 8, 17, 33, 16, 5, 7, 20, 257, 3, 6]) {
        if !affordable_often::<T>(format, [n, n, k]) {
            continue;
        }
        for data in [Data::Plain, Data::Graded] {
            let (a, _) = factors::<T>(format, data, [n, 0, k], &mut random);
            let mut number = || T::random(format, &mut random);
            let (alpha, beta) = (number(), number());
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

fn check<T: Sample, B: Syrk<T>>(
    backend: &B,
    units: Units,
    triangle: Triangle,
    op: Transpose,
    (alpha, beta): (T, T),
    a: &Framed<T>,
    random: &mut Random,
) {
    let (n, k) = a.shape();
    let format = a.format();
    // Now and then a trapezoid.
    let cols = if random.below(3) == 0 { n.div_ceil(3) } else { n };
    // NaN in the triangle that must not be touched; also in the other, when C is not read.
    let c = Framed::from_fn_in(format, n, cols, |i, j| {
        let read = triangle.contains(i, j) && beta != T::ZERO;
        if read { T::random(format, random) } else { nan() }
    });
    let from = stored(a, op);
    let uploaded = from.upload(backend);
    let result = c.update(backend, |c| {
        backend.syrk(triangle, op, alpha, from.view(backend, &uploaded), beta, c);
    });
    for j in 0..cols {
        for i in 0..n {
            let (now, before) = (result.at(i, j), c.at(i, j));
            if !triangle.contains(i, j) {
                assert!(now.same_bits(before), "({i}, {j}) is outside the triangle: {now:?}");
            } else {
                assert!(now.is_finite(), "{} ({i}, {j}): {now:?}", T::name(format));
            }
        }
    }
    for (i, j) in samples(n, cols, random) {
        if !triangle.contains(i, j) {
            continue;
        }
        let terms = (0..k).map(|l| (a.at(i, l), a.at(j, l)));
        let (sum, size) = exact_product(format, terms);
        let exact = exact_update(format, alpha, sum, beta, c.at(i, j));
        let allowed = Reading::of(units(k)) * alpha.magnitude() * size
            + update_units(alpha, size, beta, c.at(i, j));
        assert_close(format, result.at(i, j), exact, allowed, &|| {
            format!("entry ({i}, {j}) of order {n}, {k} terms, {triangle:?}, transposed {op:?}")
        });
    }
}
