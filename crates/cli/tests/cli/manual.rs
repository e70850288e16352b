//! `nonius help`, `nonius completions` and `nonius man`: what the commands are and take.

use std::fs;

use regex::Regex;

use crate::everywhere::calls;
use crate::{Folder, nonius};

/// The long flags that a command's help lists.
fn flags(help: &str) -> Vec<String> {
    let flag = Regex::new(r"(?m)^ +(?:-\w, |    )?--([a-z][a-z0-9-]*)").unwrap();
    flag.captures_iter(help).map(|found| found[1].to_string()).collect()
}

fn help(words: &[&str]) -> String {
    nonius(words.iter().copied().chain(["--help"])).success()
}

#[test]
fn help_by_names() {
    for words in [&["help", "fem", "generate"][..], &["help", "generate"]] {
        assert_eq!(nonius(words).success(), help(&["fem", "generate"]));
    }
    assert_eq!(nonius(["help", "plot"]).success(), help(&["option", "plot"]));
    assert_eq!(nonius(["help", "fem"]).success(), help(&["fem"]));
    assert_eq!(nonius(["help"]).success(), help(&[]));
    assert!(nonius(["help", "fem", "solve"]).failure(2).contains("`fem solve`"));
    let object = nonius(["help", "price", "--json"]).json();
    assert_eq!(object["command"], "nonius option price");
    assert!(object["help"].as_str().unwrap().contains("--sensitivities"), "{object}");
}

#[test]
fn helps_have_the_flags_of_every_command() {
    let folder = Folder::new();
    for (words, _) in calls(&folder) {
        let found = flags(&help(&words));
        for flag in ["device", "threads", "json", "quiet", "verbose", "help"] {
            assert!(found.iter().any(|found| found == flag), "{words:?} {flag}: {found:?}");
        }
    }
}

#[test]
fn completions_have_every_flag_of_every_command() {
    let folder = Folder::new();
    let script = |shell: &str| nonius(["completions", shell]).success();
    let [bash, zsh, fish] = ["bash", "zsh", "fish"].map(script);
    for (words, _) in calls(&folder) {
        let all = help(&words);
        let last = words[words.len() - 1];
        // The part of bash's script for the command: words that it can go on with.
        let path = words.join("__subcmd__");
        let head = format!("        nonius__subcmd__{path})\n            opts=\"");
        let part = bash.split(&*head).nth(1).unwrap_or_else(|| panic!("{head} is not there"));
        let part = part.lines().next().unwrap();
        let fish_line = format!("subcommand {last}");
        for flag in flags(&all) {
            let found = part.split([' ', '"']).any(|word| word == format!("--{flag}"));
            assert!(found, "bash, {words:?}: --{flag} is not in {part}");
            let options = ["[", "=["].map(|end| format!("--{flag}{end}"));
            assert!(options.iter().any(|option| zsh.contains(option)), "zsh, {words:?}: {flag}");
            let option = format!(" -l {flag} ");
            let found = fish.lines().any(|line| {
                let line = format!("{line} ");
                line.contains(&fish_line) && line.contains(&option)
                    || words.len() > 1
                        && line.contains(&format!("from {last}"))
                        && line.contains(&option)
            });
            assert!(found, "fish, {words:?}: {flag}");
        }
        assert!(fish.contains(&format!("-a \"{last}\"")), "{words:?}");
    }
    assert!(nonius(["completions", "tcsh"]).failure(2).contains("expected bash, elvish, fish"));
    let file = folder.path("nonius.fish");
    assert_eq!(nonius(["completions", "fish", "-o", &file]).success(), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), fish);
    let object = nonius(["completions", "fish", "--json"]).json();
    assert_eq!((&object["shell"], &object["script"]), (&"fish".into(), &fish.into()));
}

/// Text of a page as a reader sees it.
fn shown(page: &str) -> String {
    let marks = Regex::new(r"\\f[BIRP]|\\&").unwrap();
    marks.replace_all(page, "").replace("\\-", "-").replace("\\*(Aq", "'")
}

#[test]
fn pages_have_every_flag_of_every_command() {
    let folder = Folder::new();
    let all = folder.path("pages");
    let summary = nonius(["man", "--all", &all]).success();
    // With the program, and with the groups.
    let count = calls(&folder).len() + 3;
    assert_eq!(summary, format!("written               {count} pages in {all}\n"));
    for (words, _) in calls(&folder) {
        let page = nonius(["man"].iter().copied().chain(words.iter().copied())).success();
        let file = format!("{all}/nonius-{}.1", words.join("-"));
        assert_eq!(page, fs::read_to_string(file).unwrap());
        assert!(page.starts_with(".ie \\n(.g") || page.starts_with(".TH nonius"), "{page}");
        let page = shown(&page);
        for flag in flags(&help(&words)) {
            assert!(page.contains(&format!("--{flag}")), "{words:?}: {flag}");
        }
        assert!(page.contains(".SH \"EXIT STATUS\"") && page.contains("\n130\n"), "{page}");
        // What a command needs stands in its usage.
        let usage =
            help(&words).lines().find_map(|line| line.strip_prefix("Usage: ").map(String::from));
        let usage = usage.unwrap();
        assert!(
            page.contains(usage.strip_prefix(&format!("nonius {}", words.join(" "))).unwrap()),
            "{page}"
        );
        assert!(page.contains(".SH ENVIRONMENT") && page.contains(".SH \"SEE ALSO\"\nnonius(1)"));
    }
    let group = shown(&nonius(["man", "fem"]).success());
    assert!(group.contains("nonius-fem-run(1)") && !group.contains(".SH ARGUMENTS"), "{group}");
    let page = shown(&nonius(["man"]).success());
    assert!(page.contains(".SH ENVIRONMENT") && page.contains("NONIUS_NVRTC"), "{page}");
    assert!(page.contains("nonius-solve(1)") && !page.contains(".SH EXTRA"), "{page}");
    assert_eq!(nonius(["man", "generate"]).success(), nonius(["man", "fem", "generate"]).success());
    let object = nonius(["man", "--all", &all, "--json"]).json();
    assert_eq!(object["pages"].as_array().unwrap().len(), count);
    let object = nonius(["man", "generate", "--json"]).json();
    assert_eq!(object["command"], "nonius fem generate");
    assert!(object["page"].as_str().unwrap().contains("elements"), "{object}");
    assert_eq!(
        nonius(["man", "--all", "-"]).failure(2),
        "--all takes a folder, not standard output"
    );
    let file = folder.file("file", "");
    let refused = nonius(["man", "--all", &file]).failure(2);
    assert!(refused.starts_with(&format!("{file}: cannot be created: ")), "{refused}");
    assert!(nonius(["man", "nothing"]).failure(2).contains("no command is called `nothing`"));
}
