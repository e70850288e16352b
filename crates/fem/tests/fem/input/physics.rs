//! TOML files beside meshes of Gmsh.

use std::fs;
use std::io::Write;

use nonius_fem::input::{InputError, physics, read_file};
use nonius_fem::model::{Hardening, Increments, Kind, Law, Load, Model, Motion, ProbeTarget};

use super::common::data;

fn read(text: &str) -> Result<Model, InputError> {
    physics::read(text.as_bytes(), &data("gmsh/test.toml"))
}

#[test]
fn a_beam() {
    let model = read_file(&data("gmsh/cantilever.toml")).unwrap().model;
    assert_eq!(model.title, "A clamped beam of steel under a load at its tip");
    let block = &model.mesh.blocks[0];
    assert_eq!((block.kind, block.labels.len(), block.material), (Kind::Tetrahedron, 961, 0));
    assert_eq!((model.mesh.node_sets.len(), model.mesh.element_sets["beam"].len()), (3, 961));
    let clamped = &model.mesh.node_sets["clamped"];
    let motions: Vec<_> =
        model.prescribed.iter().map(|given| (&given.nodes, given.axis, given.motion)).collect();
    assert_eq!(motions, [0, 1, 2].map(|axis| (clamped, axis, Motion::Displacement(0.0))));
    let tip = model.mesh.node_sets["tip"].clone();
    let force =
        Load::Concentrated { nodes: tip.clone(), axis: 2, force: -100.0, amplitude: Some(0) };
    assert_eq!(model.loads, [force]);
    assert!(model.amplitudes[0].smooth);
    assert_eq!(model.outputs.probes[0].target, ProbeTarget::Nodes(tip));
    assert_eq!((model.outputs.fields, model.outputs.history), (Some(40), Some(5e-5)));
}

#[test]
fn a_bar() {
    let model = read_file(&data("gmsh/bar.toml")).unwrap().model;
    assert_eq!(model.mesh.blocks[0].kind, Kind::Hexahedron);
    let Law::Plastic(_, plastic) = &model.materials[0].law else { panic!() };
    assert_eq!(plastic.hardening, Hardening::Table(vec![[0.0, 4e8], [1.0, 5e8]]));
    assert_eq!((model.velocities[908], model.temperatures[908]), ([-100.0, 0.0, 0.0], 20.0));
    assert_eq!(model.walls[0].normal, [1.0, 0.0, 0.0]);
    assert_eq!(model.walls[0].nodes.as_ref(), Some(&model.mesh.node_sets["x0"]));
    assert_eq!(model.time.increments, Increments::Stable { factor: 0.8, most: None });
    assert!(model.time.adiabatic);
    let Load::Pressure(pressure) = &model.loads[0] else { panic!() };
    assert_eq!(pressure.faces, model.mesh.surfaces["xL"]);
    // The faces are those at the bar's end.
    for face in &pressure.faces {
        let corners = model.mesh.blocks[0].kind.faces()[usize::from(face.face)];
        let nodes = model.mesh.nodes_of(face.element);
        for &corner in corners {
            assert_eq!(model.mesh.coordinates[nodes[corner] as usize][0], 1.0);
        }
    }
    assert!(matches!(model.loads[1], Load::Gravity { elements: None, .. }));
}

