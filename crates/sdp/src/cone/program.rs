//! Linear programs over the cone.

use nonius_linalg::{Element, Error, Number, Numbers, Slice};

use super::{Entries, SecondOrder, zeros};

/// Where an entry of a matrix is, everything counted from 0: matrices are `F₀, F₁, …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The block: the squares, then the diagonal one.
    pub block: u32,
    /// The number of the matrix.
    pub matrix: u32,
    /// The column, not less than the row.
    pub col: u32,
    /// The row.
    pub row: u32,
}

/// See the [module](super).
///
/// The Schur complement costs least where constraints with more entries come first.
#[derive(Clone, Debug)]
pub struct Program<T: Element> {
    objective: Numbers<T>,
    squares: Vec<Square<T>>,
    diagonal: Diagonal<T>,
}

/// What all matrices have in a block that is a square.
#[derive(Clone, Debug)]
pub struct Square<T: Element> {
    /// Its order.
    pub order: usize,
    /// The constraints whose matrices have an entry here, ascending from 0.
    pub constraints: Vec<u32>,
    /// Entries of the matrix of `constraints[k]` are those from `starts[k]` up to `starts[k + 1]`;
    /// those of `F₀` are the last, from `starts[constraints.len()]` on.
    pub starts: Vec<usize>,
    /// All entries.
    pub entries: Entries<T>,
    /// What stands in column `j`, above and below the diagonal, is made of the sources from
    /// `columns[j]` up to `columns[j + 1]`.
    pub columns: Vec<usize>,
    /// By columns and rows.
    pub sources: Vec<Source>,
}

/// An entry of one of the matrices, or its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// Its row.
    pub row: u32,
    /// The constraint of its matrix; their number for `F₀`.
    pub constraint: u32,
    /// Its number among the square's entries.
    pub entry: u32,
}

/// What all matrices have in the diagonal block, the last rows of which may be those of
/// second-order cones.
#[derive(Clone, Debug)]
pub struct Diagonal<T: Element> {
    /// Its order.
    pub order: usize,
    /// The second-order cones.
    pub second_order: SecondOrder,
    /// Entries of row `i` are those from `starts[i]` up to `starts[i + 1]`.
    pub starts: Vec<usize>,
    /// Their constraints, ascending in a row; the number of constraints for `F₀`.
    pub constraints: Vec<u32>,
    /// Their values.
    pub values: Numbers<T>,
    /// The matrix of constraint `k`, and of `F₀` after the last, has the entries with the numbers
    /// from `by_constraint[k]` up to `by_constraint[k + 1]` of `numbers`.
    pub by_constraint: Vec<usize>,
    /// For each entry of a constraint its number and its row.
    pub numbers: Vec<(usize, usize)>,
}

impl<T: Number> Program<T> {
    /// A program of entries in any order, no two at one place; of `values` each entry has the one
    /// at its position, rounded to the format of the objective.
    ///
    /// Panics where an entry lies outside.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where there is no memory, or where constraints or entries cannot be
    /// counted in 32 bits.
    pub fn new<'a>(
        objective: impl Into<Numbers<T>>,
        squares: &[usize],
        diagonal: usize,
        places: &[Place],
        values: impl Into<Slice<'a, T>>,
    ) -> Result<Self, Error> {
        let (objective, values) = (objective.into(), values.into());
        let (m, format) = (objective.len(), objective.format());
        if places.len().max(m).max(squares.len()) >= u32::MAX as usize {
            return Err(Error::TooLarge { rows: places.len(), cols: m });
        }
        let mut order: Vec<usize> = (0..places.len()).collect();
        // `F₀` comes after the constraints.
        let matrix = |place: Place| if place.matrix == 0 { m as u32 } else { place.matrix - 1 };
        order.sort_unstable_by_key(|&e| {
            let place = places[e];
            (place.block, matrix(place), place.col, place.row)
        });
        let blocks: Vec<&[usize]> = (0..=squares.len() as u32)
            .map(|block| {
                let begin = order.partition_point(|&e| places[e].block < block);
                let end = order.partition_point(|&e| places[e].block <= block);
                &order[begin..end]
            })
            .collect();
        assert_eq!(blocks.iter().map(|b| b.len()).sum::<usize>(), places.len(), "unknown blocks");
        let entry = |&e: &usize| (matrix(places[e]), places[e], e);
        let squares = squares
            .iter()
            .zip(&blocks)
            .map(|(&order, block)| Square::new(order, m, block.iter().map(entry), values, format))
            .collect::<Result<_, _>>()?;
        let last = blocks[blocks.len() - 1].iter().map(entry);
        let diagonal = Diagonal::new(diagonal, m, last, values, format)?;
        Ok(Self { objective, squares, diagonal })
    }

    /// The same program with second-order cones of these orders in the last rows of its diagonal
    /// block.
    ///
    /// Panics where the block has fewer rows.
    #[must_use]
    pub fn with_second_order(mut self, orders: &[usize]) -> Self {
        let Diagonal { order, by_constraint, numbers, second_order, .. } = &mut self.diagonal;
        *second_order = SecondOrder::new(orders, *order, by_constraint, numbers);
        self
    }

    /// The same program with some of its blocks alone, the diagonal one counted last. The others,
    /// which keep their numbers, have no rows.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where there is no memory.
    pub fn part(&self, has: impl Fn(usize) -> bool) -> Result<Self, Error> {
        let (m, format, values) =
            (self.constraints(), self.objective.format(), self.objective.as_slice());
        let square = |(s, square): (usize, &Square<T>)| match has(s) {
            true => Ok(square.clone()),
            false => Square::new(0, m, core::iter::empty(), values, format),
        };
        let squares = self.squares.iter().enumerate().map(square).collect::<Result<_, _>>()?;
        let diagonal = match has(self.squares.len()) {
            true => self.diagonal.clone(),
            false => Diagonal::new(0, m, core::iter::empty(), values, format)?,
        };
        Ok(Self { objective: self.objective.clone(), squares, diagonal })
    }

    /// `c`.
    pub fn objective(&self) -> &Numbers<T> {
        &self.objective
    }

    /// The blocks that are squares.
    pub fn squares(&self) -> &[Square<T>] {
        &self.squares
    }

    /// The diagonal block.
    pub fn diagonal(&self) -> &Diagonal<T> {
        &self.diagonal
    }

    /// How many constraints there are.
    pub fn constraints(&self) -> usize {
        self.objective.len()
    }
}

