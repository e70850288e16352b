//! Every backend returns the bits of the reference, whatever the batch.

use nonius_linalg::backend::{Cpu, Reference};
use nonius_linalg::cpu::simd::Level;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};

use crate::evolve::Evolve;
use crate::evolve::tests::suite::{batch, mixed, of_several_formats, same_bits};

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
fn of_several_formats_at_once() {
    of_several_formats([106, 424].map(|bits| Bits::new(bits).unwrap()), &Cpu::default());
}

/// Numbers of any format count with all their bits: as if all had the widest.
#[test]
fn members_have_the_widest_format_of_their_numbers() {
    let [narrow, wide] = [64, 424].map(|bits| Bits::new(bits).unwrap());
    let [short, long] = [narrow, wide].map(|format| batch::<Mp>(format, 22));
    for members in [mixed(&short, &long), mixed(&long, &short)] {
        let whole = members.iter().map(|member| {
            let mut member = member.clone();
            member.bring_to(wide);
            member
        });
        let whole: Vec<_> = whole.collect();
        let [found, expected] =
            [&members, &whole].map(|batch| Cpu::default().evolve(batch, batch.len()).unwrap());
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "member {i}");
            let Ok(found) = found else { continue };
            assert!(found.u.iter().all(|x| x.bits() == wide), "member {i}");
        }
    }
}

#[test]
fn the_reference_is_itself() {
    same_bits::<f64>((), &Reference);
}
