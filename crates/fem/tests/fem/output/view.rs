//! Pictures show the right colours at the right places.

use std::fs::File;
use std::io::BufReader;

use nonius_fem::Snapshot;
use nonius_fem::model::Model;
use nonius_fem::output::view::{Direction, Field, Picture, Surface, View, ViewError, colour, draw};

use crate::output::models::{hexahedra, mixed, quadrilaterals, rest};

/// Without what changes colours.
fn plain(field: Field) -> View {
    View { field, edges: false, shading: false, size: [600, 400], ..View::default() }
}

fn drawn(model: &Model, fields: &Snapshot, view: &View) -> Picture {
    let surface = Surface::new(&model.mesh).unwrap();
    draw(&model.mesh, &surface, fields, view).unwrap()
}

fn at(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    picture.pixels()[(y * picture.width() + x) as usize]
}

/// The columns and rows in which there is something to the left of the bar of colours and below the
/// title.
fn extent(picture: &Picture) -> [[u32; 2]; 2] {
    let mut found = [[u32::MAX, 0], [u32::MAX, 0]];
    for y in 56..picture.height() {
        for x in 0..picture.width() - 130 {
            if at(picture, x, y) != [255; 3] {
                for (range, i) in found.iter_mut().zip([x, y]) {
                    *range = [range[0].min(i), range[1].max(i)];
                }
            }
        }
    }
    found
}

/// A place in the extent by parts of its width and height from the upper left.
fn inside(picture: &Picture, right: f64, down: f64) -> [u8; 3] {
    let [x, y] = extent(picture);
    let place = |[low, high]: [u32; 2], part: f64| low + (f64::from(high - low) * part) as u32;
    at(picture, place(x, right), place(y, down))
}

#[test]
fn two_elements_have_their_colours() {
    let model = quadrilaterals([2, 1]);
    let mut fields = rest(&model);
    fields.temperatures = vec![300.0, 500.0];
    let picture = drawn(&model, &fields, &plain(Field::Temperature));
    assert_eq!(inside(&picture, 0.25, 0.5), colour(0.0));
    assert_eq!(inside(&picture, 0.75, 0.5), colour(1.0));
    let [[left, right], [top, bottom]] = extent(&picture);
    // Twice as wide as high.
    assert!((right - left + 1).abs_diff(2 * (bottom - top + 1)) <= 4);
    let middle = left.midpoint(right);
    assert_eq!(at(&picture, middle - 2, top + 2), colour(0.0));
    assert_eq!(at(&picture, middle + 3, top + 2), colour(1.0));

    let range = Some([0.0, 1000.0]);
    let picture = drawn(&model, &fields, &View { range, ..plain(Field::Temperature) });
    assert_eq!(inside(&picture, 0.75, 0.5), colour(0.5));

    // Between the two, the mean.
    let smooth = drawn(&model, &fields, &View { smooth: true, ..plain(Field::Temperature) });
    let near = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 3);
    assert!(near(inside(&smooth, 0.005, 0.5), colour(0.0)));
    assert!(near(inside(&smooth, 0.25, 0.5), colour(0.25)));
    assert!(near(inside(&smooth, 0.5, 0.2), colour(0.5)));
    assert!(near(inside(&smooth, 0.75, 0.9), colour(0.75)));
}

