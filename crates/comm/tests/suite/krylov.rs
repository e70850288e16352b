//! Iterative methods on rows that are shared out: results have the bits of one device.

use std::ops::ControlFlow::{self, Continue};

use nonius_comm::Communicator;
use nonius_comm::krylov::{RankMatrix, RankSpace, Ranks, Rows, scatter};
use nonius_linalg::backend::{Cpu, NumberOp, Reading, SEGMENT, Segments, Sign, Space};
use nonius_linalg::krylov::system::{
    Homes, KrylovOptions, Preconditioning, Solved, SparseFormat, SparseNumber, SparseValues,
    Storage, in_any_storage, positional,
};
use nonius_linalg::krylov::{
    Algorithm, AnySolver, HostSpace, Identity, Inverse, LinearOperator, Options, Preconditioner,
    Residual, Step, block_jacobi,
};
use nonius_linalg::sparse::{Coo, Csr, Ell, Jad, Layout, Triplet};
use nonius_linalg::{Error, Matrix, Number};
use nonius_num::Mp;
use nonius_num::mp::Bits;

/// Rows enough for every rank of four to have some, with a last segment that is not full.
const ORDER: usize = 3 * SEGMENT + 700;

/// A generator of numbers from -1 to 1: xorshift, G. Marsaglia, Journal of Statistical Software 8,
/// 2003.
struct Numbered(u64);

impl Numbered {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }
}

fn matrix(n: usize, entries: impl IntoIterator<Item = (usize, usize, f64)>) -> Csr<f64> {
    let triplet = |(row, col, value)| Triplet { row, col, value };
    let triplets = entries.into_iter().map(triplet).collect();
    Csr::from_coo(Coo::new(n, n, triplets).expect("places inside")).expect("a matrix")
}

/// Five points on a grid of `width` columns; `wind` makes it unsymmetric.
fn five_points(n: usize, width: usize, wind: f64) -> Csr<f64> {
    let point = move |i: usize| {
        let left = (!i.is_multiple_of(width)).then(|| (i, i - 1, -1.0 - wind));
        let right = (!(i + 1).is_multiple_of(width) && i + 1 < n).then(|| (i, i + 1, -1.0 + wind));
        let above = (i >= width).then(|| (i, i - width, -1.0 - wind / 2.0));
        let below = (i + width < n).then(|| (i, i + width, -1.0 + wind / 2.0));
        [above, left, Some((i, i, 4.0)), right, below].into_iter().flatten()
    };
    matrix(n, (0..n).flat_map(point))
}

/// A full first row, a full column in the middle, and a diagonal: every row is at the boundary.
fn arrow(n: usize) -> Csr<f64> {
    let mut random = Numbered(5);
    let mut entries: Vec<_> = (0..n).map(|i| (i, i, 3.0 + random.next())).collect();
    entries.extend((1..n).map(|i| (0, i, random.next() / 128.0)));
    entries.extend((1..n).map(|i| (i, n / 2, random.next() / 64.0)));
    matrix(n, entries)
}

/// Rows and columns without entries between others.
fn with_gaps(n: usize) -> Csr<f64> {
    let is_empty = |i: usize| i % 5 == 2 || (SEGMENT..SEGMENT + 30).contains(&i);
    let reach = SEGMENT / 2 + 17;
    let near = |i: usize| [(i, i, 5.0), (i, (i + reach) % n, 1.0), (i, (i * 7 + 1) % n, 0.5)];
    matrix(n, (0..n).filter(|&i| !is_empty(i)).flat_map(near))
}

/// Symmetric and positive definite, with a condition beyond the range of quad-doubles' digits.
fn ill_conditioned(n: usize) -> Csr<f64> {
    let size = |i: usize| 2.0_f64.powi((i * 37 % 240) as i32 - 120);
    let diagonal = (0..n).map(|i| (i, i, 2.0 * size(i) * size(i)));
    let beside = (1..n).flat_map(|i| {
        let x = -0.5 * size(i) * size(i - 1);
        [(i, i - 1, x), (i - 1, i, x)]
    });
    matrix(n, diagonal.chain(beside))
}

