//! Jobs on devices.

use std::fmt;

use nonius_comm::Communicator;
use nonius_comm::threads::{Failure, run_with};
use nonius_cuda::Cuda;
use nonius_linalg::backend::Cpu;
use nonius_linalg::interrupt::uninterrupted;
use nonius_linalg::threads::alone;
use nonius_linalg::{DeviceFailure, Error};

use super::{Device, Place, Reason, all};
use crate::backend::{DeviceJob, Team};
use crate::here::{Here, here};
use crate::threads;
use crate::work::Work;

/// A job for one device.
pub(crate) trait Job<R>: DeviceJob<Cpu, Output = R> + DeviceJob<Cuda, Output = R> {}

impl<R, J: DeviceJob<Cpu, Output = R> + DeviceJob<Cuda, Output = R>> Job<R> for J {}

/// A job for ranks.
pub(crate) trait TeamJob: DeviceJob<Team<Cpu>> + DeviceJob<Team<Cuda>> {}

impl<J: DeviceJob<Team<Cpu>> + DeviceJob<Team<Cuda>>> TeamJob for J {}

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
            return Err(failed(OneRank));
        }
        let at = Place::new;
        match self {
            Self::Cpu => Ok((on_cpu(work, &mut job)?, at(self, Reason::Asked))),
            Self::Cuda(ordinal) => Ok((on_gpu(ordinal, &mut job)?, at(self, Reason::Asked))),
            Self::CudaAll if self.several()?.is_some() => Err(failed(OneGpu)),
            Self::CudaAll => Self::Cuda(0).run(work, job),
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
    pub(crate) fn run_or_share<R>(
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

    /// As [`run_or_share`](Self::run_or_share), or on several GPUs. This thread then has the first
    /// one, and other threads do what `another` makes of the job: the same, of which nobody hears,
    /// and whose result is dropped.
    pub(crate) fn share<R, J: SharedJob<R>, K: TeamJob + Send>(
        self,
        work: Work,
        mut job: J,
        another: impl Fn(&J) -> Result<K, Error>,
    ) -> Result<(R, Place), Error> {
        let Some(count) = self.several()? else { return self.run_or_share(work, job) };
        let place = Place::new(self, Reason::Asked);
        Ok((on_all(count, &mut job, another)?, place))
    }

    /// As [`share`](Self::share), but on the CPU for [`Device::Auto`].
    pub(crate) fn share_here<R, J: SharedJob<R>, K: TeamJob + Send>(
        self,
        mut job: J,
        another: impl Fn(&J) -> Result<K, Error>,
    ) -> Result<R, Error> {
        if let Some(count) = self.several()? {
            return on_all(count, &mut job, another);
        }
        match (here(), self) {
            (Some(here), _) => self.on_ranks(&here, &mut job),
            (None, Self::Auto | Self::Cpu) => job.run(&Cpu::default()),
            (None, Self::Cuda(ordinal)) => on_gpu(ordinal, &mut job),
            (None, Self::CudaAll) => on_gpu(0, &mut job),
        }
    }

    /// How many GPUs a task has, where they are several and the task has no ranks yet.
    pub(crate) fn several(self) -> Result<Option<usize>, Error> {
        let count = if self == Self::CudaAll && here().is_none() { all::count()? } else { 1 };
        Ok(Some(count).filter(|&count| count > 1))
    }

    fn on_ranks<R>(self, here: &Here, job: &mut impl SharedJob<R>) -> Result<R, Error> {
        let ordinal = match self {
            Self::Auto | Self::Cpu => return job.run(&Team::new(&here.ranks, Cpu::default())),
            Self::Cuda(ordinal) => ordinal,
            Self::CudaAll => here.place % all::count_gpus()?.max(1),
        };
        let team = Team::new(&here.ranks, all::open_gpu(ordinal)?);
        uninterrupted(|| job.run(&team))
    }
}

/// Does a job on so many GPUs, each of which is a rank.
fn on_all<R, J: SharedJob<R>, K: TeamJob + Send>(
    count: usize,
    job: &mut J,
    another: impl Fn(&J) -> Result<K, Error>,
) -> Result<R, Error> {
    let share = threads::share(count);
    let of_other = |mut job: K| {
        move |ranks: &Communicator| {
            let work = || on_one_of_all(ranks, &mut job).map(drop);
            threads::with(Some(share), work).map_err(failed)?
        }
    };
    let others = (1..count).map(|_| Ok(of_other(another(job)?))).collect::<Result<_, Error>>()?;
    let found = all::in_turn(|| run_with(|ranks| on_one_of_all(ranks, job), others));
    found.map(|(first, _)| first).map_err(|failure| match failure {
        Failure::Rank { error, .. } if !matches!(error, Error::Device(_)) => error,
        // It says which one.
        failure => failed(failure),
    })
}

/// Does a rank's part of a job on its GPU.
fn on_one_of_all<J: DeviceJob<Team<all::One>>>(
    ranks: &Communicator,
    job: &mut J,
) -> Result<J::Output, Error> {
    let team = Team::new(ranks, all::open(ranks.rank())?);
    uninterrupted(|| job.run(&team))
}

/// On this thread alone where the work is short.
fn on_cpu<J: DeviceJob<Cpu>>(work: Work, job: &mut J) -> Result<J::Output, Error> {
    let cpu = Cpu::default();
    if work.is_short() { alone(|| job.run(&cpu)) } else { job.run(&cpu) }
}

fn on_gpu<J: DeviceJob<Cuda>>(ordinal: usize, job: &mut J) -> Result<J::Output, Error> {
    let gpu = all::open_gpu(ordinal)?;
    uninterrupted(|| job.run(&gpu))
}

/// A failure of a device, or of what is asked of devices.
fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Device(DeviceFailure::new(error))
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

#[cfg(test)]
mod tests {
    use core::any::type_name;

    use super::*;
    use crate::backend::Machine;
    use crate::{Precision, ranks};

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
        #[derive(Clone, Copy)]
        struct Size;
        impl<B: Machine> DeviceJob<B> for Size {
            type Output = usize;
            fn run(&mut self, backend: &B) -> Result<usize, Error> {
                assert_eq!(backend.agree(ranks::current().rank() as u64), Ok(0));
                Ok(ranks::current().size())
            }
        }
        let found = ranks::run(2, || Device::Auto.share(work(1e20), Size, |job| Ok(*job))).unwrap();
        let place = Place::new(Device::Cpu, Reason::Ranks);
        assert_eq!(found, [(2, place.clone()), (2, place)]);
    }

    /// What one of all GPUs fails by is told with its rank, and what all say is told as it is.
    #[test]
    fn failures_have_their_rank() {
        /// Fails where the word of the first rank says so.
        #[derive(Clone)]
        struct Fails {
            error: Option<Error>,
        }
        impl<B: Machine> DeviceJob<B> for Fails {
            type Output = ();
            fn run(&mut self, backend: &B) -> Result<(), Error> {
                self.error.clone().map_or(Ok(()), Err)?;
                // Whoever waits hears of it.
                backend.agree(0).map(drop)
            }
        }
        let lost = || Some(failed(nonius_cuda::Error::NoDevice));
        let told = |first: Option<Error>, others: Option<Error>| {
            let job = Fails { error: first };
            let another = |_: &Fails| Ok(Fails { error: others.clone() });
            Device::CudaAll.share(work(1e3), job, another).map(drop)
        };
        assert_eq!(told(None, None), Ok(()));
        let error = told(lost(), None).unwrap_err().to_string();
        assert_eq!(error, format!("rank 0: {}", lost().unwrap()));
        let error = told(None, lost()).unwrap_err().to_string();
        assert!(error.starts_with("rank ") && !error.starts_with("rank 0"), "{error}");
        let singular = Some(Error::NeedsGpu { what: "it" });
        assert_eq!(told(singular.clone(), singular.clone()).err(), singular);
    }
}
