//! Operands whose residues stay on the device.

use std::sync::Arc;

use nonius_gpu::{Buffer, Error};
use nonius_linalg::dense::gemm::crt::Plan;
use nonius_linalg::dense::gemm::{Engine, Report};

use super::cut::{MOST_TERMS, PITCH_UNIT, STRIP};
use super::engine::{Loaded, engine_of};
use super::matrices::Lines;
use super::planes::Planes;
use super::profile::Known;
use crate::backend::Cuda;
use crate::operand::ALWAYS;

/// The lines of an operand as residues: whatever the other operand, they do for a product.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(super) plan: Plan,
    pub(super) loaded: Arc<Loaded>,
    pub(super) known: Known,
    pub(super) planes: Planes,
    /// What `planes` lie in.
    _memory: Buffer,
}

impl Kept {
    /// Queues the conversion of the lines of an operand to integers of `bits` bits. `side` is 0 for
    /// the left operand, 1 for the right one. `None` where the device has no products by residues
    /// with it.
    pub(crate) fn new(
        cuda: &Cuda,
        side: usize,
        operand: impl Lines,
        bits: u32,
    ) -> Result<Option<Self>, Error> {
        let (lines, k) = operand.shape();
        // More terms are multiplied piece by piece, of other pitches.
        if lines == 0 || !(1..=MOST_TERMS).contains(&k) {
            return Ok(None);
        }
        let Some(engine) = engine_of(cuda, [lines]) else { return Ok(None) };
        let plan = Plan::with_bits(k, bits, 1.0);
        let Some(loaded) = engine.tables(cuda, plan, operand.kind())? else {
            return Ok(None);
        };
        let known = Known::new(cuda, operand)?;
        let pitch = k.next_multiple_of(PITCH_UNIT);
        let stride = lines.next_multiple_of(STRIP) * pitch;
        let (_, count) = loaded.tables.planes();
        let memory = Buffer::new(cuda.stream(), count * stride)?;
        let planes = Planes { address: memory.address(), stride, pitch };
        let integers = (bits, known.found().exponents());
        loaded.pack(cuda, (side, operand), integers, [0..lines, 0..k], planes, ALWAYS)?;
        Ok(Some(Self { plan, loaded, known, planes, _memory: memory }))
    }

    /// What a product by these residues is reported as.
    pub(crate) fn report(&self) -> Report {
        let (bits, moduli) = (Some(self.bits()), self.loaded.tables.moduli);
        Report { engine: Engine::Crt, bits, moduli, fallback: None }
    }

    /// Bits of the integers.
    pub(crate) fn bits(&self) -> u32 {
        self.plan.bits
    }
}

/// Those of two operands' residues with which a product is computed that takes the bits of a plan,
/// and the plan that they are for, of more bits maybe.
pub(super) fn usable(plan: Plan, kept: [Option<&Kept>; 2]) -> (Plan, [Option<&Kept>; 2]) {
    let mut usable = kept.map(|kept| kept.filter(|kept| kept.plan.bits >= plan.bits));
    if let [Some(left), Some(right)] = usable
        && left.plan != right.plan
    {
        usable[usize::from(left.plan.bits <= right.plan.bits)] = None;
    }
    (usable[0].or(usable[1]).map_or(plan, |kept| kept.plan), usable)
}
