//! The kernels of all crates, compiled ahead of time.

use std::path::Path;

use nonius_gpu::{Compiled, Error, Source};

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
