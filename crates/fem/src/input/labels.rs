//! Numbers that an input gives to nodes and elements.

use std::collections::HashMap;

/// Places by number: a table where the numbers are dense, as they mostly are.
#[derive(Debug)]
pub(super) enum Labels {
    Dense(Vec<u32>),
    Sparse(HashMap<u64, u32>),
}

const NONE: u32 = u32::MAX;

impl Labels {
    /// Of numbers and places; an error is the place of a number that was there before.
    pub(super) fn new(labels: impl Iterator<Item = (u64, u32)> + Clone) -> Result<Self, u32> {
        let (count, largest) = labels
            .clone()
            .fold((0u64, 0), |(count, largest), (label, _)| (count + 1, label.max(largest)));
        if largest <= 4 * count + 1000 {
            let mut table = vec![NONE; largest as usize + 1];
            for (label, place) in labels {
                if core::mem::replace(&mut table[label as usize], place) != NONE {
                    return Err(place);
                }
            }
            return Ok(Self::Dense(table));
        }
        let mut map = HashMap::new();
        for (label, place) in labels {
            if map.insert(label, place).is_some() {
                return Err(place);
            }
        }
        Ok(Self::Sparse(map))
    }

    pub(super) fn get(&self, label: u64) -> Option<u32> {
        match self {
            Self::Dense(table) => {
                table.get(usize::try_from(label).ok()?).copied().filter(|&place| place != NONE)
            }
            Self::Sparse(map) => map.get(&label).copied(),
        }
    }
}
