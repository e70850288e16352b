//! Where NVIDIA's libraries may be.

use std::path::PathBuf;

/// The files that a library of these names may be in: what the variable says, or else the system's folders and the toolkit's.
pub(crate) fn candidates(variable: &str, names: &[&str]) -> Vec<PathBuf> {
    if let Some(file) = std::env::var_os(variable).filter(|file| !file.is_empty()) {
        return vec![file.into()];
    }
    let roots = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os);
    let roots = roots.map(PathBuf::from).chain(["/usr/local/cuda".into()]);
    let folders = roots.map(|root| root.join(if cfg!(windows) { "bin" } else { "lib64" }));
    let in_folders = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    names.iter().map(PathBuf::from).chain(in_folders).collect()
}
