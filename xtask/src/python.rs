//! `python`: the package `nonius` for Python, installed from its wheel and tested by pytest.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::wheel::PACKAGE;
use crate::{command, tools};

/// Installs a wheel into a clean environment of its own and runs the package's tests there: those
/// of its folder, its examples, the pages of the guide and the notebooks. What tests import beside
/// the package stands in its `pyproject.toml`, as the optional dependency `test`. The variable
/// `PYTHON` names another interpreter than `python3`.
pub(crate) fn test(root: &Path, wheel: &Path) -> Result<(), Error> {
    let python = std::env::var_os("PYTHON").map_or_else(|| "python3".into(), PathBuf::from);
    let python = tools::environment(root, &python, &root.join("target/python/environment"))?;
    tools::pip_install(root, &python, &[&format!("{}[test]", wheel.display())])?;
    let (settings, tests) = (format!("{PACKAGE}/pyproject.toml"), format!("{PACKAGE}/tests"));
    let quiet = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations=5", "-c", &settings];
    let what = ["--doctest-modules", "--pyargs", "nonius", &tests];
    command::run(root, &python, &[&quiet[..], &what].concat())
}
