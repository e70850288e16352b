//! Vectors, sparse matrices and iterations on a device have the bits of those on the host.

use nonius_cuda::{Cuda, CudaSpace, CudaSparse, CudaVector, Planar};
use nonius_linalg::backend::{NumberOp, Sign, Space};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{
    Algorithm, Cg, Identity, IncompleteCholesky, Inner, Inverse, LimbSpace, LinearOperator,
    MpSpace, Options, Preconditioner, Refinement, Report, Residual, block_jacobi, jacobi,
};
use nonius_linalg::mp::{Bits, Mp, Numbers};
use nonius_linalg::sparse::{Coo, Csr, Dia, Ell, Jad, Layout, Triplet, Values};
use nonius_linalg::{Error, Scalar};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::Random;
use nonius_testkit::elementwise::same_number;
use nonius_testkit::krylov::{Suite, suite};

use crate::gpu;

/// Vectors of the host whose bits can be compared.
trait Same: Planar {
    fn same(&self, other: &Self) -> bool;
}

impl<T: Scalar> Same for Vec<T>
where
    Vec<T>: Planar,
{
    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(&x, &y)| same_number(x, y))
    }
}

impl Same for Numbers {
    fn same(&self, other: &Self) -> bool {
        let (x, y) = (self.as_slice(), other.as_slice());
        x.heads() == y.heads() && x.words() == y.words()
    }
}

/// A host's space, and how its vectors are filled.
trait Host: Space<Vector: Same> {
    const LENGTHS: &'static [usize];

    fn device(&self, cuda: &Cuda) -> CudaSpace;

    /// Random numbers, some of them special where asked.
    fn random(&self, n: usize, seed: u64, specials: bool) -> Self::Vector;

    fn zeros(&self, n: usize) -> Self::Vector;
}

impl<T: Scalar + nonius_num::Decimal> Host for LimbSpace<T> {
    const LENGTHS: &'static [usize] =
        &[0, 1, 7, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, 16_385, 70_001];

    fn device(&self, cuda: &Cuda) -> CudaSpace {
        CudaSpace::limbs::<T>(cuda).expect("a space")
    }

    fn random(&self, n: usize, seed: u64, specials: bool) -> Vec<T> {
        let mut random = Random::new(seed);
        let number = |_| {
            if specials && random.below(n / 2 + 1) == 0 {
                return random.special_scalar();
            }
            let limbs = random.spread_limbs::<4>(30);
            T::from_limbs(|limb| limbs[limb])
        };
        (0..n).map(number).collect()
    }

    fn zeros(&self, n: usize) -> Vec<T> {
        vec![T::ZERO; n]
    }
}

impl Host for MpSpace {
    const LENGTHS: &'static [usize] =
        &[0, 1, 2, 31, 33, 255, 256, 257, 1023, 1024, 1025, 2048, 5000];

    fn device(&self, cuda: &Cuda) -> CudaSpace {
        CudaSpace::mp(cuda, self.bits(), self.arithmetic()).expect("a space")
    }

    fn random(&self, n: usize, seed: u64, specials: bool) -> Numbers {
        let mut random = Random::new(seed);
        let mut numbers = Numbers::new(self.bits());
        for _ in 0..n {
            let words: Vec<u64> = (0..self.bits().words()).map(|_| random.bits()).collect();
            let exponent = random.below(80) as i64 - 40;
            let special = if specials { random.below(n / 2 + 4) } else { 4 };
            let x = match special {
                0 => Mp::infinity(self.bits(), random.below(2) == 0),
                1 if random.below(4) == 0 => Mp::nan(self.bits()),
                2 => Mp::zero(self.bits()),
                _ => Mp::rounded(self.bits(), random.below(2) == 0, &words, exponent, false),
            };
            numbers.push(x.view());
        }
        numbers
    }

    fn zeros(&self, n: usize) -> Numbers {
        Numbers::zeros(self.bits(), n)
    }
}

