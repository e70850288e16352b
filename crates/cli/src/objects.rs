//! The objects that commands print with `--json`, as JSON schemas of draft 2020-12.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::report::Failed;

/// The objects of a command.
pub(crate) enum Objects {
    /// A run prints one of these, or that of a failure.
    Of(Vec<Object>),
    /// Those of a group's commands, by their names.
    Group(Vec<(String, Objects)>),
}

/// The schema of an object.
pub(crate) struct Object(Schema);

impl Object {
    /// An object of runs that succeed.
    pub(crate) fn of_success<T: JsonSchema>() -> Self {
        Self(schema_of::<T>())
    }

    /// An object of runs that fail: the members of a failure stand beside its own.
    pub(crate) fn of_failure<T: JsonSchema>() -> Self {
        let mut schema = with_failure(schema_of::<T>());
        let required = schema.ensure_object().entry("required").or_insert_with(|| json!([]));
        if let Value::Array(names) = required {
            names.extend(failure_members().keys().cloned().map(Value::String));
        }
        Self(schema)
    }

    /// An object of runs that succeed and of runs that fail with results.
    pub(crate) fn of_any_end<T: JsonSchema>() -> Self {
        let mut schema = with_failure(schema_of::<T>());
        // All members of a failure, or none of them.
        let names: Vec<String> = failure_members().keys().cloned().collect();
        let all: Map<String, Value> =
            names.iter().map(|name| (name.clone(), json!(names))).collect();
        schema.insert("dependentRequired".into(), Value::Object(all));
        Self(schema)
    }
}

impl Objects {
    /// Those of a command, which is one of a group's where several words name it.
    pub(crate) fn find(&self, words: &[&str]) -> Option<&[Object]> {
        match (self, words) {
            (Self::Of(objects), []) => Some(objects),
            (Self::Group(commands), [first, rest @ ..]) => {
                let named = commands.iter().find(|(name, _)| name == first);
                named.and_then(|(_, objects)| objects.find(rest))
            }
            _ => None,
        }
    }
}

/// The schema of what a command prints. `command` is its name: `nonius fem run`.
pub(crate) fn schema(command: &str, objects: &[Object]) -> Value {
    let failed = schema_of::<Failed<'_>>();
    let schemas = objects.iter().map(|Object(schema)| schema).chain([&failed]);
    let schemas: Vec<&Value> = schemas.map(Schema::as_value).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("{command} --json"),
        "description": format!(
            "The object that `{command} --json` prints. Times are in seconds of the wall clock. \
             A number is null where it is infinite, undefined or above the range of f64."
        ),
        "anyOf": schemas,
    })
}

/// The schema of a type as serde writes it. Nothing is in definitions of its own.
fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    RecursiveTransform(tidy).transform(&mut schema);
    schema
}

/// Refuses members that are not described, and leaves out what is no part of JSON Schema.
fn tidy(schema: &mut Schema) {
    schema.remove("format");
    if schema.get("properties").is_some() {
        schema.insert("additionalProperties".into(), false.into());
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}

/// The schemas of the members that tell of a failure.
fn failure_members() -> Map<String, Value> {
    match schema_of::<Failed<'_>>().remove("properties") {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// The schema with the members of a failure, none of which is required.
fn with_failure(mut schema: Schema) -> Schema {
    if let Some(Value::Object(members)) = schema.get_mut("properties") {
        members.extend(failure_members());
    }
    schema
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    /// An object.
    #[derive(Serialize, JsonSchema)]
    struct Figures {
        /// A member whose name is a word of schemas, too,
        /// on two lines.
        format: u32,
        /// Another one.
        #[serde(skip_serializing_if = "Option::is_none")]
        known: Option<f64>,
    }

    #[test]
    fn members_are_described_and_others_refused() {
        let format = json!({
            "type": "integer", "minimum": 0,
            "description": "A member whose name is a word of schemas, too, on two lines."
        });
        let known = json!({ "type": ["number", "null"], "description": "Another one." });
        let Object(schema) = Object::of_success::<Figures>();
        let expected = json!({
            "type": "object", "description": "An object.",
            "properties": { "format": format, "known": known },
            "required": ["format"],
            "additionalProperties": false,
        });
        assert_eq!(*schema.as_value(), expected);
        let Object(schema) = Object::of_any_end::<Figures>();
        let all = ["error", "exit_code"];
        assert_eq!(schema.get("required"), expected.get("required"));
        assert_eq!(schema.get("dependentRequired"), Some(&json!({ all[0]: all, all[1]: all })));
        let Object(schema) = Object::of_failure::<Figures>();
        assert_eq!(schema.get("required"), Some(&json!(["format", "error", "exit_code"])));
        assert_eq!(schema.get("properties").unwrap().as_object().unwrap().len(), 4);
    }

    #[test]
    fn commands_of_groups_are_found() {
        let of = |count| Objects::Of((0..count).map(|_| Object::of_success::<Figures>()).collect());
        let group = Objects::Group(vec![("run".into(), of(1)), ("plot".into(), of(2))]);
        let all = Objects::Group(vec![("fem".into(), group), ("info".into(), of(3))]);
        for (words, count) in
            [(&["fem", "run"][..], Some(1)), (&["fem", "plot"], Some(2)), (&["info"], Some(3))]
        {
            assert_eq!(all.find(words).map(<[Object]>::len), count);
        }
        for words in [&[][..], &["fem"], &["run"], &["info", "run"]] {
            assert!(all.find(words).is_none());
        }
    }
}
