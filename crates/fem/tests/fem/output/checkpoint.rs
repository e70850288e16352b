//! Checkpoints come back as they were, or not at all.

use std::fs;
use std::path::Path;

use nonius_fem::output::checkpoint::{
    Array, Checkpoint, CheckpointError, Fingerprint, Reader, Scalar, Type,
};

use crate::output::models::number;

const MODEL: Fingerprint = [7; 32];

fn small() -> Checkpoint<'static> {
    let mut checkpoint = Checkpoint::default();
    checkpoint.number("time", 1.5e-3);
    checkpoint.integer("step", u64::MAX);
    checkpoint.array("velocités", vec![0.1, -0.0, f64::INFINITY, 5e-324]);
    checkpoint.array("singles", vec![1.0_f32, f32::MIN_POSITIVE, -3.5]);
    checkpoint.array("labels", vec![1_u64, u64::MAX]);
    checkpoint.array("colours", vec![3_u32]);
    checkpoint.array("nothing", Vec::<f64>::new());
    checkpoint
}

fn read(path: &Path) -> Result<Checkpoint<'static>, CheckpointError> {
    Checkpoint::read(path, &MODEL)
}

#[test]
fn everything_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    for checkpoint in [small(), Checkpoint::default()] {
        checkpoint.write(&path, &MODEL).unwrap();
        assert_eq!(read(&path).unwrap(), checkpoint);
    }
    // Whatever the bits of a number that is not one.
    let bits = [0x7ff8_0000_0000_0001, 0xfff0_0000_0000_0123_u64];
    let mut checkpoint = Checkpoint::default();
    checkpoint.array("a", bits.map(f64::from_bits).to_vec());
    checkpoint.write(&path, &MODEL).unwrap();
    let found: Vec<f64> = read(&path).unwrap().take("a").unwrap();
    assert_eq!([found[0].to_bits(), found[1].to_bits()], bits);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Lengths around that of the buffer.
#[test]
fn long_arrays_are_borrowed_and_come_back_where_they_belong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    let mut seed = 1;
    for length in [(1 << 17) - 1, 1 << 17, (1 << 17) + 1, 700_000] {
        let vectors: Vec<[f64; 3]> =
            (0..length).map(|_| [0; 3].map(|_| number(&mut seed))).collect();
        let singles: Vec<f32> = vectors.iter().map(|v| v[0] as f32).collect();
        let mut checkpoint = Checkpoint::default();
        checkpoint.array("vectors", vectors.as_flattened());
        checkpoint.array("singles", &singles[..]);
        checkpoint.write(&path, &MODEL).unwrap();
        let mut reader = Reader::open(&path, &MODEL).unwrap();
        let listed: Vec<_> = reader.arrays().collect();
        let length = length as u64;
        assert_eq!(listed, [("singles", Type::F32, length), ("vectors", Type::F64, 3 * length)]);
        let mut found = vec![[f64::NAN; 3]; vectors.len()];
        reader.read_into("vectors", found.as_flattened_mut()).unwrap();
        assert!(found == vectors);
        assert!(reader.read::<f32>("singles").unwrap() == singles);
    }
}

#[test]
fn what_is_asked_for_has_to_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    small().write(&path, &MODEL).unwrap();
    let mut checkpoint = read(&path).unwrap();
    assert_eq!(checkpoint.get_number("time").unwrap(), 1.5e-3);
    assert_eq!(checkpoint.get_integer("step").unwrap(), u64::MAX);
    assert!(matches!(checkpoint.get_number("step"), Err(CheckpointError::WrongType { .. })));
    assert!(matches!(checkpoint.get_integer("time"), Err(CheckpointError::WrongType { .. })));
    assert!(matches!(checkpoint.get_integer("x"), Err(CheckpointError::Missing { .. })));
    let found = checkpoint.take::<u32>("labels");
    assert!(matches!(
        found,
        Err(CheckpointError::WrongType { expected: Type::U32, found: Type::U64, .. })
    ));
    assert_eq!(checkpoint.take::<u64>("labels").unwrap(), [1, u64::MAX]);
    assert!(matches!(checkpoint.take::<u64>("labels"), Err(CheckpointError::Missing { .. })));
    assert_eq!(checkpoint.arrays["colours"], Array::from(vec![3_u32]));

    let mut reader = Reader::open(&path, &MODEL).unwrap();
    assert_eq!(reader.scalars()["time"], Scalar::Number(1.5e-3));
    let found = reader.read_into("labels", &mut [0_u64; 3]);
    assert!(matches!(found, Err(CheckpointError::Length { expected: 3, found: 2, .. })));
    let found = reader.read::<f64>("labels");
    assert!(matches!(found, Err(CheckpointError::WrongType { .. })));
    assert!(matches!(reader.read::<f64>("x"), Err(CheckpointError::Missing { .. })));
}

#[test]
fn other_models_versions_and_files_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    assert!(matches!(read(&path), Err(CheckpointError::File(_))));
    small().write(&path, &[8; 32]).unwrap();
    assert!(matches!(read(&path), Err(CheckpointError::OtherModel { .. })));
    small().write(&path, &MODEL).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut newer = whole.clone();
    newer[8] = 2;
    fs::write(&path, &newer).unwrap();
    assert!(matches!(read(&path), Err(CheckpointError::Newer { version: 2, .. })));
    fs::write(&path, b"time,step\n0,1\n").unwrap();
    assert!(matches!(read(&path), Err(CheckpointError::NotOne { .. })));
    fs::write(&path, [&whole[..], &[0]].concat()).unwrap();
    assert!(matches!(read(&path), Err(CheckpointError::Damaged { .. })));
}

#[test]
fn every_file_that_is_cut_off_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    small().write(&path, &MODEL).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(read(&path), Err(CheckpointError::Truncated { .. })), "{length}");
    }
}

#[test]
fn every_bit_that_is_flipped_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    small().write(&path, &MODEL).unwrap();
    let whole = fs::read(&path).unwrap();
    for place in 0..whole.len() {
        for flip in [0xff, 1, 0x80, 0x10] {
            let mut bytes = whole.clone();
            bytes[place] ^= flip;
            fs::write(&path, &bytes).unwrap();
            assert!(read(&path).is_err(), "{place}");
        }
    }
}
