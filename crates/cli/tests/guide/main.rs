//! The commands of README and of the guide, run as a reader would type them; what the pages show
//! is compared with what the program prints and draws. `NONIUS_UPDATE_GUIDE=1` writes pages and
//! pictures anew.

mod compare;
mod links;
mod mask;
mod page;
mod session;

use std::fs;
use std::path::PathBuf;

use page::{Page, Step};
use session::Session;

/// A page's commands run in its order, in one folder; all of its differences are told at once.
fn follow(name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    let text = fs::read_to_string(&path).unwrap();
    let mut page = Page::read(&text);
    assert!(page.steps.iter().any(Step::is_command), "{name} has no command");
    let session = Session::new();
    let mut differences = Vec::new();
    let is_renewed = std::env::var_os("NONIUS_UPDATE_GUIDE").is_some();
    for step in &mut page.steps {
        match step {
            Step::File { name, text } => session.write(name, text),
            Step::Row { line, command, shown } => {
                let printed = session.run(command);
                if !compare::begins(shown, &printed) {
                    let printed = printed.join("\n");
                    differences.push(format!(
                        "{name}:{line}: `{command}` prints\n{printed}\nand no line begins `{shown}`"
                    ));
                }
            }
            Step::Command { line, command, shown } => {
                let printed = session.run(command);
                if !compare::agree(shown, &printed) {
                    differences.push(format!(
                        "{name}:{line}: `{command}` prints\n{}\nand the page shows\n{}",
                        printed.join("\n"),
                        shown.join("\n")
                    ));
                    *shown = compare::renewed(shown, &printed);
                }
            }
        }
    }
    for picture in page::pictures(&text) {
        // Those that other commands make are left to these.
        let Some(made) = session.made(&picture) else { continue };
        let path = path.with_file_name("pictures").join(&picture);
        if is_renewed {
            fs::write(path, made).unwrap();
        } else if fs::read(path).ok() != Some(made) {
            differences.push(format!("{name}: {picture} is not what its command draws"));
        }
    }
    if is_renewed {
        fs::write(&path, page.write(&text)).unwrap();
    } else {
        assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    }
}

macro_rules! pages {
    ($($test:ident: $path:literal,)*) => {
        $(#[test] fn $test() { follow($path); })*

        /// Every page with a command is followed.
        #[test]
        fn no_page_is_left_out() {
            let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/src");
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = format!("docs/guide/src/{}", path.file_name().unwrap().to_str().unwrap());
                if name.ends_with(".md")
                    && Page::read(&fs::read_to_string(&path).unwrap()).steps.iter().any(Step::is_command)
                {
                    assert!([$($path),*].contains(&name.as_str()), "{name}");
                }
            }
        }
    };
}

pages! {
    readme: "README.md",
    start: "docs/guide/src/start.md",
    precision: "docs/guide/src/precision.md",
    choosing: "docs/guide/src/choosing.md",
    solve: "docs/guide/src/solve.md",
    sparse: "docs/guide/src/sparse.md",
    eigen: "docs/guide/src/eigen.md",
    tridiagonal: "docs/guide/src/tridiagonal.md",
    options: "docs/guide/src/options.md",
    solids: "docs/guide/src/solids.md",
    semidefinite: "docs/guide/src/semidefinite.md",
    gpus: "docs/guide/src/gpus.md",
    formats: "docs/guide/src/formats.md",
    json: "docs/guide/src/json.md",
    errors: "docs/guide/src/errors.md",
}
