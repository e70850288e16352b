//! Registers of several numbers give the bits of single numbers, whether the core or the scalar
//! path computes them.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Lane, MultiFloat};

/// A register of two. Its arithmetic is out of line: the cores compile in a fraction of the time.
#[derive(Clone, Copy, Debug)]
struct Two([f64; 2]);

macro_rules! operators {
    ($($operator:ident $method:ident;)*) => {$(
        impl $operator for Two {
            type Output = Self;

            #[inline(never)]
            fn $method(self, y: Self) -> Self {
                Self([self.0[0].$method(y.0[0]), self.0[1].$method(y.0[1])])
            }
        }
    )*};
}

operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl Neg for Two {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Lane for Two {
    type Mask = [bool; 2];
    const LANES: usize = 2;

    fn splat(x: f64) -> Self {
        Self([x, x])
    }

    fn from_fn(f: impl FnMut(usize) -> f64) -> Self {
        Self(core::array::from_fn(f))
    }

    fn lane(self, i: usize) -> f64 {
        self.0[i]
    }

    fn load(from: &[f64]) -> Self {
        Self([from[0], from[1]])
    }

    fn store(self, to: &mut [f64]) {
        to[..2].copy_from_slice(&self.0);
    }

    #[inline(never)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        Self([self.0[0].mul_add(b.0[0], c.0[0]), self.0[1].mul_add(b.0[1], c.0[1])])
    }

    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    fn less(a: Self, b: Self) -> [bool; 2] {
        [a.0[0] < b.0[0], a.0[1] < b.0[1]]
    }

    fn equal(a: Self, b: Self) -> [bool; 2] {
        [a.0[0] == b.0[0], a.0[1] == b.0[1]]
    }

    fn select(mask: [bool; 2], a: Self, b: Self) -> Self {
        Self(core::array::from_fn(|i| if mask[i] { a.0[i] } else { b.0[i] }))
    }

    fn all(mask: [bool; 2]) -> bool {
        mask[0] && mask[1]
    }

    fn exp2_integer(k: Self) -> Self {
        Self(k.0.map(f64::exp2_integer))
    }

    fn exponent(self) -> Self {
        Self(self.0.map(Lane::exponent))
    }

    fn two_sum(a: Self, b: Self) -> (Self, Self) {
        two_sum(a, b)
    }

    fn two_prod(a: Self, b: Self) -> (Self, Self) {
        two_prod(a, b)
    }

    fn look_up(self, table: &[f64]) -> Self {
        Self(self.0.map(|i| i.look_up(table)))
    }
}

#[inline(never)]
fn two_sum(a: Two, b: Two) -> (Two, Two) {
    let [(s, e), (t, f)] = [0, 1].map(|i| f64::two_sum(a.0[i], b.0[i]));
    (Two([s, t]), Two([e, f]))
}

#[inline(never)]
fn two_prod(a: Two, b: Two) -> (Two, Two) {
    let [(p, e), (q, f)] = [0, 1].map(|i| f64::two_prod(a.0[i], b.0[i]));
    (Two([p, q]), Two([e, f]))
}

/// Arguments of all sizes: of magnitude `2^(±1, ±2, …)` with random bits, around 1, and the ends of
/// all domains.
fn arguments<const N: usize>() -> Vec<MultiFloat<N>> {
    let mut state = 1_u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut all = Vec::new();
    for e in (-40..40).chain([-1074, -1000, -300, -251, -249, -112, 100, 239, 241, 300, 999, 1023])
    {
        let limbs = core::array::from_fn(|i| (random() - 0.5) * 2_f64.powi(-53 * i as i32));
        all.push(MultiFloat::renormalize(limbs).ldexp(e));
    }
    for x in [0.0, 1.0, 0.999, 1.001, 80.0, 300.0, 706.0, 708.5, 1022.0, 1e5, 1e6, f64::INFINITY] {
        all.push(MultiFloat::from(x));
        all.push(MultiFloat::from(x) - MultiFloat::EPSILON);
    }
    all.extend([1, 2, 3, 7, 1000].map(|k| MultiFloat::FRAC_PI_2 * f64::from(k)));
    // A tie, and a limb that falls off the range when the number is squared.
    let odd = 1.0 + f64::EPSILON;
    for pair in [[odd, f64::EPSILON / 2.0], [8.0 * odd, -4.0 * f64::EPSILON], [0.5, -5e-324]] {
        let limbs = core::array::from_fn(|i| pair.get(i).copied().unwrap_or(0.0));
        all.push(MultiFloat::from_limbs(limbs));
    }
    let negated: Vec<_> = all.iter().map(|&x| -x).collect();
    all.extend(negated);
    all.push(MultiFloat::NAN);
    all
}

