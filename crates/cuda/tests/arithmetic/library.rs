//! The kernels' headers as a library of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libloading::Library;
use nonius_linalg::{Scalar, limbs_of, limbs_of_mut};
use nonius_testkit::cuda::HEADERS;

/// A function of `functions.cpp`: how many numbers, up to three operands each, and the results.
type Function = unsafe extern "C" fn(usize, *const f64, *const f64, *const f64, *mut f64);

/// The functions on numbers of one width.
pub(crate) struct Functions(Library);

/// The library for `limbs` in 1 to 4, compiled once.
pub(crate) fn of_width(limbs: usize) -> &'static Functions {
    static LIBRARIES: [OnceLock<Functions>; 4] = [const { OnceLock::new() }; 4];
    LIBRARIES[limbs - 1].get_or_init(|| Functions::open(&compile(limbs)))
}

/// The library of numbers of any precision, compiled once.
pub(crate) fn of_mp() -> &'static Functions {
    static LIBRARY: OnceLock<Functions> = OnceLock::new();
    LIBRARY.get_or_init(|| Functions::build("mp", "mp_functions.cpp", &[]))
}

fn compile(limbs: usize) -> PathBuf {
    let headers = folder(&limbs.to_string());
    let folder = headers.join("num");
    std::fs::create_dir_all(&folder).expect("a folder of headers");
    std::fs::write(folder.join("tables.cuh"), crate::tables::text()).expect("the tables' file");
    build(&limbs.to_string(), "functions.cpp", &[format!("-DLIMBS={limbs}")], &headers)
}

/// A folder for what one library is made of.
fn folder(name: &str) -> PathBuf {
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}", std::process::id()));
    let folder = output.join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the library");
    for (name, text) in HEADERS {
        std::fs::write(folder.join(name), text).expect("a header of the library");
    }
    folder
}

/// Compiles a file of this folder with the kernels' headers and those of `headers`, where the
/// library goes.
fn build(name: &str, source: &str, definitions: &[String], headers: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = headers.join(format!("arithmetic-{name}.so"));
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_string());
    let mut command = Command::new(&compiler);
    // Contraction would break error-free transformations here as it would on a device.
    command.args(["-std=c++17", "-O2", "-ffp-contract=off", "-fno-math-errno", "-fPIC", "-shared"]);
    command.args(["-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"]);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("fma") {
        command.arg("-mfma"); // faster; the C library has it in software, with the same bits
    }
    command.args(definitions).arg("-I").arg(root.join("kernels")).arg("-I").arg(headers);
    command.arg(root.join("tests/arithmetic").join(source)).arg("-o").arg(&file);
    match command.output() {
        Ok(output) => assert!(
            output.status.success(),
            "{compiler} does not compile the kernels' headers:\n{}",
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => panic!(
            "this test needs a C++ compiler, and `{compiler}` does not start ({error}): install g++ or clang++, or name one in CXX"
        ),
    }
    file
}

impl Functions {
    /// The library of that name: a file of this folder, with definitions.
    pub(crate) fn build(name: &str, source: &str, definitions: &[String]) -> Self {
        Self::open(&build(name, source, definitions, &folder(name)))
    }

    fn open(file: &Path) -> Self {
        // SAFETY: compiled above; it has no initialisers with preconditions.
        let library = unsafe { Library::new(file) };
        let library = library.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        // Loaded, it needs no name; where a system thinks otherwise, the file stays.
        let _ = std::fs::remove_file(file);
        Self(library)
    }

    /// The function of that name.
    ///
    /// # Safety
    /// `F` is its type.
    pub(crate) unsafe fn function<F: Copy>(&self, name: &str) -> F {
        // SAFETY: the caller's promise; what is copied is used no longer than the library, which
        // lives as long as the process.
        let function = unsafe { self.0.get::<F>(format!("nonius_{name}\0").as_bytes()) };
        *function.unwrap_or_else(|error| panic!("the headers lack {name}: {error}"))
    }

    /// The results of the function of that name.
    pub(crate) fn call<T: Scalar>(&self, name: &str, [x, y, z]: &[Vec<T>; 3]) -> Vec<T> {
        let symbol = format!("nonius_{name}\0");
        // SAFETY: every function of that prefix has this type.
        let function = unsafe { self.0.get::<Function>(symbol.as_bytes()) };
        let function = function.unwrap_or_else(|error| panic!("the headers lack {name}: {error}"));
        let mut results = vec![T::from_f64(0.0); x.len()];
        assert!(y.len() == x.len() && z.len() == x.len());
        let [x, y, z] = [x, y, z].map(|numbers| limbs_of(numbers).as_ptr());
        // SAFETY: the function reads as many numbers of `T::LIMBS` limbs from the three as it
        // writes; the library of another width is not asked, see `check`.
        unsafe { function(results.len(), x, y, z, limbs_of_mut(&mut results).as_mut_ptr()) };
        results
    }

    /// Compares the results of the function of that name with those of `expected`, bit for bit; one
    /// NaN is as good as another.
    pub(crate) fn check<T: Scalar>(
        &self,
        name: &str,
        operands: &[Vec<T>; 3],
        mut expected: impl FnMut([T; 3]) -> T,
    ) {
        let results = self.call(name, operands);
        let [x, y, z] = operands;
        for (i, &result) in results.iter().enumerate() {
            let operands = [x[i], y[i], z[i]];
            let right = expected(operands);
            let same = (0..T::LIMBS).all(|limb| {
                let (result, right) = (result.limb(limb), right.limb(limb));
                result.to_bits() == right.to_bits() || result.is_nan() && right.is_nan()
            });
            assert!(
                same,
                "{name} at {} limbs of {operands:?}: {result:?}, but nonius-num has {right:?}",
                T::LIMBS
            );
        }
    }
}
