//! Draws a figure: lays it out, and lists its lines, shapes and words.

use crate::axis::{MOST_LABELS, Tick};
use crate::figure::{Figure, Markers};
use crate::font::width;
use crate::grid::{ABOVE, BELOW, Cell, MARGIN, Naming, TICK_GAP, Widths, arrange};
use crate::labels::{self, Obstacles, Placed, Wanted};
use crate::legend::mark;
use crate::panel::{Drawn, Line, Style};
use crate::scene::{Anchor, Ink, Scene};
use crate::sizes::{Area, HEAD, HEAD_LINE, NAME, SMALL, SMALL_LINE, TITLE, TITLE_LINE};
use crate::words::{clean, shortened};
use crate::{FigureError, Format, raster, svg};

/// From the middle of a line of words to where its letters stand, as a part of their size.
const MIDDLE: f64 = 0.36;
/// Width of the axes for one label at least.
const LABEL_ROOM: f64 = 38.0;
/// Between labels of a horizontal axis.
const BETWEEN: f64 = 12.0;

impl Figure {
    /// Returns the bytes of a file of that format.
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, FigureError> {
        let scene = scene(self)?;
        match format {
            Format::Svg => Ok(svg::write(&scene).into_bytes()),
            Format::Png => raster::write(&scene),
        }
    }
}

fn scene(figure: &Figure) -> Result<Scene, FigureError> {
    let drawn: Vec<Drawn<'_>> = figure.panels.iter().filter_map(Drawn::of).collect();
    if drawn.is_empty() {
        return Err(FigureError::Empty);
    }
    let widths = Widths::of(figure, drawn.len());
    let mut cells: Vec<Cell<'_>> =
        drawn.into_iter().map(|drawn| Cell::new(drawn, &widths, figure.shared_legend)).collect();
    let mut sheet = arrange(&mut cells, figure, &widths);
    // Each pass takes the names of a panel at least from the ends of its curves.
    let names = loop {
        let names: Vec<Option<Vec<Placed>>> = cells.iter().map(names_at_ends).collect();
        let crowded = cells.iter_mut().zip(&names).filter(|(_, names)| names.is_none());
        let count = crowded.map(|(cell, _)| cell.list_names(&widths)).count();
        if count == 0 {
            break names;
        }
        sheet = arrange(&mut cells, figure, &widths);
    };
    let [width, height] = sheet.size;
    let mut scene = Scene { width, height, title: clean(&figure.title), items: Vec::new() };
    for (i, line) in sheet.title.iter().enumerate() {
        let y = MARGIN + i as f64 * TITLE_LINE + TITLE * 0.8;
        scene.words(line, [MARGIN, y], TITLE, Anchor::Start, Ink::Text);
    }
    for (cell, names) in cells.iter().zip(names) {
        draw_cell(&mut scene, cell, &names.unwrap_or_default());
    }
    if let Some(legend) = &sheet.legend {
        legend.draw(&mut scene, [MARGIN, sheet.below[0]]);
    }
    for (i, line) in sheet.note.iter().enumerate() {
        let y = sheet.below[1] + i as f64 * SMALL_LINE + SMALL * 0.8;
        scene.words(line, [MARGIN, y], SMALL, Anchor::Start, Ink::Muted);
    }
    Ok(scene)
}

/// Places of the names at the ends of lines, none where they are elsewhere; `None` without room.
fn names_at_ends(cell: &Cell<'_>) -> Option<Vec<Placed>> {
    let Naming::AtEnds = cell.naming else { return Some(Vec::new()) };
    let (mut lines, mut markers) = (Vec::new(), Vec::new());
    for line in &cell.drawn.lines {
        let pieces: Vec<_> = line.pieces.iter().map(|piece| cell.axes.places(piece)).collect();
        match line.style {
            Style::Curve(_, Markers::All) => markers.extend(pieces.iter().flatten().copied()),
            Style::Curve(_, Markers::End) => {
                markers.extend(line.end().map(|end| cell.axes.place(end)))
            }
            _ => {}
        }
        lines.extend(pieces);
    }
    let obstacles = Obstacles { lines, markers };
    let wanted = |(name, line): (&str, &Line)| {
        let name = Cell::short_name(name, cell.ends[1] - cell.ends[0]);
        Some(Wanted { width: width(&name, NAME), end: cell.axes.place(line.end()?) })
    };
    let wanted: Vec<Wanted> = cell.drawn.named().map(wanted).collect::<Option<_>>()?;
    labels::place(&wanted, &obstacles, &cell.axes, cell.ends[1])
}

fn draw_cell(scene: &mut Scene, cell: &Cell<'_>, names: &[Placed]) {
    let Cell { drawn, axes, .. } = cell;
    draw_head(scene, cell);
    draw_axes(scene, cell);
    for line in &drawn.lines {
        draw_line(scene, line, axes);
    }
    match &cell.naming {
        Naming::Elsewhere => {}
        Naming::AtEnds => {
            for ((name, line), placed) in drawn.named().zip(names) {
                let name = Cell::short_name(name, cell.ends[1] - cell.ends[0]);
                draw_name(scene, &name, line, axes, placed);
            }
        }
        Naming::Beside(legend) => {
            let left = cell.ends[1] - legend.width();
            legend.draw(scene, [left, axes.top]);
        }
        Naming::Below(legend) => {
            let title = if drawn.panel.x.title.is_empty() { 0.0 } else { SMALL_LINE };
            let top = axes.bottom + TICK_GAP + SMALL_LINE + title + BELOW;
            legend.draw(scene, [cell.ends[0], top]);
        }
    }
}

