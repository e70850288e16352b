//! Prices by other means than the crate's, with nothing of its code.

pub(crate) mod american;
pub(crate) mod closed;
pub(crate) mod dates;
pub(crate) mod legendre;
pub(crate) mod normal;
