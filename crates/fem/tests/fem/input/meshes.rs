//! Nodes, elements, sets, parts and instances.

use nonius_fem::model::{ElementId, Face, Kind};

use super::common::{MESH, STEEL, STEP, model, read, two};

fn id(block: u32, element: u32) -> ElementId {
    ElementId { block, element }
}

/// Case, blanks, comments, empty lines, continued lines and commas at the end mean nothing.
#[test]
fn spelling() {
    let text = "\u{feff}** a comment\r\n*Node ,\r\n** between\r\n nset = ALL\r\n1,0.,.0,0\r\n\r\n  2 , 1 , 0,\r\n\
        3, 1D0, 1e0\r4, 0, 1, 0.0,\n*element, type=cpe4r,\nelset=\"Some, with a Comma\"\n7, 1, 2,\n3, 4\n\
        *SOLID   SECTION, material=STEEL, ELSET=\"Some, with a Comma\"\n0.5,\n*Density\n1\n";
    let text = text.replace("*Density", "*MATERIAL, NAME=Steel\n*density");
    let model =
        model(&format!("{text}*Elastic, type = ISOTROPIC\n1,0.25\n*step\n*dynamic,explicit\n,1\n"));
    assert_eq!(model.mesh.node_labels, [1, 2, 3, 4]);
    assert_eq!(model.mesh.coordinates[2], [1.0, 1.0, 0.0]);
    assert_eq!(model.mesh.node_sets["ALL"], [0, 1, 2, 3]);
    assert_eq!(model.mesh.element_sets["Some, with a Comma"], [id(0, 0)]);
    let block = &model.mesh.blocks[0];
    assert_eq!((block.kind, block.thickness), (Kind::PlaneStrain, 0.5));
    assert_eq!((&block.labels[..], &block.nodes[..]), (&[7][..], &[0, 1, 2, 3][..]));
}

#[test]
fn sets_have_numbers_ranges_and_names() {
    let sets = "*NSET, NSET=a\n 3, 1,\n2, 3\n*NSET, NSET=b, GENERATE\n1, 5, 2\n7, 8\n*NSET, NSET=c\nA, 12, b\n\
        *NSET, NSET=A\n4\n*NSET, NSET=d, ELSET=last\n*ELSET, ELSET=e\nlast, 1\n";
    let text = two("*ELSET, ELSET=last\n2\n", "");
    let text = text.replace("*STEP", &format!("{sets}*STEP"));
    let mesh = model(&text).mesh;
    assert_eq!(mesh.node_sets["a"], [0, 1, 2, 3]);
    assert_eq!(mesh.node_sets["b"], [0, 2, 4, 6, 7]);
    assert_eq!(mesh.node_sets["c"], [0, 1, 2, 4, 6, 7, 11]);
    assert_eq!(mesh.node_sets["d"], [1, 2, 5, 6, 8, 9, 10, 11]);
    assert_eq!(mesh.element_sets["e"], [id(0, 0), id(0, 1)]);
}

/// Blocks are of one kind and material, whatever order the deck has.
#[test]
fn elements_are_gathered_by_what_they_are_made_of() {
    let lead = "*MATERIAL, NAME=lead\n*DENSITY\n11340\n*ELASTIC\n1.6e10, 0.44\n\
        *MATERIAL, NAME=unused\n*DENSITY\n1\n";
    let sections = "*ELSET, ELSET=first\n1\n*ELSET, ELSET=second\n2\n\
        *SOLID SECTION, ELSET=second, MATERIAL=Lead\n*SOLID SECTION, ELSET=first, MATERIAL=STEEL\n";
    let mesh = MESH.replace("*SOLID SECTION, ELSET=both, MATERIAL=steel\n", sections);
    let model = model(&format!("{lead}{mesh}{STEEL}{STEP}*END STEP\n"));
    let names: Vec<_> = model.materials.iter().map(|material| material.name.as_str()).collect();
    assert_eq!(names, ["lead", "steel"]);
    let blocks: Vec<_> =
        model.mesh.blocks.iter().map(|block| (block.labels[0], block.material)).collect();
    assert_eq!(blocks, [(1, 1), (2, 0)]);
    assert_eq!(model.mesh.element_sets["both"], [id(0, 0), id(1, 0)]);
}

