//! Nodes, elements, and names for some of them.

use core::f64::consts::TAU;
use std::collections::BTreeMap;

/// Nodes and elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The numbers that the input gives its nodes, in the order of all that is said of nodes here.
    pub node_labels: Vec<u64>,
    /// Coordinates; of plane and axisymmetric meshes the third is zero, the first of the latter the
    /// radius.
    pub coordinates: Vec<[f64; 3]>,
    /// Elements of one kind and one material.
    pub blocks: Vec<Block>,
    /// Nodes by name, ascending.
    pub node_sets: BTreeMap<String, Vec<u32>>,
    /// Elements by name, ascending.
    pub element_sets: BTreeMap<String, Vec<ElementId>>,
    /// Faces by name, ascending.
    pub surfaces: BTreeMap<String, Vec<Face>>,
}

/// Elements of one kind and one material.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Their kind.
    pub kind: Kind,
    /// The place of their material in the model.
    pub material: usize,
    /// The numbers that the input gives them.
    pub labels: Vec<u64>,
    /// The places of their nodes, [`Kind::nodes`] for each, in Abaqus's order.
    pub nodes: Vec<u32>,
    /// The thickness of plane elements; 1 for others. Axisymmetric ones go all around.
    pub thickness: f64,
}

impl Block {
    /// How far elements go where their coordinates say nothing: the thickness of plane ones, `2π`
    /// for axisymmetric ones, and 1 for others.
    ///
    /// As in Abaqus masses, forces on nodes, reactions and energies are totals of the whole ring.
    /// Pressures are forces on a unit of area, and gravity acts on a unit of mass.
    pub fn depth(&self) -> f64 {
        match self.kind {
            Kind::PlaneStrain => self.thickness,
            Kind::Axisymmetric => TAU,
            Kind::Hexahedron | Kind::ReducedHexahedron | Kind::Tetrahedron => 1.0,
        }
    }
}

/// An element: its block, and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId {
    /// The place of the block in the mesh.
    pub block: u32,
    /// The place of the element in the block.
    pub element: u32,
}

/// A face of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face {
    /// The element.
    pub element: ElementId,
    /// The face's place among those of the element's [kind](Kind::faces).
    pub face: u8,
}

/// The kinds of elements.
///
/// ```
/// use nonius_fem::model::Kind;
///
/// let kind = Kind::Tetrahedron;
/// assert_eq!((kind.name(), kind.nodes(), kind.faces().len()), ("C3D4", 4, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// C3D8: a hexahedron with eight nodes, eight points of integration and one volume strain.
    Hexahedron,
    /// C3D8R: a hexahedron with eight nodes, one point of integration and hourglass control.
    ReducedHexahedron,
    /// C3D4: a tetrahedron with four nodes and constant strain.
    Tetrahedron,
    /// CPE4R: a quadrilateral in plane strain, with four nodes, one point of integration and
    /// hourglass control.
    PlaneStrain,
    /// CAX4R: a quadrilateral around the second axis, with four nodes, one point of integration
    /// and hourglass control.
    Axisymmetric,
}

impl Kind {
    /// All.
    pub const ALL: [Kind; 5] = [
        Kind::Hexahedron,
        Kind::ReducedHexahedron,
        Kind::Tetrahedron,
        Kind::PlaneStrain,
        Kind::Axisymmetric,
    ];

    /// Its name in Abaqus.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Hexahedron => "C3D8",
            Kind::ReducedHexahedron => "C3D8R",
            Kind::Tetrahedron => "C3D4",
            Kind::PlaneStrain => "CPE4R",
            Kind::Axisymmetric => "CAX4R",
        }
    }

    /// Nodes of an element.
    pub fn nodes(self) -> usize {
        match self {
            Kind::Hexahedron | Kind::ReducedHexahedron => 8,
            Kind::Tetrahedron | Kind::PlaneStrain | Kind::Axisymmetric => 4,
        }
    }

    /// The number of integration points, where stress is known.
    pub fn points(self) -> usize {
        if self == Kind::Hexahedron { 8 } else { 1 }
    }

    /// The number of hourglass modes that are controlled.
    pub fn modes(self) -> usize {
        match self {
            Kind::ReducedHexahedron => 4,
            Kind::PlaneStrain | Kind::Axisymmetric => 1,
            Kind::Hexahedron | Kind::Tetrahedron => 0,
        }
    }

    /// Dimensions of the space it lives in.
    pub fn dimensions(self) -> usize {
        match self {
            Kind::PlaneStrain | Kind::Axisymmetric => 2,
            _ => 3,
        }
    }

    /// The nodes of its faces (of plane ones, sides), by their places in the element, in Abaqus's
    /// order `S1`, `S2`, …; seen from outside they go round counterclockwise, and a side has its
    /// element on the left.
    pub fn faces(self) -> &'static [&'static [usize]] {
        match self {
            Kind::Hexahedron | Kind::ReducedHexahedron => &[
                &[0, 3, 2, 1],
                &[4, 5, 6, 7],
                &[0, 1, 5, 4],
                &[1, 2, 6, 5],
                &[2, 3, 7, 6],
                &[3, 0, 4, 7],
            ],
            Kind::Tetrahedron => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]],
            Kind::PlaneStrain | Kind::Axisymmetric => &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
        }
    }
}

impl Mesh {
    /// Dimensions of its elements: 3 unless all are plane or axisymmetric.
    pub fn dimensions(&self) -> usize {
        self.blocks.iter().map(|block| block.kind.dimensions()).max().unwrap_or(3)
    }

    /// Of each node whether an element has it: others have no mass.
    pub fn nodes_with_mass(&self) -> Vec<bool> {
        let mut with_mass = vec![false; self.coordinates.len()];
        for block in &self.blocks {
            block.nodes.iter().for_each(|&node| with_mass[node as usize] = true);
        }
        with_mass
    }

    /// The nodes of an element.
    pub fn nodes_of(&self, id: ElementId) -> &[u32] {
        let block = &self.blocks[id.block as usize];
        let count = block.kind.nodes();
        &block.nodes[id.element as usize * count..][..count]
    }
}
