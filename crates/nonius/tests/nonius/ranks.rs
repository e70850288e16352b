//! Tasks on ranks: every rank has the results of one device, to the last bit.

use std::fmt::Debug;
use std::ops::ControlFlow::{Break, Continue};
use std::path::Path;

use nonius::fem::model::Kind;
use nonius::fem::{self, Precision as FemPrecision, Simulation, generate};
use nonius::num::mp::Bits;
use nonius::option::{self, Contract, ImpliedVolatilities, Prices, Quote};
use nonius::prelude::*;
use nonius::ranks;
use nonius::sdp::{self, Certify, input};
use nonius::sparse::{self, Coo, Preconditioning, Triplet};
use nonius::tridiag::{self, Order, Systems};

/// The order of matrices: some tiles, the last ones cut.
const N: usize = 150;

/// What a task finds alone, all ranks find.
fn compare<R: PartialEq + Debug + Send + Sync>(task: impl Fn() -> R + Sync) {
    let alone = task();
    for count in 1..=4 {
        let found = ranks::run(count, || Ok::<_, String>(task())).unwrap();
        assert!(found.iter().all(|found| *found == alone), "{count} ranks");
    }
}

struct OfMatrices;

impl Job for OfMatrices {
    type Output = ();

    fn run<T: Number>(self, format: T::Format) {
        let number = |x: f64| T::from_f64(x).to_format(format) / T::from_f64(3.0).to_format(format);
        let entry = |i: usize, j: usize| ((7 * i + 5 * j + i * j) % 13) as f64 - 6.0;
        let general = Matrix::from_fn_in(format, N, N, |i, j| {
            number(entry(i, j) + if i == j { 40.0 } else { 0.0 })
        });
        let symmetric = Matrix::from_fn_in(format, N, N, |i, j| {
            number(entry(i.max(j), i.min(j)) + if i == j { 2000.0 } else { 0.0 })
        });
        let b = Matrix::from_fn_in(format, N, 3, |i, j| number(entry(j, i)));
        compare(|| Multiply::new(&general, &b).device(Device::Cpu).run().unwrap().0);
        compare(|| {
            let sum = Multiply::new(&general, &b).plus(T::from_f64(-2.0), b.clone());
            sum.transpose_a(Transpose::Yes).device(Device::Cpu).run().unwrap().0
        });
        for a in [&general, &symmetric] {
            compare(|| {
                let (x, report) = Solve::new(a).rhs(&b).device(Device::Cpu).run().unwrap();
                (x, report.method, report.relative_residual, report.forward_error_estimate)
            });
            compare(|| Inverse::new(a).device(Device::Cpu).run().unwrap().0);
        }
        let singular = Matrix::from_fn_in(format, N, N, |i, _| number(i as f64));
        compare(|| Solve::new(&singular).rhs(&b).device(Device::Cpu).run().unwrap_err());
    }
}

#[test]
fn dense_tasks() {
    OfMatrices.at(Precision::F64);
    OfMatrices.at(Precision::Dd);
    OfMatrices.at(Precision::Mp(Bits::new(106).unwrap()));
}

#[test]
fn iterations_that_the_first_rank_stops() {
    let n = 10_000;
    let t = |row, col, value| Triplet { row, col, value };
    let links = (1..n).flat_map(|i| [t(i, i - 1, -1.0), t(i - 1, i, -1.0)]);
    let triplets = (0..n).map(|i| t(i, i, 2.5)).chain(links).collect();
    let a = Coo::new(n, n, triplets).unwrap();
    let b = Matrix::from_fn(n, 1, |i, _| Dd::from((i % 5) as f64));
    compare(|| {
        let task = sparse::Solve::short(a.clone(), &b).preconditioning(Preconditioning::Jacobi);
        let (x, report) = task.device(Device::Cpu).run().unwrap();
        (x, report.iteration)
    });
    compare(|| {
        let is_first = ranks::current().rank() == 0;
        let mut observe = |step: sparse::Step| {
            let is_over = is_first && step.iteration == 7;
            if is_over { Break(()) } else { Continue(()) }
        };
        let task = sparse::Solve::short(a.clone(), &b).observe(&mut observe);
        let (x, report) = task.device(Device::Cpu).run().unwrap();
        assert_eq!(report.iteration.iterations, 7);
        x
    });
}

