//! Numbers beside axes.

/// The accuracy of printed numbers, as a part of the span.
const RESOLUTION: f64 = 1e-3;

/// The least span, as a part of the number: with [`RESOLUTION`] a number has twelve digits.
const LEAST_SPAN: f64 = 1e-9;

/// The least span, as a part of the numbers, that has ticks between its ends. `f64` has four digits
/// more.
const LEAST_TICKED: f64 = 1e-12;

/// How far beyond an end a tick may lie, in steps, as quotients are rounded.
const ROUNDED_STEPS: f64 = 1e-6;

/// A number among others that spread over `span`, to a thousandth of that, without zeros that say
/// nothing.
pub(super) fn text(x: f64, span: f64) -> String {
    let span = span.abs().max(x.abs() * LEAST_SPAN);
    if x.abs() <= span * (0.5 * RESOLUTION) || !x.is_finite() {
        return if x.is_finite() { "0".into() } else { x.to_string() };
    }
    let least = (span * RESOLUTION).log10().floor() as i32;
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

/// Round numbers from `low` to `high`, at most `most` of them unless fewer than two would be.
pub(super) fn ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return vec![low];
    }
    let power = 10.0_f64.powi((span / most.max(2) as f64).log10().floor() as i32);
    if !power.is_normal() || span < LEAST_TICKED * low.abs().max(high.abs()) {
        return vec![low, high];
    }
    let within = |step: f64| {
        let (first, last) = (
            (low / step - ROUNDED_STEPS).ceil() as i64,
            (high / step + ROUNDED_STEPS).floor() as i64,
        );
        (first, last, step)
    };
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0].map(|part| within(part * power));
    let fits = |&&(first, last, _): &&(i64, i64, f64)| last - first < most as i64;
    let Some(&(first, last, step)) = steps.iter().find(fits) else { return vec![low, high] };
    (first..=last).map(|i| i as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::{ROUNDED_STEPS, text, ticks};

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
        ];
        for (x, span, expected) in cases {
            assert_eq!(text(x, span), expected);
        }
    }

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(0.0, 1.0, 6), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
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
}
