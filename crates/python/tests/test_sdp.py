"""Semidefinite programs: data, runs, proofs and files."""

import gzip
import os
import pathlib
import signal
import subprocess
import sys
import threading
from decimal import Decimal
from fractions import Fraction

import mpmath
import nonius as nn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SDPLIB = pathlib.Path(__file__).parents[3] / "data/sdplib"

# The least `x + y` for which [[x, 1], [1, y]] is positive semidefinite is 2.
SMALL = nn.sdp.Problem([1, 1], [2], [(0, 1, 1, 2, -1), (1, 1, 1, 1, 1), (2, 1, 2, 2, 1)])


@pytest.mark.parametrize(
    "precision, kind, gap",
    [
        ("f64", np.float64, 1e-7),
        ("dd", nn.dd, 1e-20),
        ("td", nn.td, 1e-30),
        ("qd", nn.qd, 1e-40),
        ("mp424", nn.mp(424), 1e-81),
        ("auto", nn.dd, 1e-20),
    ],
)
def test_every_precision_is_solved_and_proved(precision, kind, gap):
    result = nn.sdp.solve(SMALL, precision=precision, certify=True)
    assert (result.phase, result.end, result.success) == ("pdOPT", "solved", True)
    assert result.relative_gap <= gap and result.x.dtype == kind
    assert [block.dtype for block in result.X + result.Y] == [kind, kind]
    proof = result.certificate
    assert proof.lower <= 2 <= proof.upper and proof.upper - proof.lower <= 20 * Fraction(gap)
    assert proof.digits >= -np.log10(gap) - 1 and proof.infeasible is None
    assert Fraction(proof.lower_text) == proof.lower and Fraction(proof.upper_text) == proof.upper
    # The point is one of both problems: X = sum(x F) - F0, and Fi . Y = ci.
    x, (primal,), (dual,) = result.x, result.X, result.Y
    roundoff = 2.0 ** -50 if kind == np.float64 else 2.0**-100
    assert abs(primal - np.array([[x[0], 1], [1, x[1]]])).max() <= 16 * roundoff * abs(primal).max()
    assert max(abs(dual[0, 0] - 1), abs(dual[1, 1] - 1)) <= 10 * gap
    assert len(result.history) >= result.iterations and result.device == "cpu"


@pytest.mark.parametrize("precision, gap", [("f64", 1e-7), ("dd", 1e-20), ("mp212", 1e-38)])
def test_second_order_cones_are_blocks(precision, gap, tmp_path):
    """The least distance of (9, 0, 0) from the multiples of (1, 2, 2) is the root of 72."""
    cone = nn.sdp.SecondOrder(4)
    entries = [(0, 2, 2, 2, 9), (1, 2, 1, 1, 1), (2, 2, 2, 2, 1), (2, 2, 3, 3, 2), (2, 2, 4, 4, 2)]
    # Beside them x[1] <= 3.
    entries += [(0, 1, 1, 1, -3), (2, 1, 1, 1, -1)]
    problem = nn.sdp.Problem([1, 0], [-1, cone], entries)
    assert problem.blocks == [-1, cone] and sorted(problem.entries) == sorted(entries)
    result = nn.sdp.solve(problem, precision=precision, certify=True)
    assert result.phase == "pdOPT" and result.relative_gap <= gap
    proof = result.certificate
    assert proof.lower**2 <= 72 <= proof.upper**2 and proof.digits > -np.log10(gap) - 2
    assert abs(result.x[1] - 1) <= 10 * np.sqrt(gap)
    for matrix in (result.X, result.Y):
        vector = matrix[1].astype(float)
        assert vector.shape == (4,) and vector[0] >= np.linalg.norm(vector[1:]) * (1 - 1e-15)
    result.checkpoint(tmp_path / "cone.chk")
    again = nn.sdp.solve(problem, precision=precision, start=tmp_path / "cone.chk")
    assert again.phase == "pdOPT" and again.iterations <= result.iterations + 2


def test_numbers_are_exact():
    values = [0.1, 5e-324, 1.7976931348623157e290, Decimal("1E+5"), Decimal("0.1"), "-2.5e-7", True]
    values += [np.float32(0.1), np.int64(7), nn.DoubleDouble("0.1"), Fraction(3, 8), 10**200]
    values += [mpmath.mpf("0.1"), "1/3", Fraction(2, 7), Fraction(5, 21 * 2**70)]
    exact = [Fraction(*v.as_integer_ratio()) for v in values[:5]] + [Fraction("-2.5e-7"), 1]
    exact += [Fraction(*v.as_integer_ratio()) for v in values[7:8]] + [7]
    exact += [Fraction(*v.as_integer_ratio()) for v in values[9:12]]
    exact += [Fraction(int(values[12].man)) * Fraction(2) ** int(values[12].exp), Fraction(1, 3)]
    exact += values[14:]
    order = len(values)
    for matrix in (0, 1):
        entries = [(matrix, 1, i + 1, i + 1, value) for i, value in enumerate(values)]
        problem = nn.sdp.Problem(["1/9"], [-order], entries)
        assert [entry[4] for entry in problem.entries] == exact
        assert problem.c == [Fraction(1, 9)]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.fractions(Fraction(1, 50), 50, max_denominator=10**6), min_size=5, max_size=5))
