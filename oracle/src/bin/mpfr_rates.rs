//! Rates of MPFR on vectors at 106, 159 and 212 bits, and of sums with products up to 512 bits, one
//! thread: CSV rows as `nonius-bench` writes them.

use std::time::Instant;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rug::{Assign, Float};

/// A function of two numbers into a third; functions of one ignore the second.
type Operation = fn(&mut Float, &Float, &Float);

const OPERATIONS: [(&str, Operation); 7] = [
    ("add", |z, x, y| z.assign(x + y)),
    ("mul", |z, x, y| z.assign(x * y)),
    ("div", |z, x, y| z.assign(x / y)),
    ("sqrt", |z, x, _| z.assign(x.sqrt_ref())),
    ("exp", |z, x, _| z.assign(x.exp_ref())),
    ("ln", |z, x, _| z.assign(x.ln_ref())),
    ("sin", |z, x, _| z.assign(x.sin_ref())),
];

/// The shortest of several runs, in seconds.
fn best_of(mut work: impl FnMut()) -> f64 {
    let (mut best, mut total, mut runs) = (f64::INFINITY, 0.0, 0);
    while runs < 3 || (total < 0.5 && runs < 1000) {
        let start = Instant::now();
        work();
        let seconds = start.elapsed().as_secs_f64();
        best = best.min(seconds);
        total += seconds;
        runs += 1;
    }
    best
}

fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(4096_usize);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    println!("library,precision,operation,m,n,k,threads,seconds,rate,unit");
    for (name, bits) in [("dd", 106), ("td", 159), ("qd", 212)] {
        // Between 1/2 and 3/2, every bit random.
        let mut vector = || -> Vec<Float> {
            let mut number = || {
                let mut x = Float::with_val(bits, random.random_range(0.5..1.5));
                for shift in [53, 106, 159] {
                    x += Float::with_val(53, random.random_range(-1.0..1.0)) >> shift;
                }
                x
            };
            (0..n).map(|_| number()).collect()
        };
        let (x, y) = (vector(), vector());
        let mut z: Vec<Float> = vec![Float::new(bits); n];
        for (operation, apply) in OPERATIONS {
            let seconds = best_of(|| {
                for ((z, x), y) in z.iter_mut().zip(&x).zip(&y) {
                    apply(z, x, y);
                }
            });
            let rate = n as f64 / seconds / 1e6;
            println!("mpfr,{name},{operation},{n},1,1,1,{seconds:.6e},{rate:.6e},M/s");
        }
    }
    for bits in [106, 128, 212, 256, 424, 512] {
        multiples_and_sums(bits, n, &mut random);
    }
}

/// `y + α·x` and sums of products, each product and each sum rounded.
fn multiples_and_sums(bits: u32, n: usize, random: &mut ChaCha8Rng) {
    // In ±(1/2, 1), every bit random.
    let mut vector = || -> Vec<Float> {
        let mut number = || {
            let mut x = Float::with_val(bits, 1);
            for word in 0..bits.div_ceil(64) {
                x += Float::with_val(64, random.random::<u64>()) >> (64 * (word + 1));
            }
            if random.random() { x / 2_u32 } else { -x / 2_u32 }
        };
        (0..n).map(|_| number()).collect()
    };
    let (x, mut y, alpha) = (vector(), vector(), vector().swap_remove(0));
    let (mut term, mut sum) = (Float::new(bits), Float::new(bits));
    let row = |operation: &str, seconds: f64| {
        let rate = n as f64 / seconds / 1e6;
        println!("mpfr,mp{bits},{operation},{n},1,1,1,{seconds:.6e},{rate:.6e},M/s");
    };
    let seconds = best_of(|| {
        for (x, y) in x.iter().zip(&mut y) {
            term.assign(&alpha * x);
            *y += &term;
        }
    });
    row("axpy", seconds);
    let seconds = best_of(|| {
        sum.assign(0);
        for (x, y) in x.iter().zip(&y) {
            term.assign(x * y);
            sum += &term;
        }
    });
    row("dot", seconds);
}
