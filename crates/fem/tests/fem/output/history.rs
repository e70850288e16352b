//! Histories, what probes show, and pictures of both.

use std::fs;
use std::io::Write;
use std::path::Path;

use nonius_fem::model::{ElementId, Model, Probe, ProbeTarget, Units};
use nonius_fem::output::history::{
    COLUMNS, Chart, Curve, History, HistoryError, Table, plot, probe_names, probe_values,
};
use nonius_fem::{Energies, HistoryRow, von_mises};
use nonius_figures::FigureError;

use crate::output::models::{mixed, number, snapshot};
use crate::output::xml::tags;

/// Two nodes, and elements of both blocks.
fn probed() -> Model {
    let mut model = mixed();
    let element = |block| ElementId { block, element: 0 };
    model.outputs.probes = vec![
        Probe { name: "tip, \"left\"".into(), target: ProbeTarget::Nodes(vec![8, 0]) },
        Probe { name: "MID:1".into(), target: ProbeTarget::Elements(vec![element(1), element(0)]) },
    ];
    model
}

fn row(model: &Model, step: u64) -> HistoryRow {
    let fields = snapshot(model, step);
    let mut seed = step;
    let mut next = || number(&mut seed) * 1e-7;
    let energies = Energies {
        largest: 9.0,
        kinetic: next(),
        internal: next(),
        plastic: next(),
        hourglass: next(),
        viscous: next(),
        external: next(),
        initial: next(),
    };
    let probes = probe_values(model, &fields);
    HistoryRow { time: fields.time, step, increment: next(), energies, probes }
}

/// What the file should say of a row.
fn numbers(row: &HistoryRow) -> Vec<f64> {
    let HistoryRow { time, step, increment, energies, probes } = row;
    let mut numbers = vec![*time, *step as f64, *increment];
    numbers.extend([energies.kinetic, energies.internal, energies.plastic, energies.hourglass]);
    numbers.extend([energies.viscous, energies.external, energies.balance()]);
    numbers.extend(probes);
    numbers
}

fn same(path: &Path, model: &Model, rows: &[HistoryRow]) {
    let table = Table::read(path).unwrap();
    let names: Vec<String> =
        COLUMNS.iter().map(|&name| name.to_owned()).chain(probe_names(model)).collect();
    assert_eq!(table.names, names);
    for (i, column) in table.columns.iter().enumerate() {
        let expected: Vec<f64> = rows.iter().map(|row| numbers(row)[i]).collect();
        assert_eq!(column, &expected, "{}", names[i]);
    }
}

#[test]
fn names_and_values_belong_together() {
    let model = probed();
    let fields = snapshot(&model, 5);
    let (names, values) = (probe_names(&model), probe_values(&model, &fields));
    assert_eq!(names.len(), 2 * 6 + 2 * 9);
    assert_eq!(values.len(), names.len());
    let value = |name: &str| values[names.iter().position(|known| known == name).unwrap()];
    assert_eq!(value("tip, \"left\":7:u2"), fields.displacements[8][1]);
    assert_eq!(value("tip, \"left\":101:v3"), fields.velocities[0][2]);
    assert_eq!(value("MID:1:50:mises"), von_mises(&fields.stresses[1]));
    assert_eq!(value("MID:1:50:peeq"), fields.plastic_strains[1]);
    assert_eq!(value("MID:1:1001:temperature"), fields.temperatures[0]);
    for (i, name) in ["s11", "s22", "s33", "s12", "s23", "s13"].iter().enumerate() {
        assert_eq!(value(&format!("MID:1:1001:{name}")), fields.stresses[0][i]);
    }
}

#[test]
fn what_is_not_there_is_no_number() {
    let mut model = probed();
    let fields = snapshot(&model, 5);
    model.outputs.probes[0].target = ProbeTarget::Nodes(vec![9]);
    model.outputs.probes[1].target =
        ProbeTarget::Elements(vec![ElementId { block: 2, element: 0 }]);
    assert_eq!(probe_names(&model)[0], "tip, \"left\":?:u1");
    let values = probe_values(&model, &fields);
    assert_eq!(values.len(), 15);
    assert!(values.iter().all(|x| x.is_nan()));
}

#[test]
fn rows_come_back_exactly_and_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let model = probed();
    let mut history = History::create(&path, None, &probe_names(&model)).unwrap();
    same(&path, &model, &[]);
    let rows: Vec<HistoryRow> = (0..5).map(|i| row(&model, 10 * i)).collect();
    for (i, row) in rows.iter().enumerate() {
        history.append(row).unwrap();
        same(&path, &model, &rows[..=i]);
    }
    // A history begins anew.
    History::create(&path, None, &probe_names(&model)).unwrap();
    same(&path, &model, &[]);
}

