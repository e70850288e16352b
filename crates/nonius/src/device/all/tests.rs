//! Tasks on all devices of a machine have the bits of one, and talk with their caller alone: from
//! its own thread, which what they call need not leave.

use std::cell::{Cell, RefCell};
use std::fs;
use std::ops::ControlFlow::{Break, Continue};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::in_turn;
use crate::certified::{Data, Determinant};
use crate::fem::model::{Kind, Model};
use crate::fem::{
    self, CHECKPOINT, Precision as FemPrecision, RecordError, Settings, Simulation, generate,
};
use crate::option::{self, Contract, ImpliedVolatilities, Prices, Quote};
use crate::prelude::*;
use crate::sdp::{self, Certify, input};
use crate::sparse::{self, Algorithm, Coo, Preconditioning, Triplet};
use crate::tridiag::{self, Order, Systems};

/// What a task finds on one device, it finds on all; `heard` counts what it has said meanwhile.
fn compare<R: PartialEq + core::fmt::Debug>(task: impl Fn(Device, &dyn Fn()) -> R) {
    let caller = thread::current().id();
    let run = |device| {
        let heard = Rc::new(Cell::new(0));
        let hear = || {
            assert_eq!(thread::current().id(), caller);
            heard.set(heard.get() + 1);
        };
        (task(device, &hear), heard.get())
    };
    assert_eq!(run(Device::CudaAll), run(Device::Cpu));
}

/// One task at a time, and those that whoever watches it begins; whatever another one ended by.
#[test]
fn tasks_take_turns() {
    let tasks = AtomicUsize::new(0);
    let task = || {
        in_turn(|| {
            assert_eq!(tasks.fetch_add(1, Ordering::SeqCst), 0);
            thread::sleep(Duration::from_millis(2));
            assert_eq!(in_turn(|| tasks.load(Ordering::SeqCst)), 1);
            tasks.fetch_sub(1, Ordering::SeqCst);
        });
    };
    thread::scope(|scope| {
        let failed = scope.spawn(|| in_turn(|| panic!("a task fails"))).join();
        assert!(failed.is_err());
        (0..4).for_each(|_| drop(scope.spawn(|| (0..5).for_each(|_| task()))));
    });
    assert_eq!(tasks.into_inner(), 0);
}

fn entry(i: usize, j: usize) -> f64 {
    ((7 * i + 5 * j + i * j) % 13) as f64 - 6.0
}

#[test]
fn dense_tasks() {
    let n = 150;
    let a = Matrix::from_fn(n, n, |i, j| {
        Dd::from(entry(i.max(j), i.min(j)) + if i == j { 2000.0 } else { 0.0 }) / 3.0
    });
    let b = Matrix::from_fn(n, 3, |i, j| Dd::from(entry(j, i)));
    compare(|device, _| {
        let sum = Multiply::new(&a, &b).plus(Dd::from(-2.0), b.clone()).device(device);
        let (sum, report) = sum.run().unwrap();
        assert_eq!(report.place.device, device);
        let product = Multiply::new(&a, &b).device(device).run().unwrap().0;
        let (x, report) = Solve::new(&a).rhs(&b).device(device).run().unwrap();
        let inverse = Inverse::new(&a).device(device).run().unwrap().0;
        (sum, product, x, report.relative_residual, inverse)
    });
    let singular = Matrix::from_fn(n, n, |i, _| Dd::from(i as f64));
    compare(|device, _| Solve::new(&singular).rhs(&b).device(device).run().unwrap_err());
}

#[test]
fn proofs_of_digits() {
    let a = Matrix::from_fn(40, 40, |i, j| entry(i, j) + if i == j { 40.0 } else { 0.0 });
    let b = Matrix::from_fn(40, 1, entry);
    let (a, b) = (Data::from_matrix(a.view()), Data::from_matrix(b.view()));
    compare(|device, _| {
        let mut events = 0;
        let mut observe = |_| events += 1;
        let solve = crate::certified::Solve::new(&a, &b, 30).observe(&mut observe);
        let x = solve.device(device).run().unwrap().0.x;
        let determinant = Determinant::new(&a, 30).device(device).run().unwrap().0;
        (format!("{x:?} {:?}", determinant.value), events)
    });
}

/// A system with two unknowns in each row beside its own.
fn chain(n: usize) -> Coo<f64> {
    let t = |row, col, value| Triplet { row, col, value };
    let links = (1..n).flat_map(|i| [t(i, i - 1, -1.0), t(i - 1, i, -1.0)]);
    Coo::new(n, n, (0..n).map(|i| t(i, i, 2.5)).chain(links).collect()).unwrap()
}

