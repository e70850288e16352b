//! What can be wrong with an input.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use nonius_files::room::NoRoom;
use nonius_files::text::{excerpt, printable};

use crate::model::Kind;

/// What is wrong with an input, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct InputError {
    /// The file.
    pub file: PathBuf,
    /// The line, where it is one.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with an input.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// A file that cannot be read.
    Read(io::ErrorKind),
    /// A file whose name does not end like that of an input.
    Extension,
    /// A file that includes itself, by way of others or not.
    Cycle,
    /// More files included than a deck may have.
    Includes,
    /// A keyword that results may depend on.
    Keyword {
        /// Which.
        name: String,
    },
    /// A keyword at a place where it cannot stand.
    Misplaced {
        /// Which.
        keyword: String,
        /// Where it can.
        needed: &'static str,
    },
    /// A parameter that results may depend on.
    Parameter {
        /// Of which keyword.
        keyword: String,
        /// Which.
        name: String,
    },
    /// A parameter that is needed.
    MissingParameter {
        /// By which keyword.
        keyword: String,
        /// Which.
        name: &'static str,
    },
    /// Something else than what is needed.
    Expected {
        /// What is needed.
        needed: &'static str,
        /// What there is; empty where there is nothing.
        found: String,
    },
    /// A name or a number of what is not there.
    Undefined {
        /// Of what.
        item: Item,
        /// Which.
        name: String,
    },
    /// A name or a number that two have.
    Repeated {
        /// Two what.
        item: Item,
        /// Which.
        name: String,
    },
    /// A number outside the range of what it says.
    Range {
        /// What it says.
        quantity: &'static str,
        /// The number.
        value: f64,
        /// The range.
        needed: &'static str,
    },
    /// A table whose first column does not increase.
    Table {
        /// Of what.
        what: &'static str,
    },
    /// A type of elements that is not supported.
    ElementType {
        /// Which.
        name: String,
    },
    /// An element that is made of nothing.
    NoSection {
        /// Its number.
        element: u64,
    },
    /// An element that is made of two materials.
    TwoSections {
        /// Its number.
        element: u64,
    },
    /// A node without mass that has what moves masses.
    Massless {
        /// Its number.
        node: u64,
        /// What it has.
        has: &'static str,
    },
    /// Elements that do not go together: solid, plane and axisymmetric ones.
    MixedElements,
    /// A material that lacks something.
    Material {
        /// Which.
        name: String,
        /// What it lacks.
        lacks: &'static str,
    },
    /// Something that the model needs.
    Missing {
        /// What.
        what: &'static str,
    },
    /// More nodes or elements than can be numbered.
    Size,
    /// More than memory takes.
    Room(Box<NoRoom>),
    /// A text that is not TOML, or not that of a model.
    Toml {
        /// What its reader says.
        message: String,
    },
}

/// What has a name or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Item {
    /// A node.
    Node,
    /// An element.
    Element,
    /// A node, or nodes by name.
    Nodes,
    /// An element, or elements by name.
    Elements,
    /// Faces by name.
    Surface,
    /// A material.
    Material,
    /// A function of time.
    Amplitude,
    /// A part.
    Part,
    /// An instance of a part.
    Instance,
    /// A physical group of a mesh.
    Group,
    /// A face of an element.
    Face,
    /// A parameter of a keyword.
    Parameter,
}