fn right(n: usize) -> Vec<f64> {
    let mut random = Numbered(11);
    (0..n).map(|_| random.next()).collect()
}

fn words<S: Segments>(space: &S, x: &S::Vector) -> Vec<u64> {
    let mut words = Vec::new();
    space.pack(x, 0..space.length(x), &mut words);
    words
}

fn words_of<S: Segments>(space: &S, x: &S::Number) -> Vec<u64> {
    let mut words = Vec::new();
    space.pack_number(x, &mut words);
    words
}

/// Thirds of these, which take all digits.
fn vector<S: Segments>(space: &mut S, entries: &[f64]) -> S::Vector {
    let mut x = space.vector(entries.len()).unwrap();
    let ([mut number, mut three, mut third], mut all) = ([(); 3].map(|()| space.number()), vec![]);
    space.set(3.0, &mut three);
    for &entry in entries {
        space.set(entry, &mut number);
        space.compute(NumberOp::Div, &number, &three, &mut third);
        space.pack_number(&third, &mut all);
    }
    space.unpack(&all, &mut x, 0..entries.len());
    x
}

/// What ranks compute in spaces like `local`, beside one device.
pub(crate) struct Sides<'a, S, V: Number> {
    pub(crate) ranks: &'a Communicator,
    pub(crate) local: S,
    /// The format of matrices.
    pub(crate) values: V::Format,
}

