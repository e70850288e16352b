//! Meshes of Gmsh: `.msh` of the versions 2 and 4.1, in text and in binary.
//!
//! What is read are nodes, elements of first order and physical groups. Partitions, periodicity,
//! parametric coordinates and data are read past.

mod sections;
mod shape;
mod values;

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use nonius_files::room::{Meter, read_whole};

use super::error::{At, Found, InputError, Item, Problem};
use super::labels::Labels;
use sections::Sections;

pub use shape::Shape;

/// A mesh with its physical groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// The numbers of nodes.
    pub node_labels: Vec<u64>,
    /// Their coordinates.
    pub coordinates: Vec<[f64; 3]>,
    /// Elements of all dimensions.
    pub cells: Vec<Cell>,
    /// Physical groups, by dimension and number.
    pub groups: Vec<Group>,
}

/// An element.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its number.
    pub label: u64,
    /// Its shape.
    pub shape: Shape,
    /// The places of its nodes, as many as the shape has, in Gmsh's order, which is Abaqus's too;
    /// what is behind them means nothing.
    corners: [u32; 8],
}

/// A physical group.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name; without one, its number.
    pub name: String,
    /// The dimension of its elements.
    pub dimension: usize,
    /// The places of its elements, ascending.
    pub cells: Vec<u32>,
}

impl Cell {
    /// The places of its nodes.
    pub fn nodes(&self) -> &[u32] {
        &self.corners[..self.shape.nodes()]
    }
}

impl Grid {
    /// The nodes of some cells, ascending.
    pub fn nodes_of(&self, cells: &[u32]) -> Vec<u32> {
        let cells = cells.iter().map(|&cell| &self.cells[cell as usize]);
        let mut nodes: Vec<_> = cells.flat_map(Cell::nodes).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// A mesh. Errors call the file `name`.
///
/// ```
/// use std::path::Path;
///
/// let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n\
///     $PhysicalNames\n1\n1 7 \"bar\"\n$EndPhysicalNames\n\
///     $Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n$Elements\n1\n1 1 2 7 1 1 2\n$EndElements\n";
/// let grid = nonius_fem::input::gmsh::read(text.as_bytes(), Path::new("bar.msh"))?;
/// assert_eq!(grid.groups[0].name, "bar");
/// assert_eq!(grid.cells[0].nodes(), [0, 1]);
/// # Ok::<(), nonius_fem::input::InputError>(())
/// ```
///
/// # Errors
/// Of input that cannot be read, that is no mesh, or that has elements of other shapes or of higher
/// order.
pub fn read(input: impl Read, name: &Path) -> Result<Grid, InputError> {
    let bytes = read_whole(input).map_err(|error| InputError::unreadable(name, &error))?;
    let grid = Sections::read(&bytes).and_then(grid);
    grid.map_err(|fault| fault.named([name].into_iter()))
}

/// Numbers become places. Elements that files list once for each of their groups become one.
fn grid(said: Sections) -> Found<Grid> {
    let size = |length: usize| match u32::try_from(length) {
        Ok(length) if length < u32::MAX => Ok(length),
        _ => Err(At::default().fault(Problem::Size)),
    };
    let places = 0..size(said.node_labels.len())?;
    let nodes = Labels::new(said.node_labels.iter().copied().zip(places))
        .map_err(|place| At::default().repeated(Item::Node, said.node_labels[place as usize]))?;
    size(said.cells.len())?;
    let mut cells: Vec<Cell> = Vec::with_capacity(said.cells.len());
    let mut lines = Vec::with_capacity(said.cells.len());
    let mut known: HashMap<(Shape, [u32; 8]), u32> = HashMap::with_capacity(said.cells.len());
    let mut groups: HashMap<(usize, u64), Vec<u32>> = HashMap::new();
    // An entity of many physical groups puts each of its elements into all of them.
    let mut meter = Meter::new("the physical groups");
    for cell in &said.cells {
        let mut corners = [u32::MAX; 8];
        for (corner, &label) in corners.iter_mut().zip(&cell.nodes[..cell.shape.nodes()]) {
            let place = nodes.get(label);
            *corner = place.ok_or_else(|| cell.at.undefined(Item::Node, label))?;
        }
        let mut key = corners;
        key.sort_unstable();
        let place = *known.entry((cell.shape, key)).or_insert(cells.len() as u32);
        if place as usize == cells.len() {
            cells.push(Cell { label: cell.label, shape: cell.shape, corners });
            lines.push(cell.at);
        }
        let dimension = cell.shape.dimension();
        let tags = said.tags(cell);
        let room = meter.take(2 * size_of::<u32>() * tags.len());
        room.map_err(|room| cell.at.fault(Problem::Room(Box::new(room))))?;
        for tag in tags {
            groups.entry((dimension, tag)).or_default().push(place);
        }
    }
    Labels::new(cells.iter().map(|cell| cell.label).zip(0..)).map_err(|place| {
        lines[place as usize].repeated(Item::Element, cells[place as usize].label)
    })?;
    let mut keys: Vec<_> = groups.keys().copied().collect();
    keys.sort_unstable();
    let groups = keys.into_iter().map(|key| {
        let mut cells = groups.remove(&key).unwrap_or_default();
        cells.sort_unstable();
        cells.dedup();
        let name = said.names.get(&key).cloned().unwrap_or_else(|| key.1.to_string());
        Group { name, dimension: key.0, cells }
    });
    let groups = groups.collect();
    Ok(Grid { node_labels: said.node_labels, coordinates: said.coordinates, cells, groups })
}