#[test]
fn all_numbers_are_written_so_that_they_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let special =
        [0.0, -0.0, 5e-324, f64::MAX, f64::MIN_POSITIVE, 0.1, 1.0 / 3.0, f64::INFINITY, 1e16];
    let names: Vec<String> = (0..special.len()).map(|i| i.to_string()).collect();
    let mut history = History::create(&path, None, &names).unwrap();
    history.append(&HistoryRow { probes: special.to_vec(), ..HistoryRow::default() }).unwrap();
    let table = Table::read(&path).unwrap();
    for (name, x) in names.iter().zip(special) {
        assert_eq!(table.column(name).unwrap()[0].to_bits(), x.to_bits());
    }
    assert!(table.column("nothing").is_none());
}

#[test]
fn going_on_removes_later_rows_and_halves_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let model = probed();
    let names = probe_names(&model);
    let rows: Vec<HistoryRow> = (0..6).map(|i| row(&model, 10 * i)).collect();
    let mut history = History::create(&path, None, &names).unwrap();
    rows.iter().for_each(|row| history.append(row).unwrap());
    let whole = fs::read(&path).unwrap();

    for (step, kept) in [(50, 6), (1000, 6), (49, 5), (20, 3), (0, 1)] {
        fs::write(&path, &whole).unwrap();
        let mut history = History::resume(&path, None, &names, step).unwrap();
        same(&path, &model, &rows[..kept]);
        let next = row(&model, 77);
        history.append(&next).unwrap();
        same(&path, &model, &[&rows[..kept], &[next]].concat());
    }
    // However much of the last row is there, without its end it is no row.
    let end = whole.len() - 1;
    let last = whole[..end].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    for cut in last..=end {
        fs::write(&path, &whole[..cut]).unwrap();
        same(&path, &model, &rows[..5]);
        let mut history = History::resume(&path, None, &names, 1000).unwrap();
        history.append(&rows[5]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let names = ["a:1:u1".to_owned()];
    assert!(matches!(History::resume(&path, None, &names, 0), Err(HistoryError::File(_))));
    let mut history = History::create(&path, None, &names).unwrap();
    let found = history.append(&HistoryRow::default());
    assert!(matches!(found, Err(HistoryError::Inconsistent(_))));
    let other = ["b:1:u1".to_owned()];
    let found = History::resume(&path, None, &other, 0);
    assert!(matches!(found, Err(HistoryError::Columns { column: 11, .. })));
    let found = History::resume(&path, None, &[], 0);
    assert!(matches!(found, Err(HistoryError::Columns { column: 11, .. })));

    history.append(&HistoryRow { probes: vec![1.0], ..HistoryRow::default() }).unwrap();
    for bad in ["x\n", "1,2,3,4,5,6,7,8,9,10,eleven\n", "1,2\n3,4\n"] {
        let text = fs::read_to_string(&path).unwrap();
        fs::File::options().append(true).open(&path).unwrap().write_all(bad.as_bytes()).unwrap();
        assert!(matches!(Table::read(&path), Err(HistoryError::Row { line: 3, .. })), "{bad}");
        let found = History::resume(&path, None, &names, 9);
        assert!(matches!(found, Err(HistoryError::Row { line: 3, .. })), "{bad}");
        fs::write(&path, text).unwrap();
    }
    fs::write(&path, "").unwrap();
    assert!(matches!(Table::read(&path), Err(HistoryError::Row { line: 1, .. })));
}

#[test]
fn charts_are_of_energies_and_of_what_each_probe_shows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let model = probed();
    let mut history = History::create(&path, None, &probe_names(&model)).unwrap();
    for step in 0..40 {
        let mut row = row(&model, step);
        // A component that is always zero.
        row.probes[2] = 0.0;
        history.append(&row).unwrap();
    }
    let table = Table::read(&path).unwrap();
    let energies = Chart::energies(&table);
    let names: Vec<&str> = energies.curves.iter().map(|curve| curve.name.as_str()).collect();
    assert_eq!(names, COLUMNS[3..]);
    let charts = Chart::probes(&table);
    let titles: Vec<(&str, &str, usize)> =
        charts.iter().map(|c| (c.title.as_str(), c.quantity.as_str(), c.curves.len())).collect();
    let expected = [
        ("tip, \"left\"", "displacement (unit of the deck)", 5),
        ("tip, \"left\"", "velocity (unit of the deck)", 6),
        ("MID:1", "von Mises stress (unit of the deck)", 2),
        ("MID:1", "plastic strain", 2),
        ("MID:1", "temperature (unit of the deck)", 2),
        ("MID:1", "stress (unit of the deck)", 12),
    ];
    assert_eq!(titles, expected);

    let picture = drawn("a <title>", &[&[energies][..], &charts].concat());
    let found = tags(&picture);
    assert_eq!(found[0].name, "svg");
    assert!(found.iter().any(|tag| tag.text == "a &lt;title&gt;"));
    for name in
        ["kinetic", "balance", "7 u1", "1001 s13", "time (unit of the deck)", "plastic strain"]
    {
        assert!(found.iter().any(|tag| tag.text == name), "{name}");
    }
    assert!(found.iter().filter(|tag| tag.name == "polyline").count() > 30);
}

