//! Materials, motions, loads, time and outputs.

use nonius_fem::model::{
    ElementId, Face, Hardening, Increments, Law, Load, Motion, NeoHookean, Pressure, ProbeTarget,
};

use super::common::{MESH, STEP, model, read, two};

fn with_material(keywords: &str) -> String {
    format!("{MESH}*MATERIAL, NAME=steel\n{keywords}{STEP}*END STEP\n")
}

#[test]
fn laws() {
    let table = "*DENSITY\n1\n*ELASTIC\n10, 0\n*PLASTIC\n250, 0\n300, 0.1\n310., 1\n";
    let table = model(&with_material(table));
    let Law::Plastic(_, plastic) = &table.materials[0].law else { panic!() };
    assert_eq!(plastic.hardening, Hardening::Table(vec![[0.0, 250.0], [0.1, 300.0], [1.0, 310.0]]));
    let rubber = model(&with_material("*HYPERELASTIC, NEO HOOKE\n0.5, 0.01\n*DENSITY\n1\n"));
    assert_eq!(rubber.materials[0].law, Law::NeoHookean(NeoHookean { c10: 0.5, d1: 0.01 }));
    let cold = "*DENSITY\n1\n*ELASTIC\n10, 0\n*PLASTIC, HARDENING=JOHNSON COOK\n90, 292, 0.31\n";
    let cold = model(&with_material(cold));
    let Law::Plastic(_, plastic) = &cold.materials[0].law else { panic!() };
    let Hardening::JohnsonCook(law) = plastic.hardening else { panic!() };
    assert_eq!((law.melting, law.m, law.c, law.rate), (f64::INFINITY, 1.0, 0.0, 1.0));
}

#[test]
fn the_later_motion_holds() {
    let before = "*BOUNDARY\n1, ENCASTRE\n4, XSYMM\nall, 3, 3\n";
    let within = "*AMPLITUDE, NAME=ramp\n0, 0, 1, 1,\n2, 0\n*BOUNDARY, TYPE=VELOCITY, AMPLITUDE=RAMP\n1, 1, , 5\n\
        2, 1, 1, 5\n*BOUNDARY, AMPLITUDE=ramp\n2, 2, 3, 0.5\n";
    let model = model(&two(before, within));
    let found: Vec<_> = model
        .prescribed
        .iter()
        .map(|given| (given.nodes.as_slice(), given.axis, given.motion, given.amplitude))
        .collect();
    let still = Motion::Displacement(0.0);
    let rest: Vec<u32> = [0].into_iter().chain(2..12).collect();
    assert_eq!(
        found,
        [
            (&[3][..], 0, still, None),
            (&[0][..], 1, still, None),
            (&rest[..], 2, still, None),
            (&[0, 1][..], 0, Motion::Velocity(5.0), Some(0)),
            (&[1][..], 1, Motion::Displacement(0.5), Some(0)),
            (&[1][..], 2, Motion::Displacement(0.5), Some(0)),
        ]
    );
    assert_eq!(model.amplitudes[0].points, [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]);
    // A step may begin anew.
    let text = two(before, "*BOUNDARY, OP=NEW\n2, 1\n*BOUNDARY, OP=NEW\n3, 1\n");
    let nodes: Vec<_> =
        super::common::model(&text).prescribed.into_iter().map(|given| given.nodes).collect();
    assert_eq!(nodes, [vec![1], vec![2]]);
}

