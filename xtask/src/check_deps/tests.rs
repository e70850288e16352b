//! Each rule failing on a made-up workspace that cargo itself reads.

use std::fs;

use super::check;
use crate::workspace::Workspace;

/// A workspace of a few crates in a temporary folder.
struct MadeUp {
    crates: Vec<(&'static str, String)>,
    sources: Vec<(&'static str, &'static str)>,
    default_members: Vec<&'static str>,
}

/// `[package]` of a crate that keeps every rule.
fn package(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion.workspace = true\nedition.workspace = true\n\
         rust-version.workspace = true\nlicense.workspace = true\nauthors.workspace = true\n"
    )
}

const LINTS: &str = "[lints]\nworkspace = true\n";
const ROOT: &str = "[workspace.package]\nversion = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"1.89\"\n\
                    license = \"MIT\"\nauthors = [\"A\"]\n[workspace.lints.rust]\nunsafe_code = \"deny\"\n";

impl MadeUp {
    /// num and linalg, with nothing wrong.
    fn new() -> Self {
        Self { crates: Vec::new(), sources: Vec::new(), default_members: Vec::new() }
            .user_crate("crates/num", "nonius-num", "")
            .user_crate(
                "crates/linalg",
                "nonius-linalg",
                "[dependencies]\nnonius-num = { path = \"../num\" }\nrayon = \"1\"\n",
            )
    }

    /// A crate that is built by default; `rest` follows its `[package]` table.
    fn user_crate(mut self, folder: &'static str, name: &str, rest: &str) -> Self {
        self.default_members.push(folder);
        self.manifest(folder, &format!("{}{rest}{LINTS}", package(name)))
    }

    fn manifest(mut self, folder: &'static str, text: &str) -> Self {
        self.crates.retain(|(known, _)| *known != folder);
        self.crates.push((folder, text.into()));
        self
    }

    fn source(mut self, path: &'static str, text: &'static str) -> Self {
        self.sources.push((path, text));
        self
    }

    /// What `check` says, a line for each broken rule.
    fn verdict(&self) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let members: Vec<&str> = self.crates.iter().map(|(folder, _)| *folder).collect();
        let workspace = format!(
            "[workspace]\nresolver = \"3\"\nmembers = {members:?}\ndefault-members = {:?}\n{ROOT}",
            self.default_members
        );
        fs::write(root.join("Cargo.toml"), workspace).unwrap();
        for (folder, manifest) in &self.crates {
            let folder = root.join(folder);
            fs::create_dir_all(folder.join("src")).unwrap();
            fs::write(folder.join("Cargo.toml"), manifest).unwrap();
            fs::write(folder.join("src/lib.rs"), "//! Nothing.\n").unwrap();
        }
        for (path, text) in &self.sources {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let workspace = Workspace::read(root).unwrap();
        check(&workspace).unwrap().iter().map(ToString::to_string).collect()
    }

    /// Asserts that exactly one rule is broken, and that the message has all of `parts`.
    fn breaks(&self, parts: &[&str]) {
        let verdict = self.verdict();
        assert_eq!(verdict.len(), 1, "{verdict:#?}");
        for part in parts {
            assert!(verdict[0].contains(part), "no {part:?} in {verdict:?}");
        }
    }
}

#[test]
fn a_sound_house_passes() {
    let house = MadeUp::new()
        .user_crate(
            "crates/cuda",
            "nonius-cuda",
            "[dependencies]\nnonius-gpu = { path = \"../gpu\" }\n",
        )
        .user_crate("crates/gpu", "nonius-gpu", "[dependencies]\ncudarc = \"0.17\"\n")
        .source("crates/gpu/src/memory.rs", "unsafe fn f() {}")
        .source("crates/cuda/src/memory.rs", "unsafe fn f() {}")
        .source("crates/linalg/src/cpu/avx.rs", "#![allow(unsafe_code)]\nunsafe fn f() {}")
        .source(
            "crates/num/src/words.rs",
            "#![forbid(unsafe_code)]\n// unsafe, std::thread, rayon\nconst A: &str = \"unsafe thread\";",
        );
    assert_eq!(house.verdict(), [""; 0]);
}

#[test]
fn linalg_does_not_import_cuda() {
    MadeUp::new()
        .user_crate("crates/cuda", "nonius-cuda", "")
        .manifest(
            "crates/linalg",
            &format!(
                "{}[dependencies]\nnonius-cuda = {{ path = \"../cuda\" }}\n{LINTS}",
                package("nonius-linalg")
            ),
        )
        .breaks(&["crates/linalg/Cargo.toml", "must not depend on nonius-cuda", "name no device"]);
}

