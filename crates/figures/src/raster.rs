//! A scene as PNG, on light paper.
//!
//! plotters fills shapes on a grid four times as fine as the figure's pixels, and each pixel of
//! the PNG is the mean of four of the grid. plotters takes places as whole numbers, and leaves
//! holes in wide lines that cross themselves. Lines are therefore drawn piece by piece, and letters
//! by their outlines.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::FigureError;
use crate::font;
use crate::scene::{Anchor, Ink, Item, Scene, colours};

/// Pixels of the PNG for one of the figure, in each direction.
const SCALE: u32 = 2;
/// Pixels of the grid for one of the PNG, in each direction.
const FINER: u32 = 2;
const GRID: f64 = (SCALE * FINER) as f64;
/// Pixels of a PNG at most: the grid takes twelve bytes for each.
const MOST_PIXELS: u64 = 1 << 24;
/// Pixels a metre of a PNG whose figure has 96 an inch.
const DENSITY: u32 = SCALE * 3780;

type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn Error + Send + Sync>>;

/// The bytes of a PNG.
pub(crate) fn write(scene: &Scene) -> Result<Vec<u8>, FigureError> {
    let [width, height] = [scene.width, scene.height].map(|x| x.ceil() as u64 * u64::from(SCALE));
    if width.saturating_mul(height) > MOST_PIXELS {
        return Err(FigureError::TooLarge { width, height });
    }
    let (width, height) = (width as u32, height as u32);
    let size = (width * FINER, height * FINER);
    let mut grid = vec![u8::MAX; 3 * size.0 as usize * size.1 as usize];
    let backend = BitMapBackend::with_buffer(&mut grid, size);
    draw(scene, &backend.into_drawing_area()).map_err(FigureError::Drawing)?;
    encode(&coarser(&grid, width as usize), width, height).map_err(FigureError::drawing)
}

fn draw(scene: &Scene, area: &Area<'_>) -> Drawn {
    area.fill(&light(Ink::Paper))?;
    for item in &scene.items {
        match item {
            Item::Line { points, ink, width, dashes } => {
                for dash in dashed(points, dashes) {
                    draw_line(area, &dash, *width, dashes.is_empty(), *ink)?;
                }
            }
            Item::Shape { corners, ink } => fill(area, corners, *ink)?,
            Item::Disc { centre, radius, ink } => disc(area, *centre, *radius, *ink)?,
            Item::Words { text, at, size, anchor, ink } => {
                let width = font::width(text, *size);
                let left = match anchor {
                    Anchor::Start => at[0],
                    Anchor::Middle => at[0] - width / 2.0,
                    Anchor::End => at[0] - width,
                };
                draw_words(area, text, *size, [left, at[1]], *ink)?;
            }
        }
    }
    area.present()?;
    Ok(())
}

/// Each piece of a line is a rectangle; discs fill the corners between them and round their ends.
fn draw_line(area: &Area<'_>, points: &[[f64; 2]], width: f64, whole: bool, ink: Ink) -> Drawn {
    let half = width / 2.0;
    // plotters' polygons have both of their ends, its rectangles one.
    let edge = |upright: bool| if upright { half } else { half - 0.5 / GRID };
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let [right, down] = [to[0] - from[0], to[1] - from[1]];
        let length = right.hypot(down);
        if length > 0.0 {
            let reach = edge(right == 0.0 || down == 0.0) / length;
            let across = [-down * reach, right * reach];
            let corner = |at: [f64; 2], sign: f64| [0, 1].map(|k| at[k] + sign * across[k]);
            let corners =
                [corner(from, 1.0), corner(to, 1.0), corner(to, -1.0), corner(from, -1.0)];
            fill(area, &corners, ink)?;
        }
    }
    // The ends of dashes are flat, and of thin lines nobody sees the corners.
    let rounded = if whole { points } else { inner(points) };
    if width > 1.0 {
        // plotters' discs have a pixel more than twice their radius.
        let radius = half - 1.0 / GRID;
        rounded.iter().try_for_each(|&point| disc(area, point, radius, ink))?;
    }
    Ok(())
}

/// All points but the ends.
fn inner(points: &[[f64; 2]]) -> &[[f64; 2]] {
    points.get(1..points.len().saturating_sub(1)).unwrap_or_default()
}

fn fill(area: &Area<'_>, corners: &[[f64; 2]], ink: Ink) -> Drawn {
    let [low, high] = [f64::min, f64::max].map(|end: fn(f64, f64) -> f64| {
        [0, 1].map(|k| corners.iter().map(|corner| corner[k]).fold(corners[0][k], end))
    });
    let is_upright = corners.iter().all(|c| (0..2).all(|k| c[k] == low[k] || c[k] == high[k]));
    let style = light(ink).filled();
    if is_upright && corners.len() == 4 {
        area.draw(&Rectangle::new([place(area, low), place(area, high)], style))?;
    } else {
        let corners: Vec<(i32, i32)> = corners.iter().map(|&corner| place(area, corner)).collect();
        area.draw(&Polygon::new(corners, style))?;
    }
    Ok(())
}

