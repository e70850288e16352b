//! Numbers as VTK appends them to a file: their size in bytes, then the bytes; or sizes of
//! compressed blocks, then those.

use std::io::{self, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::encoding::Encoding;
use nonius_linalg::threads::{Grain, map};

/// Bytes of a compressed block before compression.
const BLOCK: usize = 1 << 18;
/// Bytes that are kept before they are written.
const BUFFER: usize = 32 * BLOCK;

/// Where arrays are appended one after the other.
pub(super) struct Sink<'a, W> {
    out: &'a mut W,
    encoding: Encoding,
    /// Bytes of the array that are not written yet.
    buffer: Vec<u8>,
    /// Bytes of the array until now.
    length: u64,
    /// Sizes of the array's blocks.
    sizes: Vec<u64>,
}

impl<'a, W: Write + Seek> Sink<'a, W> {
    pub(super) fn new(out: &'a mut W, encoding: Encoding) -> Self {
        Self { out, encoding, buffer: Vec::with_capacity(BUFFER), length: 0, sizes: Vec::new() }
    }

    /// Appends an array of `bytes` bytes, which `contents` writes. Returns where it begins in the
    /// file.
    pub(super) fn array(
        &mut self,
        bytes: u64,
        contents: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<u64> {
        let begin = self.out.stream_position()?;
        (self.length, self.sizes) = (0, Vec::new());
        let header = if self.encoding.compressed {
            24 + 8 * bytes.div_ceil(BLOCK as u64) as usize
        } else {
            8
        };
        self.out.write_all(&vec![0; header])?;
        contents(self)?;
        self.flush(true)?;
        let head: Vec<u64> = if self.encoding.compressed {
            let block = BLOCK as u64;
            [self.sizes.len() as u64, block, self.length % block]
                .into_iter()
                .chain(self.sizes.iter().copied())
                .collect()
        } else {
            vec![self.length]
        };
        let head: Vec<u8> = head.into_iter().flat_map(u64::to_le_bytes).collect();
        if head.len() != header {
            return Err(io::Error::other("an array is not as long as was said"));
        }
        let end = self.out.stream_position()?;
        self.out.seek(SeekFrom::Start(begin))?;
        self.out.write_all(&head)?;
        self.out.seek(SeekFrom::Start(end))?;
        Ok(begin)
    }

    /// A number of coordinates or fields.
    pub(super) fn float(&mut self, x: f64) -> io::Result<()> {
        if self.encoding.single {
            self.bytes(&(x as f32).to_le_bytes())
        } else {
            self.bytes(&x.to_le_bytes())
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Numbers have sizes that divide the buffer's.
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER { self.flush(false) } else { Ok(()) }
    }

    /// Writes what is in the buffer; unless it is the last, this is a whole number of blocks.
    fn flush(&mut self, last: bool) -> io::Result<()> {
        debug_assert!(last || self.buffer.len().is_multiple_of(BLOCK));
        self.length += self.buffer.len() as u64;
        if self.encoding.compressed {
            let blocks: Vec<&[u8]> = self.buffer.chunks(BLOCK).collect();
            let blocks = map(blocks.len(), Grain::ANY, |i| compress(blocks[i]));
            for block in blocks.into_iter().collect::<io::Result<Vec<_>>>()? {
                self.sizes.push(block.len() as u64);
                self.out.write_all(&block)?;
            }
        } else {
            self.out.write_all(&self.buffer)?;
        }
        self.buffer.clear();
        Ok(())
    }
}

fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}
