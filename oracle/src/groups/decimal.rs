//! Decimal text: reading, the shortest text, and text at a given precision.

use nonius_num::{Decimal, MultiFloat};
use nonius_testkit::{Inputs, power};
use rand::Rng;
use rug::float::Round;
use rug::ops::Pow;
use rug::{Float, Integer};

use crate::value::{exact, exact_sum, nearest};
use crate::{Domain, Oracle};

/// A number as text, `digits·10^exponent`.
#[derive(Debug)]
struct Text {
    negative: bool,
    digits: String,
    exponent: i32,
}

impl Text {
    fn new(negative: bool, digits: String, exponent: i32) -> Self {
        Self { negative, digits, exponent }
    }

    /// All digits of a finite number.
    fn of(x: &Float) -> Self {
        let Some((significand, exponent)) = x.to_integer_exp() else {
            return Self::new(false, "0".into(), 0);
        };
        let (significand, exponent) = if exponent < 0 {
            (significand * Integer::from(5).pow(exponent.unsigned_abs()), exponent)
        } else {
            (significand << exponent, 0)
        };
        Self::new(significand < 0, significand.abs().to_string(), exponent)
    }

    /// The digits followed by `tail`, which adds less than a unit of the last one.
    fn extended(&self, tail: &str) -> Self {
        let digits = format!("{}{tail}", self.digits);
        Self::new(self.negative, digits, self.exponent - tail.len() as i32)
    }

    /// Less by the `10^-places`th part of a unit of the last digit.
    fn reduced(&self, places: usize) -> Self {
        let digits: Integer = self.digits.parse().unwrap_or_default();
        let digits: Integer = digits * Integer::from(10).pow(places as u32) - 1;
        Self::new(self.negative, digits.to_string(), self.exponent - places as i32)
    }

    /// With the point somewhere among the digits, or an exponent letter of Fortran's.
    fn spelled(&self, point: usize, letter: char) -> String {
        let (whole, fraction) = self.digits.split_at(point.min(self.digits.len()));
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{whole}.{fraction}{letter}{}", self.exponent + fraction.len() as i32)
    }

    /// The value, rounded so little that it stays on its side of every tie.
    fn value(&self) -> Float {
        let precision = 4 * self.digits.len() as u32 + 2_500;
        let text = self.spelled(0, 'e').replacen('.', "0.", 1);
        Float::with_val(precision, Float::parse(text).expect("digits, point and exponent"))
    }
}

/// The number of the format nearest to the text; infinite beyond the greatest one.
fn right<const N: usize>(text: &Text) -> MultiFloat<N> {
    let limbs = nearest::<N>(&text.value());
    if limbs.abs() > MultiFloat::MAX { MultiFloat::INFINITY.copysign(limbs) } else { limbs }
}

/// Digits of all lengths and exponents that lead to all magnitudes, with runs of zeros and nines.
fn random_text<const N: usize>(inputs: &mut Inputs<N>) -> Text {
    let rng = &mut inputs.rng;
    let length = [1, 3, 17, 33, 50, 66, 77, 78, 90, 400][rng.random_range(0..10)];
    let mut digits: Vec<u8> = (0..length).map(|_| rng.random_range(b'0'..=b'9')).collect();
    if rng.random_ratio(1, 4) {
        let run = rng.random_range(0..length)..length;
        let (from, to) = (run.start, rng.random_range(run.start..=run.end));
        digits[from..to].fill(if rng.random() { b'0' } else { b'9' });
    }
    let magnitude = match rng.random_range(0..4) {
        0 => rng.random_range(-345..=-240),
        1 => rng.random_range(-345..=312),
        _ => rng.random_range(-20..=20),
    };
    let digits = digits.into_iter().map(char::from).collect();
    Text::new(rng.random(), digits, magnitude - length as i32)
}

/// Texts at, just above and just below the middle between a number and the next one with the same
/// upper limbs.
fn halfway_texts<const N: usize>(inputs: &mut Inputs<N>) -> [Text; 4] {
    let mut limbs = inputs.number(&Domain::all()).limbs().to_vec();
    while limbs.last() == Some(&0.0) {
        limbs.pop();
    }
    let last = limbs[limbs.len() - 1];
    let unit = last.abs().next_up() - last.abs();
    if limbs.len() < N || unit * 0.5 == 0.0 {
        // The next limb would be the smallest subnormal number: its half is no f64, but a product
        // is no matter.
        let half = Float::with_val(53, power(-1074)) >> 1_u32;
        let sum = exact_sum(&limbs);
        return around(Float::with_val(sum.prec() + 2_200, &sum + half));
    }
    limbs.push((unit * 0.5).copysign(last));
    around(exact_sum(&limbs))
}

