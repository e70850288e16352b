//! Every backend returns the bits of the reference, whatever the batch.

use nonius_linalg::backend::{Cpu, Reference};
use nonius_linalg::cpu::simd::Level;
use nonius_linalg::evolve::{Evolution, Evolve, Stage};
use nonius_linalg::{Scalar, limbs_of};
use nonius_num::{Dd, Qd};
use nonius_testkit::Random;

fn batches_agree<T: Scalar>() {
    let mut random = Random::new(20);
    let mut batch: Vec<Evolution<T>> = Vec::new();
    // Lengths and counts around the lanes of registers, mixed.
    for n in [1, 2, 3, 4, 5, 17] {
        (0..9 + n).for_each(|_| batch.push(everything(&mut random, n)));
    }
    // One with stages of its own, one that fails among those that do not.
    batch[40].stages.truncate(2);
    batch[41].generators[0].diagonal[1] = T::from_f64(f64::NAN);
    if let Stage::Map(rows) = &mut batch[42].stages[2] {
        rows[0].constant = T::from_f64(f64::INFINITY);
    }
    for rotation in [0, 5] {
        batch.rotate_left(rotation);
        let expected = Reference.evolve(&batch).unwrap();
        for level in Level::available() {
            Level::set(level);
            let found = Cpu::default().evolve(&batch).unwrap();
            for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
                match (found, expected) {
                    (Ok(found), Ok(expected)) => {
                        let bits = |u: &[T]| -> Vec<u64> {
                            limbs_of(u).iter().map(|x| x.to_bits()).collect()
                        };
                        assert_eq!(bits(&found.u), bits(&expected.u), "member {i}");
                        assert_eq!(found.contact, expected.contact, "member {i}");
                    }
                    _ => assert_eq!(found, expected, "member {i}"),
                }
            }
        }
        Level::set(Level::best());
    }
}

use super::common::everything;

#[test]
fn batches_have_the_bits_of_the_reference() {
    batches_agree::<f64>();
    batches_agree::<Dd>();
    batches_agree::<Qd>();
}

#[test]
fn an_empty_batch_has_no_outcomes() {
    assert_eq!(Evolve::<f64>::evolve(&Cpu::default(), &[]), Ok(Vec::new()));
}
