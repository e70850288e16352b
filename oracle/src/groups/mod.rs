//! The operations, a file for each group.

/// Functions of one number, against the method of `rug::Float` of the name given:
/// `ours theirs bound, domain;`.
macro_rules! unary {
    ($oracle:ident: $($name:ident $reference:ident $bound:expr, $domain:expr;)*) => {$(
        $oracle.unary(
            stringify!($name),
            $domain,
            $bound,
            |x| x.$name(),
            |p, x| rug::Float::with_val(p, x.$reference()),
        );
    )*};
}

mod arc;
mod arithmetic;
mod circular;
mod comparison;
mod conversion;
mod decimal;
mod eft;
mod exponential;
mod fused;
mod hyperbolic;
mod logarithm;
mod power;
mod remainder;
mod renormalization;
mod rounding;
mod scaling;
mod variants;

use crate::oracle::{Oracle, Row};

/// A named list of operations, at each width.
pub struct Group {
    /// As the command line spells it.
    pub name: &'static str,
    /// What it covers.
    pub about: &'static str,
    dd: fn(&mut Oracle<2>),
    td: fn(&mut Oracle<3>),
    qd: fn(&mut Oracle<4>),
}

macro_rules! groups {
    ($($module:ident: $about:literal;)*) => {
        /// Every group.
        pub const GROUPS: &[Group] = &[$(Group {
            name: stringify!($module),
            about: $about,
            dd: $module::run::<2>,
            td: $module::run::<3>,
            qd: $module::run::<4>,
        }),*];
    };
}

groups! {
    arithmetic: "+ − × ÷ √";
    fused: "a·b + c rounded once";
    remainder: "%, rem_euclid, div_euclid";
    rounding: "floor, ceil, trunc, round, round_ties_even, fract";
    scaling: "ldexp, frexp, abs, negation";
    comparison: "order, equality, min, max";
    conversion: "limb counts, f32, f64, integers";
    decimal: "reading and writing decimal text";
    renormalization: "bringing limbs into normal form";
    variants: "the named double-double sums and products";
    eft: "TwoSum, TwoProd, Dekker's TwoProd against a fused multiply-add";
    arc: "asin acos atan atan2";
    circular: "sin cos tan";
    exponential: "exp exp2 expm1";
    hyperbolic: "sinh cosh tanh asinh acosh atanh";
    power: "pow powi cbrt hypot";
    logarithm: "ln log2 log10 log1p";
}

impl Group {
    /// Tries every operation whose name contains `filter`, at every width, on `count` random
    /// inputs.
    pub fn run(&self, count: u64, seed: u64, filter: &str) -> Vec<Row> {
        fn rows<const N: usize>(mut oracle: Oracle<N>, run: fn(&mut Oracle<N>)) -> Vec<Row> {
            run(&mut oracle);
            oracle.into_rows()
        }
        let mut all = rows(Oracle::new(self.name, count, seed, filter), self.dd);
        all.extend(rows(Oracle::new(self.name, count, seed, filter), self.td));
        all.extend(rows(Oracle::new(self.name, count, seed, filter), self.qd));
        all
    }
}
