//! What a command has to say of a run, and the one place that says it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer, ser};
use serde_json::value::RawValue;

use nonius::dense::Reading;
use nonius::files::printable;

use crate::common::Form;
use crate::failure::Failure;
use crate::interruption;
use crate::output::{Output, print_text};
use crate::summary::Summary;

/// The text of a JSON object, made where somebody wants it.
type Object = Box<dyn FnOnce() -> serde_json::Result<String> + Send>;

/// The figures of a run for programs and for people, and whether it failed nevertheless.
#[derive(Default)]
pub(crate) struct Report {
    object: Option<Object>,
    summary: Summary,
    /// Whether a matrix takes standard output.
    is_output_taken: bool,
    failure: Option<Failure>,
}

impl Report {
    /// A report of figures, which are the members of the JSON object.
    pub(crate) fn new(figures: impl Serialize + Send + 'static) -> Self {
        let object: Object = Box::new(move || serde_json::to_string_pretty(&figures));
        Self { object: Some(object), ..Self::default() }
    }

    /// The same figures for people.
    pub(crate) fn with_summary(self, summary: Summary) -> Self {
        Self { summary, ..self }
    }

    /// The summary goes to standard error where one of the outputs takes standard output.
    pub(crate) fn beside<'a>(self, outputs: impl IntoIterator<Item = &'a Output>) -> Self {
        let is_output_taken = outputs.into_iter().any(Output::is_standard);
        Self { is_output_taken, ..self }
    }

    /// Why the run failed, if it did.
    pub(crate) fn with_failure(self, failure: Option<Failure>) -> Self {
        Self { failure, ..self }
    }

    /// Why the run failed, if it did.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Prints the report. Returns the exit status.
    fn tell(self, form: Form) -> u8 {
        let Self { object, summary, is_output_taken, failure } = self;
        let printed = match form {
            Form::Json => print_object(object, failure.as_ref()),
            Form::Text => summary.print(is_output_taken),
            Form::Silence => Ok(()),
        };
        // The first failure that is one decides how the program ends.
        let all = failure.into_iter().chain(printed.err());
        all.map(|failure| failure.tell())
            .fold(0, |first, next| if first > 0 { first } else { next })
    }
}

/// A report of nothing but a failure.
impl From<Failure> for Report {
    fn from(failure: Failure) -> Self {
        Self::default().with_failure(Some(failure))
    }
}

/// Prints what became of a run. Returns the exit status.
pub(crate) fn tell(ended: Result<Report, Failure>, form: Form) -> u8 {
    ended.unwrap_or_else(Report::from).tell(form)
}

/// A failure.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Failed<'a> {
    /// The message, as on standard error.
    error: &'a str,
    /// The exit status: 1 where numbers allow no answer, 2 for wrong input, 130 after a signal.
    #[schemars(extend("enum" = [1, 2, interruption::EXIT_CODE]))]
    exit_code: u8,
}

/// Prints one object: what is known of a failure first.
fn print_object(object: Option<Object>, failure: Option<&Failure>) -> Result<(), Failure> {
    let figures = object.map(|object| object()).transpose().map_err(std::io::Error::from)?;
    let failed = failure.and_then(Failure::parts).map(|(message, exit_code)| {
        serde_json::to_string_pretty(&Failed { error: &printable(message), exit_code })
    });
    let failed = failed.transpose().map_err(std::io::Error::from)?;
    let text = match (failed, figures) {
        (Some(failed), Some(figures)) => joined(failed, &figures),
        (failed, figures) => match failed.or(figures) {
            Some(text) => text,
            None => return Ok(()),
        },
    };
    print_text(&(text + "\n"))
}

/// The text of one object with the members of two. Members keep their order and their text: a
/// [`serde_json::Value`] would round numbers to `f64`.
fn joined(first: String, second: &str) -> String {
    let ends = (first.strip_suffix("\n}"), second.strip_prefix('{').filter(|rest| *rest != "}"));
    match ends {
        (Some(first), Some(second)) => format!("{first},{second}"),
        _ => first,
    }
}

/// A figure of a report: null where it is infinite, NaN or above the range of `f64`. One below that
/// range is a number of JSON too, whose exponent readers may round to zero.
#[derive(Clone, Copy)]
pub(crate) struct Figure(pub(crate) Reading);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let near = self.0.to_f64();
        if !near.is_finite() {
            return to.serialize_none();
        }
        if near.is_normal() || self.0.significand == 0.0 {
            return to.serialize_f64(near);
        }
        let text = format!("{:.6e}", self.0);
        RawValue::from_string(text).map_err(ser::Error::custom)?.serialize(to)
    }
}

impl JsonSchema for Figure {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Figure".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "null"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Known {
        small: Figure,
        list: Vec<u32>,
    }

    /// A failure's object has the text of figures that `f64` would make zero.
    #[test]
    fn figures_of_failures_keep_their_text() {
        let small = Figure(Reading { significand: 0.5, exponent: -4000 });
        let known = serde_json::to_string_pretty(&Known { small, list: vec![1] }).unwrap();
        let failed = serde_json::to_string_pretty(&Failed { error: "why", exit_code: 1 }).unwrap();
        let text = joined(failed.clone(), &known);
        let keys = ["{\n  \"error\": \"why\",\n  \"exit_code\": 1,\n  \"small\": ", "e-1205,\n"];
        assert!(text.starts_with(keys[0]) && text.contains(keys[1]), "{text}");
        assert!(text.ends_with("  \"list\": [\n    1\n  ]\n}"), "{text}");
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
        assert_eq!(joined(failed.clone(), "{}"), failed);
    }
}
