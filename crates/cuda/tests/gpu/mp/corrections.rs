//! Corrections of eigenvectors far beyond the range of `f64`: those of the host.

use nonius_linalg::backend::{Cpu, Diagonalize, Reading, Spectrum};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use super::{download, upload};
use crate::gpu;

#[test]
#[ignore = "needs a GPU"]
fn wide_and_infinite_corrections_are_the_hosts() {
    let gpu = &gpu();
    let order = 70;
    for bits in [64, 106, 424] {
        let bits = Bits::new(bits).unwrap();
        let values = random_matrix::<Mp>(bits, order, 1, 91);
        let values: Vec<Mp> = (0..order).map(|i| values.at(i, 0)).collect();
        let groups: Vec<u32> = (0..order as u32).map(|i| i / 2).collect();
        let gram = random_matrix::<Mp>(bits, order, order, 92);
        let usual = random_matrix::<Mp>(bits, order, order, 93);
        let wide = Matrix::from_fn_in(bits, order, order, |i, j| {
            usual.at(i, j).ldexp(2000 * (i as i32 - j as i32))
        });
        let mut infinite = wide.clone();
        infinite.set(40, 7, Mp::infinity(bits, true));
        infinite.set(1, 0, Mp::infinity(bits, false));
        let far = |exponent| Reading { significand: 0.6, exponent };
        for (name, s) in [("usual", &usual), ("wide", &wide), ("infinite", &infinite)] {
            for tolerance in [Reading::ZERO, far(5000), far(-5000), Reading::INFINITY] {
                let spectrum = Spectrum { values: &values, groups: &groups, null: None, tolerance };
                let (of_s, of_gram) = (upload(gpu, s), upload(gpu, &gram));
                let mut e = upload(gpu, &usual);
                let found = Diagonalize::<Mp>::eigenvector_corrections(
                    gpu,
                    of_s.as_ref(),
                    of_gram.as_ref(),
                    spectrum,
                    Some(e.as_mut()),
                )
                .unwrap();
                let mut expected_e = Matrix::zeros_in(bits, order, order);
                let expected = Diagonalize::<Mp>::eigenvector_corrections(
                    &Cpu::default(),
                    s.view(),
                    gram.view(),
                    spectrum,
                    Some(expected_e.view_mut()),
                )
                .unwrap();
                let what = format!("mp{bits}, {name}, {tolerance:e}");
                assert_same_bits(&download(gpu, &e), &expected_e, &what);
                let same = |x: Reading, y: Reading| {
                    x == y || (x - y).abs() <= y.scaled(-40) || !x.is_finite() && !y.is_finite()
                };
                assert!(same(found.norm, expected.norm), "{what}");
                let kept = found.kept.iter().zip(&expected.kept);
                assert!(kept.into_iter().all(|(&x, &y)| same(x, y)), "{what}");
            }
        }
    }
}