/// The vectors and numbers that a run of operations leaves, one after the other, in vectors of one length.
fn operations<S: Space>(space: &mut S, x: &S::Vector, y: &S::Vector) -> Vec<S::Vector> {
    let n = space.length(x);
    let vector = |space: &S| space.vector(n).expect("a vector");
    let mut results = Vec::new();
    let (mut a, mut b, mut c) = (space.number(), space.number(), space.number());
    space.dot(x, y, &mut a);
    space.dot(x, x, &mut b);
    let mut of_x = vector(space);
    space.axpy(Sign::Plus, &a, x, &mut of_x);
    results.push(of_x);
    for operation in [NumberOp::Add, NumberOp::Sub, NumberOp::Mul, NumberOp::Div] {
        space.compute(operation, &a, &b, &mut c);
        let mut z = vector(space);
        space.copy(y, &mut z);
        space.axpy(Sign::Minus, &c, x, &mut z);
        results.push(z);
    }
    space.root(&b, &mut c);
    let mut z = vector(space);
    space.copy(x, &mut z);
    space.scale(&c, &mut z);
    space.xpay(y, Sign::Plus, &c, &mut z);
    results.push(z);
    space.set(-0.1, &mut c);
    let mut z = vector(space);
    space.copy(x, &mut z);
    space.xpay(y, Sign::Minus, &c, &mut z);
    results.push(z);
    space.assign(&a, &mut c);
    let mut z = vector(space);
    space.copy(x, &mut z);
    space.clear(&mut z);
    space.axpy(Sign::Plus, &c, y, &mut z);
    results.push(z);
    results
}

fn vectors<H: Host>(mut host: H) {
    let Some(gpu) = gpu() else { return };
    let mut device = host.device(&gpu);
    for &n in H::LENGTHS {
        for specials in [false, true] {
            let (x, y) = (host.random(n, 1, specials), host.random(n, 2, specials));
            let on_device = {
                let (x, y) = (device.upload(&x).unwrap(), device.upload(&y).unwrap());
                operations(&mut device, &x, &y)
            };
            for (k, (right, found)) in
                operations(&mut host, &x, &y).iter().zip(&on_device).enumerate()
            {
                let result: H::Vector = device.download(found).unwrap();
                assert!(result.same(right), "result {k} of {n} numbers, specials: {specials}");
            }
        }
    }
}

fn mp(bits: u32, arithmetic: Arithmetic) -> MpSpace {
    MpSpace::new(Bits::new(bits).unwrap()).with_arithmetic(arithmetic).unwrap()
}

mod vectors_have_the_hosts_bits {
    use super::*;

    #[test]
    fn f64() {
        vectors(LimbSpace::<f64>::new());
    }

    #[test]
    fn dd() {
        vectors(LimbSpace::<Dd>::new());
    }

    #[test]
    fn td() {
        vectors(LimbSpace::<Td>::new());
    }

    #[test]
    fn qd() {
        vectors(LimbSpace::<Qd>::new());
    }

    #[test]
    fn mp_delayed() {
        for bits in [64, 106, 424, 1500] {
            vectors(mp(bits, Arithmetic::Delayed));
        }
    }

    #[test]
    fn mp_ieee() {
        for bits in [106, 424] {
            vectors(mp(bits, Arithmetic::Ieee));
        }
    }
}

/// A symmetric matrix with a dominant diagonal: neighbours in a plane, and some further entries, in rows of all lengths.
fn matrix(side: usize, long_rows: bool) -> Coo<f64> {
    let n = side * side;
    let mut random = Random::new(5);
    let mut triplets: Vec<Triplet<f64>> = Vec::new();
    let mut put = |row: usize, col: usize, value: f64| {
        if row < n && col < n {
            triplets.push(Triplet { row, col, value });
            if row != col {
                triplets.push(Triplet { row: col, col: row, value });
            }
        }
    };
    for i in 0..n {
        put(i, i, 5.0 + random.unit());
        put(i, i + 1, -1.0 - random.unit() / 8.0);
        put(i, i + side, -1.0);
        if long_rows && i.is_multiple_of(17) {
            (0..i / 17 % 40).for_each(|k| put(i, i + 2 + 3 * k, 1e-3 * random.unit() - 5e-4));
        }
    }
    Coo::new(n, n, triplets).unwrap()
}

