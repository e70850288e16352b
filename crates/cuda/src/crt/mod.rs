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
use nonius_linalg::dense::gemm::crt::{Fallback, Plan, Profile, Target};
use nonius_linalg::dense::gemm::{Accuracy, Engine, Report, Way, Whole};

pub(crate) use self::choice::{advantage, is_long};
pub(crate) use self::matrices::{LimbRows, Lines, LongTask, Matrices, MpRows, MpTask, Task};
pub(crate) use self::multiplier::sources as multiplier_sources;

pub(crate) use self::kept::Kept;

use self::engine::engine_of;
use self::job::Job;
use self::kept::usable;
use self::matrices::{LimbMatrices, LimbNumbers, MpMatrices, MpNumbers};
pub use self::profile::JoinWords;

use self::profile::{Found, Look, Room};
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

/// The integers of a product by residues.
#[derive(Clone, Copy)]
pub(crate) enum Integers {
    /// Of as few bits as keep to the target. The host waits to learn how many these are, or the
    /// fewest are tried.
    Least { target: Target, waits: bool },
    /// Those of a plan.
    Of(Plan),
    /// The same, unless the number at this address is not zero.
    Unless(Plan, u64),
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
#[derive(Debug)]
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

/// A bound with which any number of bits does.
const ANY: f64 = -1.0;

/// What is found already of operands.
fn known(kept: [Option<&Kept>; 2]) -> [Option<Found>; 2] {
    kept.map(|kept| kept.map(|kept| kept.known.found()))
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
        let least_meeting = self.least_meeting(target);
        Look::new(self, operands, known(kept), least_meeting, room, None)
    }

    /// Queues the verdict whether the fewest bits do for a product of which other devices have some
    /// lines; `None` where nothing multiplies residues.
    ///
    /// # Errors
    /// Those of the device, and of what joins words.
    pub(crate) fn judge_together(
        &self,
        operands: [impl Lines; 2],
        target: Target,
        join: JoinWords<'_>,
    ) -> Result<Option<Verdict>, Error> {
        if engine_of(self, operands.map(|operand| operand.shape().0)).is_none() {
            return Ok(None);
        }
        let least_meeting = self.least_meeting(target);
        let look = Look::new(self, operands, [None; 2], least_meeting, None, Some(join))?;
        Ok(Some(Verdict::of(look)))
    }

    /// The bound with which the fewest bits do.
    fn least_meeting(&self, target: Target) -> f64 {
        match self.products().accuracy {
            Accuracy::Normwise => ANY,
            Accuracy::Entrywise => target.least_meeting(),
        }
    }

    /// The bits that a product takes of which some lines have these profiles.
    fn plan(
        &self,
        whole: &Whole<'_>,
        target: Target,
        operands: [impl Lines; 2],
        exponents: [u64; 2],
        [left, right]: [Profile; 2],
    ) -> Result<Result<Plan, Fallback>, Error> {
        let k = whole.sizes[2];
        let [left, right] = &whole.joined([&left, &right]);
        let plan = Plan::for_target(k, target, [left, right], self.products().accuracy);
        // The direct engine takes as long for a product of one limb as these sums do.
        let is_chosen = self.products().engine.is_some();
        let sums_are_worth_it = is_chosen || operands[0].kind() != Kind::Limbs(1);
        if !(whole.meet && sums_are_worth_it && matches!(plan, Err(Fallback::Spread { .. }))) {
            return Ok(plan);
        }
        let least = whole.least(self.least_meeting_sum(operands, exponents)?);
        let meeting = left.meeting_of_sums(right, k, least);
        Ok(Plan::within_bound(k, target, meeting, Plan::reach([left, right])))
    }

    /// How a product is computed, by residues if they can, of which these are some lines.
    pub(crate) fn way_by_residues(
        &self,
        whole: &Whole<'_>,
        target: Target,
        waits: bool,
        operands: [impl Lines; 2],
    ) -> Result<Way, Error> {
        let engine = engine_of(self, operands.map(|operand| operand.shape().0));
        let Some(engine) = engine else { return Ok(Way::Direct(Some(Fallback::NoEngine))) };
        let mut look = Look::new(
            self,
            operands,
            [None; 2],
            target.least_meeting(),
            Some(engine.room()),
            None,
        )?;
        let (exponents, profiles) = (look.exponents(), look.profiles()?);
        if waits {
            let plan = self.plan(whole, target, operands, exponents, profiles)?;
            return Ok(plan.map_or_else(|reason| Way::Direct(Some(reason)), Way::Crt));
        }
        let [left, right] = whole.joined([&profiles[0], &profiles[1]]);
        let any = self.products().accuracy == Accuracy::Normwise;
        let enough = any || left.meeting(&right) >= target.least_meeting();
        if !(left.finite && right.finite && enough) {
            return Ok(Way::Direct(None));
        }
        Ok(Way::Crt(Plan::with_bits(whole.sizes[2], target.least_bits, 1.0)))
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

    /// A product by residues; of operands of which there are some already, with these where they
    /// have as many bits.
    ///
    /// For a target it is queued with the fewest bits before it is known whether these do. Where
    /// the host waits for that, it takes more bits where needed, as many as the entries of
    /// `|op(A)||op(B)|` call for where profiles do not tell.
    ///
    /// # Errors
    /// Those of the device.
    pub(crate) fn multiply_by_residues<M: Matrices>(
        &self,
        matrices: M,
        kept: [Option<&Kept>; 2],
        integers: Integers,
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
        let first = match integers {
            Integers::Least { target, .. } => Plan::with_bits(k, target.least_bits, 1.0),
            Integers::Of(plan) | Integers::Unless(plan, _) => plan,
        };
        if !engine.has_tables(first, kind)
            && let Some(loaded) = engine.tables(self, first, kind)?
        {
            let kinds = [kind, matrices.kind()];
            self.device().prepare(&ready::modules::<M>(multiplier, kinds, &loaded.tables));
        }
        let room = matches!(integers, Integers::Least { waits: true, .. }).then(|| engine.room());
        let mut look = match integers {
            Integers::Least { target, .. } => self.look(operands, kept, target, room)?,
            Integers::Of(_) | Integers::Unless(..) => {
                Look::new(self, operands, known(kept), ANY, None, None)?
            }
        };
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
        let refused = match integers {
            Integers::Least { .. } => look.refused(),
            Integers::Of(_) => 0,
            Integers::Unless(_, refused) => refused,
        };
        let report = match run(first, refused)? {
            Ok(report) => report,
            Err(fallback) => return Ok(Outcome::Refused(fallback)),
        };
        let target = match integers {
            Integers::Of(_) | Integers::Unless(..) => return Ok(Outcome::Done(report)),
            Integers::Least { waits: false, .. } => return Ok(Outcome::Unless(Verdict::of(look))),
            Integers::Least { target, .. } => target,
        };
        let Some(profiles) = look.wait()? else { return Ok(Outcome::Done(report)) };
        let whole = Whole::alone([m, n, k], matrices.part().is_some());
        let plan = self.plan(&whole, target, operands, exponents, profiles)?;
        let report = match plan {
            Ok(plan) => run(plan, 0)?,
            Err(fallback) => Err(fallback),
        };
        Ok(report.map_or_else(Outcome::Refused, Outcome::Done))
    }
}
