//! Exact sums of `f64` as lists of numbers that do not overlap.
//!
//! Source: Shewchuk, *Adaptive precision floating-point arithmetic and fast robust geometric
//! predicates*, Discrete Comput. Geom. 18 (1997): Grow-Expansion (Theorem 10) and Compress (Theorem
//! 23). Exact as long as nothing overflows and no term is subnormal.

use nonius_num::eft::{fast_two_sum, two_sum};

use crate::Scalar;

/// A sum of `f64`, held exactly: components that do not overlap, the smallest first.
#[derive(Debug, Default)]
pub(crate) struct Expansion {
    components: Vec<f64>,
}

impl Expansion {
    /// The exact sum of some numbers.
    pub(crate) fn sum(terms: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }

    /// Adds a number, exactly.
    pub(crate) fn add(&mut self, term: f64) {
        let mut carry = term;
        let mut kept = 0;
        for i in 0..self.components.len() {
            let (sum, error) = two_sum(carry, self.components[i]);
            carry = sum;
            if error != 0.0 {
                self.components[kept] = error;
                kept += 1;
            }
        }
        self.components.truncate(kept);
        if carry != 0.0 {
            self.components.push(carry);
        }
    }

    /// The sum in the format `T`, with an error below two units in the last place of its last limb.
    pub(crate) fn round<T: Scalar>(&self) -> T {
        // From the largest component down: what a limb cannot hold goes on to the next. Reading the
        // components through one bottom-up pass first makes every limb the nearest to what is left.
        let mut top_first = Vec::with_capacity(self.components.len());
        let mut carry = 0.0;
        for &component in &self.components {
            let (sum, error) = fast_two_sum(component, carry);
            carry = sum;
            if error != 0.0 {
                top_first.push(error);
            }
        }
        top_first.push(carry);
        let mut rest = top_first.into_iter().rev();
        let mut limb = rest.next().unwrap_or(0.0);
        T::from_limbs(|i| {
            if i + 1 == T::LIMBS {
                return rest.by_ref().fold(limb, |sum, x| sum + x);
            }
            for next in rest.by_ref() {
                let (sum, error) = fast_two_sum(limb, next);
                if error != 0.0 {
                    limb = error;
                    return sum;
                }
                limb = sum;
            }
            core::mem::take(&mut limb)
        })
    }
}
