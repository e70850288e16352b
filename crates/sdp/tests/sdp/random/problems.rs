//! Random problems of which everything is known, in integers times powers of ten.

use std::fmt::Write;

use nonius_testkit::Random;

use crate::random::exact::Fraction;

/// Entries of a matrix with blocks on its diagonal, of the upper triangles: block, row, column,
/// from 0, and value.
pub(crate) type Entries = Vec<([usize; 3], i64)>;

/// Orders of blocks, negative for diagonal ones as SDPA has them.
pub(crate) type Blocks = Vec<i64>;

/// A problem in integers.
#[derive(Clone, Debug)]
pub(crate) struct Integers {
    pub(crate) blocks: Blocks,
    pub(crate) c: Vec<i64>,
    /// `F₀, F₁, …`.
    pub(crate) matrices: Vec<Entries>,
}

/// Powers of ten by which `F₀`, `c` and each constraint are multiplied.
#[derive(Clone, Debug)]
pub(crate) struct Scales {
    pub(crate) constant: i32,
    pub(crate) objective: i32,
    pub(crate) constraints: Vec<i32>,
}

/// What is true of a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Truth {
    pub(crate) primal_feasible: bool,
    pub(crate) dual_feasible: bool,
}

/// A whole number from `−most` to `most`.
pub(crate) fn whole(random: &mut Random, most: i64) -> i64 {
    random.below(2 * most as usize + 1) as i64 - most
}

pub(crate) fn scales(random: &mut Random, m: usize, least: i32) -> Scales {
    let mut power = |most: i32| match random.below(3) {
        0 => whole(random, most.into()) as i32,
        _ => 0,
    };
    Scales {
        constant: power(100).max(least),
        objective: power(100).max(least),
        constraints: (0..m).map(|_| power(12)).collect(),
    }
}

impl Integers {
    /// The text in SDPA's sparse format.
    pub(crate) fn text(&self, scales: &Scales) -> String {
        let orders: Vec<String> = self.blocks.iter().map(i64::to_string).collect();
        let Scales { constant, objective, constraints } = scales;
        let c = self.c.iter().zip(constraints).map(|(c, k)| format!("{c}e{}", k + objective));
        let c: Vec<String> = c.collect();
        let mut text =
            format!("{}\n{}\n{}\n{}\n", c.len(), orders.len(), orders.join(" "), c.join(" "));
        for (k, entries) in self.matrices.iter().enumerate() {
            let power = if k == 0 { *constant } else { constraints[k - 1] };
            for &([block, row, col], value) in entries {
                let [block, row, col] = [block, row, col].map(|x| x + 1);
                writeln!(text, "{k} {block} {row} {col} {value}e{power}").expect("a string");
            }
        }
        text
    }

    pub(crate) fn order(&self) -> usize {
        self.blocks.iter().map(|n| n.unsigned_abs() as usize).sum()
    }
}

/// Random blocks of small orders.
pub(crate) fn blocks(random: &mut Random) -> Blocks {
    (0..1 + random.below(3))
        .map(|_| {
            let order = 1 + random.below(3) as i64;
            if random.below(3) == 0 { -order } else { order }
        })
        .collect()
}

/// All places of the upper triangles.
pub(crate) fn places(blocks: &Blocks) -> Vec<[usize; 3]> {
    let mut all = Vec::new();
    for (block, &order) in blocks.iter().enumerate() {
        for col in 0..order.unsigned_abs() as usize {
            let first = if order < 0 { col } else { 0 };
            all.extend((first..=col).map(|row| [block, row, col]));
        }
    }
    all
}

/// A random symmetric matrix, of which each entry is there with a probability of `share` in four.
pub(crate) fn symmetric(random: &mut Random, blocks: &Blocks, share: usize) -> Entries {
    let mut entries = Vec::new();
    for place in places(blocks) {
        let value = whole(random, 4);
        if random.below(4) < share {
            entries.push((place, value));
        }
    }
    entries
}

