//! Iterative methods on rows that are shared out: results have the bits of one device.

use std::ops::ControlFlow::Continue;

use nonius_comm::Communicator;
use nonius_comm::krylov::{RankMatrix, RankSpace, Rows, Travel, scatter};
use nonius_linalg::backend::{Cpu, NumberOp, Reading, SEGMENT, Sign, Space, Words};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::system::{Carries, Home, Homes, Operator, SparseNumber};
use nonius_linalg::krylov::{
    Algorithm, AnySolver, HostSpace, Identity, Inverse, LinearOperator, Options, Preconditioner,
    Residual, RnsSpace, block_jacobi,
};
use nonius_linalg::sparse::{Coo, Csr, Ell, Jad, Layout, Triplet};
use nonius_linalg::{Error, Number};

/// Rows enough for every rank of four to have some, with a last segment that is not full.
pub(super) const ORDER: usize = 3 * SEGMENT + 700;

/// A generator of numbers from -1 to 1: xorshift, G. Marsaglia, Journal of Statistical Software 8,
/// 2003.
pub(super) struct Numbered(pub(super) u64);

impl Numbered {
    pub(super) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }
}

pub(super) fn matrix(n: usize, entries: impl IntoIterator<Item = (usize, usize, f64)>) -> Csr<f64> {
    let triplet = |(row, col, value)| Triplet { row, col, value };
    let triplets = entries.into_iter().map(triplet).collect();
    Csr::from_coo(Coo::new(n, n, triplets).expect("places inside")).expect("a matrix")
}