fn check_products<H: Host, A>(host: &mut H, device: &mut CudaSpace, a: &A, what: &str)
where
    A: Layout<Values: Planar> + LinearOperator<H>,
{
    let on_device = device.upload_matrix(a).unwrap();
    let n = a.shape().1;
    for specials in [false, true] {
        let x = host.random(n, 3, specials);
        let mut right = host.zeros(n);
        a.apply(host, &x, &mut right);
        let mut y = device.vector(n).unwrap();
        on_device.apply(device, &device_copy(device, &x), &mut y);
        let found: H::Vector = device.download(&y).unwrap();
        assert!(found.same(&right), "{what}, {n} rows, specials: {specials}");
    }
}

fn device_copy<P: Planar>(device: &CudaSpace, x: &P) -> CudaVector {
    device.upload(x).unwrap()
}

fn products<H: Host, V>(mut host: H, of: impl Fn(&Coo<f64>) -> Csr<V>)
where
    V: Planar,
    Csr<V>: LinearOperator<H>,
    Ell<V>: LinearOperator<H>,
    Jad<V>: LinearOperator<H>,
    Dia<V>: LinearOperator<H>,
{
    let Some(gpu) = gpu() else { return };
    let mut device = host.device(&gpu);
    for (side, long_rows) in [(0, false), (1, false), (5, true), (33, false), (40, true)] {
        let csr = of(&matrix(side, long_rows));
        check_products(&mut host, &mut device, &csr, "csr");
        check_products(&mut host, &mut device, &Ell::from_csr(&csr).unwrap(), "ell");
        check_products(&mut host, &mut device, &Jad::from_csr(&csr).unwrap(), "jad");
        check_products(&mut host, &mut device, &Dia::from_csr(&csr).unwrap(), "dia");
    }
}

fn short(a: &Coo<f64>) -> Csr<Vec<f64>> {
    Csr::from_coo((), a.clone()).unwrap()
}

fn full<T: Scalar + nonius_num::Decimal>(a: &Coo<f64>) -> Csr<Vec<T>> {
    short(a).map((), |x| T::from_f64(x) / T::from_f64(3.0)).unwrap()
}

fn full_mp(a: &Coo<f64>, bits: Bits) -> Csr<Numbers> {
    let third = &Mp::one(bits) / &Mp::from_f64(bits, 3.0);
    short(a).map(bits, |x| &Mp::from_f64(bits, x) * &third).unwrap()
}

mod sparse_products_have_the_hosts_bits {
    use super::*;

    #[test]
    fn f64() {
        products(LimbSpace::<f64>::new(), short);
    }

    #[test]
    fn dd() {
        products(LimbSpace::<Dd>::new(), short);
        products(LimbSpace::<Dd>::new(), full::<Dd>);
    }

    #[test]
    fn td() {
        products(LimbSpace::<Td>::new(), short);
        products(LimbSpace::<Td>::new(), full::<Td>);
    }

    #[test]
    fn qd() {
        products(LimbSpace::<Qd>::new(), short);
        products(LimbSpace::<Qd>::new(), full::<Qd>);
    }

    #[test]
    fn mp_delayed() {
        for bits in [106, 424] {
            let space = || mp(bits, Arithmetic::Delayed);
            products(space(), |a| short(a).to_mp().unwrap());
            products(space(), |a| full_mp(a, space().bits()));
        }
    }

    #[test]
    fn mp_ieee() {
        products(mp(212, Arithmetic::Ieee), |a| short(a).to_mp().unwrap());
    }
}

