//! The compiled module, which Python loads. Its own tests are in Python: `cargo xtask python`.

/// The library beside the tests has the function that Python calls first.
#[test]
fn the_module_has_its_entry() {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap();
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = folder.join(format!("{prefix}_nonius{suffix}"));
    let bytes = std::fs::read(&library).unwrap_or_else(|e| panic!("{}: {e}", library.display()));
    let entry = b"PyInit__nonius";
    assert!(bytes.windows(entry.len()).any(|part| part == entry), "{}", library.display());
}
