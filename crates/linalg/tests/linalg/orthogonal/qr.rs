use nonius_linalg::backend::{Cpu, Reading, Reference, Reflecting};
use nonius_linalg::dense::{Qr, Transpose};
use nonius_linalg::{Error, MatMut, MatRef, Matrix};

use nonius_testkit::Sample;
use nonius_testkit::orthogonal::{
    assert_factors, difference, gamma, norm, product, qr_of_random_matrices,
    qr_of_special_matrices, random_matrix, shapes,
};

fn factors<T: Sample>(format: T::Format) {
    qr_of_random_matrices::<T, _>(&Cpu::default(), format);
    for (m, n) in shapes::<T>(format) {
        let a = random_matrix::<T>(format, m, n, (m + n) as u64);
        let what = format!("{m} × {n}");
        assert_factors(&Qr::factor_pivoted(a.view()).unwrap(), &a, &what);
        if m <= 40 {
            assert_factors(&Qr::factor_on(Reference, a.view()).unwrap(), &a, &what);
        }
    }
}

#[test]
fn factors_of_random_matrices() {
    at_every_precision!(factors);
}

fn special<T: Sample>(format: T::Format) {
    qr_of_special_matrices(format, Qr::<T>::factor);
    qr_of_special_matrices(format, Qr::<T>::factor_pivoted);
}

#[test]
fn factors_of_special_matrices() {
    at_every_precision!(special);
}

/// Signs and numbers as the textbook's, since the factors of a matrix of full rank are unique but
/// for signs.
fn agreement<T: Sample>(format: T::Format) {
    let (m, n) = (50, 37);
    let a = random_matrix::<T>(format, m, n, 9);
    let textbook = Qr::factor_on(Reference, a.view()).unwrap();
    let fast = Qr::factor_on(Cpu::default(), a.view()).unwrap();
    let error = norm(&difference(&textbook.r().unwrap(), &fast.r().unwrap()));
    // R is as sensitive as κ₂(A) says (Higham 2002, section 19.9); κ₁ of R exceeds it by a factor n
    // at the most.
    let condition = fast.condition_estimate();
    let factor = Reading::of(2.0 * n as f64) * gamma::<T>(format, m, n);
    let bound = factor * condition * norm(&a);
    assert!(error <= bound, "{error:e} > {bound:e}");
}

#[test]
fn agrees_with_the_textbook() {
    at_every_precision!(agreement);
}

fn application<T: Sample>(format: T::Format) {
    let (m, n) = (70, 40);
    let qr = Qr::factor(random_matrix::<T>(format, m, n, 1).view()).unwrap();
    let c = random_matrix::<T>(format, m, 3, 2);
    let mut d = c.clone();
    qr.apply_q(Transpose::Yes, d.view_mut()).unwrap();
    let thin = product(Transpose::Yes, &qr.q().unwrap(), Transpose::No, &c);
    let top = d.view().block(0, 0, n, 3).to_matrix();
    let bound = Reading::of(2.0) * gamma::<T>(format, m, n) * norm(&c);
    assert!(norm(&difference(&top, &thin)) <= bound);
    qr.apply_q(Transpose::No, d.view_mut()).unwrap();
    assert!(norm(&difference(&d, &c)) <= bound);
    let mut short = Matrix::<T>::zeros_in(format, m - 1, 1);
    assert!(matches!(qr.apply_q(Transpose::No, short.view_mut()), Err(Error::Shape { .. })));
}

#[test]
fn q_and_its_transpose_are_applied() {
    at_every_precision!(application);
}

fn ranks<T: Sample>(format: T::Format) {
    let (m, n) = (60, 40);
    for rank in [0, 1, 7, 39, 40] {
        let (x, y) =
            (random_matrix::<T>(format, m, rank, 4), random_matrix::<T>(format, rank, n, 5));
        let a = product(Transpose::No, &x, Transpose::No, &y);
        let qr = Qr::factor_pivoted(a.view()).unwrap();
        assert_factors(&qr, &a, "low rank");
        assert_eq!(qr.rank(T::units(format, (m * n) as f64)), rank);
        let r = qr.r().unwrap();
        for j in 1..rank {
            let grown = (r.at(j, j).magnitude() / r.at(j - 1, j - 1).magnitude()).to_f64();
            // Pivoting compares norms in `f64`, of which half of the bits are right.
            assert!(grown <= 1.0 + 64.0 * (f64::EPSILON / 2.0).sqrt(), "{grown}");
        }
    }
}

#[test]
fn pivoting_reveals_the_rank() {
    at_every_precision!(ranks);
}

#[test]
fn refuses_what_does_not_fit() {
    let error = Error::Shape { operand: "a", expected: (3, 3), found: (2, 3) };
    assert_eq!(Qr::factor(Matrix::<f64>::zeros(2, 3).view()).err(), Some(error));
    for bad in [f64::NAN, f64::INFINITY] {
        let mut a = Matrix::<f64>::identity(3);
        a[(2, 1)] = bad;
        let error = Error::NotFinite { operand: "a", row: 2, col: 1 };
        assert_eq!(Qr::factor(a.view()).err(), Some(error.clone()));
        assert_eq!(Qr::factor_pivoted(a.view()).err(), Some(error));
    }
}

/// Panels of either backend, in a rectangle of a larger matrix.
fn panels<T: Sample>(format: T::Format) {
    fn factored<T: Sample, B>(backend: B, a: &Matrix<T>) -> Matrix<T>
    where
        B: for<'a> Reflecting<
                T,
                Matrix = Matrix<T>,
                Mut<'a> = MatMut<'a, T>,
                Ref<'a> = MatRef<'a, T>,
            >,
    {
        let (rows, cols) = (a.rows() + 3, a.cols() + 2);
        let mut framed = Matrix::from_fn_in(a.format(), rows, cols, |_, _| T::from_f64(f64::NAN));
        let mut place = framed.view_mut().block_mut(1, 1, a.rows(), a.cols());
        backend.copy(a.view(), place.reborrow());
        backend.qr_panel(place);
        framed.view().block(1, 1, a.rows(), a.cols()).to_matrix()
    }
    for (m, n) in [(1, 1), (9, 2), (16, 16), (50, 5)] {
        let a = random_matrix::<T>(format, m, n, 8);
        let [x, y] = [factored(Reference, &a), factored(Cpu::default(), &a)];
        let condition = Qr::factor(a.view()).unwrap().condition_estimate();
        let factor = Reading::of(2.0 * n as f64) * gamma::<T>(format, m, n);
        let bound = factor * condition * norm(&a);
        assert!(norm(&difference(&x, &y)) <= bound, "{m} × {n}");
    }
}

#[test]
fn panels_agree_with_the_textbook() {
    at_every_precision!(panels);
}