fn solve<S: Space>(
    space: &mut S,
    a: &impl LinearOperator<S>,
    m: &impl Preconditioner<S>,
    b: &S::Vector,
    x: &mut S::Vector,
    options: &Options,
) -> Result<(Report, usize), Error> {
    let mut steps = 0;
    let report = Cg::new(space, a.size().0)?.solve(space, a, m, b, x, options, |_| steps += 1)?;
    Ok((report, steps))
}

/// Solves on both; the solutions have the same bits and took the same iterations.
fn compare<H: Host>(
    host: &mut H,
    device: &mut CudaSpace,
    a: (&impl LinearOperator<H>, &impl LinearOperator<CudaSpace>),
    m: (&impl Preconditioner<H>, &impl Preconditioner<CudaSpace>),
    b: &H::Vector,
    options: &Options,
    what: &str,
) {
    let n = a.0.size().0;
    let mut x = host.zeros(n);
    let right = solve(host, a.0, m.0, b, &mut x, options);
    let (on_device, mut y) = (device.upload(b).unwrap(), device.vector(n).unwrap());
    let found = solve(device, a.1, m.1, &on_device, &mut y, options);
    let (right, found) = match (right, found) {
        (Ok(right), Ok(found)) => (right, found),
        (right, found) => return assert_eq!(format!("{right:?}"), format!("{found:?}"), "{what}"),
    };
    assert_eq!(found.1, right.1, "{what}: steps");
    assert_eq!(found.0.iterations, right.0.iterations, "{what}");
    assert_eq!(found.0.non_positive, right.0.non_positive, "{what}");
    assert_eq!(found.0.converged, right.0.converged, "{what}");
    let result: H::Vector = device.download(&y).unwrap();
    assert!(result.same(&x), "{what}: the solutions differ");
}

fn iterations<H: Host, V>(
    mut host: H,
    csr: Csr<V>,
    preconditioners: (Dia<V>, Csr<V>, IncompleteCholesky<V>),
) where
    V: Planar,
    Csr<V>: LinearOperator<H>,
    Ell<V>: LinearOperator<H>,
    Dia<V>: LinearOperator<H>,
    IncompleteCholesky<V>: Preconditioner<H>,
{
    let Some(gpu) = gpu() else { return };
    let device = &mut host.device(&gpu);
    let host = &mut host;
    let n = csr.shape().0;
    let b = host.random(n, 9, false);
    let ell = Ell::from_csr(&csr).unwrap();
    let a = device.upload_matrix(&csr).unwrap();
    let options = Options::default();
    compare(host, device, (&csr, &a), (&Identity, &Identity), &b, &options, "csr");
    let on_device = device.upload_matrix(&ell).unwrap();
    compare(host, device, (&ell, &on_device), (&Identity, &Identity), &b, &options, "ell");
    let (diagonal, blocks, factors) = preconditioners;
    let on_device = Inverse(device.upload_matrix(&diagonal).unwrap());
    let m = Inverse(diagonal);
    compare(host, device, (&csr, &a), (&m, &on_device), &b, &options, "jacobi");
    let on_device = Inverse(device.upload_matrix(&blocks).unwrap());
    let m = Inverse(blocks);
    compare(host, device, (&csr, &a), (&m, &on_device), &b, &options, "blocks");
    let on_device = device.upload_incomplete_cholesky(&factors).unwrap();
    compare(host, device, (&csr, &a), (&factors, &on_device), &b, &options, "ic0");
    for (what, options) in [
        ("true residual", Options { residual: Residual::True, ..Options::default() }),
        ("few", Options { max_iterations: 3, ..Options::default() }),
        ("none", Options { max_iterations: 0, ..Options::default() }),
        ("beyond reach", Options { tolerance: 0.0, max_iterations: 130, ..Options::default() }),
        ("at once", Options { tolerance: 1.0, ..Options::default() }),
    ] {
        compare(host, device, (&csr, &a), (&Identity, &Identity), &b, &options, what);
    }
    let zero = host.zeros(n);
    compare(host, device, (&csr, &a), (&Identity, &Identity), &zero, &options, "zero");
    let special = host.random(n, 9, true);
    compare(host, device, (&csr, &a), (&Identity, &Identity), &special, &options, "specials");
}

