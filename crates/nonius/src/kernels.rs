//! The kernels of all crates, compiled ahead of time, and what compiles them.

use std::fs;
use std::path::{Path, PathBuf};

use nonius_gpu::{Compiled, Error, Nvrtc, Source};

/// NVRTC, which compiles kernels where they are first used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelCompiler {
    /// Its version, as in `13.0`.
    pub version: String,
    /// The file that it was loaded from, where the system tells.
    pub file: Option<PathBuf>,
}

impl KernelCompiler {
    /// The NVRTC of this machine. It needs no GPU.
    ///
    /// # Errors
    /// [`Error::NoNvrtc`]: where it was looked for, and how to get it.
    pub fn find() -> Result<Self, Error> {
        let version = Nvrtc::get()?.version().to_string();
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        Ok(Self { version, file: file_in(&maps) })
    }
}

/// The file of NVRTC among the files that Linux lists for a process.
fn file_in(maps: &str) -> Option<PathBuf> {
    let mut files = maps.lines().filter_map(|line| Some(Path::new(&line[line.find('/')?..])));
    let is_nvrtc = |file: &&Path| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libnvrtc.so"))
    };
    files.find(is_nvrtc).map(Path::to_path_buf)
}

/// Compiles every kernel for an architecture such as `sm_90a` into a folder, which
/// `NONIUS_CACHE_DIR` may name on machines without NVRTC; needs no GPU. Says which modules were not
/// there yet.
///
/// # Errors
/// [`Error::NoNvrtc`], [`Error::Compile`].
pub fn precompile(architecture: &str, folder: &Path) -> Result<Vec<Compiled>, Error> {
    let sources: Vec<Source> = nonius_cuda::sources(architecture)
        .into_iter()
        .chain(nonius_option::cuda::sources())
        .chain(nonius_fem::cuda::sources())
        .chain(nonius_sdp::cuda::sources())
        .collect();
    nonius_gpu::precompile(&sources, architecture, folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_the_library_is_found() {
        let maps = "7f0-7f1 r-xp 0 08:01 1 /usr/bin/nonius\n\
                    7f1-7f2 r-xp 0 00:00 0 \n\
                    7f2-7f3 r-xp 0 08:01 2 /a b/libnvrtc-builtins.so.13.0\n\
                    7f3-7f4 r-xp 0 08:01 3 /a b/libnvrtc.so.13\n";
        assert_eq!(file_in(maps), Some(PathBuf::from("/a b/libnvrtc.so.13")));
        assert_eq!(file_in("7f0-7f1 r-xp 0 08:01 1 /usr/bin/nonius\n"), None);
    }

    /// What is found has a version, and what is not says what to do.
    #[test]
    fn the_compiler_is_found_or_it_is_said_how_to_get_it() {
        match KernelCompiler::find() {
            Ok(found) => assert!(found.version.split_once('.').is_some(), "{found:?}"),
            Err(error) => assert!(error.to_string().contains("NONIUS_NVRTC"), "{error}"),
        }
    }
}
