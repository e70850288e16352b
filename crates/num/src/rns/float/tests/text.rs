//! Decimal text.

use alloc::string::ToString;

use super::*;
use crate::decimal::testing::Random;

fn shown(bits: u32, text: &str) -> String {
    let format = Format::with_bits(bits).unwrap();
    RnsFloat::from_decimal(&format, text.as_bytes()).unwrap().to_string()
}

#[test]
fn text_is_the_shortest_that_reads_back() {
    assert_eq!(shown(424, "0.1"), "0.1");
    assert_eq!(shown(424, "-1e1000000"), "-1e1000000");
    assert_eq!(shown(424, "nan"), "NaN");
    assert_eq!(shown(424, "-inf"), "-inf");
    assert_eq!(shown(424, "-0"), "-0");
    // Five bits: the neighbours of 1/3 are 0.328125 and 0.34375.
    assert_eq!(shown(5, "0.3333333"), "0.33");
    // The middle of 1 and the next number, and a little above it.
    assert_eq!(shown(53, "1.00000000000000011102230246251565404236316680908203125"), "1");
    let above = "1.000000000000000111022302462515654042363166809082031250000000000000000000001";
    assert_eq!(shown(53, above), "1.0000000000000002");
    let format = Format::with_bits(106).unwrap();
    assert!(RnsFloat::from_decimal(&format, b"1.2.3").is_err());
}

#[test]
fn written_numbers_read_back() {
    let mut random = Random::new(13);
    for bits in [4, 53, 106, 424] {
        let format = Format::with_bits(bits).unwrap();
        for _ in 0..100 {
            let text =
                format!("{}e{}", random.digits(1 + bits as usize / 2), random.between(-50, 50));
            let x = RnsFloat::from_decimal(&format, text.as_bytes()).unwrap();
            let back = RnsFloat::from_decimal(&format, x.to_string().as_bytes()).unwrap();
            assert_eq!(x, back, "{text}");
            if bits == 53 {
                assert_eq!(x.to_f64(), text.parse().unwrap());
            }
        }
    }
}