fn limb_iterations<T: Scalar + nonius_num::Decimal>() {
    let csr = short(&matrix(20, true));
    let diagonal = jacobi::<_, Vec<f64>>(&csr, (), |x| 1.0 / x).unwrap().0;
    let blocks = block_jacobi(&csr, 7).unwrap().0;
    let factors = IncompleteCholesky::new(&csr).unwrap();
    iterations(LimbSpace::<T>::new(), csr, (diagonal, blocks, factors));
}

fn mp_iterations(bits: u32, arithmetic: Arithmetic) {
    let short = short(&matrix(20, true));
    let csr = short.to_mp().unwrap();
    let least = csr.values().bits();
    let diagonal = jacobi::<_, Numbers>(&csr, least, |x| &Mp::one(least) / &x).unwrap().0;
    let blocks = block_jacobi(&short, 7).unwrap().0.to_mp().unwrap();
    let factors = IncompleteCholesky::new(&csr).unwrap();
    iterations(mp(bits, arithmetic), csr, (diagonal, blocks, factors));
}

mod iterations_have_the_hosts_bits {
    use super::*;

    #[test]
    fn f64() {
        limb_iterations::<f64>();
    }

    #[test]
    fn dd() {
        limb_iterations::<Dd>();
    }

    #[test]
    fn td() {
        limb_iterations::<Td>();
    }

    #[test]
    fn qd() {
        limb_iterations::<Qd>();
    }

    #[test]
    fn mp106() {
        mp_iterations(106, Arithmetic::Delayed);
    }

    #[test]
    fn mp424() {
        mp_iterations(424, Arithmetic::Delayed);
        mp_iterations(424, Arithmetic::Ieee);
    }
}

/// An indefinite matrix is solved formally, and refused where that is asked for.
#[test]
fn indefinite_matrices() {
    let Some(gpu) = gpu() else { return };
    let n = 300;
    let sign = |i: usize| if i.is_multiple_of(5) { -1.0 } else { 1.0 };
    let triplets = (0..n).map(|i| Triplet { row: i, col: i, value: sign(i) * (1.0 + i as f64) });
    let csr: Csr<Vec<f64>> =
        Csr::from_coo((), Coo::new(n, n, triplets.collect()).unwrap()).unwrap();
    let (mut host, mut device) = (LimbSpace::<Qd>::new(), CudaSpace::limbs::<Qd>(&gpu).unwrap());
    let a = device.upload_matrix(&csr).unwrap();
    let b = host.random(n, 4, false);
    for require_positive_definite in [false, true] {
        let options = Options { require_positive_definite, ..Options::default() };
        let (a, m) = ((&csr, &a), (&Identity, &Identity));
        compare(&mut host, &mut device, a, m, &b, &options, "indefinite");
    }
    let nothing: Csr<Vec<f64>> = Csr::from_coo((), Coo::new(n, n, Vec::new()).unwrap()).unwrap();
    let on_device = device.upload_matrix(&nothing).unwrap();
    let (a, m) = ((&nothing, &on_device), (&Identity, &Identity));
    compare(&mut host, &mut device, a, m, &b, &Options::default(), "zero matrix");
}

/// What one type of number makes, another cannot take.
#[test]
fn kinds_do_not_mix() {
    let Some(gpu) = gpu() else { return };
    let space = CudaSpace::limbs::<Dd>(&gpu).unwrap();
    let numbers = Numbers::zeros(Bits::new(106).unwrap(), 3);
    assert_eq!(numbers.count(), 3);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| space.upload(&numbers)));
    assert!(outcome.is_err());
}

