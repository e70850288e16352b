//! The double-double product of 2011 on a C2050: its rates and what it says of them.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

use super::published;

/// What the paper says of products beside their rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remark {
    products: &'static str,
    text: &'static str,
}

pub(crate) const TRANSPOSES: Remark = Remark { products: "all transposes", text: "all alike" };
pub(crate) const SIZES: Remark =
    Remark { products: "sizes off the multiples of 64", text: "at most 6 % slower" };
pub(crate) const SPREAD: Remark =
    Remark { products: "the same matrices again", text: "at most 0.1 % apart" };

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "products of {}; published: {}", self.products, self.text)
    }
}

/// The greatest rates of an arithmetic, in GFLOPS: kernel alone and with both transfers.
#[derive(Debug, Deserialize)]
pub(crate) struct Peak {
    /// As `--arithmetic` spells it.
    arithmetic: String,
    pub(crate) kernel: f64,
    pub(crate) whole: f64,
}

/// The greatest rates of an arithmetic, where the paper has it.
pub(crate) fn peak(arithmetic: &str) -> Option<&'static Peak> {
    static PEAKS: LazyLock<Vec<Peak>> =
        LazyLock::new(|| published(include_str!("../../data/papers/rgemm-peak.csv")));
    PEAKS.iter().find(|peak| peak.arithmetic == arithmetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_arithmetics_have_peaks() {
        for arithmetic in ["ieee", "ieee-sloppy", "cray", "sloppy"] {
            let peak = peak(arithmetic).expect("a row");
            assert!(peak.kernel > peak.whole, "transfers cost time");
        }
        assert!(peak("delayed").is_none());
    }
}