fn around(tie: Float) -> [Text; 4] {
    let tie = Text::of(&tie);
    let (just_above, just_below) = (tie.extended("0000000001"), tie.reduced(10));
    let far_out = tie.extended(&format!("{}1", "0".repeat(1_000)));
    [tie, just_above, just_below, far_out]
}

fn judge_read<const N: usize>(text: &Text, spelled: &str) -> Result<(), String> {
    let right = right::<N>(text);
    match MultiFloat::<N>::from_decimal(spelled.as_bytes()) {
        Ok(z) if z == right && z.is_sign_negative() == text.negative => Ok(()),
        z => Err(format!("gives {z:?}, should be {right:?}")),
    }
}

fn read<const N: usize>(o: &mut Oracle<N>) {
    let mut inputs = o.inputs("texts");
    let random: Vec<Text> = (0..o.count).map(|_| random_text(&mut inputs)).collect();
    o.list("read random text", random, |text| {
        let point = text.exponent.unsigned_abs() as usize % (text.digits.len() + 1);
        judge_read::<N>(text, &text.spelled(point, if point.is_multiple_of(3) { 'D' } else { 'e' }))
    });
    let mut inputs = o.inputs("halfway");
    let ties: Vec<Text> = (0..o.count / 20).flat_map(|_| halfway_texts(&mut inputs)).collect();
    o.list("read halfway text", ties, |text| judge_read::<N>(text, &text.spelled(1, 'e')));
}

/// Digits and decimal exponent of the last one from `d.ddde±x`.
fn scientific(text: &str) -> Option<Text> {
    let (mantissa, exponent) = text.split_once('e')?;
    let negative = mantissa.starts_with('-');
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent = exponent.parse::<i32>().ok()? + 1 - digits.len() as i32;
    Some(Text::new(negative, digits, exponent))
}

/// The shortest text reads back and none with one digit less does.
fn judge_shortest<const N: usize>(x: MultiFloat<N>) -> Result<(), String> {
    let mut out = Vec::new();
    x.append_decimal(&mut out);
    if !x.is_finite() || x.first() == 0.0 {
        let first = format!("{}", x.first());
        return if out == first.as_bytes() { Ok(()) } else { Err(format!("gives {out:?}")) };
    }
    let text = format!("{x:e}");
    let shortest = scientific(&text).ok_or(format!("gives {text}"))?;
    if right::<N>(&shortest) != x {
        return Err(format!("gives {text}, which is {:?}", right::<N>(&shortest)));
    }
    for other in [format!("{x}"), String::from_utf8_lossy(&out).into_owned()] {
        if other.parse() != Ok(x) {
            return Err(format!(
                "gives {other}, which reads back as {:?}",
                other.parse::<MultiFloat<N>>()
            ));
        }
    }
    let digits: Integer = shortest.digits.parse().unwrap_or_default();
    let cut: Integer = digits / 10;
    for shorter in [cut.clone(), cut + 1] {
        let shorter = Text::new(shortest.negative, shorter.to_string(), shortest.exponent + 1);
        if shortest.digits.len() > 1 && right::<N>(&shorter) == x {
            return Err(format!("gives {text}, but {shorter:?} would do"));
        }
    }
    Ok(())
}

/// The digits of ours against those of MPFR, both without zeros at the end.
fn judge_digits<const N: usize>(x: MultiFloat<N>, ours: &str, count: i32) -> Result<(), String> {
    let Ok(count @ 2..) = usize::try_from(count) else { return Ok(()) };
    let (negative, digits, _) = exact(x).to_sign_string_exp_round(10, Some(count), Round::Nearest);
    let mantissa = ours.split('e').next().unwrap_or(ours);
    let found = mantissa.trim_start_matches(['-', '0', '.']).replace('.', "");
    let same = found.trim_end_matches('0') == digits.trim_end_matches('0');
    if same && negative == ours.starts_with('-') {
        Ok(())
    } else {
        Err(format!("gives {ours}, should have the digits {digits}"))
    }
}

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    read(o);
    o.property("write shortest", Domain::all(), judge_shortest);
    o.property("write {:.30e}", Domain::all().without_specials(), |x| {
        judge_digits(x, &format!("{x:.30e}"), 31)
    });
    o.property("write {:.25}", Domain::exponents(-70, 200).without_specials(), |x| {
        let first_digit = exact(x).to_sign_string_exp_round(10, Some(40), Round::Zero).2;
        judge_digits(x, &format!("{x:.25}"), first_digit.unwrap_or(0) + 25)
    });
}
