//! Numbers that a model cannot have, whichever file says them.

use super::error::Problem;
use crate::model::{
    Amplitude, Elastic, Hardening, JohnsonCook, Mesh, Motion, NeoHookean, Prescribed,
};

type Checked = Result<(), Problem>;

pub(super) fn positive(quantity: &'static str, value: f64) -> Checked {
    range(quantity, value, value > 0.0, "above zero")
}

pub(super) fn not_negative(quantity: &'static str, value: f64) -> Checked {
    range(quantity, value, value >= 0.0, "not below zero")
}

/// Not even infinities are in a range.
pub(super) fn range(
    quantity: &'static str,
    value: f64,
    good: bool,
    needed: &'static str,
) -> Checked {
    if good && value.is_finite() { Ok(()) } else { Err(Problem::Range { quantity, value, needed }) }
}

pub(super) fn elastic(law: &Elastic) -> Checked {
    positive("modulus of elasticity", law.young)?;
    let good = law.poisson > -1.0 && law.poisson < 0.5;
    range("Poisson ratio", law.poisson, good, "above -1 and below 0.5")
}

pub(super) fn neo_hookean(law: &NeoHookean) -> Checked {
    positive("coefficient C10", law.c10)?;
    positive("coefficient D1", law.d1)
}

pub(super) fn hardening(law: &Hardening) -> Checked {
    match law {
        Hardening::Table(points) => {
            let first = points.first().ok_or(Problem::Missing { what: "yield stress" })?;
            range("first plastic strain", first[0], first[0] == 0.0, "equal to zero")?;
            for point in points {
                not_negative("plastic strain", point[0])?;
                positive("yield stress", point[1])?;
            }
            increase("plastic strains", points)
        }
        Hardening::JohnsonCook(law) => johnson_cook(law),
    }
}

/// The melting temperature may be infinite: then heat plays no part.
fn johnson_cook(law: &JohnsonCook) -> Checked {
    positive("coefficient A of Johnson and Cook", law.a)?;
    not_negative("coefficient B of Johnson and Cook", law.b)?;
    not_negative("exponent n of Johnson and Cook", law.n)?;
    not_negative("coefficient C of Johnson and Cook", law.c)?;
    positive("reference rate of Johnson and Cook", law.rate)?;
    positive("exponent m of Johnson and Cook", law.m)?;
    range("transition temperature", law.transition, true, "that is finite")?;
    if law.melting > law.transition {
        return Ok(());
    }
    let needed = "above the transition temperature";
    Err(Problem::Range { quantity: "melting temperature", value: law.melting, needed })
}

pub(super) fn heat_fraction(value: f64) -> Checked {
    let good = (0.0..=1.0).contains(&value);
    range("part of plastic work that becomes heat", value, good, "from 0 to 1")
}

pub(super) fn amplitude(amplitude: &Amplitude) -> Checked {
    if amplitude.points.is_empty() {
        return Err(Problem::Missing { what: "point of the amplitude" });
    }
    for point in &amplitude.points {
        not_negative("time of an amplitude", point[0])?;
        range("value of an amplitude", point[1], true, "that is finite")?;
    }
    increase("times of the amplitude", &amplitude.points)
}

fn increase(what: &'static str, points: &[[f64; 2]]) -> Checked {
    let good = points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
    if good { Ok(()) } else { Err(Problem::Table { what }) }
}

/// A node that is at once somewhere else has no velocity.
pub(super) fn motion(motion: Motion, amplitude: Option<usize>) -> Checked {
    match motion {
        Motion::Displacement(value) => {
            let good = value == 0.0 || amplitude.is_some();
            range("displacement", value, good, "equal to zero where there is no amplitude")
        }
        Motion::Velocity(value) => range("velocity", value, true, "that is finite"),
    }
}

/// What moves masses is at nodes that have some, of which there is a list.
pub(super) fn massive(
    mesh: &Mesh,
    with_mass: &[bool],
    nodes: &[u32],
    has: &'static str,
) -> Checked {
    match nodes.iter().find(|&&node| !with_mass[node as usize]) {
        Some(&node) => Err(Problem::Massless { node: mesh.node_labels[node as usize], has }),
        None => Ok(()),
    }
}

/// Of two motions of a node along an axis the later one stays. Motions of no node go.
pub(super) fn last_motions(prescribed: &mut Vec<Prescribed>, nodes: usize) {
    let mut taken = vec![[false; 3]; nodes];
    for motion in prescribed.iter_mut().rev() {
        motion.nodes.sort_unstable();
        motion.nodes.dedup();
        let axis = motion.axis;
        motion.nodes.retain(|&node| !core::mem::replace(&mut taken[node as usize][axis], true));
    }
    prescribed.retain(|motion| !motion.nodes.is_empty());
}
