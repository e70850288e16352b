//! Order and equality.

use std::cmp::Ordering;

use rug::Float;

use crate::value::exact;
use crate::{Bound, Domain, Oracle};

/// The total order of the reference: by value, −0 before +0, NaN of either sign at the ends.
fn total(x: &Float, y: &Float) -> Ordering {
    let class = |v: &Float| match (v.is_nan(), v.is_sign_negative()) {
        (true, true) => -1,
        (true, false) => 1,
        _ => 0,
    };
    class(x).cmp(&class(y)).then_with(|| {
        x.partial_cmp(y).filter(|order| order.is_ne()).unwrap_or_else(|| {
            if x.is_zero() && y.is_zero() {
                y.is_sign_negative().cmp(&x.is_sign_negative())
            } else {
                Ordering::Equal
            }
        })
    })
}

fn same<T: PartialEq + std::fmt::Debug>(ours: T, right: T) -> Result<(), String> {
    if ours == right { Ok(()) } else { Err(format!("gives {ours:?}, should be {right:?}")) }
}

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let all = || [Domain::all(), Domain::all()];
    o.property_of_two("partial_cmp", all(), |x, y| {
        same(x.partial_cmp(&y), exact(x).partial_cmp(&exact(y)))
    });
    o.property_of_two("eq", all(), |x, y| same(x == y, exact(x) == exact(y)));
    o.property_of_two("partial_cmp f64", all(), |x, y| {
        same(x.partial_cmp(&y.first()), exact(x).partial_cmp(&y.first()))
    });
    o.property_of_two("total_cmp", all(), |x, y| {
        same(x.total_cmp(&y), total(&exact(x), &exact(y)))
    });
    let pick = |x: &Float, y: &Float, larger: bool| {
        let first = y.is_nan() || (if larger { x >= y } else { x <= y });
        if first { x.clone() } else { y.clone() }
    };
    let nearest = Bound::nearest().any_zero();
    o.binary("min", all(), nearest, |x, y| x.min(y), |_, x, y| pick(x, y, false));
    o.binary("max", all(), nearest, |x, y| x.max(y), |_, x, y| pick(x, y, true));
}
