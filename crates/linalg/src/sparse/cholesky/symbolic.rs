//! What the pattern of a matrix says about its factor.

use core::ops::Range;

use super::groups::{CALL_COST, Update, gather};
use super::lower::Lower;
use super::shape::Shape;
use super::tree::{NONE, Rows, counts, parents, postorder};
use super::{ordering, supernodes};

/// How many numbers a factor may have and how many multiplications it may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Entries of the matrix and of the factor's panels.
    pub entries: usize,
    /// Multiplications, with what products of matrices take besides.
    pub operations: f64,
}

/// A factorisation of all matrices with one pattern.
#[derive(Clone, Debug)]
pub struct Symbolic {
    lower: Lower,
    /// Row `order[k]` of the matrix is row `k` of the factor.
    order: Vec<u32>,
    shape: Shape,
    /// Where the matrix's entries in each column of the factor begin, and where the last end.
    columns: Vec<usize>,
    /// Their numbers in the matrix and their rows in the panel.
    sources: Vec<(u32, u32)>,
    /// What others contribute to each supernode: its groups, where their updates end, and these.
    groups: Vec<usize>,
    ends: Vec<usize>,
    updates: Vec<Update>,
    levels: Levels,
}

/// Supernodes by the length of the longest way down the tree.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// The supernodes level by level.
    members: Vec<u32>,
    /// Where each level begins, and where the last ends.
    starts: Vec<usize>,
    /// Where each supernode is among the members.
    places: Vec<u32>,
}

impl Levels {
    fn new(heights: &[u32]) -> Self {
        let levels = heights.iter().map(|&height| height as usize + 1).max().unwrap_or(0);
        let mut starts = vec![0; levels + 1];
        heights.iter().for_each(|&height| starts[height as usize + 1] += 1);
        for level in 0..levels {
            starts[level + 1] += starts[level];
        }
        let (mut next, mut places) = (starts.clone(), Vec::with_capacity(heights.len()));
        let mut members = vec![0; heights.len()];
        for (s, &height) in heights.iter().enumerate() {
            let place = &mut next[height as usize];
            members[*place] = s as u32;
            places.push(*place as u32);
            *place += 1;
        }
        Self { members, starts, places }
    }

    /// The supernodes level by level.
    pub(super) fn members(&self) -> &[u32] {
        &self.members
    }

    /// Where a supernode is among these.
    pub(super) fn place(&self, s: usize) -> usize {
        self.places[s] as usize
    }

    /// Where the members of each level are.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.starts.windows(2).map(|pair| pair[0]..pair[1])
    }
}

impl Symbolic {
    /// `None` where the limits are too low.
    pub fn new(lower: Lower, limits: Limits) -> Option<Self> {
        u32::try_from(lower.entries()).ok()?;
        let first = ordering::fill_reducing(&lower);
        let tree = parents(&Rows::new(&lower, &ordering::inverse(&first)));
        let order: Vec<u32> = postorder(&tree).iter().map(|&j| first[j as usize]).collect();
        let places = ordering::inverse(&order);
        let rows = Rows::new(&lower, &places);
        let tree = parents(&rows);
        let counts = counts(&rows, &tree, limits.entries)?;
        drop(rows);
        let (columns, mut sources) = permuted(&lower, &places);
        let (shape, heights) = structure(supernodes::partition(&tree, &counts), &columns, &sources);
        let panels = (0..shape.len()).map(|s| shape.width(s) * shape.height(s));
        if panels.sum::<usize>() + lower.entries() > limits.entries {
            return None;
        }
        for s in 0..shape.len() {
            for (_, row) in
                &mut sources[columns[shape.columns(s).start]..columns[shape.columns(s).end]]
            {
                *row = shape.places(s, &[*row]).next().unwrap_or(NONE);
            }
        }
        let (groups, ends, updates, operations) = products(&shape);
        let levels = Levels::new(&heights);
        (operations <= limits.operations).then_some(Self {
            lower,
            order,
            shape,
            columns,
            sources,
            groups,
            ends,
            updates,
            levels,
        })
    }

    /// How many numbers the factor's panels have.
    pub fn stored(&self) -> f64 {
        (0..self.shape.len()).map(|s| (self.shape.width(s) * self.shape.height(s)) as f64).sum()
    }

    /// How many multiplications the factor takes.
    pub fn multiplications(&self) -> f64 {
        let of_column = |rows: usize| (rows as f64).powi(2) / 2.0;
        let of_panel = |s: usize| {
            let height = self.shape.height(s);
            (0..self.shape.width(s)).map(|k| of_column(height - k)).sum::<f64>()
        };
        (0..self.shape.len()).map(of_panel).sum()
    }

    /// The pattern.
    pub fn lower(&self) -> &Lower {
        &self.lower
    }