fn disc(area: &Area<'_>, centre: [f64; 2], radius: f64, ink: Ink) -> Drawn {
    let circle = Circle::new(place(area, centre), (radius * GRID).round(), light(ink).filled());
    area.draw(&circle)?;
    Ok(())
}

fn draw_words(area: &Area<'_>, text: &str, size: f64, at: [f64; 2], ink: Ink) -> Drawn {
    let mut drawn = Ok(());
    let (width, height) = area.dim_in_pixel();
    font::cover(text, size * GRID, at.map(|x| x * GRID), |[x, y], part| {
        let inside = (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
        if inside && part > 0.0 && drawn.is_ok() {
            drawn = area.draw_pixel((x, y), &light(ink).mix(part));
        }
    });
    Ok(drawn?)
}

fn light(ink: Ink) -> RGBColor {
    let [red, green, blue] = colours(ink)[0];
    RGBColor(red, green, blue)
}

/// A place on the grid; plotters counts on its being there.
fn place(area: &Area<'_>, at: [f64; 2]) -> (i32, i32) {
    let (width, height) = area.dim_in_pixel();
    let [x, y] = at.map(|x| (x * GRID).round() as i32);
    (x.clamp(0, width as i32 - 1), y.clamp(0, height as i32 - 1))
}

/// The dashes of a line; the line itself without a pattern.
fn dashed(points: &[[f64; 2]], pattern: &[f64]) -> Vec<Vec<[f64; 2]>> {
    let (Some(&first), Some(&start)) = (pattern.first(), points.first()) else {
        return vec![points.to_vec()];
    };
    let mut dashes = vec![vec![start]];
    let (mut part, mut left) = (0, first);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            let step = if length > left { left / length } else { 1.0 };
            from = [0, 1].map(|k| from[k] + step * (to[k] - from[k]));
            let is_dash = part % 2 == 0;
            if let (true, Some(dash)) = (is_dash, dashes.last_mut()) {
                dash.push(from);
            }
            if length <= left {
                left -= length;
                break;
            }
            part = (part + 1) % pattern.len();
            left = pattern[part];
            if part % 2 == 0 {
                dashes.push(vec![from]);
            }
        }
    }
    dashes
}

/// Means of squares of the grid.
fn coarser(grid: &[u8], width: usize) -> Vec<u8> {
    let finer = FINER as usize;
    let row = 3 * width * finer;
    let mut out = Vec::with_capacity(grid.len() / (finer * finer));
    for rows in grid.chunks_exact(row * finer) {
        for x in 0..width {
            for part in 0..3 {
                let pixels = (0..finer * finer)
                    .map(|k| rows[k / finer * row + 3 * (x * finer + k % finer) + part]);
                let sum: u32 = pixels.map(u32::from).sum();
                out.push((sum / (FINER * FINER)) as u8);
            }
        }
    }
    out
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let density = png::PixelDimensions { xppu: DENSITY, yppu: DENSITY, unit: png::Unit::Meter };
    encoder.set_pixel_dims(Some(density));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_have_their_lengths() {
        let points = [[0.0, 0.0], [4.0, 0.0], [4.0, 0.0], [4.0, 7.0]];
        let found = dashed(&points, &[3.0, 2.0]);
        let expected = [
            vec![[0.0, 0.0], [3.0, 0.0]],
            vec![[4.0, 1.0], [4.0, 4.0]],
            vec![[4.0, 6.0], [4.0, 7.0]],
        ];
        assert_eq!(found, expected);
        assert_eq!(dashed(&points, &[]), [points.to_vec()]);
        assert!(dashed(&[], &[1.0, 1.0]).concat().is_empty());
    }

    #[test]
    fn pixels_are_means() {
        let grid: Vec<u8> = (0..2 * 4 * 3).map(|i| if i < 12 { 100 } else { 200 }).collect();
        assert_eq!(coarser(&grid, 2), [150; 6]);
    }

    #[test]
    fn lines_are_as_wide_as_they_are_told() {
        let line = vec![[1.0, 5.0], [9.0, 5.0]];
        let items = vec![Item::Line { points: line, ink: Ink::Text, width: 2.0, dashes: vec![] }];
        let scene = Scene { width: 10.0, height: 10.0, title: String::new(), items };
        let bytes = write(&scene).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; 20 * 20 * 3];
        reader.next_frame(&mut pixels).unwrap();
        let dark = (0..20).filter(|y| pixels[(y * 20 + 10) * 3] < 128).collect::<Vec<_>>();
        assert_eq!(dark, [8, 9, 10, 11]);
    }

    #[test]
    fn pictures_that_would_not_fit_are_refused() {
        let scene = Scene { width: 800.0, height: 1e6, title: String::new(), items: vec![] };
        assert!(matches!(write(&scene), Err(FigureError::TooLarge { width: 1600, .. })));
    }
}
