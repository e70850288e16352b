//! How formats and preconditioners are spelled.

use std::fmt;
use std::str::FromStr;

use super::options::{Preconditioning, SparseFormat};

/// A text that names no format or preconditioner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    text: String,
    expected: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown name `{}`: expected {}", self.text, self.expected)
    }
}

impl std::error::Error for UnknownName {}

impl SparseFormat {
    /// The spelling: `csr`, `ell`, `jad`, `dia`, `full`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csr => "csr",
            Self::Ell => "ell",
            Self::Jad => "jad",
            Self::Dia => "dia",
            Self::Full => "full",
        }
    }
}

impl FromStr for SparseFormat {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let all = [Self::Csr, Self::Ell, Self::Jad, Self::Dia, Self::Full];
        let expected = "csr, ell, jad, dia or full";
        let named = all.into_iter().find(|format| format.name() == text);
        named.ok_or_else(|| UnknownName { text: text.into(), expected })
    }
}

/// `none`, `jacobi`, `block-jacobi:16`, `ic0`
impl fmt::Display for Preconditioning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Jacobi => f.pad("jacobi"),
            Self::BlockJacobi(size) => f.pad(&format!("block-jacobi:{size}")),
            Self::IncompleteCholesky => f.pad("ic0"),
        }
    }
}

impl FromStr for Preconditioning {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let blocks = text.strip_prefix("block-jacobi:").and_then(|size| size.parse().ok());
        match (text, blocks) {
            ("none", _) => Ok(Self::None),
            ("jacobi", _) => Ok(Self::Jacobi),
            ("ic0", _) => Ok(Self::IncompleteCholesky),
            (_, Some(size)) if size > 0 => Ok(Self::BlockJacobi(size)),
            _ => Err(UnknownName {
                text: text.into(),
                expected: "none, jacobi, block-jacobi: followed by the rows of a block, or ic0",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        for text in ["csr", "ell", "jad", "dia", "full"] {
            assert_eq!(text.parse::<SparseFormat>().unwrap().name(), text);
        }
        for text in ["none", "jacobi", "block-jacobi:16", "ic0"] {
            assert_eq!(text.parse::<Preconditioning>().unwrap().to_string(), text);
        }
        for text in ["", "CSR", "coo"] {
            assert!(text.parse::<SparseFormat>().is_err());
        }
        for text in ["", "block-jacobi", "block-jacobi:0", "block-jacobi:x", "ilu"] {
            let error = text.parse::<Preconditioning>().unwrap_err();
            assert!(error.to_string().contains("block-jacobi: followed by"), "{error}");
        }
    }
}
