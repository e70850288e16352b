//! Some rows and columns of products of which other devices compute the rest.

use nonius_gpu::Error;
use nonius_linalg::Number;
use nonius_linalg::backend::Share;
use nonius_linalg::dense::gemm::crt::Plan;
use nonius_linalg::dense::gemm::{Report, Way, Whole};
use nonius_linalg::dense::{Side, Transpose, Triangle};

use crate::backend::Cuda;
use crate::crt::{Integers, JoinWords, Kept, LimbRows, MpRows, Outcome, Verdict};
use crate::kind::Kind;
use crate::matrix::{DeviceMut, DeviceRef};
use crate::multiplication::{Multiplication, multiplication, update};
use crate::operand::ALWAYS;

/// Most bytes of an entry's residues, as a rule.
const MOST_PLANES: u64 = 24;
/// The part of a device's memory that residues of columns take at the most.
const SHARE_OF_MEMORY: u64 = 8;

/// The residues of all columns of `op(B)`, for products that are computed one after the other.
#[derive(Debug)]
pub struct HeldColumns(Kept);

/// How a product is computed that devices share, where no host knows.
#[derive(Debug)]
pub struct QueuedWay(Queued);

#[derive(Debug)]
enum Queued {
    By(Way),
    /// By residues with a plan, unless the verdict refuses them.
    Unless(Plan, Verdict),
}

impl QueuedWay {
    /// The way, where the host knows it.
    pub fn known(&self) -> Option<Way> {
        match self.0 {
            Queued::By(way) => Some(way),
            Queued::Unless(..) => None,
        }
    }
}

impl Cuda {
    /// Whether the host waits to learn how a product is computed.
    fn waits_for<T: Number>(&self, whole: &Whole<'_>, format: T::Format) -> bool {
        !whole.queued || self.waits(Kind::of::<T>(format), whole.sizes, whole.triangle)
    }

