//! Serialisation as decimal text at full precision, because most formats know no wider number than
//! `f64`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::Decimal;
use crate::MultiFloat;

/// As the shortest decimal text that reads back as the same number.
impl<const N: usize> Serialize for MultiFloat<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = Vec::new();
        self.append_decimal(&mut text);
        let text: String = text.into_iter().map(char::from).collect();
        serializer.serialize_str(&text)
    }
}

/// From decimal text, correctly rounded, or from a number as the format delivers it: `0.1` without
/// quotes is the `f64` nearest 1/10.
impl<'de, const N: usize> Deserialize<'de> for MultiFloat<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Formats that do not describe themselves hold what was serialised: text.
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(NumberVisitor)
        } else {
            deserializer.deserialize_str(NumberVisitor)
        }
    }
}

struct NumberVisitor<const N: usize>;

impl<const N: usize> Visitor<'_> for NumberVisitor<N> {
    type Value = MultiFloat<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or its decimal text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let explained = |error| E::custom(format_args!("{text:?} is no number: {error}"));
        MultiFloat::from_decimal(text.as_bytes()).map_err(explained)
    }

    fn visit_f64<E>(self, x: f64) -> Result<Self::Value, E> {
        Ok(x.into())
    }

    fn visit_i64<E>(self, x: i64) -> Result<Self::Value, E> {
        Ok(x.into())
    }

    fn visit_u64<E>(self, x: u64) -> Result<Self::Value, E> {
        Ok(x.into())
    }

    fn visit_i128<E>(self, x: i128) -> Result<Self::Value, E> {
        Ok(x.into())
    }

    fn visit_u128<E>(self, x: u128) -> Result<Self::Value, E> {
        Ok(x.into())
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use serde::de::IntoDeserializer;
    use serde::de::value::Error as ValueError;

    use super::*;
    use crate::{Dd, Qd};

    /// A number serialised by the formatter, which is a serialiser of texts and numbers.
    struct Text(Qd);

    impl fmt::Display for Text {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.serialize(f)
        }
    }

    fn read<'de>(x: impl IntoDeserializer<'de, ValueError>) -> Result<Qd, ValueError> {
        Qd::deserialize(x.into_deserializer())
    }

    #[test]
    fn texts_keep_every_digit() {
        let third = Qd::ONE / 3.0;
        let text = Text(third).to_string();
        assert!(text.len() > 60, "{text}");
        assert_eq!(read(text.as_str()), Ok(third));
        assert_eq!(read("-inf"), Ok(Qd::NEG_INFINITY));
        assert_eq!(Text(Qd::NAN).to_string(), "NaN");
    }

    #[test]
    fn numbers_are_taken_exactly() {
        assert_eq!(read(0.1), Ok(Qd::from(0.1)));
        assert_eq!(read(-7_i64), Ok(Qd::from(-7)));
        assert_eq!(read(u64::MAX).map(|x| format!("{x}")), Ok(u64::MAX.to_string()));
        assert_eq!(read(i128::MIN).map(|x| format!("{x}")), Ok(i128::MIN.to_string()));
        let dd = Dd::deserialize(IntoDeserializer::<ValueError>::into_deserializer(3_u8));
        assert_eq!(dd, Ok(Dd::from(3.0)));
    }

    #[test]
    fn anything_else_is_refused() {
        let message = "\"1.5x\" is no number: expected the end of the number at byte 3, found 'x'";
        assert_eq!(read("1.5x"), Err(ValueError::custom(message)));
        assert!(read(true).is_err());
    }
}