/// `A•B`
pub(crate) fn inner(a: &Entries, b: &Entries) -> i64 {
    let times = |[_, row, col]: [usize; 3]| if row == col { 1 } else { 2 };
    let find = |place: [usize; 3]| b.iter().find(|(other, _)| *other == place).map_or(0, |b| b.1);
    a.iter().map(|&(place, value)| times(place) * value * find(place)).sum()
}

/// `Σ xᵢ·Fᵢ` for weights of matrices.
pub(crate) fn combination(blocks: &Blocks, terms: &[(i64, &Entries)]) -> Entries {
    let sum = |place: [usize; 3]| {
        let of = |entries: &Entries| entries.iter().find(|(p, _)| *p == place).map_or(0, |e| e.1);
        terms.iter().map(|(weight, entries)| weight * of(entries)).sum()
    };
    places(blocks).into_iter().map(|place| (place, sum(place))).filter(|(_, v)| *v != 0).collect()
}

/// Positive semidefinite `X` and `Y` with `XY = 0`: in each block the eigenvectors of a reflection
/// `H` are shared between them.
pub(crate) fn pair(random: &mut Random, blocks: &Blocks, is_strict: bool) -> [Entries; 2] {
    let mut pair = [Entries::new(), Entries::new()];
    for (block, &order) in blocks.iter().enumerate() {
        let n = order.unsigned_abs() as usize;
        let mut v: Vec<i64> = (0..n).map(|_| whole(random, 2)).collect();
        if order < 0 {
            v.fill(0);
        }
        v[0] += i64::from(v.iter().all(|&x| x == 0));
        let square: i64 = v.iter().map(|x| x * x).sum();
        let h = |i: usize, j: usize| {
            if order < 0 { i64::from(i == j) } else { i64::from(i == j) * square - 2 * v[i] * v[j] }
        };
        let weights: Vec<[i64; 2]> = (0..n)
            .map(|_| match random.below(if is_strict { 2 } else { 3 }) {
                0 => [1 + random.below(3) as i64, 0],
                1 => [0, 1 + random.below(3) as i64],
                _ => [0, 0],
            })
            .collect();
        for col in 0..n {
            for row in if order < 0 { col..=col } else { 0..=col } {
                for (which, entries) in pair.iter_mut().enumerate() {
                    let value = (0..n).map(|k| h(row, k) * weights[k][which] * h(col, k)).sum();
                    if value != 0 {
                        entries.push(([block, row, col], value));
                    }
                }
            }
        }
    }
    pair
}

/// A problem with a known optimum.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) problem: Integers,
    pub(crate) x: Vec<i64>,
    pub(crate) y: Entries,
    pub(crate) optimum: i64,
}

/// A problem of which optimal `x`, `X` and `Y` are known: `F₀ = Σ xᵢ·Fᵢ − X` and `cᵢ = Fᵢ•Y`. Some
/// have repeated constraints, ones without entries, and equalities as opposite rows.
pub(crate) fn known(random: &mut Random) -> Known {
    let mut blocks = blocks(random);
    let m = 1 + random.below(4);
    let is_strict = random.below(4) > 0;
    let [slack, mut y] = pair(random, &blocks, is_strict);
    let x: Vec<i64> = (0..m).map(|_| whole(random, 5)).collect();
    let mut constraints: Vec<Entries> = (0..m)
        .map(|_| {
            let share = 1 + random.below(4);
            symmetric(random, &blocks, share)
        })
        .collect();
    match random.below(8) {
        0 => constraints[m - 1] = constraints[0].clone(),
        1 => constraints[m - 1].clear(),
        2..=5 => {
            let identity = places(&blocks).into_iter().filter(|[_, row, col]| row == col);
            constraints[0] = identity.map(|place| (place, 1)).collect();
        }
        _ => {}
    }
    let mut c: Vec<i64> = constraints.iter().map(|f| inner(f, &y)).collect();
    let mut terms: Vec<(i64, &Entries)> = x.iter().copied().zip(&constraints).collect();
    terms.push((-1, &slack));
    let mut constant = combination(&blocks, &terms);
    if random.below(4) == 0 {
        // An equality that x meets, as two rows of a block of its own; Y has a multiplier for it.
        let block = blocks.len();
        blocks.push(-2);
        let multiplier = whole(random, 3);
        let mut right = 0;
        for (k, constraint) in constraints.iter_mut().enumerate() {
            let factor = whole(random, 2);
            constraint.extend([([block, 0, 0], factor), ([block, 1, 1], -factor)]);
            right += factor * x[k];
            c[k] += factor * multiplier;
        }
        constant.extend([([block, 0, 0], right), ([block, 1, 1], -right)]);
        y.push(([block, 0, 0], multiplier.max(0)));
        y.push(([block, 1, 1], (-multiplier).max(0)));
    }
    let optimum = c.iter().zip(&x).map(|(c, x)| c * x).sum();
    let matrices = std::iter::once(constant).chain(constraints).collect();
    Known { problem: Integers { blocks, c, matrices }, x, y, optimum }
}

