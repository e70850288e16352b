//! Connected components of a graph.

/// Vertices, and which of them are connected.
pub(crate) struct Components {
    parents: Vec<usize>,
    /// Of which something was said.
    is_named: Vec<bool>,
}

impl Components {
    pub(crate) fn new(count: usize) -> Self {
        Self { parents: (0..count).collect(), is_named: vec![false; count] }
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.parents[i] != i {
            self.parents[i] = self.parents[self.parents[i]];
            i = self.parents[i];
        }
        i
    }

    /// Connects two vertices, which may be one.
    pub(crate) fn join(&mut self, i: usize, j: usize) {
        self.is_named[i] = true;
        self.is_named[j] = true;
        let (i, j) = (self.root(i), self.root(j));
        self.parents[i.max(j)] = i.min(j);
    }

    /// The components by their first members, each ascending, without vertices that nothing was
    /// said of.
    pub(crate) fn sets(&mut self) -> Vec<Vec<usize>> {
        let mut sets: Vec<Vec<usize>> = vec![Vec::new(); self.parents.len()];
        for i in 0..self.parents.len() {
            if self.is_named[i] {
                sets[self.root(i)].push(i);
            }
        }
        sets.retain(|set| !set.is_empty());
        sets
    }
}
