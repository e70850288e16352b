//! The first rank speaks with whoever watches a run, and decides for all.

use nonius_comm::dense::{Link, Ranks};
use nonius_linalg::{DeviceFailure, Error};

/// What the first rank says next.
const STOP: u8 = 0;
const GO_ON: u8 = 1;
const FETCH: u8 = 2;

/// Decides whether a run goes on, and may ask for the point that it has come to.
pub type Decide<'a, S> = dyn FnMut(&dyn Fn() -> Result<S, Error>) -> bool + 'a;

/// Has the first rank's `observe` decide whether to go on, which all ranks return. Where it asks
/// for what `fetch` yields, all ranks call that together. The others' `observe` is not called.
///
/// Where communication fails, whoever computes next learns of it.
pub(crate) fn lead<B: Link, S>(
    ranks: &Ranks<B>,
    fetch: &dyn Fn() -> Result<S, Error>,
    observe: &mut Decide<'_, S>,
) -> bool {
    let said = |word: u8| {
        ranks.attempt(|| {
            let mut word = [word];
            let told = ranks.grid().ranks().broadcast(0, &mut word);
            told.map_err(|error| Error::Device(DeviceFailure::new(error)))?;
            Ok(word[0])
        })
    };
    if ranks.grid().ranks().rank() == 0 {
        let goes_on = observe(&|| {
            said(FETCH)?;
            fetch()
        });
        return said(u8::from(goes_on)) == Ok(GO_ON);
    }
    loop {
        match said(STOP) {
            Ok(FETCH) => {
                // A failure is kept, and is the next one's, too.
                let _ = fetch();
            }
            word => return word == Ok(GO_ON),
        }
    }
}