#[test]
fn errors_have_lines() {
    let text = fs::read_to_string(data("gmsh/bar.toml")).unwrap();
    let cases = [
        ("mesh = \"bar_hex.msh\"", "", "test.toml:1: missing field `mesh`"),
        (
            "mesh = \"bar_hex.msh\"",
            "mesh = \"none.msh\"",
            "test.toml:2: expected a mesh that can be read, found ",
        ),
        (
            "[[material]]",
            "[units]\nlength = \"mm\"\nmass = \"T\"\ntime = \"s\"\n[[material]]",
            "test.toml:4: expected t, kg, g, mg, ug, lb, slug or slinch as mass, found T",
        ),
        ("young", "youngs", "test.toml:7: unknown field `youngs`, expected one of "),
        ("8930.0", "\"heavy\"", "test.toml:6: invalid type: string \"heavy\", expected f64"),
        ("8930.0", "-1.0", "test.toml:4: the density is -1: expected a number above zero"),
        ("8930.0", "nan", "test.toml:4: the density is NaN: expected a number above zero"),
        (
            "poisson = 0.35",
            "",
            "test.toml:4: the material copper has no law: expected young and poisson, or neo-hooke",
        ),
        ("4.0e8]", "4.0e8", "test.toml:11: missing comma"),
        ("[1.0, 5.0e8]", "[0.0, 5.0e8]", "test.toml:4: the plastic strains do not increase"),
        ("\"copper\"\nelement", "\"lead\"\nelement", "test.toml:12: there is no material lead"),
        ("C3D8", "C3D20", "test.toml:13: elements of type C3D20 are not supported"),
        (
            "C3D8",
            "C3D4",
            "test.toml:13: expected a type of the shape that elements have, found C3D4",
        ),
        ("group = \"xL\"", "group = \"bar\"", "test.toml:25: there is no surface bar"),
        ("group = \"x0\"", "group = \"x1\"", "test.toml:22: there is no physical group x1"),
        (
            "normal = [1.0",
            "normal = [0.0",
            "test.toml:19: the length of the normal is 0: expected a number above zero",
        ),
        (
            "period = 1.0e-4",
            "period = inf",
            "test.toml:31: the period is inf: expected a number above zero",
        ),
        (
            "factor = 0.8",
            "factor = 2",
            "test.toml:31: the factor is 2: expected a number above 0, at most 1",
        ),
        (
            "factor = 0.8",
            "factor = 0.5\nincrement = 1e-7",
            "test.toml:31: expected a fixed increment alone",
        ),
        (
            "fields = 10",
            "fields = 0",
            "test.toml:36: expected a number of fields above zero, found 0",
        ),
        (
            "elements = [\"bar\"]",
            "nodes = [\"foo\"]",
            "test.toml:39: there is no physical group foo",
        ),
        (
            "[[gravity]]",
            "[[motion]]\ngroup = \"x0\"\naxes = \"xw\"\n[[gravity]]",
            "test.toml:30: expected axes among the x, y and z that the mesh has, found xw",
        ),
        (
            "[[gravity]]",
            "[[motion]]\ngroup = \"x0\"\naxes = \"x\"\ndisplacement = 1\n[[gravity]]",
            "test.toml:28: the displacement is 1: expected a number equal to zero where there is no amplitude",
        ),
        (
            "[[gravity]]",
            "[[body]]\nmaterial = \"copper\"\n[[gravity]]",
            "test.toml:28: what the element 9 is made of is said twice",
        ),
        ("[[body]]", "[[body]]\ngroup = \"xL\"", "test.toml:12: there is no physical group xL"),
    ];
    for (from, to, expected) in cases {
        assert!(text.contains(from), "{from}");
        let error = read(&text.replacen(from, to, 1)).unwrap_err();
        let found = error.to_string();
        let found = &found[found.find("test.toml").unwrap()..];
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    let none = text.replacen("[[body]]\nmaterial = \"copper\"\nelement = \"C3D8\"", "", 1);
    let error = read(&none).unwrap_err().problem.to_string();
    assert_eq!(error, "nothing says what the element 9 is made of");
}

/// Nodes of groups that no body has cannot be pushed; where no group is named, those that can are
/// meant.
#[test]
fn nodes_without_mass() {
    let folder = std::env::temp_dir().join(format!("nonius-fem-massless-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mesh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n\
        $PhysicalNames\n2\n2 1 \"loose\"\n3 2 \"body\"\n$EndPhysicalNames\n\
        $Nodes\n7\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 5 0 0\n6 6 0 0\n7 5 1 0\n$EndNodes\n\
        $Elements\n2\n1 2 2 1 1 5 6 7\n2 4 2 2 2 1 2 3 4\n$EndElements\n";
    fs::write(folder.join("loose.msh"), mesh).unwrap();
    let text = "mesh = \"loose.msh\"\n\
        [[material]]\nname = \"steel\"\ndensity = 1\nyoung = 1\npoisson = 0\n\
        [[body]]\nmaterial = \"steel\"\n\
        [time]\nperiod = 1\n";
    let read = |more: &str| {
        physics::read(format!("{text}{more}").as_bytes(), &folder.join("test.toml"))
            .map_err(|error| (error.line, error.problem.to_string()))
    };
    let message = |has: &str| format!("the node 5 has {has}, but no mass: no element has the node");
    let pushed = read("[[force]]\nforce = [1, 0, 0]\ngroup = \"loose\"\n");
    assert_eq!(pushed.unwrap_err(), (Some(13), message("a force")));
    let thrown = read("[[initial]]\ngroup = \"loose\"\nvelocity = [1, 0, 0]\n");
    assert_eq!(thrown.unwrap_err(), (Some(12), message("an initial velocity")));
    let all = read("[[initial]]\nvelocity = [1, 0, 0]\n").unwrap();
    assert_eq!(all.velocities.len(), 7);
    read("[[motion]]\ngroup = \"loose\"\naxes = \"x\"\n").unwrap();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_are_told_by_their_names() {
    assert_eq!(read_file(&data("gmsh/bar.inp")).unwrap().ignored.len(), 1);
    let error = read_file(&data("README.md")).unwrap_err().problem.to_string();
    assert_eq!(error, "the file's name ends neither in .inp nor in .toml");
    let error = read_file(&data("none.inp")).unwrap_err();
    assert!(error.to_string().ends_with("none.inp: the file cannot be read: entity not found"));
}

/// Decks, what they include and meshes may all be compressed.
#[test]
fn compressed_files() {
    let folder = std::env::temp_dir().join(format!("nonius-fem-packed-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let pack = |name: &str, text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        let path = folder.join(name);
        fs::write(&path, encoder.finish().unwrap()).unwrap();
        path
    };
    pack("bar_hex.msh.gz", &fs::read_to_string(data("gmsh/bar_hex.msh")).unwrap());
    let text = fs::read_to_string(data("gmsh/bar.toml")).unwrap();
    let path = pack("bar.toml.gz", &text.replace("bar_hex.msh", "bar_hex.msh.gz"));
    assert_eq!(read_file(&path).unwrap(), read_file(&data("gmsh/bar.toml")).unwrap());
    pack("rest.inp.gz", &fs::read_to_string(data("dynela/tensile-3d.inp")).unwrap());
    let path = pack("deck.inp.GZ", "*INCLUDE, INPUT=rest.inp.gz\n");
    let found = read_file(&path).unwrap().model;
    assert_eq!(found, read_file(&data("dynela/tensile-3d.inp")).unwrap().model);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 9]).unwrap();
    let error = read_file(&path).unwrap_err().problem.to_string();
    assert_eq!(error, "the file cannot be read: unexpected end of file");
    fs::remove_dir_all(folder).unwrap();
}
