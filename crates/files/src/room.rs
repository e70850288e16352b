//! Memory and disk that a job needs, compared with what this machine has, before any of it is
//! taken.
//!
//! An allocation that fails ends the process, and one that the system grants on credit may end it
//! later. So whoever is about to take memory in proportion to a number that a user or a file names
//! states the bytes first. Bytes are `u128`: a product of three 32-bit sizes fits.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sysinfo::System;

/// Jobs below this many bytes are not compared with the machine's memory: asking takes longer than
/// they do.
const ALWAYS_THERE: u128 = 1 << 20;

/// A job needs more room than there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRoom {
    /// What needs the room, as a noun phrase: `the solution of 1000000 rows`.
    pub what: String,
    /// Bytes that it needs.
    pub needed: u128,
    /// Bytes that are free.
    pub free: u128,
    /// Where it needs them.
    pub place: Place,
}

/// Where room is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// This machine's memory.
    Memory,
    /// The file system that holds this folder.
    Disk(PathBuf),
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, needed, free) = (&self.what, bytes_text(self.needed), bytes_text(self.free));
        match &self.place {
            Place::Memory => write!(f, "{what}: {needed} of memory needed, {free} free"),
            Place::Disk(folder) => {
                write!(f, "{what}: {needed} of disk needed, {free} free in {}", folder.display())
            }
        }
    }
}

impl Error for NoRoom {}

/// Refuses what does not fit the free memory of this machine, or of the control group that the
/// process runs in.
pub fn check_memory(what: impl fmt::Display, needed: u128) -> Result<(), NoRoom> {
    if needed < ALWAYS_THERE {
        return Ok(());
    }
    compare(what, needed, free_memory(), Place::Memory)
}

/// Refuses what does not fit the free space of the file system that holds `folder`.
///
/// Where the system does not tell its free space, nothing is refused.
pub fn check_disk(what: impl fmt::Display, needed: u128, folder: &Path) -> Result<(), NoRoom> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match fs4::available_space(folder) {
        Ok(free) => compare(what, needed, free.into(), Place::Disk(folder.to_path_buf())),
        Err(_) => Ok(()),
    }
}

/// Memory that is taken piece by piece, by whoever does not know the end of it.
///
/// Free memory is asked for when what was taken has doubled, so that a piece costs nothing.
#[derive(Clone, Debug)]
pub struct Meter {
    what: &'static str,
    taken: u128,
    granted: u128,
}

impl Meter {
    /// Memory for `what`, a noun phrase, of which nothing is taken.
    pub fn new(what: &'static str) -> Self {
        Self { what, taken: 0, granted: ALWAYS_THERE }
    }

    /// Counts bytes that are about to be taken.
    ///
    /// # Errors
    /// [`NoRoom`] where so much is not free.
    pub fn take(&mut self, bytes: usize) -> Result<(), NoRoom> {
        self.take_from(bytes, free_memory)
    }

    fn take_from(&mut self, bytes: usize, free: impl FnOnce() -> u128) -> Result<(), NoRoom> {
        self.taken += bytes as u128;
        if self.taken > self.granted {
            // What was granted before is taken already.
            let more = (2 * self.taken).saturating_sub(self.granted);
            compare(self.what, more, free(), Place::Memory)?;
            self.granted += more;
        }
        Ok(())
    }
}

/// All bytes of an input, which grow as it is read.
///
/// # Errors
/// Of the input, and [`io::ErrorKind::OutOfMemory`] with [`NoRoom`] where its bytes are more than
/// are free.
pub fn read_whole(input: impl Read) -> io::Result<Vec<u8>> {
    read_within(input, Meter::new("the contents of the file"), free_memory)
}

fn read_within(
    mut input: impl Read,
    mut meter: Meter,
    free: impl Fn() -> u128,
) -> io::Result<Vec<u8>> {
    const FIRST: usize = 32 << 10;
    let mut bytes = Vec::new();
    loop {
        let more = bytes.len().max(FIRST);
        // While a vector grows, what it holds is there twice.
        let room = meter.take_from(2 * more, &free);
        room.map_err(|none| io::Error::new(io::ErrorKind::OutOfMemory, none))?;
        bytes.try_reserve_exact(more)?;
        if input.by_ref().take(more as u64).read_to_end(&mut bytes)? < more {
            return Ok(bytes);
        }
    }
}

/// Bytes of memory that this process can take before the machine runs short; without limit where
/// the system does not tell.
pub fn free_memory() -> u128 {
    let mut system = System::new();
    system.refresh_memory();
    let machine = match system.total_memory() {
        0 => u64::MAX,
        _ => system.available_memory(),
    };
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    machine.min(group).into()
}

fn compare(what: impl fmt::Display, needed: u128, free: u128, place: Place) -> Result<(), NoRoom> {
    if needed <= free {
        return Ok(());
    }
    Err(NoRoom { what: what.to_string(), needed, free, place })
}

/// `23.4 GB`: three digits and a decimal unit.
pub fn bytes_text(bytes: u128) -> String {
    const UNITS: [&str; 9] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 {
        return format!("{bytes} {}", UNITS[0]);
    }
    let decimals = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.decimals$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused_and_named() {
        let refused = check_memory("x of 1000000000000000000 rows", 8_000_000_000_000_000_000);
        let message = refused.expect_err("no machine has 8 EB").to_string();
        assert!(message.starts_with("x of 1000000000000000000 rows: 8.00 EB of memory needed, "));
        let refused = check_disk("fields", u128::MAX, Path::new("")).expect_err("no disk has that");
        assert_eq!(refused.place, Place::Disk(".".into()));
    }

    #[test]
    fn memory_taken_in_pieces_is_asked_for_when_it_doubles() {
        let mut meter = Meter::new("pieces");
        let mut asked = 0;
        for _ in 0..1 << 20 {
            let free = || {
                asked += 1;
                1 << 40
            };
            meter.take_from(1 << 10, free).expect("so much is free");
        }
        assert!(asked <= 11, "{asked}");
        let refused = meter.take_from(1 << 31, || 1 << 30).expect_err("so much is not free");
        assert!(refused.to_string().starts_with("pieces: "), "{refused}");
    }

    #[test]
    fn contents_are_read_as_far_as_memory_goes() {
        let read = |length: u64, free: u128| {
            read_within(io::repeat(7).take(length), Meter::new("contents"), || free)
        };
        for length in [0, 1, (32 << 10) - 1, 32 << 10, (32 << 10) + 1, 5_000_000] {
            assert_eq!(read(length, 1 << 40).expect("so much is free"), vec![7; length as usize]);
        }
        let refused = read(u64::MAX, 100_000_000).expect_err("no memory has that");
        assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory);
        assert!(refused.to_string().starts_with("contents: "), "{refused}");
    }

    #[test]
    fn what_fits_is_granted() {
        assert_eq!(check_memory("a page", 4096), Ok(()));
        assert_eq!(check_memory("some pages", 2 << 20), Ok(()));
        assert_eq!(check_disk("a page", 4096, Path::new(".")), Ok(()));
        assert_eq!(check_disk("a page", u128::MAX, Path::new("no such folder")), Ok(()));
    }

    #[test]
    fn bytes_have_three_digits_and_a_unit() {
        let cases: [(u128, &str); 7] = [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.00 kB"),
            (23_449_000_000, "23.4 GB"),
            (999_499_000, "999 MB"),
            (999_999_999, "1.00 GB"),
            (u128::MAX, "340282366920938 YB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(bytes_text(bytes), text);
        }
    }
}