impl<S, V> Sides<'_, S, V>
where
    S: Segments + Clone,
    V: Number,
    Csr<V>: LinearOperator<S>,
    Ell<V>: LinearOperator<S>,
    Jad<V>: LinearOperator<S>,
{
    /// Sums and products, also those that are not finite.
    fn operations(&self, a: &Csr<f64>) {
        let a = a.to_format::<V>(self.values).unwrap();
        let (n, mut one) = (a.shape().0, self.local.clone());
        let rows = Rows::of_matrix(self.ranks.size(), &a);
        let mut space = RankSpace::new(self.ranks, rows, self.local.clone());
        let parts = RankMatrix::from_whole(&space, &a).unwrap();
        for spoilt in [None, Some(f64::INFINITY), Some(f64::NAN), Some(f64::MAX)] {
            let mut entries = right(n);
            if let Some(value) = spoilt {
                entries.iter_mut().skip(n / 2).step_by(n / 3 + 1).for_each(|x| *x = value);
            }
            let (x, mut y) = (vector(&mut one, &entries), one.vector(n).unwrap());
            let here = space.share(&x).unwrap();
            assert_eq!(words(&one, &space.whole(&here).unwrap()), words(&one, &x));
            a.apply(&mut one, &x, &mut y);
            let mut product = space.vector(n).unwrap();
            let jad = parts.clone().try_map(|part| Jad::from_csr(&part)).unwrap();
            // Rows as long as the longest would fill the memory.
            let is_regular = a.longest_row() < 10;
            let ell = is_regular.then(|| parts.clone().try_map(|part| Ell::from_csr(&part)));
            let ell = ell.map(Result::unwrap);
            let formats: [Option<&dyn LinearOperator<RankSpace<S>>>; 3] =
                [ell.as_ref().map(|ell| ell as _), Some(&jad), Some(&parts)];
            for operator in formats.into_iter().flatten() {
                space.clear(&mut product);
                operator.apply(&mut space, &here, &mut product);
                let whole = space.whole(&product).unwrap();
                assert!(words(&one, &whole) == words(&one, &y), "a product, {spoilt:?}");
            }
            let [mut expected, mut found] = [(); 2].map(|()| one.number());
            one.dot(&x, &y, &mut expected);
            space.dot(&here, &product, &mut found);
            assert_eq!(words_of(&one, &found), words_of(&one, &expected), "{spoilt:?}");
            one.norm(&x, &mut expected);
            space.norm(&here, &mut found);
            assert_eq!(words_of(&one, &found), words_of(&one, &expected), "{spoilt:?}");
            one.axpy(Sign::Minus, &expected, &x, &mut y);
            space.axpy(Sign::Minus, &found, &here, &mut product);
            let whole = space.whole(&product).unwrap();
            assert!(words(&one, &whole) == words(&one, &y), "axpy, {spoilt:?}");
        }
    }

    /// Solutions, reports and errors of a method.
    fn method(&self, a: &Csr<f64>, m: Option<&Csr<f64>>, algorithm: Algorithm, options: &Options) {
        let a = a.to_format::<V>(self.values).unwrap();
        let m = m.map(|m| Inverse(m.to_format::<V>(self.values).unwrap()));
        let (n, mut one) = (a.shape().0, self.local.clone());
        let (b, mut expected) = (vector(&mut one, &right(n)), one.vector(n).unwrap());
        let rows = Rows::of_matrix(self.ranks.size(), &a);
        let mut space = RankSpace::new(self.ranks, rows, self.local.clone());
        let parts = RankMatrix::from_whole(&space, &a).unwrap();
        let (shared, mut found) = (space.share(&b).unwrap(), space.share(&expected).unwrap());
        let m_of_ranks =
            m.as_ref().map(|Inverse(m)| Inverse(RankMatrix::from_whole(&space, m).unwrap()));

        let go_on = |_| Continue(());
        let m: &dyn Preconditioner<S> = m.as_ref().map_or(&Identity, |m| m);
        let mut solver = AnySolver::new(&one, n, algorithm).unwrap();
        let told = solver.solve(&mut one, &a, m, &b, &mut expected, options, go_on);
        let m: &dyn Preconditioner<RankSpace<S>> = m_of_ranks.as_ref().map_or(&Identity, |m| m);
        let mut solver = AnySolver::new(&space, n, algorithm).unwrap();
        let heard = solver.solve(&mut space, &parts, m, &shared, &mut found, options, go_on);
        // What is not a number equals nothing.
        assert_eq!(format!("{heard:?}"), format!("{told:?}"), "{algorithm}");
        let found = space.whole(&found).unwrap();
        assert!(words(&one, &found) == words(&one, &expected), "{algorithm}");
    }

    /// Everything.
    pub(crate) fn check(&self) {
        let (arrow, gaps) = (arrow(ORDER), with_gaps(ORDER));
        for a in [&five_points(ORDER, 97, 0.25), &arrow, &gaps, &matrix(0, [])] {
            self.operations(a);
        }
        self.check_methods();
        for algorithm in [Algorithm::Bicgstab, GMRES] {
            let options = Options { residual: Residual::True, ..some(9, 1e-3) };
            self.method(&arrow, None, algorithm, &options);
            // A singular matrix: the method ends as on one device.
            self.method(&gaps, None, algorithm, &some(5, 1e-30));
        }
        for n in [0, 1, 3, 50] {
            let small = five_points(n, 2, 0.0);
            self.method(&small, None, Algorithm::Cg, &some(20, 1e-12));
            self.method(&small, None, GMRES, &some(20, 1e-12));
        }
    }

    /// Every method, on matrices that it is for.
    pub(crate) fn check_methods(&self) {
        let (laplacian, windy) = (five_points(ORDER, 120, 0.0), five_points(ORDER, 97, 0.25));
        let m = block_jacobi(&laplacian, 13).unwrap().0;
        for algorithm in [Algorithm::Cg, Algorithm::Minres] {
            self.method(&laplacian, None, algorithm, &some(7, 1e-30));
            self.method(&laplacian, Some(&m), algorithm, &some(3, 1e-30));
        }
        for algorithm in [Algorithm::Bicgstab, GMRES] {
            self.method(&windy, None, algorithm, &some(7, 1e-30));
        }
    }

    /// Where numbers have more digits than this matrix takes away.
    pub(crate) fn check_ill_conditioned(&self) {
        self.method(&ill_conditioned(ORDER), None, Algorithm::Cg, &some(25, 1e-40));
    }
}

