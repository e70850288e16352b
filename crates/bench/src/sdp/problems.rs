//! The problems of a folder.

use std::error::Error;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nonius::files::decompress;
use nonius::sdp::input::read_sparse;
use nonius::sdp::{Block, Problem};

/// A problem that was read.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) problem: Problem,
    /// Seconds of reading it.
    pub(super) reading: f64,
}

impl Input {
    /// Blocks by kind: dense and diagonal ones.
    pub(super) fn blocks(&self) -> [usize; 2] {
        let blocks = self.problem.blocks();
        let dense = blocks.iter().filter(|block| matches!(block, Block::Dense(_))).count();
        [dense, blocks.len() - dense]
    }

    /// The text of its file.
    pub(super) fn text(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut text = Vec::new();
        let whole = decompress(File::open(&self.path)?)?.read_to_end(&mut text);
        whole.map_err(|error| format!("{}: {error}", self.path.display()))?;
        Ok(text)
    }

    /// Operations of an iteration, about: the factorisation of the system for `x`, and the products
    /// of each dense block.
    fn work(&self) -> f64 {
        let cube = |order: usize| (order as f64).powi(3);
        let blocks = self.problem.blocks().iter().map(|block| match block {
            Block::Dense(order) => 20.0 * cube(*order),
            Block::Diagonal(_) | Block::SecondOrder(_) => 0.0,
        });
        cube(self.problem.constraints()) / 3.0 + blocks.sum::<f64>()
    }
}

/// Reads the problems of a folder, only some or without some, and puts those first that are least
/// work.
pub(super) fn read(
    folder: &Path,
    only: &[String],
    skip: &[String],
) -> Result<Vec<Input>, Box<dyn Error>> {
    let failed = |error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if let Some(name) = name(&path) {
            files.push((name, path));
        }
    }
    files.sort();
    files.dedup_by(|next, kept| next.0 == kept.0);
    if let Some(missing) = only.iter().find(|name| files.iter().all(|file| file.0 != **name)) {
        return Err(format!("{} has no problem {missing}", folder.display()).into());
    }
    files.retain(|(name, _)| (only.is_empty() || only.contains(name)) && !skip.contains(name));
    let mut inputs = Vec::new();
    for (name, path) in files {
        inputs.push(input(name, path)?);
    }
    inputs.sort_by(|a, b| a.work().total_cmp(&b.work()));
    Ok(inputs)
}

fn input(name: String, path: PathBuf) -> Result<Input, String> {
    let failed = |error: &dyn Error| format!("{}: {error}", path.display());
    let began = Instant::now();
    let file = File::open(&path).and_then(decompress).map_err(|error| failed(&error))?;
    let problem = read_sparse(file).map_err(|error| failed(&error))?;
    Ok(Input { name, problem, reading: began.elapsed().as_secs_f64(), path })
}

/// The name of the problem that a file has, if it has one.
fn name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".xz")).unwrap_or(name);
    plain.strip_suffix(".dat-s").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROBLEM: &str = "2\n2\n2 -1\n1 2\n0 1 1 1 1\n1 1 1 1 1\n2 2 1 1 1\n";
    const LARGER: &str = "1\n1\n9\n1\n0 1 1 1 1\n1 1 1 1 1\n";

    #[test]
    fn names_have_no_endings() {
        let of = |name_of_file: &str| name(Path::new(name_of_file));
        assert_eq!(of("a/theta1.dat-s.xz").as_deref(), Some("theta1"));
        assert_eq!(of("gpp124-1.dat-s").as_deref(), Some("gpp124-1"));
        assert_eq!(of("x.dat-s.gz").as_deref(), Some("x"));
        assert_eq!(of("README"), None);
        assert_eq!(of("x.dat"), None);
    }

    #[test]
    fn the_smallest_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.dat-s"), LARGER).unwrap();
        fs::write(folder.path().join("b.dat-s"), PROBLEM).unwrap();
        fs::write(folder.path().join("c.dat-s"), PROBLEM).unwrap();
        fs::write(folder.path().join("notes.txt"), "none").unwrap();
        let names = |only: &[&str], skip: &[&str]| {
            let [only, skip] =
                [only, skip].map(|names| names.iter().map(|&name| name.into()).collect::<Vec<_>>());
            let inputs = read(folder.path(), &only, &skip);
            inputs.map(|inputs| inputs.into_iter().map(|input| input.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[], &[]).unwrap(), ["b", "c", "a"]);
        assert_eq!(names(&["a", "c"], &[]).unwrap(), ["c", "a"]);
        assert_eq!(names(&[], &["b"]).unwrap(), ["c", "a"]);
        assert!(names(&["d"], &[]).is_err());
        let inputs = read(folder.path(), &["b".into()], &[]).unwrap();
        assert_eq!(inputs[0].blocks(), [1, 1]);
        assert_eq!(inputs[0].text().unwrap(), PROBLEM.as_bytes());
    }
}