def test_fractions_are_not_rounded(numbers):
    # min a x + b y where [[p x, r], [r, q y]] is positive semidefinite: 2 r sqrt(a b / (p q)).
    a, b, p, q, r = numbers
    entries = [(0, 1, 1, 2, -r), (1, 1, 1, 1, p), (2, 1, 2, 2, q)]
    result = nn.sdp.solve(nn.sdp.Problem([a, b], [2], entries), certify=True)
    square = 4 * r**2 * a * b / (p * q)
    proof = result.certificate
    assert proof.lower**2 <= square <= proof.upper**2 and proof.digits > 10
    assert Fraction(proof.lower_text) <= proof.lower and proof.upper <= Fraction(proof.upper_text)
    objective = Fraction(*result.primal_objective.as_integer_ratio())
    assert abs(objective**2 / square - 1) < Fraction(1, 10**10)
    x = [Fraction(*value.as_integer_ratio()) for value in result.x]
    assert abs(a * x[0] + b * x[1] - objective) <= objective / 10**26
    first = result.X[0][0, 0] - nn.DoubleDouble(p) * result.x[0]
    assert abs(first) <= 1e-26 * abs(result.X[0]).max()


def test_infeasible_problems_are_proved():
    # x >= 1 and x <= 0
    one = nn.sdp.Problem([1], [-2], [(0, 1, 1, 1, 1), (1, 1, 1, 1, 1), (1, 1, 2, 2, -1)])
    result = nn.sdp.solve(one, certify=True)
    assert (result.phase, result.end) == ("pINF_dFEAS", "decided")
    assert result.certificate.infeasible == "primal" and result.certificate.lower is None
    # x = 1/3 and x = 1/2 as pairs of rows: seen before anything is computed.
    rows = [(0, 1, 1, 1, "1/3"), (0, 1, 2, 2, "-1/3"), (0, 1, 3, 3, "1/2"), (0, 1, 4, 4, "-1/2")]
    rows += [(1, 1, i, i, (-1) ** (i + 1)) for i in range(1, 5)]
    result = nn.sdp.solve(nn.sdp.Problem([1], [-4], rows))
    assert result.phase == "pINF_dFEAS" and result.x is None and "no x meets" in result.message
    assert result.certificate.infeasible == "primal" and result.success
    with pytest.raises(ValueError, match="no point"):
        result.write("nowhere")


def test_progress_is_told_and_ends_runs():
    seen = []
    result = nn.sdp.solve(SMALL, progress=seen.append)
    assert [row["iteration"] for row in seen] == list(range(len(seen))) and len(seen) > 20
    assert result.history[-1]["relative_gap"] == seen[-1]["relative_gap"] <= 1e-20
    threads = []
    nn.sdp.solve(SMALL, progress=lambda row: threads.append(threading.get_ident()))
    assert set(threads) == {threading.get_ident()}
    result = nn.sdp.solve(SMALL, progress=lambda row: row["iteration"] < 5, certify=True)
    assert (result.end, result.iterations, result.certificate) == ("interrupted", 5, None)
    with pytest.raises(ZeroDivisionError):
        nn.sdp.solve(SMALL, progress=lambda row: 1 / (3 - row["iteration"]))
    with pytest.raises(TypeError):
        nn.sdp.solve(SMALL, progress=lambda: None)


def test_ctrl_c_ends_a_run():
    problem = nn.sdp.read(SDPLIB / "theta1.dat-s.xz")
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        nn.sdp.solve(problem, precision="mp2048")


def test_runs_go_on_from_points(tmp_path):
    problem = nn.sdp.read(SDPLIB / "truss1.dat-s.xz")
    whole = nn.sdp.solve(problem)
    half = nn.sdp.solve(problem, max_iterations=12)
    assert half.end == "iterations" and half.iterations == 12 and not half.success
    half.checkpoint(tmp_path / "half.chk")
    rest = nn.sdp.solve(problem, start=tmp_path / "half.chk")
    assert rest.phase == "pdOPT" and rest.history[0]["iteration"] >= 12
    assert abs(rest.primal_objective - whole.primal_objective) < 1e-18
    again = nn.sdp.solve(problem, start=whole, precision="qd")
    assert again.phase == "pdOPT" and again.relative_gap <= 1e-40
    whole.write(tmp_path / "result")
    assert nn.sdp.solve(problem, start=tmp_path / "result").iterations < whole.iterations
    assert nn.sdp.solve(problem, start=100.0).phase == "pdOPT"
    other = nn.sdp.solve(SMALL)
    with pytest.raises(ValueError, match="constraints"):
        nn.sdp.solve(problem, start=other)


