//! Sections of a mesh file.

use std::collections::HashMap;

use super::super::error::{At, Fault, Found, Problem};
use super::shape::Shape;
use super::values::Values;

/// What a file says, before numbers are looked up.
#[derive(Default)]
pub(super) struct Sections {
    pub(super) node_labels: Vec<u64>,
    pub(super) coordinates: Vec<[f64; 3]>,
    pub(super) cells: Vec<Cell>,
    /// Names of physical groups, by dimension and number.
    pub(super) names: HashMap<(usize, u64), String>,
    /// The physical groups of entities, by dimension and number.
    entities: HashMap<(usize, i64), Vec<u64>>,
}

pub(super) struct Cell {
    pub(super) label: u64,
    pub(super) shape: Shape,
    pub(super) nodes: [u64; 8],
    of: Of,
    pub(super) at: At,
}

/// What says the physical groups of an element.
#[derive(Clone, Copy)]
enum Of {
    Group(u64),
    Entity(i64),
}

#[derive(Clone, Copy, PartialEq)]
enum Version {
    Two,
    Four,
}

const SHAPE: &str =
    "a point, line, triangle, quadrilateral, tetrahedron or hexahedron of first order";

impl Sections {
    pub(super) fn read(bytes: &[u8]) -> Found<Self> {
        let mut sections = Self::default();
        let mut values = Values::new(bytes);
        let mut version = None;
        let mut meshed = [false; 2];
        while let Some(name) = values.word() {
            if !name.starts_with('$') {
                return values.at().expected("a section such as $Nodes", name);
            }
            let known = match (name.as_str(), version) {
                ("$MeshFormat", _) => {
                    version = Some(format(&mut values)?);
                    true
                }
                ("$PhysicalNames", _) => {
                    sections.physical_names(&mut values)?;
                    true
                }
                ("$PartitionedEntities", _) => {
                    return values.at().expected("a mesh in one part", name);
                }
                ("$Nodes" | "$Elements", None) => {
                    return values.at().expected("$MeshFormat in front", name);
                }
                ("$Entities", Some(Version::Four)) => {
                    values.end_line();
                    sections.entities(&mut values)?;
                    true
                }
                ("$Nodes", Some(version)) => {
                    meshed[0] = true;
                    match version {
                        Version::Two => sections.nodes_2(&mut values)?,
                        Version::Four => sections.nodes_4(&mut values)?,
                    }
                    true
                }
                ("$Elements", Some(version)) => {
                    meshed[1] = true;
                    match version {
                        Version::Two => sections.elements_2(&mut values)?,
                        Version::Four => sections.elements_4(&mut values)?,
                    }
                    true
                }
                _ => false,
            };
            if !known {
                values.end_section(&name)?;
                continue;
            }
            let end = values.word().unwrap_or_default();
            if end.strip_prefix("$End") != name.strip_prefix('$') {
                return values.at().expected("the end of the section", end);
            }
        }
        match meshed {
            [true, true] => Ok(sections),
            [false, _] => Err(At::default().fault(Problem::Missing { what: "section $Nodes" })),
            _ => Err(At::default().fault(Problem::Missing { what: "section $Elements" })),
        }
    }

    /// The numbers of a cell's physical groups.
    pub(super) fn tags(&self, cell: &Cell) -> Vec<u64> {
        match cell.of {
            Of::Group(0) => Vec::new(),
            Of::Group(tag) => vec![tag],
            Of::Entity(entity) => {
                let key = (cell.shape.dimension(), entity);
                self.entities.get(&key).cloned().unwrap_or_default()
            }
        }
    }

    fn physical_names(&mut self, values: &mut Values<'_>) -> Found<()> {
        const NEEDED: &str = "the dimension, number and name of a physical group";
        for _ in 0..values.written::<u64>("how many physical groups there are")? {
            let dimension = values.written(NEEDED)?;
            let tag = values.written(NEEDED)?;
            self.names.insert((dimension, tag), values.quoted(NEEDED)?);
        }
        Ok(())
    }

