//! Sums over vectors.

use nonius_linalg::dense::{Transpose, asum, axpy, copy, dot, gemv, sum, swap};
use nonius_linalg::mp::Mp;
use nonius_linalg::{Error, Numbers};
use nonius_testkit::PRECISIONS;

use super::{bits, matrix};

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

#[test]
fn vectors_of_two_precisions_do_not_meet() {
    let [few, many] = [64, 128].map(|p| matrix(bits(p), 3, 1, 1));
    for (x, y) in [(&few, &many), (&many, &few)] {
        let [expected, found] = [x, y].map(|x| x.bits().get());
        let refused = Err(Error::Precision { operand: "y", expected, found });
        let (mut left, mut right) = (x.clone(), y.clone());
        assert_eq!(copy(x, &mut right), refused);
        assert_eq!(axpy(Mp::ONE, x, &mut right), refused);
        assert_eq!(swap(&mut left, &mut right), refused);
        assert_eq!(dot(x, y).map(drop), refused);
        assert_eq!((&left, &right), (x, y));
    }
    let a = matrix(bits(64), 3, 3, 2);
    let [few, many] = [few, many].map(|x| x.into_numbers());
    let times = |x: &Numbers<Mp>, y: &Numbers<Mp>| {
        gemv(Transpose::No, Mp::ONE, a.view(), x, Mp::ZERO, &mut y.clone())
    };
    let refused = |operand, expected, found| Err(Error::Precision { operand, expected, found });
    assert_eq!(times(&few, &few), Ok(()));
    assert_eq!(times(&many, &few), refused("x", 64, 128));
    assert_eq!(times(&few, &many), refused("a", 128, 64));
}
