//! What an input says that nothing depends on.

use core::fmt;
use std::path::PathBuf;

use nonius_files::text::{excerpt, printable};

/// Something that was read past, because results do not depend on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ignored {
    /// The file.
    pub file: PathBuf,
    /// The line.
    pub line: u64,
    /// What.
    pub matter: Matter,
}

/// What was read past.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Matter {
    /// A keyword.
    Keyword(String),
    /// A parameter.
    Parameter {
        /// Of which keyword.
        keyword: String,
        /// Which.
        name: String,
    },
    /// Elements of fewer dimensions than the others, which only name nodes and faces.
    Elements {
        /// Their type.
        name: String,
    },
    /// An axis along which nothing moves.
    Axis {
        /// Which, from 1.
        axis: u64,
    },
    /// A material of nothing.
    Material {
        /// Which.
        name: String,
    },
}

impl fmt::Display for Matter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Matter::Keyword(name) => write!(f, "*{} is ignored", excerpt(name)),
            Matter::Parameter { keyword, name } => {
                write!(f, "*{}: {} is ignored", excerpt(keyword), excerpt(name))
            }
            Matter::Elements { name } => {
                write!(f, "elements of type {name} are ignored; they only name nodes and faces")
            }
            Matter::Axis { axis } => {
                write!(f, "degree of freedom {axis} is ignored; the elements do not have it")
            }
            Matter::Material { name } => {
                write!(f, "the material {} is ignored; nothing is made of it", excerpt(name))
            }
        }
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.to_string_lossy();
        write!(f, "{}:{}: {}", printable(&file), self.line, self.matter)
    }
}
