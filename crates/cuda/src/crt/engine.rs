//! What a backend keeps for products by residues.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use nonius_gpu::{Buffer, Error};
use nonius_linalg::dense::gemm::crt::Plan;

use super::multiplier::Multiplier;
use super::profile::Room;
use super::sizes::Limits;
use super::tables::{Section, Tables};
use crate::backend::Cuda;
use crate::kind::Kind;

/// The tables of a plan on the device, unless there are none.
type Known = Option<Arc<Loaded>>;

/// By bits of an entry and of the moduli, and whether for any length.
type Key = (u32, u64, bool);

fn key(plan: Plan, kind: Kind) -> Key {
    (plan.bits, plan.modulus_bits.to_bits(), kind.has_any_length())
}

/// Plans whose tables are kept.
const PLANS: usize = 64;

/// What a backend keeps for products by residues.
#[derive(Debug, Default)]
pub(super) struct ResidueEngine {
    multiplier: OnceLock<Option<Multiplier>>,
    tables: Mutex<HashMap<Key, Known>>,
    room: Room,
}

/// Tables, and where they lie. Work of any stream of the device may read them, so that all of it is
/// waited for before they go.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) tables: Tables,
    memory: Buffer,
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // What failed is reported by what follows.
        let _ = self.memory.stream().context().synchronize();
    }
}

impl Loaded {
    /// Any stream may use it from then on.
    fn new(cuda: &Cuda, tables: Tables) -> Result<Self, Error> {
        let bytes: Vec<u8> = tables.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut memory = Buffer::new(cuda.stream(), bytes.len())?;
        // SAFETY: not locked memory.
        unsafe { memory.write(cuda.stream(), 0, &bytes)? };
        cuda.stream().synchronize()?;
        Ok(Self { tables, memory })
    }

    /// Where a part of the tables lies.
    pub(super) fn at(&self, section: Section) -> u64 {
        self.memory.address() + 4 * section.start as u64
    }
}

impl ResidueEngine {
    /// What multiplies planes, where [`engine_of`] has found something.
    pub(super) fn multiplier(&self) -> Option<&Multiplier> {
        self.multiplier.get()?.as_ref()
    }

    /// Memory of the host for what is found of operands.
    pub(super) fn room(&self) -> &Room {
        &self.room
    }

    /// Whether there are tables of a plan for such numbers already.
    pub(super) fn has_tables(&self, plan: Plan, kind: Kind) -> bool {
        let known = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains_key(&key(plan, kind))
    }

    /// The tables of a plan for such numbers.
    pub(super) fn tables(&self, cuda: &Cuda, plan: Plan, kind: Kind) -> Result<Known, Error> {
        let mut known = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let key = key(plan, kind);
        if let Some(tables) = known.get(&key) {
            return Ok(tables.clone());
        }
        if known.len() == PLANS {
            known.clear();
        }
        let tables =
            tables_of(cuda, plan, kind).map(|tables| Loaded::new(cuda, tables)).transpose()?;
        Ok(known.entry(key).or_insert(tables.map(Arc::new)).clone())
    }
}

/// The tables of a plan for such numbers, if there are kernels for it.
pub(super) fn tables_of(cuda: &Cuda, plan: Plan, kind: Kind) -> Option<Tables> {
    let any_length = kind.has_any_length();
    Tables::new(plan, Limits { any_length, shared: cuda.device().shared_memory() })
}

/// The engine of a backend, if its device can multiply planes with `lines` lines.
pub(super) fn engine_of<const N: usize>(
    cuda: &Cuda,
    lines: [usize; N],
) -> Option<Arc<ResidueEngine>> {
    let capable = cuda.device().info().capability >= (8, 0);
    if !capable || lines.into_iter().any(|lines| lines > i32::MAX as usize / 2) {
        return None;
    }
    let engine = cuda.resource::<ResidueEngine>();
    let multiplies = engine.multiplier.get_or_init(|| Multiplier::of(cuda)).is_some();
    multiplies.then_some(engine)
}

impl Cuda {
    /// Whether the residue engine can multiply matrices with `lines` lines.
    pub(crate) fn has_residues(&self, lines: [usize; 2]) -> bool {
        engine_of(self, lines).is_some()
    }
}
