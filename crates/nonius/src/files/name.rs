//! What the name of a file with a matrix says.

use std::path::Path;

use nonius_files::packed::unpacked;

/// The forms of files with a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text of the NIST Matrix Market.
    MatrixMarket,
    /// An array of NumPy.
    Npy,
    /// An archive of arrays of NumPy.
    Npz,
    /// Comma-separated values, a row of the matrix on each line.
    Csv,
}

/// The name of a file with a matrix: `a.mtx`, `a.npy.gz`, or `a.npz:x` for one array of an archive.
///
/// ```
/// use std::path::Path;
///
/// use nonius::files::{Form, MatrixName};
///
/// let name = MatrixName::of(Path::new("a.npz:x"));
/// assert_eq!((name.file, name.array), (Path::new("a.npz"), Some("x")));
/// assert_eq!(name.form, Some(Form::Npz));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixName<'a> {
    /// The file.
    pub file: &'a Path,
    /// The array in an archive, where the name says which.
    pub array: Option<&'a str>,
    /// The form that the ending promises, if it promises one.
    pub form: Option<Form>,
}

impl<'a> MatrixName<'a> {
    /// What a name says.
    pub fn of(path: &'a Path) -> Self {
        let text = path.to_str().unwrap_or_default();
        let parts =
            text.match_indices(':').map(|(at, _)| (Path::new(&text[..at]), &text[at + 1..]));
        let mut of_archives = parts.filter(|(file, _)| promised(file) == Some(Form::Npz));
        match of_archives.next() {
            Some((file, array)) => Self { file, array: Some(array), form: Some(Form::Npz) },
            None => Self { file: path, array: None, form: promised(path) },
        }
    }

    /// The form that is written under the name.
    pub fn form_written(self) -> Form {
        self.form.unwrap_or(Form::MatrixMarket)
    }
}

/// The form that the ending of a name promises, with or without that of a compressed file.
fn promised(path: &Path) -> Option<Form> {
    let ending = unpacked(path).extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "mtx" => Some(Form::MatrixMarket),
        "npy" => Some(Form::Npy),
        "npz" => Some(Form::Npz),
        "csv" => Some(Form::Csv),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_what_they_say() {
        for (name, file, array, form) in [
            ("a.mtx", "a.mtx", None, Some(Form::MatrixMarket)),
            ("a.mtx.xz", "a.mtx.xz", None, Some(Form::MatrixMarket)),
            ("b/a.NPY.gz", "b/a.NPY.gz", None, Some(Form::Npy)),
            ("a.npz", "a.npz", None, Some(Form::Npz)),
            ("a.npz:x", "a.npz", Some("x"), Some(Form::Npz)),
            ("c:d.npz:x:y/z", "c:d.npz", Some("x:y/z"), Some(Form::Npz)),
            ("a.npz.gz:x.csv", "a.npz.gz", Some("x.csv"), Some(Form::Npz)),
            ("a.npz:", "a.npz", Some(""), Some(Form::Npz)),
            ("a.csv:x", "a.csv:x", None, None),
            ("a.csv", "a.csv", None, Some(Form::Csv)),
            ("a", "a", None, None),
            (".npy", ".npy", None, None),
            ("-", "-", None, None),
        ] {
            let expected = MatrixName { file: Path::new(file), array, form };
            assert_eq!(MatrixName::of(Path::new(name)), expected, "{name}");
        }
    }
}
