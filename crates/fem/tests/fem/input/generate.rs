//! Generated models, and decks written of models.

use std::f64::consts::PI;
use std::path::Path;

use nonius_fem::generate::{self, GenerateError, WriteError, write_abaqus};
use nonius_fem::input::{abaqus, read_file};
use nonius_fem::model::{
    Hardening, Increments, Kind, Law, Load, Model, Motion, NeoHookean, Plastic, Prescribed, Wall,
};

use super::common::{data, two};

const EIGHT: Kind = Kind::ReducedHexahedron;

fn written(model: &Model) -> String {
    let mut deck = Vec::new();
    write_abaqus(model, &mut deck).unwrap();
    String::from_utf8(deck).unwrap()
}

fn again(model: &Model) -> Model {
    let text = written(model);
    match abaqus::read(text.as_bytes(), Path::new("deck.inp")) {
        Ok((model, ignored)) => {
            assert!(ignored.is_empty());
            model
        }
        Err(error) => panic!("{error}"),
    }
}

/// Volumes of a mesh's elements: each hexahedron is six tetrahedra around its first diagonal.
fn volumes(model: &Model) -> Vec<f64> {
    const SIX: [[usize; 4]; 6] =
        [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];
    let block = &model.mesh.blocks[0];
    let elements = block.nodes.chunks_exact(block.kind.nodes());
    let volume = |nodes: &[u32], corners: [usize; 4]| {
        let [a, b, c, d] = corners.map(|corner| model.mesh.coordinates[nodes[corner] as usize]);
        let [u, v, w] = [b, c, d].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
        (u[0] * (v[1] * w[2] - v[2] * w[1])
            + u[1] * (v[2] * w[0] - v[0] * w[2])
            + u[2] * (v[0] * w[1] - v[1] * w[0]))
            / 6.0
    };
    let whole = |nodes: &[u32]| match block.kind {
        Kind::Tetrahedron => volume(nodes, [0, 1, 2, 3]),
        _ => SIX.iter().map(|&corners| volume(nodes, corners)).sum(),
    };
    elements.map(whole).collect()
}

/// All elements are the right way round and fill the body.
#[test]
fn elements_fill_the_body() {
    let cylinder = PI * 3.2f64.powi(2) * 32.4 / 4.0;
    let cases = [
        (generate::bar(EIGHT, [10, 2, 3]), 4e-4, 60),
        (generate::bar(Kind::Tetrahedron, [10, 2, 3]), 4e-4, 360),
        (generate::cantilever(Kind::Hexahedron, [5, 1, 1]), 0.01, 5),
        (generate::cuboid(Kind::Tetrahedron, [2, 3, 4]), 1.0, 144),
        (generate::taylor(EIGHT, 20, 10, 3), cylinder, 20 * 20 * 3 + 40 * 10 * 3),
    ];
    for (model, expected, count) in cases {
        let model = model.unwrap();
        let volumes = volumes(&model);
        assert_eq!(volumes.len(), count, "{}", model.title);
        assert!(volumes.iter().all(|&volume| volume > 0.0), "{}", model.title);
        let sum: f64 = volumes.iter().sum();
        // The polygon of 160 sides is more than 1 − (π/80)²/6 of the circle. Each volume has some
        // roundings, and each addition has one (Higham, *Accuracy and Stability of Numerical
        // Algorithms*, 2nd ed., (4.4)).
        let polygon = 1.0 - (PI / 80.0).powi(2) / 6.0;
        let roundings = (count as f64 + 32.0) * f64::EPSILON / 2.0;
        assert!(
            sum <= expected * (1.0 + roundings) && sum > expected * polygon,
            "{sum} {expected}"
        );
    }
}

