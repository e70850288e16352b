//! Damaged inputs give an error or a model, never a panic.

use std::fs;
use std::path::Path;

use nonius_fem::input::abaqus;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::common::{data, two};

fn samples() -> Vec<Vec<u8>> {
    let conditions = "*AMPLITUDE, NAME=a\n0, 0, 1, 1\n*SURFACE, NAME=s\nboth, S1\n*INITIAL CONDITIONS, TYPE=VELOCITY\nall, 1, 5\n";
    let within = "*BOUNDARY, AMPLITUDE=a\n1, 1, 3, 5\n*CLOAD\n2, 1, 3\n*DLOAD\n, GRAV, 1, 0, 0, 1\n1, P1, 2\n*DSLOAD\ns, P, 1\n";
    vec![
        fs::read(data("dynela/tensile-3d.inp")).unwrap(),
        fs::read(data("dynela/tensile-2d.inp")).unwrap(),
        two(conditions, within).into_bytes(),
    ]
}

#[test]
fn every_beginning_of_a_deck() {
    for sample in samples() {
        for length in 0..=sample.len() {
            let _ = abaqus::read(&sample[..length], Path::new("deck.inp"));
        }
    }
}

/// Hands over a text with bytes and lines changed, removed, repeated and taken from elsewhere, so many times.
pub(super) fn damage(sample: &[u8], times: usize, try_it: impl Fn(&[u8])) {
    const WORDS: [&str; 12] = [
        "*",
        ",",
        "\n",
        "=",
        "\"",
        "-1",
        "0",
        "18446744073709551615",
        "1e308",
        "nan",
        "*END PART",
        ".",
    ];
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..times {
        let mut text = sample.to_vec();
        for _ in 0..random.random_range(1..4) {
            let place = random.random_range(0..text.len());
            match random.random_range(0..4) {
                0 => text[place] = random.random(),
                1 => drop(text.remove(place)),
                2 => {
                    let word = WORDS[random.random_range(0..WORDS.len())];
                    text.splice(place..place, word.bytes());
                }
                _ => {
                    let mut lines: Vec<_> = text.split_inclusive(|&byte| byte == b'\n').collect();
                    let (from, to) =
                        (random.random_range(0..lines.len()), random.random_range(0..lines.len()));
                    lines[to] = lines[from];
                    text = lines.concat();
                }
            }
        }
        try_it(&text);
    }
}

#[test]
fn random_changes_of_a_deck() {
    for sample in samples() {
        damage(&sample, 3000, |text| drop(abaqus::read(text, Path::new("deck.inp"))));
    }
}

/// Sets that name themselves again and again do not grow beyond the mesh.
#[test]
fn sets_of_sets() {
    let members = "all, all, all, all, all, all, all, all\n".repeat(2000);
    let text = two(&format!("*NSET, NSET=all\n{members}").repeat(10), "");
    assert!(abaqus::read(text.as_bytes(), Path::new("deck.inp")).is_ok());
}
