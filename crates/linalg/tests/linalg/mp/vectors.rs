//! Sums over vectors.

use nonius_linalg::Numbers;
use nonius_linalg::dense::{asum, sum};
use nonius_linalg::mp::Mp;
use nonius_testkit::PRECISIONS;

use super::bits;

/// Two entries, each of which is lost beside the first, together are not: the sum is rounded once.
#[test]
fn sums_of_blocks_are_rounded_once() {
    for p in PRECISIONS {
        let ulp = Mp::ONE.ldexp(1 - p as i32);
        for sign in [Mp::ONE, -Mp::ONE] {
            let small = sign * Mp::from_f64(bits(p), 0.375) * ulp;
            let mut x = Numbers::with_capacity(bits(p), 3);
            [sign, small, small].into_iter().for_each(|entry| x.push(entry));
            let expected = sign + sign * ulp.view().to_mp(bits(p));
            assert_eq!(sum(x.as_slice()), expected, "mp{p}");
            assert_eq!(asum(x.as_slice()), expected.abs(), "mp{p}");
        }
    }
}
