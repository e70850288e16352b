//! Jobs on devices.

use std::fmt;

use nonius_comm::threads::Failure;
use nonius_cuda::{Cuda, DeviceInfo};
use nonius_linalg::backend::Cpu;
use nonius_linalg::interrupt::uninterrupted;
use nonius_linalg::threads::alone;
use nonius_linalg::{DeviceFailure, Error};

use super::{Device, Place, Reason};
use crate::backend::{DeviceJob, Team};
use crate::here::{Here, here};
use crate::ranks;
use crate::work::Work;

/// A job for one device.
pub(crate) trait Job<R>: DeviceJob<Cpu, Output = R> + DeviceJob<Cuda, Output = R> {}

impl<R, J: DeviceJob<Cpu, Output = R> + DeviceJob<Cuda, Output = R>> Job<R> for J {}

/// A job for one device, or for ranks.
pub(crate) trait SharedJob<R>:
    Job<R> + DeviceJob<Team<Cpu>, Output = R> + DeviceJob<Team<Cuda>, Output = R>
{
}

impl<R, J> SharedJob<R> for J where
    J: Job<R> + DeviceJob<Team<Cpu>, Output = R> + DeviceJob<Team<Cuda>, Output = R>
{
}

impl Device {
    /// Does a job on one device; for [`Device::Auto`] on the CPU where it is short and where the
    /// GPU fails. Refused on several ranks, and for several GPUs.
    pub(crate) fn run<R>(self, work: Work, mut job: impl Job<R>) -> Result<(R, Place), Error> {
        if here().is_some() {
            return Err(OneRank.into());
        }
        let at = Place::new;
        match self {
            Self::Cpu => Ok((on_cpu(work, &mut job)?, at(self, Reason::Asked))),
            Self::Cuda(ordinal) => Ok((on_gpu(ordinal, &mut job)?, at(self, Reason::Asked))),
            Self::CudaAll => {
                let device = Self::Cuda(the_one()?);
                device.run(work, job)
            }
            Self::Auto => {
                let estimate = work.estimate();
                let reason = Reason::Estimate(estimate);
                if !estimate.favours_gpu() {
                    return Ok((on_cpu(work, &mut job)?, at(Self::Cpu, reason)));
                }
                match on_gpu(0, &mut job) {
                    Err(Error::Device(failure)) => {
                        let reason = Reason::Failure(failure);
                        Ok((job.run(&Cpu::default())?, at(Self::Cpu, reason)))
                    }
                    outcome => Ok((outcome?, at(Self::Cuda(0), reason))),
                }
            }
        }
    }

    /// Does a job on one device, as [`run`](Self::run) does, or on the ranks that there are.
    pub(crate) fn share<R>(
        self,
        work: Work,
        mut job: impl SharedJob<R>,
    ) -> Result<(R, Place), Error> {
        let Some(here) = here() else { return self.run(work, job) };
        let (device, reason) = match self {
            Self::Auto => (Self::Cpu, Reason::Ranks),
            asked => (asked, Reason::Asked),
        };
        Ok((device.on_ranks(&here, &mut job)?, Place::new(device, reason)))
    }

    /// Does a job on this device, or on the ranks that there are; on the CPU for [`Device::Auto`].
    pub(crate) fn share_here<R>(self, mut job: impl SharedJob<R>) -> Result<R, Error> {
        match (here(), self) {
            (Some(here), _) => self.on_ranks(&here, &mut job),
            (None, Self::Auto | Self::Cpu) => job.run(&Cpu::default()),
            (None, Self::Cuda(ordinal)) => on_gpu(ordinal, &mut job),
            (None, Self::CudaAll) => on_gpu(the_one()?, &mut job),
        }
    }

    fn on_ranks<R>(self, here: &Here, job: &mut impl SharedJob<R>) -> Result<R, Error> {
        let ordinal = match self {
            Self::Auto | Self::Cpu => return job.run(&Team::new(&here.ranks, Cpu::default())),
            Self::Cuda(ordinal) => ordinal,
            Self::CudaAll => here.place % gpus()?.max(1),
        };
        let team = Team::new(&here.ranks, open(ordinal)?);
        uninterrupted(|| job.run(&team))
    }

    /// How many ranks a task is for, where it is for all GPUs and has no ranks yet.
    pub(crate) fn ranks(self) -> Option<usize> {
        let all = self == Self::CudaAll && here().is_none();
        gpus().ok().filter(|&count| all && count > 1)
    }
}

/// Does a task on so many ranks, and returns what it yields on the first of them.
pub(crate) fn on_all<R: Send>(
    ranks: usize,
    task: impl Fn() -> Result<R, Error> + Sync,
) -> Result<R, Error> {
    let found = ranks::run(ranks, task).map_err(|failure| match failure {
        Failure::Rank { error, .. } => error,
        failure => Error::Device(DeviceFailure::new(failure)),
    })?;
    Ok(found.into_iter().next().unwrap_or_else(|| unreachable!("there is a first rank")))
}

