//! The format that a file's name asks for.

use std::path::Path;

use crate::FigureError;

/// What a figure is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable, light or dark as the page around it.
    Svg,
    /// Two pixels for each of the figure's, light.
    Png,
}

impl Format {
    /// Returns the format by the ending of a name, `.svg` or `.png`.
    ///
    /// `-`, which is standard output, gets SVG, and so do devices and pipes.
    pub fn of(path: &Path) -> Result<Self, FigureError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ if path == Path::new("-") || is_stream(path) => Ok(Self::Svg),
            _ => Err(FigureError::Ending { path: path.to_path_buf() }),
        }
    }
}

/// Whether something exists under that name that is neither a file nor a folder.
fn is_stream(path: &Path) -> bool {
    // A shell may have connected standard output to a file.
    let standard = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    standard.iter().any(|name| path == Path::new(name))
        || path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_choose_the_format() {
        for (name, format) in [("a.svg", Format::Svg), ("b/a.b.PNG", Format::Png)] {
            assert_eq!(Format::of(Path::new(name)).unwrap(), format);
        }
        assert_eq!(Format::of(Path::new("-")).unwrap(), Format::Svg);
        for name in ["a", "a.pdf", "a.svg.gz", "svg", ".png", ""] {
            let error = Format::of(Path::new(name)).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{name}: expected a name that ends in .svg or .png")
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn devices_get_svg() {
        for name in ["/dev/null", "/dev/stdout"] {
            assert_eq!(Format::of(Path::new(name)).unwrap(), Format::Svg);
        }
    }
}
