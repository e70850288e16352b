//! `docs`: the guide as a website, `target/guide`.

use std::path::{Path, PathBuf};

use crate::command;
use crate::error::Error;
use crate::tools::{self, Tool};

/// The guide's folder, relative to the root.
const GUIDE: &str = "docs/guide";
const MDBOOK: Tool = Tool {
    name: "mdbook",
    version: "0.5.4",
    features: &["--no-default-features", "--features", "search"],
};

/// Builds the guide, and returns its first page.
pub(crate) fn build(root: &Path) -> Result<PathBuf, Error> {
    let program = tools::installed(root, &MDBOOK)?;
    let site = root.join("target/guide");
    let site_name = site.to_string_lossy();
    command::run(root, &program, &["build", GUIDE, "--dest-dir", &site_name])?;
    Ok(site.join("index.html"))
}
