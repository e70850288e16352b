//! Files that are compressed.

use std::io::Read;

use nonius_files::packed::decompress;
use nonius_linalg::sparse::matrix_market::read;

use crate::check_message;

/// Bytes up to which a stream is unpacked.
const MOST_UNPACKED_BYTES: u64 = 1 << 22;

/// Bytes that may be compressed by gzip or xz, and a matrix in them.
pub fn packed(bytes: &[u8]) {
    let mut unpacked = Vec::new();
    let whole = decompress(bytes)
        .and_then(|input| input.take(MOST_UNPACKED_BYTES).read_to_end(&mut unpacked));
    match &whole {
        Ok(length) => assert_eq!(*length, unpacked.len()),
        Err(error) => check_message(error),
    }
    if unpacked.len() as u64 == MOST_UNPACKED_BYTES {
        return;
    }
    let Ok(input) = decompress(bytes) else { return };
    match read::<f64>(input) {
        // What is damaged behind the last entry does not pass either.
        Ok(_) => assert!(whole.is_ok(), "{whole:?}"),
        Err(error) => check_message(&error),
    }
}
