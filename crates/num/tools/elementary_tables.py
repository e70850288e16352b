#!/usr/bin/env python3
"""Writes the tables of crates/num/src/multifloat/elementary/tables/ (needs mpmath).

    pip install mpmath
    python3 crates/num/tools/elementary_tables.py

A table is stored limb by limb: plane i holds limb i of every entry, as the bits of a binary64. Kinds of limbs:

- nearest: each limb is what the limbs before it leave, rounded to 53 bits; the first N are the nearest N-limb number;
- short: as nearest, but of 30 bits, so that their products with integers below 2^23 are exact;
- grid: limb i is a multiple of 2^-(42 + 40 i), so that sums of a few of them, limb by limb, are exact.

A polynomial lists, for each coefficient, the nearest limbs, and how many coefficients need to be summed with all N limbs,
with N - 1, and so on: the later ones are multiplied by ever higher powers of a small argument.
"""

import math
import struct
from pathlib import Path

from mpmath import mp, mpf

mp.prec = 2400
OUT = Path(__file__).resolve().parent.parent / "src/multifloat/elementary/tables"


def rounded(x, bits):
    with mp.workprec(bits):
        return +x


def nearest(x, count=4, bits=53):
    limbs = []
    for i in range(count):
        limb = rounded(x, 53 if i == count - 1 else bits)
        limbs.append(float(limb))
        x -= limb
    return limbs


def short(x):
    return nearest(x, 9, 30)


def grid(x):
    limbs = []
    for i in range(6):
        unit = mpf(2) ** -(42 + 40 * i)
        limb = mp.nint(x / unit) * unit
        assert mpf(float(limb)) == limb
        limbs.append(float(limb))
        x -= limb
    return limbs


def word(x):
    return "0x%016x" % struct.unpack("<Q", struct.pack("<d", x))[0]


def lines(items, indent):
    """Items separated by commas, in lines of at most 100 columns."""
    out, line = [], " " * indent
    for item in items:
        if len(line) + len(item) + 2 > 100:
            out.append(line.rstrip())
            line = " " * indent
        line += item + ", "
    out.append(line.rstrip())
    return "\n".join(out)


def row(x):
    """One constant: its limbs."""
    return "bits([" + ", ".join(word(limb) for limb in x) + "])"


class File:
    def __init__(self, name, about):
        self.path = OUT / name
        self.text = (
            f"//! {about}\n//!\n//! Written by `crates/num/tools/elementary_tables.py`.\n\n"
            "USES"
        )
        self.uses = set()

    def constant(self, name, doc, limbs, visibility="pub(in super::super)"):
        self.uses.add("bits")
        self.text += f"/// {doc}\n#[rustfmt::skip]\n"
        self.text += f"{visibility} const {name}: [f64; {len(limbs)}] = bits([\n"
        self.text += lines([word(x) for x in limbs], 4) + "\n]);\n\n"

    def number(self, name, doc, x):
        self.text += f"/// {doc}\npub(in super::super) const {name}: f64 = f64::from_bits({word(float(x))});\n\n"

    def table(self, name, doc, entries):
        """`entries[j]` is the list of limbs of entry j."""
        self.uses.add("planes")
        planes, size = len(entries[0]), len(entries)
        self.text += f"/// {doc}\n#[rustfmt::skip]\n"
        self.text += f"pub(in super::super) static {name}: [[f64; {size}]; {planes}] = planes([\n"
        for i in range(planes):
            self.text += "    [\n" + lines([word(e[i]) for e in entries], 8) + "\n    ],\n"
        self.text += "]);\n\n"

    def integers(self, name, doc, words):
        self.text += f"/// {doc}\n#[rustfmt::skip]\n"
        self.text += f"pub(in super::super) static {name}: [u64; {len(words)}] = [\n"
        self.text += lines(["0x%016x" % w for w in words], 4) + "\n];\n\n"

    def polynomial(self, name, doc, coefficient, weight, spare):
        """Coefficient i, of weight 2^-weight(i) in the result, whose relative error is to stay below 2^-(53 N + spare - 4)."""
        self.uses.update(["Polynomial", "planes"])
        terms = []
        for limbs_dropped in (1, 2, 3, 4):
            count = terms[-1] + 1 if terms else 1
            while weight(count) < 53 * limbs_dropped + spare:
                count += 1
            terms.append(count)
        self.text += f"/// {doc}\n#[rustfmt::skip]\n"
        self.text += f"pub(in super::super) static {name}: Polynomial = Polynomial {{\n"
        self.text += f"    terms: [{', '.join(map(str, terms))}],\n    coefficients: &planes([\n"
        for i in range(terms[-1]):
            self.text += "        [" + ", ".join(word(x) for x in nearest(coefficient(i))) + "],\n"
        self.text += "    ]),\n};\n\n"

    def write(self):
        names = ", ".join(sorted(self.uses, key=lambda s: (s[0].islower(), s)))
        uses = f"use super::{{{names}}};\n\n" if len(self.uses) > 1 else f"use super::{names};\n\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.text.replace("USES", uses, 1).rstrip() + "\n")


