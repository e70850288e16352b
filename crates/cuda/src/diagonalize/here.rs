//! The corrections of numbers of any precision on the host: those of the host's own code.

use nonius_gpu::{Entry, Shape};
use nonius_linalg::backend::{Corrections, Cpu, Diagonalize, Reading, Spectrum};
use nonius_linalg::mp::{Bits, Matrix};
use nonius_num::Mp;
use nonius_testkit::framed::assert_same_bits;
use nonius_testkit::orthogonal::random_matrix;

use super::{
    EIGENVECTOR_CORRECTIONS, Eigenvectors, SINGULAR_VECTOR_CORRECTIONS, SingularVectors, Sums,
    THREADS, Values, corrections_of, source,
};
use crate::here::{Here, Rectangle, kernel, pointer};
use crate::kind::Kind;

const ORDER: usize = 9;

/// What both kernels take beside matrices.
struct Problem {
    values: Vec<Mp>,
    groups: Vec<u32>,
    tolerance: Reading,
}

impl Problem {
    fn spectrum(&self) -> Spectrum<'_, Mp> {
        let Self { values, groups, tolerance } = self;
        Spectrum { values, groups, null: Some(groups[ORDER - 1]), tolerance: *tolerance }
    }

    /// Has a kernel run with arguments that are made of these.
    fn run<A: nonius_gpu::Arguments>(
        &self,
        here: &Here,
        entry: Entry<A>,
        arguments: impl FnOnce(Values, &mut [Sums]) -> A,
    ) -> Option<Corrections<Reading>> {
        let bits = self.values[0].bits();
        let values = Matrix::from_fn_in(bits, ORDER, 1, |i, _| self.values[i]);
        let (mut values, mut groups) = (Rectangle::of(values.view()), self.groups.clone());
        let mut sums = vec![Sums::default(); ORDER];
        let spectrum = Values::of(&self.spectrum(), values.layout(), pointer(&mut groups));
        let arguments = arguments(spectrum, &mut sums);
        let shape = Shape { grid: [ORDER as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: matrices and arrays of this order that live.
        let done = unsafe { here.run(entry, shape, &arguments) };
        done.then(|| corrections_of::<Mp>(&sums))
    }
}

fn assert_close(found: &Corrections<Reading>, expected: &Corrections<Reading>, what: &str) {
    let same = |x: Reading, y: Reading| {
        let difference = (x - y).abs();
        x == y || difference <= y.scaled(-40) || !x.is_finite() && !y.is_finite()
    };
    assert!(same(found.norm, expected.norm), "{what}: {found:?}, {expected:?}");
    for (&x, &y) in found.kept.iter().zip(&expected.kept) {
        assert!(same(x, y), "{what}: {found:?}, {expected:?}");
    }
}

/// Corrections far beyond the range of `f64`, infinite ones, tolerances of all sizes.
#[test]
fn corrections_are_the_hosts() {
    let bits = Bits::new(106).expect("a precision");
    let kernels = [kernel(EIGENVECTOR_CORRECTIONS), kernel(SINGULAR_VECTOR_CORRECTIONS)];
    let here = Here::new(&source(Kind::Mp(bits)), &kernels);
    let values = random_matrix::<Mp>(bits, ORDER, 1, 1);
    let values = (0..ORDER).map(|i| values.at(i, 0)).collect();
    let mut problem = Problem {
        values,
        groups: (0..ORDER as u32).map(|i| i / 2).collect(),
        tolerance: Reading::ZERO,
    };
    let usual = random_matrix::<Mp>(bits, ORDER, ORDER, 2);
    let gram = random_matrix::<Mp>(bits, ORDER, ORDER, 3);
    let other_gram = random_matrix::<Mp>(bits, ORDER, ORDER, 4);
    let wide = Matrix::from_fn_in(bits, ORDER, ORDER, |i, j| {
        usual.at(i, j).ldexp(2000 * (i as i32 - j as i32))
    });
    let mut infinite = wide.clone();
    infinite.set(7, 2, Mp::infinity(bits, true));
    infinite.set(1, 0, Mp::infinity(bits, false));
    let mut not_a_number = usual.clone();
    not_a_number.set(3, 2, Mp::nan(bits));
    let tolerances = [
        Reading::ZERO,
        Reading::of(0.5),
        Reading { significand: 0.6, exponent: 5000 },
        Reading { significand: 0.7, exponent: -5000 },
        Reading::INFINITY,
    ];
    for (name, s) in [
        ("usual", &usual),
        ("wide", &wide),
        ("infinite", &infinite),
        ("not a number", &not_a_number),
    ] {
        for tolerance in tolerances {
            problem.tolerance = tolerance;
            let what = format!("{name}, {tolerance:e}");
            let mut e = Rectangle::of(usual.view());
            let [mut of_s, mut of_gram] = [s, &gram].map(|x| Rectangle::of(x.view()));
            let found = problem.run(&here, EIGENVECTOR_CORRECTIONS, |spectrum, sums| {
                let (s, gram, e) = (of_s.layout(), of_gram.layout(), e.layout());
                Eigenvectors { s, gram, spectrum, e, sums: pointer(sums) }
            });
            let Some(found) = found else { return };
            let mut expected_e = Matrix::zeros_in(bits, ORDER, ORDER);
            let expected = Diagonalize::<Mp>::eigenvector_corrections(
                &Cpu::default(),
                s.view(),
                gram.view(),
                problem.spectrum(),
                Some(expected_e.view_mut()),
            );
            assert_close(&found, &expected.expect("on the host"), &what);
            assert_same_bits(&e.matrix(), &expected_e, &what);

            if name == "not a number" {
                // Quotients of NaN are left out on the host.
                continue;
            }
            let [mut f, mut g] = [&usual; 2].map(|x| Rectangle::of(x.view()));
            let mut of_other = Rectangle::of(other_gram.view());
            let found = problem.run(&here, SINGULAR_VECTOR_CORRECTIONS, |spectrum, sums| {
                let (t, left, right) = (of_s.layout(), of_gram.layout(), of_other.layout());
                let (f, g, sums) = (f.layout(), g.layout(), pointer(sums));
                SingularVectors { t, left, right, spectrum, f, g, sums }
            });
            let Some(found) = found else { return };
            let [mut expected_f, mut expected_g] =
                [(); 2].map(|()| Matrix::zeros_in(bits, ORDER, ORDER));
            let expected = Diagonalize::<Mp>::singular_vector_corrections(
                &Cpu::default(),
                s.view(),
                [gram.view(), other_gram.view()],
                problem.spectrum(),
                Some([expected_f.view_mut(), expected_g.view_mut()]),
            );
            assert_close(&found, &expected.expect("on the host"), &what);
            assert_same_bits(&f.matrix(), &expected_f, &what);
            assert_same_bits(&g.matrix(), &expected_g, &what);
        }
    }
}