impl Item {
    fn name(self) -> &'static str {
        match self {
            Item::Node => "node",
            Item::Element => "element",
            Item::Nodes => "node or set of nodes",
            Item::Elements => "element or set of elements",
            Item::Surface => "surface",
            Item::Material => "material",
            Item::Amplitude => "amplitude",
            Item::Part => "part",
            Item::Instance => "instance",
            Item::Group => "physical group",
            Item::Face => "element with the face",
            Item::Parameter => "parameter",
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Read(kind) => write!(f, "the file cannot be read: {kind}"),
            Problem::Extension => f.write_str("the file's name ends neither in .inp nor in .toml"),
            Problem::Cycle => f.write_str("the file includes itself"),
            Problem::Includes => f.write_str("too many files are included"),
            Problem::Keyword { name } => {
                let name = excerpt(name);
                write!(f, "*{name} is not supported, and results may depend on it")
            }
            Problem::Misplaced { keyword, needed } => {
                write!(f, "*{} cannot stand here: expected {needed}", excerpt(keyword))
            }
            Problem::Parameter { keyword, name } => {
                let (keyword, name) = (excerpt(keyword), excerpt(name));
                write!(f, "*{keyword}: {name} is not supported, and results may depend on it")
            }
            Problem::MissingParameter { keyword, name } => {
                write!(f, "*{}: expected the parameter {name}", excerpt(keyword))
            }
            Problem::Expected { needed, found } if found.is_empty() => {
                write!(f, "expected {needed}, found nothing")
            }
            Problem::Expected { needed, found } => {
                write!(f, "expected {needed}, found {}", excerpt(found))
            }
            Problem::Undefined { item, name } => {
                write!(f, "there is no {item} {}", excerpt(name))
            }
            Problem::Repeated { item, name } => {
                write!(f, "the {item} {} is there twice", excerpt(name))
            }
            Problem::Range { quantity, value, needed } => {
                write!(f, "the {quantity} is {value}: expected a number {needed}")
            }
            Problem::Table { what } => write!(f, "the {what} do not increase"),
            Problem::ElementType { name } => {
                let names = Kind::ALL.map(Kind::name).join(", ");
                let name = excerpt(name);
                write!(f, "elements of type {name} are not supported; types are {names}")
            }
            Problem::NoSection { element } => {
                write!(f, "nothing says what the element {element} is made of")
            }
            Problem::TwoSections { element } => {
                write!(f, "what the element {element} is made of is said twice")
            }
            Problem::Massless { node, has } => {
                write!(f, "the node {node} has {has}, but no mass: no element has the node")
            }
            Problem::MixedElements => {
                f.write_str("solid, plane and axisymmetric elements do not go together")
            }
            Problem::Material { name, lacks } => {
                write!(f, "the material {} has no {lacks}", excerpt(name))
            }
            Problem::Missing { what } => write!(f, "there is no {what}"),
            Problem::Size => f.write_str("there are more nodes or elements than can be numbered"),
            Problem::Room(room) => room.fmt(f),
            Problem::Toml { message } => f.write_str(&message_of_toml(message)),
        }
    }
}

/// What a reader of TOML says: keys of the file, which may be long, and names of our own behind
/// them.
fn message_of_toml(message: &str) -> String {
    const LONGEST: usize = 600;
    match message.char_indices().nth(LONGEST) {
        None => printable(message).into_owned(),
        Some(_) => excerpt(message).into_owned(),
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.to_string_lossy();
        let file = printable(&file);
        match self.line {
            Some(line) => write!(f, "{file}:{line}: {}", self.problem),
            None => write!(f, "{file}: {}", self.problem),
        }
    }
}

impl core::error::Error for InputError {}

impl InputError {
    /// Of a file that cannot be read.
    pub(super) fn unreadable(file: &Path, error: &io::Error) -> Self {
        Self { file: file.to_path_buf(), line: None, problem: Problem::Read(error.kind()) }
    }
}

/// A line of a file, by the file's place in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct At {
    pub(super) file: u32,
    /// From 1; 0 where no line is to blame.
    pub(super) line: u32,
}

/// A problem and its line, before the file's name is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) at: At,
    pub(super) problem: Problem,
}

pub(super) type Found<T> = Result<T, Fault>;

impl At {
    pub(super) fn fault(self, problem: Problem) -> Fault {
        Fault { at: self, problem }
    }

    pub(super) fn expected<T>(self, needed: &'static str, found: impl Into<String>) -> Found<T> {
        Err(self.fault(Problem::Expected { needed, found: found.into() }))
    }

    pub(super) fn undefined(self, item: Item, name: impl fmt::Display) -> Fault {
        self.fault(Problem::Undefined { item, name: name.to_string() })
    }

    pub(super) fn repeated(self, item: Item, name: impl fmt::Display) -> Fault {
        self.fault(Problem::Repeated { item, name: name.to_string() })
    }
}

impl Fault {
    /// With the name of the file among `files`.
    pub(super) fn named<'a>(self, mut files: impl Iterator<Item = &'a Path>) -> InputError {
        let file = files.nth(self.at.file as usize).unwrap_or(Path::new("")).to_path_buf();
        let line = Some(u64::from(self.at.line)).filter(|&line| line > 0);
        InputError { file, line, problem: self.problem }
    }
}
