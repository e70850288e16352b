//! Bringing limbs into normal form.

use nonius_num::MultiFloat;
use nonius_testkit::{Inputs, is_normal_form};
use rand::Rng;
use rug::Float;

use crate::Oracle;
use crate::value::exact;

/// Limbs of no particular order, overlapping, cancelling, or far apart.
fn limbs<const N: usize>(inputs: &mut Inputs<N>) -> [f64; N] {
    let mut random = |e: i32| {
        let x = inputs.shaped(e, 1.0).first();
        if inputs.rng.random() { x } else { -x }
    };
    let mut limbs = [0.0; N];
    let (mut e, style) = (0, random(0).to_bits() % 4);
    for limb in &mut limbs {
        *limb = random(e);
        let step = random(0).to_bits() as i32;
        e -= match style {
            0 => step.rem_euclid(4),
            1 => step.rem_euclid(56),
            2 => step.rem_euclid(120),
            _ => step.rem_euclid(160) - 80,
        };
    }
    limbs
}

fn sum(limbs: &[f64]) -> Float {
    limbs.iter().fold(Float::with_val(3_000, 0), |sum, &limb| sum + limb)
}

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let mut inputs = o.inputs("renormalize");
    let list: Vec<[f64; N]> = (0..o.count).map(|_| limbs(&mut inputs)).collect();
    o.list("renormalize", list, |&limbs| {
        let z = MultiFloat::renormalize(limbs);
        if exact(z) != sum(&limbs) {
            return Err(format!("gives {:?}: not the sum", z.limbs()));
        }
        if is_normal_form(z) {
            Ok(())
        } else {
            Err(format!("gives {:?}: not in normal form", z.limbs()))
        }
    });
}
