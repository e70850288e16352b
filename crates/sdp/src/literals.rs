//! Decimal numbers as they were written.

use std::collections::HashMap;
use std::sync::Arc;

use nonius_linalg::{Error, Number, Numbers};

/// Different decimal numbers, each kept once and counted from 0.
#[derive(Clone, Debug, Default)]
pub struct Literals {
    texts: Vec<Arc<[u8]>>,
    places: HashMap<Arc<[u8]>, u32>,
}

impl Literals {
    /// The place of a text, which is a decimal number.
    pub(crate) fn place(&mut self, text: &[u8]) -> u32 {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let text: Arc<[u8]> = text.into();
        let place = self.texts.len() as u32;
        self.texts.push(Arc::clone(&text));
        self.places.insert(text, place);
        place
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The text at a place.
    pub fn text(&self, place: u32) -> &str {
        core::str::from_utf8(&self.texts[place as usize]).unwrap_or_default()
    }

    /// Whether the number at a place is zero.
    pub fn is_zero(&self, place: u32) -> bool {
        is_zero(&self.texts[place as usize])
    }

    /// All numbers, each the nearest of its format; infinite beyond its range.
    ///
    /// ```
    /// use nonius_num::Qd;
    /// use nonius_sdp::input::read_sparse;
    ///
    /// let problem = read_sparse("1\n1\n-1\n0.1\n1 1 1 1 1\n".as_bytes())?;
    /// let values = problem.numbers().values::<Qd>(())?;
    /// assert_eq!(values.at(problem.objective()[0] as usize), "0.1".parse::<Qd>()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::NotFinite`] with the place of a text that is no number, which
    /// none is that was read.
    pub fn values<T: Number>(&self, format: T::Format) -> Result<Numbers<T>, Error> {
        let too_large = Error::TooLarge { rows: self.texts.len(), cols: 1 };
        let mut values = Numbers::try_zeros(format, self.texts.len()).ok_or(too_large)?;
        for (row, text) in self.texts.iter().enumerate() {
            let no_number = |_| Error::NotFinite { operand: "numbers", row, col: 0 };
            values.set(row, T::from_decimal_in(format, text).map_err(no_number)?);
        }
        Ok(values)
    }
}

/// Whether a decimal number is zero.
pub(crate) fn is_zero(text: &[u8]) -> bool {
    let significand = text.split(|byte| b"eEdD".contains(byte)).next().unwrap_or_default();
    !significand.iter().any(|byte| (b'1'..=b'9').contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_takes_the_place_of_another() {
        let mut literals = Literals::default();
        for text in [&b"1.5"[..], b"one", b"-2e3"] {
            literals.place(text);
        }
        let error = Error::NotFinite { operand: "numbers", row: 1, col: 0 };
        assert_eq!(literals.values::<f64>(()), Err(error));
    }
}