#[test]
fn an_application_does_not_import_another_even_under_another_name_or_in_tests() {
    for table in ["[dependencies]", "[dev-dependencies]", "[target.'cfg(unix)'.build-dependencies]"]
    {
        MadeUp::new()
            .user_crate("crates/fem", "nonius-fem", "")
            .user_crate(
                "crates/sdp",
                "nonius-sdp",
                &format!("{table}\nsolids = {{ package = \"nonius-fem\", path = \"../fem\" }}\n"),
            )
            .breaks(&["crates/sdp/Cargo.toml", "must not depend on nonius-fem"]);
    }
}

#[test]
fn only_the_runtime_reaches_devices() {
    MadeUp::new()
        .user_crate("crates/fem", "nonius-fem", "[dependencies]\ncudarc = \"0.17\"\n")
        .breaks(&["nonius-fem must not depend on cudarc", "only nonius-gpu may"]);
}

#[test]
fn the_scalars_depend_on_nothing_but_their_list() {
    let num = |rest: &str| {
        MadeUp::new()
            .manifest("crates/num", &format!("{}{rest}{LINTS}", package("nonius-num")))
            .verdict()
    };
    let verdict = num("[dependencies]\nrayon = \"1\"\n");
    assert_eq!(verdict.len(), 1, "{verdict:?}");
    assert!(verdict[0].contains("nonius-num must not depend on rayon"), "{verdict:?}");
    assert!(num("[dev-dependencies]\nrand = \"0.9\"\n").is_empty());
}

#[test]
fn front_ends_have_no_numerics() {
    MadeUp::new()
        .user_crate(
            "crates/cli",
            "nonius-cli",
            "[dependencies]\nnonius-linalg = { path = \"../linalg\" }\nclap = \"4\"\n",
        )
        .breaks(&["nonius-cli must not depend on nonius-linalg", "may use: nonius"]);
    MadeUp::new()
        .user_crate("crates/cli", "nonius-cli", "[dependencies]\nnalgebra = \"0.33\"\n")
        .breaks(&["nonius-cli must not depend on nalgebra"]);
}

#[test]
fn the_test_kit_is_for_tests() {
    let kit = format!("{}publish = false\n{LINTS}", package("nonius-testkit"));
    let house = |table: &str| {
        MadeUp::new().manifest("crates/testkit", &kit).user_crate(
            "crates/fem",
            "nonius-fem",
            &format!("{table}\nnonius-testkit = {{ path = \"../testkit\" }}\n"),
        )
    };
    assert_eq!(house("[dev-dependencies]").verdict(), [""; 0]);
    house("[dependencies]").breaks(&["must not depend on nonius-testkit", "[dev-dependencies]"]);
}

#[test]
fn bench_and_test_kit_are_not_published() {
    for (folder, name) in [("crates/bench", "nonius-bench"), ("crates/testkit", "nonius-testkit")] {
        MadeUp::new()
            .manifest(folder, &format!("{}{LINTS}", package(name)))
            .breaks(&[name, "`publish = false`"]);
    }
}

#[test]
fn mpfr_stays_in_the_oracle() {
    MadeUp::new()
        .user_crate("crates/option", "nonius-option", "[dev-dependencies]\nrug = \"1\"\n")
        .breaks(&["nonius-option must not depend on rug", "oracle"]);
}

#[test]
fn features_are_planned() {
    MadeUp::new()
        .user_crate("crates/sdp", "nonius-sdp", "[features]\nsingle-precision = []\n")
        .breaks(&["feature `single-precision` of nonius-sdp", "narrow a bound"]);
}

#[test]
fn unknown_crates_and_wrong_folders_are_refused() {
    MadeUp::new()
        .user_crate("crates/sparse", "nonius-sparse", "")
        .breaks(&["crate nonius-sparse has no place"]);
    MadeUp::new()
        .user_crate("crates/elements", "nonius-fem", "")
        .breaks(&["nonius-fem lives in crates/fem"]);
}

