//! Which members of a batch go through the same stages.

use core::hash::{BuildHasher, Hash, Hasher};
use std::collections::HashMap;
use std::hash::RandomState;

use nonius_linalg::Number;
use nonius_linalg::threads::{Grain, map};

use super::{Evolution, Stage};

/// The members of a batch, by their numbers, in groups that have all in common but numbers: nodes,
/// stages and what these name. Members that are [unsound](Evolution::check) are in none. Groups are
/// in the order of their first members, and members ascend.
pub fn alike<T: Number>(batch: &[Evolution<T>]) -> Vec<Vec<usize>> {
    let state = RandomState::new();
    alike_by(batch, |member| state.hash_one(Shape(member)))
}

/// Threads read the members' stages; what is left is to look hashes up.
fn alike_by<T: Number>(
    batch: &[Evolution<T>],
    hash: impl Fn(&Evolution<T>) -> u64 + Sync,
) -> Vec<Vec<usize>> {
    let hash = |i: usize| batch[i].check().ok().map(|()| hash(&batch[i]));
    let hashes = map(batch.len(), Grain::ANY, hash);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut rest: Vec<usize> = (0..batch.len()).collect();
    while !rest.is_empty() {
        let mut of_hash: HashMap<u64, usize> = HashMap::new();
        let name = |&i: &usize| {
            let group = *of_hash.entry(hashes[i]?).or_insert_with(|| {
                groups.push(vec![i]);
                groups.len() - 1
            });
            Some((i, group))
        };
        let named: Vec<(usize, usize)> = rest.iter().filter_map(name).collect();
        let fits = map(named.len(), Grain::ANY, |at| {
            let (i, group) = named[at];
            Shape(&batch[i]) == Shape(&batch[groups[group][0]])
        });
        rest.clear();
        for (&(i, group), fits) in named.iter().zip(fits) {
            // One with the hash of others that it is not like waits for a group of its own.
            if !fits {
                rest.push(i);
            } else if groups[group][0] != i {
                groups[group].push(i);
            }
        }
    }
    groups.sort_unstable();
    groups
}

/// What alike members have in common.
struct Shape<'a, T>(&'a Evolution<T>);

impl<T: Number> PartialEq for Shape<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.0, other.0);
        let sizes = |x: &Evolution<T>| (x.start.len(), x.generators.len(), x.obstacles.len());
        sizes(a) == sizes(b)
            && a.stages.len() == b.stages.len()
            && a.stages.iter().zip(&b.stages).all(|pair| match pair {
                (Stage::Steps(a), Stage::Steps(b)) => {
                    (a.generator, a.count, a.constraint) == (b.generator, b.count, b.constraint)
                }
                (Stage::Map(_), Stage::Map(_)) => true,
                (Stage::Floor(a), Stage::Floor(b)) => a == b,
                _ => false,
            })
    }
}

impl<T: Number> Eq for Shape<'_, T> {}

impl<T: Number> Hash for Shape<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.start.len(), self.0.stages.len()).hash(state);
        for stage in &self.0.stages {
            match stage {
                Stage::Steps(steps) => (0, steps.generator, steps.count).hash(state),
                Stage::Map(_) => 1.hash(state),
                Stage::Floor(obstacle) => (2, obstacle).hash(state),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::{Generator, Steps};

    /// Some steps of a vector with so many nodes, whose generator has this number.
    fn member(nodes: usize, count: usize, generator: usize) -> Evolution<f64> {
        let row = vec![nodes as f64; nodes];
        let l = Generator { lower: row.clone(), diagonal: row.clone(), upper: row.clone() };
        let dt = 0.5 + count as f64;
        let steps = Steps { generator, count, dt, theta: 0.5, constraint: None };
        let stages = vec![Stage::Steps(steps)];
        Evolution { start: row, generators: vec![l], obstacles: Vec::new(), stages }
    }

    #[test]
    fn members_with_the_same_stages_are_alike() {
        // The fourth names a generator that is not there.
        let shapes = [(5, 1, 0), (5, 2, 0), (6, 1, 0), (5, 1, 1)];
        let order = [1, 0, 3, 2, 0, 1, 1, 3, 0];
        let batch = order.map(|at| {
            let (nodes, count, generator) = shapes[at];
            member(nodes, count, generator)
        });
        let expected = [vec![0, 5, 6], vec![1, 4, 8], vec![3]];
        assert_eq!(alike(&batch), expected);
        // Whatever hashes say.
        assert_eq!(alike_by(&batch, |_| 7), expected);
        assert_eq!(alike_by(&batch, |member| member.start.len() as u64), expected);
        assert_eq!(alike::<f64>(&[]), Vec::<Vec<usize>>::new());
    }
}
