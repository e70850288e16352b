//! The list of a series: ParaView's `.pvd`, a line for each file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use nonius_files::file::FileProblem;

use super::SeriesError;

/// A file of a series.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// Its time.
    pub(super) time: f64,
    /// Its name, beside the list.
    pub(super) file: String,
}

/// What stands for characters that XML needs for itself, `&` last.
const ESCAPES: [(&str, &str); 4] = [("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("&", "&amp;")];

fn escape(text: &str) -> String {
    let escaped = ESCAPES.iter().rev();
    escaped.fold(text.to_owned(), |text, (character, escape)| text.replace(character, escape))
}

fn unescape(text: &str) -> String {
    ESCAPES
        .iter()
        .fold(text.to_owned(), |text, (character, escape)| text.replace(escape, character))
}

pub(super) fn write(out: &mut File, entries: &[Entry]) -> io::Result<()> {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n",
    );
    for Entry { time, file } in entries {
        let file = escape(file);
        text.push_str(&format!(
            "    <DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{file}\"/>\n"
        ));
    }
    text.push_str("  </Collection>\n</VTKFile>\n");
    out.write_all(text.as_bytes())
}

/// The entries of a list that [`write`] wrote.
pub(super) fn read(path: &Path) -> Result<Vec<Entry>, SeriesError> {
    let mut text = String::new();
    File::open(path)
        .and_then(|mut file| file.read_to_string(&mut text))
        .map_err(|error| FileProblem::Read(error).of(path))?;
    let wrong = |line| SeriesError::List { path: path.to_path_buf(), line };
    if !text.contains("<VTKFile type=\"Collection\"") {
        return Err(wrong(0));
    }
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| line.trim_start().starts_with("<DataSet "))
        .map(|(i, line)| entry(line).ok_or_else(|| wrong(i + 1)))
        .collect()
}

fn entry(line: &str) -> Option<Entry> {
    let time = attribute(line, "timestep")?.parse().ok()?;
    Some(Entry { time, file: unescape(attribute(line, "file")?) })
}

fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}