#[test]
fn surfaces_have_faces() {
    let surfaces = "*SURFACE, NAME=ends\n1, S6\nlast, S4\n*SURFACE, NAME=hull, TYPE=ELEMENT\nboth,\n\
        *ELSET, ELSET=last\n2\n*ELEMENT, TYPE=S4, ELSET=plate\n10, 9, 10, 12, 11\n\
        *SURFACE, NAME=plates\nplate\n*SURFACE, NAME=points, TYPE=NODE\nall\n";
    let mesh = model(&two(surfaces, "")).mesh;
    let face = |element, face| Face { element: id(0, element), face };
    assert_eq!(mesh.surfaces["ends"], [face(0, 5), face(1, 3)]);
    let hull = [0, 1, 2, 4, 5].map(|side| face(0, side));
    assert_eq!(mesh.surfaces["hull"][..5], hull);
    assert_eq!(mesh.surfaces["hull"].len(), 10);
    assert_eq!(mesh.surfaces["plates"], [face(1, 3)]);
    assert!(!mesh.surfaces.contains_key("points"));
}

fn assembled(instances: &str, sets: &str) -> String {
    let part = MESH.replace("*NODE", "*PART, NAME=\"Two Cubes\"\n*NODE") + "*END PART\n";
    format!("{part}*ASSEMBLY, NAME=whole\n{instances}{sets}*END ASSEMBLY\n{STEEL}{STEP}*END STEP\n")
}

#[test]
fn instances_are_moved_and_turned() {
    let instances = "*INSTANCE, NAME=here, PART=\"Two Cubes\"\n*END INSTANCE\n\
        *INSTANCE, NAME=There, PART=\"Two Cubes\"\n10, 0, 0\n10, 0, 0, 10, 0, 1, 90\n*END INSTANCE\n";
    let sets = "*NSET, NSET=all, INSTANCE=there\n2, all\n*NSET, NSET=ends\nHERE.1, there.9\n\
        *NSET, NSET=here\nhere.all\n*ELSET, ELSET=mixed\nThere.1, here.both\n\
        *SURFACE, NAME=s\nthere.both, S1\n*SURFACE, NAME=t\n here.2, S4\n";
    let model = model(&assembled(instances, sets));
    let mesh = &model.mesh;
    assert_eq!((mesh.coordinates.len(), mesh.blocks.len()), (24, 1));
    assert_eq!(mesh.blocks[0].labels, [1, 2, 1, 2]);
    assert_eq!(mesh.coordinates[12 + 8], [10.0, 2.0, 0.0]);
    assert_eq!(mesh.coordinates[12 + 3], [9.0, 0.0, 0.0]);
    let upper: Vec<u32> = (12..24).collect();
    assert_eq!(mesh.node_sets["all"], upper);
    assert_eq!(mesh.node_sets["There.all"], upper);
    assert_eq!(mesh.node_sets["here.all"].len(), 12);
    assert_eq!(mesh.node_sets["ends"], [0, 20]);
    assert_eq!(mesh.element_sets["mixed"], [id(0, 0), id(0, 1), id(0, 2)]);
    assert_eq!(mesh.surfaces["s"].len(), 2);
    assert_eq!(mesh.surfaces["t"], [Face { element: id(0, 1), face: 3 }]);
}

/// Programs write meshes of independent instances into these.
#[test]
fn instances_have_nodes_of_their_own() {
    let part = "*PART, NAME=p\n*END PART\n*ASSEMBLY, NAME=a\n*INSTANCE, NAME=i, PART=p\n";
    let text =
        format!("{part}{MESH}*END INSTANCE\n*END ASSEMBLY\n{STEEL}*BOUNDARY\ni.all, 1\n{STEP}");
    let model = model(&text);
    assert_eq!(model.mesh.coordinates.len(), 12);
    assert_eq!(model.prescribed[0].nodes.len(), 12);
}

/// Numbers need not be dense, nor small.
#[test]
fn numbers_may_be_large() {
    let text = two("", "").replace("\n12, 2, 1, 1", "\n18446744073709551615, 2, 1, 1");
    let text = text.replace("6, 11, 12, 7", "6, 11, 18446744073709551615, 7");
    let mesh = model(&text).mesh;
    assert_eq!(mesh.node_labels[11], u64::MAX);
    assert_eq!(mesh.blocks[0].nodes[14], 11);
}

/// Sets that name themselves again and again do not grow beyond the mesh.
#[test]
fn sets_of_sets() {
    let members = "all, all, all, all, all, all, all, all\n".repeat(2000);
    let text = two(&format!("*NSET, NSET=all\n{members}").repeat(10), "");
    assert!(read(&text).is_ok());
}
