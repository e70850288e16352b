//! Preconditioners: what they are, and that they help.

use std::ops::ControlFlow;

use nonius_linalg::backend::{Cpu, Space};
use nonius_linalg::krylov::system::{
    KrylovOptions, Preconditioning, SparseNumber, SparseValues, positional,
};
use nonius_linalg::krylov::{
    Cg, HostSpace, Identity, IncompleteCholesky, Inverse, Options, Preconditioner, block_jacobi,
    jacobi,
};
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::{Coo, Csr, Layout, Triplet, spmv};
use nonius_linalg::{Error, Matrix, Numbers};
use nonius_num::{Dd, Qd, Real};

use crate::krylov::common::{diagonal, laplacian, matrix, numbers, right_side};

const SPREAD: u32 = 6;

fn iterations<T: SparseNumber>(
    format: T::Format,
    a: &Csr<f64>,
    m: &impl Preconditioner<HostSpace<T>>,
) -> usize {
    let b: Numbers<T> = numbers(format, &right_side(a));
    let mut space = HostSpace::new(format);
    let mut x = Numbers::zeros(format, b.len());
    let mut cg = Cg::new(&space, b.len()).unwrap();
    let a = T::short(a.clone()).unwrap();
    let report = cg
        .solve(&mut space, &a, m, &b, &mut x, &Options::default(), |_| ControlFlow::Continue(()))
        .unwrap();
    assert!(
        report.converged && report.relative_residual_true < 1.25 * Options::default().tolerance
    );
    report.iterations
}

/// On a badly scaled matrix each takes fewer iterations than the one before.
#[test]
fn better_preconditioners_take_fewer_iterations() {
    let a = laplacian(12, SPREAD);
    let mp = a.to_format::<Mp>(Bits::FEWEST).unwrap();
    let short = mp.values().bits();
    let none = iterations::<Dd>((), &a, &Identity);
    let point = iterations::<Dd>((), &a, &jacobi::<_, f64>(&a, (), |x| 1.0 / x).unwrap());
    let block = iterations::<Dd>((), &a, &block_jacobi(&a, 12).unwrap());
    let factor = iterations::<Dd>((), &a, &IncompleteCholesky::new(&a).unwrap());
    assert!(none > point && point > block && block > factor, "{none} {point} {block} {factor}");

    for p in [106, 212, 1000, 2048] {
        let bits = Bits::new(p).unwrap();
        let inverse = |x: Mp| Mp::from_f64(short, 1.0 / x.to_f64());
        let blocks = block_jacobi(&mp, 12).unwrap().0.to_format::<Mp>(short).unwrap();
        let by_mp = [
            iterations(bits, &a, &jacobi::<_, Mp>(&mp, short, inverse).unwrap()),
            iterations::<Mp>(bits, &a, &Inverse(blocks)),
            iterations::<Mp>(bits, &a, &IncompleteCholesky::new(&mp).unwrap()),
        ];
        for (mp, limbs) in by_mp.into_iter().zip([point, block, factor]) {
            assert!(mp.abs_diff(limbs) <= 2, "{mp} {limbs}");
        }
    }
}

/// In full precision the inverse of the diagonal is that of the vectors, and solves a diagonal
/// system at once.
#[test]
fn jacobi_in_full_precision() {
    let a = diagonal(&[3.0, 7.0, 11.0]);
    let inverse = |x: f64| Qd::ONE / Qd::from_f64(x);
    assert_eq!(iterations::<Qd>((), &a, &jacobi::<_, Qd>(&a, (), inverse).unwrap()), 1);
    let m = jacobi::<_, Qd>(&a, (), inverse).unwrap();
    let mut z = Numbers::zeros((), 3);
    m.apply(&mut HostSpace::new(()), &Numbers::from(vec![Qd::ONE; 3]), &mut z);
    for (z, x) in z.plain().iter().zip([3.0, 7.0, 11.0]) {
        assert!((*z * Qd::from_f64(x) - Qd::ONE).abs().to_f64() <= 8.0 * Qd::UNIT_ROUNDOFF);
    }
}

/// Where the matrix has the pattern of its factor, the factorisation is complete and one iteration
/// does.
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
    assert_eq!(iterations::<f64>((), &a, &IncompleteCholesky::new(&a).unwrap()), 1);
    assert_eq!(iterations::<Qd>((), &a, &IncompleteCholesky::new(&a).unwrap()), 1);
    let bits = Bits::new(212).unwrap();
    let short = a.to_format::<Mp>(Bits::FEWEST).unwrap();
    assert_eq!(iterations::<Mp>(bits, &a, &IncompleteCholesky::new(&short).unwrap()), 1);
    let wide: Csr<Mp> = a.to_format(bits).unwrap();
    let m = IncompleteCholesky::new(&wide).unwrap();
    // M⁻¹·A·x = x to working precision.
    let x = numbers::<Mp>(bits, &(1..=50).map(f64::from).collect::<Vec<_>>());
    let mut b = Numbers::zeros(bits, 50);
    spmv(&wide, &x, &mut b).unwrap();
    let mut z = Numbers::zeros(bits, 50);
    m.apply(&mut HostSpace::<Mp>::new(bits), &b, &mut z);
    for i in 0..50 {
        assert!((z.at(i) - x.at(i)).abs().to_f64() < 50.0 * 1000.0 * 0.5_f64.powi(212));
    }
}