    /// The numbers of the matrix's entries on the diagonal.
    pub fn diagonal(&self) -> impl Iterator<Item = usize> {
        (0..self.lower.order()).map(|j| self.lower.range(j).start)
    }

    /// Row `order[k]` of the matrix is row `k` of the factor.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The rows and columns of the panels.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// In which order supernodes are found.
    pub(super) fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The matrix's entries in a column of the factor: their numbers and their rows in the panel.
    pub(super) fn sources(&self, column: usize) -> &[(u32, u32)] {
        &self.sources[self.columns[column]..self.columns[column + 1]]
    }

    /// What others contribute to a supernode, those of one product together.
    pub(super) fn groups(&self, s: usize) -> impl Iterator<Item = &[Update]> {
        (self.groups[s]..self.groups[s + 1]).map(|group| {
            let begin = if group == 0 { 0 } else { self.ends[group - 1] };
            &self.updates[begin..self.ends[group]]
        })
    }
}

/// A permuted matrix's lower triangle: where its columns begin, and the numbers and rows of
/// entries.
fn permuted(lower: &Lower, places: &[u32]) -> (Vec<usize>, Vec<(u32, u32)>) {
    let n = lower.order();
    let mut starts = vec![0; n + 1];
    let place = |i: u32, j: usize| {
        let (i, j) = (places[i as usize], places[j]);
        (i.max(j), i.min(j) as usize)
    };
    for j in 0..n {
        lower.column(j).iter().for_each(|&i| starts[place(i, j).1 + 1] += 1);
    }
    for j in 0..n {
        starts[j + 1] += starts[j];
    }
    let (mut next, mut sources) = (starts.clone(), vec![(0, 0); starts[n]]);
    for j in 0..n {
        for (&i, number) in lower.column(j).iter().zip(lower.range(j)) {
            let (row, column) = place(i, j);
            sources[next[column]] = (number as u32, row);
            next[column] += 1;
        }
    }
    (starts, sources)
}

/// The rows of all panels, and the levels of the supernodes: a supernode has the rows of its
/// columns in the matrix and those of its children.
fn structure(first: Vec<u32>, columns: &[usize], sources: &[(u32, u32)]) -> (Shape, Vec<u32>) {
    let (n, count) = (columns.len() - 1, first.len() - 1);
    let mut shape = Shape { first, below: Vec::new(), starts: vec![0] };
    let mut heights = vec![0; count];
    // Children by lists.
    let (mut children, mut next) = (vec![NONE; count], vec![NONE; count]);
    // The last supernode with an entry in each row.
    let mut met = vec![NONE; n];
    for s in 0..count {
        let own = shape.columns(s);
        let mut rows = Vec::new();
        let mut add = |row: u32| {
            if row as usize >= own.end && met[row as usize] != s as u32 {
                met[row as usize] = s as u32;
                rows.push(row);
            }
        };
        sources[columns[own.start]..columns[own.end]].iter().for_each(|&(_, row)| add(row));
        let mut child = children[s];
        while child != NONE {
            shape.below(child as usize).iter().for_each(|&row| add(row));
            heights[s] = heights[s].max(heights[child as usize] + 1);
            child = next[child as usize];
        }
        rows.sort_unstable();
        shape.below.extend(&rows);
        shape.starts.push(shape.below.len());
        if let Some(&row) = rows.first() {
            let parent = shape.first.partition_point(|&first| first <= row) - 1;
            next[s] = core::mem::replace(&mut children[parent], s as u32);
        }
    }
    (shape, heights)
}

/// The groups of all supernodes, where their updates end, these, and what factorisation costs.
pub(super) fn products(shape: &Shape) -> (Vec<usize>, Vec<usize>, Vec<Update>, f64) {
    let count = shape.len();
    let mut by = vec![Vec::new(); count];
    for from in 0..count {
        let below = shape.below(from);
        let mut begin = 0;
        while begin < below.len() {
            let to = shape.first.partition_point(|&first| first <= below[begin]) - 1;
            by[to].push(Update { from: from as u32, begin: begin as u32 });
            let end = shape.columns(to).end as u32;
            begin += below[begin..].partition_point(|&row| row < end);
        }
    }
    let (mut groups, mut ends, mut updates) = (vec![0], Vec::new(), Vec::new());
    let mut operations = 0.0;
    for (s, own) in by.into_iter().enumerate() {
        let (found, cost) = gather(shape, shape.columns(s).end as u32 - 1, &own);
        let [width, height] = [shape.width(s), shape.height(s)].map(|n| n as f64);
        // What a column of the panel takes grows from nothing to all columns before.
        operations += cost + CALL_COST + width * width * (height / 2.0 - width / 3.0);
        ends.extend(found.into_iter().map(|end| updates.len() + end));
        updates.extend(own);
        groups.push(ends.len());
    }
    (groups, ends, updates, operations)
}
