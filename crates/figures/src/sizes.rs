//! Sizes of words, and the area between axes.

/// Sizes of words: the figure's title, panels' titles, names, and all beside axes.
pub(crate) const TITLE: f64 = 18.0;
pub(crate) const HEAD: f64 = 15.0;
pub(crate) const NAME: f64 = 14.0;
pub(crate) const SMALL: f64 = 13.0;
/// Heights of lines of these sizes.
pub(crate) const TITLE_LINE: f64 = 25.0;
pub(crate) const HEAD_LINE: f64 = 21.0;
pub(crate) const SMALL_LINE: f64 = 19.0;

/// Where axes are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Area {
    /// The pixel of places on the axes.
    pub(crate) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let across = self.left + x * (self.right - self.left);
        [across, self.bottom - y * (self.bottom - self.top)]
    }

    pub(crate) fn places(&self, piece: &[[f64; 2]]) -> Vec<[f64; 2]> {
        piece.iter().map(|&point| self.place(point)).collect()
    }
}
