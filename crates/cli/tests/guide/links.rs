//! Links within the project lead somewhere, and the guide's table of contents has every page.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages of a folder and of the folders in it.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Targets of links and pictures outside blocks of code, without those of the web.
fn targets(text: &str) -> Vec<String> {
    let inline = Regex::new(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$").unwrap();
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        }
        if !inside {
            let captures = inline.captures_iter(line);
            found.extend(captures.map(|c| c.get(1).or(c.get(2)).unwrap().as_str().to_string()));
        }
    }
    found.retain(|target| !target.starts_with("http") && !target.starts_with('#'));
    found
}

#[test]
fn links_lead_to_files() {
    let root = root();
    let mut all = Vec::new();
    pages(&root.join("docs"), &mut all);
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        all.push(root.join(page));
    }
    let mut broken = Vec::new();
    for page in all {
        for target in targets(&fs::read_to_string(&page).unwrap()) {
            let file = target.split('#').next().unwrap();
            if !page.parent().unwrap().join(file).exists() {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A page that the table of contents leaves out is not in the guide. What is outside `src` is not
/// either: pages show pictures of their own folder.
#[test]
fn the_guide_is_complete() {
    let folder = root().join("docs/guide/src");
    let mut listed = targets(&fs::read_to_string(folder.join("SUMMARY.md")).unwrap());
    listed.push("SUMMARY.md".into());
    let mut found = Vec::new();
    pages(&folder, &mut found);
    for page in found {
        let name = page.strip_prefix(&folder).unwrap().to_str().unwrap().to_string();
        assert!(listed.contains(&name), "SUMMARY.md leaves out {name}");
        for target in targets(&fs::read_to_string(&page).unwrap()) {
            assert!(!target.starts_with("../"), "{name}: {target} is outside the guide");
        }
    }
}

#[test]
fn targets_are_those_outside_blocks() {
    let text =
        "[a](b.md#c) ![x](y.svg)\n```\n[no](no.md)\n```\n[r]: z.csv\n[w](https://e.org) [h](#h)";
    assert_eq!(targets(text), ["b.md#c", "y.svg", "z.csv"]);
}