def log2(x):
    return float(mp.log(abs(x), 2))


def exponential():
    f = File("exponential.rs", "Tables of the exponential functions.")
    step = mp.ln(2) / 4096
    f.number("STEPS_PER_UNIT", "`4096 / ln 2`.", 1 / step)
    f.constant("STEP", "`ln 2 / 4096` in short limbs.", short(step))
    f.table(
        "POWERS",
        "`2^(j/64)` for −32 ≤ j ≤ 32; one limb more than the widest format.",
        [nearest(mpf(2) ** (mpf(j) / 64), 5) for j in range(-32, 33)],
    )
    f.table(
        "FINE_POWERS",
        "`2^(j/4096) − 1` for −32 ≤ j ≤ 32.",
        [nearest(mpf(2) ** (mpf(j) / 4096) - 1) for j in range(-32, 33)],
    )
    bits = -log2(step / 2)
    f.polynomial(
        "SERIES",
        "`(eʳ − 1 − r) / r²` for |r| at most half a step: coefficients `1 / (i + 2)!`.",
        lambda i: 1 / mp.factorial(i + 2),
        lambda i: bits * (i + 1) + log2(mp.factorial(i + 2)),
        4,
    )
    f.write()


def logarithm():
    f = File("logarithm.rs", "Tables of the logarithms.")
    coarse, fine = [], []
    for i in range(90, 183):
        c = mp.nint(mpf(128) / i * 512) / 512
        coarse.append([float(c)] + grid(-mp.ln(c)))
    for i in range(-64, 65):
        c = mp.nint(1 / (1 + mpf(i) / 8192) * 2**22) / 2**22
        fine.append([float(c)] + grid(-mp.ln(c)))
    f.constant("LN_2_GRID", "`ln 2` in grid limbs.", grid(mp.ln(2)))
    f.table(
        "COARSE",
        "For 90 ≤ i ≤ 182: a multiple `c` of 2^-9 next to `128/i`; then `−ln c` in grid limbs.",
        coarse,
    )
    f.table(
        "FINE",
        "For −64 ≤ i ≤ 64: a multiple `c` of 2^-22 next to `1/(1 + i/8192)`; then `−ln c` in grid limbs.",
        fine,
    )
    f.polynomial(
        "SERIES",
        "`(ln(1 + r) − r) / r²` for |r| < 2^-13.9: coefficients `(−1)^(i+1) / (i + 2)`.",
        lambda i: mpf((-1) ** (i + 1)) / (i + 2),
        lambda i: 13.9 * (i + 1) + math.log2(i + 2),
        13,
    )
    f.write()


