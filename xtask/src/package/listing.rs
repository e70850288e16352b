//! What the registry shows of a crate, and what it refuses.

use crate::error::Violation;
use crate::workspace::Member;

/// Keywords, and categories, of a crate at most.
const MOST: usize = 5;
/// Characters of a keyword at most.
const LONGEST_KEYWORD: usize = 20;

/// The registry's categories that our crates are in; it refuses names that it does not know.
const CATEGORIES: [&str; 11] = [
    "api-bindings",
    "command-line-utilities",
    "compression",
    "filesystem",
    "finance",
    "hardware-support",
    "mathematics",
    "no-std",
    "science",
    "simulation",
    "visualization",
];

/// Checks what one crate's manifest says to the registry.
pub(super) fn check(member: &Member, broken: &mut Vec<Violation>) {
    let mut tell = |message| broken.push(Violation { place: member.manifest_path(), message });
    let listing = &member.listing;
    if listing.description.as_ref().is_none_or(|text| text.trim().is_empty()) {
        tell("`description` is missing: say in one sentence what the crate does".into());
    }
    if listing.readme.is_none() {
        tell("`readme` is missing: the registry shows README.md of the crate's folder".into());
    }
    for (key, names) in [("keywords", &listing.keywords), ("categories", &listing.categories)] {
        if !(1..=MOST).contains(&names.len()) {
            tell(format!("{} {key}: the registry takes 1 to {MOST}", names.len()));
        }
    }
    for keyword in listing.keywords.iter().filter(|keyword| !is_keyword(keyword)) {
        tell(format!(
            "keyword `{keyword}`: the registry takes at most {LONGEST_KEYWORD} letters, digits, -, _ and + of \
             ASCII, first a letter or digit"
        ));
    }
    for category in listing.categories.iter().filter(|name| !CATEGORIES.contains(&name.as_str())) {
        tell(format!(
            "category `{category}` is not in the list of xtask/src/package/listing.rs: add it there if the registry \
             has it"
        ));
    }
    let package = member.manifest.get("package");
    if package.and_then(|table| table.get("metadata")?.get("docs")?.get("rs")).is_none() {
        tell("`[package.metadata.docs.rs]` is missing: documentation has all features".into());
    }
}

fn is_keyword(word: &str) -> bool {
    word.len() <= LONGEST_KEYWORD
        && word.starts_with(|first: char| first.is_ascii_alphanumeric())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Listing;

    /// What is told of a crate that is sound but for what `change` does.
    fn told(change: impl FnOnce(&mut Member)) -> Vec<String> {
        let mut member = Member {
            name: "nonius-num".into(),
            folder: "crates/num".into(),
            published: true,
            builds_by_default: true,
            features: Vec::new(),
            dependencies: Vec::new(),
            listing: Listing {
                description: Some("Sums.".into()),
                readme: Some("README.md".into()),
                keywords: vec!["quantitative-finance".into(), "c++".into()],
                categories: vec!["mathematics".into()],
            },
            manifest: "[package.metadata.docs.rs]\nall-features = true\n".parse().unwrap(),
        };
        change(&mut member);
        let mut broken = Vec::new();
        check(&member, &mut broken);
        broken.iter().map(ToString::to_string).collect()
    }

    fn tells(change: impl FnOnce(&mut Member), part: &str) {
        let told = told(change);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with("crates/num/Cargo.toml: ") && told[0].contains(part),
            "{told:?}"
        );
    }

    #[test]
    fn what_the_registry_refuses_is_told() {
        assert_eq!(told(|_| ()), [""; 0]);
        tells(|member| member.listing.description = Some(" ".into()), "description");
        tells(|member| member.listing.readme = None, "readme");
        tells(|member| member.listing.keywords.clear(), "0 keywords");
        tells(|member| member.listing.keywords = vec!["a".into(); 6], "6 keywords");
        tells(|member| member.listing.categories.clear(), "0 categories");
        tells(|member| member.listing.categories.push("sums".into()), "category `sums`");
        tells(|member| member.manifest.clear(), "[package.metadata.docs.rs]");
        for word in ["semidefinite-programming", "-gpu", "größe", "two words", ""] {
            tells(|member| member.listing.keywords.push(word.into()), &format!("keyword `{word}`"));
        }
    }
}
