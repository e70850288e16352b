//! The files of a crate as modules: what each defines, hands on and names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, UseTree, Visibility};

use crate::error::{Error, Violation};
use crate::walk;

/// A module's path in its crate.
pub(super) type Name = Vec<String>;

/// A module: a file, or braces in one.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// Its file, relative to the root.
    pub(super) file: PathBuf,
    /// Names of modules in it that are no tests.
    pub(super) children: BTreeSet<String>,
    /// Names of everything else that it defines.
    pub(super) defined: BTreeSet<String>,
    /// What names brought in by `use` stand for.
    pub(super) brought: BTreeMap<String, Name>,
    /// Modules all of whose names are brought in.
    pub(super) globs: Vec<Name>,
    /// Paths of two or more names in its code, and those of `use` that are for itself.
    pub(super) named: BTreeSet<Name>,
}

/// The modules of the crate whose root is that file, tests left out.
pub(super) fn read(
    root: &Path,
    file: &Path,
    modules: &mut BTreeMap<Name, Module>,
    broken: &mut Vec<Violation>,
) -> Result<(), Error> {
    let folder = file.parent().unwrap_or(root);
    read_file(root, file, folder, Vec::new(), modules, broken)
}

fn read_file(
    root: &Path,
    file: &Path,
    folder: &Path,
    name: Name,
    modules: &mut BTreeMap<Name, Module>,
    broken: &mut Vec<Violation>,
) -> Result<(), Error> {
    let relative = file.strip_prefix(root).unwrap_or(file);
    match syn::parse_file(&walk::read(file)?) {
        Ok(parsed) => read_items(root, (file, folder), name, parsed.items, modules, broken),
        Err(error) => {
            let place = format!("{}:{}", relative.display(), error.span().start().line);
            broken.push(Violation { place, message: format!("not Rust: {error}") });
            Ok(())
        }
    }
}

/// Items of a module; files of its modules are in the folder.
fn read_items(
    root: &Path,
    (file, folder): (&Path, &Path),
    name: Name,
    items: Vec<Item>,
    modules: &mut BTreeMap<Name, Module>,
    broken: &mut Vec<Violation>,
) -> Result<(), Error> {
    let relative = file.strip_prefix(root).unwrap_or(file).to_path_buf();
    let mut module = Module { file: relative, ..Module::default() };
    for item in items {
        if attributes(&item).iter().any(is_of_tests) {
            continue;
        }
        match item {
            Item::Mod(inner) => {
                let child = inner.ident.to_string();
                module.children.insert(child.clone());
                let path = [&name[..], core::slice::from_ref(&child)].concat();
                match inner.content {
                    Some((_, items)) => {
                        let folder = folder.join(&child);
                        read_items(root, (file, &folder), path, items, modules, broken)?;
                    }
                    None => {
                        let beside = folder.join(format!("{child}.rs"));
                        let inside = folder.join(&child).join("mod.rs");
                        let found = [beside, inside].into_iter().find(|file| file.exists());
                        if let Some(found) = found {
                            let folder = folder.join(&child);
                            read_file(root, &found, &folder, path, modules, broken)?;
                        }
                    }
                }
            }
            Item::Use(item) => {
                let handed_on = !matches!(item.vis, Visibility::Inherited);
                bring(&mut module, &item.tree, &mut Vec::new(), handed_on);
            }
            item => {
                module.defined.extend(defined(&item));
                paths(item.to_token_stream(), &mut module.named);
            }
        }
    }
    modules.insert(name, module);
    Ok(())
}

/// Names that a `use` brings in. What is handed on is for others, and no import of the module's
/// own.
fn bring(module: &mut Module, tree: &UseTree, path: &mut Name, handed_on: bool) {
    match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            bring(module, &tree.tree, path, handed_on);
            path.pop();
        }
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| bring(module, tree, path, handed_on));
        }
        UseTree::Glob(_) => {
            module.globs.push(path.clone());
            if !handed_on {
                module.named.insert(path.clone());
            }
        }
        UseTree::Name(_) | UseTree::Rename(_) => {
            let (from, to) = match tree {
                UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
                UseTree::Rename(name) => (name.ident.to_string(), name.rename.to_string()),
                _ => return,
            };
            let mut whole = path.clone();
            let mut to = to;
            if from == "self" {
                to = path.last().cloned().unwrap_or_default();
            } else {
                whole.push(from);
            }
            if !handed_on {
                module.named.insert(whole.clone());
            }
            module.brought.insert(to, whole);
        }
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether it is `#[cfg(test)]`, or another `cfg` that begins so, or `#[test]`.
fn is_of_tests(attribute: &Attribute) -> bool {
    let text = attribute.meta.to_token_stream().to_string();
    text == "test" || text.starts_with("cfg (test") || text.starts_with("cfg (doctest")
}

fn defined(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// Paths of two names and more, in macros too.
fn paths(tokens: TokenStream, found: &mut BTreeSet<Name>) {
    let mut path: Name = Vec::new();
    // Colons since the last name.
    let mut colons = 0;
    let mut end = |path: &mut Name| {
        if path.len() > 1 {
            found.insert(core::mem::take(path));
        }
        path.clear();
    };
    let mut groups = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    end(&mut path);
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => colons += 1,
            other => {
                let is_visibility = path.len() == 1 && path[0] == "pub";
                end(&mut path);
                colons = 0;
                if let TokenTree::Group(group) = other
                    && !is_visibility
                {
                    groups.push(group.stream());
                }
            }
        }
    }
    end(&mut path);
    for group in groups {
        paths(group, found);
    }
}