#[track_caller]
fn same<const N: usize>(name: &str, z: MultiFloat<N>, w: MultiFloat<N>, x: MultiFloat<N>) {
    let bits = |z: MultiFloat<N>| z.limbs().map(f64::to_bits);
    // The sign of a zero limb behind the first means nothing.
    let equal = z.limbs() == w.limbs() && bits(z)[0] == bits(w)[0];
    assert!(
        equal || (z.is_nan() && w.is_nan()),
        "{name} of {x:?}: {z:?} in a register, {w:?} alone"
    );
}

type Register<const N: usize> = MultiFloat<N, Two>;

/// Out of line, so that each core is compiled once.
macro_rules! cores {
    ($($name:ident($($operand:ident)*);)*) => {$(
        #[inline(never)]
        fn $name<const N: usize>(x: Register<N>, $($operand: Register<N>)*) -> Register<N> {
            x.$name($($operand)*)
        }
    )*};
}

cores! {
    exp(); exp2(); exp_m1(); ln(); log2(); log10(); ln_1p(); cbrt(); sin(); cos(); tan(); asin(); acos(); atan();
    sinh(); cosh(); tanh(); asinh(); acosh(); atanh();
    pow(y); hypot(y); atan2(y);
}

#[inline(never)]
fn powi<const N: usize>(x: Register<N>, n: i32) -> Register<N> {
    x.powi(n)
}

#[inline(never)]
fn sin_cos<const N: usize>(x: Register<N>) -> (Register<N>, Register<N>) {
    x.sin_cos()
}

macro_rules! unary {
    ($($name:ident)*) => {
        fn unary_functions<const N: usize>() {
            let all = arguments::<N>();
            let alone = all.iter().map(|&x| [x, x]);
            for [x, y] in all.windows(2).map(|pair| [pair[0], pair[1]]).chain(alone) {
                let register = Register::from_fn(|i| [x, y][i]);
                $(
                    let z = $name(register);
                    same(stringify!($name), z.lane(0), x.$name(), x);
                    same(stringify!($name), z.lane(1), y.$name(), y);
                )*
                let (sine, cosine) = sin_cos(register);
                same("sin_cos", sine.lane(1), y.sin(), y);
                same("sin_cos", cosine.lane(1), y.cos(), y);
                for n in [-600, -511, -7, -1, 0, 1, 2, 3, 10, 511, 512] {
                    let z = powi(register, n);
                    same("powi", z.lane(0), x.powi(n), x);
                    same("powi", z.lane(1), y.powi(n), y);
                }
            }
        }
    };
}

unary! {
    exp exp2 exp_m1 ln log2 log10 ln_1p cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
}

macro_rules! binary {
    ($($name:ident)*) => {
        fn binary_functions<const N: usize>() {
            let all = arguments::<N>();
            for (i, &x) in all.iter().enumerate() {
                for &y in all.iter().skip(i % 7).step_by(7) {
                    let first = Register::from_fn(|i| [x, x.abs()][i]);
                    let second = Register::from_fn(|_| y);
                    $(
                        let z = $name(first, second);
                        same(stringify!($name), z.lane(0), x.$name(y), x);
                        same(stringify!($name), z.lane(1), x.abs().$name(y), x);
                    )*
                }
            }
        }
    };
}

binary! {
    pow hypot atan2
}

#[test]
fn every_width() {
    unary_functions::<2>();
    unary_functions::<3>();
    unary_functions::<4>();
    binary_functions::<2>();
    binary_functions::<3>();
    binary_functions::<4>();
}
