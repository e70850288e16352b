//! Meshes of Gmsh, in both versions, in text and in binary.

use std::fs::File;
use std::path::Path;

use nonius_fem::input::gmsh::{Grid, Shape, read};

use super::common::data;

fn file(name: &str) -> Grid {
    read(File::open(data(name)).unwrap(), Path::new("a.msh")).unwrap()
}

fn text(text: &str) -> Result<Grid, String> {
    read(text.as_bytes(), Path::new("a.msh")).map_err(|error| error.to_string())
}

fn groups(grid: &Grid) -> Vec<(&str, usize, usize)> {
    let groups = grid.groups.iter();
    groups.map(|group| (group.name.as_str(), group.dimension, group.cells.len())).collect()
}

#[test]
fn meshes_of_version_2() {
    let bar = file("gmsh/bar_hex.msh");
    assert_eq!((bar.coordinates.len(), bar.cells.len()), (909, 408));
    assert_eq!(groups(&bar), [("x0", 2, 4), ("xL", 2, 4), ("bar", 3, 400)]);
    assert_eq!(bar.nodes_of(&bar.groups[0].cells).len(), 9);
    let beam = file("gmsh/cantilever_tet.msh");
    assert_eq!(beam.coordinates.len(), 368);
    assert_eq!(groups(&beam), [("clamped", 2, 26), ("tip", 2, 26), ("beam", 3, 961)]);
    assert!(beam.cells[60..].iter().all(|cell| cell.shape == Shape::Tetrahedron));
}

const FOUR: &str = "\
$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
1 5 \"left side\"
2 5 \"plate\"
$EndPhysicalNames
$Entities
1 1 1 0
1 0 0 0 0
1 0 0 0 0 1 0 1 -5 2 1 1
2 0 0 0 2 1 0 2 5 9 1 1
$EndEntities
$Comments
anything at all
$EndComments
$Nodes
2 6 1 6
1 1 1 2
1
4
0 0 0 0.5
0 1 0 0.75
2 2 0 4
2
3
5
6
1 0 0
1 1 0
2 0 0
2 1 0
$EndNodes
$Elements
2 3 1 3
1 1 1 1
1 4 1
2 2 3 2
2 1 2 3 4
3 2 5 6 3
$EndElements
";

/// A mesh of version 4.1 in binary: words of text become numbers of the size that stands before
/// them.
fn binary(big: bool) -> Vec<u8> {
    let mut bytes = b"$MeshFormat\n4.1 1 8\n".to_vec();
    let put = |bytes: &mut Vec<u8>, value: &[u8]| match big {
        false => bytes.extend(value),
        true => bytes.extend(value.iter().rev()),
    };
    put(&mut bytes, &1i32.to_le_bytes());
    bytes.extend(b"\n$EndMeshFormat\n$PhysicalNames\n2\n1 5 \"left side\"\n2 5 \"plate\"\n$EndPhysicalNames\n");
    // i: 4 bytes, s: 8 bytes, d: a real number.
    let entities = "s1 s1 s1 s0 i1 d0 d0 d0 s0 i1 d0 d0 d0 d0 d1 d0 s1 i-5 s2 i1 i1 \
        i2 d0 d0 d0 d2 d1 d0 s2 i5 i9 s1 i1";
    let nodes = "s2 s6 s1 s6 i1 i1 i1 s2 s1 s4 d0 d0 d0 d0.5 d0 d1 d0 d0.75 \
        i2 i2 i0 s4 s2 s3 s5 s6 d1 d0 d0 d1 d1 d0 d2 d0 d0 d2 d1 d0";
    let elements = "s2 s3 s1 s3 i1 i1 i1 s1 s1 s4 s1 i2 i2 i3 s2 s2 s1 s2 s3 s4 s3 s2 s5 s6 s3";
    for (name, words) in [("Entities", entities), ("Nodes", nodes), ("Elements", elements)] {
        bytes.extend(format!("${name}\n").bytes());
        for word in words.split_whitespace() {
            let (size, value) = word.split_at(1);
            match size {
                "i" => put(&mut bytes, &value.parse::<i32>().unwrap().to_le_bytes()),
                "s" => put(&mut bytes, &value.parse::<u64>().unwrap().to_le_bytes()),
                _ => put(&mut bytes, &value.parse::<f64>().unwrap().to_le_bytes()),
            }
        }
        bytes.extend(format!("\n$End{name}\n").bytes());
    }
    bytes
}