/// Units stand behind the names of columns and on axes, and columns are found without them.
#[test]
fn units_of_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let mut model = probed();
    model.outputs.probes[0].name = "the (left) tip".into();
    model.units = Some(Units::MILLIMETRES);
    let names = probe_names(&model);
    assert_eq!(names[0], "the (left) tip:7:u1 (mm)");
    let mut history = History::create(&path, model.units.as_ref(), &names).unwrap();
    for step in 0..4 {
        history.append(&row(&model, step)).unwrap();
    }
    let table = Table::read(&path).unwrap();
    let units = ["time", "step", "kinetic", "balance", "the (left) tip:7:v2", "MID:1:50:s13"];
    let units = units.map(|name| table.unit(name));
    assert_eq!(units, [Some("s"), None, Some("mJ"), Some("mJ"), Some("mm/s"), Some("MPa")]);
    assert_eq!(table.unit("MID:1:50:temperature"), Some("degC"));
    assert_eq!(table.column("time").unwrap().len(), 4);
    let charts = Chart::probes(&table);
    let labels: Vec<&str> = charts.iter().map(|chart| chart.quantity.as_str()).collect();
    let expected = [
        "displacement (mm)",
        "velocity (mm/s)",
        "von Mises stress (MPa)",
        "plastic strain",
        "temperature (degC)",
        "stress (MPa)",
    ];
    assert_eq!(labels, expected);
    let picture = drawn("units", &[Chart::energies(&table)]);
    let found = tags(&picture);
    for label in ["time (s)", "energy (mJ)"] {
        assert!(found.iter().any(|tag| tag.text == label), "{label}");
    }
    // A history goes on with the units with which it began.
    let other = History::resume(&path, Some(&Units::METRES), &names, 2);
    assert!(matches!(other, Err(HistoryError::Columns { column: 4, .. })));
    History::resume(&path, model.units.as_ref(), &names, 2).unwrap();
}

fn drawn(title: &str, charts: &[Chart]) -> String {
    String::from_utf8(plot(title, charts).unwrap()).unwrap()
}

#[test]
fn any_numbers_can_be_drawn() {
    let curve = |values: &[f64]| Curve { name: "a".into(), values: values.to_vec() };
    let chart = |values: &[f64]| Chart {
        title: "t".into(),
        quantity: "q".into(),
        time_unit: None,
        times: (0..values.len()).map(|i| i as f64).collect(),
        curves: vec![curve(values)],
    };
    let cases: [&[f64]; 9] = [
        &[0.0],
        &[3.0, 3.0],
        &[f64::NAN, 1.0, f64::INFINITY],
        &[-f64::MAX, f64::MAX, 1.0],
        &[f64::NAN, f64::INFINITY, f64::MAX],
        &[-9e199, 9e199],
        &[5e-324, 0.0],
        &[1.0, 1.0 + f64::EPSILON],
        &[1e100, -1e-100, 7.0],
    ];
    for values in cases {
        tags(&drawn("", &[chart(values)]));
    }
    for values in [&[][..], &[f64::NAN, f64::INFINITY]] {
        assert!(matches!(plot("", &[chart(values)]), Err(FigureError::Empty)));
    }
    // More curves than can be told apart, and more points than a screen has columns.
    let mut many = chart(&vec![1.0; 100_000]);
    many.curves = (0..60).map(|i| curve(&vec![f64::from(i); 100_000])).collect();
    let picture = drawn("", &[many]);
    assert!(picture.len() < 6_000_000);
    let found = tags(&picture);
    let titles: Vec<&str> = found.iter().map(|tag| tag.text.as_str()).collect();
    for part in ["1 to 12", "13 to 24", "25 to 36", "37 to 48", "49 to 60"] {
        assert!(titles.contains(&&*format!("t: curves {part} of 60")), "{part}");
    }
    assert_eq!(titles.iter().filter(|&&text| text == "a").count(), 60);
}

/// Of 25 nodes three components each: a panel has those of one, and names each of its curves.
#[test]
fn every_curve_has_a_name_and_a_look_of_its_own() {
    let curves = (0..75).map(|i| Curve {
        name: format!("{} u{}", i / 3 + 1, i % 3 + 1),
        values: vec![f64::from(i), 1.0],
    });
    let chart = Chart {
        title: "tip".into(),
        quantity: "displacement".into(),
        time_unit: None,
        times: vec![0.0, 1.0],
        curves: curves.collect(),
    };
    let picture = drawn("", &[chart]);
    let found = tags(&picture);
    for i in 0..75 {
        let name = format!("{} u{}", i / 3 + 1, i % 3 + 1);
        assert_eq!(found.iter().filter(|tag| tag.text == name).count(), 1, "{name}");
    }
    for part in ["1 to 13", "14 to 25", "26 to 38", "64 to 75"] {
        assert!(found.iter().any(|tag| tag.text == format!("tip: curves {part} of 75")), "{part}");
    }
    assert!(!picture.contains("more"));
}
