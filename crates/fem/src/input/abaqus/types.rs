//! Types of elements.

use crate::model::Kind;

/// A type of elements: one of ours, or one of fewer dimensions that mesh generators write beside
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Type {
    Ours(Kind),
    Lower(&'static Lower),
}

/// A type that only names nodes and faces.
#[derive(Debug, PartialEq)]
pub(super) struct Lower {
    pub(super) name: &'static str,
    pub(super) nodes: usize,
    pub(super) dimensions: usize,
}

const fn lower(name: &'static str, nodes: usize, dimensions: usize) -> Lower {
    Lower { name, nodes, dimensions }
}

static LOWER: [Lower; 19] = [
    lower("T2D2", 2, 1),
    lower("T3D2", 2, 1),
    lower("B21", 2, 1),
    lower("B31", 2, 1),
    lower("CPS3", 3, 2),
    lower("CPE3", 3, 2),
    lower("CAX3", 3, 2),
    lower("S3", 3, 2),
    lower("S3R", 3, 2),
    lower("M3D3", 3, 2),
    lower("SFM3D3", 3, 2),
    lower("CPS4", 4, 2),
    lower("CPS4R", 4, 2),
    lower("CPE4", 4, 2),
    lower("CAX4", 4, 2),
    lower("S4", 4, 2),
    lower("S4R", 4, 2),
    lower("M3D4", 4, 2),
    lower("SFM3D4", 4, 2),
];

impl Type {
    pub(super) fn named(name: &str) -> Option<Self> {
        let ours = Kind::ALL.into_iter().find(|kind| kind.name() == name).map(Self::Ours);
        ours.or_else(|| LOWER.iter().find(|lower| lower.name == name).map(Self::Lower))
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ours(kind) => kind.name(),
            Self::Lower(lower) => lower.name,
        }
    }

    pub(super) fn nodes(self) -> usize {
        match self {
            Self::Ours(kind) => kind.nodes(),
            Self::Lower(lower) => lower.nodes,
        }
    }
}