#[test]
fn batches_of_systems() {
    struct OfSystems;
    impl tridiag::Job for OfSystems {
        type Output = ();
        fn run<T: tridiag::Number>(self, format: T::Format) {
            let (systems, size) = (9, 20);
            let array = |value: T| {
                let mut numbers = tridiag::Numbers::zeros(format, systems * size);
                (0..systems * size).for_each(|i| numbers.set(i, value));
                numbers
            };
            let (one, four) = (T::ONE, T::ONE + T::ONE + T::ONE + T::ONE);
            let matrix = [array(one), array(four), array(one)];
            let order = Order::Interleaved;
            let batch = Systems { systems, size, order, matrix, right: array(one) };
            compare(|| {
                let (x, report) = tridiag::Solve::new(&batch).device(Device::Cpu).run().unwrap();
                (x, report.outcome)
            });
        }
    }
    tridiag::Precision::Single.run(OfSystems);
    tridiag::Precision::Of(Precision::Qd).run(OfSystems);
}

#[test]
fn prices_whether_watched_or_not() {
    let call = |i: usize| {
        let strike = 80.0 + i as f64;
        Contract::european(option::Kind::Call, 100.0, strike, 1.0, [0.05, 0.0, 0.2])
    };
    let book: Vec<Contract<f64>> = (0..23).map(call).collect();
    let prices = || Prices::new(&book).tolerance(1e-3).device(Device::Cpu);
    compare(|| prices().run().unwrap().0);
    let quote = |contract: &Contract<f64>| Quote { contract: contract.clone(), price: 25.0 };
    let quotes: Vec<_> = book.iter().map(quote).collect();
    let volatilities = || ImpliedVolatilities::new(&quotes).tolerance(1e-2).device(Device::Cpu);
    compare(|| volatilities().run().unwrap().0);
    compare(|| prices().run_watched(|_| Continue(())).unwrap().0);
}

#[test]
fn semidefinite_programs_and_their_proofs() {
    let text = "2\n1\n2\n1 1\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n";
    let problem = input::read_sparse(text.as_bytes()).unwrap();
    compare(|| {
        let solve = sdp::Solve::new(&problem).then_proved(true).device(Device::Cpu);
        let (report, point, _) = solve.run().unwrap();
        let proof = Certify::new(&problem, &point, report.phase).device(Device::Cpu).run();
        (report.objectives, report.iterations, report.dimacs_errors, proof.unwrap().digits())
    });
}

#[test]
fn solids() {
    let model = generate::cantilever(Kind::ReducedHexahedron, [30, 4, 4]).unwrap();
    compare(|| {
        let mut simulation = Simulation::new(&model, FemPrecision::Double).unwrap();
        fem::place(&mut simulation, &model, Device::Cpu).unwrap();
        simulation.advance(model.time.period, 20).unwrap();
        simulation.snapshot().unwrap()
    });
}

#[test]
fn what_is_not_shared_is_refused() {
    let a = Matrix::from_fn(3, 3, |i, j| if i == j { 2.0 } else { 1.0 });
    let failure = ranks::run(2, || Eigenvalues::new(&a).run().map(drop)).unwrap_err();
    assert!(failure.to_string().ends_with("not shared by ranks: start one process"), "{failure}");
    let found = ranks::run(2, || ranks::alone(|| Eigenvalues::new(&a).run().map(drop)));
    assert_eq!(found, Ok(vec![(), ()]));
}

/// With one GPU, ranks share it; with several, each has one of its own.
#[test]
#[ignore = "needs a GPU"]
fn all_gpus() {
    all_gpus_find(dense_results);
    all_gpus_find(iterations_heard);
    all_gpus_find(prices_and_volatilities);
    all_gpus_find(a_batch_solved);
    all_gpus_find(a_program_solved_and_proved);
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    all_gpus_find(|device| a_solid_that_goes_on(device, &checkpoint));
    let a = Matrix::from_fn(3, 3, |i, j| if i == j { 2.0 } else { 1.0 });
    let refused = ranks::run(2, || Eigenvalues::new(&a).device(Device::CudaAll).run().map(drop));
    assert!(refused.is_err());
}

/// What a task finds on one GPU, it finds on all of them: in this process, as Python calls it, and
/// on ranks.
fn all_gpus_find<R: PartialEq + Send>(task: impl Fn(Device) -> R + Sync) {
    let one = task(Device::Cuda(0));
    assert!(task(Device::CudaAll) == one);
    for count in 2..=4 {
        let found = ranks::run(count, || Ok::<_, String>(task(Device::CudaAll))).unwrap();
        assert!(found.iter().all(|found| *found == one), "{count} ranks");
    }
}

fn dense_results(device: Device) -> impl PartialEq + Send {
    let a = Matrix::from_fn(700, 700, |i, j| {
        Dd::from(((7 * i + 5 * j) % 13) as f64 + if i == j { 900.0 } else { 0.0 })
    });
    let b = Matrix::from_fn(700, 3, |i, j| Dd::from((i + j) as f64) / 3.0);
    let symmetric = Matrix::from_fn(700, 700, |i, j| a[(i.max(j), i.min(j))] * 10.0);
    let product = Multiply::new(&a, &b).plus(Dd::from(-2.0), b.clone()).device(device);
    let solutions = [&a, &symmetric].map(|a| Solve::new(a).rhs(&b).device(device).run().unwrap().0);
    let inverse = Inverse::new(&a).device(device).run().unwrap().0;
    let digits = Solve::new(&a).rhs(&b).digits(40).device(device).run().unwrap().0;
    (product.run().unwrap().0, solutions, inverse, format!("{:?}", digits.x))
}

