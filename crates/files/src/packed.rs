//! Files that may be compressed.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

/// Memory that decompressing may take, in KiB: what the highest preset of `xz` needs, twice over.
const XZ_MEMORY: u32 = 128 << 10;

/// The bytes of a stream, unpacked where its first bytes are those of gzip or xz.
///
/// # Errors
/// Of the stream.
pub fn decompress<'a>(mut input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    const GZIP: &[u8] = b"\x1f\x8b";
    const XZ: &[u8] = b"\xfd7zXZ\0";
    let mut first = Vec::with_capacity(XZ.len());
    input.by_ref().take(XZ.len() as u64).read_to_end(&mut first)?;
    let gzip = first.starts_with(GZIP);
    let xz = first.starts_with(XZ);
    let whole = Cursor::new(first).chain(input);
    Ok(if gzip {
        Box::new(MultiGzDecoder::new(BufReader::new(whole)))
    } else if xz {
        Box::new(XzReader::new_mem_limit(BufReader::new(whole), true, XZ_MEMORY))
    } else {
        Box::new(whole)
    })
}

/// A file, unpacked.
///
/// # Errors
/// Of the file.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    decompress(File::open(path)?)
}

/// A name without the ending that compression has added.
pub fn unpacked(path: &Path) -> &Path {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(last) if ["gz", "xz"].iter().any(|packed| last.eq_ignore_ascii_case(packed)) => {
            path.file_stem().map_or(path, Path::new)
        }
        _ => path,
    }
}
