//! Files of fields and their list.

use std::fs;
use std::path::Path;

use nonius_fem::model::Model;
use nonius_fem::output::Inconsistent;
use nonius_fem::output::series::{Encoding, Series, SeriesError};
use nonius_fem::{Snapshot, von_mises};

use crate::output::models::{hexahedra, mixed, quadrilaterals, rest, snapshot};
use crate::output::xml::{Grid, tags};

const ENCODINGS: [Encoding; 4] = [
    Encoding { compressed: false, single: false },
    Encoding { compressed: true, single: false },
    Encoding { compressed: false, single: true },
    Encoding { compressed: true, single: true },
];

fn written(model: &Model, snapshot: &Snapshot, encoding: Encoding) -> Grid {
    let folder = tempfile::tempdir().unwrap();
    let mut series = Series::create(&folder.path().join("run.pvd"), encoding).unwrap();
    let path = series.write(model, snapshot).unwrap();
    Grid::parse(&fs::read(path).unwrap())
}

fn same_fields(model: &Model, snapshot: &Snapshot, encoding: Encoding) {
    let grid = written(model, snapshot, encoding);
    let mises: Vec<f64> = snapshot.stresses.iter().map(von_mises).collect();
    let expected: [(&str, &str, &[f64]); 7] = [
        ("Points", "Points", model.mesh.coordinates.as_flattened()),
        ("PointData", "displacement", snapshot.displacements.as_flattened()),
        ("PointData", "velocity", snapshot.velocities.as_flattened()),
        ("CellData", "stress", snapshot.stresses.as_flattened()),
        ("CellData", "von_mises", &mises),
        ("CellData", "plastic_strain", &snapshot.plastic_strains),
        ("CellData", "temperature", &snapshot.temperatures),
    ];
    for (section, name, values) in expected {
        if encoding.single {
            let rounded: Vec<f32> = values.iter().map(|&x| x as f32).collect();
            assert_eq!(grid.singles(section, name), rounded, "{name}");
        } else {
            assert_eq!(grid.floats(section, name), values, "{name}");
        }
    }
    let labels = grid.integers("PointData", "label", "UInt64");
    assert_eq!(labels, model.mesh.node_labels);
}

#[test]
fn numbers_come_back_exactly() {
    for model in [mixed(), hexahedra([2, 1, 1]), quadrilaterals([3, 2])] {
        for encoding in ENCODINGS {
            same_fields(&model, &snapshot(&model, 4), encoding);
        }
    }
}

/// More than a buffer, and types of cells that fill a block of compression.
#[test]
fn many_numbers_come_back_exactly() {
    let model = hexahedra([64, 64, 64]);
    for encoding in ENCODINGS {
        same_fields(&model, &snapshot(&model, 1), encoding);
    }
}

#[test]
fn cells_are_those_of_vtk() {
    let model = mixed();
    for encoding in ENCODINGS {
        let grid = written(&model, &snapshot(&model, 2), encoding);
        let nodes = grid.integers("Cells", "connectivity", "Int64");
        assert_eq!(nodes, [0, 1, 3, 2, 4, 5, 7, 6, 4, 5, 7, 8]);
        assert_eq!(grid.integers("Cells", "offsets", "Int64"), [8, 12]);
        assert_eq!(grid.bytes("Cells", "types", "UInt8"), [12, 10]);
        assert_eq!(grid.integers("CellData", "label", "UInt64"), [1001, 50]);
        assert_eq!(grid.bytes("CellData", "material", "Int32"), [0, 0, 0, 0, 3, 0, 0, 0]);
    }
    let plane = quadrilaterals([2, 1]);
    let grid = written(&plane, &rest(&plane), Encoding::default());
    assert_eq!(grid.bytes("Cells", "types", "UInt8"), [9, 9]);
}

