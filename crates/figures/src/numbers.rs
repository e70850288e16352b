//! Numbers beside axes: where they stand, and their text.

/// Digits of printed numbers, counted down from the span.
const DIGITS: i32 = 3;

/// The least span, as a part of the number: with [`DIGITS`] a number has twelve digits.
const LEAST_SPAN: f64 = 1e-9;

/// The smallest number above 0.
const SMALLEST: f64 = 5e-324;

/// The least span, as a part of the numbers, that has ticks between its ends. `f64` has four digits
/// more.
const LEAST_TICKED: f64 = 1e-12;

/// How far beyond an end a tick may lie, in steps, as quotients are rounded.
const ROUNDED_STEPS: f64 = 1e-6;

/// Returns a number among others that spread over `span`, to a thousandth of that, in ASCII.
///
/// Zeros that say nothing are left out.
pub fn text(x: f64, span: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string() };
    }
    let span = span.abs().min(f64::MAX).max(x.abs() * LEAST_SPAN).max(SMALLEST);
    let least = (span.log10() - f64::from(DIGITS)).floor() as i32;
    if x.abs().log10() <= span.log10() - f64::from(DIGITS) - 2.0_f64.log10() {
        return "0".into();
    }
    let own = x.abs().log10().floor() as i32;
    // Digits behind the point of a number between 1 and 10.
    let digits = (own - least).clamp(0, 16) as usize;
    let (sign, figures, power) = scientific(x, digits);
    if (-3..5).contains(&power) {
        let decimals = (digits as i32 - power).max(0) as usize;
        return trimmed(&format!("{x:.decimals$}")).to_owned();
    }
    format!("{sign}{}e{power}", trimmed(&figures))
}

/// Sign, a number between 1 and 10, and the power of ten that it is multiplied by.
fn scientific(x: f64, digits: usize) -> (&'static str, String, i32) {
    let text = format!("{:.digits$e}", x.abs());
    let (figures, power) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if x < 0.0 { "-" } else { "" };
    (sign, figures.to_owned(), power.parse().unwrap_or(0))
}

/// Without zeros behind the point.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Returns round numbers from `low` to `high`, at most `most` unless fewer than two would be.
///
/// All finite ends are allowed. Where no two round numbers are within, the ends are returned.
pub fn ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    if !(low < high && low.is_finite() && high.is_finite()) {
        return vec![low];
    }
    let (most, difference) = (most.max(2), high - low);
    // The difference of the largest numbers overflows.
    let (span, halves) =
        if difference.is_finite() { (difference, 0.0) } else { (high / 2.0 - low / 2.0, 1.0) };
    if span < LEAST_TICKED * low.abs().max(high.abs()) {
        return vec![low, high];
    }
    let power = (span.log10() + halves * 2.0_f64.log10() - (most as f64).log10()).floor() as i32;
    let steps = [(1, power), (2, power), (5, power), (1, power + 1), (2, power + 1)];
    let found = steps.into_iter().find_map(|step| multiples(low, high, step, most));
    found.unwrap_or_else(|| vec![low, high])
}

/// The multiples of `figure`·10^`power` within, if they are as few as `most` and at least two.
fn multiples(low: f64, high: f64, (figure, power): (i64, i32), most: usize) -> Option<Vec<f64>> {
    let step = decimal(figure, power);
    if !(step > 0.0 && step.is_finite()) {
        return None;
    }
    let first = (low / step - ROUNDED_STEPS).ceil() as i64;
    let last = (high / step + ROUNDED_STEPS).floor() as i64;
    let count = last.saturating_sub(first).saturating_add(1);
    if !(2..=most as i64).contains(&count) {
        return None;
    }
    Some((first..=last).map(|i| decimal(i.saturating_mul(figure), power)).collect())
}

/// The number nearest to `figures`·10^`power`.
pub(crate) fn decimal(figures: i64, power: i32) -> f64 {
    format!("{figures}e{power}").parse().unwrap_or(f64::NAN)
}

