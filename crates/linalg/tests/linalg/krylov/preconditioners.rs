//! Preconditioners: what they are, and that they help.

use nonius_linalg::backend::Space;
use nonius_linalg::krylov::{
    Cg, Identity, IncompleteCholesky, Inverse, LimbSpace, MpSpace, Options, Preconditioner,
    block_jacobi, jacobi,
};
use nonius_linalg::mp::{Bits, Mp, Numbers};
use nonius_linalg::sparse::{Csr, Layout, Triplet};
use nonius_linalg::{Error, Scalar};
use nonius_num::{Dd, Qd, Real};

use crate::krylov::common::{diagonal, laplacian, matrix, right_side, to_mp};

const SPREAD: u32 = 6;

fn iterations<T: Scalar, M: Preconditioner<LimbSpace<T>>>(a: &Csr<Vec<f64>>, m: &M) -> usize {
    let b: Vec<T> = right_side(a);
    let mut space = LimbSpace::new();
    let mut x = vec![T::ZERO; b.len()];
    let mut cg = Cg::new(&space, b.len()).unwrap();
    let report = cg.solve(&mut space, a, m, &b, &mut x, &Options::default(), |_| {}).unwrap();
    assert!(
        report.converged && report.relative_residual_true < 1.25 * Options::default().tolerance
    );
    report.iterations
}

fn mp_iterations<M: Preconditioner<MpSpace>>(a: &Csr<Vec<f64>>, m: &M) -> usize {
    let b = to_mp(Bits::new(212).unwrap(), &right_side(a));
    let mut space = MpSpace::new(b.bits());
    let mut x = Numbers::zeros(b.bits(), b.len());
    let mut cg = Cg::new(&space, b.len()).unwrap();
    let a = a.to_mp().unwrap();
    let report = cg.solve(&mut space, &a, m, &b, &mut x, &Options::default(), |_| {}).unwrap();
    assert!(
        report.converged && report.relative_residual_true < 1.25 * Options::default().tolerance
    );
    report.iterations
}

/// On a badly scaled matrix each takes fewer iterations than the one before.
#[test]
fn better_preconditioners_take_fewer_iterations() {
    let a = laplacian(12, SPREAD);
    let mp = a.to_mp().unwrap();
    let short = mp.values().bits();
    let none = iterations::<Dd, _>(&a, &Identity);
    let point = iterations::<Dd, _>(&a, &jacobi::<_, Vec<f64>>(&a, (), |x| 1.0 / x).unwrap());
    let block = iterations::<Dd, _>(&a, &block_jacobi(&a, 12).unwrap());
    let factor = iterations::<Dd, _>(&a, &IncompleteCholesky::new(&a).unwrap());
    assert!(none > point && point > block && block > factor, "{none} {point} {block} {factor}");

    let by_mp = [
        mp_iterations(
            &a,
            &jacobi::<_, Numbers>(&mp, short, |x| Mp::from_f64(short, 1.0 / x.to_f64())).unwrap(),
        ),
        mp_iterations(&a, &Inverse(block_jacobi(&mp, 12).unwrap().0.to_mp().unwrap())),
        mp_iterations(&a, &IncompleteCholesky::new(&mp).unwrap()),
    ];
    for (mp, limbs) in by_mp.into_iter().zip([point, block, factor]) {
        assert!(mp.abs_diff(limbs) <= 2, "{mp} {limbs}");
    }
}

/// In full precision the inverse of the diagonal is that of the vectors, and solves a diagonal system at once.
#[test]
fn jacobi_in_full_precision() {
    let a = diagonal(&[3.0, 7.0, 11.0]);
    let inverse = |x: f64| Qd::ONE / Qd::from_f64(x);
    assert_eq!(iterations::<Qd, _>(&a, &jacobi::<_, Vec<Qd>>(&a, (), inverse).unwrap()), 1);
    let m = jacobi::<_, Vec<Qd>>(&a, (), inverse).unwrap();
    let mut z = vec![Qd::ZERO; 3];
    m.apply(&mut LimbSpace::new(), &vec![Qd::ONE; 3], &mut z);
    for (z, x) in z.iter().zip([3.0, 7.0, 11.0]) {
        assert!((*z * Qd::from_f64(x) - Qd::ONE).abs().to_f64() <= 8.0 * Qd::UNIT_ROUNDOFF);
    }
}

