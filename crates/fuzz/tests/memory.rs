//! Memory that a read takes: a constant, and a multiple of the input's bytes.

use std::sync::Mutex;

use nonius_fuzz::{TARGETS, Target};
use nonius_testkit::{mutated, random_cases};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Cases of a reader in a commit.
const CASES: u64 = 500;

/// Counts are those of the process: one read at a time.
static READING: Mutex<()> = Mutex::new(());

fn check(target: &Target, bytes: &[u8]) {
    let _alone = READING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    (target.read)(bytes);
    let taken = ALLOCATOR.peak_usage().saturating_sub(before);
    let most = target.base + target.per_byte * bytes.len();
    let (name, length) = (target.name, bytes.len());
    assert!(taken <= most, "{name}: {taken} bytes of memory for {length} bytes of input");
}

#[test]
fn random_files_take_memory_in_proportion_to_their_bytes() {
    for target in TARGETS {
        let files = target.corpus();
        files.iter().for_each(|file| check(target, file));
        random_cases(&format!("memory of {}", target.name), CASES, |random| {
            let [file, other] = [0; 2].map(|_| &files[random.below(files.len())]);
            check(target, &mutated(random, file, other));
        });
    }
}
