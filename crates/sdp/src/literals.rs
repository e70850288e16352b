//! Decimal numbers as they were written.

use std::collections::HashMap;
use std::sync::Arc;

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

    /// All numbers, each the nearest of its kind; infinite beyond its range.
    pub fn round<T: Decimal>(&self) -> Vec<T> {
        let number = |text: &Arc<[u8]>| T::from_decimal(text).ok();
        // What is no decimal number does not come in.
        self.texts.iter().filter_map(number).collect()
    }
}
