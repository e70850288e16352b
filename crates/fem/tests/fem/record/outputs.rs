//! What is asked to be written changes no step unless times are exact, and is refused where there
//! is no room.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use nonius_fem::model::{Amplitude, Increments, Kind, Model, Motion, Outputs, Prescribed};
use nonius_fem::output::history::Table;
use nonius_fem::{
    Precision, RecordError, Settings, Simulation, dense_outputs, generate, observe, record,
};
use nonius_testkit::{Random, random_cases};

fn bar() -> Model {
    let mut model = generate::bar(Kind::ReducedHexahedron, [12, 1, 1]).unwrap();
    model.time.period *= 0.3;
    model
}

/// Records a model; the rows of its history, and how it ended.
fn recorded(model: &Model, folder: &Path) -> (Table, Simulation<'static>) {
    let model: &'static Model = Box::leak(Box::new(model.clone()));
    let mut simulation = Simulation::new(model, Precision::Double).unwrap();
    let watch = |_: &Simulation<'_>| ControlFlow::Continue(());
    record(model, &mut simulation, folder, &Settings::default(), watch).unwrap();
    (Table::read(&folder.join("history.csv")).unwrap(), simulation)
}

/// The history in memory has the bits of the file, and stops where its watcher says.
#[test]
fn observed_histories_are_the_recorded_ones() {
    let folder = tempfile::tempdir().unwrap();
    let (model, settings) = (bar(), Settings::default());
    let (table, recorded) = recorded(&model, folder.path());
    let mut simulation = Simulation::new(&model, Precision::Double).unwrap();
    let rows = observe(&model, &mut simulation, &settings, |_| ControlFlow::Continue(()));
    assert_eq!(Table::of_rows(&model, &rows.unwrap()), table);
    assert_eq!(simulation.snapshot().unwrap(), recorded.snapshot().unwrap());
    let bare: Vec<&str> = table.bare_names().collect();
    assert_eq!(bare[..2], ["time", "step"]);

    let mut stopped = Simulation::new(&model, Precision::Double).unwrap();
    let watch = |simulation: &Simulation<'_>| match simulation.steps() {
        0..5 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let rows = observe(&model, &mut stopped, &settings, watch).unwrap();
    assert!(stopped.steps() >= 5 && stopped.time() < model.time.period);
    assert!(rows.iter().all(|row| row.step <= stopped.steps()));
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A number whose logarithm is uniform between those of two.
fn spread(random: &mut Random, low: f64, high: f64) -> f64 {
    low * (high / low).powf(random.unit().abs())
}

#[test]
fn random_outputs_change_no_step() {
    let mut plain = Simulation::new(Box::leak(Box::new(bar())), Precision::Double).unwrap();
    let model = bar();
    let period = model.time.period;
    plain.advance_to(period).unwrap();
    let (steps, end) = (plain.steps(), plain.snapshot().unwrap());
    let step = period / steps as f64;
    random_cases("outputs", 8, |random| {
        let mut model = model.clone();
        let mut history = spread(random, 1e-18 * period, 3.0 * period);
        if random.below(3) == 0 {
            // Near a whole number of steps.
            history =
                step * (1 + random.below(5)) as f64 * (1.0 + 4.0 * f64::EPSILON * random.unit());
        }
        let probes = Vec::new();
        let parts = 1 + random.below(3);
        model.outputs =
            Outputs { fields: Some(parts), history: Some(history), probes, ..Outputs::default() };
        let folder = tempfile::tempdir().unwrap();
        let (table, simulation) = recorded(&model, folder.path());
        assert_eq!(simulation.steps(), steps, "{history:e}");
        assert_eq!(simulation.snapshot().unwrap(), end, "{history:e}");
        let times = table.column("time").unwrap();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(times[0] == 0.0 && times.last() == Some(&period));
        // Of each time asked for a row is within half a step, some of which are longer than the
        // mean.
        let near = |mark: f64| times.iter().any(|time| (time - mark).abs() <= 0.55 * step);
        let marks = (1..=100).map(|k| history * f64::from(k)).filter(|&mark| mark < period);
        assert!(marks.into_iter().all(near), "{history:e}");
        assert!((0..=parts).all(|k| near(period * k as f64 / parts as f64)));
        let start = Simulation::new(&model, Precision::Double).unwrap();
        let is_dense = history < start.next_increment();
        assert_eq!(dense_outputs(&model, &start).len(), usize::from(is_dense), "{history:e}");
    });
}

/// Exact times are the ends of steps, and steps between them are equal.
#[test]
fn exact_times() {
    let mut model = bar();
    let period = model.time.period;
    model.outputs = Outputs {
        fields: Some(3),
        history: Some(period / 7.0),
        exact_fields: true,
        exact_history: true,
        probes: Vec::new(),
    };
    let folder = tempfile::tempdir().unwrap();
    let (table, _) = recorded(&model, folder.path());
    let mut expected: Vec<f64> = (0..7).map(|k| period / 7.0 * f64::from(k)).collect();
    expected.extend([period * (1.0 / 3.0), period * (2.0 / 3.0), period]);
    expected.sort_by(f64::total_cmp);
    assert_eq!(table.column("time").unwrap(), expected);
}

/// Files of an earlier run in the folder are removed, and no others.
#[test]
fn files_of_an_earlier_run() {
    let mut model = bar();
    let folder = tempfile::tempdir().unwrap();
    model.outputs.fields = Some(6);
    recorded(&model, folder.path());
    let others = ["fields-0001.vtk", "fields-1.vtu", "fields-last.vtu", "other-0001.vtu"];
    for name in others {
        fs::write(folder.path().join(name), "another's").unwrap();
    }
    model.outputs.fields = Some(2);
    recorded(&model, folder.path());
    let mut expected: Vec<String> = (0..3).map(|k| format!("fields-{k:04}.vtu")).collect();
    let ours = ["fields.pvd", "history.csv", "history.svg", "end.png", "checkpoint"];
    expected.extend(ours.into_iter().chain(others).map(str::to_owned));
    expected.sort();
    assert_eq!(names(folder.path()), expected);
}

#[test]
fn more_than_there_is_room_for() {
    let mut model = bar();
    model.outputs.fields = Some(usize::MAX);
    model.outputs.exact_fields = true;
    let mut simulation = Simulation::new(&model, Precision::Double).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let watch = |_: &Simulation<'_>| ControlFlow::Continue(());
    let refused = record(&model, &mut simulation, folder.path(), &Settings::default(), watch);
    let Err(RecordError::File(message)) = refused else { panic!("{refused:?}") };
    assert!(message.contains("of disk needed"), "{message}");
    assert!(names(folder.path()).is_empty());
    // Steps that would never come to the end.
    model.outputs = Outputs::default();
    model.time.increments = Increments::Fixed(1e-30 * model.time.period);
    let mut simulation = Simulation::new(&model, Precision::Double).unwrap();
    let refused = record(&model, &mut simulation, folder.path(), &Settings::default(), watch);
    assert!(matches!(refused, Err(RecordError::Endless { .. })), "{refused:?}");
}

/// What is left of the energies of a body that has come to rest is rounding, and is held against
/// what it had.
#[test]
fn a_body_comes_to_rest() {
    let mut model = generate::cuboid(Kind::ReducedHexahedron, [1, 1, 1]).unwrap();
    model.loads.clear();
    model.time.period *= 50.0;
    let period = model.time.period;
    let points = vec![[0.0, 0.0], [0.3 * period, 1.0], [0.6 * period, 0.0]];
    model.amplitudes = vec![Amplitude { name: "there".to_string(), points, smooth: true }];
    let all = model.mesh.node_sets["all"].clone();
    model.prescribed =
        vec![Prescribed { nodes: all, axis: 2, motion: Motion::Velocity(3.0), amplitude: Some(0) }];
    for history in [period, 0.7 * period] {
        model.outputs = Outputs { history: Some(history), ..Outputs::default() };
        let folder = tempfile::tempdir().unwrap();
        let (_, simulation) = recorded(&model, folder.path());
        // Each step adds to the energies, with at most 64 roundings.
        let roundings = 64.0 * simulation.steps() as f64 * f64::EPSILON / 2.0;
        let energies = simulation.energies().unwrap();
        assert!(energies.kinetic.abs() < roundings * energies.largest, "{energies:?}");
        assert!(energies.relative_balance().abs() < roundings, "{energies:?}");
    }
}