#[test]
fn sets_are_where_they_should_be() {
    let model = generate::taylor(EIGHT, 4, 3, 10).unwrap();
    let count = |name: &str| model.mesh.node_sets[name].len();
    let section = 5 * 5 + 3 * 9;
    assert_eq!(model.mesh.coordinates.len(), section * 11);
    assert_eq!([count("foot"), count("x"), count("z")], [section, 8 * 11, 8 * 11]);
    assert_eq!([count("head"), count("rim")], [1, 1]);
    let deck = read_file(&data("dynela/taylor-axisymmetric.inp")).unwrap().model;
    assert_eq!(model.materials[0].law, deck.materials[0].law);
    assert_eq!(model.velocities[0], deck.velocities[0]);
    let beam = generate::cantilever(EIGHT, [8, 2, 2]).unwrap();
    let tip = beam.mesh.node_sets["tip"][0] as usize;
    assert_eq!(beam.velocities[tip], [0.0, 0.0, 1.0]);
    assert!(
        beam.mesh.node_sets["clamped"].iter().all(|&node| beam.velocities[node as usize][2] == 0.0)
    );
    let block = generate::cuboid(EIGHT, [2, 3, 4]).unwrap();
    let Load::Pressure(pressure) = &block.loads[0] else { panic!() };
    assert_eq!(pressure.faces.len(), 6);
    assert!(pressure.faces.iter().all(|face| face.face == 1));
}

#[test]
fn sizes_are_checked() {
    let huge = usize::MAX;
    assert_eq!(generate::bar(EIGHT, [1, 0, 1]), Err(GenerateError::Empty));
    assert_eq!(generate::bar(EIGHT, [huge, huge, huge]), Err(GenerateError::Size));
    assert_eq!(generate::cuboid(EIGHT, [2000; 3]), Err(GenerateError::Size));
    assert_eq!(generate::taylor(EIGHT, 0, 1, 1), Err(GenerateError::Empty));
    assert_eq!(generate::taylor(EIGHT, huge, huge, huge), Err(GenerateError::Size));
    let kind = Kind::PlaneStrain;
    assert_eq!(generate::bar(kind, [1; 3]), Err(GenerateError::Kind(kind)));
    assert_eq!(
        generate::taylor(Kind::Tetrahedron, 1, 1, 1).unwrap_err().to_string(),
        "it cannot be made of C3D4"
    );
}

#[test]
fn generated_models_come_back() {
    let models = [
        generate::bar(EIGHT, [10, 2, 2]),
        generate::bar(Kind::Tetrahedron, [3, 1, 1]),
        generate::cantilever(Kind::Hexahedron, [7, 2, 3]),
        generate::cuboid(EIGHT, [3, 2, 4]),
        generate::cuboid(Kind::Tetrahedron, [1, 1, 1]),
        generate::taylor(Kind::Hexahedron, 3, 2, 7),
        generate::taylor(EIGHT, 1, 1, 1),
    ];
    for model in models {
        let model = model.unwrap();
        assert_eq!(again(&model), model);
    }
}

