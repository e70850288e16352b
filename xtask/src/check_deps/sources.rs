//! Rules on Rust sources, read as tokens, so that comments and texts count for nothing.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use crate::error::{Error, Violation};
use crate::walk;
use crate::workspace::Member;

/// The crates whose code may be unsafe, and the modules that may be in any crate.
const UNSAFE_CRATES: [&str; 2] = ["crates/gpu", "crates/capi"];
const UNSAFE_MODULES: [&str; 4] = ["cpu", "cuda", "mpi", "numpy"];

/// Names that have no business in the scalars' code.
const THREADS_AND_DEVICES: [&str; 7] =
    ["cudarc", "crossbeam", "rayon", "thread", "thread_local", "tokio", "wgpu"];

/// Checks the sources of one crate.
pub(super) fn check(
    root: &Path,
    member: &Member,
    broken: &mut Vec<Violation>,
) -> Result<(), Error> {
    for path in walk::files(&root.join(&member.folder), &|path| walk::has_extension(path, &["rs"]))?
    {
        let text = walk::read(&path)?;
        let relative = path.strip_prefix(root).unwrap_or(&path);
        let mut tell = |line: usize, message: String| {
            broken.push(Violation { place: format!("{}:{line}", relative.display()), message });
        };
        match text.parse::<TokenStream>() {
            Ok(tokens) => check_tokens(relative, tokens, &mut tell),
            Err(error) => tell(error.span().start().line, format!("not Rust: {error}")),
        }
    }
    Ok(())
}

fn check_tokens(path: &Path, tokens: TokenStream, tell: &mut impl FnMut(usize, String)) {
    let may_be_unsafe = UNSAFE_CRATES.iter().any(|folder| path.starts_with(folder))
        || path.with_extension("").iter().any(|name| UNSAFE_MODULES.iter().any(|m| name == *m));
    let scalars = path.starts_with("crates/num/src");
    for_each_name(tokens, None, &mut |line, name, list| {
        let lint_lowered = name == "unsafe_code" && !matches!(list, Some("deny" | "forbid"));
        if !may_be_unsafe && (name == "unsafe" || lint_lowered) {
            let modules = UNSAFE_MODULES.join(" and ");
            let crates = UNSAFE_CRATES.join(" and ");
            let place = format!("{crates}, and in modules named {modules}");
            tell(line, format!("unsafe code has its place in {place}"));
        }
        if scalars && THREADS_AND_DEVICES.contains(&name) {
            tell(line, format!("`{name}`: the scalars know no threads and no devices"));
        }
    });
}

/// Visits every identifier, with its line and the identifier before the innermost bracket around
/// it.
fn for_each_name(
    tokens: TokenStream,
    list: Option<&str>,
    visit: &mut dyn FnMut(usize, &str, Option<&str>),
) {
    let mut last = None;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                let text = name.to_string();
                visit(name.span().start().line, &text, list);
                last = Some(text);
            }
            TokenTree::Group(group) => {
                for_each_name(group.stream(), last.take().as_deref(), visit);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => last = None,
        }
    }
}
