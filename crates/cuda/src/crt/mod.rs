//! Products of matrices through residues; the method and its error stand in `nonius_linalg::dense::gemm::crt`, the bits are the
//! host's.
//!
//! Residues of rows of `op(A)` and of columns of `op(B)` lie in planes of bytes, which cuBLASLt multiplies, and their sums of 32 bits in planes
//! of numbers, for a tile of `C` at a time.

mod choice;
mod job;
mod profile;
mod tables;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use nonius_linalg::Scalar;
use nonius_linalg::dense::gemm::crt::{Fallback, Plan};
use nonius_linalg::dense::gemm::{Accuracy, Engine, Report};
use nonius_linalg::dense::{Transpose, Triangle};

pub(crate) use self::choice::advantage;

use self::job::Job;
use self::profile::{Look, Room};
use self::tables::Tables;
use crate::backend::Cuda;
use crate::cublaslt::CublasLt;
use crate::error::Error;
use crate::kernels::Source;
use crate::matrix::Layout;
use crate::memory::Buffer;

/// Most terms whose sum is exact in 32 bits: products of bytes are `2^14` at most.
const MOST_TERMS: usize = (1 << 17) - 1;

/// Every module of this capability.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    [profile::source(limbs)].into_iter().chain(job::sources(limbs)).collect()
}

/// The tables of a plan on the device, unless there are none.
type Known = Option<Arc<Loaded>>;

/// Plans whose tables are kept.
const PLANS: usize = 64;

/// What a backend keeps for products by residues.
#[derive(Debug, Default)]
pub(crate) struct ResidueEngine {
    library: OnceLock<Option<CublasLt>>,
    /// By bits of an entry and of the moduli.
    tables: Mutex<HashMap<(u32, u64), Known>>,
    room: Room,
}

/// Tables, and where they lie.
#[derive(Debug)]
struct Loaded {
    tables: Tables,
    memory: Buffer,
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
}

impl ResidueEngine {
    fn tables(&self, cuda: &Cuda, plan: Plan) -> Result<Known, Error> {
        let mut known = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (plan.bits, plan.modulus_bits.to_bits());
        if let Some(tables) = known.get(&key) {
            return Ok(tables.clone());
        }
        if known.len() == PLANS {
            // Work of either stream may be reading them.
            cuda.finish_both()?;
            known.clear();
        }
        let tables = Tables::new(plan).map(|tables| Loaded::new(cuda, tables)).transpose()?;
        Ok(known.entry(key).or_insert(tables.map(Arc::new)).clone())
    }
}

/// A product that is asked for: `op(A)`, `op(B)`, `C`, with entries and terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<T> {
    pub(crate) a: Layout,
    pub(crate) b: Layout,
    pub(crate) c: Layout,
    pub(crate) alpha: T,
    pub(crate) beta: T,
    pub(crate) part: Option<Triangle>,
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

/// What a device finds about a product: a number that is not zero where it is not computed by residues.
pub(crate) struct Verdict {
    address: u64,
    /// Freed in the order of the stream.
    _memory: Buffer,
}

impl Verdict {
    pub(crate) fn address(&self) -> u64 {
        self.address
    }
}

impl Cuda {
    /// `C ← α·op(A)·op(B) + β·C`, or one triangle of it, by residues of at most so many bits.
    ///
    /// It is queued with the fewest bits before it is known whether these do. Where `waits`, the host waits for that, and takes more bits where needed.
    ///
    /// # Errors
    /// Those of the device.
    pub(crate) fn multiply_by_residues<T: Scalar>(
        &self,
        task: Task<T>,
        most: u32,
        waits: bool,
    ) -> Result<Outcome, Error> {
        let (m, k) = task.a.shape();
        let n = task.b.shape().1;
        let capable = self.device().info().capability >= (8, 0);
        if !capable || k > MOST_TERMS || m.max(n) > i32::MAX as usize / 2 {
            return Ok(Outcome::Refused(Fallback::NoEngine));
        }
        let engine = self.residues();
        let library = engine.library.get_or_init(|| CublasLt::open(self.device().context()));
        let Some(library) = library else { return Ok(Outcome::Refused(Fallback::NoEngine)) };
        let accuracy = self.products().accuracy;
        let least_meeting = match accuracy {
            Accuracy::Normwise => -1.0,
            Accuracy::Entrywise => Plan::least_meeting::<T>(k),
        };
        let operands = [task.a, task.b.op(Transpose::Yes)];
        let room = waits.then_some(&engine.room);
        let mut look = Look::new(self, T::LIMBS, operands, least_meeting, room)?;
        let exponents = look.exponents();
        let run = |plan: Plan, refused: u64| {
            let Some(loaded) = engine.tables(self, plan)? else {
                return Ok(Err(Fallback::Spread { bits: Some(plan.bits) }));
            };
            let Loaded { tables, memory } = &*loaded;
            let job = Job { cuda: self, library, tables, memory, plan, task, exponents, refused };
            if !job.run()? {
                return Ok(Err(Fallback::NoEngine));
            }
            let (bits, moduli) = (Some(plan.bits), tables.moduli);
            Ok(Ok(Report { engine: Engine::Crt, bits, moduli, fallback: None }))
        };
        let outcome = |report| match report {
            Ok(report) => Outcome::Done(report),
            Err(fallback) => Outcome::Refused(fallback),
        };
        let fewest = Plan::with_bits(k, Plan::least_bits::<T>(), 1.0);
        let report = match run(fewest, look.refused())? {
            Ok(report) => report,
            Err(fallback) => return Ok(Outcome::Refused(fallback)),
        };
        if !waits {
            let address = look.refused();
            return Ok(Outcome::Unless(Verdict { address, _memory: look.into_memory() }));
        }
        let Some([left, right]) = look.wait()? else { return Ok(Outcome::Done(report)) };
        match Plan::of_profiles::<T>(k, [&left, &right], accuracy, most) {
            Ok(plan) => Ok(outcome(run(plan, 0)?)),
            Err(fallback) => Ok(Outcome::Refused(fallback)),
        }
    }
}