/// A problem with a certificate that (P) is infeasible, a positive semidefinite `Y` with `Fᵢ•Y = 0`
/// and `F₀•Y > 0`, and a feasible point of (D).
pub(crate) fn primal_infeasible(random: &mut Random) -> Integers {
    let blocks = blocks(random);
    let m = 1 + random.below(3);
    let y = loop {
        let [_, y] = pair(random, &blocks, true);
        if !y.is_empty() {
            break y;
        }
    };
    let square = inner(&y, &y);
    let mut constraints: Vec<Entries> = Vec::new();
    for _ in 0..m {
        let f = symmetric(random, &blocks, 3);
        constraints.push(combination(&blocks, &[(square, &f), (-inner(&f, &y), &y)]));
    }
    let free = symmetric(random, &blocks, 3);
    let above = (-inner(&free, &y)).max(0) / square + 1;
    let constant = combination(&blocks, &[(1, &free), (above, &y)]);
    let [one, other] = pair(random, &blocks, true);
    let feasible = combination(&blocks, &[(1, &one), (1, &other)]);
    let c = constraints.iter().map(|f| inner(f, &feasible)).collect();
    Integers { blocks, c, matrices: std::iter::once(constant).chain(constraints).collect() }
}

/// A problem with a certificate that (D) is infeasible, an `x` with positive semidefinite `Σ xᵢ·Fᵢ`
/// and `c·x < 0`, and a feasible point of (P), which has no bound.
pub(crate) fn dual_infeasible(random: &mut Random) -> Integers {
    let blocks = blocks(random);
    let m = 1 + random.below(3);
    let mut constraints: Vec<Entries> = Vec::new();
    for _ in 0..m {
        constraints.push(symmetric(random, &blocks, 3));
    }
    let mut direction: Vec<i64> = (0..m).map(|_| whole(random, 2)).collect();
    direction[0] = 1;
    let [one, other] = pair(random, &blocks, true);
    let cone = combination(&blocks, &[(1, &one), (i64::from(random.below(2) == 0), &other)]);
    let others: Vec<(i64, &Entries)> =
        direction.iter().map(|x| -x).zip(&constraints).skip(1).chain([(1, &cone)]).collect();
    constraints[0] = combination(&blocks, &others);
    let mut c: Vec<i64> = (0..m).map(|_| whole(random, 4)).collect();
    let rest: i64 = c.iter().zip(&direction).skip(1).map(|(c, x)| c * x).sum();
    c[0] = -rest - 1 - random.below(3) as i64;
    let x: Vec<i64> = (0..m).map(|_| whole(random, 3)).collect();
    let [slack, _] = pair(random, &blocks, false);
    let terms: Vec<(i64, &Entries)> =
        x.iter().copied().zip(&constraints).chain([(-1, &slack)]).collect();
    let constant = combination(&blocks, &terms);
    Integers { blocks, c, matrices: std::iter::once(constant).chain(constraints).collect() }
}

