//! `check-deps`: the rules that keep the house in its shape. [`house`](crate::house) holds the
//! plan.
//!
//! What no program can see (an iteration loop or a pivot policy inside cuda) is left to review.

mod circles;
mod manifests;
mod sources;
#[cfg(test)]
mod tests;

use crate::error::{Error, Violation};
use crate::workspace::Workspace;

/// Every rule that is broken.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Violation>, Error> {
    let mut broken = Vec::new();
    for member in &workspace.members {
        manifests::check(member, &mut broken);
        sources::check(&workspace.root, member, &mut broken)?;
        circles::check(&workspace.root, member, &mut broken)?;
    }
    Ok(broken)
}
