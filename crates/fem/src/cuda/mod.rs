//! Solids in motion on a device.
//!
//! Everything stays there: a step is a launch for the elements of each block, one for time and one
//! for nodes, queued ahead of what the host knows; the device finds the lengths of steps and stops
//! by itself. A block of threads has a patch of the [layout](crate::solid::Layout); with patches of
//! [`PATCH`](crate::solid::PATCH) elements all sums have the order of the host's, and so the same
//! bits.
//!
//! [Several ranks](CudaRanks) have a share of the problem each, as [hosts](crate::Ranks) do, and
//! the bits of one GPU.

// The launch of kernels.
#![allow(unsafe_code)]

mod arguments;
mod clock;
mod elements;
mod failure;
#[cfg(test)]
mod gpus;
mod halo;
#[cfg(test)]
mod host;
mod layout;
mod nodes;
mod numbers;
mod run;
mod sources;
mod tables;
#[cfg(test)]
mod tests;

use nonius_comm::Communicator;
use nonius_comm::dense::{CudaWire, Link};
use nonius_cuda::Cuda;

use crate::cpu::Ranks;
use crate::solid::{Advance, Failure, Precision, Problem, Solids, State};
use run::DeviceRun;

pub use layout::DeviceLayout;
pub use sources::sources;

/// A GPU on which runs are laid out in a stated way.
#[derive(Clone, Copy, Debug)]
pub struct CudaSolids<'a> {
    /// The GPU.
    pub gpu: &'a Cuda,
    /// The way.
    pub layout: DeviceLayout,
}

impl Solids for Cuda {
    fn solids(
        &self,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Box<dyn Advance>, Failure> {
        CudaSolids { gpu: self, layout: DeviceLayout::default() }.solids(problem, precision, state)
    }
}

impl Solids for CudaSolids<'_> {
    fn solids(
        &self,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Box<dyn Advance>, Failure> {
        let layout = DeviceLayout {
            patch: self.layout.patch.clamp(32, 256).next_power_of_two(),
            streams: self.layout.streams.max(1),
        };
        start(self.gpu, (&Communicator::alone(), None), problem, precision, state, layout)
    }
}

/// The GPUs of several ranks, which share a problem out among them as [hosts](crate::Ranks) do.
/// Ranks may share a GPU.
#[derive(Clone, Debug)]
pub struct CudaRanks {
    ranks: Communicator,
    gpu: Cuda,
    /// Where there are several.
    wire: Option<CudaWire>,
}

impl CudaRanks {
    /// Ranks of which this one has that GPU. All ranks call it together.
    ///
    /// # Errors
    /// [`nonius_linalg::Error::Device`]: a rank is lost.
    pub fn new(ranks: &Communicator, gpu: &Cuda) -> Result<Self, nonius_linalg::Error> {
        let wire = if ranks.size() > 1 { Some(gpu.connect(ranks)?) } else { None };
        Ok(Self { ranks: ranks.clone(), gpu: gpu.clone(), wire })
    }
}

impl Solids for CudaRanks {
    fn solids(
        &self,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Box<dyn Advance>, Failure> {
        let (ranks, layout) = ((&self.ranks, self.wire.as_ref()), DeviceLayout::default());
        start(&self.gpu, ranks, problem, precision, state, layout)
    }

    fn ranks(&self) -> Communicator {
        self.ranks.clone()
    }
}

/// A run at the time of a state. What is not known at time zero, hosts find.
fn start(
    gpu: &Cuda,
    ranks: (&Communicator, Option<&CudaWire>),
    problem: &Problem,
    precision: Precision,
    state: &State,
    layout: DeviceLayout,
) -> Result<Box<dyn Advance>, Failure> {
    let begun = if state.stable == f64::INFINITY {
        Some(Ranks(ranks.0.clone()).solids(problem, precision, state)?.state()?)
    } else {
        None
    };
    let state = begun.as_ref().unwrap_or(state);
    Ok(Box::new(DeviceRun::new(gpu, ranks, problem, precision, state, layout)?))
}