    fn way_of<T: Number>(
        &self,
        whole: &Whole<'_>,
        [(transpose_a, a), (transpose_b, b)]: [(Transpose, DeviceRef<'_, T>); 2],
    ) -> Result<Way, Error> {
        let (format, [m, n, _]) = (a.format, whole.sizes);
        let waits = self.waits_for::<T>(whole, format);
        let target = self.target_of::<T>(format, whole.sizes, whole.triangle, m + n, waits);
        let Some(target) = target else { return Ok(Way::Direct(None)) };
        let lines = [a.layout.op(transpose_a), b.layout.op(transpose_b.flipped())];
        match Kind::of::<T>(format) {
            Kind::Limbs(limbs) => {
                let lines = lines.map(|layout| LimbRows { limbs, layout });
                self.way_by_residues(whole, target, waits, lines)
            }
            Kind::Mp(bits) => {
                let lines = lines.map(|layout| MpRows { bits, layout });
                self.way_by_residues(whole, target, waits, lines)
            }
        }
    }

    /// How a product is computed of which this device has some lines, and others the rest, and
    /// whose way nobody waits to learn, unless it takes long. `join` replaces words of a buffer by
    /// the greatest that any device has there, in the order of its stream.
    ///
    /// # Errors
    /// Those of the device and of `join`, as [`fetch`](Self::fetch) has them.
    pub fn queued_way<T: Number>(
        &self,
        whole: &Whole<'_>,
        (transpose_a, a): (Transpose, DeviceRef<'_, T>),
        (transpose_b, b): (Transpose, DeviceRef<'_, T>),
        join: JoinWords<'_>,
    ) -> Result<QueuedWay, nonius_linalg::Error> {
        self.fetch(|| {
            // Whoever names the engine gets it where more bits do.
            if self.products().engine.is_some() {
                let way = self.way_of(whole, [(transpose_a, a), (transpose_b, b)])?;
                return Ok(QueuedWay(Queued::By(way)));
            }
            let (format, [m, n, k]) = (a.format, whole.sizes);
            let direct = QueuedWay(Queued::By(Way::Direct(None)));
            let waits = self.waits_for::<T>(whole, format);
            let target = self.target_of::<T>(format, whole.sizes, whole.triangle, m + n, waits);
            let Some(target) = target else { return Ok(direct) };
            let lines = [a.layout.op(transpose_a), b.layout.op(transpose_b.flipped())];
            let verdict = match Kind::of::<T>(format) {
                Kind::Limbs(limbs) => {
                    let lines = lines.map(|layout| LimbRows { limbs, layout });
                    self.judge_together(lines, target, join)?
                }
                Kind::Mp(bits) => {
                    let lines = lines.map(|layout| MpRows { bits, layout });
                    self.judge_together(lines, target, join)?
                }
            };
            let Some(verdict) = verdict else { return Ok(direct) };
            // All devices have the same verdict.
            if waits && verdict.refuses(self)? {
                let way = self.way_of(whole, [(transpose_a, a), (transpose_b, b)])?;
                return Ok(QueuedWay(Queued::By(way)));
            }
            let plan = Plan::with_bits(k, target.least_bits, 1.0);
            Ok(QueuedWay(Queued::Unless(plan, verdict)))
        })
    }

    /// Converts this device's columns of `op(B)` as products take them as a rule, before it is
    /// known how they are computed; `None` where that is of no use, or takes too much memory.
    pub fn hold_columns<T: Number>(
        &self,
        whole: &Whole<'_>,
        (transpose_b, b): (Transpose, DeviceRef<'_, T>),
    ) -> Option<HeldColumns> {
        let (format, [m, n, k]) = (b.format, whole.sizes);
        let waits = self.waits_for::<T>(whole, format);
        let target = self.target_of::<T>(format, whole.sizes, whole.triangle, m + n, waits)?;
        let layout = b.layout.op(transpose_b.flipped());
        let entries = (layout.shape().0 as u64).saturating_mul(k as u64);
        let bytes = entries.saturating_mul(MOST_PLANES);
        if bytes > self.device().info().memory / SHARE_OF_MEMORY {
            return None;
        }
        let kind = Kind::of::<T>(format);
        let kept = self.attempt(|| self.kept(Side::Right, kind, layout, target.least_bits))?;
        kept.map(HeldColumns)
    }

    /// [`gemm_by`](Share::gemm_by), with residues of `op(B)` where there are some.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    pub fn gemm_by_held<T: Number>(
        &self,
        way: Way,
        held: Option<&HeldColumns>,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        b: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) -> Report {
        let product = multiplication((transpose_a, a), (transpose_b, b), alpha, beta, c);
        let report = self.attempt(|| self.multiply_by(way, kept(held), product));
        report.unwrap_or(Report::direct())
    }

    /// Queues [`gemm_by`](Share::gemm_by) of some lines in such a way, with residues of `op(B)`
    /// where there are some.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    pub fn queue_gemm_by<T: Number>(
        &self,
        way: &QueuedWay,
        held: Option<&HeldColumns>,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        b: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) {
        let product = multiplication((transpose_a, a), (transpose_b, b), alpha, beta, c);
        self.attempt(|| self.queue_by(way, kept(held), product));
    }

    /// Queues [`syrk_by`](Share::syrk_by) of some lines in such a way.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    pub fn queue_syrk_by<T: Number>(
        &self,
        way: &QueuedWay,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) {
        let product = update(triangle, (transpose, a), alpha, beta, c);
        self.attempt(|| self.queue_by(way, [None; 2], product));
    }

    fn queue_by<T: Number>(
        &self,
        QueuedWay(way): &QueuedWay,
        kept: [Option<&Kept>; 2],
        product: Multiplication<T>,
    ) -> Result<(), Error> {
        let [m, n, _] = product.sizes();
        let (plan, verdict) = match way {
            Queued::By(way) => return self.multiply_by(*way, kept, product).map(drop),
            Queued::Unless(..) if m == 0 || n == 0 => return Ok(()),
            Queued::Unless(plan, verdict) => (*plan, verdict),
        };
        let mut only_if = ALWAYS;
        if product.alpha != T::ZERO {
            let integers = Integers::Unless(plan, verdict.address());
            if let Outcome::Done(_) = self.multiply_with_residues(product, kept, integers)? {
                only_if = verdict.address();
            }
        }
        self.multiply_directly(self.products().arithmetic, product, only_if)
    }

    fn multiply_by<T: Number>(
        &self,
        way: Way,
        kept: [Option<&Kept>; 2],
        product: Multiplication<T>,
    ) -> Result<Report, Error> {
        let [m, n, _] = product.sizes();
        if m == 0 || n == 0 {
            return Ok(Report::direct());
        }
        let fallback = match way {
            Way::Direct(fallback) => fallback,
            Way::Crt(plan) if product.alpha != T::ZERO => {
                match self.multiply_with_residues(product, kept, Integers::Of(plan))? {
                    Outcome::Done(report) => return Ok(report),
                    Outcome::Refused(reason) => Some(reason),
                    Outcome::Unless(_) => None,
                }
            }
            Way::Crt(_) => None,
        };
        self.multiply_directly(self.products().arithmetic, product, ALWAYS)?;
        Ok(Report { fallback, ..Report::direct() })
    }
}

fn kept(held: Option<&HeldColumns>) -> [Option<&Kept>; 2] {
    [None, held.map(|HeldColumns(kept)| kept)]
}

impl<T: Number> Share<T> for Cuda {
    fn way(
        &self,
        whole: &Whole<'_>,
        a: (Transpose, DeviceRef<'_, T>),
        b: (Transpose, DeviceRef<'_, T>),
    ) -> Way {
        self.attempt(|| self.way_of(whole, [a, b])).unwrap_or(Way::Direct(None))
    }

    fn gemm_by(
        &self,
        way: Way,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        b: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) -> Report {
        self.gemm_by_held(way, None, transpose_a, transpose_b, alpha, a, b, beta, c)
    }

    fn syrk_by(
        &self,
        way: Way,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) {
        let product = update(triangle, (transpose, a), alpha, beta, c);
        self.attempt(|| self.multiply_by(way, [None; 2], product));
    }
}
