//! Problems shared out among GPUs are those of one. Where a machine has fewer GPUs than there are
//! ranks, ranks share them.

use nonius_comm::Communicator;
use nonius_comm::threads::{Failure as RankFailure, run};
use nonius_cuda::{Cuda, Device};
use nonius_gpu::device_count;

use super::CudaRanks;
use crate::model::Kind;
use crate::solid::tests::suite::same_as;
use crate::solid::tests::{elastic, hexahedra};
use crate::solid::{Failure, Limits, Precision, Problem, Run, Solids, State};

const LIMITS: Limits = Limits { factor: 0.7, most: 1.0, resync: None };

/// The GPU of a rank, and those of all.
fn gpus(ranks: &Communicator) -> (Cuda, CudaRanks) {
    let count = device_count().expect("a driver");
    let device = Device::new(ranks.rank() % count.max(1)).expect("a GPU");
    let gpu = Cuda::new(&device).expect("a stream");
    let shared = CudaRanks::new(ranks, &gpu).expect("a wire");
    (gpu, shared)
}

fn on_ranks(check: impl Fn(&Cuda, &CudaRanks) -> Result<(), Failure> + Sync) {
    for ranks in [1, 2, 3] {
        let outcome = run(ranks, |ranks| {
            let (gpu, shared) = gpus(ranks);
            check(&gpu, &shared)
        });
        outcome.unwrap_or_else(|failure| panic!("{ranks} ranks: {failure}"));
    }
}

/// A box whose elements lie on boundaries and inside, and which bends and stretches.
fn moving() -> Problem {
    let size = [40, 16, 16];
    let material = elastic(1.0, 0.25, 1.0);
    let mut problem =
        hexahedra(Kind::ReducedHexahedron, size, size.map(|n| n as f64), |x| x, material);
    let speed = |x: &[f64; 3]| [0.02 * (0.2 * x[0]).sin(), 0.01 * (0.1 * x[0]).cos(), 0.001 * x[1]];
    problem.velocities = problem.coordinates.iter().map(speed).collect();
    problem
}

/// With everything that there may be, at all stages of a run.
#[test]
#[ignore = "needs a GPU"]
fn hexahedra_have_the_bits_of_one() {
    on_ranks(|gpu, shared| {
        same_as(gpu, shared, Kind::ReducedHexahedron);
        Ok(())
    });
}

#[test]
#[ignore = "needs a GPU"]
fn rings_have_the_bits_of_one() {
    on_ranks(|gpu, shared| {
        same_as(gpu, shared, Kind::Axisymmetric);
        Ok(())
    });
}

#[test]
#[ignore = "needs a GPU"]
fn elements_inside_have_the_bits_of_one() {
    let problem = moving();
    on_ranks(|gpu, shared| {
        for precision in Precision::ALL {
            let start = State::new(&problem);
            let mut alone = Run::on(gpu, &problem, precision, &start)?;
            let mut together = Run::on(shared, &problem, precision, &start)?;
            for steps in [1, 40, 33] {
                alone.advance(LIMITS, 1e3, steps)?;
                together.advance(LIMITS, 1e3, steps)?;
                assert!(together.state()? == alone.state()?, "{precision:?}, {steps} steps");
                assert!(together.motion()? == alone.motion()?, "{precision:?}, {steps} steps");
            }
        }
        Ok(())
    });
}

/// All ranks learn of the first failure, the same as that of one GPU.
#[test]
#[ignore = "needs a GPU"]
fn failures_are_those_of_one() {
    let moving = moving();
    let nodes = moving.coordinates.len();
    let mut velocities = vec![[0.0; 3]; nodes];
    (velocities[nodes - 1], velocities[nodes / 3]) = ([0.0, f64::INFINITY, 0.0], [f64::NAN; 3]);
    let not_finite = Problem { velocities, ..moving.clone() };
    let inwards = |x: &[f64; 3]| [-0.01 * (x[0] - 20.0).powi(3), 0.0, 0.0];
    let inverted =
        Problem { velocities: moving.coordinates.iter().map(inwards).collect(), ..moving };
    on_ranks(|gpu, shared| {
        for problem in [&inverted, &not_finite] {
            let backends: [&dyn Solids; 2] = [gpu, shared];
            let failures = backends.map(|backend| {
                let mut run = backend
                    .solids(problem, Precision::Double, &State::new(problem))
                    .expect("a run");
                run.advance(LIMITS, 1e3.into(), 1000).expect_err("a failure")
            });
            assert!(matches!(failures[0], Failure::Inverted { .. } | Failure::NotFinite { .. }));
            assert_eq!(failures[0], failures[1]);
        }
        Ok(())
    });
}

/// The others are in the middle of a run, and wait for what the rank does not send.
#[test]
#[ignore = "needs a GPU"]
fn runs_learn_of_a_rank_that_is_lost() {
    let problem = moving();
    let outcome = run(2, |ranks| {
        let (_, shared) = gpus(ranks);
        let mut run = Run::on(&shared, &problem, Precision::Double, &State::new(&problem))?;
        run.advance(LIMITS, 1e9, 40)?;
        if ranks.rank() == 1 {
            return Err(Failure::OtherState);
        }
        let failure = run.advance(LIMITS, 1e9, u64::MAX).expect_err("a failure");
        assert!(failure.to_string().contains("rank 1 failed"), "{failure}");
        Err::<(), _>(failure)
    });
    assert_eq!(outcome, Err(RankFailure::Rank { rank: 1, error: Failure::OtherState }));
}