    fn entities(&mut self, values: &mut Values<'_>) -> Found<()> {
        const NEEDED: &str = "an entity with its box and physical groups";
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = values.long("how many points, curves, surfaces and volumes there are")?;
        }
        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let entity = values.integer(NEEDED)?;
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    values.real(NEEDED)?;
                }
                let mut tags = Vec::new();
                for _ in 0..values.long(NEEDED)? {
                    // The sign says on which side a surface is seen.
                    tags.push(values.integer(NEEDED)?.unsigned_abs());
                }
                if dimension > 0 {
                    for _ in 0..values.long(NEEDED)? {
                        values.integer(NEEDED)?;
                    }
                }
                self.entities.insert((dimension, entity), tags);
            }
        }
        Ok(())
    }

    fn nodes_2(&mut self, values: &mut Values<'_>) -> Found<()> {
        let count = values.written::<u64>("how many nodes there are")?;
        values.end_line();
        for _ in 0..count {
            let label = values.integer("the number of a node and its coordinates")?;
            self.node_labels.push(positive(label, values)?);
            self.coordinates.push(values.point()?);
        }
        Ok(())
    }

    fn nodes_4(&mut self, values: &mut Values<'_>) -> Found<()> {
        values.end_line();
        let blocks = header(values)?;
        for _ in 0..blocks {
            const NEEDED: &str = "the entity of nodes and how many they are";
            let dimension = values.integer(NEEDED)?;
            values.integer(NEEDED)?;
            let parameters = if values.integer(NEEDED)? == 0 { 0 } else { dimension.clamp(0, 3) };
            let count = values.long(NEEDED)?;
            for _ in 0..count {
                let label = values.long("the number of a node")?;
                self.node_labels.push(label);
            }
            for _ in 0..count {
                self.coordinates.push(values.point()?);
                for _ in 0..parameters {
                    values.real("a parameter of a node")?;
                }
            }
        }
        Ok(())
    }

    fn elements_2(&mut self, values: &mut Values<'_>) -> Found<()> {
        const NEEDED: &str = "an element: its number, type, count of tags, tags and nodes";
        let count = values.written::<u64>("how many elements there are")?;
        values.end_line();
        let mut read = 0;
        while read < count {
            // Binary elements come in blocks of a type, written ones each alone.
            let alone = match values.binary {
                None => Some(values.integer(NEEDED)?),
                Some(_) => None,
            };
            let at = values.at();
            let shape = shape(values.integer(NEEDED)?, at)?;
            let block = if alone.is_some() { 1 } else { values.integer(NEEDED)? };
            let tags = values.integer(NEEDED)?;
            if block < 1 {
                return at.expected("a block of elements", block.to_string());
            }
            for _ in 0..block {
                let label = match alone {
                    Some(label) => label,
                    None => values.integer(NEEDED)?,
                };
                let label = positive(label, values)?;
                let mut group = 0;
                for place in 0..tags {
                    let tag = values.integer(NEEDED)?.unsigned_abs();
                    group = if place == 0 { tag } else { group };
                }
                let mut nodes = [0; 8];
                for node in &mut nodes[..shape.nodes()] {
                    let label = values.integer(NEEDED)?;
                    *node = positive(label, values)?;
                }
                self.cells.push(Cell { label, shape, nodes, of: Of::Group(group), at });
                read += 1;
            }
        }
        Ok(())
    }

    fn elements_4(&mut self, values: &mut Values<'_>) -> Found<()> {
        values.end_line();
        let blocks = header(values)?;
        for _ in 0..blocks {
            const NEEDED: &str = "the entity of elements, their type and how many they are";
            values.integer(NEEDED)?;
            let entity = values.integer(NEEDED)?;
            let number = values.integer(NEEDED)?;
            let shape = shape(number, values.at())?;
            for _ in 0..values.long(NEEDED)? {
                const NEEDED: &str = "the number of an element and those of its nodes";
                let label = values.long(NEEDED)?;
                let at = values.at();
                let mut nodes = [0; 8];
                for node in &mut nodes[..shape.nodes()] {
                    *node = values.long(NEEDED)?;
                }
                self.cells.push(Cell { label, shape, nodes, of: Of::Entity(entity), at });
            }
        }
        Ok(())
    }
}

fn format(values: &mut Values<'_>) -> Found<Version> {
    const NEEDED: &str = "a version 2 or 4.1, the type of the file and 8 bytes for a number";
    let word = values.word().unwrap_or_default();
    let version = match word.as_str() {
        "4.1" => Version::Four,
        "2" | "2.0" | "2.1" | "2.2" => Version::Two,
        _ => return values.at().expected(NEEDED, word),
    };
    let binary = values.written::<i64>(NEEDED)?;
    let size = values.written::<i64>(NEEDED)?;
    if !(0..=1).contains(&binary) || size != 8 {
        return values.at().expected(NEEDED, format!("{binary} {size}"));
    }
    if binary == 1 {
        values.end_line();
        values.binary = Some(false);
        let one = values.integer("the number one in binary")?;
        if one != 1 {
            if one != i64::from(1i32.swap_bytes()) {
                return values.at().expected("the number one in binary", one.to_string());
            }
            values.binary = Some(true);
        }
    }
    Ok(version)
}

/// How many blocks there are, from the first four numbers of a section.
fn header(values: &mut Values<'_>) -> Found<u64> {
    const NEEDED: &str = "how many blocks there are, and of what";
    let blocks = values.long(NEEDED)?;
    for _ in 0..3 {
        values.long(NEEDED)?;
    }
    Ok(blocks)
}

fn shape(number: i64, at: At) -> Result<Shape, Fault> {
    match Shape::numbered(number) {
        Some(shape) => Ok(shape),
        None => at.expected(SHAPE, format!("type {number}")),
    }
}

fn positive(label: i64, values: &Values<'_>) -> Found<u64> {
    match u64::try_from(label) {
        Ok(label) if label > 0 => Ok(label),
        _ => values.at().expected("a number of a node or an element", label.to_string()),
    }
}
