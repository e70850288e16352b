//! Vectors that evolve in time under tridiagonal matrices, many at once.
//!
//! **What.** An [`Evolution`] takes a vector `u` through [stages](Stage): steps of `du/dt = L·u`
//! with a tridiagonal [`Generator`] `L`, linear maps to neighbouring nodes, and maxima with an
//! obstacle. That is what the discretisation of a parabolic equation in one dimension needs once it
//! is set up. Whoever computes needs to know no more of it than this page, and a batch is
//! independent of its other members.
//!
//! **Steps** are those of the theta method, `(I − θ·dt·L)·u' = (I + (1 − θ)·dt·L)·u` with `θ > 0`:
//! implicit Euler for `θ = 1`, Crank–Nicolson for `θ = 1/2`. With `κ = (1 − θ)/θ`,
//! `I + (1 − θ)·dt·L = I/θ − κ·(I − θ·dt·L)`, so that `v = u' + κ·u` solves `(I − θ·dt·L)·v = u/θ`:
//! no product with `L` is formed.
//!
//! **With an obstacle** `g` a step solves the linear complementarity problem `M·u' ≥ b`, `u' ≥ g`,
//! one of both an equality in every row. Elimination begins at the end opposite to
//! [`Constraint::end`] and the substitution, from that end on, takes the maximum with `g` node by
//! node. That is exact where `u' = g` holds at that end up to some node and nowhere else, and the
//! matrix is an M-matrix (Brennan and Schwartz, *The valuation of American put options*, 1977;
//! proof: Jaillet, Lamberton and Lapeyre, *Variational inequalities and the pricing of American
//! options*, 1990). Elsewhere `u' ≥ g` still holds, and no more.
//!
//! **Arithmetic.** Only `+ − * /` of the number type, in the order below, and comparisons with
//! zero: the reference and the host return the same bits, and so may others. Nodes
//! `k = 0, 1, …, n − 1` are counted from the end at which elimination begins, which without an
//! obstacle is node 0; `a` couples node `k` to the one before, `c` to the one after:
//!
//! 1. `s = θ·dt`, `κ = (1 − θ)/θ`, `w = 1/θ`, once a stage; `a = −(s·L)`, `b = 1 − s·L`,
//!    `c = −(s·L)` of the entries of `L`;
//! 2. `p₀ = 1/b₀`; `m_k = a_k·p_(k−1)`, `p_k = 1/(b_k − m_k·c_(k−1))`; `q_k = p_k·w`,
//!    `e_k = c_k·p_k`, once a stage;
//! 3. in every step `y₀ = u₀`, `y_k = u_k − m_k·y_(k−1)`;
//! 4. `v_(n−1) = y_(n−1)·q_(n−1)`, `v_k = y_k·q_k − e_k·v_(k+1)`, `u'_k = v_k − κ·u_k`;
//! 5. with an obstacle, where `u'_k − g_k` is negative or zero: `u'_k = g_k`, `v_k = g_k + κ·u_k`,
//!    before the next node.
//!
//! A map sums `((c + w₀·u₀) + w₁·u₁) + …`. A floor makes `u_k` into `g_k` where `u_k − g_k` is
//! negative or zero, and adds what follows.
//!
//! **A floor has kinks** where `u − g` crosses zero between two nodes. The sum of a function with a
//! kink over all nodes differs from its integral by an amount that depends on where in its cell the
//! kink lies: with the slope `s` and curvature `c` on the positive side, `z` the way to it from the
//! node on the other side, and distances of one, `Σ F(k) = ∫F − Σ_j B_(j+1)(1 − z)/(j + 1)!·F^(j)`
//! (Euler and Maclaurin; `B` are Bernoulli's polynomials). The two nodes take `c₀` and `c₁` that
//! replace `B₂(1 − z)` and `B₃(1 − z)` by `B₂(0)` and `B₃(0)`, for any smooth weights of the sum:
//! `c₀ + c₁ = −z(1 − z)/2·(s + (½ − z)/3·c)`, `(1 − z)·c₁ − z·c₀ = −z(1 − z)(½ − z)/3·s`. So errors
//! of what follows have the same expansion in the distance of the nodes up to its third power,
//! wherever the kink lies (Kreiss, Thomée and Widlund, *Smoothing of initial data and rates of
//! convergence for parabolic difference equations*, 1970, on why that is what counts). `z`, `s` and
//! `c` are those of the cubic polynomial through four nodes, of which the outer ones have the signs
//! of their neighbours; elsewhere nothing is added.
//!
//! **Error.** Elimination without pivoting is stable for M-matrices and for diagonally dominant
//! ones (Higham, *Accuracy and Stability of Numerical Algorithms*, 9.5 and 9.6): relative errors of
//! a few units roundoff a step, which a step of a stable method does not magnify. A pivot that is
//! zero or not finite is a [`Failure`].
//!
//! **Another order of operations** is allowed to a backend where `I − s·L` is strictly diagonally
//! dominant by rows: one that leaves a residual of a few units roundoff of `‖I − s·L‖·‖v‖` in a
//! step, as the one above does. The same complementarity problems are solved, and the same nodes
//! lie on obstacles but where rounding decides.

mod alike;
mod check;
mod evolver;
mod format;
pub(crate) mod reference;
#[cfg(test)]
pub(crate) mod tests;

use core::fmt;

use nonius_linalg::Number;

pub use alike::alike;
pub use evolver::Evolve;
pub(crate) use format::in_one_format;