/// A space on the GPU, for the suite of all methods.
struct Methods<H> {
    host: H,
    device: CudaSpace,
}

impl<H: Host + Suite<Space = H>> Suite for Methods<H>
where
    <H as Suite>::Matrix: Layout<Values: Planar>,
{
    type Space = CudaSpace;
    type Matrix = CudaSparse;
    type Diagonal = Inverse<CudaSparse>;

    fn space(&mut self) -> &mut CudaSpace {
        &mut self.device
    }

    fn unit_roundoff(&self) -> f64 {
        self.host.unit_roundoff()
    }

    fn matrix(&self, a: &Csr<Vec<f64>>) -> CudaSparse {
        self.device.upload_matrix(&self.host.matrix(a)).unwrap()
    }

    fn diagonal(&self, inverse: &[f64]) -> Inverse<CudaSparse> {
        let n = inverse.len();
        let triplet = |i: usize| Triplet { row: i, col: i, value: inverse[i] };
        let diagonal = Coo::new(n, n, (0..n).map(triplet).collect()).unwrap();
        Inverse(self.matrix(&Csr::from_coo((), diagonal).unwrap()))
    }

    fn to_space(&self, x: &[f64]) -> CudaVector {
        self.device.upload(&self.host.to_space(x)).unwrap()
    }

    fn to_host(&self, x: &CudaVector) -> Vec<f64> {
        self.host.to_host(&self.device.download(x).unwrap())
    }
}

fn methods<H: Host + Suite<Space = H>>(host: H)
where
    <H as Suite>::Matrix: Layout<Values: Planar>,
{
    let Some(gpu) = gpu() else { return };
    let device = host.device(&gpu);
    suite(&mut Methods { host, device });
}

mod all_methods {
    use super::*;

    #[test]
    fn f64() {
        methods(LimbSpace::<f64>::new());
    }

    #[test]
    fn qd() {
        methods(LimbSpace::<Qd>::new());
    }

    #[test]
    fn mp212() {
        methods(mp(212, Arithmetic::Delayed));
    }

    #[test]
    fn mp106_ieee() {
        methods(mp(106, Arithmetic::Ieee));
    }
}

/// A solution refined around iterations in `f64`, all on the device.
fn refined<H: Host + Suite<Space = H>>(host: H)
where
    <H as Suite>::Matrix: Layout<Values: Planar>,
{
    let Some(gpu) = gpu() else { return };
    let mut space = host.device(&gpu);
    let mut inner = CudaSpace::limbs::<f64>(&gpu).unwrap();
    let csr = short(&matrix(20, true));
    let n = csr.shape().0;
    let (a, rounded) =
        (space.upload_matrix(&host.matrix(&csr)).unwrap(), inner.upload_matrix(&csr).unwrap());
    let b = space.upload(&host.random(n, 3, false)).unwrap();
    let mut x = space.vector(n).unwrap();
    let mut refinement = Refinement::new(&space, &inner, n, Algorithm::Cg).unwrap();
    let tolerance = host.unit_roundoff() * 2.0_f64.powi(16);
    let options = Options { tolerance, residual: Residual::True, ..Options::default() };
    let inner =
        Inner { space: &mut inner, a: &rounded, m: &Identity, exponent: 0, tolerance: 1e-8 };
    let report = refinement.solve(&mut space, &a, inner, &b, &mut x, &options, |_| {}).unwrap();
    assert!(report.report.converged, "{report:?}");
    assert!(report.report.relative_residual_true <= tolerance, "{report:?}");
    assert!(report.inner_iterations > report.report.iterations, "{report:?}");
}

#[test]
fn refinement_around_f64() {
    refined(LimbSpace::<Dd>::new());
    refined(LimbSpace::<Qd>::new());
    refined(mp(424, Arithmetic::Delayed));
}