#[test]
fn iterations_that_their_observer_stops() {
    let (n, methods) = (10_000, [Algorithm::Cg, Algorithm::Minres, Algorithm::Bicgstab]);
    let b = Matrix::from_fn(n, 1, |i, _| Dd::from((i % 5) as f64));
    for (algorithm, stop_at) in methods.into_iter().flat_map(|all| [(all, usize::MAX), (all, 7)]) {
        compare(|device, hear| {
            let mut observe = |step: sparse::Step| {
                hear();
                if step.iteration == stop_at { Break(()) } else { Continue(()) }
            };
            let solve = sparse::Solve::short(chain(n), &b).algorithm(algorithm).device(device);
            let solve = solve.preconditioning(Preconditioning::Jacobi).observe(&mut observe);
            let (x, report) = solve.run().unwrap();
            assert_eq!(report.place.device, device);
            assert!(stop_at == usize::MAX || report.iteration.iterations == stop_at);
            (x, report.iteration)
        });
    }
}

/// Who hears of an iteration may have tasks of its own.
#[test]
fn tasks_within_tasks() {
    let b = Matrix::from_fn(5000, 1, |i, _| (i % 5) as f64);
    compare(|device, _| {
        let inner = RefCell::new(Vec::new());
        let mut observe = |step: sparse::Step| {
            if step.iteration < 3 {
                let solve = sparse::Solve::short(chain(5000), &b).device(device);
                inner.borrow_mut().push(solve.run().unwrap().0);
            }
            Continue(())
        };
        let solve = sparse::Solve::short(chain(5000), &b).device(device).observe(&mut observe);
        let x = solve.run().unwrap().0;
        (x, inner.into_inner())
    });
}

#[test]
fn batches_of_systems() {
    let (systems, size) = (9, 20);
    let array = |value: f64| {
        let numbers: Vec<f64> = (0..systems * size).map(|i| value + entry(i, 1) * 1e-3).collect();
        tridiag::Numbers::from(numbers)
    };
    let matrix = [array(1.0), array(4.0), array(1.0)];
    let batch = Systems { systems, size, order: Order::Interleaved, matrix, right: array(1.0) };
    compare(|device, _| {
        let (x, report) = tridiag::Solve::new(&batch).device(device).run().unwrap();
        (x, report.outcome)
    });
}

#[test]
fn prices_and_volatilities() {
    let call = |i: usize| {
        let strike = 80.0 + i as f64;
        Contract::european(option::Kind::Call, 100.0, strike, 1.0, [0.05, 0.0, 0.2])
    };
    let book: Vec<Contract<f64>> = (0..23).map(call).collect();
    let quotes: Vec<_> =
        book.iter().map(|contract| Quote { contract: contract.clone(), price: 25.0 }).collect();
    compare(|device, _| {
        let prices = Prices::new(&book).tolerance(1e-3).device(device);
        let volatilities = ImpliedVolatilities::new(&quotes).tolerance(1e-2).device(device);
        let [mut first, mut second] = [0, 0];
        let watched = prices.run_watched(|done| {
            first = done;
            Continue(())
        });
        let found = volatilities.run_watched(|done| {
            second = done;
            Continue(())
        });
        assert_eq!([first, second], [23; 2]);
        let (watched, found) = (watched.unwrap().0, found.unwrap().0);
        assert_eq!(watched, prices.run().unwrap().0);
        assert_eq!(found, volatilities.run().unwrap().0);
        (watched, found)
    });
    let long: Vec<_> = book.iter().cycle().take(60_000).cloned().collect();
    let stopped = Prices::new(&long).tolerance(1e-5).device(Device::CudaAll);
    assert!(stopped.run_watched(|_| Break(())).unwrap().0.len() < long.len());
}

/// The smallest eigenvalue of a matrix, by a program with a block and a diagonal.
fn program() -> sdp::Problem {
    let mut text = String::from("3\n2\n6 -3\n1 2 3\n");
    for i in 1..=6 {
        text += &format!("0 1 {i} {i} {}\n1 1 {i} {i} 1\n", entry(i, i));
        for j in i + 1..=6 {
            text += &format!("0 1 {i} {j} {}\n", entry(i, j) / 8.0);
        }
    }
    for i in 1..=3 {
        text += &format!("{i} 2 {i} {i} 1\n0 2 {i} {i} -1\n");
    }
    text += "2 1 1 2 0.5\n3 1 3 4 0.25\n";
    input::read_sparse(text.as_bytes()).unwrap()
}

#[test]
fn semidefinite_programs_and_their_proofs() {
    let problem = program();
    compare(|device, _| {
        let mut heard = Vec::new();
        let mut points = 0;
        let mut observe = |row: &sdp::Row, fetch: sdp::FetchPoint<'_>| {
            points += usize::from(row.number.is_multiple_of(3) && fetch().is_ok());
            heard.push((row.number, row.objectives));
            true
        };
        let solve = sdp::Solve::new(&problem).then_proved(true).device(device);
        let (report, point, place) = solve.observe(&mut observe).run().unwrap();
        assert_eq!(place.device, device);
        let proof = Certify::new(&problem, &point, report.phase).device(device).run().unwrap();
        (report.objectives, report.iterations, heard, points, proof.digits())
    });
}

