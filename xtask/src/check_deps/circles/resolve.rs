//! Which file a path leads to.

use std::collections::BTreeMap;

use super::modules::{Module, Name};

/// Steps through names that hand each other on, at the most.
const HANDED_ON: usize = 16;

/// The module whose file defines what a path of a module leads to; none where it leaves the crate.
pub(super) fn resolve<'a>(
    modules: &'a BTreeMap<Name, Module>,
    from: &[String],
    path: &[String],
) -> Option<&'a Module> {
    let home = follow(modules, from, path, HANDED_ON)?;
    modules.get(&home)
}

fn follow(
    modules: &BTreeMap<Name, Module>,
    from: &[String],
    path: &[String],
    steps: usize,
) -> Option<Name> {
    let (first, rest) = path.split_first()?;
    let steps = steps.checked_sub(1)?;
    match first.as_str() {
        "crate" => within(modules, Vec::new(), rest, steps),
        "self" => within(modules, from.to_vec(), rest, steps),
        "super" => {
            let (_, parent) = from.split_last()?;
            let mut path = vec!["self".to_string()];
            path.extend_from_slice(rest);
            // `super::super` goes on from the parent.
            if rest.first().is_some_and(|name| name == "super") {
                path.remove(0);
            }
            follow(modules, parent, &path, steps)
        }
        _ => {
            let module = modules.get(from)?;
            if module.children.contains(first) {
                return within(modules, from.to_vec(), path, steps);
            }
            let whole = module.brought.get(first)?;
            // A crate from outside, brought in under its own name.
            if whole.len() == 1 && whole[0] == *first {
                return None;
            }
            let whole = [&whole[..], rest].concat();
            follow(modules, from, &whole, steps)
        }
    }
}

/// Where names lead from a module on.
fn within(
    modules: &BTreeMap<Name, Module>,
    at: Name,
    names: &[String],
    steps: usize,
) -> Option<Name> {
    let Some((first, rest)) = names.split_first() else { return Some(at) };
    let module = modules.get(&at)?;
    if module.children.contains(first) {
        let child = [&at[..], core::slice::from_ref(first)].concat();
        return within(modules, child, rest, steps);
    }
    if module.defined.contains(first) {
        return Some(at);
    }
    if let Some(whole) = module.brought.get(first) {
        let whole = [&whole[..], rest].concat();
        return follow(modules, &at, &whole, steps);
    }
    let through = |glob: &Name| follow(modules, &at, &[&glob[..], names].concat(), steps);
    module.globs.iter().find_map(through)
}
