"""The stubs: a program's types are checked, and the stubs are those of what is there."""

import os
import subprocess
import sys
from pathlib import Path

import nonius as nn
import pytest

pytest.importorskip("mypy")

PROGRAM = """
from fractions import Fraction
from typing import Any

import nonius as nn
import numpy as np
from numpy.typing import NDArray

a: NDArray[Any] = np.array([[2, 1], [1, 3]], dtype=nn.dd)
x: NDArray[Any] = nn.linalg.solve(a, [3, 4])
y, info = nn.linalg.solve(a, ["0.1", "1/3"], digits=40, info=True)
z = nn.linalg.solve([[Fraction(1, 3), 1], [0, 1]], [1, 2], digits=50)
digits: int = info["digits"]
q, r = nn.linalg.qr(a)
triangle: NDArray[Any] = nn.linalg.qr(a, "r")
values = nn.linalg.svd(a, compute_uv=False)
both = nn.linalg.svd(a)
left: NDArray[Any] = both.U
lower, report = nn.linalg.cholesky(a, info=True)
factors = nn.linalg.lu_factor(a)
solution = nn.linalg.lu_solve(factors, [1, 2])
third = nn.QuadDouble(1) / 3
numerator, denominator = nn.DoubleDouble("0.1").as_integer_ratio()
parts = nn.limbs(x) + 1.0
try:
    nn.linalg.inv(a, precision="qd", device="cpu")
except nn.NoniusError as error:
    print(error)
"""

MISTAKES = """
import nonius as nn

nn.linalg.solve([[1.0]], [1.0], digit=40)
nn.linalg.qr([[1.0]], "raw")
nn.linalg.nothing()
"""

# The folder that has the package.
SITE = Path(nn.__file__).parent.parent


def run(folder, *arguments):
    environment = {**os.environ, "MYPYPATH": str(SITE), "PYTHONPATH": str(SITE)}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def checked(folder, text):
    program = folder / "program.py"
    program.write_text(text)
    options = ["--strict", "--follow-imports=silent", "--cache-dir", str(folder / "cache")]
    return run(folder, "mypy", *options, str(program))


def test_programs_are_checked(tmp_path):
    found = checked(tmp_path, PROGRAM)
    assert found.returncode == 0, found.stdout + found.stderr
    found = checked(tmp_path, MISTAKES)
    lines = {line.split(":")[1] for line in found.stdout.splitlines() if ": error:" in line}
    assert lines == {"4", "5", "6"}, found.stdout + found.stderr


def test_stubs_are_those_of_the_package(tmp_path):
    found = run(tmp_path, "mypy.stubtest", "nonius")
    assert found.returncode == 0, found.stdout + found.stderr
