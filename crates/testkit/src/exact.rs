//! Sums and products without rounding.

use nonius_num::eft::{two_prod, two_sum};

/// The exact sum of `f64` and products of `f64`, as long as nothing overflows or underflows.
///
/// A nonoverlapping expansion grown term by term (Shewchuk, *Adaptive precision floating-point
/// arithmetic*, 1997, Grow-Expansion with zero elimination), smallest component first.
#[derive(Clone, Debug, Default)]
pub struct ExactSum(Vec<f64>);

impl ExactSum {
    /// Zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `x`.
    pub fn add(&mut self, x: f64) {
        let mut carry = x;
        self.0.retain_mut(|component| {
            let low;
            (carry, low) = two_sum(carry, *component);
            *component = low;
            low != 0.0
        });
        if carry != 0.0 {
            self.0.push(carry);
        }
    }

    /// Adds a number given by its limbs.
    pub fn add_limbs(&mut self, x: &[f64]) {
        for &limb in x {
            self.add(limb);
        }
    }

    /// Adds the product of two numbers given by their limbs.
    pub fn add_product(&mut self, x: &[f64], y: &[f64]) {
        for &a in x {
            for &b in y {
                let (p, e) = two_prod(a, b);
                self.add(e);
                self.add(p);
            }
        }
    }

    /// Numbers whose exact sum this is, smallest first.
    pub fn components(&self) -> &[f64] {
        &self.0
    }

    /// The sum, rounded to `f64` (within two units of the last place).
    pub fn to_f64(&self) -> f64 {
        self.0.iter().sum()
    }

    /// How far the number with the given limbs is from the sum.
    pub fn distance(&self, limbs: &[f64]) -> f64 {
        let mut difference = self.clone();
        for &limb in limbs {
            difference.add(-limb);
        }
        difference.to_f64().abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_every_bit() {
        let mut sum = ExactSum::new();
        sum.add(1e100);
        sum.add(1e-100);
        sum.add(-1e100);
        assert_eq!(sum.to_f64(), 1e-100);
        assert_eq!(sum.distance(&[1e-100]), 0.0);
        let x = 1.0 + f64::EPSILON;
        sum.add_product(&[x], &[x]);
        sum.add_limbs(&[-1e-100, -1.0, -2.0 * f64::EPSILON]);
        assert_eq!(sum.to_f64(), f64::EPSILON * f64::EPSILON);
    }
}
