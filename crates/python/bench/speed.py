"""What Python adds to a call and to a proof, and NumPy's functions beside the kernels.

    RAYON_NUM_THREADS=1 python crates/python/bench/speed.py target/debug

Python and the programs take turns, and the best of all turns counts. All have to be built alike:
cargo build --workspace --exclude nonius-oracle, with --lib and --bins.
"""

import os
import re
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path

import nonius as nn
import numpy as np

LENGTH = 10**6
TURNS = 3
ORDER, DIGITS = 1024, 30
NAMES = {
    "add": np.add,
    "mul": np.multiply,
    "div": np.divide,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "ln": np.log,
    "sin": np.sin,
}
KINDS = {"dd": nn.dd, "qd": nn.qd}


def of_kernels(program, *arguments):
    """The figures that the program prints, by precision and name."""
    with tempfile.TemporaryDirectory() as runs:
        command = [program, *arguments, "--threads", "1", "--runs", runs]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    pattern = r"^(\w+)\s+(\w+)\s+(?:nonius\s+)?([\d.]+) (?:M/s|µs)$"
    found = re.findall(pattern, text, re.MULTILINE)
    return {(precision, name): float(figure) for precision, name, figure in found}


def best(work, number):
    return min(timeit.repeat(work, number=number, repeat=5)) / number


def of_functions():
    """Millions of numbers a second: into new arrays, and into one that is there."""
    rates = {}
    for precision, kind in KINDS.items():
        rng = np.random.default_rng(1)
        x, y = (np.sqrt((rng.random(LENGTH) + 0.5).astype(kind)) for _ in range(2))
        out = np.empty_like(x)
        for name, function in NAMES.items():
            operands = (x, y) if function.nin == 2 else (x,)
            new = best(lambda: function(*operands), 1)
            there = best(lambda: function(*operands, out=out), 1)
            rates[precision, name] = [LENGTH / seconds / 1e6 for seconds in (new, there)]
    return rates


def of_calls():
    """Microseconds of a call."""
    found = {}
    for precision, kind in {"f64": np.float64, **KINDS}.items():
        a, b = np.array([[2, 1], [1, 3]], dtype=kind), np.array([3, 4], dtype=kind)
        for name, work in {
            "solve": lambda: nn.linalg.solve(a, b),
            "inv": lambda: nn.linalg.inv(a),
            "det": lambda: nn.linalg.det(a),
            "eigh": lambda: nn.linalg.eigh(a),
        }.items():
            found[precision, name] = best(work, 500) * 1e6
    return found


def of_proofs(program):
    """Seconds until a random system is solved to proved digits: by the library in Rust, and here."""
    with tempfile.TemporaryDirectory() as runs:
        command = [program, "digits", str(ORDER), "--digits", str(DIGITS), "--threads", "1"]
        command += ["--runs", runs]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    rust = float(re.search(r"1e0 .* digits +([\d.]+) s", told)[1])
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((ORDER, ORDER)), rng.standard_normal((ORDER, 1))
    return np.array([rust, best(lambda: nn.linalg.solve(a, b, digits=DIGITS, device="cpu"), 1)])


def main():
    folder = Path(sys.argv[1])
    program = folder / "nonius-bench"
    rates, kernels, calls, tasks, proofs = {}, {}, {}, {}, np.inf
    for _ in range(TURNS):
        names = ["elementwise", "--length", str(LENGTH), "--only", *NAMES]
        for key, rate in of_kernels(program, *names).items():
            kernels[key] = max(rate, kernels.get(key, 0))
        for key, pair in of_functions().items():
            rates[key] = [max(both) for both in zip(pair, rates.get(key, [0, 0]))]
        for key, time in of_kernels(program, "calls").items():
            tasks[key] = min(time, tasks.get(key, np.inf))
        for key, time in of_calls().items():
            calls[key] = min(time, calls.get(key, np.inf))
        proofs = np.minimum(proofs, of_proofs(program))
    print(f"million numbers a second, vectors of {LENGTH}, threads: {os.environ.get('RAYON_NUM_THREADS')}")
    print(f"{'':12} {'kernel':>9} {'new array':>9} {'out=':>9}  ratios")
    for key, (new, there) in rates.items():
        kernel = kernels[key]
        print(
            f"{key[0]:4} {key[1]:7} {kernel:9.1f} {new:9.1f} {there:9.1f}  {new / kernel:.2f} {there / kernel:.2f}"
        )
    print("microseconds of a call of order 2")
    for key, time in calls.items():
        print(f"{key[0]:4} {key[1]:7} {tasks[key]:9.2f} {time:9.2f}  {time - tasks[key]:+.2f}")
    print(f"seconds of a system of order {ORDER} to {DIGITS} proved digits: Rust, Python, ratio")
    print(f"{proofs[0]:.3f} {proofs[1]:.3f}  {proofs[1] / proofs[0]:.2f}")


if __name__ == "__main__":
    main()