#[test]
fn every_field_is_coloured() {
    let model = quadrilaterals([2, 1]);
    let mut fields = rest(&model);
    // The right element has more of everything; displacements are of nodes, and their means in
    // elements 0 and 1/2.
    fields.stresses[1] = [3.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    fields.plastic_strains[1] = 0.1;
    fields.temperatures[1] = -1.0;
    fields.temperatures[0] = -2.0;
    fields.displacements[2] = [0.0, 0.0, 1e-3];
    fields.displacements[5] = [0.0, 0.0, -1e-3];
    fields.velocities[2] = [3.0, 4.0, 0.0];
    fields.velocities[5] = [0.0, 0.0, 5.0];
    for field in Field::ALL {
        let picture = drawn(&model, &fields, &plain(field));
        let high = if matches!(field, Field::Displacement | Field::Velocity) { 0.5 } else { 1.0 };
        assert_eq!(inside(&picture, 0.25, 0.5), colour(0.0), "{field:?}");
        assert_eq!(inside(&picture, 0.75, 0.5), colour(high), "{field:?}");
    }
}

#[test]
fn deformation_moves_what_is_seen() {
    let model = quadrilaterals([1, 1]);
    let mut fields = rest(&model);
    for node in [1, 3] {
        fields.displacements[node] = [0.5, 0.0, 0.0];
    }
    for (deformation, stretched) in [(0.0, 1.0), (1.0, 1.5), (2.0, 2.0)] {
        let picture = drawn(&model, &fields, &View { deformation, ..plain(Field::VonMises) });
        let [[left, right], [top, bottom]] = extent(&picture);
        let ratio = f64::from(right - left + 1) / f64::from(bottom - top + 1);
        assert!((ratio - stretched).abs() < 0.02, "{ratio} {stretched}");
    }
    // In a box twice as wide and high the mesh has half the size.
    let bounds = Some([[-0.5, -0.5, 0.0], [1.5, 1.5, 0.0]]);
    let view = View { bounds, deformation: 0.0, ..plain(Field::VonMises) };
    let [[left, right], _] = extent(&drawn(&model, &fields, &view));
    let whole = View { bounds: None, ..view };
    let [[from, to], _] = extent(&drawn(&model, &fields, &whole));
    assert!((to - from + 1).abs_diff(2 * (right - left + 1)) <= 4);
}

#[test]
fn what_is_behind_is_hidden() {
    let model = hexahedra([1, 1, 2]);
    let mut fields = rest(&model);
    fields.temperatures = vec![0.0, 1.0];
    let seen = |direction| {
        let view = View { direction: Some(direction), ..plain(Field::Temperature) };
        drawn(&model, &fields, &view)
    };
    let count = |picture: &Picture, place: f64| {
        let [x, y] = extent(picture);
        let inside = (y[0]..=y[1]).flat_map(|y| (x[0]..=x[1]).map(move |x| (x, y)));
        inside.filter(|&(x, y)| at(picture, x, y) == colour(place)).count()
    };
    for (direction, front) in [(Direction::Front, 1.0), (Direction::Back, 0.0)] {
        let picture = seen(direction);
        assert!(count(&picture, front) > 10_000);
        assert_eq!(count(&picture, 1.0 - front), 0);
    }
    // From the right both are seen: where the third coordinate is large, to the left.
    let picture = seen(Direction::Right);
    assert_eq!(inside(&picture, 0.25, 0.5), colour(1.0));
    assert_eq!(inside(&picture, 0.75, 0.5), colour(0.0));
    let picture = seen(Direction::Left);
    assert_eq!(inside(&picture, 0.25, 0.5), colour(0.0));
    // From above the third axis points downwards, from below upwards.
    assert_eq!(inside(&seen(Direction::Top), 0.5, 0.75), colour(1.0));
    assert_eq!(inside(&seen(Direction::Bottom), 0.5, 0.25), colour(1.0));
    // In the middle of the isometric picture the nearest corner is that of the second element.
    assert_eq!(inside(&seen(Direction::Isometric), 0.4, 0.55), colour(1.0));
}

#[test]
fn surfaces_are_of_faces_that_occur_once() {
    let faces = |model: &Model| Surface::new(&model.mesh).unwrap().len();
    assert_eq!(faces(&hexahedra([1, 1, 1])), 6);
    assert_eq!(faces(&hexahedra([2, 1, 1])), 10);
    assert_eq!(faces(&hexahedra([3, 4, 5])), 2 * (12 + 15 + 20));
    assert_eq!(faces(&quadrilaterals([3, 2])), 6);
    // The triangle between a hexahedron and a tetrahedron is no face of the first.
    assert_eq!(faces(&mixed()), 10);
    // A side that has shrunk to a line is no face, one that has shrunk to a triangle is.
    let mut wedge = hexahedra([1, 1, 1]);
    let nodes = &mut wedge.mesh.blocks[0].nodes;
    (nodes[3], nodes[7]) = (nodes[2], nodes[6]);
    assert_eq!(faces(&wedge), 5);
    assert!(Surface::new(&Model::default().mesh).unwrap().is_empty());
}

#[test]
fn edges_and_shades_are_darker() {
    let model = hexahedra([2, 2, 2]);
    let fields = rest(&model);
    let direction = Some(Direction::Front);
    let base = plain(Field::Temperature);
    let edges = drawn(&model, &fields, &View { direction, edges: true, ..base.clone() });
    let [x, y] = extent(&edges);
    let [middle, quarter] = [x[0].midpoint(x[1]), y[0] + (y[1] - y[0]) / 4];
    assert!(at(&edges, middle, quarter)[2] < colour(0.0)[2] / 2 + 10);
    assert_eq!(at(&edges, middle + 20, quarter), colour(0.0));
    let shaded = drawn(&model, &fields, &View { shading: true, ..base.clone() });
    assert!(inside(&shaded, 0.25, 0.75)[2] < colour(0.0)[2]);
    // Small elements have no edges.
    let fine = hexahedra([150, 150, 1]);
    let view = View { direction, edges: true, ..base };
    assert_eq!(inside(&drawn(&fine, &rest(&fine), &view), 0.5, 0.5), colour(0.0));
}

#[test]
fn the_file_has_the_same_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let model = mixed();
    let mut fields = rest(&model);
    fields.stresses[0] = [1.0; 6];
    fields.displacements[8] = [f64::NAN, 0.0, 0.0];
    let picture = drawn(&model, &fields, &View { title: "Ωmega".into(), ..View::default() });
    picture.write(&path).unwrap();
    let decoder = png::Decoder::new(BufReader::new(File::open(&path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height), (1200, 800));
    assert_eq!(info.color_type, png::ColorType::Rgb);
    assert_eq!(bytes, picture.pixels().as_flattened());
}

#[test]
fn numbers_that_cannot_be_drawn_do_no_harm() {
    let model = quadrilaterals([2, 1]);
    let mut fields = rest(&model);
    fields.temperatures = vec![f64::NAN, 3.0];
    let picture = drawn(&model, &fields, &plain(Field::Temperature));
    assert_eq!(inside(&picture, 0.25, 0.5), colour(f64::NAN));
    assert_eq!(inside(&picture, 0.75, 0.5), colour(0.0));
    for x in [f64::NAN, f64::INFINITY, f64::MAX, -1e200, 5e-324] {
        fields.displacements[0] = [x, -x, x];
        fields.temperatures = vec![x, -x];
        for field in Field::ALL {
            for smooth in [false, true] {
                drawn(&model, &fields, &View { smooth, ..plain(field) });
            }
        }
    }
    let empty = Model::default();
    drawn(&empty, &Snapshot::default(), &plain(Field::Velocity));
}

#[test]
fn what_cannot_be_is_refused() {
    let model = quadrilaterals([2, 1]);
    let fields = rest(&model);
    let surface = Surface::new(&model.mesh).unwrap();
    let fails = |view: View| draw(&model.mesh, &surface, &fields, &view).unwrap_err();
    let base = plain(Field::Velocity);
    for size in [[0, 0], [319, 400], [400, 319], [8193, 400]] {
        assert_eq!(fails(View { size, ..base.clone() }), ViewError::Size { size });
    }
    for range in [[1.0, 1.0], [2.0, 1.0], [0.0, f64::INFINITY]] {
        let view = View { range: Some(range), ..base.clone() };
        assert_eq!(fails(view), ViewError::Range { range });
    }
    let direction = Some(Direction::From([0.0; 3]));
    assert_eq!(fails(View { direction, ..base.clone() }), ViewError::Direction);
    let other = hexahedra([1, 1, 1]);
    let found = draw(&other.mesh, &surface, &rest(&other), &base);
    assert!(matches!(found, Err(ViewError::Inconsistent(_))));
    assert_eq!("top".parse(), Ok(Direction::Top));
    assert_eq!("1, -2,0.5".parse(), Ok(Direction::From([1.0, -2.0, 0.5])));
    for text in ["", "Top", "1,2", "0,0,0", "1,2,3,4", "1,NaN,2"] {
        assert!(text.parse::<Direction>().is_err(), "{text}");
    }
}
