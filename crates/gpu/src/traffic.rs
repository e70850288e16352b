//! Bytes that cross the bus, counted for whoever measures.

use std::sync::atomic::{AtomicU64, Ordering};

static SENT: AtomicU64 = AtomicU64::new(0);
static RECEIVED: AtomicU64 = AtomicU64::new(0);

/// Bytes that crossed the bus in this process so far, by copies and by kernels that reach over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// To GPUs.
    pub sent: u64,
    /// From GPUs.
    pub received: u64,
}

impl Traffic {
    /// What there is so far.
    pub fn so_far() -> Self {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Self { sent: read(&SENT), received: read(&RECEIVED) }
    }

    /// What came after an earlier moment.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            sent: self.sent.wrapping_sub(earlier.sent),
            received: self.received.wrapping_sub(earlier.received),
        }
    }
}

/// Bytes are on their way to a GPU.
pub fn count_sent(bytes: usize) {
    SENT.fetch_add(bytes as u64, Ordering::Relaxed);
}

/// Bytes are on their way from a GPU.
pub fn count_received(bytes: usize) {
    RECEIVED.fetch_add(bytes as u64, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_by_direction() {
        let before = Traffic::so_far();
        count_sent(3);
        count_received(5);
        let found = Traffic::so_far().since(before);
        assert!(found.sent >= 3 && found.received >= 5, "{found:?}");
    }
}