def test_files_of_sdpa(tmp_path):
    text = '"A remark\n1 = constraints\n1\n-2\n0.5\n0 1 1 1 1\n1 1 1 1 1\n1 1 2 2 1e1\n'
    (tmp_path / "a.dat-s").write_text(text)
    (tmp_path / "a.dat-s.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "a.dat").write_text("1\n1\n-2\n0.5\n{1, 0}\n{1, 10}\n")
    entries = [(0, 1, 1, 1, 1), (1, 1, 1, 1, 1), (1, 1, 2, 2, 10)]
    for name in ("a.dat-s", "a.dat-s.gz", "a.dat"):
        problem = nn.sdp.read(tmp_path / name)
        found = [entry for entry in problem.entries if entry[4]]
        assert (problem.c, problem.blocks, found) == ([Fraction(1, 2)], [-2], entries)
    (tmp_path / "bad.dat-s").write_text("1\n1\n2\n1\n1 1 1 3 5\n")
    with pytest.raises(ValueError, match="bad.dat-s: line 5: expected the number of a column"):
        nn.sdp.read(tmp_path / "bad.dat-s")
    with pytest.raises(FileNotFoundError):
        nn.sdp.read(tmp_path / "none.dat-s")


@pytest.mark.parametrize(
    "error, match, arguments",
    [
        (ValueError, r"entries\[0\]: expected a column from 1 to 2", ([1], [2], [(0, 1, 1, 3, 1)])),
        (ValueError, r"entries\[0\]: expected a row from 1", ([1], [2], [(0, 1, 0, 2, 1)])),
        (ValueError, r"entries\[0\]: expected a block", ([1], [2], [(0, 2, 1, 1, 1)])),
        (ValueError, r"entries\[0\]: expected a matrix", ([1], [2], [(2, 1, 1, 1, 1)])),
        (ValueError, "expected the diagonal", ([1], [-2], [(1, 1, 1, 2, 1)])),
        (
            ValueError,
            "expected the diagonal",
            ([1], [nn.sdp.SecondOrder(3)], [(1, 1, 1, 2, 1)]),
        ),
        (ValueError, r"blocks\[0\].order: expected a pos", ([1], [nn.sdp.SecondOrder(0)], [])),
        (TypeError, r"blocks\[0\].order: expected an int", ([1], [nn.sdp.SecondOrder(1.5)], [])),
        (ValueError, "each entry once", ([1], [2], [(1, 1, 1, 2, 1), (1, 1, 2, 1, 1)])),
        (ValueError, r"expected matrix, block", ([1], [2], [(1, 1, 1, 2)])),
        (ValueError, r"c\[0\]: expected a finite number", ([np.nan], [2], [])),
        (ValueError, r"entries\[0\]: expected a finite", ([1], [2], [(1, 1, 1, 1, np.inf)])),
        (ValueError, r"c\[0\]: expected a finite", ([mpmath.inf], [2], [])),
        (ValueError, r"c\[0\]: expected a finite", ([Decimal("NaN")], [2], [])),
        (ValueError, r"c\[1\]: expected a number, found 'one'", ([1, "one"], [2], [])),
        (ValueError, r"c\[0\]: expected a number, found '1/0'", (["1/0"], [2], [])),
        (TypeError, r"c\[0\]: expected a real number, found complex", ([1j], [2], [])),
        (TypeError, r"blocks\[0\]: expected an integer", ([1], [2.5], [])),
        (ValueError, r"blocks\[0\]", ([1], [0], [])),
        (ValueError, "below 1.8e308", ([10**400], [1], [])),
        (ValueError, "c: expected", ([], [1], [])),
        (ValueError, "blocks: expected", ([1], [], [])),
    ],
)
def test_wrong_data_is_named(error, match, arguments):
    with pytest.raises(error, match=match):
        nn.sdp.Problem(*arguments)


def test_wrong_options_are_named():
    for match, options in [
        ("gap: expected a number from 1e-300 to 1", {"gap": 2.0}),
        ("gap", {"gap": np.nan}),
        ("feasibility", {"feasibility": -1.0}),
        ("start: expected a positive", {"start": -1.0}),
        ("unknown precision", {"precision": "double"}),
        ("unknown device", {"device": "gpu"}),
    ]:
        with pytest.raises(ValueError, match=match):
            nn.sdp.solve(SMALL, **options)
    with pytest.raises(TypeError, match="expected a Problem"):
        nn.sdp.solve([[1]])
    with pytest.raises(ValueError, match="all matrices are zero"):
        nn.sdp.solve(nn.sdp.Problem([0], [3], []))


def test_blocks_of_millions_of_entries_are_refused_before_memory_is_taken():
    with pytest.raises(MemoryError):
        nn.sdp.solve(nn.sdp.Problem([1], [10**6], [(0, 1, 1, 10**6, 1), (1, 1, 1, 1, 1)]))


def test_cvxpy_is_loaded_only_when_asked_for():
    code = "import sys, nonius; assert 'cvxpy' not in sys.modules; nonius.cvxpy.NONIUS()"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        nn.other