/// Begins anew within the iterations of these tests.
const GMRES: Algorithm = Algorithm::Gmres { restart: 4 };

fn some(max_iterations: usize, tolerance: f64) -> Options {
    Options { max_iterations, tolerance, history: true, ..Options::default() }
}

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
fn compare<T: SparseNumber>(
    ranks: &Communicator,
    format: T::Format,
    a: &Csr<f64>,
    options: &KrylovOptions,
    (by_ranks, by_one): (Solve<T, Ranks>, Solve<T, Cpu>),
) {
    let backend = Ranks::new(ranks, Rows::of_matrix(ranks.size(), a));
    let expected = system(&Cpu::default(), format, a, options, by_one);
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
pub(crate) fn systems<T: SparseNumber>(ranks: &Communicator, format: T::Format) {
    let plain = KrylovOptions {
        iteration: Options { residual: Residual::True, ..some(15, 1e-10) },
        ..KrylovOptions::default()
    };
    let compare = |a: &Csr<f64>, options: &KrylovOptions| {
        compare::<T>(ranks, format, a, options, (positional, positional));
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
pub(crate) fn residues(ranks: &Communicator, bits: Bits) {
    let plain = KrylovOptions {
        iteration: some(4, 1e-10),
        storage: Storage::Residues(None),
        ..KrylovOptions::default()
    };
    let a = five_points(2 * SEGMENT + 9, 101, 0.0);
    for options in [plain.clone(), KrylovOptions { refine: Some(1e-3), ..plain }] {
        compare::<Mp>(ranks, bits, &a, &options, (in_any_storage, in_any_storage));
    }
}

/// Rows from rank 0 are those that each rank cuts from the whole.
pub(crate) fn rows_of_one<V: Number>(ranks: &Communicator, format: V::Format)
where
    Csr<V>: LinearOperator<HostSpace<V>>,
{
    for a in [with_gaps(ORDER), arrow(ORDER), five_points(3, 2, 0.0), matrix(0, [])] {
        let a = a.map::<V>(format, |x| V::from_f64(x).to_format(format) / V::from_f64(3.0));
        let a = a.unwrap();
        let (rows, part) = scatter(ranks, format, (ranks.rank() == 0).then_some(&a)).unwrap();
        assert_eq!(rows, Rows::of_matrix(ranks.size(), &a));
        let own = rows.of(ranks.rank());
        assert_eq!(part.shape(), (own.len(), rows.order()));
        for (row, here) in own.zip(0..) {
            let [expected, found] = [(&a, row), (&part, here)].map(|(a, row)| {
                let entries = a.row(row).map(|(at, col)| (col, a.values().at(at)));
                entries.collect::<Vec<_>>()
            });
            assert_eq!(found, expected);
        }
        let space = RankSpace::new(ranks, rows, HostSpace::<V>::new(format));
        RankMatrix::new(&space, &part).unwrap();
        let whole = RankMatrix::from_whole(&space, &five_points(7, 2, 0.0)).err();
        assert!(matches!(whole, Some(Error::Shape { .. })));
    }
}

/// Iterations without an end but the number that is given, after which this rank's are over.
pub(crate) fn iterate(ranks: &Communicator, max_iterations: usize) -> Result<(), String> {
    let (a, local) = (five_points(ORDER, 120, 0.0), HostSpace::<f64>::new(()));
    let mut space = RankSpace::new(ranks, Rows::of_matrix(ranks.size(), &a), local);
    let parts = RankMatrix::from_whole(&space, &a).map_err(|error| error.to_string())?;
    let b = space.share(&right(ORDER).into()).map_err(|error| error.to_string())?;
    let [mut p, mut q] = [b.clone(), b];
    let mut log = space.log(1, Reading::ZERO);
    let mut norm = space.number();
    for _ in 0..max_iterations {
        parts.apply(&mut space, &p, &mut q);
        space.norm(&q, &mut norm);
        space.record(&mut log, [&norm]);
        space.look(&mut log).map_err(|error| error.to_string())?;
        core::mem::swap(&mut p, &mut q);
    }
    Ok(())
}
