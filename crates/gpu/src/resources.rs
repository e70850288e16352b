//! What modules keep for one backend: handles, tables, memory that is used again.

use core::any::{Any, TypeId};
use core::fmt;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// One value of each type that was asked for.
#[derive(Default)]
pub struct Resources(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Resources {
    /// The value of a type, made at its first use.
    pub fn get<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = all.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default()));
        Arc::clone(value).downcast().unwrap_or_else(|_| unreachable!("a value by its type"))
    }
}

impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resources")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_value_of_each_type() {
        let resources = Resources::default();
        resources.get::<AtomicUsize>().store(3, Ordering::Relaxed);
        assert_eq!(resources.get::<AtomicUsize>().load(Ordering::Relaxed), 3);
        assert_eq!(*resources.get::<u8>(), 0);
    }
}
