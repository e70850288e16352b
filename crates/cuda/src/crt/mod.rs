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
use nonius_linalg::dense::gemm::{Engine, Report};
use nonius_linalg::dense::{Transpose, Triangle};

pub(crate) use self::choice::advantage;

use self::job::Job;
use self::profile::Lines;
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

/// The tables of a plan, unless there are none.
type Known = Option<Arc<Tables>>;

/// What a backend keeps for products by residues.
#[derive(Debug, Default)]
pub(crate) struct ResidueEngine {
    library: OnceLock<Option<CublasLt>>,
    /// By bits of an entry and of the moduli.
    tables: Mutex<HashMap<(u32, u64), Known>>,
}

impl ResidueEngine {
    fn tables(&self, plan: Plan) -> Known {
        let mut known = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (plan.bits, plan.modulus_bits.to_bits());
        known.entry(key).or_insert_with(|| Tables::new(plan).map(Arc::new)).clone()
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

impl Cuda {
    /// `C ← α·op(A)·op(B) + β·C`, or one triangle of it, by residues of at most so many bits.
    ///
    /// # Errors
    /// Those of the device; [`Fallback`], with `C` as it was, where the product is not computed this way.
    pub(crate) fn multiply_by_residues<T: Scalar>(
        &self,
        task: Task<T>,
        most: u32,
    ) -> Result<Result<Report, Fallback>, Error> {
        let (m, k) = task.a.shape();
        let n = task.b.shape().1;
        let capable = self.device().info().capability >= (8, 0);
        if !capable || k > MOST_TERMS || m.max(n) > i32::MAX as usize / 2 {
            return Ok(Err(Fallback::NoEngine));
        }
        let engine = self.residues();
        let library = engine.library.get_or_init(|| CublasLt::open(self.device().context()));
        let Some(library) = library else { return Ok(Err(Fallback::NoEngine)) };
        let columns = task.b.op(Transpose::Yes);
        let lines = [Lines::new(self, T::LIMBS, task.a)?, Lines::new(self, T::LIMBS, columns)?];
        let plan = match self.plan::<T>(k, [&lines[0], &lines[1]], most)? {
            Ok(plan) => plan,
            Err(fallback) => return Ok(Err(fallback)),
        };
        let Some(tables) = engine.tables(plan) else {
            return Ok(Err(Fallback::Spread { bits: Some(plan.bits) }));
        };
        let bytes: Vec<u8> = tables.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut memory = Buffer::new(self.stream(), bytes.len())?;
        // SAFETY: not locked memory.
        unsafe { memory.write(self.stream(), 0, &bytes)? };
        let exponents = [lines[0].exponents(), lines[1].exponents()];
        let job = Job { cuda: self, library, tables: &tables, memory, plan, task, exponents };
        if !job.run()? {
            return Ok(Err(Fallback::NoEngine));
        }
        let (bits, moduli) = (Some(plan.bits), tables.moduli);
        Ok(Ok(Report { engine: Engine::Crt, bits, moduli, fallback: None }))
    }

    fn plan<T: Scalar>(
        &self,
        k: usize,
        lines: [&Lines; 2],
        most: u32,
    ) -> Result<Result<Plan, Fallback>, Error> {
        let [left, right] = Lines::profiles(self, lines)?;
        let accuracy = self.products().accuracy;
        Ok(Plan::of_profiles::<T>(k, [&left, &right], accuracy, most))
    }
}
