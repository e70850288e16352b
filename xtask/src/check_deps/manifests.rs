//! Rules on manifests: who depends on whom, features, publication, inherited settings.

use crate::error::Violation;
use crate::house::{self, CONFINED, Room, TESTKIT};
use crate::workspace::{Dependency, Kind, Member};

/// Checks one crate's manifest.
pub(super) fn check(member: &Member, broken: &mut Vec<Violation>) {
    let mut tell = |message| broken.push(Violation { place: member.manifest_path(), message });
    let name = &member.name;
    let Some(room) = house::room(name) else {
        tell(format!(
            "crate {name} has no place in the house; one that needs its own toolchain or audience enters the \
             plan in xtask/src/house.rs and ARCHITECTURE.md, anything else is a module"
        ));
        return;
    };
    if member.folder != std::path::Path::new(room.folder) {
        tell(format!("{name} lives in {}", room.folder));
    }
    for dependency in &member.dependencies {
        check_dependency(room, dependency, &mut tell);
    }
    for feature in &member.features {
        if !room.features.contains(&feature.as_str()) {
            tell(format!(
                "feature `{feature}` of {name} is not in the plan ({}); a feature may add an interface, never change \
                 a result or narrow a bound (an optional dependency is a feature too, unless named by `dep:`)",
                room.features.join(", ")
            ));
        }
    }
    check_standing(room, member, &mut tell);
    check_inheritance(member, &mut tell);
}

fn check_dependency(room: &Room, dependency: &Dependency, tell: &mut impl FnMut(String)) {
    let (name, used) = (room.name, dependency.name.as_str());
    let in_tests = dependency.kind == Some(Kind::Dev);
    if house::room(used).is_some() {
        let allowed = room.may_use.contains(&used) || in_tests && (used == TESTKIT || used == name);
        if !allowed {
            let list =
                if room.may_use.is_empty() { "none".into() } else { room.may_use.join(", ") };
            tell(format!(
                "{name} must not depend on {used}: {}; of this workspace it may use: {list}{}",
                room.because,
                if used == TESTKIT { " (and, under [dev-dependencies], the test kit)" } else { "" }
            ));
        }
        return;
    }
    if let Some(rule) = CONFINED.iter().find(|rule| rule.crates.contains(&used))
        && rule.only_in != name
    {
        tell(format!(
            "{name} must not depend on {used}: {}; only {} may",
            rule.because, rule.only_in
        ));
        return;
    }
    if let (Some(list), false) = (room.outside, in_tests)
        && !list.contains(&used)
    {
        tell(format!(
            "{name} must not depend on {used}: {}; from outside it may use: {}",
            room.because,
            list.join(", ")
        ));
    }
}

fn check_standing(room: &Room, member: &Member, tell: &mut impl FnMut(String)) {
    let name = room.name;
    match (member.published, room.published) {
        (true, false) => tell(format!("{name} is for this repository only: set `publish = false`")),
        (false, true) => tell(format!("{name} is for users: remove `publish = false`")),
        _ => {}
    }
    match (member.builds_by_default, room.builds_by_default) {
        (true, false) => tell(format!(
            "{name} must not be in the root manifest's default-members: users build those"
        )),
        (false, true) => tell(format!(
            "add \"{}\" to the root manifest's default-members, which users build",
            room.folder
        )),
        _ => {}
    }
}

fn check_inheritance(member: &Member, tell: &mut impl FnMut(String)) {
    if !member.inherits("lints", "") {
        tell("the workspace's lints are not inherited: add `[lints] workspace = true`".into());
    }
    for key in ["version", "edition", "rust-version", "license", "authors"] {
        if !member.inherits("package", key) {
            tell(format!("`{key}` is the workspace's: write `{key}.workspace = true`"));
        }
    }
}
