//! A step, queued.

use nonius_gpu::{Error, Pointer, Stream};

use super::super::elements::Pass;
use super::super::failure::lost;
use super::super::nodes::Assembly;
use super::DeviceRun;
use crate::solid::Failure;

impl DeviceRun {
    /// Queues a pass of all elements. Sums that other ranks wait for are formed first, and are on
    /// their way while the elements inside are computed.
    pub(super) fn elements_pass(&mut self, pass: Pass) -> Result<(), Failure> {
        let stream = self.cuda.stream();
        let before =
            if self.others.is_empty() { None } else { Some(stream.record().map_err(lost)?) };
        self.queue_parts(true, stream, [0, 1], pass).map_err(lost)?;
        if let Some(halo) = &self.halo {
            // SAFETY: the run's memory is its own, and lives until its streams have been waited
            // for, since what frees it is queued there.
            unsafe { halo.pack(stream, &self.nodes) }.map_err(lost)?;
        }
        let own = if self.halo.is_none() { Some(stream) } else { None };
        let inside = own.into_iter().chain(&self.others);
        let count = inside.clone().count();
        for (index, inner) in inside.enumerate() {
            if let (true, Some(before)) = (index >= count - self.others.len(), &before) {
                inner.wait(before).map_err(lost)?;
            }
            self.queue_parts(false, inner, [index, count], pass).map_err(lost)?;
        }
        if let Some(halo) = &mut self.halo {
            // SAFETY: as above; elements inside write sums of their own.
            unsafe { halo.exchange(stream, &self.nodes)? };
        }
        for other in &self.others {
            other.record().and_then(|end| stream.wait(&end)).map_err(lost)?;
        }
        if let Some(halo) = &mut self.halo {
            // SAFETY: as above; all elements are waited for.
            unsafe { halo.join(stream, &self.nodes)? };
        }
        Ok(())
    }

    /// Queues a part of a pass: that of those elements which other ranks wait for, or of others.
    fn queue_parts(
        &self,
        boundary: bool,
        stream: &Stream,
        [index, count]: [usize; 2],
        pass: Pass,
    ) -> Result<(), Error> {
        for part in self.parts.iter().filter(|part| part.is_boundary == boundary) {
            // SAFETY: as in `elements_pass`; parts write memory of their own.
            unsafe { part.queue(stream, [index, count], pass)? };
        }
        Ok(())
    }

    /// Queues a step, after which accelerations are in memory if it `keeps` them, or none follows.
    pub(super) fn step(&mut self, assembly: Assembly, keeps: bool) -> Result<(), Failure> {
        self.elements_pass(Pass::Step(assembly))?;
        // SAFETY: as in `elements_pass`.
        unsafe { self.nodes.turn(&self.cuda, assembly, keeps) }.map_err(lost)?;
        if assembly != Assembly::Increments {
            return Ok(());
        }
        let (sizes, places) = match &mut self.halo {
            // SAFETY: as above.
            Some(halo) => unsafe {
                halo.sizes(self.cuda.stream(), &self.nodes, self.whole.ranks.rank())?
            },
            None => (self.nodes.sizes.pointer(), Pointer::NULL),
        };
        // SAFETY: as above.
        unsafe { self.nodes.rescale(&self.cuda, sizes, places) }.map_err(lost)
    }
}
