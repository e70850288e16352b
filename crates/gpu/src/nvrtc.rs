//! NVRTC: compiles kernels at run time to the machine code (cubin) of one architecture.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

use crate::error::{Error, Version};
use crate::libraries;
use crate::source::{OPTIONS, Source};

/// Names the library's file; where it is set, no other is tried.
const VARIABLE: &str = "NONIUS_NVRTC";

type Program = *mut c_void;

/// The compiler: its library and that library's functions.
pub struct Nvrtc {
    version: Version,
    create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> c_int,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int,
    destroy: unsafe extern "C" fn(*mut Program) -> c_int,
    log_size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    log: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    cubin_size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    cubin: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    ptx_size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    ptx: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    /// Keeps the functions loaded, and what they load by name.
    _libraries: Vec<Library>,
}

/// The libraries that NVRTC opens by name while it compiles, from the folder that it came from: the
/// system looks for names in its own folders, where a Python package's files are not.
fn builtins_beside(file: &Path) -> Vec<Library> {
    let Some(Ok(entries)) = file.parent().filter(|f| f.is_absolute()).map(std::fs::read_dir) else {
        return Vec::new();
    };
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libnvrtc-builtins.so")
    };
    // SAFETY: parts of NVRTC by their names and place; their initialisers have no preconditions.
    files.filter(named).filter_map(|path| unsafe { Library::new(path) }.ok()).collect()
}

impl Nvrtc {
    /// The library of this machine, looked for once.
    ///
    /// # Errors
    /// [`Error::NoNvrtc`].
    pub fn get() -> Result<&'static Self, Error> {
        static FOUND: OnceLock<Result<Nvrtc, Error>> = OnceLock::new();
        FOUND.get_or_init(|| Self::find(candidates())).as_ref().map_err(Clone::clone)
    }

    /// Its version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The first of the files that is NVRTC.
    fn find(files: Vec<PathBuf>) -> Result<Self, Error> {
        let found = files.iter().find_map(|file| Self::open(file).ok());
        found.ok_or(Error::NoNvrtc { tried: files })
    }

    fn open(file: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: the file is NVRTC by its name or by the user's word; its initialisers have no
        // preconditions.
        let library = unsafe { Library::new(file) }?;
        let mut libraries = builtins_beside(file);
        let (mut major, mut minor) = (0, 0);
        // SAFETY: the types are those of the functions in nvrtc.h, the same since CUDA 11.2; the
        // pointers to numbers are valid for the call; the functions are used no longer than
        // `library` lives.
        unsafe {
            let version: libloading::Symbol<
                '_,
                unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int,
            > = library.get(b"nvrtcVersion\0")?;
            version(&mut major, &mut minor);
            Ok(Self {
                version: Version { major: major.unsigned_abs(), minor: minor.unsigned_abs() },
                create: *library.get(b"nvrtcCreateProgram\0")?,
                compile: *library.get(b"nvrtcCompileProgram\0")?,
                destroy: *library.get(b"nvrtcDestroyProgram\0")?,
                log_size: *library.get(b"nvrtcGetProgramLogSize\0")?,
                log: *library.get(b"nvrtcGetProgramLog\0")?,
                cubin_size: *library.get(b"nvrtcGetCUBINSize\0")?,
                cubin: *library.get(b"nvrtcGetCUBIN\0")?,
                ptx_size: *library.get(b"nvrtcGetPTXSize\0")?,
                ptx: *library.get(b"nvrtcGetPTX\0")?,
                _libraries: {
                    libraries.push(library);
                    libraries
                },
            })
        }
    }

    /// The machine code of a module for an architecture such as `sm_90`.
    ///
    /// # Errors
    /// [`Error::Compile`].
    pub fn compile(&self, source: &Source, architecture: &str) -> Result<Vec<u8>, Error> {
        self.code(source, architecture, &[])
    }

    /// `Ok` where a module compiles for an architecture, which takes a fifth of the time of
    /// [`compile`](Self::compile): its code is not optimised where NVRTC knows how not to.
    ///
    /// # Errors
    /// [`Error::Compile`].
    pub fn check(&self, source: &Source, architecture: &str) -> Result<(), Error> {
        const SINCE: Version = Version { major: 13, minor: 0 };
        let options: &[&str] = if self.version >= SINCE { &["--Ofast-compile=max"] } else { &[] };
        self.code(source, architecture, options).map(drop)
    }

    fn code(
        &self,
        source: &Source,
        architecture: &str,
        options: &[&str],
    ) -> Result<Vec<u8>, Error> {
        let program = self.program(source, architecture, options)?;
        program.cubin().ok_or_else(|| Error::Compile {
            module: source.name().to_string(),
            architecture: architecture.to_string(),
            log: format!("NVRTC {}: no machine code", self.version),
        })
    }

    fn program(
        &self,
        source: &Source,
        architecture: &str,
        more: &[&str],
    ) -> Result<Compilation<'_>, Error> {
        let failed = |log: String| Error::Compile {
            module: source.name().to_string(),
            architecture: architecture.to_string(),
            log,
        };
        let terminated = |text: &str| {
            CString::new(text).map_err(|_| failed("the source holds a zero byte".to_string()))
        };
        let text = terminated(&source.text())?;
        let name = terminated(&format!("{}.cu", source.name()))?;
        let files = source.files();
        let texts = files.iter().map(|f| terminated(f.1)).collect::<Result<Vec<_>, _>>()?;
        let names = files.iter().map(|f| terminated(f.0)).collect::<Result<Vec<_>, _>>()?;
        let (texts, names) = (pointers(&texts), pointers(&names));
        let mut program = Compilation { nvrtc: self, program: ptr::null_mut() };
        // SAFETY: all texts end with zero and outlive the program; the two arrays have the length
        // given.
        let outcome = unsafe {
            (self.create)(
                &mut program.program,
                text.as_ptr(),
                name.as_ptr(),
                names.len() as c_int,
                texts.as_ptr(),
                names.as_ptr(),
            )
        };
        if outcome != 0 {
            return Err(failed(format!("NVRTC {}: error {outcome} at the start", self.version)));
        }
        let target = terminated(&format!("--gpu-architecture={architecture}"))?;
        let options = OPTIONS.iter().chain(more).map(|option| terminated(option));
        let mut options = options.collect::<Result<Vec<_>, _>>()?;
        options.push(target);
        let options = pointers(&options);
        // SAFETY: the program was created above; the options end with zero and their number is that
        // given.
        let outcome =
            unsafe { (self.compile)(program.program, options.len() as c_int, options.as_ptr()) };
        if outcome != 0 {
            return Err(failed(format!("NVRTC {}:\n{}", self.version, program.log())));
        }
        Ok(program)
    }

    /// The code between the source and that of a machine, as text, for an architecture such as
    /// `compute_90`.
    ///
    /// # Errors
    /// [`Error::Compile`].
    pub fn ptx(&self, source: &Source, architecture: &str) -> Result<String, Error> {
        let program = self.program(source, architecture, &[])?;
        let mut size = 0;
        // SAFETY: the program exists, `size` outlives the call, and the buffer has the size that
        // NVRTC has asked for.
        unsafe {
            (self.ptx_size)(program.program, &mut size);
            let mut bytes = vec![0_u8; size];
            (self.ptx)(program.program, bytes.as_mut_ptr().cast());
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
    }
}

fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).collect()
}

/// A program, destroyed at the end.
struct Compilation<'a> {
    nvrtc: &'a Nvrtc,
    program: Program,
}

impl Compilation<'_> {
    fn log(&self) -> String {
        let mut size = 0;
        // SAFETY: the program exists, and `size` outlives the call.
        let outcome = unsafe { (self.nvrtc.log_size)(self.program, &mut size) };
        let mut bytes = vec![0_u8; size];
        if outcome != 0 || size == 0 {
            return String::new();
        }
        // SAFETY: the buffer has the size that NVRTC has asked for.
        unsafe { (self.nvrtc.log)(self.program, bytes.as_mut_ptr().cast()) };
        let text = CStr::from_bytes_until_nul(&bytes).map(CStr::to_bytes).unwrap_or(&bytes);
        String::from_utf8_lossy(text).into_owned()
    }

    fn cubin(&self) -> Option<Vec<u8>> {
        let mut size = 0;
        // SAFETY: the program exists, and `size` outlives the call.
        let outcome = unsafe { (self.nvrtc.cubin_size)(self.program, &mut size) };
        let mut bytes = vec![0_u8; size];
        if outcome != 0 || size == 0 {
            return None;
        }
        // SAFETY: the buffer has the size that NVRTC has asked for.
        let outcome = unsafe { (self.nvrtc.cubin)(self.program, bytes.as_mut_ptr().cast()) };
        (outcome == 0).then_some(bytes)
    }
}

impl Drop for Compilation<'_> {
    fn drop(&mut self) {
        if !self.program.is_null() {
            // SAFETY: created once, destroyed once, not used afterwards.
            unsafe { (self.nvrtc.destroy)(&mut self.program) };
        }
    }
}

/// The files that NVRTC may be in.
fn candidates() -> Vec<PathBuf> {
    let names: &[&str] = if cfg!(windows) {
        &["nvrtc64_130_0.dll", "nvrtc64_120_0.dll"]
    } else {
        &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]
    };
    libraries::candidates(VARIABLE, names)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::arguments::Entry;
    use crate::arguments::tests::Taken;
    use crate::source::Texts;

    #[test]
    fn absence_names_the_files() {
        let files = vec![PathBuf::from("/nowhere/libnvrtc.so.13")];
        let error = Nvrtc::find(files.clone()).err();
        assert_eq!(error, Some(Error::NoNvrtc { tried: files }));
    }

    /// A kernel takes what the host gives it, or it does not compile.
    #[test]
    fn kernels_take_what_the_host_gives() {
        static TEXTS: LazyLock<Texts> = LazyLock::new(Texts::default);
        const ENTRY: Entry<Taken> = Entry::new(c"kernel");
        let nvrtc = match Nvrtc::get() {
            Ok(nvrtc) => nvrtc,
            Err(error) => {
                assert!(std::env::var_os("CI").is_none(), "{error}");
                println!("not looked at: {error}");
                return;
            }
        };
        let compiled = |parameter: &str| {
            let text = format!(
                "#include \"arguments.cuh\"\nextern \"C\" __global__ void kernel({parameter}) {{}}\n"
            );
            nvrtc.check(&Source::of_text(&TEXTS, "kernel", text).entry(ENTRY), "sm_80")
        };
        for parameter in ["Taken p", "const __grid_constant__ Taken p"] {
            assert!(compiled(parameter).is_ok(), "{:?}", compiled(parameter));
        }
        for parameter in ["long long p", "Taken p, int q", "const Taken *p", ""] {
            let error = compiled(parameter).unwrap_err().to_string();
            assert!(error.contains("kernel takes Taken"), "{error}");
        }
    }
}
