//! Matrices of GPUs: from one's memory to another's by NCCL, or through their hosts.

use std::collections::HashSet;
use std::sync::Arc;

use nonius_cuda::{Cuda, DeviceMatrix};
use nonius_gpu::nccl::{self, Key, Links};
use nonius_linalg::{DeviceFailure, Error};

use super::cargo::Cargo;
use super::carry::{Carry, Link, by_host, lost};
use crate::{Communicator, Reduction};

/// What carries matrices from one GPU to another.
#[derive(Clone, Debug)]
pub enum CudaWire {
    /// NCCL: every rank has a GPU of its own.
    Direct(Arc<Links>),
    /// Copies through the hosts.
    ByHost(Communicator),
}

impl Link for Cuda {
    type Wire = CudaWire;

    /// A message takes as long as the arithmetic of many columns.
    const CHOLESKY_COLUMNS: usize = 512;
    const LU_COLUMNS: usize = 512;

    /// By NCCL, unless a rank lacks it or two ranks have one GPU.
    fn connect(&self, ranks: &Communicator) -> Result<CudaWire, Error> {
        let all = |mine: bool| {
            let mut least = [u32::from(mine)];
            ranks.all_reduce(Reduction::Least, &mut least).map_err(lost)?;
            Ok::<_, Error>(least[0] == 1)
        };
        let by_host = CudaWire::ByHost(ranks.clone());
        if ranks.size() == 1 || !all(nccl::version().is_some())? {
            return Ok(by_host);
        }
        // NCCL would wait for ever for ranks that it refuses for having one GPU.
        let mine = self.device().identity();
        let others = ranks.all_gather_lists(mine.as_ref().unwrap_or(&[0; 16])).map_err(lost)?;
        let distinct: HashSet<_> = others.iter().collect();
        if !all(mine.is_ok() && distinct.len() == ranks.size())? {
            return Ok(by_host);
        }
        let mut key = [0; Key::BYTES];
        let made = if ranks.rank() == 0 { Key::new().map(Some) } else { Ok(None) };
        if let Ok(Some(made)) = &made {
            key = made.bytes();
        }
        ranks.broadcast(0, &mut key).map_err(lost)?;
        if !all(made.is_ok())? {
            return Ok(by_host);
        }
        let links = Links::join(self.device(), Key::from_bytes(key), ranks.rank(), ranks.size());
        if !all(links.is_ok())? {
            return Ok(by_host);
        }
        links.map(|links| CudaWire::Direct(Arc::new(links))).map_err(failed)
    }

    /// In two streams.
    fn beside<R, S>(&self, first: impl FnOnce() -> R, second: impl FnOnce() -> S) -> (R, S) {
        Cuda::beside(self, first, second)
    }
}

impl<T: Cargo> Carry<T> for Cuda {
    fn exchange(
        &self,
        wire: &CudaWire,
        format: T::Format,
        given: Vec<(usize, DeviceMatrix<T>)>,
        taken: Vec<(usize, (usize, usize))>,
    ) -> Result<Vec<DeviceMatrix<T>>, Error> {
        let links = match wire {
            CudaWire::Direct(links) => links,
            CudaWire::ByHost(ranks) => return by_host(self, ranks, format, given, taken),
        };
        self.fetch(|| {
            let stream = self.stream();
            let mut found = Vec::with_capacity(taken.len());
            for (_, (rows, cols)) in &taken {
                found.push(DeviceMatrix::new_in(stream, format, *rows, *cols)?);
            }
            let sends = given.iter().map(|(to, matrix)| (*to, matrix.buffer()));
            let receives = taken.iter().zip(&mut found);
            let receives = receives.map(|((from, _), matrix)| (*from, matrix.buffer_mut()));
            links.exchange(stream, sends, receives)?;
            Ok(found)
        })
    }
}

fn failed(error: nonius_gpu::Error) -> Error {
    Error::Device(DeviceFailure::new(error))
}