#[test]
fn lints_and_edition_are_inherited() {
    let mut house = MadeUp::new().manifest("crates/fem", &package("nonius-fem"));
    house.default_members.push("crates/fem");
    house.breaks(&["crates/fem/Cargo.toml", "[lints] workspace = true"]);
    let own_edition =
        package("nonius-fem").replace("edition.workspace = true", "edition = \"2021\"");
    house
        .manifest("crates/fem", &format!("{own_edition}{LINTS}"))
        .breaks(&["`edition.workspace = true`"]);
}

#[test]
fn default_members_are_what_users_build() {
    let fem = format!("{}{LINTS}", package("nonius-fem"));
    MadeUp::new().manifest("crates/fem", &fem).breaks(&["add \"crates/fem\"", "default-members"]);
    MadeUp::new()
        .user_crate("crates/bench", "nonius-bench", "")
        .manifest("crates/bench", &format!("{}publish = false\n{LINTS}", package("nonius-bench")))
        .breaks(&["nonius-bench must not be in the root manifest's default-members"]);
}

#[test]
fn unsafe_code_has_its_places() {
    for text in [
        "fn f() {}\n#[allow(unsafe_code)]\nmod m {}",
        "\n#![expect(unsafe_code, reason = \"speed\")]",
        "\nfn f() { unsafe { g() } }",
        "\nmacro_rules! m { () => { unsafe { g() } } }",
    ] {
        MadeUp::new()
            .source("crates/linalg/src/dense/view.rs", text)
            .breaks(&["crates/linalg/src/dense/view.rs:2", "unsafe code has its place in"]);
    }
}

#[test]
fn the_scalars_know_no_threads() {
    for text in ["use std::{sync::Arc, thread};", "fn f() { std::thread::yield_now() }"] {
        MadeUp::new()
            .source("crates/num/src/pool.rs", text)
            .breaks(&["crates/num/src/pool.rs:1", "`thread`"]);
    }
}

/// num with these files beside its root, which declares a module for each.
fn files(root: &'static str, files: &[(&'static str, &'static str)]) -> MadeUp {
    let house = MadeUp::new().source("crates/num/src/lib.rs", root);
    files.iter().fold(house, |house, &(path, text)| house.source(path, text))
}

#[test]
fn files_that_import_one_another_are_a_circle() {
    files(
        "mod a;\nmod b;\nmod c;",
        &[
            ("crates/num/src/a.rs", "use crate::b::B;\npub struct A(B);"),
            ("crates/num/src/b.rs", "pub struct B(Vec<crate::c::C>);"),
            ("crates/num/src/c.rs", "macro_rules! m { () => { super::a::A } }\npub struct C;"),
        ],
    )
    .breaks(&[
        "crates/num/src/a.rs: 3 files import one another in a circle",
        "crates/num/src/a.rs takes B of crates/num/src/b.rs",
        "crates/num/src/c.rs takes A of crates/num/src/a.rs",
    ]);
}

#[test]
fn a_name_that_is_handed_on_leads_to_its_file() {
    files(
        "mod a;\nmod b;\npub use a::A;\npub use b::*;",
        &[
            ("crates/num/src/a.rs", "use crate::B;\npub struct A(B);"),
            ("crates/num/src/b.rs", "pub struct B(Option<Box<crate::A>>);"),
        ],
    )
    .breaks(&["crates/num/src/a.rs: 2 files"]);
}

#[test]
fn a_parent_and_its_child_may_be_a_circle() {
    files(
        "mod a;",
        &[
            ("crates/num/src/a/mod.rs", "mod b;\nfn f() { b::g() }\npub struct A;"),
            ("crates/num/src/a/b.rs", "use super::A;\npub fn g() { let _ = A; }"),
        ],
    )
    .breaks(&["crates/num/src/a/b.rs: 2 files"]);
}

#[test]
fn what_parents_hand_on_and_tests_do_not_count() {
    let house = files(
        "mod a;\npub use a::{A, g};",
        &[
            (
                "crates/num/src/a/mod.rs",
                "mod b;\nmod c;\npub use b::g;\npub use c::A;\n#[cfg(test)]\nmod tests;",
            ),
            (
                "crates/num/src/a/b.rs",
                "use super::A;\npub fn g(_: A) {}\n#[cfg(test)]\nmod tests { use crate::g; }",
            ),
            ("crates/num/src/a/c.rs", "pub(in crate::a) struct A;\nimpl A { fn f(self: Self) {} }"),
            ("crates/num/src/a/tests.rs", "use super::g;"),
        ],
    );
    assert_eq!(house.verdict(), [""; 0]);
}
