//! Where a figure's parts are: panels in rows and columns, their axes aligned.

use crate::axis::{MOST_LABELS, Tick};
use crate::figure::Figure;
use crate::font::width;
use crate::labels::{GAP, LEADER};
use crate::legend::Legend;
use crate::panel::{Drawn, Line};
use crate::sizes::{Area, HEAD, HEAD_LINE, NAME, SMALL, SMALL_LINE, TITLE, TITLE_LINE};
use crate::words::{shortened, wrapped};

/// Room around the figure.
pub(crate) const MARGIN: f64 = 24.0;
/// Between columns, and between rows.
const GAPS: [f64; 2] = [30.0, 26.0];
/// Between labels and their axis.
pub(crate) const TICK_GAP: f64 = 8.0;
/// Between the words above the axes and the axes, and between the axes and a legend.
pub(crate) const ABOVE: f64 = 9.0;
pub(crate) const BELOW: f64 = 10.0;
/// Room to the right of the axes for half a label.
const OVERHANG: f64 = 16.0;
/// Room between axes and a legend beside them.
const BESIDE: f64 = 22.0;
/// Height of the axes for one of their labels.
const LABEL_ROOM: f64 = 30.0;
/// Curves at most that have their names at their ends.
const MOST_NAMES: usize = 6;
/// The parts of a panel's width that axes keep beside names, and that a legend may take.
const LEAST_AXES: f64 = 0.5;
const MOST_LEGEND: f64 = 0.36;
/// Width of a name at the end of a curve at most, as a part of the panel's.
const LONGEST_NAME: f64 = 0.34;
/// A curve that ends beyond this part of the axes may have its name beside the edge.
const NEAR_EDGE: f64 = 0.95;
/// Panels are never narrower, and axes.
const LEAST_CELL: f64 = 160.0;
const LEAST_WIDTH: f64 = 40.0;

/// Where a panel has the names of its lines.
pub(crate) enum Naming {
    /// There are none, or the figure's legend has them.
    Elsewhere,
    /// Each at the end of its line.
    AtEnds,
    /// In a legend to the right of the axes.
    Beside(Legend),
    /// In a legend below the axes.
    Below(Legend),
}

/// A panel and where it is.
pub(crate) struct Cell<'a> {
    pub(crate) drawn: Drawn<'a>,
    pub(crate) naming: Naming,
    pub(crate) head: Vec<String>,
    pub(crate) y_ticks: Vec<Tick>,
    pub(crate) axes: Area,
    /// The ends of the panel from left to right.
    pub(crate) ends: [f64; 2],
}

/// A figure's size, and what it has besides panels.
pub(crate) struct Sheet {
    pub(crate) size: [f64; 2],
    pub(crate) title: Vec<String>,
    pub(crate) note: Vec<String>,
    pub(crate) legend: Option<Legend>,
    /// How far down legend and note begin.
    pub(crate) below: [f64; 2],
}

/// Width of a figure, of its words and of a panel.
pub(crate) struct Widths {
    sheet: f64,
    inner: f64,
    cell: f64,
    columns: usize,
    height: f64,
}

impl Widths {
    pub(crate) fn of(figure: &Figure, panels: usize) -> Self {
        let sheet = f64::from(figure.width.clamp(320, 4000));
        let inner = sheet - 2.0 * MARGIN;
        let most = ((inner + GAPS[0]) / (LEAST_CELL + GAPS[0])) as usize;
        let columns = figure.columns.min(panels).clamp(1, most.max(1));
        let cell = (inner - GAPS[0] * (columns - 1) as f64) / columns as f64;
        Self { sheet, inner, cell, columns, height: f64::from(figure.height.clamp(80, 2000)) }
    }
}

impl<'a> Cell<'a> {
    pub(crate) fn new(drawn: Drawn<'a>, widths: &Widths, is_shared: bool) -> Self {
        let most = (widths.height / LABEL_ROOM) as usize;
        let y_ticks = drawn.y.ticks(&drawn.panel.y, most.min(MOST_LABELS));
        let head = wrapped(&drawn.panel.title, HEAD, widths.cell, 2);
        let axes = Area { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 };
        let naming = Naming::AtEnds;
        let mut cell = Self { drawn, naming, head, y_ticks, axes, ends: [0.0; 2] };
        let have_ends = cell.drawn.curves() <= MOST_NAMES
            && cell.drawn.lines.iter().all(|line| line.end().is_some());
        if is_shared || cell.drawn.named().next().is_none() {
            cell.naming = Naming::Elsewhere;
        } else if !have_ends || cell.axes_width(widths) < LEAST_AXES * widths.cell {
            cell.list_names(widths);
        }
        cell
    }

