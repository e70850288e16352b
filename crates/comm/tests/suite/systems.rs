//! Whole systems on ranks: solutions and reports are those of one device.

use std::ops::ControlFlow::{self, Continue};

use nonius_comm::Communicator;
use nonius_comm::dense::Link;
use nonius_comm::krylov::{Ranks, Rows};
use nonius_linalg::backend::SEGMENT;
use nonius_linalg::krylov::system::{
    Homes, KrylovOptions, Preconditioning, Solved, SparseFormat, SparseNumber, SparseValues,
    Storage, in_any_storage, positional,
};
use nonius_linalg::krylov::{Algorithm, HostSpace, Options, Residual, Step};
use nonius_linalg::sparse::{Csr, Layout};
use nonius_linalg::{Error, Matrix};
use nonius_num::Mp;
use nonius_num::mp::Bits;

use super::krylov::{Numbered, ORDER, five_points, matrix, some, with_gaps, words};

/// A solution and its report.
type Outcome<T> = Result<(Matrix<T>, String), Error>;

/// A system solved by a backend, from its entries.
fn system<T: SparseNumber, B: Homes>(
    backend: &B,
    format: T::Format,
    a: &Csr<f64>,
    options: &KrylovOptions,
    solve: Solve<T, B>,
) -> Outcome<T> {
    let (n, mut random) = (a.shape().0, Numbered(17));
    let third = |x: f64| T::from_f64(x).to_format(format) / T::from_f64(3.0);
    let b = Matrix::from_fn_in(format, n, 1, |_, _| third(random.next()));
    let x0 = Matrix::from_fn_in(format, n, 1, |i, _| third((i % 3) as f64));
    let a = SparseValues::Short(a.to_coo());
    let solved = solve(backend, format, a, (&b, &x0), options, &mut |_| Continue(()))?;
    let (iterated, entries) = (solved.iterated, solved.entries);
    let told = format!("{:?} {:?} {entries}", iterated.iteration, iterated.inner_iterations);
    Ok((solved.x, told))
}

type Solve<T, B> = fn(
    &B,
    <T as nonius_num::Element>::Format,
    SparseValues<T>,
    (&Matrix<T>, &Matrix<T>),
    &KrylovOptions,
    &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<Solved<Matrix<T>>, Error>;

/// Solutions and reports of whole systems.
fn compare<T: SparseNumber, B: Homes + Link>(
    (ranks, one): (&Communicator, &B),
    format: T::Format,
    a: &Csr<f64>,
    options: &KrylovOptions,
    (by_ranks, by_one): (Solve<T, Ranks<B>>, Solve<T, B>),
) where
    Ranks<B>: Homes,
{
    let backend = Ranks::new(ranks, Rows::of_matrix(ranks.size(), a), one.clone()).unwrap();
    let expected = system(one, format, a, options, by_one);
    let found = system(&backend, format, a, options, by_ranks);
    match (found, expected) {
        (Ok((x, told)), Ok((y, expected))) => {
            assert_eq!(told, expected);
            let space = HostSpace::<T>::new(format);
            assert!(words(&space, x.numbers()) == words(&space, y.numbers()), "{options:?}");
        }
        (found, expected) => assert_eq!(found.err(), expected.err()),
    }
}

/// Systems of numbers of a kind.
pub(crate) fn check<T: SparseNumber, B: Homes + Link>(
    ranks: &Communicator,
    one: &B,
    format: T::Format,
) where
    Ranks<B>: Homes,
{
    let plain = KrylovOptions {
        iteration: Options { residual: Residual::True, ..some(15, 1e-10) },
        ..KrylovOptions::default()
    };
    let compare = |a: &Csr<f64>, options: &KrylovOptions| {
        compare::<T, B>((ranks, one), format, a, options, (positional, positional));
    };
    let (symmetric, windy) = (five_points(ORDER, 101, 0.0), five_points(ORDER, 101, 0.25));
    let ic0 = Preconditioning::IncompleteCholesky;
    for options in [
        plain.clone(),
        KrylovOptions { preconditioning: ic0, full_preconditioner: true, ..plain.clone() },
        KrylovOptions { preconditioning: ic0, refine: Some(1e-3), ..plain.clone() },
        KrylovOptions { format: SparseFormat::Dia, ..plain.clone() },
    ] {
        compare(&symmetric, &options);
    }
    for (preconditioning, format) in [
        (Preconditioning::Jacobi, SparseFormat::Jad),
        (Preconditioning::BlockJacobi(7), SparseFormat::Ell),
    ] {
        let algorithm = Algorithm::Bicgstab;
        let options = KrylovOptions { algorithm, preconditioning, format, ..plain.clone() };
        compare(&windy, &options);
    }
    // All entries, zeros too.
    let options = KrylovOptions { format: SparseFormat::Full, ..plain.clone() };
    compare(&five_points(30, 5, 0.0), &options);
    // Errors are those of one device.
    compare(&windy, &plain);
    compare(&with_gaps(ORDER), &KrylovOptions { algorithm: Algorithm::Bicgstab, ..plain.clone() });
    let jacobi = Preconditioning::Jacobi;
    compare(&matrix(40, []), &KrylovOptions { preconditioning: jacobi, ..plain });
}

/// A system of numbers in residues, with corrections in `f64` and without.
pub(crate) fn residues<B: Homes + Link>(ranks: &Communicator, one: &B, bits: Bits)
where
    Ranks<B>: Homes,
{
    let plain = KrylovOptions {
        iteration: some(4, 1e-10),
        storage: Storage::Residues(None),
        ..KrylovOptions::default()
    };
    let a = five_points(2 * SEGMENT + 9, 101, 0.0);
    for options in [plain.clone(), KrylovOptions { refine: Some(1e-3), ..plain }] {
        let sides = (ranks, one);
        compare::<Mp, B>(sides, bits, &a, &options, (in_any_storage, in_any_storage));
    }
}
