//! The ways to solve a system.

use core::fmt;
use core::str::FromStr;

/// How to solve a system.
///
/// ```
/// use nonius_linalg::dense::Method;
///
/// assert_eq!("gauss-jordan".parse(), Ok(Method::GaussJordan));
/// assert!("qr".parse::<Method>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Cholesky where the matrix is symmetric with a positive diagonal, unless it meets a pivot
    /// that is not positive; LU otherwise.
    #[default]
    Auto,
    /// Gauss–Jordan elimination with partial pivoting.
    GaussJordan,
    /// LU factorisation with partial pivoting.
    Lu,
    /// Cholesky factorisation, for symmetric positive definite matrices.
    Cholesky,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [Method::Auto, Method::GaussJordan, Method::Lu, Method::Cholesky];

    /// The spelling everywhere: `auto`, `gauss-jordan`, `lu`, `cholesky`.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::GaussJordan => "gauss-jordan",
            Method::Lu => "lu",
            Method::Cholesky => "cholesky",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no [`Method`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMethod(pub String);

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no method is called {:?}; known are", self.0)?;
        Method::ALL.iter().try_for_each(|method| write!(f, " {method}"))
    }
}

impl core::error::Error for UnknownMethod {}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, UnknownMethod> {
        let named = Method::ALL.into_iter().find(|method| method.name() == text);
        named.ok_or_else(|| UnknownMethod(text.to_owned()))
    }
}
