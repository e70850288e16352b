//! Gradients of shape functions, integrated over elements, and how they change in a step.
//!
//! **What.** Coordinates of an element are written by some vectors `x_k` of which its gradients
//! consist: modes, edges or diagonals (*coordinates* below). At a point `p` its volume is `v`, and
//! `g_k` are such that a mean velocity gradient is `w·Σ ẋ_k ⊗ g_k/v` and a stress `σ` has the
//! forces `σ·g_k` on the coordinates, `w` a constant of the kind. In space `g` is a quadratic form
//! of the coordinates, `g = B(x, x)`. With `x̄` half way and `Δ` the step,
//!
//! `g(x̄ ± ½Δ) = B(x̄, x̄) ± B(x̄, Δ) + ¼·B(Δ, Δ)`,
//!
//! where the middle term, called the increment below, is as exact as `Δ` is: nothing cancels. So
//! are all forces' increments that are computed from it. The volume is `v = ⅓·w·Σ x_k·g_k`, its
//! increment `w·Σ (g_k + ⅓·q_k)·Δ_k` with `q = ¼·B(Δ, Δ)`.
//!
//! **Hexahedra with one point** take the mean of the gradient over the volume (Flanagan and
//! Belytschko, *A uniform strain hexahedron and quadrilateral with orthogonal hourglass control*,
//! 1981), which here is written by the modes of the coordinates,
//! `x = x₀ + a₁ξ + a₂η + a₃ζ + h₁₂ξη + h₁₃ξζ + h₂₃ηζ + h₁₂₃ξηζ`. Of `∫(∂N_I/∂ξ·(x_η × x_ζ) + …)`
//! there is left, by the signs of the node,
//!
//! ```text
//!   ξ·(a₂×a₃ + ⅓h₁₂×h₁₃) + η·(a₃×a₁ + ⅓h₂₃×h₁₂) + ζ·(a₁×a₂ + ⅓h₁₃×h₂₃)
//! + ⅓ξη·(a₂×h₂₃ + h₁₃×a₁) + ⅓ξζ·(h₂₃×a₃ + a₁×h₁₂) + ⅓ηζ·(a₃×h₁₃ + h₁₂×a₂),
//! ```
//!
//! of which the coefficients are the `g_k` of six modes, with `w = 8`.
//!
//! **Points of hexahedra with eight** have the tangents `x_ξ, x_η, x_ζ` as coordinates, whose
//! gradients are the cofactors.
//!
//! **Around an axis** `v = ∫r dA` and `g` is `∫∂N_I/∂x r dA`; a third entry, `∫N_I dA`, makes hoop
//! strains of radial motion. Coordinates are the mean radius and the modes `aξ + bη + hξη`, with `w
//! = 4`: differences between nodes, which keep their digits far from the axis.

mod edges;
mod hexahedron;
mod plane;
#[cfg(test)]
mod tests;

use crate::solid::vector::V3;

pub(crate) use edges::{edges, edges_growth};
pub(crate) use hexahedron::{
    MEAN_WEIGHT, add_tangents, at_nodes, layer, mean_hexahedron, mean_hexahedron_growth, place,
};
pub(crate) use hexahedron::{modes, tangents};
pub(crate) use plane::{
    RING_WEIGHT, axisymmetric, axisymmetric_growth, quadrilateral, quadrilateral_growth, ring_modes,
};

/// A point of an element where it is.
#[derive(Clone, Copy)]
pub(crate) struct Gradients<A, const K: usize> {
    /// `g`.
    pub(crate) g: [V3<A>; K],
    /// The volume.
    pub(crate) v: A,
}

/// What a step changes about a point, which is given half way.
#[derive(Clone, Copy)]
pub(crate) struct Growth<S, const K: usize> {
    /// The increment of `g`.
    pub(crate) dg: [V3<S>; K],
    /// `q`: the mean of both ends is `g + q`.
    pub(crate) q: [V3<S>; K],
    /// The increment of the volume.
    pub(crate) dv: S,
    /// What the mean of the volumes at both ends has over that half way.
    pub(crate) bulge: S,
}

/// Signs of the nodes of a hexahedron in the three directions, in Abaqus's order.
pub(crate) const SIGNS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// `1/√3`: with signs, where the points of a hexahedron lie.
pub(crate) const ROOT: f64 = 0.577_350_269_189_625_8;
