//! The matrix `G_ij = Fᵢ•Fⱼ`: how far a matrix is from one that meets the constraints.
//!
//! Where `G` is positive definite, there is a `z` with `Fᵢ•(Σ zⱼ·Fⱼ) = rᵢ` for every `r`, and
//! `‖Σ zⱼ·Fⱼ‖_F = √(rᵀG⁻¹r)`. Constraints are scaled by powers of two, so that their norms are
//! between 1/2 and 1, and fall into connected components, of which two share no entry. Each has a
//! Cholesky factor in `f64`, and a bound of its least eigenvalue from below, as in
//! [`definite`](super::definite).

use nonius_linalg::dense::{Cholesky, Triangle};
use nonius_linalg::{Error, MatRef, Matrix};

use super::bounds::{UNDERFLOW_BOUND, power_below, up};
use super::data::Data;
use crate::components::Components;
use crate::cone::Program;

/// Steps of inverse iteration that estimate a least eigenvalue.
const INVERSE_ITERATIONS: usize = 6;
/// The parts of the estimate that are tried as bounds.
const PARTS: [f64; 4] = [0.5, 0.1, 0.01, 0.001];

/// Factors of `G`.
#[derive(Debug)]
pub(super) struct Gram {
    /// The powers of two by which constraints are multiplied.
    scales: Vec<f64>,
    components: Vec<Component>,
}

/// Constraints that share entries, and no entry with others.
#[derive(Debug)]
struct Component {
    constraints: Vec<usize>,
    factor: Factor,
    /// A bound of the least eigenvalue from below.
    least: f64,
}

#[derive(Debug)]
enum Factor {
    /// Of one constraint the number itself.
    Number(f64),
    Matrix(Cholesky<f64>),
}

/// An entry of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    block: u32,
    col: u32,
    row: u32,
    constraint: u32,
}

/// The entries of all constraints, once by places and once by constraints.
struct Entries {
    /// Constraints and scaled values of the entries at place `p` are those from `starts[p]` up to
    /// `starts[p + 1]`.
    starts: Vec<usize>,
    of_place: Vec<(u32, f64)>,
    /// Of each constraint its places, and values that count twice beside the diagonal.
    of_constraint: Vec<Vec<(u32, f64)>>,
}

impl Entries {
    fn new(program: &Program<f64>, scales: &[f64]) -> Self {
        let mut entries: Vec<(Entry, f64)> = Vec::new();
        for (block, square) in program.squares().iter().enumerate() {
            for (k, &constraint) in square.constraints.iter().enumerate() {
                for e in square.starts[k]..square.starts[k + 1] {
                    let (row, col) = (square.entries.rows[e], square.entries.cols[e]);
                    let entry = Entry { block: block as u32, col, row, constraint };
                    entries.push((entry, square.entries.values.at(e)));
                }
            }
        }
        let (diagonal, block) = (program.diagonal(), program.squares().len() as u32);
        for row in 0..diagonal.order {
            for e in diagonal.starts[row]..diagonal.starts[row + 1] {
                let (row, constraint) = (row as u32, diagonal.constraints[e]);
                if (constraint as usize) < scales.len() {
                    let entry = Entry { block, col: row, row, constraint };
                    entries.push((entry, diagonal.values.at(e)));
                }
            }
        }
        entries.sort_unstable_by_key(|&(entry, _)| entry);
        let mut all = Self {
            starts: Vec::new(),
            of_place: Vec::with_capacity(entries.len()),
            of_constraint: vec![Vec::new(); scales.len()],
        };
        let mut last = None;
        for (at, (entry, value)) in entries.into_iter().enumerate() {
            let place = (entry.block, entry.col, entry.row);
            if last != Some(place) {
                all.starts.push(at);
                last = Some(place);
            }
            let k = entry.constraint as usize;
            let value = value * scales[k];
            let weight = if entry.row == entry.col { value } else { 2.0 * value };
            all.of_place.push((entry.constraint, value));
            all.of_constraint[k].push((all.starts.len() as u32 - 1, weight));
        }
        all.starts.push(all.of_place.len());
        all
    }

    fn at(&self, place: u32) -> &[(u32, f64)] {
        &self.of_place[self.starts[place as usize]..self.starts[place as usize + 1]]
    }
}

