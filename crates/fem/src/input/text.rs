//! Texts, their lines and numbers.

use super::error::{At, Found};

/// The text of bytes: UTF-8 or else Latin-1, in which every byte is a character.
pub(super) fn decode(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_string(),
        None => text,
    }
}

/// Where the lines of a text begin and end, whatever ends them.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    let mut next = 0;
    core::iter::from_fn(move || {
        if next >= bytes.len() {
            return None;
        }
        let start = next;
        let length = bytes[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let end = length.map_or(bytes.len(), |length| start + length);
        next = if bytes[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
        Some((start, end))
    })
}

/// A finite number, the exponent behind `E` or, as in Fortran, `D`.
pub(super) fn number(text: &str) -> Option<f64> {
    let value = match text.parse() {
        Ok(value) => value,
        Err(_) => text.replace(['d', 'D'], "e").parse::<f64>().ok()?,
    };
    value.is_finite().then_some(value)
}

/// The number of a node or an element.
pub(super) fn label(text: &str, at: At) -> Found<u64> {
    match text.parse() {
        Ok(label) if label > 0 => Ok(label),
        _ => at.expected("a number of a node or an element", text),
    }
}