/// The panel's title, and below it what the vertical axis shows.
fn draw_head(scene: &mut Scene, cell: &Cell<'_>) {
    let quantity = shortened(&cell.drawn.panel.y.title, SMALL, cell.ends[1] - cell.ends[0]);
    let lines = cell.head.len() as f64 * HEAD_LINE;
    let room = if quantity.is_empty() { 0.0 } else { SMALL_LINE };
    let top = cell.axes.top - ABOVE - room - lines;
    for (i, line) in cell.head.iter().enumerate() {
        let y = top + i as f64 * HEAD_LINE + HEAD * 0.85;
        scene.words(line, [cell.ends[0], y], HEAD, Anchor::Start, Ink::Text);
    }
    if !quantity.is_empty() {
        let at = [cell.ends[0], top + lines + SMALL * 0.95];
        scene.words(quantity, at, SMALL, Anchor::Start, Ink::Muted);
    }
}

fn draw_axes(scene: &mut Scene, cell: &Cell<'_>) {
    let Cell { drawn, axes, .. } = cell;
    // Thin lines fill whole pixels.
    let sharp = |x: f64| x.floor() + 0.5;
    let x_ticks = x_ticks(drawn, axes);
    let (left, bottom) = (sharp(axes.left), sharp(axes.bottom));
    for tick in &cell.y_ticks {
        let [_, y] = axes.place([0.0, tick.place]);
        scene.line(vec![[left, sharp(y)], [axes.right, sharp(y)]], Ink::Faint, 1.0, Vec::new());
        let at = [axes.left - TICK_GAP, y + SMALL * MIDDLE];
        scene.words(&tick.text, at, SMALL, Anchor::End, Ink::Muted);
    }
    let below = axes.bottom + TICK_GAP + SMALL * 0.8;
    for tick in &x_ticks {
        let [x, _] = axes.place([tick.place, 0.0]);
        scene.line(vec![[sharp(x), axes.top], [sharp(x), bottom]], Ink::Faint, 1.0, Vec::new());
        scene.words(&tick.text, [x, below], SMALL, Anchor::Middle, Ink::Muted);
    }
    let corner = vec![[left, axes.top], [left, bottom], [axes.right, bottom]];
    scene.line(corner, Ink::Muted, 1.0, Vec::new());
    let title = shortened(&drawn.panel.x.title, SMALL, cell.ends[1] - cell.ends[0]);
    if !title.is_empty() {
        let middle = f64::midpoint(axes.left, axes.right);
        // A title that is wider than the axes stays within the panel.
        let half = width(&title, SMALL) / 2.0;
        let middle = middle.min(cell.ends[1] - half).max(cell.ends[0] + half);
        let at = [middle, below + SMALL_LINE];
        scene.words(title, at, SMALL, Anchor::Middle, Ink::Muted);
    }
}

/// As many labels of the horizontal axis as do not touch.
fn x_ticks(drawn: &Drawn<'_>, axes: &Area) -> Vec<Tick> {
    let room = axes.right - axes.left;
    let touch = |one: &Tick, next: &Tick| {
        let words = (width(&one.text, SMALL) + width(&next.text, SMALL)) / 2.0;
        (next.place - one.place) * room < words + BETWEEN
    };
    let axis = &drawn.panel.x;
    if axis.marks.is_empty() {
        let most = ((room / LABEL_ROOM) as usize).clamp(2, MOST_LABELS);
        for most in (3..=most).rev() {
            let ticks = drawn.x.ticks(axis, most);
            if !ticks.windows(2).any(|pair| touch(&pair[0], &pair[1])) {
                return ticks;
            }
        }
    }
    let mut ticks = drawn.x.ticks(axis, 3);
    ticks.sort_by(|a, b| a.place.total_cmp(&b.place));
    // Of given labels every second, or third, or ...
    let kept = |step: usize| ticks.iter().step_by(step).cloned().collect::<Vec<_>>();
    let fits = |ticks: &Vec<Tick>| !ticks.windows(2).any(|pair| touch(&pair[0], &pair[1]));
    (1..=ticks.len()).map(kept).find(fits).unwrap_or_default()
}

fn draw_line(scene: &mut Scene, line: &Line, axes: &Area) {
    let (ink, width, dashes) = line.style.stroke();
    for piece in &line.pieces {
        let points = axes.places(piece);
        if let ([_], Style::Curve(look, Markers::None | Markers::End)) = (&*points, line.style) {
            // A point between gaps is seen by its marker.
            mark(scene, look.marker, points[0], ink);
            continue;
        }
        if let Style::Curve(look, Markers::All) = line.style {
            points.iter().for_each(|&point| mark(scene, look.marker, point, ink));
        }
        scene.line(points, ink, width, dashes.clone());
    }
    if let (Style::Curve(look, Markers::End), Some(end)) = (line.style, line.end()) {
        mark(scene, look.marker, axes.place(end), ink);
    }
}

fn draw_name(scene: &mut Scene, name: &str, line: &Line, axes: &Area, placed: &Placed) {
    let [x, y] = placed.at;
    let name_width = width(name, NAME);
    if placed.has_leader {
        let (ink, _, _) = line.style.stroke();
        let end = axes.place(line.end().unwrap_or_default());
        let leader = labels::leader(&Wanted { width: name_width, end }, placed.at);
        scene.line(leader.to_vec(), ink, 1.0, Vec::new());
    }
    if x < axes.right {
        // The grid does not go through the name.
        let half = NAME / 2.0;
        let to = [(x + name_width + 2.0).min(axes.right), y + half];
        scene.rectangle([x - 2.0, y - half], to, Ink::Paper);
    }
    scene.words(name, [x, y + NAME * MIDDLE], NAME, Anchor::Start, line.style.words());
}