/// All iterations, and those until their observer stops them.
fn iterations_heard(device: Device) -> impl PartialEq + Send {
    let n = 50_000;
    let t = |row, col, value| Triplet { row, col, value };
    let links = (1..n).flat_map(|i| [t(i, i - 1, -1.0), t(i - 1, i, -1.0)]);
    let a = Coo::new(n, n, (0..n).map(|i| t(i, i, 2.5)).chain(links).collect()).unwrap();
    let b = Matrix::from_fn(n, 1, |i, _| Dd::from((i % 5) as f64));
    [usize::MAX, 7].map(|stop_at| {
        let mut heard = 0;
        let mut observe = |step: sparse::Step| {
            heard += 1;
            if step.iteration == stop_at { Break(()) } else { Continue(()) }
        };
        let solve = sparse::Solve::short(a.clone(), &b).preconditioning(Preconditioning::Jacobi);
        let (x, report) = solve.observe(&mut observe).device(device).run().unwrap();
        (x, report.iteration, heard)
    })
}

fn prices_and_volatilities(device: Device) -> impl PartialEq + Send {
    let call = |i: usize| {
        let strike = 80.0 + i as f64;
        Contract::european(option::Kind::Call, 100.0, strike, 1.0, [0.05, 0.0, 0.2])
    };
    let book: Vec<Contract<f64>> = (0..23).map(call).collect();
    let quote = |contract: &Contract<f64>| Quote { contract: contract.clone(), price: 25.0 };
    let quotes: Vec<_> = book.iter().map(quote).collect();
    let mut heard = 0;
    let prices = Prices::new(&book).device(device).run_watched(|done| {
        heard = done;
        Continue(())
    });
    let volatilities = ImpliedVolatilities::new(&quotes).tolerance(1e-3).device(device);
    (prices.unwrap().0, heard, volatilities.run().unwrap().0)
}

fn a_batch_solved(device: Device) -> impl PartialEq + Send {
    let (systems, size) = (37, 100);
    let array = |x: f64| {
        let numbers: Vec<f64> = (0..systems * size).map(|i| x + (i % 17) as f64 / 64.0).collect();
        tridiag::Numbers::from(numbers)
    };
    let matrix = [array(1.0), array(4.0), array(1.0)];
    let batch = Systems { systems, size, order: Order::Interleaved, matrix, right: array(1.0) };
    let (x, report) = tridiag::Solve::new(&batch).device(device).run().unwrap();
    (x, report.outcome)
}

fn a_program_solved_and_proved(device: Device) -> impl PartialEq + Send {
    let text = "2\n1\n2\n1 1\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n";
    let problem = input::read_sparse(text.as_bytes()).unwrap();
    let mut heard = 0;
    let mut observe = |row: &sdp::Row, fetch: sdp::FetchPoint<'_>| {
        heard += 1;
        assert!(!row.number.is_multiple_of(4) || fetch().is_ok());
        true
    };
    let solve = sdp::Solve::new(&problem).then_proved(true).device(device);
    let (report, point, _) = solve.observe(&mut observe).run().unwrap();
    let proof = Certify::new(&problem, &point, report.phase).device(device).run().unwrap();
    // Of ranks, the first one alone hears.
    let is_first = ranks::current().rank() == 0;
    assert_eq!(heard, if is_first { report.history.len() } else { 0 });
    (report.objectives, report.iterations, report.dimacs_errors, proof.digits())
}

/// Saved, and resumed.
fn a_solid_that_goes_on(device: Device, checkpoint: &Path) -> impl PartialEq + Send {
    let model = generate::cantilever(Kind::ReducedHexahedron, [60, 8, 8]).unwrap();
    let mut simulation = Simulation::new(&model, FemPrecision::Mixed).unwrap();
    fem::place(&mut simulation, &model, device).unwrap();
    simulation.advance(model.time.period, 40).unwrap();
    simulation.save(checkpoint).unwrap();
    let (energies, drift) = (simulation.energies().unwrap(), simulation.drift().unwrap());
    // Of ranks, the first one alone writes.
    ranks::current().barrier().unwrap();
    let mut simulation = Simulation::resume(&model, FemPrecision::Mixed, checkpoint).unwrap();
    fem::place(&mut simulation, &model, device).unwrap();
    simulation.advance(model.time.period, 20).unwrap();
    let snapshot = simulation.snapshot().unwrap();
    (energies, drift.to_bits(), simulation.steps(), snapshot)
}