#[test]
fn loads() {
    let within = "*CLOAD\nall, 2, -10\n1, 2, -10\n1, 1, 3\n*DLOAD\n, GRAV, 9.81, 0, -1, 0\n2, GRAV, 1, 1\n\
        1, P6, 5\n2, P4, 5\n*DSLOAD, AMPLITUDE=a\ntop, P, 7\n";
    let before = "*AMPLITUDE, NAME=a\n0, 1\n*SURFACE, NAME=top\nboth, S5\n";
    let model = model(&two(before, within));
    let id = |element| ElementId { block: 0, element };
    let face = |element, face| Face { element: id(element), face };
    let mut all: Vec<u32> = (0..12).collect();
    all.push(0);
    let gravity =
        |acceleration, elements| Load::Gravity { acceleration, amplitude: None, elements };
    let pressure = |faces: [Face; 2], pressure, amplitude| {
        Load::Pressure(Pressure { faces: faces.to_vec(), pressure, amplitude })
    };
    let expected = [
        Load::Concentrated { nodes: all, axis: 1, force: -10.0, amplitude: None },
        Load::Concentrated { nodes: vec![0], axis: 0, force: 3.0, amplitude: None },
        gravity([0.0, -9.81, 0.0], None),
        gravity([1.0, 0.0, 0.0], Some(vec![id(1)])),
        pressure([face(0, 5), face(1, 3)], 5.0, None),
        pressure([face(0, 4), face(1, 4)], 7.0, Some(0)),
    ];
    assert_eq!(model.loads, expected);
}

#[test]
fn time_and_outputs() {
    let within = "*BULK VISCOSITY\n, 1.5\n*OUTPUT, FIELD, TIME INTERVAL=1e-4\n*NODE OUTPUT, NSET=all\nU\n\
        *OUTPUT, HISTORY, TIME INTERVAL=1e-5\n*NODE OUTPUT, NSET=all\nU\n*ELEMENT OUTPUT, ELSET=both\nS\n\
        *OUTPUT, HISTORY, TIME INTERVAL=1e-6\n*ENERGY OUTPUT\nALLKE\n";
    let model = model(&two("", within));
    assert_eq!((model.time.viscosity.linear, model.time.viscosity.quadratic), (0.06, 1.5));
    assert_eq!((model.outputs.fields, model.outputs.history), (Some(10), Some(1e-6)));
    assert_eq!(model.outputs.probes[0].target, ProbeTarget::Nodes((0..12).collect()));
    assert!(
        matches!(&model.outputs.probes[1].target, ProbeTarget::Elements(elements) if elements.len() == 2)
    );
    assert!(!model.time.adiabatic);
    assert_eq!((model.outputs.exact_fields, model.outputs.exact_history), (false, false));
    let marks = |within: &str| super::common::model(&two("", within)).outputs;
    let exact = marks("*OUTPUT, FIELD, NUMBER INTERVAL=3, TIME MARKS=YES\n");
    assert_eq!((exact.fields, exact.exact_fields, exact.exact_history), (Some(3), true, false));
    let exact = marks("*OUTPUT, HISTORY, TIME INTERVAL=1e-6, TIME MARKS=yes\n");
    assert_eq!((exact.exact_fields, exact.exact_history), (false, true));
    assert!(!marks("*OUTPUT, FIELD, NUMBER INTERVAL=3, TIME MARKS=NO\n").exact_fields);
    let fixed =
        two("", "").replace("EXPLICIT\n,", "EXPLICIT, DIRECT USER CONTROL, ADIABATIC\n1e-6,");
    let time = super::common::model(&fixed).time;
    assert_eq!((time.increments, time.adiabatic), (Increments::Fixed(1e-6), true));
    let stable =
        two("", "").replace("EXPLICIT\n, 1e-3", "EXPLICIT, SCALE FACTOR=0.5\n, 1e-3, , 1e-7");
    let increments = Increments::Stable { factor: 0.5, most: Some(1e-7) };
    assert_eq!(super::common::model(&stable).time.increments, increments);
}

#[test]
fn temperatures_and_velocities() {
    let before = "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nall, 20\n1, 30\n\
        *INITIAL CONDITIONS, TYPE=VELOCITY\nall, 1, 0\n2, 3, -4\n2, 6, 1\n";
    let (model, ignored) = read(&two(before, "")).unwrap();
    assert_eq!(model.temperatures[..2], [30.0, 20.0]);
    assert_eq!(model.velocities[1], [0.0, 0.0, -4.0]);
    assert_eq!(ignored.len(), 1);
}