impl<T: Number> Square<T> {
    fn new(
        order: usize,
        m: usize,
        places: impl ExactSizeIterator<Item = (u32, Place, usize)>,
        from: Slice<'_, T>,
        format: T::Format,
    ) -> Result<Self, Error> {
        let count = places.len();
        let (mut constraints, mut starts) = (Vec::new(), Vec::new());
        let mut values = zeros(format, count)?;
        let (mut rows, mut cols) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut sources = Vec::with_capacity(2 * count);
        for (at, (constraint, place, e)) in places.enumerate() {
            assert!(
                place.row <= place.col && (place.col as usize) < order && constraint <= m as u32,
                "{place:?} is not in the upper triangle of order {order}"
            );
            if (constraint as usize) < m && constraints.last() != Some(&constraint) {
                constraints.push(constraint);
                starts.push(at);
            }
            if constraint as usize == m && starts.len() == constraints.len() {
                starts.push(at);
            }
            rows.push(place.row);
            cols.push(place.col);
            values.set(at, from.at(e));
            let source = |row| Source { row, constraint, entry: at as u32 };
            sources.push((place.col, source(place.row)));
            if place.row < place.col {
                sources.push((place.row, source(place.col)));
            }
        }
        if starts.len() == constraints.len() {
            starts.push(count);
        }
        starts.push(count);
        sources.sort_unstable();
        let columns =
            (0..=order as u32).map(|j| sources.partition_point(|&(col, _)| col < j)).collect();
        let sources = sources.into_iter().map(|(_, source)| source).collect();
        let entries = Entries { rows, cols, values };
        Ok(Self { order, constraints, starts, entries, columns, sources })
    }
}

impl<T: Number> Diagonal<T> {
    fn new(
        order: usize,
        m: usize,
        places: impl ExactSizeIterator<Item = (u32, Place, usize)>,
        from: Slice<'_, T>,
        format: T::Format,
    ) -> Result<Self, Error> {
        let mut entries: Vec<(u32, u32, usize)> = places
            .map(|(constraint, place, e)| {
                assert!(
                    place.row == place.col
                        && (place.row as usize) < order
                        && constraint <= m as u32,
                    "{place:?} is not on the diagonal of order {order}"
                );
                (place.row, constraint, e)
            })
            .collect();
        entries.sort_unstable();
        let mut values = zeros(format, entries.len())?;
        for (at, &(_, _, e)) in entries.iter().enumerate() {
            values.set(at, from.at(e));
        }
        let starts =
            (0..=order as u32).map(|i| entries.partition_point(|&(row, _, _)| row < i)).collect();
        let mut by: Vec<(u32, u32, u32)> = (entries.iter().enumerate())
            .map(|(at, &(row, constraint, _))| (constraint, row, at as u32))
            .collect();
        by.sort_unstable();
        let by_constraint: Vec<usize> =
            (0..=m as u32 + 1).map(|k| by.partition_point(|&(c, _, _)| c < k)).collect();
        let numbers: Vec<(usize, usize)> =
            by.into_iter().map(|(_, row, at)| (at as usize, row as usize)).collect();
        let constraints = entries.into_iter().map(|(_, constraint, _)| constraint).collect();
        let second_order = SecondOrder::new(&[], order, &by_constraint, &numbers);
        Ok(Self { order, second_order, starts, constraints, values, by_constraint, numbers })
    }
}