/// Whatever order nodes and elements are in, of whatever kind they are.
#[test]
fn models_that_were_read_come_back() {
    let names = [
        "dynela/taylor-axisymmetric.inp",
        "dynela/necking-axisymmetric.inp",
        "dynela/tensile-3d.inp",
        "dynela/tensile-2d.inp",
        "dynela/shear-2d.inp",
        "gmsh/bar.inp",
        "gmsh/cantilever.toml",
    ];
    for name in names {
        let model = read_file(&data(name)).unwrap().model;
        assert_eq!(again(&model), model, "{name}");
    }
    let before = "*AMPLITUDE, NAME=\"of, time\"\n0, 1\n2, 3\n*SURFACE, NAME=top\nboth, S5\n*BOUNDARY\n3, PINNED\n";
    let within = "*CLOAD\nall, 2, -10\n1, 1, 3\n*DLOAD\n, GRAV, 9.81, 0, -1, 0\nboth, GRAV, 1, 0, 0, 1\n\
        1, P6, 5\n2, P4, 5\n*DSLOAD, AMPLITUDE=\"of, time\"\ntop, P, 7\n*BOUNDARY, TYPE=VELOCITY, AMPLITUDE=\"of, time\"\n\
        4, 1, 2, 0.1\n*OUTPUT, HISTORY\n*NODE OUTPUT, NSET=all\nU\n";
    let (mut model, _) = abaqus::read(two(before, within).as_bytes(), Path::new("a")).unwrap();
    assert_eq!(model.loads.len(), 6);
    assert_eq!(again(&model), model);
    model.materials[0].law = Law::NeoHookean(NeoHookean { c10: 0.1, d1: 1.0 / 3.0 });
    model.time.increments = Increments::Fixed(1e-7);
    model.temperatures = (0..12).map(f64::from).collect();
    assert_eq!(again(&model), model);
    let Law::Plastic(elastic, _) =
        generate::taylor(EIGHT, 1, 1, 1).unwrap().materials[0].law.clone()
    else {
        panic!()
    };
    let hardening = Hardening::Table(vec![[0.0, 0.1], [0.5, 0.7]]);
    model.materials[0].law = Law::Plastic(elastic, Plastic { hardening });
    model.time.increments = Increments::Stable { factor: 0.3, most: Some(1e-6) };
    assert_eq!(again(&model), model);
}

/// Numbers that instances share are given anew.
#[test]
fn numbers_are_made_different() {
    let mut model = generate::bar(EIGHT, [4, 1, 1]).unwrap();
    model.mesh.node_labels.fill(7);
    model.mesh.blocks[0].labels.fill(7);
    let labels = again(&model).mesh;
    assert_eq!(labels.node_labels[..3], [1, 2, 3]);
    assert_eq!(labels.blocks[0].labels, [1, 2, 3, 4]);
}

#[test]
fn what_decks_cannot_say() {
    let model = generate::bar(EIGHT, [2, 1, 1]).unwrap();
    let refused = |model: &Model| match write_abaqus(model, Vec::new()) {
        Err(error @ WriteError::Inexpressible { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let wall = Wall { point: [0.0; 3], normal: [1.0, 0.0, 0.0], nodes: None };
    assert_eq!(refused(&Model { walls: vec![wall], ..model.clone() }), "a deck cannot say walls");
    let jump =
        Prescribed { nodes: vec![0], axis: 1, motion: Motion::Displacement(1.0), amplitude: None };
    let jump = Model { prescribed: vec![jump], ..model.clone() };
    assert_eq!(refused(&jump), "a deck cannot say displacements that are at once");
    let mut quoted = model.clone();
    quoted.mesh.node_sets.insert("a\"b".to_string(), vec![0]);
    assert_eq!(refused(&quoted), "a deck cannot say names with quotes, or empty ones");
}

/// The whole cylinder of the literature, beside ours.
#[test]
fn the_cylinder_is_that_of_the_deck() {
    /// Half a unit of the deck's last decimal.
    const DECIMALS: f64 = 5e-7;
    /// The relative difference of two polygons in the same circle.
    const POLYGONS: f64 = 2e-3;
    let deck = read_file(&data("dynela/taylor-3d.inp.xz")).unwrap().model;
    let ours = generate::taylor(Kind::Hexahedron, 10, 5, 20).unwrap();
    for axis in 0..3 {
        let ends = |model: &Model| {
            let along = model.mesh.coordinates.iter().map(|place| place[axis]);
            along.fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)))
        };
        let ((low, high), (expected_low, expected_high)) = (ends(&ours), ends(&deck));
        assert!((low - expected_low).abs() < DECIMALS && (high - expected_high).abs() < DECIMALS);
    }
    let (ours, deck): (f64, f64) = (volumes(&ours).iter().sum(), volumes(&deck).iter().sum());
    assert!((ours / deck - 1.0).abs() < POLYGONS, "{ours} {deck}");
}