    /// Puts the names into a legend beside the axes, or below them where there is no room.
    pub(crate) fn list_names(&mut self, widths: &Widths) {
        let beside = Legend::of(self.drawn.named(), None);
        let fits = beside.height() <= widths.height && beside.width() <= MOST_LEGEND * widths.cell;
        self.naming = if fits && widths.columns == 1 {
            Naming::Beside(beside)
        } else {
            Naming::Below(Legend::of(self.drawn.named(), Some(widths.cell)))
        };
    }

    fn labels_width(&self) -> f64 {
        let labels = self.y_ticks.iter().map(|tick| width(&tick.text, SMALL));
        labels.fold(0.0, f64::max) + TICK_GAP
    }

    /// A name as it stands at the end of its line.
    pub(crate) fn short_name(name: &str, panel: f64) -> String {
        shortened(name, NAME, LONGEST_NAME * panel)
    }

    /// The width that names leave to the axes.
    fn axes_width(&self, widths: &Widths) -> f64 {
        let room = widths.cell - self.labels_width();
        match &self.naming {
            Naming::Beside(legend) => room - BESIDE - legend.width(),
            Naming::Elsewhere | Naming::Below(_) => room - OVERHANG,
            Naming::AtEnds => {
                let left = |(name, line): (&str, &Line)| {
                    let [end, _] = line.end().unwrap_or_default();
                    let name = width(&Self::short_name(name, widths.cell), NAME);
                    // Names at the edge may have leaders.
                    let gap = if end > NEAR_EDGE { LEADER } else { GAP };
                    (room - gap - name) / end.max(LEAST_AXES)
                };
                self.drawn.named().map(left).fold(room - OVERHANG, f64::min)
            }
        }
    }
}

/// Gives all cells their places.
pub(crate) fn arrange(cells: &mut [Cell<'_>], figure: &Figure, widths: &Widths) -> Sheet {
    let title = wrapped(&figure.title, TITLE, widths.inner, 3);
    let note = wrapped(&figure.note, SMALL, widths.inner, 4);
    let columns = widths.columns;
    for column in 0..columns {
        let of_column = || cells.iter().skip(column).step_by(columns);
        let labels = of_column().map(Cell::labels_width).fold(0.0, f64::max);
        // What a panel's names leave is measured from its own labels.
        let left = |cell: &Cell<'_>| cell.axes_width(widths) - (labels - cell.labels_width());
        let width = of_column().map(left).fold(f64::INFINITY, f64::min).max(LEAST_WIDTH);
        let from = MARGIN + column as f64 * (widths.cell + GAPS[0]);
        for cell in cells.iter_mut().skip(column).step_by(columns) {
            cell.ends = [from, from + widths.cell];
            cell.axes.left = from + labels;
            cell.axes.right = from + labels + width;
        }
    }
    let mut y = MARGIN + title.len() as f64 * TITLE_LINE;
    y += if title.is_empty() { 0.0 } else { 10.0 };
    for (row, cells) in cells.chunks_mut(columns).enumerate() {
        y += if row > 0 { GAPS[1] } else { 0.0 };
        let most =
            |cells: &[Cell<'_>], f: fn(&Cell<'_>) -> f64| cells.iter().map(f).fold(0.0, f64::max);
        let top = y + most(cells, above);
        for cell in cells.iter_mut() {
            (cell.axes.top, cell.axes.bottom) = (top, top + widths.height);
        }
        y = top + widths.height + most(cells, below);
    }
    let legend = figure.shared_legend.then(|| {
        let lines = cells.iter().flat_map(|cell| cell.drawn.named());
        Legend::of(lines, Some(widths.inner))
    });
    let legend_top = y + if legend.is_some() { BELOW + 6.0 } else { 0.0 };
    let note_top = legend_top
        + legend.as_ref().map_or(0.0, Legend::height)
        + if note.is_empty() { 0.0 } else { 14.0 };
    let height = note_top + note.len() as f64 * SMALL_LINE + MARGIN;
    Sheet {
        size: [widths.sheet, height.ceil()],
        title,
        note,
        legend,
        below: [legend_top, note_top],
    }
}

/// Height of what is above the axes.
fn above(cell: &Cell<'_>) -> f64 {
    let quantity = if cell.drawn.panel.y.title.is_empty() { 0.0 } else { SMALL_LINE };
    cell.head.len() as f64 * HEAD_LINE + quantity + ABOVE
}

/// Height of what is below the axes.
fn below(cell: &Cell<'_>) -> f64 {
    let quantity = if cell.drawn.panel.x.title.is_empty() { 0.0 } else { SMALL_LINE };
    let legend = match &cell.naming {
        Naming::Below(legend) => BELOW + legend.height(),
        _ => 0.0,
    };
    TICK_GAP + SMALL_LINE + quantity + legend
}
