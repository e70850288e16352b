//! What a file says of its contents.

use std::collections::{BTreeMap, BTreeSet};

use super::array::Type;
use super::contents::Checkpoint;
use super::format::Fingerprint;
use super::scalar::Scalar;

pub(super) const MAGIC: &[u8; 8] = b"NONIUSCK";
/// Bytes of what stands before the index: magic, version, length.
pub(super) const PREAMBLE: usize = 20;
/// Bytes of a checksum.
pub(super) const CHECKSUM: usize = 4;

/// An array of the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) kind: Type,
    /// How many numbers it has.
    pub(super) length: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Index {
    pub(super) fingerprint: Fingerprint,
    pub(super) scalars: BTreeMap<String, Scalar>,
    /// In the order of the file.
    pub(super) arrays: Vec<Entry>,
}

/// The index of a checkpoint in bytes.
pub(super) fn encode(checkpoint: &Checkpoint<'_>, fingerprint: &Fingerprint) -> Vec<u8> {
    let mut bytes = fingerprint.to_vec();
    put_count(&mut bytes, checkpoint.scalars.len());
    for (name, scalar) in &checkpoint.scalars {
        put_name(&mut bytes, name);
        let (kind, word) = match scalar {
            Scalar::Number(x) => (Type::F64, x.to_bits()),
            Scalar::Integer(x) => (Type::U64, *x),
        };
        bytes.push(kind.tag());
        bytes.extend(word.to_le_bytes());
    }
    put_count(&mut bytes, checkpoint.arrays.len());
    for (name, array) in &checkpoint.arrays {
        put_name(&mut bytes, name);
        bytes.push(array.element_type().tag());
        bytes.extend((array.len() as u64).to_le_bytes());
    }
    bytes
}

fn put_count(bytes: &mut Vec<u8>, count: usize) {
    // Nobody names 2^32 arrays.
    bytes.extend((count as u32).to_le_bytes());
}

fn put_name(bytes: &mut Vec<u8>, name: &str) {
    put_count(bytes, name.len());
    bytes.extend(name.as_bytes());
}

/// The index that bytes are, if they are one.
pub(super) fn decode(mut bytes: &[u8]) -> Option<Index> {
    let bytes = &mut bytes;
    let fingerprint = *take(bytes)?;
    let mut scalars = BTreeMap::new();
    for _ in 0..count(bytes)? {
        let (name, kind) = (name(bytes)?, kind(bytes)?);
        let word = u64::from_le_bytes(*take(bytes)?);
        let scalar = match kind {
            Type::F64 => Scalar::Number(f64::from_bits(word)),
            Type::U64 => Scalar::Integer(word),
            _ => return None,
        };
        if scalars.insert(name, scalar).is_some() {
            return None;
        }
    }
    let mut arrays = Vec::new();
    for _ in 0..count(bytes)? {
        let (name, kind) = (name(bytes)?, kind(bytes)?);
        arrays.push(Entry { name, kind, length: u64::from_le_bytes(*take(bytes)?) });
    }
    // A name stands for one array.
    let names: BTreeSet<&str> = arrays.iter().map(|entry: &Entry| entry.name.as_str()).collect();
    if names.len() < arrays.len() {
        return None;
    }
    bytes.is_empty().then_some(Index { fingerprint, scalars, arrays })
}

fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}

fn count(bytes: &mut &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*take(bytes)?)).ok()
}

fn name(bytes: &mut &[u8]) -> Option<String> {
    let length = count(bytes)?;
    let (name, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    String::from_utf8(name.to_vec()).ok()
}

fn kind(bytes: &mut &[u8]) -> Option<Type> {
    let [tag] = *take(bytes)?;
    Type::ALL.into_iter().find(|kind| kind.tag() == tag)
}

/// Bytes of an array and its checksum in the file.
pub(super) fn bytes_of(entry: &Entry) -> Option<u64> {
    entry.length.checked_mul(entry.kind.bytes() as u64)?.checked_add(CHECKSUM as u64)
}
