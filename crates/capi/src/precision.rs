//! Precisions as numbers.

use nonius::Precision;
use nonius::num::mp::Bits;

use crate::failure::Failure;
use crate::status::Status;

/// Double precision: 53 bits.
pub const NONIUS_F64: u32 = 53;
/// Double-double: 104 bits, two doubles.
pub const NONIUS_DD: u32 = 104;
/// Triple-double: 156 bits, three doubles.
pub const NONIUS_TD: u32 = 156;
/// Quad-double: 208 bits, four doubles.
pub const NONIUS_QD: u32 = 208;
/// Any precision: the sum of this number and the bits, from 64 to 4096.
pub const NONIUS_MP: u32 = 0x10000;

/// The precision of a number.
pub(crate) fn decoded(code: u32) -> Result<Precision, Failure> {
    let precision = match code {
        NONIUS_F64 => Some(Precision::F64),
        NONIUS_DD => Some(Precision::Dd),
        NONIUS_TD => Some(Precision::Td),
        NONIUS_QD => Some(Precision::Qd),
        _ => code.checked_sub(NONIUS_MP).and_then(|n| Bits::new(n).ok()).map(Precision::Mp),
    };
    precision.ok_or_else(|| {
        let expected = "NONIUS_F64, NONIUS_DD, NONIUS_TD, NONIUS_QD or NONIUS_MP + 64 to 4096";
        Failure::new(Status::Precision, format_args!("precision {code}: expected {expected}"))
    })
}

/// The number of a precision.
pub(crate) fn encoded(precision: Precision) -> u32 {
    match precision {
        Precision::Mp(bits) => NONIUS_MP + bits.get(),
        fixed => fixed.bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let mp = |bits| Precision::Mp(Bits::new(bits).unwrap());
        for precision in Precision::FIXED.into_iter().chain([mp(64), mp(104), mp(4096)]) {
            assert_eq!(decoded(encoded(precision)).unwrap(), precision);
        }
        for code in [0, 1, 52, 54, 64, NONIUS_MP, NONIUS_MP + 63, NONIUS_MP + 4097, u32::MAX] {
            assert_eq!(decoded(code).unwrap_err().status, Status::Precision);
        }
    }
}