/// A vector, and what becomes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Evolution<T> {
    /// The vector at the beginning, of one number for each node.
    pub start: Vec<T>,
    /// The matrices that stages name by their place here.
    pub generators: Vec<Generator<T>>,
    /// The obstacles that stages name by their place here, each of one number for each node.
    pub obstacles: Vec<Vec<T>>,
    /// What happens, one after the other.
    pub stages: Vec<Stage<T>>,
}

/// A tridiagonal matrix `L`, row by row: entries for each node.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator<T> {
    /// Left of the diagonal; the first is not read.
    pub lower: Vec<T>,
    /// On the diagonal.
    pub diagonal: Vec<T>,
    /// Right of the diagonal; the last is not read.
    pub upper: Vec<T>,
}

/// Something that happens to the vector.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage<T> {
    /// Time passes.
    Steps(Steps<T>),
    /// Every node becomes a combination of old nodes; one row for each.
    Map(Vec<Row<T>>),
    /// The maximum with the obstacle of that number, and beside a crossing the mean of its kink.
    Floor(usize),
}

/// Steps of one size and one matrix, whose factors are computed once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps<T> {
    /// The number of the matrix.
    pub generator: usize,
    /// How many steps.
    pub count: usize,
    /// The size of one.
    pub dt: T,
    /// How implicit one is: in (0, 1].
    pub theta: T,
    /// What the vector has to stay above.
    pub constraint: Option<Constraint>,
}

/// An obstacle, and where the vector lies on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The number of the obstacle.
    pub obstacle: usize,
    /// The end of the vector at which it lies on the obstacle.
    pub end: End,
}

impl Constraint {
    /// Whether elimination begins at the last node.
    pub fn begins_high(self) -> bool {
        self.end == End::Low
    }

    /// The [contact](Outcome::contact) of a vector of `n` nodes, of which `count` lie on the
    /// obstacle, counted from the end.
    pub fn contact(self, count: usize, n: usize) -> Option<u32> {
        let furthest = count.checked_sub(1)?;
        let node = if self.end == End::Low { furthest } else { n - 1 - furthest };
        Some(node as u32)
    }
}

/// An end of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// That of node 0.
    Low,
    /// That of the last node.
    High,
}

/// What a node becomes: `constant + Σ weights[j]·u[first + j]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<T> {
    /// The first of the four old nodes.
    pub first: usize,
    /// What each is multiplied by; one beyond the last node does not count and needs the weight
    /// zero.
    pub weights: [T; 4],
    /// What is added.
    pub constant: T,
}

impl<T: Number> Row<T> {
    /// The node stays what it is.
    pub fn unchanged(node: usize) -> Self {
        Self::scaled(node, T::ONE)
    }

    /// The node is multiplied.
    pub fn scaled(node: usize, factor: T) -> Self {
        let weights = [factor, T::ZERO, T::ZERO, T::ZERO];
        Self { first: node, weights, constant: T::ZERO }
    }

    /// The node becomes a number that no node has a part in.
    pub fn constant(constant: T) -> Self {
        Self { first: 0, weights: [T::ZERO; 4], constant }
    }
}

/// What an evolution came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<T> {
    /// The vector at the end.
    pub u: Vec<T>,
    /// For every step with an obstacle, in their order, the node furthest from the
    /// [end](Constraint::end) up to which the vector lies on the obstacle; `None` where it does not
    /// at the end itself.
    pub contact: Vec<Option<u32>>,
}

/// Why an evolution has no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// There are no nodes, or more than `u32` counts.
    Nodes {
        /// How many there are.
        found: usize,
    },
    /// A generator, obstacle or map has another length than the vector.
    Length {
        /// Which of the three, in words.
        operand: &'static str,
        /// Its number; of a map the number of the stage.
        index: usize,
        /// How many entries it needs.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// A stage names a generator or obstacle that is not there.
    Missing {
        /// The number of the stage.
        stage: usize,
        /// Which of the two, in words.
        operand: &'static str,
        /// The number that it names.
        index: usize,
    },
    /// The theta of a stage does not lie in (0, 1].
    Theta {
        /// The number of the stage.
        stage: usize,
    },
    /// A row of a map weights a node that is not there.
    Weight {
        /// The number of the stage.
        stage: usize,
        /// The row.
        row: usize,
    },
    /// Elimination met a pivot that is zero or not finite.
    Pivot {
        /// The number of the stage.
        stage: usize,
        /// The row.
        row: usize,
    },
    /// A stage left a number that is not finite.
    NotFinite {
        /// The number of the stage.
        stage: usize,
        /// The row.
        row: usize,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Failure::Nodes { found } => {
                write!(f, "a vector of {found} nodes cannot evolve")
            }
            Failure::Length { operand, index, expected, found } => {
                write!(f, "{operand} {index} has {found} entries where the vector has {expected}")
            }
            Failure::Missing { stage, operand, index } => {
                write!(f, "stage {stage} names {operand} {index}, which is not there")
            }
            Failure::Theta { stage } => {
                write!(f, "theta of stage {stage} does not lie above 0 and up to 1")
            }
            Failure::Weight { stage, row } => {
                write!(f, "row {row} of the map of stage {stage} weights a node beyond the last")
            }
            Failure::Pivot { stage, row } => write!(
                f,
                "elimination met a pivot that is zero or not finite in stage {stage}, row {row}"
            ),
            Failure::NotFinite { stage, row } => {
                write!(f, "stage {stage} left a number that is not finite in row {row}")
            }
        }
    }
}

impl core::error::Error for Failure {}