/// Where the matrix has the pattern of its factor, the factorisation is complete and one iteration does.
#[test]
fn incomplete_cholesky_of_a_tridiagonal_matrix_is_complete() {
    let mut triplets = Vec::new();
    for i in 0..50 {
        triplets.push(Triplet { row: i, col: i, value: 2.0 + i as f64 });
        if i > 0 {
            triplets.push(Triplet { row: i, col: i - 1, value: -1.0 });
            triplets.push(Triplet { row: i - 1, col: i, value: -1.0 });
        }
    }
    let a = matrix(50, triplets);
    assert_eq!(iterations::<f64, _>(&a, &IncompleteCholesky::new(&a).unwrap()), 1);
    assert_eq!(iterations::<Qd, _>(&a, &IncompleteCholesky::new(&a).unwrap()), 1);
    assert_eq!(mp_iterations(&a, &IncompleteCholesky::new(&a.to_mp().unwrap()).unwrap()), 1);
    let bits = Bits::new(212).unwrap();
    let wide: Csr<Numbers> = a.map(bits, |x| Mp::from_f64(bits, x)).unwrap();
    let m = IncompleteCholesky::new(&wide).unwrap();
    // M⁻¹·A·x = x to working precision.
    let x = to_mp(bits, &(1..=50).map(f64::from).collect::<Vec<_>>());
    let mut b = Numbers::zeros(bits, 50);
    nonius_linalg::sparse::mp_spmv(&wide, x.as_slice(), b.as_mut_slice()).unwrap();
    let mut z = Numbers::zeros(bits, 50);
    m.apply(&mut MpSpace::new(bits), &b, &mut z);
    for i in 0..50 {
        assert!((z.at(i) - x.at(i)).abs().to_f64() < 50.0 * 1000.0 * 0.5_f64.powi(212));
    }
}

/// One block is the whole inverse.
#[test]
fn one_block_is_all() {
    let a = laplacian(4, 1);
    assert!(iterations::<f64, _>(&a, &block_jacobi(&a, 100).unwrap()) <= 2);
}

#[test]
fn matrices_without_preconditioner() {
    let t = |row, col, value| Triplet { row, col, value };
    let missing = matrix(3, vec![t(0, 0, 1.0), t(1, 2, 1.0), t(2, 1, 1.0), t(2, 2, 1.0)]);
    let error = jacobi::<_, Vec<f64>>(&missing, (), |x| 1.0 / x).unwrap_err();
    assert_eq!(error, Error::ZeroDiagonal { row: 1 });
    assert!(error.to_string().contains("row 2"));
    let tiny = diagonal(&[1.0, 1.0, 1e-310]);
    assert_eq!(
        jacobi::<_, Vec<f64>>(&tiny, (), |x| 1.0 / x).unwrap_err(),
        Error::ZeroDiagonal { row: 2 }
    );
    let error = IncompleteCholesky::new(&diagonal(&[1.0, -4.0])).unwrap_err();
    assert_eq!(error, Error::IncompletePivot { row: 1, pivot: -4.0 });
    assert!(matches!(
        IncompleteCholesky::new(&missing),
        Err(Error::IncompletePivot { row: 1, .. })
    ));
    let error = block_jacobi(&diagonal(&[1.0, 2.0, 3.0, 0.0]), 2).unwrap_err();
    assert_eq!(error, Error::Singular { column: 3 });
}

/// The identity is left out by methods, and is one nevertheless.
#[test]
fn identity_copies() {
    let mut space = LimbSpace::new();
    let (r, mut z) = (vec![1.0, 2.0], space.vector(2).unwrap());
    Identity.apply(&mut space, &r, &mut z);
    assert_eq!(r, z);
}
