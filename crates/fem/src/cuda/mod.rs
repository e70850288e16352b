//! Solids in motion on a device.
//!
//! Everything stays there: a step is a launch for the elements of each block, one for time and one
//! for nodes, queued ahead of what the host knows; the device finds the lengths of steps and stops
//! by itself. A block of threads has a patch of the [layout](crate::solid::Layout); with patches of
//! [`PATCH`](crate::solid::PATCH) elements all sums have the order of the host's, and so the same
//! bits.

// The launch of kernels.
#![allow(unsafe_code)]

mod arguments;
mod clock;
mod elements;
mod failure;
#[cfg(test)]
mod host;
mod layout;
mod nodes;
mod numbers;
mod run;
mod sources;
#[cfg(test)]
mod tests;

use nonius_cuda::Cuda;
use nonius_linalg::backend::Cpu;

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
        // What is not known at time zero, the host finds.
        let begun = if state.stable == f64::INFINITY {
            Some(Cpu::default().solids(problem, precision, state)?.state()?)
        } else {
            None
        };
        let state = begun.as_ref().unwrap_or(state);
        let run = DeviceRun::new(self.gpu, problem, precision, state, layout)?;
        Ok(Box::new(run))
    }
}
