//! Solids in motion have the bits of the host in `f32` and `f64`, whatever they are laid out like,
//! and are near it otherwise.

use nonius_cuda::{Cuda, Device};

use super::sources::element_source;
use super::{CudaSolids, DeviceLayout};
use crate::model::{Kind, Law};
use crate::solid::tests::suite::{ELASTIC, problem, same_as, same_bits};
use crate::solid::{Failure, Limits, PATCH, Precision, Run, Solids, State};

fn gpu() -> Cuda {
    Cuda::new(&Device::new(0).expect("a GPU")).expect("a stream")
}

fn of_kind(kind: Kind) {
    let gpu = gpu();
    same_bits(&gpu, kind);
    same_as(&gpu, &gpu, kind);
}

#[test]
#[ignore = "needs a GPU"]
fn hexahedra() {
    of_kind(Kind::Hexahedron);
}

#[test]
#[ignore = "needs a GPU"]
fn reduced_hexahedra() {
    of_kind(Kind::ReducedHexahedron);
}

#[test]
#[ignore = "needs a GPU"]
fn tetrahedra() {
    of_kind(Kind::Tetrahedron);
}

#[test]
#[ignore = "needs a GPU"]
fn plane_strain() {
    of_kind(Kind::PlaneStrain);
}

#[test]
#[ignore = "needs a GPU"]
fn axisymmetric() {
    of_kind(Kind::Axisymmetric);
}

/// Streams do not change a bit, patches of other sizes only the order of sums.
#[test]
#[ignore = "needs a GPU"]
fn layouts() {
    /// Each of 40 steps adds up the forces of a node in another order. Displacements are below one
    /// and change by at most 200 units of roundoff in a step.
    const REORDERED: f64 = 40.0 * 200.0 * f64::EPSILON / 2.0;
    let gpu = gpu();
    let problem = problem(Kind::ReducedHexahedron, Law::Elastic(ELASTIC));
    let limits = Limits { factor: 0.7, most: 1.0, resync: None };
    let start = State::new(&problem);
    let mut expected = gpu.solids(&problem, Precision::Double, &start).unwrap();
    expected.advance(limits, 1e3.into(), 40).unwrap();
    let [expected, _] = expected.motion().unwrap();
    for patch in [32, 64, 128, 256] {
        for streams in [1, 2, 4] {
            let layout = DeviceLayout { patch, streams };
            let laid_out = CudaSolids { gpu: &gpu, layout };
            let mut run = laid_out.solids(&problem, Precision::Double, &start).unwrap();
            run.advance(limits, 1e3.into(), 40).unwrap();
            let [found, _] = run.motion().unwrap();
            assert!(patch != 128 || found == expected, "{layout:?}");
            let far =
                |(a, b): (&[f64; 3], &[f64; 3])| (0..3).any(|k| (a[k] - b[k]).abs() > REORDERED);
            assert!(!expected.iter().zip(&found).any(far), "{layout:?}");
        }
    }
}

/// An element that turns inside out stops the run where the host's stops.
#[test]
#[ignore = "needs a GPU"]
fn inverted() {
    let gpu = gpu();
    let mut problem = problem(Kind::ReducedHexahedron, Law::Elastic(ELASTIC));
    problem.velocities[7] = [40.0, 3.0, 1.0];
    let limits = Limits { factor: 0.7, most: 1.0, resync: None };
    let mut failures = Vec::new();
    for on_device in [false, true] {
        let start = State::new(&problem);
        let run = if on_device {
            Run::on(&gpu, &problem, Precision::Mixed, &start)
        } else {
            Run::resume(&problem, Precision::Mixed, &start)
        };
        failures.push(run.unwrap().advance(limits, 1e3, 1000).unwrap_err());
    }
    assert!(matches!(failures[0], Failure::Inverted { .. }), "{failures:?}");
    assert_eq!(failures[0], failures[1]);
}

/// Whether a line is an instruction on `f64`; declarations begin with a dot.
fn is_on_f64(line: &str) -> bool {
    line.contains(".f64") && !line.starts_with('.')
}

/// Elements of the precisions for devices whose `f64` is slow do without it.
#[test]
fn elements_without_f64_have_none() {
    let Some(nvrtc) = nonius_testkit::cuda::nvrtc() else { return };
    let laws = [(0, "elastic"), (1, "table"), (2, "johnson-cook"), (3, "neo-hookean")];
    let of_kinds = Kind::ALL.map(|kind| (kind, laws[0]));
    let of_laws = laws.map(|law| (Kind::ReducedHexahedron, law));
    for (kind, law) in of_kinds.into_iter().chain(of_laws) {
        for precision in [Precision::Mixed, Precision::Pairs] {
            let source = element_source(kind, law, precision, PATCH);
            let text = nvrtc.ptx(&source, "compute_90").expect("a text");
            let found = text.lines().map(str::trim_start).find(|line| is_on_f64(line));
            assert_eq!(found, None, "{}", source.name());
        }
        let double = element_source(kind, law, Precision::Double, PATCH);
        assert!(nvrtc.ptx(&double, "compute_90").expect("a text").contains("fma.rn.f64"));
    }
}

#[test]
fn every_module_compiles() {
    nonius_testkit::cuda::every_module_compiles(|_| super::sources());
}
