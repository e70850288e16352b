//! Seconds of a call of elementary functions of any precision, ours and MPFR's, as CSV.
//!
//! `cargo run --release -p nonius-oracle --bin mpfr_functions > FILE.csv`

use std::hint::black_box;
use std::time::Instant;

use nonius_num::Mp;
use nonius_num::mp::Bits;
use nonius_oracle::mp::float;
use rug::Float;
use rug::ops::Pow;

const PRECISIONS: [u32; 4] = [106, 424, 1000, 4096];
/// Arguments with all digits between 1 and 2, and as many exponents of `pow`.
const ARGUMENTS: usize = 64;
/// A figure is the best of so many.
const RUNS: usize = 7;

type Ours = fn(&Mp) -> Mp;
type Theirs = fn(&Float) -> Float;

const FUNCTIONS: [(&str, Ours, Theirs); 5] = [
    ("exp", |x| x.exp(), |x| Float::with_val(x.prec(), x.exp_ref())),
    ("ln", |x| x.ln(), |x| Float::with_val(x.prec(), x.ln_ref())),
    ("sin", |x| x.sin(), |x| Float::with_val(x.prec(), x.sin_ref())),
    ("atan", |x| x.atan(), |x| Float::with_val(x.prec(), x.atan_ref())),
    ("pow", |x| x.pow(x), |x| Float::with_val(x.prec(), x.pow(x))),
];

fn main() {
    println!("library,bits,function,seconds");
    for p in PRECISIONS {
        let Ok(bits) = Bits::new(p) else { continue };
        let one = Mp::one(bits);
        let count = Mp::from_f64(bits, ARGUMENTS as f64 + 1.0);
        let third = one / Mp::from_f64(bits, 3.0);
        let x: Vec<Mp> =
            (0..ARGUMENTS).map(|i| one + (Mp::from_f64(bits, i as f64) + third) / count).collect();
        let floats: Vec<Float> = x.iter().map(|x| float(x.view())).collect();
        for (name, ours, theirs) in FUNCTIONS {
            let seconds = best(|| {
                for x in &x {
                    let _ = black_box(ours(black_box(x)));
                }
            });
            println!("nonius,{p},{name},{seconds:.4e}");
            let seconds =
                best(|| floats.iter().for_each(|x| drop(black_box(theirs(black_box(x))))));
            println!("mpfr,{p},{name},{seconds:.4e}");
        }
    }
}

/// Seconds of one call among those of all arguments.
fn best(mut all: impl FnMut()) -> f64 {
    let run = || {
        let start = Instant::now();
        all();
        start.elapsed().as_secs_f64() / ARGUMENTS as f64
    };
    std::iter::repeat_with(run).take(RUNS).fold(f64::INFINITY, f64::min)
}