/// A run that its observer has stopped goes on from what it was left with.
#[test]
fn semidefinite_programs_go_on() {
    let problem = program();
    let stopped = |device| {
        let mut kept = None;
        let mut observe = |row: &sdp::Row, fetch: sdp::FetchPoint<'_>| {
            kept = Some(sdp::Start::Point(fetch().unwrap()));
            row.number < 4
        };
        let solve = sdp::Solve::new(&problem).device(device).observe(&mut observe);
        let (report, ..) = solve.run().unwrap();
        assert_eq!((report.end, report.iterations), (sdp::End::Interrupted, 4));
        kept.unwrap()
    };
    let finish = |start, device| {
        let solve = sdp::Solve::new(&problem).start(start).device(device);
        let (report, ..) = solve.run().unwrap();
        (report.objectives, report.iterations, report.dimacs_errors)
    };
    let expected = finish(stopped(Device::Cpu), Device::Cpu);
    assert_eq!(finish(stopped(Device::CudaAll), Device::Cpu), expected);
    assert_eq!(finish(stopped(Device::Cpu), Device::CudaAll), expected);
}

fn model() -> Model {
    let mut model = generate::bar(Kind::ReducedHexahedron, [60, 3, 3]).unwrap();
    model.time.period *= 0.3;
    model
}

#[test]
fn solids() {
    let model = model();
    for precision in FemPrecision::ALL {
        compare(|device, hear| {
            let mut simulation = Simulation::new(&model, precision).unwrap();
            let place = fem::place(&mut simulation, &model, device).unwrap();
            assert_eq!(place.device, device);
            let settings = Settings { pulse: Duration::ZERO, ..Settings::default() };
            let rows = fem::observe(&model, &mut simulation, &settings, |simulation| {
                hear();
                assert!(simulation.energies().unwrap().relative_balance().abs() < 1.0);
                Continue(())
            });
            let drift = simulation.drift().unwrap().to_bits();
            let operations = simulation.operations().unwrap();
            let (steps, snapshot) = (simulation.steps(), simulation.snapshot().unwrap());
            (rows.unwrap(), drift, operations, steps, snapshot)
        });
    }
}

/// A record that is stopped leaves a checkpoint, from which one device or all go on.
#[test]
fn solids_go_on() {
    const STOP: u64 = 30;
    let model = model();
    let place = tempfile::tempdir().unwrap();
    let settings = Settings { pulse: Duration::ZERO, ..Settings::default() };
    let go_on = |folder: &str, device, steps| {
        let folder = place.path().join(folder);
        let checkpoint = folder.join(CHECKPOINT);
        let mut simulation = if checkpoint.exists() {
            Simulation::resume(&model, FemPrecision::Mixed, &checkpoint).unwrap()
        } else {
            Simulation::new(&model, FemPrecision::Mixed).unwrap()
        };
        fem::place(&mut simulation, &model, device).unwrap();
        let watch = |simulation: &Simulation<'_>| {
            if simulation.steps() >= steps { Break(()) } else { Continue(()) }
        };
        match fem::record(&model, &mut simulation, &folder, &settings, watch) {
            Ok(_) => assert_eq!(steps, u64::MAX),
            Err(RecordError::Stopped { checkpoint }) => assert_eq!(checkpoint.step, STOP),
            Err(error) => panic!("{error}"),
        }
        let history = fs::read(folder.join("history.csv")).unwrap();
        (history, fs::read(checkpoint).unwrap())
    };
    let expected = go_on("one", Device::Cpu, u64::MAX);
    assert!(go_on("all", Device::CudaAll, u64::MAX) == expected);
    for (name, [first, second]) in
        [("down", [Device::CudaAll, Device::Cpu]), ("up", [Device::Cpu, Device::CudaAll])]
    {
        go_on(name, first, STOP);
        assert!(go_on(name, second, u64::MAX) == expected, "{name}");
    }
}

/// What fails on all is told as by one device, and by whoever is asked afterwards.
#[test]
fn solids_that_fail() {
    let mut model = model();
    // Too long to be stable, and short enough for the load.
    model.time.increments = fem::model::Increments::Fixed(1e-5);
    model.time.period = 1e-2;
    compare(|device, _| {
        let mut simulation = Simulation::new(&model, FemPrecision::Double).unwrap();
        fem::place(&mut simulation, &model, device).unwrap();
        let error = simulation.advance_to(model.time.period).unwrap_err();
        (error, simulation.steps(), simulation.time().to_bits())
    });
}

#[test]
fn what_is_not_shared_is_refused() {
    let a = Matrix::from_fn(3, 3, |i, j| if i == j { 2.0 } else { 1.0 });
    let error = Eigenvalues::new(&a).device(Device::CudaAll).run().unwrap_err();
    assert!(error.to_string().starts_with("this is not shared by GPUs"), "{error}");
}
