//! Numbers that depend on time alone, constant piece by piece.

use nonius_linalg::Number;

/// A number as a function of time, constant piece by piece.
///
/// ```
/// use nonius_option::{Piece, Terms};
///
/// // 2 % for half a year, 3 % from then on.
/// let piece = |until, value| Piece { until, value };
/// let rates = Terms::new(vec![piece(0.5, 0.02), piece(1.0, 0.03)]).unwrap();
/// assert_eq!([0.0, 0.5, 9.0].map(|time| rates.at(time)), [0.02, 0.03, 0.03]);
/// assert!(Terms::new(vec![piece(0.5, 0.02), piece(0.5, 0.03)]).is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Terms<T> {
    pieces: Vec<Piece<T>>,
}

/// A number, and until when it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece<T> {
    /// The time from which on the next one holds; that of the last has no meaning.
    pub until: T,
    /// The number.
    pub value: T,
}

impl<T: Number> Terms<T> {
    /// One number for all times.
    pub fn constant(value: T) -> Self {
        Self { pieces: vec![Piece { until: T::ZERO, value }] }
    }

    /// A number for each time up to the next; the last holds for ever. `None` where there is no
    /// piece, or where times do not increase from zero.
    pub fn new(pieces: Vec<Piece<T>>) -> Option<Self> {
        let mut before = T::ZERO;
        for piece in &pieces {
            if !piece.until.is_finite() || (pieces.len() > 1 && piece.until <= before) {
                return None;
            }
            before = piece.until;
        }
        if pieces.is_empty() { None } else { Some(Self { pieces }) }
    }

    /// The pieces.
    pub fn pieces(&self) -> &[Piece<T>] {
        &self.pieces
    }

    /// The number at a time; at a change, the number after it.
    pub fn at(&self, time: T) -> T {
        let last = self.pieces.len() - 1;
        let piece = self.pieces[..last].iter().find(|piece| time < piece.until);
        piece.unwrap_or(&self.pieces[last]).value
    }

    /// The times at which the number changes.
    pub(crate) fn changes(&self) -> impl Iterator<Item = T> {
        self.pieces[..self.pieces.len() - 1].iter().map(|piece| piece.until)
    }

    /// The same in a format.
    pub(crate) fn in_format(&self, format: T::Format) -> Self {
        let rounded = |piece: &Piece<T>| Piece {
            until: piece.until.to_format(format),
            value: piece.value.to_format(format),
        };
        Self { pieces: self.pieces.iter().map(rounded).collect() }
    }

    pub(crate) fn shifted(&self, by: T) -> Self {
        let shifted = |piece: &Piece<T>| Piece { value: piece.value + by, ..*piece };
        Self { pieces: self.pieces.iter().map(shifted).collect() }
    }

    /// The least and the greatest number.
    pub(crate) fn range(&self) -> (T, T) {
        let first = self.pieces[0].value;
        self.pieces.iter().fold((first, first), |(least, greatest), piece| {
            let x = piece.value;
            (if x < least { x } else { least }, if x > greatest { x } else { greatest })
        })
    }

    /// The integral of a function of the number up to a time.
    pub(crate) fn integral(&self, until: T, of: impl Fn(T) -> T) -> T {
        let (mut sum, mut start) = (T::ZERO, T::ZERO);
        for (i, piece) in self.pieces.iter().enumerate() {
            let last = i + 1 == self.pieces.len();
            let end = if last || until < piece.until { until } else { piece.until };
            if end > start {
                sum += of(piece.value) * (end - start);
                start = end;
            }
        }
        sum
    }
}
