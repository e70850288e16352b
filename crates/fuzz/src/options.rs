//! Books of options, and files of volatilities.

use std::fmt::Debug;
use std::path::Path;

use nonius_linalg::Scalar;
use nonius_num::Dd;
use nonius_option::book::{self, BookError, Row};

use crate::scratch::with_file;
use crate::{check_finite, check_message};

/// A book of options.
pub fn book(bytes: &[u8]) {
    read_book::<f64>(bytes, Path::new("/no such folder"));
    read_book::<Dd>(bytes, Path::new("/no such folder"));
}

/// A file of volatilities that a book names.
pub fn surface(bytes: &[u8]) {
    const BOOK: &[u8] = b"type,spot,strike,rate,volatility,maturity\n\
        call,100,100,0.03,surface:surface.csv,1\nput,100,90,0.03,surface:surface.csv,1\n";
    with_file("surface.csv", bytes, |folder| read_book::<f64>(BOOK, folder));
}

/// A book of quotes.
pub fn quotes(bytes: &[u8]) {
    check_rows(book::read_quotes::<f64>((), bytes));
    check_rows(book::read_quotes::<Dd>((), bytes));
}

fn read_book<T: Scalar>(bytes: &[u8], folder: &Path) {
    check_rows(book::read::<T>((), bytes, folder));
}

fn check_rows<C: Debug>(read: Result<Vec<Row<C>>, BookError>) {
    let rows = match read {
        Ok(rows) => rows,
        Err(error) => return check_message(&error),
    };
    let mut last = 0;
    for row in rows {
        assert!(row.line > last, "line {} after {last}", row.line);
        last = row.line;
        match row.found {
            Ok(found) => check_finite(&found),
            Err(error) => {
                assert_eq!(error.row, row.line);
                check_message(&error);
            }
        }
    }
}
