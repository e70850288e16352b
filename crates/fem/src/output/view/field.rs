//! What colours stand for.

use crate::model::{Mesh, Quantity, Units};
use crate::{Snapshot, von_mises};

/// What colours stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The stress of von Mises.
    VonMises,
    /// The equivalent plastic strain.
    PlasticStrain,
    /// The temperature.
    Temperature,
    /// The length of the displacement.
    Displacement,
    /// The length of the velocity.
    Velocity,
}

impl Field {
    /// All.
    pub const ALL: [Field; 5] = [
        Field::VonMises,
        Field::PlasticStrain,
        Field::Temperature,
        Field::Displacement,
        Field::Velocity,
    ];

    /// Its name and, where it has one, its unit.
    pub(super) fn title(self, units: Option<&Units>) -> String {
        let quantity = match self {
            Field::VonMises => Quantity::Stress,
            Field::PlasticStrain => return self.name().to_owned(),
            Field::Temperature => Quantity::Temperature,
            Field::Displacement => Quantity::Length,
            Field::Velocity => Quantity::Velocity,
        };
        format!("{} ({})", self.name(), unit_of(quantity, units))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Field::VonMises => "von Mises stress",
            Field::PlasticStrain => "plastic strain",
            Field::Temperature => "temperature",
            Field::Displacement => "displacement",
            Field::Velocity => "velocity",
        }
    }
}

/// The unit of a quantity, or whose it is.
pub(super) fn unit_of(quantity: Quantity, units: Option<&Units>) -> String {
    let unit = units.and_then(|units| units.of(quantity));
    unit.unwrap_or_else(|| "unit of the deck".to_owned())
}

/// Numbers of a field, where they are to be drawn.
pub(super) struct Values {
    pub(super) place: Place,
    numbers: Vec<f64>,
    extremes: [f64; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Elements,
    Nodes,
}

impl Values {
    /// The mesh and the snapshot fit together.
    pub(super) fn of(field: Field, mesh: &Mesh, snapshot: &Snapshot, smooth: bool) -> Self {
        let lengths = |vectors: &[[f64; 3]]| -> Vec<f64> {
            vectors.iter().map(|v| v[0].hypot(v[1]).hypot(v[2])).collect()
        };
        let (known, numbers) = match field {
            Field::VonMises => (Place::Elements, snapshot.stresses.iter().map(von_mises).collect()),
            Field::PlasticStrain => (Place::Elements, snapshot.plastic_strains.clone()),
            Field::Temperature => (Place::Elements, snapshot.temperatures.clone()),
            Field::Displacement => (Place::Nodes, lengths(&snapshot.displacements)),
            Field::Velocity => (Place::Nodes, lengths(&snapshot.velocities)),
        };
        let extremes = extremes(&numbers);
        let place = if smooth { Place::Nodes } else { Place::Elements };
        let numbers = match (known, place) {
            (Place::Elements, Place::Nodes) => at_nodes(mesh, &numbers),
            (Place::Nodes, Place::Elements) => in_elements(mesh, &numbers),
            _ => numbers,
        };
        Self { place, numbers, extremes }
    }

    /// The number of an element or node; NaN where there is none.
    pub(super) fn get(&self, place: u32) -> f64 {
        self.numbers.get(place as usize).copied().unwrap_or(f64::NAN)
    }

    /// The least and the largest finite number, if any, before means are taken.
    pub(super) fn extremes(&self) -> [f64; 2] {
        self.extremes
    }

    /// The extremes, moved apart where they are the same.
    pub(super) fn widened_range(&self) -> [f64; 2] {
        let [low, high] = self.extremes;
        if low < high && (high - low).is_finite() {
            [low, high]
        } else if low.abs() > 0.0 && low.is_finite() {
            [low, low + low.abs() / 10.0]
        } else {
            [0.0, 1.0]
        }
    }
}

/// The least and the largest finite number; both NaN where there is none.
fn extremes(numbers: &[f64]) -> [f64; 2] {
    let finite = numbers.iter().copied().filter(|x| x.is_finite());
    finite.fold([f64::NAN; 2], |[low, high], x| [low.min(x), high.max(x)])
}

/// Means of the elements around each node.
fn at_nodes(mesh: &Mesh, numbers: &[f64]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0_u32); mesh.coordinates.len()];
    let nodes = mesh.blocks.iter().flat_map(|block| block.nodes.chunks(block.kind.nodes()));
    for (nodes, x) in nodes.zip(numbers) {
        for &node in nodes {
            if let Some((sum, count)) = sums.get_mut(node as usize) {
                *sum += x;
                *count += 1;
            }
        }
    }
    sums.into_iter().map(|(sum, count)| sum / f64::from(count)).collect()
}

/// Means of each element's nodes.
fn in_elements(mesh: &Mesh, numbers: &[f64]) -> Vec<f64> {
    let nodes = mesh.blocks.iter().flat_map(|block| block.nodes.chunks(block.kind.nodes()));
    let number = |&node: &u32| numbers.get(node as usize).copied().unwrap_or(f64::NAN);
    nodes.map(|nodes| nodes.iter().map(number).sum::<f64>() / nodes.len() as f64).collect()
}