/// Five points on a grid of `width` columns; `wind` makes it unsymmetric.
pub(super) fn five_points(n: usize, width: usize, wind: f64) -> Csr<f64> {
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
pub(super) fn with_gaps(n: usize) -> Csr<f64> {
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

pub(super) fn words<H: Words>(host: &H, x: &H::Vector) -> Vec<u64> {
    let mut words = Vec::new();
    host.pack(x, 0..host.length(x), &mut words);
    words
}

/// Thirds of these, which take all digits.
fn vector<H: Words>(host: &mut H, entries: &[f64]) -> H::Vector {
    let mut x = host.vector(entries.len()).unwrap();
    let ([mut number, mut three, mut third], mut all) = ([(); 3].map(|()| host.number()), vec![]);
    host.set(3.0, &mut three);
    for &entry in entries {
        host.set(entry, &mut number);
        host.compute(NumberOp::Div, &number, &three, &mut third);
        host.pack_number(&third, &mut all);
    }
    host.unpack(&all, &mut x, 0..entries.len());
    x
}

/// An operator of a device.
struct Put<S>(Operator<S>);

impl<S: Space> LinearOperator<S> for Put<S> {
    fn size(&self) -> (usize, usize) {
        self.0.size()
    }

    fn apply(&self, space: &mut S, x: &S::Vector, y: &mut S::Vector) {
        self.0.apply(space, x, y);
    }
}

/// What ranks compute beside one device. Vectors are made in the space `host`.
pub(crate) struct Sides<'a, H: Space, L: Home<H>, V: Number> {
    pub(crate) ranks: &'a Communicator,
    pub(crate) host: H,
    /// The device's home and a space of it.
    pub(crate) home: &'a dyn Fn() -> L,
    pub(crate) space: &'a dyn Fn() -> L::Space,
    /// The format of matrices.
    pub(crate) values: V::Format,
}

/// The sides of ranks and of one host.
pub(crate) fn on_hosts<T: SparseNumber, V: Number, R>(
    ranks: &Communicator,
    (format, arithmetic): (T::Format, Arithmetic),
    values: V::Format,
    check: impl FnOnce(&Sides<'_, HostSpace<T>, <Cpu as Homes>::Numbers<T>, V>) -> R,
) -> R {
    let space = || HostSpace::<T>::new(format).with_arithmetic(arithmetic).unwrap();
    let home = || Cpu::default().numbers::<T>(format, arithmetic).unwrap().0;
    check(&Sides { ranks, host: space(), home: &home, space: &space, values })
}

/// The same of numbers in residues.
pub(crate) fn on_hosts_in_residues<R>(
    ranks: &Communicator,
    host: RnsSpace,
    check: impl FnOnce(&Sides<'_, RnsSpace, <Cpu as Homes>::Residues, f64>) -> R,
) -> R {
    let home = || Cpu::default().residues(host.clone()).unwrap().0;
    check(&Sides { ranks, host: host.clone(), home: &home, space: &|| host.clone(), values: () })
}

impl<H, L, S, V> Sides<'_, H, L, V>
where
    H: Words + Clone,
    L: Carries<H, V, Space = S>,
    S: Travel + 'static,
    V: Number,
    Csr<V>: LinearOperator<H>,
    Ell<V>: LinearOperator<H>,
    Jad<V>: LinearOperator<H>,
{
    fn words(&self, home: &L, x: S::Vector) -> Vec<u64> {
        words(&self.host, &home.host(x).unwrap())
    }

    /// The words of a number, which comes to the host as `0 + 1·x`.
    fn words_of(&self, home: &mut L, x: &S::Number) -> Vec<u64> {
        let mut one = self.host.vector(1).unwrap();
        let mut words = Vec::new();
        let mut number = self.host.number();
        let mut host = self.host.clone();
        host.set(1.0, &mut number);
        host.pack_number(&number, &mut words);
        host.unpack(&words, &mut one, 0..1);
        let one = home.vector(one).unwrap();
        let mut entry = home.space().vector(1).unwrap();
        home.space().axpy(Sign::Plus, x, &one, &mut entry);
        self.words(home, entry)
    }

    /// Sums and products, also those that are not finite.
    fn operations(&self, a: &Csr<f64>) {
        let a = a.to_format::<V>(self.values).unwrap();
        let (n, mut home, mut host) = (a.shape().0, (self.home)(), self.host.clone());
        let rows = Rows::of_matrix(self.ranks.size(), &a);
        let mut space = RankSpace::new(self.ranks, rows, (self.space)()).unwrap();
        let parts = || RankMatrix::from_whole(&space, &a).unwrap();
        // Rows as long as the longest would fill the memory.
        let is_regular = a.longest_row() < 10;
        let ell = |part: Csr<V>| Ok(Put(home.operator(Ell::from_csr(&part)?)?));
        let jad = |part: Csr<V>| Ok(Put(home.operator(Jad::from_csr(&part)?)?));
        let mut formats = vec![parts().try_map(jad).unwrap()];
        formats.extend(is_regular.then(|| parts().try_map(ell).unwrap()));
        formats.push(parts().try_map(|part| Ok(Put(home.operator(part)?))).unwrap());
        let one = home.operator(a.clone()).unwrap();
        for spoilt in [None, Some(f64::INFINITY), Some(f64::NAN), Some(f64::MAX)] {
            let mut entries = right(n);
            if let Some(value) = spoilt {
                entries.iter_mut().skip(n / 2).step_by(n / 3 + 1).for_each(|x| *x = value);
            }
            let made = || vector(&mut self.host.clone(), &entries);
            let x = home.vector(made()).unwrap();
            let mut y = home.space().vector(n).unwrap();
            let here = space.share(&x).unwrap();
            let whole = space.whole(&here).unwrap();
            assert_eq!(self.words(&home, whole), words(&host, &made()));
            one.apply(home.space(), &x, &mut y);
            let mut product = space.vector(n).unwrap();
            let copied = |home: &mut L, from: &S::Vector| {
                let mut copy = home.space().vector(n).unwrap();
                home.space().copy(from, &mut copy);
                self.words(home, copy)
            };
            for operator in &formats {
                space.clear(&mut product);
                operator.apply(&mut space, &here, &mut product);
                let whole = space.whole(&product).unwrap();
                assert!(self.words(&home, whole) == copied(&mut home, &y), "a product, {spoilt:?}");
            }
            let [mut expected, mut found] = [(); 2].map(|()| home.space().number());
            home.space().dot(&x, &y, &mut expected);
            space.dot(&here, &product, &mut found);
            let both = [&found, &expected].map(|x| self.words_of(&mut home, x));
            assert_eq!(both[0], both[1], "{spoilt:?}");
            home.space().norm(&x, &mut expected);
            space.norm(&here, &mut found);
            let both = [&found, &expected].map(|x| self.words_of(&mut home, x));
            assert_eq!(both[0], both[1], "{spoilt:?}");
            home.space().axpy(Sign::Minus, &expected, &x, &mut y);
            space.axpy(Sign::Minus, &found, &here, &mut product);
            let whole = space.whole(&product).unwrap();
            assert!(self.words(&home, whole) == copied(&mut home, &y), "axpy, {spoilt:?}");
            host = self.host.clone();
        }
    }

    /// Solutions, reports and errors of a method.
    fn method(&self, a: &Csr<f64>, m: Option<&Csr<f64>>, algorithm: Algorithm, options: &Options) {
        let a = a.to_format::<V>(self.values).unwrap();
        let m = m.map(|m| m.to_format::<V>(self.values).unwrap());
        let (n, mut home) = (a.shape().0, (self.home)());
        let b = home.vector(vector(&mut self.host.clone(), &right(n))).unwrap();
        let rows = Rows::of_matrix(self.ranks.size(), &a);
        let mut space = RankSpace::new(self.ranks, rows, (self.space)()).unwrap();
        let shared = |a: &Csr<V>| {
            let parts = RankMatrix::from_whole(&space, a).unwrap();
            parts.try_map(|part| Ok(Put(home.operator(part)?))).unwrap()
        };
        let (parts, m_of_ranks) = (shared(&a), m.as_ref().map(|m| Inverse(shared(m))));
        let (a, m) =
            (home.operator(a).unwrap(), m.map(|m| Inverse(Put(home.operator(m).unwrap()))));
        let mut expected = home.space().vector(n).unwrap();
        let (b_here, mut found) = (space.share(&b).unwrap(), space.share(&expected).unwrap());

        let go_on = |_| Continue(());
        let m: &dyn Preconditioner<S> = m.as_ref().map_or(&Identity, |m| m);
        let one = home.space();
        let mut solver = AnySolver::new(one, n, algorithm).unwrap();
        let told = solver.solve(one, &*a, m, &b, &mut expected, options, go_on);
        let m: &dyn Preconditioner<RankSpace<S>> = m_of_ranks.as_ref().map_or(&Identity, |m| m);
        let mut solver = AnySolver::new(&space, n, algorithm).unwrap();
        let heard = solver.solve(&mut space, &parts, m, &b_here, &mut found, options, go_on);
        // What is not a number equals nothing.
        assert_eq!(format!("{heard:?}"), format!("{told:?}"), "{algorithm}");
        let found = space.whole(&found).unwrap();
        assert!(self.words(&home, found) == self.words(&home, expected), "{algorithm}");
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

    /// Sums, products and conjugate gradients, without and with a preconditioner.
    pub(crate) fn check_gradients(&self) {
        let laplacian = five_points(ORDER, 120, 0.0);
        self.operations(&laplacian);
        let jacobi = block_jacobi(&laplacian, 1).unwrap().0;
        for m in [None, Some(&jacobi)] {
            self.method(&laplacian, m, Algorithm::Cg, &some(7, 1e-30));
        }
    }

    /// Where numbers have more digits than this matrix takes away.
    pub(crate) fn check_ill_conditioned(&self) {
        self.method(&ill_conditioned(ORDER), None, Algorithm::Cg, &some(25, 1e-40));
    }
}

/// Begins anew within the iterations of these tests.
const GMRES: Algorithm = Algorithm::Gmres { restart: 4 };

pub(super) fn some(max_iterations: usize, tolerance: f64) -> Options {
    Options { max_iterations, tolerance, history: true, ..Options::default() }
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
        let space = RankSpace::new(ranks, rows, HostSpace::<V>::new(format)).unwrap();
        RankMatrix::new(&space, &part).unwrap();
        let whole = RankMatrix::from_whole(&space, &five_points(7, 2, 0.0)).err();
        assert!(matches!(whole, Some(Error::Shape { .. })));
    }
}

/// Iterations without an end but the number that is given, after which this rank's are over.
pub(crate) fn iterate(ranks: &Communicator, max_iterations: usize) -> Result<(), String> {
    let (home, _) = Cpu::default().numbers::<f64>((), Arithmetic::Delayed).expect("a home");
    iterate_on(ranks, &home, HostSpace::new(()), max_iterations)
}

/// The same in the memory of a device.
pub(crate) fn iterate_on<L>(
    ranks: &Communicator,
    home: &L,
    local: L::Space,
    max_iterations: usize,
) -> Result<(), String>
where
    L: Carries<HostSpace<f64>, f64, Space: Travel<Pairs: Send, Vector: Send>>,
{
    let text = |error: Error| error.to_string();
    let a = five_points(ORDER, 120, 0.0);
    let rows = Rows::of_matrix(ranks.size(), &a);
    let own = rows.of(ranks.rank());
    let mut space = RankSpace::new(ranks, rows, local).map_err(text)?;
    let parts = RankMatrix::from_whole(&space, &a).map_err(text)?;
    let parts = parts.try_map(|part| Ok(Put(home.operator(part)?))).map_err(text)?;
    let vector = || home.vector(right(ORDER)[own.clone()].to_vec().into()).map_err(text);
    let (mut p, mut q) = (space.of_parts(vector()?), space.of_parts(vector()?));
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
