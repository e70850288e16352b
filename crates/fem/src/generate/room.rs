//! What a model takes, before it is made.

use std::path::Path;

use nonius_files::room::{NoRoom, check_disk, check_memory};

use super::GenerateError;
use crate::model::Kind;

/// How many nodes and elements a model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Nodes.
    pub nodes: u128,
    /// Elements.
    pub elements: u128,
}

impl Size {
    /// The size of a box with `along[k]` boxes of elements along axis `k`.
    pub fn of_box(kind: Kind, along: [usize; 3]) -> Self {
        let product = |more: u128| along.map(|n| n as u128 + more).into_iter().product::<u128>();
        let each = if kind == Kind::Tetrahedron { 6 } else { 1 };
        Self { nodes: product(1), elements: each * product(0) }
    }

    /// Of [`taylor`](super::taylor).
    pub fn of_cylinder([core, ring, along]: [usize; 3]) -> Self {
        let [core, ring, along] = [core, ring, along].map(|n| n as u128);
        let points = (core + 1) * (core + 1) + (2 * core + 1) * ring;
        Self { nodes: points * (along + 1), elements: core * (core + 2 * ring) * along }
    }

    /// That its nodes and elements can be numbered.
    ///
    /// # Errors
    /// [`GenerateError::Size`].
    pub fn check_numbers(self) -> Result<(), GenerateError> {
        match u32::try_from(self.nodes.max(self.elements)) {
            Ok(_) => Ok(()),
            Err(_) => Err(GenerateError::Size),
        }
    }

    /// Compares what the model takes with the memory that there is, and its deck with the disk that
    /// has a folder.
    ///
    /// # Errors
    /// [`NoRoom`].
    pub fn check_room(self, kind: Kind, folder: Option<&Path>) -> Result<(), NoRoom> {
        let Self { nodes, elements } = self;
        let what = format!("a model of {nodes} nodes and {elements} elements");
        let corners = kind.nodes() as u128;
        // Of a node its number, place and sets; of an element its number, nodes and set.
        check_memory(&what, nodes * (8 + 24 + 8) + elements * (8 + 4 * corners + 8))?;
        // Numbers with commas: at least two characters each.
        let deck = nodes * 2 * 4 + elements * 2 * (1 + corners);
        folder.map_or(Ok(()), |folder| check_disk(format_args!("the deck of {what}"), deck, folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{cuboid, taylor};

    #[test]
    fn sizes_are_those_of_models() {
        let size = |model: &crate::model::Model| Size {
            nodes: model.mesh.coordinates.len() as u128,
            elements: model.mesh.blocks.iter().map(|block| block.labels.len() as u128).sum(),
        };
        for kind in [Kind::Hexahedron, Kind::Tetrahedron] {
            assert_eq!(
                cuboid(kind, [3, 2, 4]).map(|model| size(&model)),
                Ok(Size::of_box(kind, [3, 2, 4]))
            );
        }
        for n in [[1, 1, 2], [3, 2, 5]] {
            let [core, ring, along] = n;
            let model = taylor(Kind::Hexahedron, core, ring, along);
            assert_eq!(model.map(|model| size(&model)), Ok(Size::of_cylinder(n)));
        }
    }

    #[test]
    fn what_no_machine_has_is_refused() {
        let size = Size::of_box(Kind::Hexahedron, [1 << 20; 3]);
        assert_eq!(size.check_numbers(), Err(GenerateError::Size));
        assert_eq!(Size::of_box(Kind::Hexahedron, [1 << 10; 3]).check_numbers(), Ok(()));
        let message = size.check_room(Kind::Hexahedron, None).unwrap_err().to_string();
        assert!(message.contains("of memory needed"), "{message}");
    }
}
