//! What the facade alone reads: NumPy's arrays, checkpoints of semidefinite programs, rules.

use std::io::Write;
use std::path::Path;

use nonius::tridiag::{Form, Number, Systems, read_arrays_from};
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp};
use nonius_sdp::seal::Sealing;
use nonius_sdp::{Checkpoint, Fingerprint};

use crate::check_message;
use crate::programs::PROBLEM;

/// Arrays of NumPy: the same one four times.
pub fn arrays(bytes: &[u8]) {
    read_array::<f64>((), bytes);
    read_array::<Dd>((), bytes);
    read_array::<f32>((), bytes);
    read_array::<Mp>(Bits::FEWEST, bytes);
}

fn read_array<T: Number>(format: T::Format, bytes: &[u8]) {
    let input = || (Path::new("a.npy"), bytes);
    match read_arrays_from::<T>(format, [input(), input(), input(), input()]) {
        Ok(Systems { systems, size, matrix, right, .. }) => {
            let count = systems.checked_mul(size).expect("as many numbers as there are");
            assert!(matrix.iter().chain([&right]).all(|numbers| numbers.len() == count));
            // A text of one byte is the shortest number.
            assert!(count <= bytes.len(), "{count} numbers of {} bytes", bytes.len());
        }
        Err(error) => check_message(&error),
    }
}

/// A rule for the coefficients of tridiagonal systems.
pub fn form(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Form>() {
        Ok(form) => assert_eq!(form.to_string(), text),
        Err(error) => check_message(&error),
    }
}

/// A checkpoint, as it is and with a seal that belongs to it, so that damage is read.
pub fn sdp_checkpoint(bytes: &[u8]) {
    read_checkpoint(bytes);
    read_checkpoint(&sealed(bytes));
}

/// The bytes and their seal.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut out = Sealing::new(&mut file);
    out.write_all(bytes).and_then(|()| out.seal()).expect("memory takes it");
    file
}

fn read_checkpoint(bytes: &[u8]) {
    let checkpoint = match Checkpoint::read(bytes, &PROBLEM) {
        Ok(checkpoint) => checkpoint,
        Err(error) => return check_message(&error),
    };
    let fingerprint = Fingerprint::of(&PROBLEM);
    let write = |checkpoint: &Checkpoint| {
        let mut text = Vec::new();
        checkpoint.write(&mut text, &fingerprint).expect("memory takes it");
        text
    };
    let text = write(&checkpoint);
    let again = Checkpoint::read(&*text, &PROBLEM).expect("what was written is read");
    assert_eq!(write(&again), text);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corpus has checkpoints of this problem.
    #[test]
    fn the_corpus_has_a_checkpoint_of_the_problem() {
        let bytes = include_bytes!("../corpus/sdp_checkpoint/small");
        let read = Checkpoint::read(&*sealed(bytes), &PROBLEM);
        assert!(read.is_ok(), "{read:?}: {}", Fingerprint::of(&PROBLEM));
    }
}
