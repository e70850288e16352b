//! The coordinate in which grids are uniform.
//!
//! `ξ(S) = Σ w_k·asinh((S − c_k)/a_k)`: nodes are dense, with distances in proportion to `a_k`, around the centres `c_k`, and their distances grow like those from the centres far away. With one centre that is
//! the map of Tavella and Randall (*Pricing Financial Instruments: The Finite Difference Method*, 2000), and its inverse is closed; with two, sums take the place of their differential equation. The map is smooth, so that
//! errors of central differences have an expansion in even powers of the distance in `ξ`.

use nonius_linalg::Scalar;

/// Around what nodes are dense.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Centre<T> {
    pub(crate) at: T,
    pub(crate) width: T,
    pub(crate) weight: T,
}

/// The map from prices to the coordinate.
#[derive(Clone, Debug)]
pub(crate) struct Coordinate<T> {
    pub(crate) centres: Vec<Centre<T>>,
}

/// Newton steps after which an inverse is as good as it gets: its start is near, and each doubles the digits.
const STEPS: usize = 60;

impl<T: Scalar> Coordinate<T> {
    /// `ξ(S)`.
    pub(crate) fn at(&self, spot: T) -> T {
        self.centres.iter().fold(T::ZERO, |sum, centre| {
            sum + centre.weight * ((spot - centre.at) / centre.width).asinh()
        })
    }

    /// `dS/dξ` at the price.
    pub(crate) fn slope(&self, spot: T) -> T {
        let density = self.centres.iter().fold(T::ZERO, |sum, centre| {
            let distance = spot - centre.at;
            sum + centre.weight / (centre.width * centre.width + distance * distance).sqrt()
        });
        T::ONE / density
    }

    /// The price at `ξ`, and `dS/dξ` there; `near` is a price from which Newton's method may begin.
    pub(crate) fn inverse(&self, xi: T, near: T) -> (T, T) {
        if let [centre] = self.centres[..] {
            let x = xi / centre.weight;
            let e = x.exp();
            let (e, inverse) = (e.ldexp(-1), T::ONE / e.ldexp(1));
            // Cancellation in the hyperbolic sine is below the rounding of the sum, except where the centre is left by less than u·S.
            let slope = centre.width / centre.weight * (e + inverse);
            return (centre.at + centre.width * (e - inverse), slope);
        }
        let mut spot = near;
        for _ in 0..STEPS {
            let step = (xi - self.at(spot)) * self.slope(spot);
            // A step may overshoot across a centre, where the slope changes quickly: no farther than the map's widths grow.
            let most = self.centres.iter().fold(T::ZERO, |most, centre| {
                let span = centre.width + (spot - centre.at).abs();
                if most == T::ZERO || span < most { span } else { most }
            });
            let step = if step > most {
                most
            } else if step < -most {
                -most
            } else {
                step
            };
            spot += step;
            if step.abs() <= spot.abs() * T::from_f64(4.0 * T::UNIT_ROUNDOFF) {
                break;
            }
        }
        (spot, self.slope(spot))
    }
}
