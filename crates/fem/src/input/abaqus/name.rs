//! Names, whose case counts between quotes alone.

use core::fmt;

/// A name of a set, a material and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// What two spellings of a name have in common.
    pub(super) key: String,
    /// As it is written, without quotes.
    pub(super) shown: String,
}

impl Name {
    pub(super) fn new(text: &str) -> Self {
        let mut quoted = false;
        let mut key = String::with_capacity(text.len());
        for character in text.trim().chars() {
            match character {
                '"' => quoted = !quoted,
                _ if quoted => key.push(character),
                _ => key.extend(character.to_uppercase()),
            }
        }
        Self { key, shown: text.trim().replace('"', "") }
    }

    /// Of something in an instance.
    pub(super) fn within(&self, instance: &Self) -> Self {
        Self {
            key: format!("{}.{}", instance.key, self.key),
            shown: format!("{}.{}", instance.shown, self.shown),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}
