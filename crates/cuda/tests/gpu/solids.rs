//! Solids in motion have the bits of the host in `f32` and `f64`, whatever they are laid out like,
//! and are near it otherwise.

use nonius_linalg::solid::{Failure, Kind, Law, Limits, Precision, State};
use nonius_testkit::solids::{problem, same_again, same_bits};

use crate::gpu;

fn of_kind(kind: Kind) {
    if let Some(gpu) = gpu() {
        same_bits(&gpu, kind);
        same_again(&gpu, kind);
    }
}

#[test]
fn hexahedra() {
    of_kind(Kind::Hexahedron);
}

#[test]
fn reduced_hexahedra() {
    of_kind(Kind::ReducedHexahedron);
}

#[test]
fn tetrahedra() {
    of_kind(Kind::Tetrahedron);
}

#[test]
fn plane_strain() {
    of_kind(Kind::PlaneStrain);
}

#[test]
fn axisymmetric() {
    of_kind(Kind::Axisymmetric);
}

/// Streams do not change a bit, patches of other sizes only the order of sums.
#[test]
fn layouts() {
    use nonius_cuda::SolidsLayout;
    use nonius_linalg::backend::Solids;

    let Some(gpu) = gpu() else { return };
    let problem = problem(Kind::ReducedHexahedron, Law::Elastic);
    let limits = Limits { factor: 0.7, most: 1.0, resync: None };
    let start = State::new(&problem);
    let mut expected = gpu.solids(&problem, Precision::Double, &start).unwrap();
    expected.advance(limits, 1e3.into(), 40).unwrap();
    let [expected, _] = expected.motion().unwrap();
    for patch in [32, 64, 128, 256] {
        for streams in [1, 2, 4] {
            let layout = SolidsLayout { patch, streams };
            let mut run = gpu.solids_with(&problem, Precision::Double, &start, layout).unwrap();
            run.advance(limits, 1e3.into(), 40).unwrap();
            let [found, _] = run.motion().unwrap();
            assert!(patch != 128 || found == expected, "{layout:?}");
            let far = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).any(|k| (a[k] - b[k]).abs() > 1e-12);
            assert!(!expected.iter().zip(&found).any(far), "{layout:?}");
        }
    }
}

/// An element that turns inside out stops the run where the host's stops.
#[test]
fn inverted() {
    let Some(gpu) = gpu() else { return };
    let mut problem = problem(Kind::ReducedHexahedron, Law::Elastic);
    problem.velocities[7] = [40.0, 3.0, 1.0];
    let limits = Limits { factor: 0.7, most: 1.0, resync: None };
    let mut failures = Vec::new();
    for on_device in [false, true] {
        let start = State::new(&problem);
        let run = if on_device {
            nonius_linalg::solid::Run::on(&gpu, &problem, Precision::Mixed, &start)
        } else {
            nonius_linalg::solid::Run::resume(&problem, Precision::Mixed, &start)
        };
        failures.push(run.unwrap().advance(limits, 1e3, 1000).unwrap_err());
    }
    assert!(matches!(failures[0], Failure::Inverted { .. }), "{failures:?}");
    assert_eq!(failures[0], failures[1]);
}
