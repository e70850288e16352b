use super::{
    Gradients, Growth, SIGNS, add_tangents, at_nodes, axisymmetric_growth, edges, edges_growth,
    layer, mean_hexahedron, mean_hexahedron_growth, modes, place, quadrilateral,
    quadrilateral_growth, ring_modes, tangents,
};
use crate::solid::vector::{V3, add, scale, sub};

/// Unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

/// A bound of rounding errors here. Sums of n products of numbers near one err by `γₙ·Σ|x||y|`
/// (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., (3.5)).
const ROUNDINGS: f64 = 64.0 * U;

const BOX: [V3<f64>; 8] = [
    [0.1, -0.1, 0.0],
    [1.0, 0.05, 0.1],
    [1.1, 0.9, -0.05],
    [-0.05, 1.0, 0.02],
    [0.0, 0.1, 1.2],
    [0.93, 0.0, 1.0],
    [1.0, 1.07, 0.9],
    [0.08, 0.97, 1.1],
];

fn step(i: usize) -> V3<f64> {
    let i = i as f64;
    [0.03 * (1.7 * i).sin(), 0.04 * (2.3 * i + 1.0).cos(), 0.02 * (3.1 * i).sin()]
}

/// A point by the nodes of its element.
type Nodal<const N: usize> = (Gradients<f64, N>, Growth<f64, N>);

/// That of gradients and changes on coordinates, which `to_nodes` spreads.
fn nodal<const K: usize, const N: usize>(
    here: &Gradients<f64, K>,
    growth: &Growth<f64, K>,
    to_nodes: impl Fn([V3<f64>; K]) -> [V3<f64>; N],
) -> Nodal<N> {
    let Growth { dg, q, dv, bulge } = *growth;
    let here = Gradients { g: to_nodes(here.g), v: here.v };
    (here, Growth { dg: to_nodes(dg), q: to_nodes(q), dv, bulge })
}

/// `g` and `v` at both ends agree with those half way, their increments and means.
fn closes<const N: usize>(
    half_way: &[V3<f64>; N],
    point: impl Fn(&[V3<f64>; N], &[V3<f64>; N]) -> Nodal<N>,
) {
    let steps: [V3<f64>; N] = core::array::from_fn(step);
    let end = |sign: f64| -> [V3<f64>; N] {
        core::array::from_fn(|i| add(half_way[i], scale(0.5 * sign, steps[i])))
    };
    let (middle, growth) = point(half_way, &steps);
    let rest = [[0.0; 3]; N];
    let (before, after) = (point(&end(-1.0), &rest).0, point(&end(1.0), &rest).0);
    assert!((after.v - before.v - growth.dv).abs() < ROUNDINGS, "{}", growth.dv);
    let over = 0.5 * (after.v + before.v) - middle.v;
    assert!((over - growth.bulge).abs() < ROUNDINGS, "{over} {}", growth.bulge);
    for i in 0..N {
        for k in 0..3 {
            let change = after.g[i][k] - before.g[i][k];
            assert!((change - growth.dg[i][k]).abs() < ROUNDINGS, "{i} {k}");
            let mean = 0.5 * (after.g[i][k] + before.g[i][k]);
            assert!((mean - middle.g[i][k] - growth.q[i][k]).abs() < ROUNDINGS, "{i} {k}");
        }
    }
}

/// `g` is the derivative of the volume.
///
/// A volume is at most quadratic in one coordinate, so that central differences have no truncation
/// error. The rounding errors of two volumes are divided by twice the step.
fn derives<const N: usize>(
    x: &[V3<f64>; N],
    axisymmetric: bool,
    point: impl Fn(&[V3<f64>; N], &[V3<f64>; N]) -> Nodal<N>,
) {
    const STEP: f64 = 1e-4;
    let rest = [[0.0; 3]; N];
    let g = point(x, &rest).0.g;
    for i in 0..N {
        for k in 0..if axisymmetric { 2 } else { 3 } {
            let moved = |by: f64| {
                let mut x = *x;
                x[i][k] += by;
                point(&x, &rest).0.v
            };
            let slope = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
            let hoop = if axisymmetric && k == 0 { g[i][2] } else { 0.0 };
            assert!((slope - g[i][k] - hoop).abs() < ROUNDINGS / STEP, "{i} {k}: {slope}");
        }
    }
}

fn six(x: &[V3<f64>; 8]) -> [V3<f64>; 6] {
    let m = modes(&x.map(|x| scale(0.125, x)));
    [m[0], m[1], m[2], m[3], m[4], m[5]]
}

fn mean(x: &[V3<f64>; 8], step: &[V3<f64>; 8]) -> Nodal<8> {
    let (x, step) = (six(x), six(step));
    let here = mean_hexahedron(&x);
    let growth = mean_hexahedron_growth(&here, &x, &step);
    nodal(&here, &growth, |g| at_nodes(&[g[0], g[1], g[2], g[3], g[4], g[5], [0.0; 3]]))
}

