//! Machine code on disk, so that a kernel is compiled once on a machine, or never where the files
//! came with the program.
//!
//! A file is named after the module, the architecture, a hash of all texts and options, and the
//! version of the compiler. It begins with a hash of the rest: a damaged file counts as absent.
//! Files are written under another name and then renamed, so that none is seen half written. A
//! folder that cannot be read or written costs time and nothing else.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::Version;
use crate::source::Source;

/// Names the folder; else it is `nonius` in the user's folder of caches.
const VARIABLE: &str = "NONIUS_CACHE_DIR";
/// Length of the hash at the front.
const HASH: usize = 32;

/// A folder of machine code, or none.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder that the environment names.
    pub(crate) fn from_environment() -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let root = variable(VARIABLE).map(PathBuf::from).or_else(|| {
            let caches = variable("XDG_CACHE_HOME")
                .or_else(|| variable("LOCALAPPDATA"))
                .map(PathBuf::from)
                .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache")))?;
            Some(caches.join("nonius"))
        });
        root.map_or(Self { folder: None }, |root| Self::at(&root))
    }

    /// Within this folder.
    pub(crate) fn at(root: &Path) -> Self {
        Self { folder: Some(root.join("cubin")) }
    }

    /// The machine code by the newest compiler among those that `accept` takes.
    pub(crate) fn load(
        &self,
        source: &Source,
        architecture: &str,
        accept: impl Fn(Version) -> bool,
    ) -> Option<Vec<u8>> {
        let folder = self.folder.as_ref()?;
        let stem = stem(source, architecture);
        let mut found: Vec<(Version, PathBuf)> = fs::read_dir(folder)
            .ok()?
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let name = entry.file_name();
                let version = parse(name.to_str()?.strip_prefix(&stem)?.strip_suffix(".cubin")?)?;
                accept(version).then(|| (version, entry.path()))
            })
            .collect();
        found.sort();
        found.into_iter().rev().find_map(|(_, path)| {
            let mut bytes = fs::read(path).ok()?;
            let (hash, code) = bytes.split_at_checked(HASH)?;
            let sound = Sha256::digest(code).as_slice() == hash;
            sound.then(|| bytes.split_off(HASH))
        })
    }

    /// Those of some modules that there is no machine code of.
    pub(crate) fn absent(&self, sources: &[&Source], architecture: &str) -> Vec<Source> {
        if sources.is_empty() {
            return Vec::new();
        }
        let entries = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok());
        let names: Vec<String> = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        let absent = |source: &&&Source| {
            let stem = stem(source, architecture);
            !names.iter().any(|name| name.starts_with(&stem))
        };
        sources.iter().filter(absent).map(|&source| source.clone()).collect()
    }

    /// Keeps machine code where that is possible.
    pub(crate) fn store(&self, source: &Source, architecture: &str, by: Version, code: &[u8]) {
        // Whoever cannot keep it compiles again.
        let _ = self.try_store(source, architecture, by, code);
    }

    fn try_store(
        &self,
        source: &Source,
        architecture: &str,
        by: Version,
        code: &[u8],
    ) -> std::io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&Sha256::digest(code))?;
        file.write_all(code)?;
        let name = format!("{}{}.{}.cubin", stem(source, architecture), by.major, by.minor);
        file.persist(folder.join(name))?;
        Ok(())
    }
}

fn stem(source: &Source, architecture: &str) -> String {
    format!("{}-{architecture}-{}-nvrtc", source.name(), source.digest())
}

fn parse(version: &str) -> Option<Version> {
    let (major, minor) = version.split_once('.')?;
    Some(Version { major: major.parse().ok()?, minor: minor.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tests::source;

    const OLD: Version = Version { major: 12, minor: 9 };
    const NEW: Version = Version { major: 13, minor: 0 };

    #[test]
    fn finds_what_it_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(&folder.path().join("new"));
        let load = |limbs, architecture| cache.load(&source(limbs), architecture, |_| true);
        assert_eq!(load(2, "sm_90"), None);
        cache.store(&source(2), "sm_90", OLD, b"old");
        assert_eq!(load(2, "sm_90").as_deref(), Some(&b"old"[..]));
        assert_eq!(load(2, "sm_80"), None);
        let absent = cache.absent(&[&source(2), &source(3)], "sm_90");
        assert_eq!(absent.iter().map(Source::name).collect::<Vec<_>>(), [source(3).name()]);
        assert_eq!(load(3, "sm_90"), None);
        cache.store(&source(2), "sm_90", NEW, b"new");
        assert_eq!(load(2, "sm_90").as_deref(), Some(&b"new"[..]));
        let only_old = cache.load(&source(2), "sm_90", |version| version < NEW);
        assert_eq!(only_old.as_deref(), Some(&b"old"[..]));
        // Nothing but the two files is left behind.
        assert_eq!(fs::read_dir(folder.path().join("new/cubin")).unwrap().count(), 2);
    }

    #[test]
    fn a_damaged_file_counts_as_absent() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        cache.store(&source(1), "sm_90", NEW, b"machine code");
        let file =
            fs::read_dir(folder.path().join("cubin")).unwrap().next().unwrap().unwrap().path();
        let whole = fs::read(&file).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for damaged in [&flipped[..], &whole[..whole.len() - 1], &whole[..5], &[]] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(cache.load(&source(1), "sm_90", |_| true), None);
        }
        cache.store(&source(1), "sm_90", NEW, b"machine code");
        assert!(cache.load(&source(1), "sm_90", |_| true).is_some());
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, b"in the way").unwrap();
        for cache in [Cache::at(&file), Cache { folder: None }] {
            cache.store(&source(1), "sm_90", NEW, b"code");
            assert_eq!(cache.load(&source(1), "sm_90", |_| true), None);
        }
    }
}