impl Gram {
    /// The factors; `None` where constraints are not proved independent.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(super) fn new(program: &Program<f64>, data: &Data) -> Result<Option<Self>, Error> {
        let scales: Vec<f64> = data.matrices.iter().map(|&norm| power_below(norm)).collect();
        let entries = Entries::new(program, &scales);
        let mut components = Components::new(scales.len());
        for place in 0..entries.starts.len() - 1 {
            let shared = entries.at(place as u32);
            shared.iter().for_each(|&(k, _)| components.join(shared[0].0 as usize, k as usize));
        }
        let sets = components.sets();
        if sets.iter().map(Vec::len).sum::<usize>() < scales.len() {
            return Ok(None);
        }
        let mut positions = vec![0; scales.len()];
        let mut found = Vec::with_capacity(sets.len());
        for set in sets {
            set.iter().enumerate().for_each(|(i, &k)| positions[k] = i);
            match Component::new(set, &positions, &entries)? {
                Some(component) => found.push(component),
                None => return Ok(None),
            }
        }
        Ok(Some(Self { scales, components: found }))
    }

    /// A bound of `√(rᵀG⁻¹r)` from above.
    pub(super) fn distance(&self, r: impl Fn(usize) -> f64) -> f64 {
        let scaled = |k: usize| r(k).abs() * self.scales[k];
        let not_less = |x: f64, y: f64| if y.is_nan() || y > x { y } else { x };
        let largest = (0..self.scales.len()).map(scaled).fold(UNDERFLOW_BOUND, not_less);
        let (mut sum, mut count) = (0.0, 0.0);
        for component in &self.components {
            // What falls below the range is not lost.
            let square = |&k: &usize| (scaled(k) / largest).max(UNDERFLOW_BOUND.sqrt()).powi(2);
            sum += component.constraints.iter().map(square).sum::<f64>() / component.least;
            count += component.constraints.len() as f64 + 4.0;
        }
        up(largest * sum.sqrt() * (1.0 + count * f64::EPSILON))
    }

    /// An approximation to `G⁻¹·r`.
    ///
    /// # Errors
    /// Those of systems with factors.
    pub(super) fn solve(&self, r: &[f64]) -> Result<Vec<f64>, Error> {
        let mut z = vec![0.0; r.len()];
        for Component { constraints, factor, .. } in &self.components {
            let right: Vec<f64> = constraints.iter().map(|&k| r[k] * self.scales[k]).collect();
            let solved = factor.solve(&right)?;
            for (&k, solved) in constraints.iter().zip(solved) {
                z[k] = solved * self.scales[k];
            }
        }
        Ok(z)
    }
}

impl Component {
    fn new(
        constraints: Vec<usize>,
        positions: &[usize],
        entries: &Entries,
    ) -> Result<Option<Self>, Error> {
        let n = constraints.len();
        // `|ΔG_ij| ≤ (min(eᵢ, eⱼ) + 6)·u` for matrices of `eᵢ` entries of norm 1, so that the norm
        // of `ΔG` is at most `Σ (eᵢ + 6)·u`.
        let count: usize = constraints.iter().map(|&k| entries.of_constraint[k].len() + 6).sum();
        let rounded = up(count as f64 * f64::EPSILON);
        let mut g = Matrix::try_zeros(n, n)?;
        for (j, &k) in constraints.iter().enumerate() {
            let column = g.col_mut(j);
            for &(place, weight) in &entries.of_constraint[k] {
                for &(other, value) in entries.at(place) {
                    let i = positions[other as usize];
                    if i >= j {
                        column[i] += weight * value;
                    }
                }
            }
        }
        if n == 1 {
            let number: f64 = g[(0, 0)];
            let least = number - rounded;
            let is_proved = least > f64::EPSILON && number.is_finite();
            let factor = Factor::Number(number);
            return Ok(is_proved.then_some(Self { constraints, factor, least }));
        }
        let Some(factor) = cholesky(&g, 0.0)? else { return Ok(None) };
        let factor = Factor::Matrix(factor);
        let estimate = factor.least_eigenvalue(n)?;
        // As `Rounding::factor`, with the constants that sums of products in `f64` have, whatever
        // their order: `γₙ ≤ 4·(n + 16)·u`.
        let trace: f64 = (0..n).map(|i| g[(i, i)].abs()).sum();
        let lost = up(4.0 * (n as f64 + 16.0) * f64::EPSILON * trace) + rounded;
        for part in PARTS {
            let shift = part * estimate;
            let least = shift - lost - up(2.0 * f64::EPSILON);
            if least > 0.1 * shift && cholesky(&g, shift)?.is_some() {
                return Ok(Some(Self { constraints, factor, least }));
            }
        }
        Ok(None)
    }
}

impl Factor {
    fn solve(&self, right: &[f64]) -> Result<Vec<f64>, Error> {
        match self {
            Self::Number(number) => Ok(right.iter().map(|x| x / number).collect()),
            Self::Matrix(factor) => {
                Ok(factor.solve(MatRef::from_column(right))?.as_slice().to_vec())
            }
        }
    }

    /// An estimate of the least eigenvalue, by inverse iteration.
    fn least_eigenvalue(&self, n: usize) -> Result<f64, Error> {
        // No vector of a structured matrix.
        let mut x: Vec<f64> =
            (0..n).map(|i| 1.0 + ((i * 7919 + 13) % 1013) as f64 / 1013.0).collect();
        let mut least = f64::INFINITY;
        for _ in 0..INVERSE_ITERATIONS {
            let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
            x.iter_mut().for_each(|x| *x /= length);
            x = self.solve(&x)?;
            least = least.min(1.0 / x.iter().map(|x| x * x).sum::<f64>().sqrt());
        }
        Ok(least)
    }
}

