//! Choosing the widest registers of this machine at run time.

// The one call below that enters code compiled for the found processor.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_real;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_real;
pub mod counting;
mod kernel;
pub(crate) mod prefetch;
pub mod real;
#[cfg(target_arch = "x86_64")]
mod words;

use core::sync::atomic::{AtomicU8, Ordering};

pub use self::kernel::Kernel;

/// A set of registers to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// One number at a time, on any processor.
    Scalar,
    /// Four numbers: x86-64 with AVX2, FMA, BMI1, BMI2 and LZCNT.
    Avx2,
    /// Eight numbers: x86-64 with AVX-512 F and DQ besides.
    Avx512,
}

impl Level {
    /// The widest level that this processor has.
    pub fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt");
            if avx2 && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                return Level::Avx512;
            }
            if avx2 {
                return Level::Avx2;
            }
        }
        Level::Scalar
    }

    /// How many times as long as with AVX-512 arithmetic takes, about.
    pub fn slowdown(self) -> f64 {
        match self {
            Level::Scalar => 8.0,
            Level::Avx2 => 2.0,
            Level::Avx512 => 1.0,
        }
    }

    /// All levels that this processor has, narrowest first.
    pub fn available() -> impl Iterator<Item = Level> {
        let best = Level::best();
        [Level::Scalar, Level::Avx2, Level::Avx512].into_iter().filter(move |&l| l <= best)
    }

    /// The level that kernels use: the best, unless [`set`](Level::set) said otherwise.
    pub fn current() -> Level {
        match CURRENT.load(Ordering::Relaxed) {
            1 => Level::Scalar,
            2 => Level::Avx2,
            3 => Level::Avx512,
            _ => {
                let best = Level::best();
                Level::set(best);
                best
            }
        }
    }

    /// Makes kernels use `level`, or the best that this processor has where it lacks it. Results do
    /// not change.
    pub fn set(level: Level) {
        let level = level.min(Level::best());
        CURRENT.store(level as u8 + 1, Ordering::Relaxed);
    }

    /// The name as `nonius info` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Avx2 => "avx2+fma",
            Level::Avx512 => "avx512",
        }
    }
}

/// 0 before the first use, then `Level as u8 + 1`.
static CURRENT: AtomicU8 = AtomicU8::new(0);

/// Runs a kernel with the registers of [`Level::current`].
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    match Level::current() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `Level::set` admits a level only when the processor has its instructions.
        Level::Avx512 => unsafe { avx512::run(kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Level::Avx2 => unsafe { avx2::run(kernel) },
        _ => kernel.run::<f64>(),
    }
}

/// Runs a kernel that computes with `f32` and `f64`, with the registers of [`Level::current`].
#[inline]
pub fn dispatch_real<K: real::RealKernel>(kernel: K) -> K::Output {
    match Level::current() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `Level::set` admits a level only when the processor has its instructions.
        Level::Avx512 => unsafe { avx512_real::run(kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Level::Avx2 => unsafe { avx2_real::run(kernel) },
        _ => kernel.run::<real::Scalar>(),
    }
}

/// Runs a kernel that computes with integers, by the instructions of [`Level::current`].
#[inline]
pub fn dispatch_words<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if Level::current() >= Level::Avx2 {
        // SAFETY: `Level::set` admits a level only when the processor has its instructions, and all
        // above `Scalar` have these.
        return unsafe { words::run(kernel) };
    }
    kernel.run::<f64>()
}

#[cfg(test)]
mod tests {
    use nonius_num::Lane;

    use super::*;

    /// Loads, stores and looks up with every register, and compares with single numbers.
    struct Moves<const N: usize>;

    impl<const N: usize> Kernel for Moves<N> {
        type Output = ();

        #[inline(always)]
        fn run<L: Lane>(self) {
            let from: Vec<f64> = (0..N * L::LANES).map(|i| i as f64).collect();
            let limbs = L::load_limbs::<N>(&from);
            for (l, limb) in limbs.iter().enumerate() {
                for i in 0..L::LANES {
                    assert_eq!(limb.lane(i), (i * N + l) as f64);
                    assert_eq!(limb.look_up(&from).lane(i), (i * N + l) as f64);
                }
            }
            let mut to = vec![-1.0; N * L::LANES + 1];
            L::store_limbs(limbs, &mut to);
            assert_eq!(to[..N * L::LANES], from);
            assert_eq!(to[N * L::LANES], -1.0);
        }
    }

    /// Numbers of every kind, halfway cases included.
    const KINDS: [f64; 20] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1.5,
        -0.1,
        f64::EPSILON,
        -f64::EPSILON / 2.0,
        3e-17,
        1e16,
        -1e16,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
        -5e-324,
        1e-310,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];

    /// Compares operations on registers with those on numbers, for all pairs of [`KINDS`].
    struct Operations;

    impl Kernel for Operations {
        type Output = ();

        #[inline(always)]
        fn run<L: Lane>(self) {
            for a in KINDS {
                for b in KINDS {
                    // The pair in one lane, ordinary numbers in the others.
                    for place in 0..L::LANES {
                        let at = |x: f64| L::from_fn(|i| if i == place { x } else { 1.0 });
                        let (x, y) = (at(a), at(b));
                        let (s, e) = L::two_sum(x, y);
                        let (sum, error) = f64::two_sum(a, b);
                        assert!(same(s.lane(place), sum), "{a} + {b}");
                        assert!(same(e.lane(place), error) || !sum.is_finite(), "{a} + {b}");
                        let (p, e) = L::two_prod(x, y);
                        let (product, error) = f64::two_prod(a, b);
                        assert!(same(p.lane(place), product), "{a} · {b}");
                        assert!(same(e.lane(place), error) || !product.is_finite(), "{a} · {b}");
                        assert_eq!(x.all_finite(), a.is_finite());
                        assert_eq!(x.all_ordinary(), a.is_finite() && a != 0.0);
                    }
                }
            }
        }
    }

    /// The same bits, or two NaN.
    fn same(x: f64, y: f64) -> bool {
        x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
    }

    /// Looks up beyond the end of a table.
    struct Beyond(f64);

    impl Kernel for Beyond {
        type Output = f64;

        #[inline(always)]
        fn run<L: Lane>(self) -> f64 {
            let index = L::from_fn(|i| if i + 1 == L::LANES { self.0 } else { 0.0 });
            index.look_up(&[1.0, 2.0, 3.0]).lane(0)
        }
    }

    fn at_every_level(test: impl Fn(Level)) {
        for level in Level::available() {
            Level::set(level);
            test(level);
        }
        Level::set(Level::best());
    }

    #[test]
    fn limbs_move_in_and_out_of_registers() {
        at_every_level(|_| {
            dispatch(Moves::<1>);
            dispatch(Moves::<2>);
            dispatch(Moves::<3>);
            dispatch(Moves::<4>);
        });
    }

    #[test]
    fn registers_compute_as_numbers_do() {
        at_every_level(|_| dispatch(Operations));
    }

    #[test]
    fn looking_up_outside_the_table_panics() {
        at_every_level(|level| {
            dispatch(Beyond(2.0));
            for index in [3.0, 1e300, f64::INFINITY] {
                let outcome = std::panic::catch_unwind(|| dispatch(Beyond(index)));
                assert!(outcome.is_err(), "{index} at level {}", level.name());
            }
        });
    }
}
