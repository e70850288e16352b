//! The schemas in `docs/schemas`: they are what `nonius schema` prints, and all objects that the
//! tests of the program see are valid. `NONIUS_UPDATE_SCHEMAS=1` writes the files anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use crate::everywhere::calls;
use crate::{Folder, nonius};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas")
}

/// The files of a folder by their names.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let file = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        (name, fs::read_to_string(path).unwrap())
    };
    entries.map(file).collect()
}

static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let schema = |(name, text): (String, String)| {
        (name.strip_suffix(".json").unwrap().to_string(), serde_json::from_str(&text).unwrap())
    };
    files(&folder()).into_iter().map(schema).collect()
});

static VALIDATORS: LazyLock<BTreeMap<&str, Validator>> = LazyLock::new(|| {
    let validator = |schema| {
        let options = jsonschema::options().with_draft(Draft::Draft202012);
        options.build(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
    };
    SCHEMAS.iter().map(|(name, schema)| (&**name, validator(schema))).collect()
});

/// Asserts that what a call with `--json` printed is valid for its command. What names no command
/// fails, and the object of a failure is that of any command.
pub(crate) fn check(arguments: &[String], printed: &str) {
    let of_words = |count| VALIDATORS.get(&*arguments.get(..count)?.join("-"));
    let validator = [2, 1].into_iter().find_map(of_words).unwrap_or(&VALIDATORS["info"]);
    let object = serde_json::from_str(printed)
        .unwrap_or_else(|error| panic!("{arguments:?} printed {printed:?}: {error}"));
    let is_valid = validator.is_valid(&object);
    assert!(is_valid, "{arguments:?} printed what the schema refuses: {object:#}");
}

#[test]
fn files_are_what_the_program_prints() {
    let made = Folder::new();
    let path = made.path("schemas");
    let summary = nonius(["schema", "--all", &path]).success();
    let expected = files(Path::new(&path));
    assert_eq!(summary, format!("written               {} schemas in {path}\n", expected.len()));
    if std::env::var_os("NONIUS_UPDATE_SCHEMAS").is_some() {
        let _ = fs::remove_dir_all(folder());
        fs::create_dir_all(folder()).unwrap();
        for (name, text) in &expected {
            fs::write(folder().join(name), text).unwrap();
        }
    }
    let found = files(&folder());
    assert!(found.keys().eq(expected.keys()), "{:?}", found.keys());
    for (name, text) in &expected {
        let update = "NONIUS_UPDATE_SCHEMAS=1 cargo test -p nonius-cli --test cli schemas";
        assert!(found[name] == *text, "docs/schemas/{name} is out of date: {update}");
    }
    // Every command has one, by its name.
    let names = calls(&made).into_iter().map(|(words, _)| format!("{}.json", words.join("-")));
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert!(names.iter().eq(expected.keys()), "{names:?}");
}

#[test]
fn schemas_by_names() {
    let made = Folder::new();
    let printed = nonius(["schema", "fem", "run"]).success();
    let of_run: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(of_run, SCHEMAS["fem-run"]);
    assert_eq!(of_run["title"], "nonius fem run --json");
    assert_eq!(
        nonius(["schema", "generate"]).success(),
        nonius(["schema", "fem", "generate"]).success()
    );
    let file = made.path("run.json");
    assert_eq!(nonius(["schema", "fem", "run", "-o", &file]).success(), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), printed);
    let object = nonius(["schema", "fem", "run", "--json"]).json();
    assert_eq!((&object["command"], &object["schema"]), (&"nonius fem run".into(), &of_run));
    let path = made.path("all");
    let object = nonius(["schema", "--all", &path, "--json"]).json();
    assert_eq!(object["schemas"].as_array().unwrap().len(), SCHEMAS.len());
    for group in ["fem", "option"] {
        let refused = nonius(["schema", group]).failure(2);
        let expected = format!("no command is called `{group}`; commands are info, convert, ");
        assert!(refused.starts_with(&expected), "{refused}");
    }
    assert!(nonius(["schema"]).failure(2).contains("were not provided: <COMMAND>..."));
    let refused = nonius(["schema", "--all", "-"]).failure(2);
    assert_eq!(refused, "--all takes a folder, not standard output");
}

/// Visits all schemas of objects.
fn objects<'a>(schema: &'a Value, visit: &mut impl FnMut(&'a serde_json::Map<String, Value>)) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("properties") {
                visit(members);
            }
            members.values().for_each(|member| objects(member, visit));
        }
        Value::Array(all) => all.iter().for_each(|schema| objects(schema, visit)),
        _ => {}
    }
}

#[test]
fn members_are_described() {
    for (name, schema) in &*SCHEMAS {
        objects(schema, &mut |object| {
            assert_eq!(object["additionalProperties"], false, "{name}: {object:?}");
            for (member, schema) in object["properties"].as_object().unwrap() {
                let text = schema["description"].as_str().unwrap_or_default();
                assert!(text.ends_with('.'), "{name}: {member} has no description");
            }
        });
    }
}

/// The schemas refuse what is too much and what is missing.
#[test]
fn other_objects_are_refused() {
    let made = Folder::new();
    let a = made.matrix("a.mtx", &[&["2", "1"], &["1", "3"]]);
    let object = nonius(["solve", &a, "--json"]).json();
    let solve = &VALIDATORS["solve"];
    assert!(solve.is_valid(&object) && !VALIDATORS["inverse"].is_valid(&object));
    let changed = |name: &str, value: Option<Value>| {
        let mut object = object.clone();
        let members = object.as_object_mut().unwrap();
        match value {
            Some(value) => members.insert(name.into(), value),
            None => members.remove(name),
        };
        solve.is_valid(&object)
    };
    assert!(!changed("cols", Some(2.into())) && !changed("rows", Some("2".into())));
    assert!(!changed("seconds", None) && !changed("precision", None));
    assert!(!changed("seconds", Some(Value::Null)) && !changed("exit_code", Some(1.into())));
    assert!(changed("condition_estimate", Some(Value::Null)));
    // A failure has both of its members, and a status of a failure.
    for (code, is_valid) in [(1, true), (2, true), (130, true), (0, false), (3, false)] {
        let object = json!({ "error": "why", "exit_code": code });
        for validator in VALIDATORS.values() {
            assert_eq!(validator.is_valid(&object), is_valid, "{object}");
        }
    }
    assert!(!solve.is_valid(&json!({ "error": "why" })) && !solve.is_valid(&json!({})));
    let cg = nonius(["cg", &a, "--json"]).json();
    let validator = &VALIDATORS["cg"];
    let with = |more: Value| {
        let mut object = cg.clone();
        object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        validator.is_valid(&object)
    };
    assert!(with(json!({})) && with(json!({ "error": "why", "exit_code": 1 })));
    assert!(!with(json!({ "error": "why" })) && !with(json!({ "exit_code": 1 })));
}
