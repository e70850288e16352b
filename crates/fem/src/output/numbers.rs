//! Numbers beside axes.

/// A number among others that spread over `span`, to a thousandth of that, without zeros that say nothing.
pub(super) fn text(x: f64, span: f64) -> String {
    let span = span.abs().max(x.abs() * 1e-9);
    if x.abs() <= span * 5e-4 || !x.is_finite() {
        return if x.is_finite() { "0".into() } else { x.to_string() };
    }
    let least = (span * 1e-3).log10().floor() as i32;
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

#[cfg(test)]
mod tests {
    use super::text;

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
}