/// On this thread alone where the work is short.
fn on_cpu<J: DeviceJob<Cpu>>(work: Work, job: &mut J) -> Result<J::Output, Error> {
    let cpu = Cpu::default();
    if work.is_short() { alone(|| job.run(&cpu)) } else { job.run(&cpu) }
}

fn on_gpu<J: DeviceJob<Cuda>>(ordinal: usize, job: &mut J) -> Result<J::Output, Error> {
    let gpu = open(ordinal)?;
    uninterrupted(|| job.run(&gpu))
}

fn open(ordinal: usize) -> Result<Cuda, Error> {
    let opened = nonius_cuda::Device::new(ordinal).and_then(|device| Cuda::new(&device));
    opened.map_err(|error| Error::Device(DeviceFailure::new(error)))
}

/// How many GPUs there are; at least one.
fn gpus() -> Result<usize, Error> {
    let all = DeviceInfo::all().map_err(|error| Error::Device(DeviceFailure::new(error)))?;
    Ok(all.len())
}

/// The only GPU.
fn the_one() -> Result<usize, Error> {
    if gpus()? > 1 { Err(OneGpu.into()) } else { Ok(0) }
}

/// Several ranks are asked for what one of them can do.
#[derive(Debug)]
struct OneRank;

/// Several GPUs are asked for what one of them can do.
#[derive(Debug)]
struct OneGpu;

impl fmt::Display for OneRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is not shared by ranks: start one process")
    }
}

impl fmt::Display for OneGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is not shared by GPUs: expected cuda, or cuda:1, say, for cuda:all")
    }
}

impl std::error::Error for OneRank {}
impl std::error::Error for OneGpu {}

impl From<OneRank> for Error {
    fn from(error: OneRank) -> Self {
        Self::Device(DeviceFailure::new(error))
    }
}

impl From<OneGpu> for Error {
    fn from(error: OneGpu) -> Self {
        Self::Device(DeviceFailure::new(error))
    }
}

#[cfg(test)]
mod tests {
    use core::any::type_name;

    use super::*;
    use crate::Precision;
    use crate::backend::Machine;

    fn work(operations: f64) -> Work {
        Work::new(Precision::Qd, operations, 1.0)
    }

    /// Work that only the host can do.
    #[derive(Clone, Copy)]
    struct OnlyOnCpu;

    impl<B: Machine> DeviceJob<B> for OnlyOnCpu {
        type Output = ();

        fn run(&mut self, _: &B) -> Result<(), Error> {
            if type_name::<B>() == type_name::<Cpu>() {
                return Ok(());
            }
            Err(Error::Device(DeviceFailure::new(nonius_cuda::Error::NoDevice)))
        }
    }

    /// A long job whose GPU fails is done again on the CPU for `auto`, and the reason kept; for a
    /// GPU asked for it fails.
    #[test]
    fn auto_falls_back() {
        let ((), place) = Device::Auto.run(work(1e20), OnlyOnCpu).unwrap();
        assert_eq!(place.device, Device::Cpu);
        assert!(matches!(place.reason, Reason::Failure(_)));
        assert!(matches!(Device::Cuda(0).run(work(1e20), OnlyOnCpu), Err(Error::Device(_))));
        assert_eq!(Device::Cpu.run(work(1e20), OnlyOnCpu).unwrap().1.reason, Reason::Asked);
    }

    /// A short job asks for no GPU.
    #[test]
    fn auto_stays() {
        let ((), place) = Device::Auto.run(work(1e3), OnlyOnCpu).unwrap();
        assert_eq!(place.device, Device::Cpu);
        assert!(place.reason.to_string().contains("to start a GPU"));
    }

    /// What ranks do not share is refused on several of them; what they share, `auto` leaves to
    /// their hosts.
    #[test]
    fn ranks_share_what_they_can() {
        let refused = ranks::run(2, || Device::Cpu.run(work(1e3), OnlyOnCpu).map(drop));
        let sentence = refused.unwrap_err().to_string();
        assert!(sentence.ends_with("this is not shared by ranks: start one process"), "{sentence}");
        /// How many ranks there are.
        struct Size;
        impl<B: Machine> DeviceJob<B> for Size {
            type Output = usize;
            fn run(&mut self, backend: &B) -> Result<usize, Error> {
                assert_eq!(backend.agree(ranks::current().rank() as u64), Ok(0));
                Ok(ranks::current().size())
            }
        }
        let found = ranks::run(2, || Device::Auto.share(work(1e20), Size)).unwrap();
        let place = Place::new(Device::Cpu, Reason::Ranks);
        assert_eq!(found, [(2, place.clone()), (2, place)]);
        assert!(Device::CudaAll.check().is_ok() || Device::CudaAll.ranks().is_none());
    }
}
