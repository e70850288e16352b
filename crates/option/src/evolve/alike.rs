//! Which members of a batch go through the same stages.

use core::hash::{Hash, Hasher};
use std::collections::HashMap;

use nonius_linalg::Number;

use super::{Evolution, Stage};

/// The members of a batch, by their numbers, in groups that have all in common but numbers: nodes,
/// stages and what these name. Members that are [unsound](Evolution::check) are in none. Groups are
/// in the order of their first members, and members ascend.
pub fn alike<T: Number>(batch: &[Evolution<T>]) -> Vec<Vec<usize>> {
    let mut groups: HashMap<Shape<'_, T>, Vec<usize>> = HashMap::new();
    for (i, member) in batch.iter().enumerate() {
        if member.check().is_ok() {
            groups.entry(Shape(member)).or_default().push(i);
        }
    }
    // The order of the map differs from run to run; that of the work need not.
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
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