#[test]
fn meshes_of_version_4() {
    let plate = text(FOUR).unwrap();
    assert_eq!(plate.node_labels, [1, 4, 2, 3, 5, 6]);
    assert_eq!(plate.coordinates[5], [2.0, 1.0, 0.0]);
    assert_eq!(groups(&plate), [("left side", 1, 1), ("plate", 2, 2), ("9", 2, 2)]);
    assert_eq!(plate.cells[2].nodes(), [2, 4, 5, 3]);
    for big in [false, true] {
        assert_eq!(read(binary(big).as_slice(), Path::new("a.msh")).unwrap(), plate);
    }
    // Without names, groups have numbers.
    let start = FOUR.find("$PhysicalNames").unwrap();
    let end = FOUR.find("$Entities").unwrap();
    let plain = text(&format!("{}{}", &FOUR[..start], &FOUR[end..])).unwrap();
    assert_eq!(groups(&plain), [("5", 1, 1), ("5", 2, 2), ("9", 2, 2)]);
}

/// A tetrahedron and two of its faces in version 2, in binary.
#[test]
fn binary_of_version_2() {
    let mut bytes = b"$MeshFormat\n2.2 1 8\n".to_vec();
    bytes.extend(1i32.to_le_bytes());
    bytes.extend(b"\n$EndMeshFormat\n$Nodes\n4\n");
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (point, label) in points.iter().zip(10i32..) {
        bytes.extend(label.to_le_bytes());
        point.iter().for_each(|part: &f64| bytes.extend(part.to_le_bytes()));
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n3\n");
    let blocks =
        [2, 2, 2, 1, 7, 1, 10, 11, 12, 2, 7, 1, 10, 11, 13, 4, 1, 2, 3, 8, 1, 10, 11, 12, 13];
    blocks.iter().for_each(|word: &i32| bytes.extend(word.to_le_bytes()));
    bytes.extend(b"\n$EndElements\n");
    let grid = read(bytes.as_slice(), Path::new("a.msh")).unwrap();
    assert_eq!(groups(&grid), [("7", 2, 2), ("8", 3, 1)]);
    assert_eq!(grid.cells[2].nodes(), [0, 1, 2, 3]);
    assert_eq!(grid.coordinates, points);
    for length in 0..bytes.len() - 5 {
        assert!(read(&bytes[..length], Path::new("a.msh")).is_err(), "{length}");
    }
}

/// An element of several groups is written once for each in version 2.
#[test]
fn elements_of_several_groups_are_one() {
    let grid = text(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n\
        $Elements\n2\n1 1 2 7 1 1 2\n2 1 2 8 1 1 2\n$EndElements\n",
    );
    let grid = grid.unwrap();
    assert_eq!(grid.cells.len(), 1);
    assert_eq!(groups(&grid), [("7", 1, 1), ("8", 1, 1)]);
}

#[test]
fn errors_have_lines() {
    let cases = [
        (
            "4.1 0 8",
            "4 0 8",
            "a.msh:2: expected a version 2 or 4.1, the type of the file and 8 bytes for a number, found 4",
        ),
        (
            "4.1 0 8",
            "4.1 0 4",
            "a.msh:2: expected a version 2 or 4.1, the type of the file and 8 bytes for a number, found 0 4",
        ),
        ("4.1 0 8", "4.1 1 8", "a.msh:3: expected the number one in binary, found"),
        (
            "\"left side\"",
            "left",
            "a.msh:6: expected the dimension, number and name of a physical group, found nothing",
        ),
        ("1 1 0\n2 0", "1 x 0\n2 0", "a.msh:31: expected three coordinates of a node, found x"),
        ("1 1 0\n2 0", "1 inf 0\n2 0", "a.msh:31: expected three coordinates of a node, found inf"),
        ("3 2 5 6 3", "3 2 5 6 7", "a.msh:41: there is no node 7"),
        ("3 2 5 6 3", "2 2 5 6 3", "a.msh:41: the element 2 is there twice"),
        (
            "2 2 3 2\n2",
            "2 2 16 2\n2",
            "a.msh:39: expected a point, line, triangle, quadrilateral, tetrahedron or hexahedron of first order, found type 16",
        ),
        ("3 2 5 6 3\n", "3 2 5 6 3\n9\n", "a.msh:42: expected the end of the section, found 9"),
        ("$EndElements\n", "", "a.msh:42: expected the end of the section, found nothing"),
        ("$EndComments", "", "a.msh:15: expected the end of the section, found $Comments"),
        (
            "$Entities",
            "$PartitionedEntities",
            "a.msh:9: expected a mesh in one part, found $PartitionedEntities",
        ),
        ("$MeshFormat\n", "hello\n", "a.msh:1: expected a section such as $Nodes, found hello"),
        ("1\n4\n0 0", "1\n1\n0 0", "a.msh: the node 1 is there twice"),
    ];
    for (from, to, expected) in cases {
        assert!(FOUR.contains(from), "{from}");
        let found = text(&FOUR.replacen(from, to, 1)).unwrap_err();
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    assert_eq!(text("").unwrap_err(), "a.msh: there is no section $Nodes");
}
