//! Products of matrices through residues; the method and its error stand in
//! `nonius_linalg::dense::gemm::crt`, the bits are the host's.
//!
//! Residues of rows of `op(A)` and of columns of `op(B)` lie in planes of bytes. Planes are
//! multiplied, and residues of the sums lie in planes again, for a tile of `C` at a time.

mod choice;
mod convert;
mod cut;
mod engine;
mod job;
mod kept;
mod matrices;
mod meeting;
mod multiplier;
mod planes;
mod profile;
mod ready;
mod sizes;
mod tables;
#[cfg(all(test, target_os = "linux"))]
mod warps;

use nonius_gpu::{Buffer, Error, KernelType, Plain, Source, bytes_of_mut};
use nonius_linalg::dense::gemm::crt::{Fallback, Plan, Target};
use nonius_linalg::dense::gemm::{Accuracy, Engine, Report};

pub(crate) use self::choice::advantage;
pub(crate) use self::matrices::{LimbRows, Lines, LongTask, Matrices, MpRows, MpTask, Task};
pub(crate) use self::multiplier::sources as multiplier_sources;

pub(crate) use self::kept::Kept;

use self::engine::engine_of;
use self::job::Job;
use self::kept::usable;
use self::matrices::{LimbMatrices, LimbNumbers, MpMatrices, MpNumbers};
use self::profile::{Look, Room};
use crate::backend::Cuda;
use crate::kind::Kind;

/// Every module of this capability for such numbers.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    fn all<N: KernelType + Plain, M: KernelType + Plain>(kind: Kind) -> Vec<Source> {
        [profile::source::<N>(kind), meeting::source::<N>(kind)]
            .into_iter()
            .chain(convert::sources::<N, M>(kind))
            .collect()
    }
    match kind {
        Kind::Limbs(_) => all::<LimbNumbers, LimbMatrices>(kind),
        Kind::Mp(_) => all::<MpNumbers, MpMatrices>(kind),
    }
}

/// What became of a product.
pub(crate) enum Outcome {
    /// It is queued.
    Done(Report),
    /// It is not computed this way; `C` is as it was.
    Refused(Fallback),
    /// It is queued unless the verdict refuses it, with `C` as it was.
    Unless(Verdict),
}

/// What a device finds about a product: a number that is not zero where it is not computed by
/// residues.
pub(crate) struct Verdict {
    address: u64,
    /// Freed in the order of the stream.
    memory: Buffer,
}

impl Verdict {
    fn of(look: Look<'_>) -> Self {
        Self { address: look.refused(), memory: look.into_memory() }
    }

    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    /// Whether the product is not computed by residues; waits.
    pub(crate) fn refuses(&self, cuda: &Cuda) -> Result<bool, Error> {
        let (mut word, offset) = (0_u64, self.address - self.memory.address());
        // SAFETY: looked at when the stream has been waited for.
        unsafe {
            let word = bytes_of_mut(core::slice::from_mut(&mut word));
            self.memory.read(cuda.stream(), offset as usize, word)?;
        }
        cuda.stream().synchronize()?;
        Ok(word != 0)
    }
}

impl Cuda {
    /// Looks at the operands of a product, and judges whether the fewest bits do.
    fn look<'a>(
        &self,
        operands: [impl Lines; 2],
        kept: [Option<&Kept>; 2],
        target: Target,
        room: Option<&'a Room>,
    ) -> Result<Look<'a>, Error> {
        let known = kept.map(|kept| kept.map(|kept| kept.known.found()));
        let least_meeting = match self.products().accuracy {
            Accuracy::Normwise => -1.0,
            Accuracy::Entrywise => target.least_meeting(),
        };
        Look::new(self, operands, known, least_meeting, room)
    }

    /// Queues the verdict whether the fewest bits do for a product.
    ///
    /// # Errors
    /// Those of the device.
    pub(crate) fn judge(
        &self,
        operands: [impl Lines; 2],
        kept: [Option<&Kept>; 2],
        target: Target,
    ) -> Result<Verdict, Error> {
        self.look(operands, kept, target, None).map(Verdict::of)
    }

    /// A product by residues, of integers as long as the target says; of operands of which there
    /// are some already, with these where they have as many bits.
    ///
    /// It is queued with the fewest bits before it is known whether these do. Where `waits`, the
    /// host waits for that, and takes more bits where needed, as many as the entries of
    /// `|op(A)||op(B)|` call for where profiles do not tell.
    ///
    /// # Errors
    /// Those of the device.
    pub(crate) fn multiply_by_residues<M: Matrices>(
        &self,
        matrices: M,
        kept: [Option<&Kept>; 2],
        target: Target,
        waits: bool,
    ) -> Result<Outcome, Error> {
        let operands = matrices.operands();
        let [(m, k), (n, _)] = operands.map(|operand| operand.shape());
        let engine = engine_of(self, [m, n]);
        let Some((engine, multiplier)) =
            engine.as_ref().and_then(|engine| Some((engine, engine.multiplier()?)))
        else {
            return Ok(Outcome::Refused(Fallback::NoEngine));
        };
        let kind = operands[0].kind();
        let fewest = Plan::with_bits(k, target.least_bits, 1.0);
        if !engine.has_tables(fewest, kind)
            && let Some(loaded) = engine.tables(self, fewest, kind)?
        {
            let kinds = [kind, matrices.kind()];
            self.device().prepare(&ready::modules::<M>(multiplier, kinds, &loaded.tables));
        }
        let accuracy = self.products().accuracy;
        let room = waits.then(|| engine.room());
        let mut look = self.look(operands, kept, target, room)?;
        let exponents = look.exponents();
        let run = |plan: Plan, refused: u64| {
            let (plan, kept) = usable(plan, kept);
            let loaded = match kept[0].or(kept[1]) {
                Some(kept) => Some(kept.loaded.clone()),
                None => engine.tables(self, plan, kind)?,
            };
            let Some(loaded) = loaded else {
                return Ok(Err(Fallback::TooManyBits { bits: plan.bits }));
            };
            let (cuda, loaded) = (self, &*loaded);
            let job = Job { cuda, multiplier, loaded, plan, kept, matrices, exponents, refused };
            if !job.run()? {
                return Ok(Err(Fallback::NoEngine));
            }
            let (bits, moduli) = (Some(plan.bits), loaded.tables.moduli);
            Ok(Ok(Report { engine: Engine::Crt, bits, moduli, fallback: None }))
        };
        let report = match run(fewest, look.refused())? {
            Ok(report) => report,
            Err(fallback) => return Ok(Outcome::Refused(fallback)),
        };
        if !waits {
            return Ok(Outcome::Unless(Verdict::of(look)));
        }
        let Some([left, right]) = look.wait()? else { return Ok(Outcome::Done(report)) };
        let plan = match Plan::for_target(k, target, [&left, &right], accuracy) {
            Err(Fallback::Spread { .. }) => {
                let least = self.least_meeting_sum(operands, exponents)?;
                let meeting = left.meeting_of_sums(&right, k, least);
                Plan::within_bound(k, target, meeting, Plan::reach([&left, &right]))
            }
            plan => plan,
        };
        let report = match plan {
            Ok(plan) => run(plan, 0)?,
            Err(fallback) => Err(fallback),
        };
        Ok(report.map_or_else(Outcome::Refused, Outcome::Done))
    }
}