#[test]
fn the_head_tells_sizes_time_and_components() {
    let model = mixed();
    let grid = written(&model, &snapshot(&model, 3), Encoding::default());
    let piece = grid.tags.iter().find(|tag| tag.name == "Piece").unwrap();
    assert_eq!(piece.attributes["NumberOfPoints"], "9");
    assert_eq!(piece.attributes["NumberOfCells"], "2");
    assert_eq!(grid.tag("FieldData", "TimeValue").text, "0.30000000000000004");
    assert_eq!(grid.tag("FieldData", "step").text, "3");
    let stress = &grid.tag("CellData", "stress").attributes;
    assert_eq!(stress["NumberOfComponents"], "6");
    let names = [0, 1, 2, 3, 4, 5].map(|i| stress[&format!("ComponentName{i}")].as_str());
    assert_eq!(names, ["XX", "YY", "ZZ", "XY", "YZ", "XZ"]);
}

/// Times and names of what a list names; every file is there and whole.
fn listed(list: &Path) -> Vec<(f64, String)> {
    let text = fs::read_to_string(list).unwrap();
    let tags = tags(&text);
    assert_eq!(tags[0].attributes["type"], "Collection");
    let sets = tags.iter().filter(|tag| tag.name == "DataSet");
    sets.map(|tag| {
        let name = tag.attributes["file"].replace("&amp;", "&");
        Grid::parse(&fs::read(list.with_file_name(&name)).unwrap());
        (tag.attributes["timestep"].parse().unwrap(), name)
    })
    .collect()
}

#[test]
fn after_each_file_the_list_names_those_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("bar & bolt.pvd");
    let model = hexahedra([1, 1, 1]);
    let mut series = Series::create(&list, Encoding::default()).unwrap();
    assert!(listed(&list).is_empty());
    for step in 0..4 {
        series.write(&model, &snapshot(&model, step)).unwrap();
        let found = listed(&list);
        assert_eq!(found.len(), step as usize + 1);
        assert_eq!(found[step as usize].0, step as f64 * 0.1);
        assert_eq!(found[step as usize].1, format!("bar & bolt-000{step}.vtu"));
    }
    // Nothing temporary is left.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);

    let mut series = Series::resume(&list, Encoding::default(), 0.2).unwrap();
    assert_eq!(series.times().collect::<Vec<_>>(), [0.0, 0.1, 0.2]);
    assert_eq!(listed(&list).len(), 3);
    series.write(&model, &snapshot(&model, 9)).unwrap();
    let times: Vec<f64> = listed(&list).into_iter().map(|(time, _)| time).collect();
    assert_eq!(times, [0.0, 0.1, 0.2, 0.9]);
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("run.pvd");
    let missing = folder.path().join("missing").join("run.pvd");
    assert!(matches!(Series::create(&missing, Encoding::default()), Err(SeriesError::File(_))));
    assert!(matches!(Series::resume(&list, Encoding::default(), 1.0), Err(SeriesError::File(_))));
    fs::write(&list, "time,step\n").unwrap();
    let found = Series::resume(&list, Encoding::default(), 1.0);
    assert!(matches!(found, Err(SeriesError::List { line: 0, .. })));
    fs::write(&list, "<VTKFile type=\"Collection\">\n<DataSet timestep=\"x\" file=\"a\"/>")
        .unwrap();
    let found = Series::resume(&list, Encoding::default(), 1.0);
    assert!(matches!(found, Err(SeriesError::List { line: 2, .. })));

    let mut series = Series::create(&list, Encoding::default()).unwrap();
    let mut model = mixed();
    let mut fields = snapshot(&model, 1);
    fields.stresses.pop();
    let length = Inconsistent::Length { list: "stresses", expected: 2, found: 1 };
    let found = series.write(&model, &fields);
    assert!(matches!(found, Err(SeriesError::Inconsistent(error)) if error == length));
    let fields = snapshot(&model, 1);
    model.mesh.blocks[1].nodes[2] = 9;
    let found = series.write(&model, &fields);
    let node = Inconsistent::Node { node: 9, nodes: 9 };
    assert!(matches!(found, Err(SeriesError::Inconsistent(error)) if error == node));
    assert!(listed(&list).is_empty());
}
