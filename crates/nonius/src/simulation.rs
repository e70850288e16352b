//! Where solids in motion are computed.

use nonius_fem::model::{Kind, Model};
use nonius_fem::{Error, Simulation};

use crate::device::{Device, Engine, Place, Reason, open};
use crate::work::Work;

/// Lets a simulation go on with a device. [`Device::Auto`] takes the first GPU if that is there and, by the steps that are left, may be done first; where that fails, the simulation stays where it is.
///
/// # Errors
/// [`Error::Device`] where a GPU is asked for.
pub fn place_simulation(
    simulation: &mut Simulation<'_>,
    model: &Model,
    device: Device,
) -> Result<Place, Error> {
    let go_on = |simulation: &mut Simulation<'_>, ordinal: usize| match open(ordinal)
        .map_err(Error::Device)?
    {
        Engine::Cuda(gpu) => simulation.continue_on(&gpu),
        Engine::Cpu => Ok(()),
    };
    let at = |device, reason| Place { device, reason };
    match device {
        Device::Cpu => Ok(at(device, Reason::Asked)),
        Device::Cuda(ordinal) => {
            go_on(simulation, ordinal)?;
            Ok(at(device, Reason::Asked))
        }
        Device::Auto => {
            let estimate = work(simulation, model).estimate();
            let reason = Reason::Estimate(estimate);
            if !estimate.favours_gpu() {
                return Ok(at(Device::Cpu, reason));
            }
            match go_on(simulation, 0) {
                Ok(()) => Ok(at(Device::Cuda(0), reason)),
                Err(Error::Device(nonius_linalg::Error::Device(failure))) => {
                    Ok(at(Device::Cpu, Reason::Failure(failure)))
                }
                Err(error) => Err(error),
            }
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
