"""The stubs: a program's types are checked, and the stubs are those of what is there."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

PROGRAM = """
from fractions import Fraction
from pathlib import Path
from typing import Any

import cvxpy as cp
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
entries = (np.array([2.0, 1.0, 3.0]), ([0, 0, 1], [0, 1, 1]))
x, code, iterations = nn.sparse.linalg.gmres(
    entries, [1, Fraction(2)], M="jacobi", full_output=True
)
steps: int = iterations["iterations"] + code
x, batch = nn.solve_tridiagonal([0, -1], [2, 2], [-1, 0], [[1, 0]], method="pcr", info=True)
surface = nn.option.Surface([80, 120], [0.5, 1], [[0.2, 0.2], [0.2, 0.3]])
put = nn.option.price(
    type="put", spot=100, strike=[90, Fraction(100)], rate="0.05", volatility=surface, maturity=1
)
book = {"type": ["call"], "spot": [100.0], "price": [10.5]}
implied, place = nn.option.implied_volatility(book, strike=100, rate=0, maturity=1, info=True)
error: float = implied.error_estimate[0]


def hear(step: int, time: float, energies: dict[str, float]) -> bool:
    return energies["relative_balance"] < 0.01


nn.fem.generate(Path("bar.inp"), "bar", [20, 1, 1])
motion = nn.fem.run("bar.inp", progress=hear, precision="mixed")
pulse: NDArray[np.float64] = motion.history["time"]
nodes = nn.fem.read({"mesh": "bar.msh"}).blocks[0].nodes
matrices = [(0, 1, 1, 2, "-1/3"), (1, 1, 1, 1, 1), (2, 1, 2, 2, 1.5)]
optimum = nn.sdp.solve(nn.sdp.Problem([1, "0.1"], [2], matrices), certify=True, start=1.0)
if optimum.certificate is not None and optimum.certificate.lower is not None:
    above: Fraction = optimum.certificate.lower / 2
solver = nn.cvxpy.NONIUS()
program = cp.Problem(cp.Minimize(cp.Variable()))
below, beyond = nn.cvxpy.bounds(program)
if below is not None and beyond is not None:
    width: Fraction = beyond - below
citation: str = solver.cite({})
everything = nn.linalg.svd(a, full_matrices=True).Vh
size = nn.linalg.norm(a, "fro") + nn.linalg.norm(a, 1, axis=(0, 1))
product = nn.linalg.dot(a, [1, Fraction(1, 3)])
there: nn.cuda.Array = nn.cuda.asarray(a, dtype=nn.dd)
solved: nn.cuda.Array = nn.linalg.solve(there @ there.T, 2 * there)
found, how = nn.linalg.inv(there, info=True)
back: NDArray[Any] = found.get()
orthogonal, triangular = nn.linalg.qr(there)
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
nn.option.price(type="put", spot=100, strikes=100, rate=0, volatility=0.2, maturity=1)
nn.sdp.solve([1, 1], certify=True)
nn.cvxpy.bounds(3)
nn.cvxpy.NONIUS(precision="dd")
nn.linalg.norm([1.0], "frobenius")
"""

# What is said there of packages without types.
CONFIGURATION = Path(__file__).parent.parent / "pyproject.toml"


def run(folder, *arguments):
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


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
    assert lines == {"4", "5", "6", "7", "8", "9", "10", "11"}, found.stdout + found.stderr


def test_stubs_are_those_of_the_package(tmp_path):
    found = run(tmp_path, "mypy.stubtest", "--mypy-config-file", str(CONFIGURATION), "nonius")
    assert found.returncode == 0, found.stdout + found.stderr
