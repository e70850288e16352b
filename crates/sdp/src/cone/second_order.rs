//! Second-order cones among the rows of a diagonal block: where the matrices have entries there.

use core::ops::Range;

/// The second-order cones of a program.
///
/// A cone has the vectors `(t, v)` with `t ≥ ‖v‖`, of which `t` stands in its first row.
#[derive(Clone, Debug)]
pub struct SecondOrder {
    /// Each cone.
    pub cones: Vec<Rows>,
    /// What constraints have in cones, by constraints and cones.
    pub parts: Vec<Part>,
    /// The parts of constraint `k` are those from `starts[k]` up to `starts[k + 1]`.
    pub starts: Vec<usize>,
}

/// A second-order cone.
#[derive(Clone, Debug)]
pub struct Rows {
    /// Its rows of the diagonal block.
    pub rows: Range<usize>,
    /// The parts that lie here, ascending by constraints.
    pub parts: Vec<u32>,
}

/// What a constraint has in a cone.
#[derive(Clone, Debug)]
pub struct Part {
    /// The constraint.
    pub constraint: u32,
    /// The cone.
    pub cone: u32,
    /// The number among the cone's parts.
    pub at: u32,
    /// Its entries among the [numbers](super::Diagonal::numbers) of the diagonal block.
    pub entries: Range<usize>,
}

impl SecondOrder {
    /// Cones of these orders in the last ones of `order` rows. `numbers` are those of the
    /// [block](super::Diagonal), those of constraint `k` from `by_constraint[k]` on, those of `F₀`
    /// last.
    ///
    /// Panics where the cones have more rows than there are.
    pub(super) fn new(
        orders: &[usize],
        order: usize,
        by_constraint: &[usize],
        numbers: &[(usize, usize)],
    ) -> Self {
        let mut first = order.checked_sub(orders.iter().sum()).expect("rows of all cones");
        let mut cones = Vec::with_capacity(orders.len());
        for &order in orders {
            cones.push(Rows { rows: first..first + order, parts: Vec::new() });
            first += order;
        }
        let (mut parts, mut starts) = (Vec::<Part>::new(), vec![0]);
        for (k, range) in by_constraint.windows(2).take(by_constraint.len() - 2).enumerate() {
            let begin = parts.len();
            let own = numbers.iter().enumerate().take(range[1]).skip(range[0]);
            for (at, &(_, row)) in own {
                let number = cones.partition_point(|cone| cone.rows.end <= row);
                if cones.get(number).is_none_or(|cone| row < cone.rows.start) {
                    continue;
                }
                // Entries of a constraint ascend by rows.
                match parts[begin..].last_mut() {
                    Some(last) if last.cone as usize == number => last.entries.end = at + 1,
                    _ => {
                        let of_cone = &mut cones[number].parts;
                        let place = of_cone.len() as u32;
                        of_cone.push(parts.len() as u32);
                        parts.push(Part {
                            constraint: k as u32,
                            cone: number as u32,
                            at: place,
                            entries: at..at + 1,
                        });
                    }
                }
            }
            starts.push(parts.len());
        }
        Self { cones, parts, starts }
    }

    /// The orders of the cones.
    pub fn orders(&self) -> Vec<usize> {
        self.cones.iter().map(|cone| cone.rows.len()).collect()
    }

    /// The parts of a constraint.
    pub fn of(&self, constraint: usize) -> Range<usize> {
        self.starts[constraint]..self.starts[constraint + 1]
    }

    /// The parts from one on that lie in the cone of that one.
    pub fn from(&self, part: usize) -> &[u32] {
        let Part { cone, at, .. } = self.parts[part];
        &self.cones[cone as usize].parts[at as usize..]
    }
}
