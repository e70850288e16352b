//! Decimals.

use nonius_num::mp::Bits;
use nonius_num::{Dd, Decimal, Fixed, Mp, Qd, Td};

use crate::check_message;

/// A decimal, in every precision.
pub fn decimal(bytes: &[u8]) {
    let Some(nearest) = number::<f64>(bytes) else {
        assert!(number::<Dd>(bytes).is_none());
        return;
    };
    let text = std::str::from_utf8(bytes).expect("a number is ASCII");
    if let Ok(by_another) = text.parse::<f64>() {
        assert_eq!(nearest.to_bits() | nan_bits(nearest), by_another.to_bits() | nan_bits(nearest));
    }
    let (dd, td, qd) = (number::<Dd>(bytes), number::<Td>(bytes), number::<Qd>(bytes));
    let [dd, td, qd] = [
        dd.expect("the same text").limbs()[0],
        td.expect("the same text").limbs()[0],
        qd.expect("the same text").limbs()[0],
    ];
    // A tie may leave a first limb one unit away.
    for first in [dd, td, qd] {
        let near = first == nearest || first == nearest.next_up() || first == nearest.next_down();
        assert!(near || nearest.is_nan() && first.is_nan(), "{first:e} {nearest:e}");
    }
    // Rounded to many bits first, a number can be a unit away where it is all but half way.
    let bits = Bits::new(424).expect("bits that there are");
    let mp = Mp::from_decimal(bits, bytes).expect("the same text");
    if nearest.abs() >= f64::MIN_POSITIVE && nearest.is_finite() {
        let again = mp.to_f64();
        assert!([nearest, nearest.next_up(), nearest.next_down()].contains(&again), "{again:e}");
    }
    let mut printed = Vec::new();
    mp.append_decimal(&mut printed);
    let again = Mp::from_decimal(bits, &printed).expect("what was printed is read");
    assert!(again == mp || mp.is_nan());
}

/// All bits where a number is NaN, whose bits mean nothing.
fn nan_bits(x: f64) -> u64 {
    if x.is_nan() { u64::MAX } else { 0 }
}

fn number<T: Decimal + Fixed>(bytes: &[u8]) -> Option<T> {
    let number = match T::from_decimal(bytes) {
        Ok(number) => number,
        Err(error) => {
            check_message(&error);
            return None;
        }
    };
    let mut printed = Vec::new();
    number.append_decimal(&mut printed);
    let again = T::from_decimal(&printed).expect("what was printed is read");
    #[allow(clippy::eq_op)]
    let is_nan = number != number;
    assert!(again == number || is_nan, "{}", String::from_utf8_lossy(&printed));
    Some(number)
}
