//! Digits proved by ranks: solutions, bounds and refusals are those of one device.

use nonius_comm::dense::{Grid, Proves, Ranks};
use nonius_comm::{Communicator, Error};
use nonius_linalg::certified::{Data, Options, Prover, Refusal, Stage};
use nonius_linalg::mp;
use nonius_linalg::mp::Bits;
use nonius_linalg::{Matrix, backend::Cpu};
use nonius_num::Mp;

/// Everything on processors.
pub(crate) fn check(ranks: &Communicator) -> Result<(), Error> {
    check_on(ranks, &Cpu::default())
}

/// Everything, for devices of some kind.
pub(crate) fn check_on<B: Proves + Prover>(ranks: &Communicator, one: &B) -> Result<(), Error>
where
    Ranks<B>: Prover,
{
    for tile in [7, 32] {
        let tiled = Ranks::new(Grid::new(ranks, tile), one.clone()).expect("all ranks are there");
        let sides = Sides { one, tiled: &tiled };
        sides.systems();
        sides.ill_conditioned_systems();
        sides.refusals();
        sides.determinants();
    }
    ranks.barrier()
}

/// Entries that look random and are no integers, the same on every rank.
fn entry(i: usize, j: usize) -> f64 {
    (((i * 37 + 11) * (j * 91 + 5)) % 1009) as f64 / 1009.0 - 0.5
}

fn data(rows: usize, cols: usize, entry: impl Fn(usize, usize) -> f64) -> Data {
    Data::from_matrix(Matrix::from_fn(rows, cols, entry).view())
}

/// The Hilbert matrix, times what makes its entries integers.
fn hilbert(n: usize) -> Data {
    let bits = Bits::new(512).expect("bits");
    let multiple = (1..2 * n as u64).fold(Mp::one(bits), |x, k| x * Mp::from_f64(bits, k as f64));
    let entry = |i: usize, j: usize| multiple / Mp::from_f64(bits, (i + j + 1) as f64);
    Data::exact(mp::Matrix::from_fn_in(bits, n, n, entry))
}

/// What a number of devices makes of a system.
struct Sides<'a, B: Proves> {
    one: &'a B,
    tiled: &'a Ranks<B>,
}

impl<B: Proves + Prover> Sides<'_, B>
where
    Ranks<B>: Prover,
{
    /// Right-hand sides one by one and together, with matrices of every structure.
    fn systems(&self) {
        let n = 45;
        let general = data(n, n, entry);
        let dominant = |i: usize, j: usize| if i == j { n as f64 } else { 0.0 };
        let definite = data(n, n, |i, j| entry(i.min(j), i.max(j)) + dominant(i, j));
        let triangle = data(n, n, |i, j| if i < j { 0.0 } else { entry(i, j) + dominant(i, j) });
        for a in [&general, &definite, &triangle] {
            for columns in [1, 2, 20] {
                self.same_solution(a, &data(n, columns, |i, j| entry(j + 3, i)), 40);
            }
        }
        self.same_solution(&data(1, 1, |_, _| 3.0), &data(1, 1, |_, _| 1.0), 20);
    }

    /// An inverse in `f64` is not enough.
    fn ill_conditioned_systems(&self) {
        let n = 24;
        for columns in [1, 17] {
            self.same_solution(&hilbert(n), &data(n, columns, entry), 25);
        }
    }

    fn refusals(&self) {
        let n = 20;
        let singular = data(n, n, |i, j| entry(i, 0) * 4.0 + (j * j) as f64 + (i * j) as f64);
        self.same_solution(&singular, &data(n, 1, entry), 20);
        let few = Options { most_bits: Bits::new(128).expect("bits"), ..Options::new(30) };
        let (a, b) = (hilbert(40), data(40, 1, entry));
        let found = [
            self.one.solve(&a, &b, few, &mut |_| {}).map(drop),
            self.tiled.solve(&a, &b, few, &mut |_| {}).map(drop),
        ];
        same_refusals(found.map(|found| found.expect_err("too few bits")));
    }

    /// By factors on the host, and by products with inverses of triangles.
    fn determinants(&self) {
        for a in [&data(30, 30, entry), &data(70, 70, entry), &hilbert(20)] {
            let options = Options::new(40);
            let expected = self.one.determinant(a, options, &mut |_| {}).expect("a determinant");
            let found = self.tiled.determinant(a, options, &mut |_| {}).expect("a determinant");
            assert_eq!(found.value, expected.value);
            assert_eq!(found.digits, expected.digits);
            assert_eq!(found.error_bound, expected.error_bound);
            assert_eq!(found.condition, expected.condition);
            same_routes(&found.route, &expected.route);
        }
    }

    fn same_solution(&self, a: &Data, b: &Data, digits: u32) {
        let options = Options::new(digits);
        let expected = self.one.solve(a, b, options, &mut |_| {});
        let found = self.tiled.solve(a, b, options, &mut |_| {});
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                assert_eq!(found.x, expected.x);
                assert_eq!(found.digits, expected.digits);
                assert_eq!(found.error_bound, expected.error_bound);
                assert_eq!(found.condition, expected.condition);
                same_routes(&found.route, &expected.route);
            }
            (Err(found), Err(expected)) => same_refusals([found, expected]),
            (found, expected) => panic!("{:?} for {:?}", found.map(drop), expected.map(drop)),
        }
    }
}

fn same_refusals([found, expected]: [Refusal; 2]) {
    assert_eq!(found.failure, expected.failure);
    assert_eq!(found.condition, expected.condition);
    assert_eq!(found.bits_needed, expected.bits_needed);
    same_routes(&found.route, &expected.route);
}

/// Stages take other times.
fn same_routes(found: &[Stage], expected: &[Stage]) {
    let essence = |stage: &Stage| (stage.by, stage.bits, stage.steps);
    assert!(found.iter().map(essence).eq(expected.iter().map(essence)), "{found:?}");
}
