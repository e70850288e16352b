//! Units with their tables, kept from one product to the next.

use std::sync::{Arc, Mutex, PoisonError};

use nonius_num::rns::Crt;

use super::unit::Unit;
use crate::dense::gemm::crt::{Fallback, Plan};

/// Units that are kept: tables of the most bits take 10 MB.
const MOST_KEPT_UNITS: usize = 8;

/// What tables depend on.
#[derive(Clone, Copy, PartialEq)]
struct Key {
    plan: Plan,
    terms: usize,
}

/// Units of which some are kept.
pub(super) trait Cached: Unit {
    /// Units of this kind made lately.
    fn tables() -> &'static Cache<Self>;
}

/// Units used last, the last one last.
pub(super) struct Cache<U>(Mutex<Vec<(Key, Arc<U>)>>);

impl<U: Unit> Cache<U> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The unit for a plan and `k` terms.
    ///
    /// # Errors
    /// [`Fallback::Spread`] where there are not enough moduli.
    pub(super) fn get(&self, plan: Plan, k: usize) -> Result<Arc<U>, Fallback> {
        let key = Key { plan, terms: k.min(U::MOST_TERMS) };
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut units = kept();
        if let Some(index) = units.iter().position(|(known, _)| *known == key) {
            let found = units.remove(index);
            units.push(found.clone());
            return Ok(found.1);
        }
        // Others need not wait while tables are made.
        drop(units);
        let Ok(moduli) = U::moduli(plan.modulus_bits, key.terms) else {
            return Err(Fallback::Spread { bits: Some(plan.bits) });
        };
        let unit = Arc::new(U::new(Crt::new(moduli), plan.bits));
        let mut units = kept();
        if units.len() == MOST_KEPT_UNITS {
            units.remove(0);
        }
        units.push((key, unit.clone()));
        Ok(unit)
    }
}
