//! How large the terms are of which a Schur complement's diagonal is made.

use nonius_linalg::Number;

use super::Program;

/// The root of the 6 in the bound of terms of second-order cones.
const OF_CONE: f64 = 2.449_489_742_783_178;

/// The magnitudes of all entries of a program's constraints, in `f64`.
#[derive(Clone, Debug)]
pub struct Magnitudes {
    constraints: usize,
    /// For each block its entries, those of a constraint one after the other; the diagonal block is
    /// the last.
    blocks: Vec<Vec<Magnitude>>,
}

#[derive(Clone, Copy, Debug)]
struct Magnitude {
    constraint: u32,
    row: u32,
    col: u32,
    value: f64,
}

impl Magnitudes {
    /// Those of a program.
    pub fn new<T: Number>(program: &Program<T>) -> Self {
        let magnitude = |x: T| x.abs().to_f64();
        let mut blocks = Vec::with_capacity(program.squares().len() + 1);
        for square in program.squares() {
            let entries = &square.entries;
            let of = |(k, &constraint): (usize, &u32)| {
                (square.starts[k]..square.starts[k + 1]).map(move |e| (constraint, e))
            };
            let all = square.constraints.iter().enumerate().flat_map(of);
            blocks.push(
                all.map(|(constraint, e)| Magnitude {
                    constraint,
                    row: entries.rows[e],
                    col: entries.cols[e],
                    value: magnitude(entries.values.at(e)),
                })
                .collect(),
            );
        }
        let diagonal = program.diagonal();
        let of = |k: usize| {
            let range = diagonal.by_constraint[k]..diagonal.by_constraint[k + 1];
            diagonal.numbers[range].iter().map(move |&(e, row)| (k as u32, row as u32, e))
        };
        let all = (0..program.constraints()).flat_map(of);
        let cones = &diagonal.second_order.cones;
        blocks.push(
            all.map(|(constraint, row, e)| {
                let value = magnitude(diagonal.values.at(e));
                let before = cones.partition_point(|cone| cone.rows.start <= row as usize);
                let (row, value) = match before.checked_sub(1) {
                    Some(cone) => (cones[cone].rows.start as u32, value * OF_CONE),
                    None => (row, value),
                };
                Magnitude { constraint, row, col: row, value }
            })
            .collect(),
        );
        Self { constraints: program.constraints(), blocks }
    }

    /// For each constraint a bound of the sum of all magnitudes of terms of `Fₖ•(U·Fₖ·V)`, for
    /// positive semidefinite matrices with these diagonals, by blocks. Rounding errors of a Schur
    /// complement in row `i` and column `j` are roundoffs of the root of the product of two of
    /// these.
    ///
    /// With `|uᵢⱼ| ≤ √(uᵢᵢ·uⱼⱼ)` for both, it is `(Σ |fᵢⱼ|·√(uᵢᵢ·vⱼⱼ))²` in a square, and
    /// `Σ fᵢ²·uᵢ·vᵢ` in the diagonal block. In a second-order cone it is `6·u₀·v₀·Σ fᵢ²`: of the
    /// terms of `2·(u·f)·(v·f) − det(u, v)·(f₀² − ‖f̄‖²)` those of `u·f` add up to at most
    /// `√2·u₀·‖f‖`, and those of `det(u, v)` to `2·u₀·v₀`.
    pub fn of_schur(&self, u: &[Vec<f64>], v: &[Vec<f64>]) -> Vec<f64> {
        let mut sums = vec![0.0; self.constraints];
        let roots = |diagonal: &[f64]| -> Vec<f64> {
            diagonal.iter().map(|&x| x.max(0.0).sqrt()).collect()
        };
        for (number, ((entries, u), v)) in self.blocks.iter().zip(u).zip(v).enumerate() {
            let (u, v) = (roots(u), roots(v));
            let term = |entry: &Magnitude| {
                let (row, col) = (entry.row as usize, entry.col as usize);
                let mirror = if row == col { 0.0 } else { u[col] * v[row] };
                entry.value * (u[row] * v[col] + mirror)
            };
            let is_diagonal = number + 1 == self.blocks.len();
            for group in entries.chunk_by(|x, y| !is_diagonal && x.constraint == y.constraint) {
                let sum: f64 = group.iter().map(term).sum();
                sums[group[0].constraint as usize] += sum * sum;
            }
        }
        sums
    }
}
