//! Serialisation with the bits beside the decimal text, which alone does not tell them.

use alloc::string::{String, ToString};

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::mp::{Bits, Mp};

/// What is written of a number.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Mp")]
struct Written {
    /// The bits of the significand.
    bits: u32,
    /// The shortest decimal text that reads back as the same number.
    value: String,
}

/// As `{"bits": 424, "value": "0.1"}`.
impl Serialize for Mp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written { bits: self.bits().get(), value: self.to_string() }.serialize(serializer)
    }
}

/// From bits and decimal text, correctly rounded.
impl<'de> Deserialize<'de> for Mp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { bits, value } = Written::deserialize(deserializer)?;
        let bits = Bits::new(bits).map_err(D::Error::custom)?;
        Mp::from_decimal(bits, value.as_bytes())
            .map_err(|error| D::Error::custom(format_args!("{value:?} is no number: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use serde::de::IntoDeserializer;
    use serde::de::value::{Error as ValueError, MapDeserializer, StrDeserializer};

    use super::*;

    /// A field's value, which may be a number or text.
    #[derive(Clone)]
    enum Field {
        Number(u32),
        Text(&'static str),
    }

    impl<'de> Deserializer<'de> for Field {
        type Error = ValueError;

        fn deserialize_any<V: serde::de::Visitor<'de>>(
            self,
            visitor: V,
        ) -> Result<V::Value, ValueError> {
            match self {
                Self::Number(x) => visitor.visit_u32(x),
                Self::Text(x) => visitor.visit_str(x),
            }
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            option unit unit_struct newtype_struct seq tuple tuple_struct map struct enum
            identifier ignored_any
        }
    }

    impl IntoDeserializer<'_, ValueError> for Field {
        type Deserializer = Self;

        fn into_deserializer(self) -> Self {
            self
        }
    }

    fn read(bits: u32, value: &'static str) -> Result<Mp, ValueError> {
        let fields: Vec<(StrDeserializer<'_, ValueError>, Field)> =
            [("bits", Field::Number(bits)), ("value", Field::Text(value))]
                .map(|(name, field)| (name.into_deserializer(), field))
                .into();
        Mp::deserialize(MapDeserializer::new(fields.into_iter()))
    }

    #[test]
    fn numbers_have_their_bits() {
        let x = read(424, "0.1").unwrap();
        assert_eq!((x.bits().get(), x.to_string().as_str()), (424, "0.1"));
        assert!(read(63, "0.1").is_err() && read(424, "0.1.").is_err());
        assert_eq!(read(64, "-inf").unwrap().to_f64(), f64::NEG_INFINITY);
    }
}
