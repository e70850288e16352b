//! Ranks as threads.

#[cfg(feature = "cuda")]
mod gpus;
#[path = "../suite/mod.rs"]
mod suite;

use nonius_comm::threads::run;

#[test]
fn outcomes_have_the_bits_of_one_device() {
    for ranks in 1..=4 {
        run(ranks, suite::check).unwrap();
    }
}
