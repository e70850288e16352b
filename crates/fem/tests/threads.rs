//! Ranks as threads.

mod suite;

use nonius_comm::threads::run;

#[test]
fn simulations_have_the_bits_of_one_device() {
    for ranks in 1..=4 {
        run(ranks, |ranks| suite::check(ranks).map_err(|error| error.to_string())).unwrap();
    }
}