fn one_of_eight(x: &[V3<f64>; 8], step: &[V3<f64>; 8], p: usize) -> Nodal<8> {
    let along = |x: &[V3<f64>; 8]| tangents(&modes(&x.map(|x| scale(0.125, x))), place(p));
    let (x, step) = (along(x), along(step));
    let here = edges(&x, 1.0);
    nodal(&here, &edges_growth(&here, &x, &step, 1.0), |g| {
        let mut m = [[0.0; 3]; 7];
        add_tangents(&mut m, &g, place(p));
        at_nodes(&m.map(|g| scale(0.125, g)))
    })
}

fn by_edges(x: &[V3<f64>; 4], step: &[V3<f64>; 4]) -> Nodal<4> {
    let of = |x: &[V3<f64>; 4]| [sub(x[1], x[0]), sub(x[2], x[0]), sub(x[3], x[0])];
    let (x, step) = (of(x), of(step));
    let here = edges(&x, 6.0);
    nodal(&here, &edges_growth(&here, &x, &step, 6.0), |g| {
        let all = add(add(g[0], g[1]), g[2]);
        [all.map(|g| -g), g[0], g[1], g[2]]
    })
}

fn by_diagonals(x: &[V3<f64>; 4], step: &[V3<f64>; 4]) -> Nodal<4> {
    let diagonals = |x: &[V3<f64>; 4]| [sub(x[2], x[0]), sub(x[3], x[1])];
    let (x, step) = (diagonals(x), diagonals(step));
    let here = quadrilateral(&x);
    nodal(&here, &quadrilateral_growth(&here, &step), |g| {
        [g[0].map(|g| -g), g[1].map(|g| -g), g[0], g[1]]
    })
}

fn axisymmetric(x: &[V3<f64>; 4], step: &[V3<f64>; 4]) -> Nodal<4> {
    let own = |x: &[V3<f64>; 4]| ring_modes(&x.map(|node| [node[0], node[1], node[0] - x[0][0]]));
    let (x, step) = (own(x), own(step));
    let here = super::axisymmetric(&x);
    let growth = axisymmetric_growth(&here, &x, &step);
    nodal(&here, &growth, |g| layer(g[0], g[1], g[2], g[3]))
}

#[test]
fn gradients_are_derivatives_of_volumes() {
    derives(&BOX, false, mean);
    let tetrahedron_nodes = [BOX[0], BOX[1], BOX[3], BOX[4]];
    derives(&tetrahedron_nodes, false, by_edges);
    let flat = |i: usize| [BOX[i][0] + 0.5, BOX[i][1], 0.0];
    let plane = [flat(0), flat(1), flat(2), flat(3)];
    derives(&plane, false, by_diagonals);
    derives(&plane, true, axisymmetric);
}

#[test]
fn increments_close() {
    closes(&BOX, mean);
    for point in 0..8 {
        closes(&BOX, |x, step| one_of_eight(x, step, point));
    }
    closes(&[BOX[0], BOX[1], BOX[3], BOX[4]], by_edges);
    let flat = |i: usize| [BOX[i][0] + 0.5, BOX[i][1], 0.0];
    let plane = [flat(0), flat(1), flat(2), flat(3)];
    closes(&plane, by_diagonals);
    closes(&plane, axisymmetric);
}

/// The mean gradient is the sum of those of eight points, which integrate it exactly.
#[test]
fn the_mean_is_the_sum_of_points() {
    let rest = [[0.0; 3]; 8];
    let whole = mean(&BOX, &rest).0;
    let points: Vec<_> = (0..8).map(|p| one_of_eight(&BOX, &rest, p).0).collect();
    let volume: f64 = points.iter().map(|point| point.v).sum();
    assert!((volume - whole.v).abs() < ROUNDINGS);
    for i in 0..8 {
        for k in 0..3 {
            let sum: f64 = points.iter().map(|point| point.g[i][k]).sum();
            assert!((sum - whole.g[i][k]).abs() < ROUNDINGS, "{i} {k}");
        }
    }
}

#[test]
fn unit_shapes_have_their_volumes() {
    // Coordinates are exact, and the volumes have a few roundings.
    const FEW: f64 = 4.0 * U;
    let cube: [V3<f64>; 8] = SIGNS.map(|s| s.map(|s| 0.5 * s));
    assert!((mean(&cube, &[[0.0; 3]; 8]).0.v - 1.0).abs() < FEW);
    let plane: [V3<f64>; 4] = core::array::from_fn(|i| [2.0 + cube[i][0], cube[i][1], 0.0]);
    let rest = [[0.0; 3]; 4];
    assert!((by_diagonals(&plane, &rest).0.v - 1.0).abs() < FEW);
    // A ring between the radii 1.5 and 2.5, of one radian.
    assert!((axisymmetric(&plane, &rest).0.v - 2.0).abs() < 2.0 * FEW);
    let corner = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert!((by_edges(&corner, &rest).0.v - 1.0 / 6.0).abs() < FEW / 6.0);
}
