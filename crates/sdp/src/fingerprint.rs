//! What tells problems apart.

use core::fmt;

use sha2::{Digest, Sha256};

use crate::{Block, Problem};

/// A hash of all that solutions depend on: blocks, objective and the entries other than zero, their
/// numbers as they were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// That of a problem; one that is read from another format has the same.
    pub fn of(problem: &Problem) -> Self {
        let mut hash = Hash { hash: Sha256::new(), problem };
        hash.whole(problem.blocks().len());
        for &block in problem.blocks() {
            hash.whole(match block {
                Block::Dense(_) => 0,
                Block::Diagonal(_) => 1,
                Block::SecondOrder(_) => 2,
            });
            hash.whole(block.order());
        }
        hash.whole(problem.constraints());
        problem.objective().iter().for_each(|&number| hash.number(number));
        for entry in problem.entries() {
            if problem.numbers().is_zero(entry.value) {
                continue;
            }
            let place = entry.place;
            [place.matrix, place.block, place.col, place.row]
                .into_iter()
                .for_each(|k| hash.whole(k as usize));
            hash.number(entry.value);
        }
        Self(hash.hash.finalize().into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

struct Hash<'a> {
    hash: Sha256,
    problem: &'a Problem,
}

impl Hash<'_> {
    fn whole(&mut self, x: usize) {
        self.hash.update((x as u64).to_le_bytes());
    }

    /// The text of a number; all zeros are the same.
    fn number(&mut self, place: u32) {
        let numbers = self.problem.numbers();
        let text = if numbers.is_zero(place) { "0" } else { numbers.text(place) };
        self.whole(text.len());
        self.hash.update(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{read_dense, read_sparse};

    #[test]
    fn what_solutions_depend_on_tells_problems_apart() {
        let sparse = "2\n2\n2 -1\n1 0.0\n0 1 1 2 3\n1 1 1 1 1.5\n2 2 1 1 2\n";
        let of = |text: &str| Fingerprint::of(&read_sparse(text.as_bytes()).unwrap());
        let original = of(sparse);
        assert_eq!(original.to_string().len(), 64);
        let dense = "* The same\n2\n2\n2 -1\n1 0\n0 3 3 0 0\n1.5 0 0 0 0\n0 0 0 0 2\n";
        assert_eq!(Fingerprint::of(&read_dense(dense.as_bytes()).unwrap()), original);
        let same = "2\n2\n2 -1\n1 0\n2 2 1 1 2\n0 1 2 1 3\n1 1 1 1 1.5\n1 1 2 2 0\n";
        assert_eq!(of(same), original);
        let changes = [("1 0.0", "1 1"), ("2 -1", "2 1"), ("1.5", "1.25"), ("0 1 1 2", "0 1 1 1")];
        for (from, to) in changes {
            assert_ne!(of(&sparse.replace(from, to)), original, "{from}");
        }
    }
}
