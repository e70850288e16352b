//! Shapes of elements.

/// The shape of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// A point.
    Point,
    /// Two nodes.
    Line,
    /// Three nodes.
    Triangle,
    /// Four nodes in a surface.
    Quadrilateral,
    /// Four nodes.
    Tetrahedron,
    /// Eight nodes.
    Hexahedron,
}

impl Shape {
    /// Its number in files.
    pub(super) fn numbered(number: i64) -> Option<Self> {
        Some(match number {
            1 => Self::Line,
            2 => Self::Triangle,
            3 => Self::Quadrilateral,
            4 => Self::Tetrahedron,
            5 => Self::Hexahedron,
            15 => Self::Point,
            _ => return None,
        })
    }

    /// How many nodes it has.
    pub fn nodes(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::Quadrilateral | Self::Tetrahedron => 4,
            Self::Hexahedron => 8,
        }
    }

    /// Its dimensions.
    pub fn dimension(self) -> usize {
        match self {
            Self::Point => 0,
            Self::Line => 1,
            Self::Triangle | Self::Quadrilateral => 2,
            Self::Tetrahedron | Self::Hexahedron => 3,
        }
    }
}