/// A linear program `min c·x`, `A·x ≥ b`, with rows that repeat or oppose others, and rows of
/// zeros.
pub(crate) fn linear(random: &mut Random) -> Integers {
    let (m, n) = (1 + random.below(3), 1 + random.below(5));
    let mut rows: Vec<Vec<i64>> = Vec::new();
    for _ in 0..n {
        let row = match (random.below(8), rows.last()) {
            (0, Some(row)) => row.clone(),
            (1, Some(row)) => row.iter().map(|x| -x).collect(),
            (2, _) => vec![0; m + 1],
            _ => (0..=m).map(|_| whole(random, 3)).collect(),
        };
        rows.push(row);
    }
    let c = (0..m).map(|_| whole(random, 3)).collect();
    let column = |k: usize| {
        let entries = rows.iter().enumerate().map(|(i, row)| ([0, i, i], row[k]));
        entries.filter(|(_, value)| *value != 0).collect()
    };
    let matrices = std::iter::once(column(m)).chain((0..m).map(column)).collect();
    Integers { blocks: vec![-(n as i64)], c, matrices }
}

/// The truth of a linear program and its optimum, by Fourier's and Motzkin's elimination.
pub(crate) fn eliminate(program: &Integers) -> (Truth, Option<Fraction>) {
    let (m, n) = (program.c.len(), program.order());
    let at = |k: usize, i: usize| {
        let entry = program.matrices[k].iter().find(|([_, row, _], _)| *row == i);
        i128::from(entry.map_or(0, |e| e.1))
    };
    let bounds = |is_homogeneous: bool| {
        // Rows `a·x + a_t·t ≥ b`, with `t = c·x`.
        let mut rows: Vec<Vec<i128>> = (0..n)
            .map(|i| {
                let right = if is_homogeneous { 0 } else { at(0, i) };
                (1..=m).map(|k| at(k, i)).chain([0, right]).collect()
            })
            .collect();
        for sign in [1, -1] {
            let row = program.c.iter().map(|&c| -sign * i128::from(c));
            rows.push(row.chain([sign, 0]).collect());
        }
        for k in 0..m {
            let (with, mut left): (Vec<_>, Vec<_>) = rows.into_iter().partition(|r| r[k] != 0);
            let (above, below): (Vec<_>, Vec<_>) = with.into_iter().partition(|r| r[k] > 0);
            for p in &above {
                for q in &below {
                    let row: Vec<i128> =
                        p.iter().zip(q).map(|(x, y)| x * -q[k] + y * p[k]).collect();
                    let common = row.iter().fold(0, |a, &b| gcd(a, b.abs())).max(1);
                    left.push(row.iter().map(|x| x / common).collect());
                }
            }
            left.sort_unstable();
            left.dedup();
            rows = left;
        }
        rows.into_iter().map(|row| [row[m], row[m + 1]]).collect::<Vec<[i128; 2]>>()
    };
    let is_feasible = |rows: &[[i128; 2]]| {
        let exceeds = |low: &[i128; 2], high: &[i128; 2]| low[1] * -high[0] > -high[1] * low[0];
        let [lows, highs] =
            [1, -1].map(|sign| rows.iter().filter(move |[a, _]| a * sign > 0).collect::<Vec<_>>());
        rows.iter().all(|&[a, b]| a != 0 || b <= 0)
            && !lows.iter().any(|low| highs.iter().any(|high| exceeds(low, high)))
    };
    let rows = bounds(false);
    let cone = bounds(true);
    // (D) is infeasible where `c` falls along a direction of the cone, `t < 0`: then nothing bounds
    // `t` from below.
    let truth = Truth {
        primal_feasible: is_feasible(&rows),
        dual_feasible: cone.iter().any(|&[a, _]| a > 0),
    };
    let least = rows.iter().filter(|[a, _]| *a > 0).map(|&[a, b]| Fraction::new(b, a));
    let least = least.fold(None, |most: Option<Fraction>, x| match most {
        Some(most) if most >= x => Some(most),
        _ => Some(x),
    });
    (truth, least.filter(|_| truth.primal_feasible && truth.dual_feasible))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
