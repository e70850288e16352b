//! Decimal numbers with fewer digits.

/// The number with at most `digits` significant digits: not below it if `upwards`, else not above.
pub(super) fn outward(text: &str, digits: usize, upwards: bool) -> String {
    let (significand, exponent) = text.split_at(text.find(['e', 'E']).unwrap_or(text.len()));
    let negative = significand.starts_with('-');
    let mut kept: Vec<u8> = significand.trim_start_matches(['-', '+']).bytes().collect();
    let point = kept.iter().position(|&byte| byte == b'.').unwrap_or(kept.len());
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let first = kept.iter().position(|byte| (b'1'..=b'9').contains(byte));
    let Some(first) = first else { return text.into() };
    // Where the digits that are kept end.
    let mut places = (first..kept.len()).filter(|&i| is_digit(&kept[i]));
    let Some(end) = places.nth(digits.max(1)) else { return text.into() };
    let lost = kept[end..].iter().any(|byte| (b'1'..=b'9').contains(byte));
    if end > point {
        kept.truncate(end);
    } else {
        kept.truncate(point);
        kept[end..].fill(b'0');
    }
    if lost && upwards != negative {
        let mut carries = true;
        for byte in kept[..end].iter_mut().rev().filter(|byte| is_digit(byte)) {
            carries = *byte == b'9';
            *byte = if carries { b'0' } else { *byte + 1 };
            if !carries {
                break;
            }
        }
        if carries {
            kept.insert(0, b'1');
        }
    }
    let kept = String::from_utf8_lossy(&kept).into_owned();
    let sign = if negative { "-" } else { "" };
    format!("{sign}{}{exponent}", kept.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::outward;

    #[test]
    fn digits_are_left_out_in_a_direction() {
        let cases = [
            ("226.157351", 5, "226.15", "226.16"),
            ("-226.157351", 5, "-226.16", "-226.15"),
            ("0.0566", 2, "0.056", "0.057"),
            ("9.996e-12", 3, "9.99e-12", "10.00e-12"),
            ("-99961", 3, "-100000", "-99900"),
            ("12345.6", 2, "12000", "13000"),
            ("1.5000", 2, "1.5", "1.5"),
            ("41.9", 9, "41.9", "41.9"),
            ("-0.0", 2, "-0.0", "-0.0"),
        ];
        for (text, digits, down, up) in cases {
            assert_eq!(outward(text, digits, false), down, "{text} {digits}");
            assert_eq!(outward(text, digits, true), up, "{text} {digits}");
        }
    }
}
