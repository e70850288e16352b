//! The last line of a file that says of all before it how long it is and what its CRC-32 is.
//!
//! A file that was cut short has no such line. A CRC-32 differs after any change of up to 32 bits
//! in a row, and after all but one in `2^32` of other changes.
//!
//! ```
//! use std::io::Write;
//!
//! use nonius_sdp::seal::{Sealing, check};
//!
//! let mut file = Vec::new();
//! let mut out = Sealing::new(&mut file);
//! writeln!(out, "1 2 3")?;
//! out.seal()?;
//! assert!(check(&file).is_ok());
//! file[0] = b'7';
//! assert!(check(&file).is_err());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, Write};

use crc32fast::Hasher;

use crate::input::{Fault, ReadError};

/// How the last line begins: a remark, as readers of points know them.
const LABEL: &str = "* sealed: ";

/// An output that writes a seal in the end.
#[expect(missing_debug_implementations, reason = "an output")]
pub struct Sealing<W> {
    out: W,
    hash: Hasher,
    bytes: u64,
}

impl<W: Write> Sealing<W> {
    /// An output to which nothing was written.
    pub fn new(out: W) -> Self {
        Self { out, hash: Hasher::new(), bytes: 0 }
    }

    /// Writes the seal of all that was written.
    ///
    /// # Errors
    /// Those of the output.
    pub fn seal(self) -> io::Result<()> {
        let Self { mut out, hash, bytes } = self;
        out.write_all(line(bytes, hash.finalize()).as_bytes())
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hash.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn line(bytes: u64, checksum: u32) -> String {
    format!("{LABEL}{bytes} bytes, CRC-32 {checksum:08x}\n")
}

/// Whether the last line is a seal, broken or not.
pub fn is_sealed(file: &[u8]) -> bool {
    file[last_line(file)..].starts_with(LABEL.as_bytes())
}

/// Refuses a file of which the last line is not the seal of all before.
///
/// # Errors
/// [`Fault::Unsealed`] where there is no such line, [`Fault::Damaged`] where it says otherwise.
pub fn check(file: &[u8]) -> Result<(), ReadError> {
    let at = last_line(file);
    let count = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let fault = |fault| ReadError { line: count(&file[..at]) + 1, fault };
    let (before, seal) = file.split_at(at);
    if !seal.starts_with(LABEL.as_bytes()) || !seal.ends_with(b"\n") {
        return Err(fault(Fault::Unsealed));
    }
    if seal == line(before.len() as u64, crc32fast::hash(before)).as_bytes() {
        Ok(())
    } else {
        Err(fault(Fault::Damaged))
    }
}

/// Where the last line begins.
fn last_line(file: &[u8]) -> usize {
    let lines = file.strip_suffix(b"\n").unwrap_or(file);
    lines.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(text: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut out = Sealing::new(&mut file);
        out.write_all(text).unwrap();
        out.seal().unwrap();
        file
    }

    #[test]
    fn every_cut_and_every_bit_is_seen() {
        for text in [&b""[..], b"\n", b"1 2 3\n4 5 6\n"] {
            let file = sealed(text);
            assert!(check(&file).is_ok() && is_sealed(&file));
            for length in 0..file.len() {
                assert!(check(&file[..length]).is_err(), "{length}");
            }
            for bit in 0..8 * file.len() {
                let mut file = file.clone();
                file[bit / 8] ^= 1 << (bit % 8);
                assert!(check(&file).is_err(), "bit {bit}");
            }
            assert!(check(&[&file[..], b"\n"].concat()).is_err());
            assert!(check(&[&file[..], &file[..]].concat()).is_err());
        }
        assert!(!is_sealed(b"") && !is_sealed(b"1\n* 2\n"));
    }
}
