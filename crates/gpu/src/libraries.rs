//! NVIDIA's libraries, opened where they are on the machine.

use std::path::PathBuf;

pub use libloading::Library;

/// The files that a library of these names may be in: what the variable says, or else the system's
/// folders and the toolkit's.
pub fn candidates(variable: &str, names: &[&str]) -> Vec<PathBuf> {
    if let Some(file) = std::env::var_os(variable).filter(|file| !file.is_empty()) {
        return vec![file.into()];
    }
    let roots = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os);
    let roots = roots.map(PathBuf::from).chain(["/usr/local/cuda".into()]);
    let folders = roots.map(|root| root.join(if cfg!(windows) { "bin" } else { "lib64" }));
    let in_folders = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    names.iter().map(PathBuf::from).chain(in_folders).collect()
}

/// A structure of the functions of a library, which return a number that is 0 for success, and
/// `get`, which looks for the library once.
#[macro_export]
macro_rules! library {
    (
        $library:ident, $variable:literal, unix $unix:expr, windows $windows:expr;
        $($field:ident $name:literal ($($argument:ty),* $(,)?);)*
    ) => {
        pub(super) struct $library {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> core::ffi::c_int,)*
            _library: $crate::libraries::Library,
        }

        impl $library {
            /// The library of this machine, looked for once.
            pub(super) fn get() -> Option<&'static Self> {
                static FOUND: std::sync::OnceLock<Option<$library>> = std::sync::OnceLock::new();
                let names: &[&str] = if cfg!(windows) { &$windows } else { &$unix };
                let files = || $crate::libraries::candidates($variable, names);
                FOUND.get_or_init(|| files().iter().find_map(Self::open)).as_ref()
            }

            fn open(file: &std::path::PathBuf) -> Option<Self> {
                // SAFETY: the file is the library by its name or by the user's word; its
                // initialisers have no preconditions. The types are those of the library's header,
                // the same since CUDA 11; the functions are used no longer than the library lives.
                unsafe {
                    let library = $crate::libraries::Library::new(file).ok()?;
                    Some(Self {
                        $($field: *library.get(concat!($name, "\0").as_bytes()).ok()?,)*
                        _library: library,
                    })
                }
            }
        }
    };
}
