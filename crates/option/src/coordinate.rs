//! The coordinate in which grids are uniform.
//!
//! `ξ(S) = Σ w_k·asinh((S − c_k)/a_k)`: nodes are dense, with distances in proportion to `a_k`,
//! around the centres `c_k`, and their distances grow like those from the centres far away. With
//! one centre that is the map of Tavella and Randall (*Pricing Financial Instruments: The Finite
//! Difference Method*, 2000), and its inverse is closed; with two, sums take the place of their
//! differential equation. The map is smooth, so that errors of central differences have an
//! expansion in even powers of the distance in `ξ`.

use nonius_linalg::Number;

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

/// Newton steps after which an inverse is as good as it gets: its start is near, and each doubles
/// the digits.
const MOST_NEWTON_STEPS: usize = 60;

impl<T: Number> Coordinate<T> {
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
            // Cancellation in the hyperbolic sine is below the rounding of the sum, except where
            // the centre is left by less than u·S.
            let slope = centre.width / centre.weight * (e + inverse);
            return (centre.at + centre.width * (e - inverse), slope);
        }
        let mut spot = near;
        let few_roundings = T::from_size(T::unit_roundoff(xi.format())).ldexp(2);
        for _ in 0..MOST_NEWTON_STEPS {
            let step = (xi - self.at(spot)) * self.slope(spot);
            // A step may overshoot across a centre, where the slope changes quickly: no farther
            // than the map's widths grow.
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
            if step.abs() <= spot.abs() * few_roundings {
                break;
            }
        }
        (spot, self.slope(spot))
    }
}

#[cfg(test)]
mod tests {
    use nonius_linalg::Scalar;
    use nonius_num::Dd;

    use super::*;

    /// The inverse undoes the map to some roundings, on both sides of either centre and far away.
    fn inverts<T: Scalar>(centres: &[[f64; 3]]) {
        let number = T::from_f64;
        let centre = |&[at, width, weight]: &[f64; 3]| Centre {
            at: number(at),
            width: number(width),
            weight: number(weight),
        };
        let coordinate = Coordinate { centres: centres.iter().map(centre).collect() };
        for spot in [1.0, 50.0, 89.0, 90.0, 95.0, 100.0, 101.0, 150.0, 1e4] {
            let spot = number(spot);
            let xi = coordinate.at(spot);
            for near in [1.0, 90.0, 100.0, 1e4] {
                let (found, slope) = coordinate.inverse(xi, number(near));
                // Roundings of the coordinate, which is at most 20 here, are multiplied by the
                // slope; the centre is rounded besides.
                let bound = 64.0 * T::UNIT_ROUNDOFF * (spot + slope + number(100.0)).to_f64();
                let error = (found - spot).abs().to_f64();
                assert!(error <= bound, "{spot:?} from {near}: {error:e} of {bound:e}");
                let error = (slope - coordinate.slope(spot)).abs().to_f64();
                assert!(error <= 64.0 * T::UNIT_ROUNDOFF * (100.0 + slope.to_f64()), "{spot:?}");
            }
        }
    }

    #[test]
    fn inverses_undo_maps() {
        for width in [0.5, 20.0] {
            inverts::<f64>(&[[100.0, width, 1.0]]);
            inverts::<Dd>(&[[100.0, width, 1.0]]);
            inverts::<f64>(&[[100.0, width, 1.0], [90.0, width, 0.7]]);
            inverts::<Dd>(&[[100.0, width, 1.0], [90.0, width, 0.7]]);
        }
    }
}
