//! A rank fails while the others are in the middle of a factorisation: all of them end soon, and
//! say which rank failed and why.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use nonius_comm::Communicator;
use nonius_comm::dense::{Grid, Ranks};
use nonius_comm::threads::{Failure, run};
use nonius_linalg::Matrix;
use nonius_linalg::backend::Memory;
use nonius_linalg::dense::{cholesky_in_place, lu_in_place};
use nonius_num::Dd;

use crate::suite::dense::Device;

/// How long ranks may take to end: they are allowed a minute, and need less.
const SOON: Duration = Duration::from_secs(20);

const ORDER: usize = 300;
const TURNS: usize = 2;

/// Factors a matrix so many times, which others then do no longer.
pub(crate) fn factor<B: Device<Dd>>(
    ranks: &Communicator,
    one: B,
    turns: usize,
) -> Result<(), String> {
    let entry = |i: usize, j: usize| {
        Dd::from(1.0 / (1 + i.abs_diff(j)) as f64 + f64::from(u8::from(i == j)))
    };
    let a = Matrix::from_fn(ORDER, ORDER, entry);
    let text = |error: nonius_linalg::Error| error.to_string();
    let tiled = Ranks::new(Grid::new(ranks, 32), one).map_err(text)?;
    let mut pivots = vec![0; ORDER];
    for _ in 0..turns {
        let mut factor = tiled.upload(a.view());
        let outcome = cholesky_in_place(&tiled, tiled.view_mut(&mut factor));
        assert_eq!(outcome.err(), None, "a failure is no breakdown");
        tiled.download(tiled.view(&factor)).map_err(text)?;
        let mut factors = tiled.upload(a.view());
        let outcome = lu_in_place(&tiled, tiled.view_mut(&mut factors), &mut pivots);
        assert_eq!(outcome.err(), None, "a failure is no breakdown");
        tiled.download(tiled.view(&factors)).map_err(text)?;
    }
    Ok(())
}

/// The last of `count` ranks returns an error: the others end with its number and cause.
pub(crate) fn with_an_error<B: Device<Dd>>(count: usize, one: impl Fn(&Communicator) -> B + Sync) {
    let start = Instant::now();
    let outcome = run(count, |ranks| {
        if ranks.rank() + 1 == count {
            factor(ranks, one(ranks), TURNS)?;
            return Err("the power went off".to_owned());
        }
        let sentence = factor(ranks, one(ranks), usize::MAX).unwrap_err();
        let expected = format!("rank {} failed: the power went off", count - 1);
        assert!(sentence.ends_with(&expected), "{sentence}");
        Err::<(), _>(sentence)
    });
    let error = "the power went off".to_owned();
    assert_eq!(outcome, Err(Failure::Rank { rank: count - 1, error }));
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

/// The same of a rank that panics.
pub(crate) fn with_a_panic<B: Device<Dd>>(count: usize, one: impl Fn(&Communicator) -> B + Sync) {
    let (start, sentences) = (Instant::now(), Mutex::new(Vec::new()));
    let work = |ranks: &Communicator| {
        if ranks.rank() + 1 == count {
            factor(ranks, one(ranks), TURNS)?;
            panic!("ours");
        }
        let sentence = factor(ranks, one(ranks), usize::MAX).unwrap_err();
        sentences.lock().unwrap().push(sentence.clone());
        Err::<(), _>(sentence)
    };
    let panic = catch_unwind(AssertUnwindSafe(|| run(count, work))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"ours"));
    let sentences = sentences.into_inner().unwrap();
    let expected = format!("rank {} failed: ours", count - 1);
    assert_eq!(sentences.len(), count - 1);
    assert!(sentences.iter().all(|sentence| sentence.ends_with(&expected)), "{sentences:?}");
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}
