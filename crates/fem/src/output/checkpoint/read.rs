//! Reading a checkpoint.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use super::array::{Array, Element, Type};
use super::contents::Checkpoint;
use super::error::CheckpointError;
use super::format::{BUFFER, Fingerprint, VERSION};
use super::index::{self, CHECKSUM, Index, MAGIC, PREAMBLE};
use super::scalar::{Scalar, integer, number};
use nonius_files::file::FileProblem;

/// A file that is open, whose arrays can be read one by one to where they belong.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    file: File,
    index: Index,
    /// Where arrays begin.
    places: Vec<u64>,
}

impl Reader {
    /// Opens a file that was written with the same fingerprint, and reads its numbers.
    pub fn open(path: &Path, fingerprint: &Fingerprint) -> Result<Self, CheckpointError> {
        let failed = |error| failed(path, error);
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let path = path.to_path_buf();
        let truncated = || CheckpointError::Truncated { path: path.clone() };
        let damaged = || CheckpointError::Damaged { path: path.clone(), array: None };

        let mut head = Vec::with_capacity(PREAMBLE);
        file.by_ref().take(PREAMBLE as u64).read_to_end(&mut head).map_err(failed)?;
        let magic = &head[..head.len().min(MAGIC.len())];
        if !MAGIC.starts_with(magic) {
            return Err(CheckpointError::NotOne { path });
        }
        let Some((magic_version, size)) = head.split_last_chunk::<8>() else {
            return Err(truncated());
        };
        if head.len() < PREAMBLE {
            return Err(truncated());
        }
        let version = magic_version.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if version > VERSION {
            return Err(CheckpointError::Newer { path, version });
        }
        // All that follows is bounded by the file's length before memory is taken for it.
        let size = u64::from_le_bytes(*size);
        let rest = length.saturating_sub((PREAMBLE + CHECKSUM) as u64);
        if size > rest {
            return Err(truncated());
        }
        file.by_ref().take(size + CHECKSUM as u64).read_to_end(&mut head).map_err(failed)?;
        if head.len() as u64 != PREAMBLE as u64 + size + CHECKSUM as u64 {
            return Err(truncated());
        }
        let Some((bytes, checksum)) = head.split_last_chunk::<CHECKSUM>() else {
            return Err(truncated());
        };
        if crc32fast::hash(bytes) != u32::from_le_bytes(*checksum) {
            return Err(damaged());
        }
        let index = index::decode(&bytes[PREAMBLE..]).ok_or_else(damaged)?;
        if index.fingerprint != *fingerprint {
            return Err(CheckpointError::OtherModel { path });
        }
        let mut end = head.len() as u64;
        let mut places = Vec::with_capacity(index.arrays.len());
        for entry in &index.arrays {
            places.push(end);
            end = index::bytes_of(entry)
                .and_then(|bytes| end.checked_add(bytes))
                .ok_or_else(damaged)?;
        }
        match end.cmp(&length) {
            std::cmp::Ordering::Greater => Err(truncated()),
            std::cmp::Ordering::Less => Err(damaged()),
            std::cmp::Ordering::Equal => Ok(Self { path, file, index, places }),
        }
    }

    /// Its numbers.
    pub fn scalars(&self) -> &BTreeMap<String, Scalar> {
        &self.index.scalars
    }

    /// A number.
    pub fn get_number(&self, name: &str) -> Result<f64, CheckpointError> {
        number(&self.index.scalars, name)
    }

    /// A whole number.
    pub fn get_integer(&self, name: &str) -> Result<u64, CheckpointError> {
        integer(&self.index.scalars, name)
    }

    /// Names, types and lengths of its arrays.
    pub fn arrays(&self) -> impl ExactSizeIterator<Item = (&str, Type, u64)> {
        self.index.arrays.iter().map(|entry| (entry.name.as_str(), entry.kind, entry.length))
    }

    /// Reads an array to where it belongs, which has its length. What is there after an error is of
    /// no use.
    pub fn read_into<T: Element>(
        &mut self,
        name: &str,
        numbers: &mut [T],
    ) -> Result<(), CheckpointError> {
        let length = self.seek::<T>(name)?;
        if length != numbers.len() as u64 {
            let (name, expected) = (name.to_owned(), numbers.len());
            return Err(CheckpointError::Length { name, expected, found: length });
        }
        let size = T::TYPE.bytes();
        let mut buffer = vec![0; BUFFER.min(numbers.len() * size)];
        let mut hasher = Hasher::new();
        for part in numbers.chunks_mut(BUFFER / size) {
            let bytes = &mut buffer[..part.len() * size];
            self.file.read_exact(bytes).map_err(|error| failed(&self.path, error))?;
            hasher.update(bytes);
            T::get(part, bytes);
        }
        let mut checksum = [0; CHECKSUM];
        self.file.read_exact(&mut checksum).map_err(|error| failed(&self.path, error))?;
        if hasher.finalize() == u32::from_le_bytes(checksum) {
            return Ok(());
        }
        Err(CheckpointError::Damaged { path: self.path.clone(), array: Some(name.to_owned()) })
    }

    /// Reads an array.
    pub fn read<T: Element>(&mut self, name: &str) -> Result<Vec<T>, CheckpointError> {
        let length = self.seek::<T>(name)?;
        let mut numbers = Vec::new();
        let reserved =
            usize::try_from(length).is_ok_and(|length| numbers.try_reserve_exact(length).is_ok());
        if !reserved {
            return Err(CheckpointError::Memory { name: name.to_owned() });
        }
        numbers.resize(length as usize, T::default());
        self.read_into(name, &mut numbers)?;
        Ok(numbers)
    }

    /// Reads everything.
    pub fn read_all(mut self) -> Result<Checkpoint<'static>, CheckpointError> {
        let entries = self.index.arrays.clone();
        let mut arrays = BTreeMap::new();
        for entry in entries {
            let array: Array<'static> = match entry.kind {
                Type::F64 => self.read::<f64>(&entry.name)?.into(),
                Type::F32 => self.read::<f32>(&entry.name)?.into(),
                Type::U64 => self.read::<u64>(&entry.name)?.into(),
                Type::U32 => self.read::<u32>(&entry.name)?.into(),
            };
            arrays.insert(entry.name, array);
        }
        Ok(Checkpoint { scalars: self.index.scalars, arrays })
    }

    /// Goes to where an array begins. Returns its length.
    fn seek<T: Element>(&mut self, name: &str) -> Result<u64, CheckpointError> {
        let entries = self.index.arrays.iter().zip(&self.places);
        let Some((entry, &place)) = entries.into_iter().find(|(entry, _)| entry.name == name)
        else {
            return Err(CheckpointError::Missing { name: name.to_owned() });
        };
        if entry.kind != T::TYPE {
            return Err(CheckpointError::wrong_type(name, T::TYPE, entry.kind));
        }
        self.file.seek(SeekFrom::Start(place)).map_err(|error| failed(&self.path, error))?;
        Ok(entry.length)
    }
}

fn failed(path: &Path, error: io::Error) -> CheckpointError {
    if error.kind() == ErrorKind::UnexpectedEof {
        return CheckpointError::Truncated { path: path.to_path_buf() };
    }
    FileProblem::Read(error).of(path).into()
}
