//! What cannot be computed is named.

use crate::evolve::reference::evolve;
use crate::evolve::tests::suite::steps;
use crate::evolve::{Constraint, End, Evolution, Failure, Generator, Row, Stage, Steps};

fn sound() -> Evolution<f64> {
    Evolution {
        start: vec![1.0, 2.0],
        generators: vec![Generator {
            lower: vec![0.0, 1.0],
            diagonal: vec![-2.0, -2.0],
            upper: vec![1.0, 0.0],
        }],
        obstacles: vec![vec![0.0, 0.0]],
        stages: vec![Stage::Steps(steps(0, 1, 0.5, 0.5))],
    }
}

fn failure(spoil: impl FnOnce(&mut Evolution<f64>)) -> Failure {
    let mut evolution = sound();
    spoil(&mut evolution);
    let failure = evolve(&evolution).unwrap_err();
    assert!(!failure.to_string().is_empty());
    failure
}

#[test]
fn shapes_are_checked() {
    assert!(evolve(&sound()).is_ok());
    assert_eq!(failure(|e| e.start.clear()), Failure::Nodes { found: 0 });
    assert_eq!(
        failure(|e| e.generators[0].upper.push(1.0)),
        Failure::Length { operand: "generator", index: 0, expected: 2, found: 3 }
    );
    assert_eq!(
        failure(|e| e.obstacles[0].clear()),
        Failure::Length { operand: "obstacle", index: 0, expected: 2, found: 0 }
    );
    assert_eq!(
        failure(|e| e.stages.push(Stage::Map(vec![Row::unchanged(0)]))),
        Failure::Length { operand: "the map of stage", index: 1, expected: 2, found: 1 }
    );
    assert_eq!(
        failure(|e| e.stages.push(Stage::Floor(1))),
        Failure::Missing { stage: 1, operand: "obstacle", index: 1 }
    );
    assert_eq!(
        failure(|e| e.stages.push(Stage::Steps(steps(3, 1, 0.5, 0.5)))),
        Failure::Missing { stage: 1, operand: "generator", index: 3 }
    );
    let constraint = Some(Constraint { obstacle: 2, end: End::Low });
    assert_eq!(
        failure(|e| e.stages[0] = Stage::Steps(Steps { constraint, ..steps(0, 1, 0.5, 0.5) })),
        Failure::Missing { stage: 0, operand: "obstacle", index: 2 }
    );
    for theta in [0.0, -0.5, 1.5, f64::NAN] {
        assert_eq!(
            failure(|e| e.stages[0] = Stage::Steps(steps(0, 1, 0.5, theta))),
            Failure::Theta { stage: 0 }
        );
    }
    for row in [
        Row::unchanged(2),
        Row::unchanged(usize::MAX),
        Row { first: 1, weights: [1.0, 1.0, 0.0, 0.0], constant: 0.0 },
    ] {
        assert_eq!(
            failure(|e| e.stages.push(Stage::Map(vec![Row::constant(0.0), row]))),
            Failure::Weight { stage: 1, row: 1 }
        );
    }
}

#[test]
fn breakdowns_are_named() {
    // 1 − ½·½·4 = 0.
    assert_eq!(failure(|e| e.generators[0].diagonal[0] = 4.0), Failure::Pivot { stage: 0, row: 0 });
    for entry in [f64::NAN, f64::INFINITY] {
        assert_eq!(
            failure(|e| e.generators[0].diagonal[1] = entry),
            Failure::Pivot { stage: 0, row: 1 }
        );
    }
    assert_eq!(failure(|e| e.start[1] = f64::NAN), Failure::NotFinite { stage: 0, row: 0 });
    let infinite = Stage::Map(vec![Row::unchanged(0), Row::constant(f64::INFINITY)]);
    assert_eq!(failure(|e| e.stages.push(infinite)), Failure::NotFinite { stage: 1, row: 1 });
}
