//! What the numbers of an array are, in bytes.

/// The longest text of a number, in characters: room for all digits of a number, and for more.
pub(super) const LONGEST_TEXT: usize = 1 << 14;

/// What each number of an array is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(super) class: Class,
    /// Bytes, or characters.
    pub(super) width: usize,
    pub(super) is_big_endian: bool,
}

/// The classes of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Float,
    Signed,
    Unsigned,
    Truth,
    /// Texts of bytes.
    Bytes,
    /// Texts of characters of four bytes each.
    Characters,
}

/// A number of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Double(f64),
    Integer(i128),
    Text(&'a [u8]),
}

impl Kind {
    /// Whether numbers are texts.
    pub(crate) fn is_text(self) -> bool {
        matches!(self.class, Class::Bytes | Class::Characters)
    }

    /// Bytes of a number.
    pub(super) fn size(self) -> usize {
        if self.class == Class::Characters { 4 * self.width } else { self.width }
    }

    /// The number that these bytes are; a text of characters is written to `text`.
    pub(super) fn cell<'a>(self, bytes: &'a [u8], text: &'a mut Vec<u8>) -> Cell<'a> {
        match self.class {
            Class::Float => Cell::Double(float(self.unsigned(bytes), self.width)),
            Class::Signed => {
                let unused = 64 - 8 * self.width;
                // The sign is that of the highest bit.
                Cell::Integer(((self.unsigned(bytes) << unused) as i64 >> unused).into())
            }
            Class::Unsigned => Cell::Integer(self.unsigned(bytes).into()),
            Class::Truth => Cell::Integer((bytes[0] != 0).into()),
            Class::Bytes => Cell::Text(without_zeros(bytes)),
            Class::Characters => {
                text.clear();
                for character in bytes.chunks_exact(4) {
                    let code = u32::try_from(self.unsigned(character)).ok();
                    let character = code.and_then(char::from_u32);
                    let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
                    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Cell::Text(without_zeros(text))
            }
        }
    }

    /// At most eight bytes as an integer.
    fn unsigned(self, bytes: &[u8]) -> u64 {
        let shifted = |x: u64, &byte: &u8| x << 8 | u64::from(byte);
        if self.is_big_endian {
            bytes.iter().fold(0, shifted)
        } else {
            bytes.iter().rev().fold(0, shifted)
        }
    }
}

/// A text without the zeros that fill its place.
fn without_zeros(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &text[..end]
}

/// A floating-point number of IEEE 754 in so many bytes.
fn float(bits: u64, width: usize) -> f64 {
    match width {
        2 => half(bits as u16),
        4 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// A number of half precision: ten bits of a fraction below five of an exponent.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction * 2.0_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2.0_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(class: Class, width: usize, bytes: &[u8]) -> f64 {
        let number =
            |is_big_endian: bool, bytes: &[u8]| match (Kind { class, width, is_big_endian })
                .cell(bytes, &mut Vec::new())
            {
                Cell::Double(x) => x,
                Cell::Integer(x) => x as f64,
                Cell::Text(text) => core::str::from_utf8(text).unwrap().parse().unwrap(),
            };
        let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
        let [little, big] = [number(false, bytes), number(true, &reversed)];
        assert_eq!(little.to_bits(), big.to_bits());
        little
    }

    #[test]
    fn numbers_of_half_precision() {
        for (bits, x) in [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_953_125),
            (0x7bff, 65504.0),
            (0x0400, 2.0_f64.powi(-14)),
            (0x03ff, 1023.0 * 2.0_f64.powi(-24)),
            (0x0001, 2.0_f64.powi(-24)),
            (0xfc00, f64::NEG_INFINITY),
        ] {
            let found = cell(Class::Float, 2, &u16::to_le_bytes(bits));
            assert_eq!(found.to_bits(), f64::to_bits(x), "{bits:x}");
        }
        assert!(half(0x7e00).is_nan());
    }

    #[test]
    fn numbers_of_other_classes() {
        assert_eq!(cell(Class::Float, 4, &0.1_f32.to_le_bytes()), f64::from(0.1_f32));
        assert_eq!(cell(Class::Float, 8, &(-0.1_f64).to_le_bytes()), -0.1);
        assert_eq!(cell(Class::Signed, 1, &[0x80]), -128.0);
        assert_eq!(cell(Class::Signed, 2, &(-2_i16).to_le_bytes()), -2.0);
        assert_eq!(cell(Class::Signed, 8, &i64::MIN.to_le_bytes()), -(2.0_f64.powi(63)));
        assert_eq!(cell(Class::Unsigned, 4, &u32::MAX.to_le_bytes()), 4_294_967_295.0);
        assert_eq!(cell(Class::Unsigned, 1, &[0x80]), 128.0);
        assert_eq!(cell(Class::Truth, 1, &[2]), 1.0);
        let kind = Kind { class: Class::Characters, width: 3, is_big_endian: true };
        let bytes = [0, 0, 0, b'1', 0, 0x11, 0, 0, 0, 0, 0, 0];
        assert_eq!(kind.cell(&bytes, &mut Vec::new()), Cell::Text("1\u{fffd}".as_bytes()));
    }
}
