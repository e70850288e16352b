//! What an operation promises, and the judgement of one result.

use nonius_num::MultiFloat;
use nonius_testkit::is_normal_form;
use rug::Float;
use rug::ops::Pow;

use crate::value::{exact, nearest};

/// The documented bound of an operation.
///
/// A result is judged so:
/// - NaN, infinities and zeros (with their signs) must be those of the reference, and every result
///   in normal form;
/// - the error must be within the bound, which may be exceeded by [`tiny`](Bound::tiny) units of
///   the smallest subnormal, `2^-1074` (next to nothing for results of `2^(p-1022)` or more);
/// - an infinite result stands for any reference that is within the bound of `MAX`, or beyond.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    kind: Kind,
    tiny: f64,
    zero_sign: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Relative(f64),
    Ulps(f64),
    Nearest,
}

/// How far one result is off.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deviation {
    /// In units of the last place, `2^(1-p)` relative to the binade of the exact result; of results
    /// below `2^(p-1022)` nothing.
    pub ulps: f64,
    /// As a fraction of the bound; of results below `2^(p-1022)` nothing.
    pub of_bound: f64,
    /// In units of `2^-1074`, what is beyond the bound.
    pub tiny: f64,
}

impl Bound {
    /// Relative error at most `bound`.
    pub fn relative(bound: f64) -> Self {
        Self { kind: Kind::Relative(bound), tiny: 4.0, zero_sign: true }
    }

    /// Relative error at most `2^exponent[N - 2]`.
    pub fn power<const N: usize>(exponents: [i32; 3]) -> Self {
        Self::relative(f64::from(exponents[N - 2]).exp2())
    }

    /// Error at most `bound` units of the last place.
    pub fn ulps(bound: f64) -> Self {
        Self { kind: Kind::Ulps(bound), tiny: 4.0, zero_sign: true }
    }

    /// The number of `N` limbs nearest to the exact result, or as near; so the exact result itself
    /// where there is one.
    pub fn nearest() -> Self {
        Self { kind: Kind::Nearest, tiny: 0.0, zero_sign: true }
    }

    /// Allows `units` of `2^-1074` near underflow, instead of 4.
    pub fn tiny(self, units: f64) -> Self {
        Self { tiny: units, ..self }
    }

    /// Does not compare the signs of zeros.
    pub fn any_zero(self) -> Self {
        Self { zero_sign: false, ..self }
    }

    /// The precision the reference is to be computed with, correctly rounded: 64 bits more than the
    /// format's, or enough to make it exact.
    pub fn reference_precision<const N: usize>(self) -> u32 {
        match self.kind {
            Kind::Nearest => 4_500,
            _ => 52 * N as u32 + 64,
        }
    }

    /// As the reports print it.
    pub fn describe<const N: usize>(self) -> String {
        match self.kind {
            Kind::Relative(bound) => format!("{:.3}", bound * f64::from(52 * N as u32).exp2()),
            Kind::Ulps(bound) => format!("{bound:.3}"),
            Kind::Nearest => "nearest".into(),
        }
    }

    /// Judges the result `z` of an operation whose exact result is `reference`.
    pub fn judge<const N: usize>(
        self,
        z: MultiFloat<N>,
        reference: &Float,
    ) -> Result<Deviation, String> {
        if !is_normal_form(z) {
            return Err("not in normal form".into());
        }
        if reference.is_nan() {
            return if z.is_nan() { Ok(Deviation::default()) } else { Err("should be NaN".into()) };
        }
        if z.is_nan() {
            return Err("NaN".into());
        }
        if reference.is_zero() || reference.is_infinite() {
            let same = z.first() == reference.to_f64();
            let sign = z.is_sign_negative() == reference.is_sign_negative();
            let sign_counts = self.zero_sign || reference.is_infinite();
            return if same && (sign || !sign_counts) {
                Ok(Deviation::default())
            } else {
                Err(format!("should be {:?}", reference.to_f64()))
            };
        }
        self.measure(z, reference)
    }

    fn measure<const N: usize>(
        self,
        z: MultiFloat<N>,
        reference: &Float,
    ) -> Result<Deviation, String> {
        let p = 52 * N as i32;
        // Infinity is judged as if it were MAX, and right beyond it.
        let z = if z.is_infinite() {
            if z.is_sign_negative() != reference.is_sign_negative() {
                return Err("infinite, with the wrong sign".into());
            }
            let largest = exact(MultiFloat::<N>::MAX);
            if reference.as_abs().partial_cmp(&largest) != Some(std::cmp::Ordering::Less) {
                return Ok(Deviation::default());
            }
            if z.is_sign_negative() { -largest } else { largest }
        } else {
            exact(z)
        };
        let precision = z.prec().max(reference.prec()) + 64;
        let error = Float::with_val(precision, &z - reference).abs();
        let exponent = reference.get_exp().unwrap_or(0) - 1;
        let ulp = Float::with_val(64, Float::with_val(64, 2).pow(exponent + 1 - p));
        let allowed = match self.kind {
            Kind::Relative(bound) => Float::with_val(64, reference * bound).abs(),
            Kind::Ulps(bound) => Float::with_val(64, &ulp * bound),
            Kind::Nearest => {
                let right = nearest::<N>(reference);
                if right.is_infinite() {
                    return Err("should be infinite".into());
                }
                Float::with_val(precision, &exact(right) - reference).abs()
            }
        };
        let ulps = Float::with_val(64, &error / &ulp).to_f64();
        let beyond = Float::with_val(precision, &error - &allowed);
        let tiny = Float::with_val(64, beyond << 1074_u32).to_f64().max(0.0);
        if tiny > self.tiny {
            Err(format!("off by {ulps:.3e} ulps, {tiny:.3e}·2^-1074 beyond the bound"))
        } else if exponent >= p - 1022 {
            let of_bound = Float::with_val(64, error / allowed).to_f64();
            Ok(Deviation {
                ulps,
                of_bound: if of_bound.is_nan() || matches!(self.kind, Kind::Nearest) {
                    0.0
                } else {
                    of_bound
                },
                tiny,
            })
        } else {
            Ok(Deviation { tiny, ..Deviation::default() })
        }
    }
}
