//! Writing a checkpoint.

use std::fs::File;
use std::io::{self, Write};

use crc32fast::Hasher;

use super::array::{Array, Element};
use super::contents::Checkpoint;
use super::format::{BUFFER, Fingerprint, VERSION};
use super::index::{self, MAGIC};

pub(super) fn write(
    out: &mut File,
    checkpoint: &Checkpoint<'_>,
    fingerprint: &Fingerprint,
) -> io::Result<()> {
    let index = index::encode(checkpoint, fingerprint);
    let mut head = MAGIC.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend((index.len() as u64).to_le_bytes());
    head.extend(index);
    head.extend(crc32fast::hash(&head).to_le_bytes());
    out.write_all(&head)?;
    let mut buffer = vec![0; BUFFER];
    for array in checkpoint.arrays.values() {
        match array {
            Array::F64(numbers) => write_array(out, numbers, &mut buffer)?,
            Array::F32(numbers) => write_array(out, numbers, &mut buffer)?,
            Array::U64(numbers) => write_array(out, numbers, &mut buffer)?,
            Array::U32(numbers) => write_array(out, numbers, &mut buffer)?,
        }
    }
    Ok(())
}

fn write_array<T: Element>(out: &mut File, numbers: &[T], buffer: &mut [u8]) -> io::Result<()> {
    let size = T::TYPE.bytes();
    let mut hasher = Hasher::new();
    for part in numbers.chunks(BUFFER / size) {
        let bytes = &mut buffer[..part.len() * size];
        T::put(part, bytes);
        hasher.update(bytes);
        out.write_all(bytes)?;
    }
    out.write_all(&hasher.finalize().to_le_bytes())
}
