"""Writes src/mp/elementary/tables.rs: leading words of constants in [1/2, 1).

    python3 crates/num/tools/mp_constants.py

The test `constants_are_those_of_their_series` compares them with series of other kinds.
"""

from pathlib import Path

from mpmath import log, mp, pi

WORDS = 136
HEADER = """//! The leading words of constants in [½, 1), truncated. Lowest word first; the binary point stands
//! above the last.
//!
//! The script `crates/num/tools/mp_constants.py` writes this file; a test recomputes them.

/// Words of each constant.
pub(super) const WORDS: usize = %d;
"""


def rows(x):
    n = int(mp.floor(x * mp.mpf(2) ** (64 * WORDS)))
    words = [n >> (64 * i) & (2**64 - 1) for i in range(WORDS)]
    text = []
    for i in range(0, WORDS, 4):
        text.append("    " + ", ".join(f"0x{w:016x}" for w in words[i : i + 4]) + ",")
    return "\n".join(text)


def main():
    mp.prec = 64 * WORDS + 200
    constants = [
        ("LN_2", "ln 2", log(2)),
        ("LN_10_OVER_4", "ln 10 / 4", log(10) / 4),
        ("QUARTER_PI", "π / 4", pi / 4),
        ("TWO_OVER_PI", "2 / π", 2 / pi),
    ]
    text = HEADER % WORDS
    for name, about, x in constants:
        text += f"\n/// {about}\n#[rustfmt::skip]\npub(super) static {name}: [u64; WORDS] = [\n{rows(x)}\n];\n"
    folder = Path(__file__).resolve().parent.parent / "src/mp/elementary"
    (folder / "tables.rs").write_text(text)


main()
