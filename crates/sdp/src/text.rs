//! Numbers as text.

use nonius_linalg::sparse::matrix_market::Entry;

/// The shortest decimal that is read as the same number.
pub(crate) fn text<T: Entry>(x: &T) -> String {
    let mut text = Vec::new();
    x.print(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
