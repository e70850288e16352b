//! The mesh: cells become elements of what bodies say.

use super::super::check;
use super::super::error::{Found, Item, Problem};
use super::super::gmsh::{Cell, Grid, Shape};
use super::super::skin::Skin;
use super::document::{Body, Document};
use super::places::Places;
use crate::model::{Block, ElementId, Face, Kind, Mesh};

pub(super) fn mesh(document: &Document, places: &Places<'_>, grid: &Grid) -> Found<Mesh> {
    let top = grid.cells.iter().map(|cell| cell.shape.dimension()).max().unwrap_or(0);
    let whole = places.at(&document.mesh);
    if top < 2 {
        return whole.expected("a mesh of surfaces or volumes", format!("one of {top} dimensions"));
    }
    let mut body_of = vec![None; grid.cells.len()];
    for (place, table) in document.body.iter().enumerate() {
        let body = table.get_ref();
        places.check(table, check::positive("thickness", body.thickness))?;
        let mut mark = |cell: u32| {
            if grid.cells[cell as usize].shape.dimension() < top {
                return Ok(());
            }
            match body_of[cell as usize].replace(place) {
                None => Ok(()),
                Some(_) => {
                    let element = grid.cells[cell as usize].label;
                    Err(places.at(table).fault(Problem::TwoSections { element }))
                }
            }
        };
        match &body.group {
            None => (0..grid.cells.len() as u32).try_for_each(&mut mark)?,
            Some(name) => {
                let mut groups = grid
                    .groups
                    .iter()
                    .filter(|group| group.dimension == top && group.name == *name.get_ref())
                    .peekable();
                if groups.peek().is_none() {
                    return Err(places.at(name).undefined(Item::Group, name.get_ref()));
                }
                for group in groups {
                    group.cells.iter().copied().try_for_each(&mut mark)?;
                }
            }
        }
    }
    let mut mesh = Mesh {
        node_labels: grid.node_labels.clone(),
        coordinates: grid.coordinates.clone(),
        ..Mesh::default()
    };
    let mut ids = vec![None; grid.cells.len()];
    for (place, cell) in grid.cells.iter().enumerate() {
        if cell.shape.dimension() < top {
            continue;
        }
        let Some(body) = body_of[place] else {
            return Err(whole.fault(Problem::NoSection { element: cell.label }));
        };
        ids[place] = Some(add(&mut mesh, cell, document, body, places)?);
    }
    coordinates(&mesh).map_err(|problem| whole.fault(problem))?;
    sets(&mut mesh, grid, top, &ids);
    Ok(mesh)
}

/// Adds an element to the block of its kind, material and thickness.
fn add(
    mesh: &mut Mesh,
    cell: &Cell,
    document: &Document,
    body: usize,
    places: &Places<'_>,
) -> Found<ElementId> {
    let body = document.body[body].get_ref();
    let kind = kind(cell.shape, body, places)?;
    let named = |name: &str| name == body.material.get_ref();
    let material = document.material.iter().position(|material| named(&material.get_ref().name));
    let material = material.ok_or_else(|| {
        places.at(&body.material).undefined(Item::Material, body.material.get_ref())
    })?;
    let thickness = if kind == Kind::PlaneStrain { body.thickness } else { 1.0 };
    if mesh.blocks.first().is_some_and(|block| {
        block.kind != kind && (block.kind.dimensions() == 2 || kind.dimensions() == 2)
    }) {
        return Err(places.at(&body.material).fault(Problem::MixedElements));
    }
    let found = mesh.blocks.iter().position(|block| {
        (block.kind, block.material, block.thickness) == (kind, material, thickness)
    });
    let place = found.unwrap_or_else(|| {
        let (labels, nodes) = (Vec::new(), Vec::new());
        mesh.blocks.push(Block { kind, material, labels, nodes, thickness });
        mesh.blocks.len() - 1
    });
    let nodes = around(cell, mesh);
    let block = &mut mesh.blocks[place];
    let id = ElementId { block: place as u32, element: block.labels.len() as u32 };
    block.labels.push(cell.label);
    block.nodes.extend(nodes);
    Ok(id)
}

fn kind(shape: Shape, body: &Body, places: &Places<'_>) -> Found<Kind> {
    let (usual, fitting): (_, &[Kind]) = match shape {
        Shape::Hexahedron => {
            (Kind::ReducedHexahedron, &[Kind::ReducedHexahedron, Kind::Hexahedron])
        }
        Shape::Tetrahedron => (Kind::Tetrahedron, &[Kind::Tetrahedron]),
        Shape::Quadrilateral => (Kind::PlaneStrain, &[Kind::PlaneStrain, Kind::Axisymmetric]),
        _ => {
            let at = places.at(&body.material);
            return at.expected("quadrilaterals, tetrahedra or hexahedra", "other elements");
        }
    };
    let Some(name) = &body.element else { return Ok(usual) };
    let same = |kind: &&Kind| kind.name().eq_ignore_ascii_case(name.get_ref());
    if Kind::ALL.iter().find(same).is_none() {
        let name_of = name.get_ref().clone();
        return Err(places.at(name).fault(Problem::ElementType { name: name_of }));
    }
    match fitting.iter().find(same) {
        Some(kind) => Ok(*kind),
        None => places.at(name).expected("a type of the shape that elements have", name.get_ref()),
    }
}

/// The nodes of a cell; those of a plane one counterclockwise, however its surface was turned.
fn around(cell: &Cell, mesh: &Mesh) -> Vec<u32> {
    let mut nodes = cell.nodes().to_vec();
    if cell.shape == Shape::Quadrilateral {
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| mesh.coordinates[nodes[corner] as usize]);
        let area = (c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1]);
        if area < 0.0 {
            nodes.reverse();
        }
    }
    nodes
}

fn coordinates(mesh: &Mesh) -> Result<(), Problem> {
    if mesh.dimensions() == 3 {
        return Ok(());
    }
    let axisymmetric = mesh.blocks.iter().any(|block| block.kind == Kind::Axisymmetric);
    for [x, _, z] in &mesh.coordinates {
        check::range("third coordinate of a node", *z, *z == 0.0, "equal to zero")?;
        check::range("radius of a node", *x, !axisymmetric || *x >= 0.0, "not below zero")?;
    }
    Ok(())
}

/// Groups of one name are one set of nodes. Faces are named where elements have them all.
fn sets(mesh: &mut Mesh, grid: &Grid, top: usize, ids: &[Option<ElementId>]) {
    let skin = Skin::new(&mesh.blocks);
    for group in &grid.groups {
        let nodes = mesh.node_sets.entry(group.name.clone()).or_default();
        nodes.extend(grid.nodes_of(&group.cells));
        nodes.sort_unstable();
        nodes.dedup();
        let cells = group.cells.iter();
        if group.dimension == top {
            let elements = mesh.element_sets.entry(group.name.clone()).or_default();
            elements.extend(cells.filter_map(|&cell| ids[cell as usize]));
            elements.sort_unstable();
        } else if group.dimension + 1 == top {
            let faces = cells.map(|&cell| skin.face(grid.cells[cell as usize].nodes()));
            if let Some(mut faces) = faces.collect::<Option<Vec<Face>>>() {
                faces.sort_unstable();
                mesh.surfaces.insert(group.name.clone(), faces);
            }
        }
    }
}
