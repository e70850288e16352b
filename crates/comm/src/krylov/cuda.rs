//! Vectors of GPUs: from one's memory to another's by NCCL, or through their hosts.

use nonius_cuda::{Cuda, CudaSpace, CudaVector};
use nonius_linalg::Error;
use nonius_linalg::backend::Segments;

use super::team::lost;
use super::travel::{TAG, Travel};
use crate::Reduction;
use crate::dense::{CudaWire, Way};
use crate::item::zeros;

impl Travel for CudaSpace {
    type Device = Cuda;

    fn device(&self) -> Cuda {
        self.cuda().clone()
    }

    /// NCCL's messages wait in the stream of all work, what is done meanwhile in the one beside it:
    /// the host waits for nothing.
    fn exchange(
        &mut self,
        wire: &CudaWire,
        given: &[(usize, CudaVector)],
        taken: &mut [(usize, CudaVector)],
        meanwhile: impl FnOnce(&mut Self),
    ) -> Result<(), Error> {
        let cuda = self.cuda().clone();
        match wire.way() {
            Way::Direct(links) => {
                let sends = given.iter().map(|(rank, x)| (*rank, x.buffer()));
                let receives = taken.iter_mut().map(|(rank, x)| (*rank, x.buffer_mut()));
                let messages = || {
                    // Vectors are there unless something has failed.
                    cuda.fetch(|| Ok(()))?;
                    links.call(|links| links.exchange(cuda.stream(), sends, receives))
                };
                cuda.beside(messages, || meanwhile(self)).0
            }
            Way::ByHost(ranks) => {
                for (rank, x) in given {
                    ranks.send(*rank, TAG, &self.words(x)?).map_err(lost)?;
                }
                meanwhile(self);
                for (rank, x) in taken {
                    let mut words = zeros(x.buffer().bytes() / size_of::<u64>()).map_err(lost)?;
                    ranks.receive(*rank, TAG, &mut words).map_err(lost)?;
                    self.set_words(&words, x)?;
                }
                Ok(())
            }
        }
    }

    /// Each rank has a vector of words that are zero but for its own entries. The sums of such
    /// words have the bits of all entries, and are one message in the stream.
    fn gather(
        &mut self,
        wire: &CudaWire,
        (rank, own): (usize, &CudaVector),
        counts: &[usize],
        all: &mut CudaVector,
    ) -> Result<(), Error> {
        if all.is_empty() {
            return Ok(());
        }
        let cuda = self.cuda().clone();
        let first = counts[..rank].iter().sum();
        cuda.fetch(|| all.buffer_mut().clear())?;
        self.place(own, 0, all, first..first + counts[rank]);
        match wire.way() {
            Way::Direct(links) => {
                cuda.fetch(|| Ok(()))?;
                links.call(|links| links.add_words(cuda.stream(), all.buffer_mut()))
            }
            Way::ByHost(ranks) => {
                let mut words = self.words(all)?;
                ranks.all_reduce(Reduction::Sum, &mut words).map_err(lost)?;
                self.set_words(&words, all)
            }
        }
    }
}
