//! What a figure is made of.

use crate::looks::Look;

/// Panels below a title.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What stands above all panels; nothing where it is empty.
    pub title: String,
    /// What stands below all panels, in a smaller size; nothing where it is empty.
    pub note: String,
    /// The panels, row by row. Those without a point that can be drawn are left out.
    pub panels: Vec<Panel>,
    /// Panels in a row; 1 stacks them.
    pub columns: usize,
    /// Width in pixels, taken as 320 at least and 4000 at most.
    pub width: u32,
    /// Height of the axes of a panel in pixels, taken as 80 at least and 2000 at most.
    pub height: u32,
    /// Whether one legend below all panels names the curves, each name with one look.
    pub shared_legend: bool,
}

impl Default for Figure {
    fn default() -> Self {
        Self {
            title: String::new(),
            note: String::new(),
            panels: Vec::new(),
            columns: 1,
            width: 860,
            height: 360,
            shared_legend: false,
        }
    }
}

/// Curves on common axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What stands above the axes; nothing where it is empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves. The only one needs no label if its name is the panel's title.
    pub curves: Vec<Curve>,
    /// Horizontal lines.
    pub references: Vec<Reference>,
}

/// Whether an axis has equal steps for equal differences or for equal ratios.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences.
    #[default]
    Linear,
    /// Equal ratios; the axis shows positive numbers alone.
    Logarithmic,
}

/// One axis of a panel. It covers all points, and what it is told to reach.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it shows, with the unit.
    pub title: String,
    /// Its scale.
    pub scale: Scale,
    /// Numbers that it covers even if no point is there.
    pub reaches: Vec<f64>,
    /// Where it has labels, and which; where empty, at round numbers.
    pub marks: Vec<(f64, String)>,
    /// Whether only whole numbers get labels.
    pub whole: bool,
}

impl Axis {
    /// Returns a linear axis.
    pub fn linear(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Returns a logarithmic axis.
    pub fn logarithmic(title: impl Into<String>) -> Self {
        Self { title: title.into(), scale: Scale::Logarithmic, ..Self::default() }
    }

    /// Returns a linear axis of whole numbers from 0, such as iterations.
    pub fn counting(title: impl Into<String>) -> Self {
        Self { whole: true, reaches: vec![0.0], ..Self::linear(title) }
    }

    /// Makes the axis cover `x`. A linear axis ends there if no point is beyond.
    pub fn reaching(mut self, x: f64) -> Self {
        self.reaches.push(x);
        self
    }

    /// Gives the axis labels at these numbers.
    pub fn marked<T: ToString>(mut self, marks: impl IntoIterator<Item = (f64, T)>) -> Self {
        self.marks.extend(marks.into_iter().map(|(x, text)| (x, text.to_string())));
        self
    }
}

/// Which points of a curve have a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markers {
    /// None.
    #[default]
    None,
    /// All that are drawn.
    All,
    /// The last.
    End,
}

/// A line through points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points, in the order in which the line takes them.
    pub points: Vec<(f64, f64)>,
    /// Which of them have a marker.
    pub markers: Markers,
    /// How it looks; a look that another curve of the panel has already is replaced.
    pub look: Option<Look>,
}

impl Curve {
    /// Returns a curve without markers.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), points: points.into_iter().collect(), ..Self::default() }
    }

    /// Puts markers at points.
    pub fn with_markers(mut self, markers: Markers) -> Self {
        self.markers = markers;
        self
    }

    /// Makes the curve look so.
    pub fn with_look(mut self, look: Look) -> Self {
        self.look = Some(look);
        self
    }
}

/// A horizontal line across a panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// Its name.
    pub name: String,
    /// Where it is on the vertical axis, which covers it.
    pub value: f64,
}
