//! Ranks as threads: runs have the bits of one device.

mod same;

use nonius_comm::threads::{Failure, run};
use nonius_sdp::{Error, Problem, solve_on};

use crate::common::known::known;
use same::{alone, assert_same, check, options, sdplib, shared};

fn on_ranks(problem: &Problem, precisions: &[&str]) {
    for ranks in 1..=4 {
        run(ranks, |ranks| check(ranks, problem, precisions)).unwrap();
    }
}

/// Seven small blocks: some ranks have several.
#[test]
fn trusses() {
    on_ranks(&sdplib("truss1"), &["f64", "dd", "qd", "mp300"]);
}

/// Two blocks: some ranks have none.
#[test]
fn controls() {
    on_ranks(&sdplib("control1"), &["f64", "dd"]);
}

/// One block, and a Schur complement of several tiles.
#[test]
fn thetas() {
    let problem = sdplib("theta1");
    run(3, |ranks| check(ranks, &problem, &["f64"])).unwrap();
}

/// Equality constraints are eliminated before, on every rank.
#[test]
fn equalities() {
    let (problem, ..) = known(5, [7, 12], Some(6), (2, &[1, 2, -1]));
    on_ranks(&problem, &["dd"]);
}

/// A run that is interrupted on some ranks goes on on others.
#[test]
fn runs_go_on_on_other_numbers_of_ranks() {
    let (problem, options) = (sdplib("control1"), options("dd"));
    // In the first precision, and in the second.
    for after in [4, 26] {
        let left = same::run(&alone(), &problem, &options, None, after).unwrap();
        let end = same::run(&alone(), &problem, &options, Some(&left.last), u64::MAX).unwrap();
        for (before, behind) in [(3, 2), (1, 4), (2, 1)] {
            let found = run(before, |ranks| {
                let found = same::run(&shared(ranks), &problem, &options, None, after)?;
                assert_same(ranks, &found, &left);
                Ok::<_, Error>(found)
            });
            let file = &found.unwrap()[0].last;
            run(behind, |ranks| {
                let found = same::run(&shared(ranks), &problem, &options, Some(file), u64::MAX)?;
                assert_same(ranks, &found, &end);
                Ok::<_, Error>(())
            })
            .unwrap();
        }
    }
}

/// Where a rank ends in the middle of a run, the others end with its number and cause.
#[test]
fn a_lost_rank_ends_the_run() {
    let problem = sdplib("truss1");
    let outcome = run(3, |ranks| {
        let machine = shared(ranks);
        let mut observe = |row: &nonius_sdp::Row, _: nonius_sdp::FetchPoint<'_>| {
            if row.number == 5 {
                ranks.fail("the power is gone");
            }
            true
        };
        let error = solve_on(&machine, &problem, &options("dd"), None, &mut observe).unwrap_err();
        assert_eq!(error.to_string(), "rank 0 failed: the power is gone");
        Err::<(), _>(error.to_string())
    });
    let error = "rank 0 failed: the power is gone".to_owned();
    assert_eq!(outcome, Err(Failure::Rank { rank: 0, error }));
}