/// The factor of `G − σ·I`, if there is one.
fn cholesky(g: &Matrix<f64>, shift: f64) -> Result<Option<Cholesky<f64>>, Error> {
    let mut shifted = Matrix::try_zeros(g.rows(), g.cols())?;
    shifted.as_mut_slice().copy_from_slice(g.as_slice());
    (0..g.cols()).for_each(|i| shifted[(i, i)] -= shift);
    match Cholesky::factor(Triangle::Lower, shifted.view()) {
        Ok(factor) => Ok(Some(factor)),
        Err(error @ Error::TooLarge { .. }) => Err(error),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use crate::cone::{Place, Program};

    use super::Gram;
    use crate::certify::data::Data;

    fn program(entries: &[(u32, u32, u32, u32, f64)], m: usize) -> Program<f64> {
        let place = |&(matrix, block, row, col, _): &_| Place { block, matrix, col, row };
        let places: Vec<Place> = entries.iter().map(place).collect();
        let values: Vec<f64> = entries.iter().map(|entry| entry.4).collect();
        Program::new(vec![1.0; m], &[2], 1, &places, &values).unwrap()
    }

    /// `G = [[8, 4], [4, 4]]` of matrices that share an entry, and 9 of one in the diagonal block.
    #[test]
    fn distances_and_solutions() {
        let entries = [(1, 0, 0, 0, 2.0), (1, 0, 1, 1, 2.0), (2, 0, 1, 1, 2.0), (3, 1, 0, 0, 3.0)];
        let program = program(&entries, 3);
        let gram = Gram::new(&program, &Data::new(&program)).unwrap().unwrap();
        assert_eq!(gram.components.len(), 2);
        let z = gram.solve(&[1.0, 0.0, 18.0]).unwrap();
        for (z, expected) in z.iter().zip([0.25, -0.25, 2.0]) {
            // Four units of `u·‖G⁻¹‖·‖r‖` are what two triangles of order two leave.
            assert!((z - expected).abs() <= 8.0 * f64::EPSILON * 2.0, "{z} {expected}");
        }
        for r in [[1.0, 0.0, 0.0], [0.0, 0.0, 3.0], [-1e-200, 2e-200, 0.0], [4.0, 4.0, 9.0]] {
            let z = gram.solve(&r).unwrap();
            let scale = r.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
            let exact = r.iter().zip(z).map(|(r, z)| (r / scale) * (z / scale)).sum::<f64>();
            let (exact, bound) = (exact.sqrt() * scale, gram.distance(|k| r[k]));
            assert!(bound >= exact && bound < 4.0 * exact, "{r:?} {bound} {exact}");
        }
        assert!(gram.distance(|_| f64::NAN).is_nan());
    }

    #[test]
    fn what_depends_on_others_has_no_factors() {
        let entries = [(1, 0, 0, 1, 1.0), (2, 0, 0, 1, 3.0)];
        for (m, entries) in [(2, &entries[..]), (2, &entries[..1])] {
            let program = program(entries, m);
            assert!(Gram::new(&program, &Data::new(&program)).unwrap().is_none());
        }
    }

    /// `F₁ = diag(1, 0)` and `F₂ = diag(1, ε)`, so that `G⁻¹ = [[1 + ε², −1], [−1, 1]]/ε²`: a bound
    /// that is not below the exact distance, or none.
    #[test]
    fn constraints_that_nearly_depend_on_each_other() {
        for exponent in 0..60 {
            let epsilon = 0.5_f64.powi(exponent);
            let entries = [(1, 0, 0, 0, 1.0), (2, 0, 0, 0, 1.0), (2, 0, 1, 1, epsilon)];
            let program = program(&entries, 2);
            let gram = Gram::new(&program, &Data::new(&program)).unwrap();
            // Proofs reach to eigenvalues of some hundred roundoffs, and refuse what rounding makes
            // definite.
            let is_clear = epsilon * epsilon >= 4096.0 * f64::EPSILON;
            assert!(gram.is_some() || !is_clear, "{epsilon:e}");
            assert!(gram.is_none() || epsilon * epsilon > f64::EPSILON, "{epsilon:e}");
            let Some(gram) = gram else { continue };
            for (r, exact) in [([1.0, 0.0], (1.0 + epsilon * epsilon).sqrt()), ([0.0, 1.0], 1.0)] {
                let (exact, bound) = (exact / epsilon, gram.distance(|k| r[k]));
                assert!(bound >= exact, "{epsilon:e} {r:?} {bound} {exact}");
            }
        }
    }
}
