//! The workspace as its manifests describe it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::cargo;
use crate::error::Error;
use crate::walk;

/// All member crates.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) members: Vec<Member>,
}

/// One crate: what cargo makes of its manifest, and the manifest itself (cargo resolves inheritance
/// away).
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// The crate's folder, relative to the root.
    pub(crate) folder: PathBuf,
    pub(crate) published: bool,
    pub(crate) builds_by_default: bool,
    pub(crate) features: Vec<String>,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) listing: Listing,
    pub(crate) manifest: toml::Table,
}

/// What the registry shows of a crate.
#[derive(Debug, Deserialize)]
pub(crate) struct Listing {
    pub(crate) description: Option<String>,
    pub(crate) readme: Option<PathBuf>,
    pub(crate) keywords: Vec<String>,
    pub(crate) categories: Vec<String>,
}

/// One line of a dependency table, under the crate's own name even where it is renamed.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) kind: Option<Kind>,
}

/// The dependency tables other than `[dependencies]`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Dev,
    Build,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_default_members: BTreeSet<String>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    manifest_path: PathBuf,
    /// Registries that the crate may go to; none given means any.
    publish: Option<Vec<String>>,
    features: BTreeMap<String, Vec<String>>,
    dependencies: Vec<Dependency>,
    #[serde(flatten)]
    listing: Listing,
}

impl Workspace {
    /// Asks cargo about the workspace at `root`. Needs no network.
    pub(crate) fn read(root: &Path) -> Result<Self, Error> {
        let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
        let text = cargo::output(root, &arguments)?;
        let metadata: Metadata = serde_json::from_slice(&text).map_err(Error::Metadata)?;
        let root = metadata.workspace_root;
        let members = metadata
            .packages
            .into_iter()
            .map(|package| {
                let builds_by_default = metadata.workspace_default_members.contains(&package.id);
                Member::new(package, builds_by_default, &root)
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { root, members })
    }
}

impl Member {
    fn new(package: Package, builds_by_default: bool, root: &Path) -> Result<Self, Error> {
        let path = package.manifest_path;
        let manifest = walk::read(&path)?
            .parse()
            .map_err(|source| Error::Manifest { path: path.clone(), source })?;
        let folder = path.parent().unwrap_or(root);
        Ok(Self {
            name: package.name,
            folder: folder.strip_prefix(root).unwrap_or(folder).to_path_buf(),
            published: package.publish.is_none_or(|registries| !registries.is_empty()),
            builds_by_default,
            features: package.features.into_keys().collect(),
            dependencies: package.dependencies,
            listing: package.listing,
            manifest,
        })
    }

    /// The manifest's path for messages.
    pub(crate) fn manifest_path(&self) -> String {
        self.folder.join("Cargo.toml").display().to_string()
    }

    /// Whether `table.key.workspace = true`, or `table.workspace = true` for an empty key.
    pub(crate) fn inherits(&self, table: &str, key: &str) -> bool {
        let mut value = self.manifest.get(table);
        if !key.is_empty() {
            value = value.and_then(|table| table.get(key));
        }
        value.and_then(|v| v.get("workspace")).and_then(toml::Value::as_bool) == Some(true)
    }
}
