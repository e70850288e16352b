//! Pressure on faces, which follows them.

use super::problem::{FaceNodes, FacePressure, Problem};
use crate::solid::vector::{V3, add, cross, scale, sub};

/// Forces of pressures on the nodes that these reach.
pub struct Pressed {
    /// Nodes, ascending.
    pub nodes: Vec<u32>,
    /// Forces on them at the time.
    pub forces: Vec<V3<f64>>,
    /// Of each pressure the faces, by places among the nodes.
    faces: Vec<Vec<Vec<u32>>>,
}

impl Pressed {
    /// Those of a problem, without forces yet.
    pub fn new(problem: &Problem) -> Self {
        let all = || problem.pressures.iter().flat_map(|pressure| &pressure.faces);
        let mut nodes: Vec<u32> = all().flat_map(|face| face.nodes.iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let place = |node: &u32| nodes.partition_point(|other| other < node) as u32;
        let of_face = |face: &FaceNodes| face.nodes.iter().map(place).collect();
        let of_pressure = |pressure: &FacePressure| pressure.faces.iter().map(of_face).collect();
        let faces = problem.pressures.iter().map(of_pressure).collect();
        let forces = vec![[0.0; 3]; nodes.len()];
        Self { nodes, forces, faces }
    }

    /// How many of the nodes are among the first `count` of all.
    pub fn of_first(&self, count: usize) -> usize {
        self.nodes.partition_point(|&node| (node as usize) < count)
    }

    /// Forces of all pressures at a time, where nodes are `at`; what they change is returned.
    pub fn renew(
        &mut self,
        problem: &Problem,
        time: f64,
        at: impl Fn(u32) -> V3<f64>,
    ) -> Vec<V3<f64>> {
        let places: Vec<V3<f64>> = self.nodes.iter().map(|&node| at(node)).collect();
        let mut forces = vec![[0.0; 3]; self.nodes.len()];
        for (pressure, faces) in problem.pressures.iter().zip(&self.faces) {
            let p = problem.courses[pressure.course as usize].at(time);
            if p == 0.0 {
                continue;
            }
            for (face, own) in pressure.faces.iter().zip(faces) {
                let x: Vec<V3<f64>> = own.iter().map(|&i| places[i as usize]).collect();
                for (&i, area) in own.iter().zip(areas(face, &x)) {
                    let force = &mut forces[i as usize];
                    *force = sub(*force, scale(p, area));
                }
            }
        }
        let changes = forces.iter().zip(&self.forces).map(|(&new, &old)| sub(new, old)).collect();
        self.forces = forces;
        changes
    }
}

/// `∫N_I·n dA` of the nodes of a face, outwards.
fn areas(face: &FaceNodes, x: &[V3<f64>]) -> Vec<V3<f64>> {
    match *x {
        [a, b] => {
            let [dx, dy, _] = sub(b, a);
            let normal = [dy, -dx, 0.0];
            let shares = if face.axisymmetric {
                [2.0 * a[0] + b[0], a[0] + 2.0 * b[0]].map(|sum| sum / 6.0 * face.depth)
            } else {
                [0.5 * face.depth; 2]
            };
            shares.map(|share| scale(share, normal)).to_vec()
        }
        [a, b, c] => vec![scale(1.0 / 6.0, cross(sub(b, a), sub(c, a))); 3],
        [a, b, c, d] => {
            // Of x = x₀ + a·ξ + b·η + h·ξη the integrals of N times (a + h·η) × (b + h·ξ).
            let quarter = |s: [f64; 4]| {
                let sum = (0..4).fold([0.0; 3], |sum, i| add(sum, scale(s[i], [a, b, c, d][i])));
                scale(0.25, sum)
            };
            let along = quarter([-1.0, 1.0, 1.0, -1.0]);
            let across = quarter([-1.0, -1.0, 1.0, 1.0]);
            let twist = quarter([1.0, -1.0, 1.0, -1.0]);
            let flat = cross(along, across);
            let (first, second) = (cross(along, twist), cross(twist, across));
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
                .map(|[xi, eta]| add(flat, add(scale(xi / 3.0, first), scale(eta / 3.0, second))))
                .to_vec()
        }
        _ => vec![[0.0; 3]; x.len()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;
    use crate::solid::Masses;
    use crate::solid::tests::{block, elastic};

    fn face() -> FaceNodes {
        FaceNodes { nodes: vec![0; 4], depth: 1.0, axisymmetric: false }
    }

    /// The areas of a closed surface have no sum, and their moments make three times the volume.
    #[test]
    fn closed_surfaces() {
        let x: [V3<f64>; 8] = [
            [0.1, -0.1, 0.0],
            [1.0, 0.05, 0.1],
            [1.1, 0.9, -0.05],
            [-0.05, 1.0, 0.02],
            [0.0, 0.1, 1.2],
            [0.93, 0.0, 1.0],
            [1.0, 1.07, 0.9],
            [0.08, 0.97, 1.1],
        ];
        let sides =
            [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
        let (mut sum, mut moment) = ([0.0; 3], 0.0);
        for side in sides {
            let corners = side.map(|i| x[i]);
            for (area, corner) in areas(&face(), &corners).into_iter().zip(corners) {
                sum = add(sum, area);
                moment += (0..3).map(|k| area[k] * corner[k]).sum::<f64>();
            }
        }
        // Along each axis eight areas of about a quarter are added, and moments are sums of 72
        // products (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., (4.4) and
        // (3.5)).
        const U: f64 = f64::EPSILON / 2.0;
        assert!(sum.iter().all(|s| s.abs() < 8.0 * U), "{sum:?}");
        let problem = Problem {
            coordinates: x.to_vec(),
            blocks: vec![block(Kind::ReducedHexahedron, (0..8).collect())],
            materials: vec![elastic(2.5, 0.25, 1.0)],
            ..Problem::default()
        };
        let volume = Masses::new(&problem).unwrap().points[0][0];
        assert!((moment / 3.0 - volume).abs() < 64.0 * U, "{moment} {volume}");
    }

    #[test]
    fn sides_of_rings() {
        let ring = FaceNodes { nodes: vec![0; 2], depth: 1.0, axisymmetric: true };
        let outer = areas(&ring, &[[2.0, 0.0, 0.0], [2.0, 3.0, 0.0]]);
        assert_eq!(outer, [[3.0, 0.0, 0.0]; 2]);
        let half = FaceNodes { depth: 0.5, ..ring.clone() };
        let outer = areas(&half, &[[2.0, 0.0, 0.0], [2.0, 3.0, 0.0]]);
        assert_eq!(outer, [[1.5, 0.0, 0.0]; 2]);
        let plane = FaceNodes { axisymmetric: false, depth: 0.5, ..ring };
        assert_eq!(areas(&plane, &[[0.0; 3], [2.0, 0.0, 0.0]]), [[0.0, -0.5, 0.0]; 2]);
    }
}
