//! Pixels, and PNG files of them.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use png::{BitDepth, ColorType, Encoder};

use nonius_files::file::{self, FileError};

/// A picture of red, green and blue (sRGB).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// White.
    pub(super) fn new(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![[255; 3]; width as usize * height as usize] }
    }

    /// Pixels from left to right.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels from top to bottom.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Pixels in rows from the top, each from the left: red, green, blue.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// Writes a PNG file, which appears complete or not at all.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        file::write(path, |out| self.encode(BufWriter::new(out)))
    }

    fn encode(&self, mut out: impl Write) -> io::Result<()> {
        let mut encoder = Encoder::new(&mut out, self.width, self.height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        out.flush()
    }

    pub(super) fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        self.blend(x, y, colour, 1.0);
    }

    /// Lays a colour over a pixel, if it is there; `part` from 0 to 1.
    pub(super) fn blend(&mut self, x: usize, y: usize, colour: [u8; 3], part: f64) {
        if x >= self.width as usize || y >= self.height as usize {
            return;
        }
        for (below, above) in self.pixels[y * self.width as usize + x].iter_mut().zip(colour) {
            let mixed = f64::from(*below) * (1.0 - part) + f64::from(above) * part;
            *below = mixed.round() as u8;
        }
    }
}
