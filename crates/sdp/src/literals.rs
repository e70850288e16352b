//! Decimal numbers as they were written.

use std::collections::HashMap;
use std::sync::Arc;

use nonius_linalg::sparse::Values;
use nonius_linalg::sparse::matrix_market::Entry;
use nonius_num::decimal::Decimal;

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

    /// All numbers, each the nearest of its format; `None` where there is no memory for them.
    pub fn values<V: Values>(&self, format: <V::Item as Entry>::Format) -> Option<V> {
        let mut values = V::zeros(format, self.texts.len())?;
        for (i, text) in self.texts.iter().enumerate() {
            // What is no decimal number does not come in.
            values.put(i, &V::Item::parse(text, format).ok()?);
        }
        Some(values)
    }

    /// All numbers, each the nearest of its kind; infinite beyond its range.
    pub fn round<T: Decimal>(&self) -> Vec<T> {
        let number = |text: &Arc<[u8]>| T::from_decimal(text).ok();
        // What is no decimal number does not come in.
        self.texts.iter().filter_map(number).collect()
    }
}

/// Whether a decimal number is zero.
pub(crate) fn is_zero(text: &[u8]) -> bool {
    let significand = text.split(|byte| b"eEdD".contains(byte)).next().unwrap_or_default();
    !significand.iter().any(|byte| (b'1'..=b'9').contains(byte))
}
