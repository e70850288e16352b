//! Operands as residues, for many products.

use std::sync::Arc;

use super::bytes::Bytes;
use super::floats::Floats;
use super::kind::Kind;
use super::layout::Side;
use super::planes::Planes;
use super::source::Source;
use super::tables::Cached;
use super::unit::Unit;
use crate::dense::gemm::crt::{Fallback, Plan, Profile};

/// The lines of an operand, converted once.
pub(crate) struct Converted {
    bits: u32,
    pub(in crate::cpu::gemm) profile: Profile,
    residues: Residues,
}

/// Residues by the unit that multiplies them.
pub(super) enum Residues {
    Bytes(Lines<Bytes>),
    Floats(Lines<Floats>),
}

/// All lines of an operand, and the unit whose they are.
pub(super) struct Lines<U: Unit> {
    pub(super) unit: Arc<U>,
    pub(super) planes: Planes<U>,
}

/// Units of which lines are kept.
pub(super) trait Held: Cached {
    /// The lines of a converted operand, where they are this unit's.
    fn lines(residues: &Residues) -> Option<&Lines<Self>>;
}

impl Held for Bytes {
    fn lines(residues: &Residues) -> Option<&Lines<Self>> {
        match residues {
            Residues::Bytes(lines) => Some(lines),
            Residues::Floats(_) => None,
        }
    }
}

impl Held for Floats {
    fn lines(residues: &Residues) -> Option<&Lines<Self>> {
        match residues {
            Residues::Floats(lines) => Some(lines),
            Residues::Bytes(_) => None,
        }
    }
}

impl Converted {
    /// Converts the lines of an operand to integers of `bits` bits.
    ///
    /// # Errors
    /// [`Fallback`], where there is no product by residues with it.
    pub(in crate::cpu::gemm) fn new(
        kind: Kind,
        side: Side,
        bits: u32,
        source: &impl Source,
        profile: Profile,
    ) -> Result<Self, Fallback> {
        if !profile.finite {
            return Err(Fallback::NotFinite);
        }
        let (_, k) = source.shape();
        // Whatever the other operand: the product's entries are no larger than this one's norms
        // allow.
        let plan = Plan::with_bits(k.max(1), bits, profile.reach);
        let residues = match kind {
            Kind::Bytes => Residues::Bytes(Lines::new(plan, side, source)?),
            Kind::Floats => Residues::Floats(Lines::new(plan, side, source)?),
        };
        Ok(Self { bits, profile, residues })
    }

    /// Bits of the integers.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    pub(super) fn kind(&self) -> Kind {
        match self.residues {
            Residues::Bytes(_) => Kind::Bytes,
            Residues::Floats(_) => Kind::Floats,
        }
    }

    pub(super) fn lines<U: Held>(&self) -> Option<&Lines<U>> {
        U::lines(&self.residues)
    }

    /// Whether both have the same integers and residues modulo the same numbers.
    fn fits(&self, other: &Self) -> bool {
        self.bits == other.bits
            && match (&self.residues, &other.residues) {
                (Residues::Bytes(x), Residues::Bytes(y)) => {
                    x.unit.crt().moduli() == y.unit.crt().moduli()
                }
                (Residues::Floats(x), Residues::Floats(y)) => {
                    x.unit.crt().moduli() == y.unit.crt().moduli()
                }
                _ => false,
            }
    }
}

impl<U: Cached> Lines<U> {
    fn new(plan: Plan, side: Side, source: &impl Source) -> Result<Self, Fallback> {
        let (lines, k) = source.shape();
        let unit = U::tables().get(plan, k)?;
        let planes = Planes::new(&*unit, side, plan.bits, source, 0..lines);
        Ok(Self { unit, planes })
    }
}

/// Those of two converted operands that have the bits of a plan, which takes more where they have.
pub(in crate::cpu::gemm) fn usable<'a>(
    plan: &mut Plan,
    converted: [Option<&'a Converted>; 2],
) -> [Option<&'a Converted>; 2] {
    let mut usable =
        converted.map(|converted| converted.filter(|converted| converted.bits >= plan.bits));
    if let [Some(left), Some(right)] = usable
        && !left.fits(right)
    {
        usable[usize::from(left.bits <= right.bits)] = None;
    }
    if let Some(converted) = usable[0].or(usable[1]) {
        plan.bits = converted.bits;
    }
    usable
}
