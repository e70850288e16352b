//! Rates of operations on vectors of any precision, one thread: `y + α·x`, `x + β·y`, and sums of
//! products.

use std::hint::black_box;

use nonius_linalg::backend::{Sign, Space};
use nonius_linalg::krylov::HostSpace;
use nonius_linalg::mp::{Bits, Mp, Numbers};
use rand::{Rng, SeedableRng, rngs::StdRng};

use crate::record::Record;
use crate::timing::best_of;

/// Lines of `n` numbers in ±(1/2, 1), every bit random.
pub(crate) fn measure(n: usize, bits: &[Bits], threads: usize) -> Vec<Record> {
    let mut records = Vec::new();
    for &bits in bits {
        let mut space = HostSpace::<Mp>::new(bits);
        let mut random = StdRng::seed_from_u64(1);
        let (x, mut y) = (line(bits, n, &mut random), line(bits, n, &mut random));
        let (alpha, mut sum) = (number(bits, &mut random), Mp::zero(bits));
        let mut row = |operation: &str, seconds: f64| {
            let rate = n as f64 / seconds / 1e6;
            eprintln!(
                "mp{bits:<5} {operation:5} {:8.2} ns, {rate:8.2} M/s",
                1e9 * seconds / n as f64
            );
            records.push(Record {
                library: "nonius".into(),
                precision: format!("mp{bits}"),
                operation: operation.into(),
                m: n,
                n: 1,
                k: 1,
                threads,
                seconds,
                rate,
                unit: "M/s".into(),
            });
        };
        row("axpy", best_of(|| space.axpy(Sign::Plus, &alpha, &x, &mut y)));
        row("xpay", best_of(|| space.xpay(&x, Sign::Plus, &alpha, &mut y)));
        row("dot", best_of(|| space.dot(&x, black_box(&y), &mut sum)));
    }
    records
}

pub(crate) fn line(bits: Bits, n: usize, random: &mut StdRng) -> Numbers {
    let mut x = Numbers::new(bits);
    for _ in 0..n {
        x.push(number(bits, random));
    }
    x
}

fn number(bits: Bits, random: &mut StdRng) -> Mp {
    let mut words: Vec<u64> = (0..bits.words()).map(|_| random.random()).collect();
    *words.last_mut().expect("a precision has words") |= 1 << 63;
    Mp::rounded(bits, random.random(), &words, -64 * words.len() as i64, false)
}