/// One block is the whole inverse.
#[test]
fn one_block_is_all() {
    let a = laplacian(4, 1);
    assert!(iterations::<f64>((), &a, &block_jacobi(&a, 100).unwrap()) <= 2);
}

#[test]
fn matrices_without_preconditioner() {
    let t = |row, col, value| Triplet { row, col, value };
    let missing = matrix(3, vec![t(0, 0, 1.0), t(1, 2, 1.0), t(2, 1, 1.0), t(2, 2, 1.0)]);
    let error = jacobi::<_, f64>(&missing, (), |x| 1.0 / x).unwrap_err();
    assert_eq!(error, Error::ZeroDiagonal { row: 1 });
    assert!(error.to_string().contains("row 2"));
    let tiny = diagonal(&[1.0, 1.0, 1e-310]);
    assert_eq!(
        jacobi::<_, f64>(&tiny, (), |x| 1.0 / x).unwrap_err(),
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
    let mut space = HostSpace::new(());
    let (r, mut z) = (Numbers::from(vec![1.0, 2.0]), space.vector(2).unwrap());
    Identity.apply(&mut space, &r, &mut z);
    assert_eq!(r, z);
}

/// Systems beyond the range of `f64` take the iterations of those in its middle.
#[test]
fn preconditioners_have_the_range_of_the_numbers() {
    let a = laplacian(12, SPREAD);
    let b = right_side(&a);
    let n = b.len();
    for p in [64, 212] {
        let bits = Bits::new(p).unwrap();
        let iterations = |preconditioning, exponent: i32| {
            let far = a.map(bits, |x| Mp::from_f64(bits, x).ldexp(exponent)).unwrap();
            let b = Matrix::from_fn_in(bits, n, 1, |i, _| Mp::from_f64(bits, b[i]).ldexp(exponent));
            let vectors = (&b, &Matrix::zeros_in(bits, n, 1));
            let options = KrylovOptions { preconditioning, ..KrylovOptions::default() };
            let values = SparseValues::Full(far.to_coo());
            let found = positional(&Cpu::default(), bits, values, vectors, &options, &mut |_| {
                ControlFlow::Continue(())
            })
            .unwrap();
            assert!(found.iterated.iteration.converged, "{preconditioning:?} 2^{exponent}");
            found.iterated.iteration.iterations
        };
        for preconditioning in [
            Preconditioning::Jacobi,
            Preconditioning::BlockJacobi(12),
            Preconditioning::IncompleteCholesky,
        ] {
            let near = iterations(preconditioning, 0);
            for exponent in [-5001, -1100, 1100, 5000] {
                let far = iterations(preconditioning, exponent);
                assert!(far.abs_diff(near) <= 1, "{preconditioning:?} mp{p} 2^{exponent}: {far}");
            }
        }
    }
}

/// Blocks are brought to the range of `f64` one by one.
#[test]
fn blocks_far_apart() {
    let bits = Bits::FEWEST;
    let far = |x: f64, exponent| Mp::from_f64(bits, x).ldexp(exponent);
    let diagonal = [far(3.0, 2000), far(4.0, -2000)];
    let triplets = (0..2).map(|i| Triplet { row: i, col: i, value: diagonal[i] }).collect();
    let values = SparseValues::Full(Coo::new(2, 2, triplets).unwrap());
    let (b, zeros) =
        (Matrix::from_fn_in(bits, 2, 1, |i, _| diagonal[i]), Matrix::zeros_in(bits, 2, 1));
    let preconditioning = Preconditioning::BlockJacobi(1);
    let options = KrylovOptions { preconditioning, ..KrylovOptions::default() };
    let found = positional(&Cpu::default(), bits, values, (&b, &zeros), &options, &mut |_| {
        ControlFlow::Continue(())
    });
    assert!(found.is_ok_and(|found| found.iterated.iteration.converged));
}

/// Pivots are numbers of the matrix's precision, and range.
#[test]
fn small_pivots_are_positive() {
    let bits = Bits::new(106).unwrap();
    let tiny: Csr<Mp> =
        diagonal(&[4.0, 9.0]).map(bits, |x| Mp::from_f64(bits, x).ldexp(-3000)).unwrap();
    let inverses = IncompleteCholesky::new(&tiny).unwrap().parts().2.clone();
    for (i, root) in [2.0, 3.0].into_iter().enumerate() {
        let error = inverses.at(i).ldexp(-1500) * Mp::from_f64(bits, root) - Mp::ONE;
        assert!(error.abs().to_f64() <= 0.5_f64.powi(105));
    }
    let negative: Csr<Mp> = tiny.map(bits, |x| -x).unwrap();
    let refused = IncompleteCholesky::new(&negative).unwrap_err();
    assert!(matches!(refused, Error::IncompletePivot { row: 0, .. }));
}
