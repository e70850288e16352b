//! Angles of points.
//!
//! Method: a point of the first octant is turned by an approximation `θ` of its angle, found in the
//! same way with an eighth of the words: what remains is the arc tangent of a small quotient, by
//! its series. Small angles need no `θ`.
//!
//! Error: that of the balls, for any `θ` in [0, 1) that leaves a quotient below ¼. Debug
//! assertions check both.
//!
//! Source: Brent and Zimmermann, *Modern Computer Arithmetic*, 4.2.2 and 4.8, of which this is a
//! Newton step of higher order.

use core::cmp::Ordering;

use super::Ball;
use super::circular::Part;
use super::logarithm::SMALL;

impl Ball {
    /// The angle of the point `(x, self)` in [−π, π] with `n` words; not both are zero, and errors
    /// are below a quarter of the midpoints.
    pub(in crate::mp::elementary) fn angle(&self, x: &Self, n: usize) -> Self {
        let (y_size, x_size) = (self.clone().abs(), x.clone().abs());
        let n = n + 1;
        let steep = y_size.compare_magnitudes(&x_size) == Ordering::Greater;
        let angle = match steep {
            true => {
                let rest = x_size.angle_in_octant(&y_size, n);
                let rest = if x.negative { rest } else { rest.negated() };
                Self::pi(n).ldexp(-1).add(&rest, n)
            }
            false => {
                let angle = y_size.angle_in_octant(&x_size, n);
                if x.negative { Self::pi(n).sub(&angle, n) } else { angle }
            }
        };
        if self.negative { angle.negated() } else { angle }
    }

    /// For `0 <= self <= x`.
    fn angle_in_octant(&self, x: &Self, n: usize) -> Self {
        if self.is_zero() {
            return self.clone();
        }
        let distance = x.exponent - self.exponent;
        if distance >= SMALL * n as i64 + 2 {
            return self.div(x, n + 1).odd_series(true, n);
        }
        let w = n + ((distance + 2).max(0) as usize).div_ceil(64);
        let approximation = match w / 8 {
            0 | 1 => {
                let ((y, _), (x, _)) = (self.leading(), x.leading());
                Self::from_f64(libm::atan2(libm::ldexp(y, -distance as i32), x))
            }
            few => {
                let cut = |x: &Self| x.truncated(few + 1);
                cut(self).angle_in_octant(&cut(x), few).midpoint()
            }
        };
        let (sine, cosine) = approximation.sin_cos(Part::Both, w);
        let w = w + 1;
        let turned_x = x.mul(&cosine, w).add(&self.mul(&sine, w), w);
        let turned_y = self.mul(&cosine, w).sub(&x.mul(&sine, w), w);
        let relative = turned_x.exponent - turned_y.exponent;
        let further = (relative / 64).clamp(0, w as i64 - 2) as usize;
        let rest = turned_y.div(&turned_x, w - further).odd_series(true, w - further);
        approximation.add(&rest, w)
    }
}