def circular():
    f = File("circular.rs", "Tables of the trigonometric functions.")
    step = mp.pi / 256
    f.number("STEPS_PER_UNIT", "`256 / π`.", 1 / step)
    f.constant("STEP", "`π / 256` in short limbs.", short(step))
    f.constant("HALF_PI", "`π / 2`.", nearest(mp.pi / 2, 5))
    f.table("SINES", "`sin(jπ/256)` for 0 ≤ j ≤ 64.", [nearest(mp.sin(j * step)) for j in range(65)])
    f.table("COSINES", "`cos(jπ/256)` for 0 ≤ j ≤ 64.", [nearest(mp.cos(j * step)) for j in range(65)])
    bits = -2 * log2(step / 2)
    f.polynomial(
        "SINE_SERIES",
        "`(sin r / r − 1) / z` in `z = r²` for |r| at most half a step: `(−1)^(i+1) / (2i + 3)!`.",
        lambda i: (-1) ** (i + 1) / mp.factorial(2 * i + 3),
        lambda i: bits * (i + 1) + log2(mp.factorial(2 * i + 3)),
        4,
    )
    f.polynomial(
        "COSINE_SERIES",
        "`(cos r − 1) / z` in `z = r²` for |r| at most half a step: `(−1)^(i+1) / (2i + 2)!`.",
        lambda i: (-1) ** (i + 1) / mp.factorial(2 * i + 2),
        lambda i: bits * (i + 1) + log2(mp.factorial(2 * i + 2)),
        4,
    )
    words, x = [], 2 / mp.pi
    for _ in range(27):
        x *= mpf(2) ** 64
        words.append(int(x))
        x -= words[-1]
    f.integers("TWO_OVER_PI", "The first 1728 bits of `2 / π` after the binary point.", words)
    f.write()


def arc():
    f = File("arc.rs", "Tables of the inverse trigonometric functions.")
    f.constant("HALF_PI_GRID", "`π / 2` in grid limbs.", grid(mp.pi / 2))
    f.table("ARCS", "`atan(i/128)` for 0 ≤ i ≤ 128, in grid limbs.", [grid(mp.atan(mpf(i) / 128)) for i in range(129)])
    f.polynomial(
        "SERIES",
        "`(atan t / t − 1) / z` in `z = t²` for |t| < 2^-7.9: `(−1)^(i+1) / (2i + 3)`.",
        lambda i: mpf((-1) ** (i + 1)) / (2 * i + 3),
        lambda i: 15.8 * (i + 1) + math.log2(2 * i + 3),
        4,
    )
    f.write()


def root():
    f = File("root.rs", "Table of the cube root.")
    f.polynomial(
        "SERIES",
        "`((1 + d)^(1/3) − 1) / d` for |d| < 2^-46: binomial coefficients.",
        lambda i: mp.binomial(mpf(1) / 3, i + 1),
        lambda i: 46 * (i + 1),
        4,
    )
    f.write()


def constants():
    f = File("constants.rs", "Mathematical constants.")
    for name, doc, x in [
        ("PI", "`π`.", mp.pi),
        ("TAU", "`2π`.", 2 * mp.pi),
        ("FRAC_PI_2", "`π / 2`.", mp.pi / 2),
        ("FRAC_PI_3", "`π / 3`.", mp.pi / 3),
        ("FRAC_PI_4", "`π / 4`.", mp.pi / 4),
        ("FRAC_PI_6", "`π / 6`.", mp.pi / 6),
        ("FRAC_PI_8", "`π / 8`.", mp.pi / 8),
        ("FRAC_1_PI", "`1 / π`.", 1 / mp.pi),
        ("FRAC_2_PI", "`2 / π`.", 2 / mp.pi),
        ("FRAC_2_SQRT_PI", "`2 / √π`.", 2 / mp.sqrt(mp.pi)),
        ("SQRT_2", "`√2`.", mp.sqrt(2)),
        ("FRAC_1_SQRT_2", "`1 / √2`.", 1 / mp.sqrt(2)),
        ("E", "Euler's number `e`.", mp.e),
        ("LN_2", "`ln 2`.", mp.ln(2)),
        ("LN_10", "`ln 10`.", mp.ln(10)),
        ("LOG2_E", "`log2 e`.", 1 / mp.ln(2)),
        ("LOG2_10", "`log2 10`.", mp.log(10) / mp.ln(2)),
        ("LOG10_E", "`log10 e`.", 1 / mp.ln(10)),
        ("LOG10_2", "`log10 2`.", mp.ln(2) / mp.ln(10)),
    ]:
        f.constant(name, doc, nearest(x, 5), "pub(in super::super::super)")
    f.write()


for make in (exponential, logarithm, circular, arc, root, constants):
    make()
