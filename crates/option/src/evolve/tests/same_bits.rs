//! Every backend returns the bits of the reference, whatever the batch.

use nonius_linalg::backend::{Cpu, Reference};
use nonius_linalg::cpu::simd::Level;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};

use crate::evolve::tests::suite::same_bits;

#[test]
fn at_every_level() {
    for level in Level::available() {
        Level::set(level);
        same_bits::<f64>((), &Cpu::default());
        same_bits::<Dd>((), &Cpu::default());
        same_bits::<Td>((), &Cpu::default());
        same_bits::<Qd>((), &Cpu::default());
    }
    Level::set(Level::best());
}

#[test]
fn of_any_bits() {
    for bits in [106, 424, 1000, 2048] {
        same_bits::<Mp>(Bits::new(bits).unwrap(), &Cpu::default());
    }
}

#[test]
fn the_reference_is_itself() {
    same_bits::<f64>((), &Reference);
}
