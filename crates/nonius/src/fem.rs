//! Solids in motion: decks, their motion by explicit finite elements, and its files.
//!
//! A [`Simulation`] of a [`Model`] goes on with the device that [`place`] chooses for it.

mod crew;

use nonius_linalg::Error as LinalgError;

use model::{Kind, Model};
pub use nonius_fem::*;

use crate::backend::{DeviceJob, Machine};
use crate::device::{Device, Place, Reason};
use crate::work::Work;
use crew::Crew;

/// Lets a simulation go on with a device. [`Device::Auto`] takes the first GPU if that is there
/// and, by the steps that are left, may be done first; where that fails, the simulation stays where
/// it is. On [`Device::CudaAll`] all GPUs have a part of it until it is dropped.
///
/// ```
/// use nonius::fem::model::Kind;
/// use nonius::fem::{Precision, Simulation, generate, place};
/// use nonius::Device;
///
/// let model = generate::bar(Kind::ReducedHexahedron, [20, 1, 1])?;
/// let mut simulation = Simulation::new(&model, Precision::Double)?;
/// let place = place(&mut simulation, &model, Device::Auto)?;
/// assert_eq!(place.device, Device::Cpu); // a short job stays
/// simulation.advance_to(2e-5)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Device`] where a GPU is asked for.
pub fn place(
    simulation: &mut Simulation<'_>,
    model: &Model,
    device: Device,
) -> Result<Place, Error> {
    if let Some(count) = device.several().map_err(Error::Device)? {
        simulation.continue_on(&Crew(count))?;
        return Ok(Place::new(device, Reason::Asked));
    }
    let work = work(simulation, model);
    let moved = device.run_or_share(work, Move { simulation }).map_err(Error::Device);
    let (moved, place) = moved?;
    moved.map(|()| place)
}

/// Takes a simulation to a device.
struct Move<'a, 'b> {
    simulation: &'a mut Simulation<'b>,
}

impl<B: Machine> DeviceJob<B> for Move<'_, '_> {
    type Output = Result<(), Error>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, LinalgError> {
        match backend.continue_simulation(self.simulation) {
            Err(Error::Device(error @ LinalgError::Device(_))) => Err(error),
            moved => Ok(moved),
        }
    }
}

/// What is left to be done.
fn work(simulation: &Simulation<'_>, model: &Model) -> Work {
    let points: usize = model
        .mesh
        .blocks
        .iter()
        .map(|block| block.labels.len() * if block.kind == Kind::Hexahedron { 8 } else { 3 })
        .sum();
    // Some ten numbers go there of each point and node.
    let numbers = 10 * (points + model.mesh.coordinates.len());
    Work::solids(points as f64, simulation.steps_left(), numbers as f64)
}
