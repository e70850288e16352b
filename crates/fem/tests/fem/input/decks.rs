//! Decks as programs write them.

use std::fs::{self, File};

use nonius_fem::input::{Matter, abaqus, read_file};
use nonius_fem::model::{
    Elastic, Hardening, Increments, JohnsonCook, Kind, Law, Model, Motion, Plastic, ProbeTarget,
};

use super::common::data;

fn deck(name: &str) -> Model {
    read_file(&data(name)).unwrap().model
}

fn counts(model: &Model) -> (usize, Vec<(Kind, usize)>) {
    let blocks = model.mesh.blocks.iter().map(|block| (block.kind, block.labels.len()));
    (model.mesh.coordinates.len(), blocks.collect())
}

/// Prescribed motions: how many nodes along which axis, and which motion.
fn motions(model: &Model) -> Vec<(usize, usize, Motion)> {
    model.prescribed.iter().map(|given| (given.nodes.len(), given.axis, given.motion)).collect()
}

const STILL: Motion = Motion::Displacement(0.0);

#[test]
fn a_cylinder_of_hexahedra() {
    let model = deck("dynela/taylor-3d.inp.xz");
    assert_eq!(counts(&model), (5740, vec![(Kind::Hexahedron, 4455)]));
    let law = Law::Plastic(
        Elastic { young: 206000.0, poisson: 0.3 },
        Plastic {
            hardening: Hardening::JohnsonCook(JohnsonCook {
                a: 806.0,
                b: 614.0,
                n: 0.168,
                c: 0.0089,
                rate: 1.0,
                m: 1.1,
                melting: 1540.0,
                transition: 20.0,
            }),
        },
    );
    let steel = &model.materials[0];
    assert_eq!((steel.name.as_str(), &steel.law), ("Steel", &law));
    assert_eq!((steel.density, steel.expansion), (7.83e-9, 1.23e-5));
    assert_eq!((steel.specific_heat, steel.heat_fraction), (4.6e8, 0.9));
    assert!(model.velocities.iter().all(|velocity| *velocity == [0.0, -287000.0, 0.0]));
    assert!(model.temperatures.iter().all(|&temperature| temperature == 20.0));
    assert_eq!(model.temperatures.len(), 5740);
    assert_eq!((model.time.period, model.time.adiabatic), (8e-5, true));
    assert_eq!(model.time.increments, Increments::Stable { factor: 0.9, most: None });
    assert_eq!((model.outputs.fields, model.outputs.history), (Some(20), Some(1e-7)));
    // Set-7 is the foot, Set-8 and Set-9 are planes of symmetry; the last probe is one node.
    let sets = ["Set-7", "Set-8", "Set-9"].map(|name| model.mesh.node_sets[name].len());
    let expected: Vec<_> =
        sets.into_iter().zip([1, 0, 2]).map(|(n, axis)| (n, axis, STILL)).collect();
    assert_eq!(motions(&model), expected);
    assert!(
        model.mesh.node_sets["Set-7"].iter().all(|&n| model.mesh.coordinates[n as usize][1] == 0.0)
    );
    let names: Vec<_> = model.outputs.probes.iter().map(|probe| probe.name.as_str()).collect();
    assert_eq!(names, ["Set-9", "Set-10"]);
    assert!(model.mesh.element_sets.contains_key("Part-1-1.Set-angle"));
}

#[test]
fn a_bar_of_hexahedra() {
    let model = deck("dynela/necking-3d.inp.xz");
    assert_eq!(counts(&model), (4879, vec![(Kind::Hexahedron, 3960)]));
    let pulled = model.prescribed.iter().find(|given| given.motion != STILL).unwrap();
    assert_eq!((pulled.axis, pulled.motion), (1, Motion::Displacement(7.0)));
    assert_eq!(model.amplitudes[pulled.amplitude.unwrap()].points, [[0.0, 0.0], [0.001, 1.0]]);
    assert_eq!((model.outputs.fields, model.outputs.history), (None, Some(1e-5)));
}

#[test]
fn axisymmetric_cylinders() {
    let taylor = deck("dynela/taylor-axisymmetric.inp");
    assert_eq!(counts(&taylor), (306, vec![(Kind::Axisymmetric, 250)]));
    assert_eq!(taylor.mesh.dimensions(), 2);
    assert!(taylor.velocities.iter().all(|velocity| *velocity == [0.0, -287000.0, 0.0]));
    let targets = taylor.outputs.probes.iter().map(|probe| match &probe.target {
        ProbeTarget::Nodes(nodes) => (probe.name.as_str(), nodes.len()),
        ProbeTarget::Elements(elements) => (probe.name.as_str(), elements.len()),
    });
    assert_eq!(targets.collect::<Vec<_>>(), [("Cylinder-1.Set-1", 250), ("Cylinder-1.Set-1", 306)]);
    let necking = deck("dynela/necking-axisymmetric.inp");
    assert_eq!(counts(&necking), (451, vec![(Kind::Axisymmetric, 400)]));
    assert!(necking.velocities.is_empty());
}

#[test]
fn single_elements() {
    let model = deck("dynela/tensile-3d.inp");
    assert_eq!(counts(&model), (8, vec![(Kind::Hexahedron, 1)]));
    // All nodes stay along the second axis, those of one side along the first, and the others are
    // drawn.
    let drawn = Motion::Displacement(10.0);
    assert_eq!(motions(&model), [(4, 0, STILL), (8, 1, STILL), (4, 0, drawn)]);
    assert_eq!(model.mesh.node_sets["RIGHT"], [1, 2, 5, 6]);
    for name in ["dynela/tensile-2d.inp", "dynela/shear-2d.inp"] {
        let model = deck(name);
        assert_eq!(counts(&model), (4, vec![(Kind::PlaneStrain, 1)]));
        assert_eq!(model.mesh.blocks[0].thickness, 1.0);
    }
}

/// The mesh is that of another program, which has faces as elements.
#[test]
fn a_deck_that_includes_a_mesh() {
    let path = data("gmsh/bar.inp");
    let (model, ignored) = abaqus::read(File::open(&path).unwrap(), &path).unwrap();
    assert_eq!(counts(&model), (909, vec![(Kind::Hexahedron, 400)]));
    assert_eq!(model.title, "An elastic wave in a bar, which Gmsh has meshed");
    assert_eq!(motions(&model), [(9, 0, Motion::Velocity(0.1))]);
    assert!(model.amplitudes[0].smooth);
    assert_eq!(model.mesh.element_sets["bar"].len(), 400);
    assert_eq!(model.mesh.node_sets["xL"].len(), 9);
    assert_eq!(ignored.len(), 1);
    assert_eq!(ignored[0].matter, Matter::Elements { name: "CPS4".to_string() });
    assert_eq!(ignored[0].line, 915);
    assert!(ignored[0].file.ends_with("gmsh/bar_hex.inp"));
}

/// What is read past is listed with its lines.
#[test]
fn ignored_lines_are_listed() {
    let path = data("dynela/tensile-3d.inp");
    let text = fs::read_to_string(&path).unwrap();
    let (_, ignored) = abaqus::read(text.as_bytes(), &path).unwrap();
    assert!(!ignored.is_empty());
    for ignored in ignored {
        let line = text.lines().nth(ignored.line as usize - 1).unwrap().to_uppercase();
        let keyword = match &ignored.matter {
            Matter::Keyword(keyword) => keyword,
            other => panic!("{other}"),
        };
        assert!(line.starts_with(&format!("*{keyword}")), "{ignored}");
    }
}