/// A [`text`] as it is set: `−2.5·10⁻⁴` for `-2.5e-4`.
pub(crate) fn typeset(text: &str) -> String {
    let (figures, power) = match text.split_once('e') {
        Some((figures, power)) => (figures, power.parse().ok()),
        None => (text, None),
    };
    let figures = figures.replace('-', "−");
    match (figures.as_str(), power) {
        (_, None) => figures,
        ("1", Some(power)) => power_of_ten(power),
        ("−1", Some(power)) => format!("−{}", power_of_ten(power)),
        (_, Some(power)) => format!("{figures}·{}", power_of_ten(power)),
    }
}

/// `10⁻²⁰`; `1` for the power 0.
pub(crate) fn power_of_ten(power: i32) -> String {
    if power == 0 {
        return "1".into();
    }
    format!("10{}", power.to_string().chars().map(raised).collect::<String>())
}

/// A sign or figure of an exponent.
fn raised(character: char) -> char {
    match character {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, 1.0, "0"),
            (0.30000000000000004, 1.0, "0.3"),
            (1e-12, 1.0, "0"),
            (1500.0, 2000.0, "1500"),
            (99_999.0, 2e5, "1e5"),
            (250_000.0, 5e5, "2.5e5"),
            (-2.5e-4, 1e-3, "-2.5e-4"),
            (1.25e-10, 1e-9, "1.25e-10"),
            (1000.25, 0.5, "1000.25"),
            (0.0125, 0.02, "0.0125"),
            (f64::NAN, 1.0, "NaN"),
            (5e-324, 5e-324, "4.941e-324"),
            (-f64::MAX, f64::INFINITY, "-1.798e308"),
            (5e-324, 0.0, "4.941e-324"),
        ];
        for (x, span, expected) in cases {
            assert_eq!(text(x, span), expected);
        }
    }

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(0.0, 1.0, 6), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks(-3.0, 11.0, 5), [0.0, 5.0, 10.0]);
        assert_eq!(ticks(4.0, 4.0, 5), [4.0]);
        assert_eq!(ticks(1.0, 1.0 + f64::EPSILON, 5), [1.0, 1.0 + f64::EPSILON]);
        for (low, high) in
            [(1e-9, 3e-9), (-7.3e8, 1e3), (0.999, 1.001), (0.0, 1e300), (-5e-324, 5e-324)]
        {
            let found = ticks(low, high, 8);
            // A step is at most as long as the span.
            let room = (high - low) * ROUNDED_STEPS;
            assert!((2..=8).contains(&found.len()), "{found:?}");
            assert!(found.iter().all(|&x| low - room <= x && x <= high + room), "{found:?}");
        }
    }
    /// Pairs of ends over all of the range: two labels at least, eight at most, in their order.
    #[test]
    fn any_ends_have_ticks() {
        let sizes = [5e-324, 1e-310, 1e-200, 1e-9, 0.3, 1.0, 77.0, 1e9, 1e200, f64::MAX];
        let all: Vec<f64> = sizes.iter().flat_map(|&x| [x, -x]).chain([0.0]).collect();
        for &low in &all {
            for &high in all.iter().filter(|&&high| high > low) {
                let found = ticks(low, high, 8);
                assert!((2..=8).contains(&found.len()), "{low} {high}: {found:?}");
                assert!(found.is_sorted_by(|a, b| a < b), "{low} {high}: {found:?}");
                let span = (high - low).min(f64::MAX);
                let texts: Vec<String> = found.iter().map(|&x| text(x, span)).collect();
                assert!(texts.is_sorted_by(|a, b| a != b), "{low} {high}: {texts:?}");
            }
        }
    }

    #[test]
    fn numbers_are_typeset() {
        let cases = [
            ("-2.5e-4", "−2.5·10⁻⁴"),
            ("1e5", "10⁵"),
            ("-1e12", "−10¹²"),
            ("-0.5", "−0.5"),
            ("NaN", "NaN"),
        ];
        for (plain, set) in cases {
            assert_eq!(typeset(plain), set);
        }
        assert_eq!(power_of_ten(-1234), "10⁻¹²³⁴");
        assert_eq!(power_of_ten(567_890), "10⁵⁶⁷⁸⁹⁰");
    }
}
