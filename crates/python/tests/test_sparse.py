"""Sparse systems by iteration."""

import io
import lzma
import os
import subprocess
import sys
import threading
import warnings
from fractions import Fraction
from pathlib import Path

import nonius as nn
import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as scipys
from hypothesis import given, settings
from hypothesis import strategies as st
from nonius.sparse.linalg import bicgstab, cg, gmres, minres
from scipy.io import mmread

METHODS = [cg, minres, bicgstab, gmres]
KINDS = [(np.float64, 2.0**-52), (nn.dd, 2.0**-104), (nn.td, 2.0**-156), (nn.qd, 2.0**-208)]
RTOL = {np.float64: 1e-5, nn.dd: 1e-20, nn.td: 1e-30, nn.qd: 1e-40}


def differences(n, diagonal=2.0):
    """A symmetric positive definite matrix with the condition of about n²/2."""
    off = -np.ones(n - 1)
    return sp.diags_array([off, np.full(n, diagonal), off], offsets=[-1, 0, 1]).tocsr()


def nonsymmetric(n):
    return sp.diags_array(
        [np.full(n - 1, -1.5), np.full(n, 4.0), np.full(n - 1, -0.5), np.full(n - 3, 0.3)], offsets=[-1, 0, 1, 3]
    ).tocsr()


def norm(x):
    return float(np.sqrt((x * x).sum()))


def right(n, kind):
    return np.sqrt(np.arange(1, n + 1).astype(kind))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind, u", KINDS)
def test_solutions_are_those_of_dense_systems_with_proved_digits(method, kind, u):
    n = 40
    a = differences(n) if method in (cg, minres) else nonsymmetric(n)
    b = right(n, kind)
    truth = nn.linalg.solve(a.toarray(), b, digits=62)
    x, info, report = method(a, b, full_output=True)
    assert info == 0 and x.dtype == kind and report["converged"] and report["device"] == "cpu"
    rest = norm(a.toarray().astype(nn.qd) @ x.astype(nn.qd) - b)
    # The residual of recursion has the tolerance; the true one differs by roundings.
    size = 6 * (norm(x) + norm(b)) * report["iterations"]
    assert rest <= RTOL[kind] * norm(b) + size * u
    assert norm(x - truth) <= 900 * rest
    assert report["relative_residual"] * norm(b) == pytest.approx(rest, rel=1e-3)
    # As far as the precision goes.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x, info = method(a, b, rtol=8 * u, maxiter=50 * n)
    assert norm(x - truth) <= 900 * 60 * u * (norm(x) + norm(b))


@pytest.mark.parametrize("method", METHODS)
def test_iterations_are_scipys(method):
    n = 60
    a = differences(n, 2.3) if method in (cg, minres) else nonsymmetric(n)
    b = np.cos(np.arange(n))
    theirs = getattr(scipys, method.__name__)
    ours_seen, theirs_seen = [], []
    kind = {"callback_type": "x"} if method is gmres else {}
    x, info = method(a, b, rtol=1e-9, callback=ours_seen.append, **kind)
    y, _ = theirs(a, b, rtol=1e-9, callback=lambda y: theirs_seen.append(y.copy()), **kind)
    assert info == 0 and abs(x - y).max() < 1e-7
    assert all(seen.shape == (n,) and seen.dtype == np.float64 for seen in ours_seen)
    assert (ours_seen[-1] == x).all() and not (ours_seen[0] == x).all()
    # MINRES of SciPy ends by another rule.
    common = min(len(ours_seen), len(theirs_seen), 12)
    assert method is minres or len(ours_seen) == len(theirs_seen)
    for one, other in zip(ours_seen[:common], theirs_seen):
        assert abs(one - other).max() < 1e-9


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind, u", KINDS)
def test_callbacks_and_operators_change_no_bit(method, kind, u):
    n = 50
    a = differences(n, 2.5) if method in (cg, minres) else nonsymmetric(n)
    b, dense = right(n, kind), a.toarray()
    parts = {"callback_type": "x"} if method is gmres else {}
    for preconditioner in [None, "jacobi", "block-jacobi:7", "block-jacobi"]:
        x, info, report = method(a, b, preconditioner=preconditioner, full_output=True)
        seen = []
        y, _, other = method(
            a, b, preconditioner=preconditioner, full_output=True, callback=seen.append, **parts
        )
        assert (x == y).all() and report["history"] == other["history"] and info == 0
        assert seen[-1].dtype == kind and (seen[-1] == x).all()
        if method is not gmres:
            assert len(seen) == report["iterations"] == len(report["history"]) - 1

    class Operator:
        shape, calls = (n, n), 0

        def matvec(self, x):
            assert x.dtype == kind and x.shape == (n,)
            Operator.calls += 1
            return dense @ x

    x, info = method(Operator(), b)
    assert info == 0 and Operator.calls >= 10 and x.dtype == kind
    assert norm(dense @ x - b) <= (RTOL[kind] + 2000 * u) * norm(b)


def test_preconditioners_are_inverses():
    n = 200
    scales = 10.0 ** np.random.default_rng(3).uniform(0, 6, n)
    a = sp.diags_array(np.sqrt(scales)) @ differences(n, 2.5) @ sp.diags_array(np.sqrt(scales))
    a = ((a + a.T) / 2).tocsr()
    b = right(n, nn.dd)
    _, info, plain = cg(a, b, rtol=1e-12, full_output=True)
    assert info == 0
    inverse = 1 / a.diagonal()
    counts = []
    for m in [
        "jacobi", sp.diags_array(inverse), np.diag(inverse), (inverse, (range(n), range(n))),
        (inverse.astype(nn.dd), range(n), range(n + 1)),
        scipys.LinearOperator((n, n), matvec=lambda r: inverse * r),
    ]:
        x, info, report = cg(a, b, rtol=1e-12, M=m, full_output=True)
        assert info == 0 and norm(a.toarray() @ x - b) < 1.01e-12 * norm(b)
        counts.append(report["iterations"])
    assert max(counts) - min(counts) <= 2 and max(counts) < plain["iterations"] / 3
    x, info, report = cg(a, b, preconditioner="incomplete-cholesky", full_output=True)
    # No fill-in is left out for three diagonals.
    assert info == 0 and report["iterations"] <= 3
    with pytest.raises(TypeError, match="found both"):
        cg(a, b, M=sp.eye_array(n), preconditioner="jacobi")
    with pytest.raises(ValueError, match="expected jacobi, block-jacobi"):
        cg(a, b, M="ilu")
    with pytest.raises(ValueError, match="needs the entries"):
        cg(scipys.aslinearoperator(a), b, M="jacobi")
    with pytest.raises(ValueError, match=r"M: expected shape \(200, 200\)"):
        cg(a, b, M=sp.eye_array(3))
    with pytest.raises(nn.NoniusError, match="diagonal entry of row 1 "):
        minres(sp.coo_array(np.array([[0.0, 1.0], [1.0, 0.0]])), [1, 1], M="jacobi")


@pytest.mark.parametrize("index", [np.int32, np.int64, np.uint16])
def test_matrices_of_all_forms(index):
    n = 12
    a = nonsymmetric(n)
    b = right(n, nn.dd)
    truth, _ = bicgstab(a, b)
    for form in ["csr", "csc", "coo", "bsr", "dia", "dok", "lil"]:
        for matrix in [a.asformat(form), sp.csr_matrix(a).asformat(form)]:
            assert (bicgstab(matrix, b)[0] == truth).all(), form
    csr = a.copy()
    coo = a.tocoo()
    row, col = (np.asarray(part).astype(index) for part in (coo.row, coo.col))
    indices, starts = csr.indices.astype(index), csr.indptr.astype(index)
    rng = np.random.default_rng(7)
    order = rng.permutation(coo.nnz)
    for values in [coo.data, coo.data.astype(nn.dd), coo.data.astype(">f8")]:
        assert (bicgstab((values, (row, col)), b)[0] == truth).all()
        assert (bicgstab((values[order], (row[order], col[order])), b)[0] == truth).all()
        assert (bicgstab((values, indices, starts), b)[0] == truth).all()
        assert (bicgstab((values[::-1], (list(row[::-1]), col[::-1])), b)[0] == truth).all()
        # Two halves of each entry are added.
        twice = np.concatenate([values, values]) / 2
        assert (bicgstab((twice, (np.tile(row, 2), np.tile(col, 2))), b)[0] == truth).all()
    for dense in [a.toarray(), np.asfortranarray(a.toarray()), a.toarray().astype(nn.dd), a.toarray().tolist()]:
        assert abs(bicgstab(dense, b)[0] - truth).max() < 1e-19
    for form in ["csr", "ell", "jad", "dia", "full"]:
        assert abs(bicgstab(a, b, format=form)[0] - truth).max() < 1e-19
    # Entries of rows in any order.
    unsorted = csr.copy()
    for i in range(n):
        part = slice(unsorted.indptr[i], unsorted.indptr[i + 1])
        unsorted.indices[part], unsorted.data[part] = csr.indices[part][::-1], csr.data[part][::-1]
    unsorted.has_sorted_indices = False
    assert (bicgstab(unsorted, b)[0] == truth).all()
    # Vectors that are not contiguous, and single precision.
    assert (bicgstab(a, np.stack([b, b], axis=1)[:, 1])[0] == truth).all()
    assert bicgstab(a.astype(np.float32), b, x0=truth[::-1][::-1].reshape(n, 1))[1] == 0
    assert bicgstab(a, b.reshape(n, 1))[0].shape == (n,)


def test_values_have_all_their_digits():
    third = np.array([1], dtype=nn.qd) / 3
    a = (np.concatenate([third, 2 * third]), ([0, 1], [0, 1]))
    x, info = cg(a, np.array([1.0, 1.0]))
    assert x.dtype == nn.qd and info == 0 and abs(x[0] - 3) < 1e-60 and abs(x[1] - 1.5) < 1e-60
    x, _ = cg((np.array([Fraction(1, 3), Fraction(2, 3)]), ([0, 1], [0, 1])), np.array([1, 1], dtype=nn.qd))
    assert abs(x[0] - 3) < 1e-60
    # Whole numbers beyond those of doubles, and within.
    big = 2**60 + 1
    matrix = sp.coo_array((np.array([big, 1]), ([0, 1], [0, 1])), shape=(2, 2))
    x, _ = cg(matrix, np.array([big, 1], dtype=nn.dd), rtol=1e-28)
    assert abs(x[0] - 1) < 1e-31
    assert cg(sp.eye_array(2, dtype=int), np.ones(2))[0].dtype == np.float64
    assert cg(sp.eye_array(2), [1, 2])[0].dtype == nn.dd
    assert cg(sp.eye_array(2), np.ones(2), precision="td")[0].dtype == nn.td
    assert cg(sp.eye_array(2), np.ones(2), x0=np.ones(2, dtype=nn.qd))[0].dtype == nn.qd
    assert cg(sp.eye_array(2, dtype=bool), np.ones(2))[0].tolist() == [1, 1]
    operator = scipys.LinearOperator((2, 2), matvec=lambda x: 2 * x, dtype=np.float64)
    assert cg(operator, np.array([1, 2], dtype=nn.qd))[0].astype(float).tolist() == [0.5, 1]


def test_ends_of_iterations():
    n = 50
    a, b = differences(n), np.ones(n)
    for method in METHODS:
        # No iteration at all: the start comes back, and that is no convergence.
        start = np.arange(n) * 1.0
        x, info, report = method(a, b, x0=start, maxiter=0, full_output=True)
        assert (x == start).all() and info == 1 and report["iterations"] == 0
        assert report["stopped"] == "iterations"
        # Nothing to do.
        x, info = method(a, np.zeros(n), x0=start)
        assert info == 0 and not x.any() and x.dtype == np.float64
        x, info = method(a, np.zeros(n, dtype=nn.qd))
        assert info == 0 and (x == 0).all()
        # A start that is the solution, or near it.
        truth = nn.linalg.solve(a.toarray(), b, precision="dd")
        x, info, report = method(a, b.astype(nn.dd), x0=truth, full_output=True, rtol=1e-25)
        assert info == 0 and report["iterations"] == 0 and (x == truth).all()
        x, info, report = method(a, b, x0=truth.astype(float) + 1e-3, full_output=True)
        assert info == 0 and norm(a @ x - b) <= 1.001e-5 * norm(b)
        # The absolute tolerance.
        x, info = method(a, b, rtol=0, atol=0.5)
        assert info == 0 and norm(a @ x - b) <= 0.5
        x, info, report = method(a, b, atol=10.0, full_output=True)
        assert info == 0 and report["iterations"] == 0 and not x.any()
        assert method(sp.csr_array((0, 0)), np.empty(0))[1] == 0
    for method, most in [(cg, 7), (minres, 7), (bicgstab, 7), (gmres, 14)]:
        restart = {"restart": 2} if method is gmres else {}
        x, info, report = method(a, b, maxiter=7, full_output=True, **restart)
        assert info == most == report["iterations"] and not report["converged"]
    x, info = gmres(a, b, restart=2, maxiter=7, callback=lambda r: None)
    assert info == 7
    seen = []
    x, info, report = gmres(a, b, restart=4, maxiter=3, callback=seen.append, callback_type="pr_norm", full_output=True)
    assert seen == report["history"][1:] and len(seen) == info == 12
    x, info = gmres(a, b, restart=4, maxiter=3, callback=seen.append, callback_type="x")
    assert len(seen) == 15 and (seen[-1] == x).all()


def test_far_from_one():
    n = 30
    a, b = differences(n), right(n, nn.dd)
    truth, _ = cg(a, b)
    for power in [-250, 250]:
        x, info = cg(a * 10.0**power, b)
        assert info == 0 and abs(x * 10.0**power - truth).max() < 1e-18
        x, info = cg(a, b * 10.0**power)
        assert info == 0 and abs(x / 10.0**power - truth).max() < 1e-18
    x, info = cg(np.array([[1.0]]), [5e-324], precision="f64")
    assert info == 0 and x[0] == 5e-324


def test_indefinite_and_singular_matrices():
    indefinite = np.diag([1.0, -2.0, 3.0, -4.0])
    x, info = minres(indefinite, np.ones(4, dtype=nn.qd))
    assert info == 0 and abs(x - 1 / np.diag(indefinite).astype(nn.qd)).max() < 1e-39
    with pytest.warns(nn.linalg.NoniusWarning, match="not positive definite") as seen:
        _, _, report = cg(indefinite, np.array([1.0, 2, 3, 4]), full_output=True)
    assert report["non_positive"][1] >= 1 and seen[0].filename == __file__
    with pytest.raises(nn.NoniusError, match="broke down: p·Ap is 0"):
        cg(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 0.0]))
    # A singular matrix whose system has solutions, and one whose system has none.
    singular = differences(20).toarray()
    singular[0, 0] = singular[-1, -1] = 1
    b = np.zeros(20)
    b[3], b[17] = 1, -1
    x, info = minres(singular, b)
    assert info == 0 and norm(singular @ x - b) < 1.1e-5 * norm(b)
    for method in METHODS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                x, info = method(singular, np.ones(20), maxiter=100)
            except nn.NoniusError as error:
                assert "broke down" in str(error)
            else:
                assert info > 0
    # Rows without entries.
    empty = sp.csr_array((np.array([1.0]), np.array([1]), np.array([0, 0, 1, 1])), shape=(3, 3))
    x, info = minres(empty, np.array([0.0, 2.0, 0.0]))
    assert info == 0 and x.tolist() == [0, 2, 0]


def test_errors_say_what_is_wrong():
    a, b = differences(4), np.ones(4)
    wrong = [
        (ValueError, r"b: expected 4 numbers, as many as A has rows, found 5", (a, np.ones(5))),
        (ValueError, r"A: expected a square matrix, found shape \(2, 3\)", (np.ones((2, 3)), b)),
        (ValueError, r"A: expected a square matrix, found shape \(4, 3\)", (sp.csr_array((4, 3)), b)),
        (ValueError, r"b: expected shape \(n,\) or \(n, 1\), found \(2, 2\)", (a, np.ones((2, 2)))),
        (ValueError, r"b: expected shape", (a, 1.0)),
        (ValueError, r"b: entry 2 is infinite or NaN", (a, [1.0, 1.0, np.nan, 1.0])),
        (ValueError, r"x0: entry 0 is infinite or NaN", (a, b, [np.inf, 0, 0, 0])),
        (ValueError, r"x0: expected shape \(4,\)", (a, b, np.ones(3))),
        (TypeError, r"A: expected real numbers, found complex128", (a * 1j, b)),
        (TypeError, r"b: expected real numbers, found complex128", (a, b * 1j)),
        (ValueError, r"A: entry 1 has row 0 and column 4, outside of 4 rows", (([1.0, 2.0], ([0, 0], [0, 4])), b)),
        (ValueError, r"A: entry 0 has row -1", (([1.0], ([-1], [0])), b)),
        (ValueError, r"A: indptr: expected 5 numbers, found 2", (([1.0], [0], [0, 1]), b)),
        (ValueError, r"A: indptr: expected numbers that ascend", (([1.0], [0], [0, 1, 0, 1, 1]), b)),
        (ValueError, r"A: indptr: expected numbers that ascend", (([1.0], [0], [0, 1, 2, 3, 4]), b)),
        (ValueError, r"A: expected as many values as indices", (([1.0], ([0, 1], [0, 1])), b)),
        (ValueError, r"A: expected \(data, indices, indptr\)", (([1.0], [0]), b)),
        (TypeError, r"A: expected one dimension of integers, found float64", (([1.0], ([0.5], [0])), b)),
        (ValueError, r"not symmetric: entry \(2, 1\).*cg or its preconditioner", (np.tril(np.ones((4, 4))), b)),
        (ValueError, r"operand a is infinite or not a number in row 2, column 2", (np.diag([1, np.nan, 1, 1]), b)),
    ]
    for kind, match, arguments in wrong:
        with pytest.raises(kind, match=match):
            cg(*arguments)
    for match, options in [
        ("rtol: expected a finite number", {"rtol": -1}),
        ("rtol: expected a finite number", {"rtol": np.nan}),
        ("atol: expected a finite number", {"atol": np.inf}),
        ("maxiter: expected at least 0, found -1", {"maxiter": -1}),
        ("precision", {"precision": "fp16"}),
        ("unknown device", {"device": "gpu"}),
        ("storage 'x'|storage \"x\"", {"storage": "x"}),
        ("residues take mp precisions", {"storage": "residues"}),
        ("unknown name `coo`: expected csr", {"format": "coo"}),
        ("residual \"x\": expected recursive or true", {"residual": "x"}),
        ("device: operators, M and callbacks", {"device": "cuda", "M": sp.eye_array(4)}),
        ("refine: takes no operators", {"refine": 1e-8, "callback": print}),
    ]:
        with pytest.raises(ValueError, match=match):
            cg(a, b, **options)
    with pytest.raises(ValueError, match="restart: expected at least 1, found 0"):
        gmres(a, b, restart=0)
    with pytest.raises(ValueError, match="callback_type: expected x, pr_norm or legacy"):
        gmres(a, b, callback_type="r")
    with pytest.raises(TypeError):
        cg(a, b, maxiter=1.5)
    gmres(a, b, restart=10**30, maxiter=10**30)
    for result, kind, match in [
        (np.ones(3), ValueError, r"A.matvec: expected shape \(4,\)"),
        (np.ones(4) * 1j, TypeError, "A.matvec: expected real numbers"),
        (None, (ValueError, TypeError), "expected|found"),
        (np.full(4, np.nan), nn.NoniusError, "broke down"),
    ]:
        operator = scipys.LinearOperator((4, 4), matvec=lambda x: x, dtype=float)
        operator.matvec = lambda x, result=result: result
        for method in METHODS:
            with pytest.raises(kind, match=match):
                method(operator, b)


@pytest.mark.parametrize("method", METHODS)
def test_exceptions_come_through_unchanged(method):
    class Own(Exception):
        pass

    own = Own("mine")
    a, b = differences(30, 2.5), np.ones(30)

    def fail_at(count):
        calls = []

        def function(x):
            calls.append(1)
            if len(calls) == count:
                raise own
            return x

        return function, calls

    for count in [1, 2, 5]:
        function, calls = fail_at(count)
        parts = {"callback_type": "pr_norm"} if method is gmres else {}
        with pytest.raises(Own) as seen:
            method(a, b, rtol=1e-12, callback=function, **parts)
        assert seen.value is own and len(calls) == count
        function, calls = fail_at(count)

        class Operator:
            shape = (30, 30)

            def matvec(self, x, function=function):
                return a @ function(x)

        with pytest.raises(Own) as seen:
            method(Operator(), b, rtol=1e-12)
        assert seen.value is own and len(calls) == count
        function, calls = fail_at(count)
        operator = scipys.LinearOperator((30, 30), matvec=function, dtype=float)
        with pytest.raises(Own) as seen:
            method(a, b, M=operator, rtol=1e-12)
        assert seen.value is own


def test_signals_end_iterations():
    program = """
import numpy as np, nonius as nn, os, signal, threading
n = 3000
i = np.arange(n)
a = (np.ones(n), (i, (i + 1) % n))
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    nn.sparse.linalg.gmres(a, np.eye(n)[0].astype(nn.qd), restart=5, maxiter=10**9)
except KeyboardInterrupt:
    print("interrupted")
"""
    path = os.pathsep.join([str(Path(nn.__file__).parents[1]), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path}
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, env=environment
    )
    assert found.stdout == "interrupted\n", found.stderr


def test_other_threads_run_meanwhile():
    a, b = differences(2000), np.ones(2000).astype(nn.qd)
    count, done = [0], threading.Event()

    def work():
        while not done.is_set():
            count[0] += 1
            done.wait(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        cg(a, b, maxiter=300)
    finally:
        done.set()
        thread.join()
    assert count[0] > 5


def test_refinement_and_residuals():
    n = 60
    a, b = differences(n), right(n, nn.qd)
    x, info, report = cg(a, b, refine=1e-8, rtol=1e-50, full_output=True)
    assert info == 0 and report["inner_iterations"] > report["iterations"] > 3
    assert norm(a.toarray() @ x - b) <= 1e-50 * norm(b)
    x, info, report = cg(a, b, residual="true", rtol=1e-55, full_output=True)
    assert info == 0 and norm(a.toarray() @ x - b) <= 1.0001e-55 * norm(b)
    # A condition that leaves no digit of doubles.
    h = 1 / np.add.outer(np.arange(1, 13), np.arange(12)).astype(nn.qd)
    with pytest.warns(nn.linalg.NoniusWarning, match="true residual"):
        minres(h, h @ np.arange(12).astype(nn.qd) ** 3, precision="f64", rtol=1e-16)
    x, info = cg(h, h @ np.ones(12).astype(nn.qd), rtol=1e-50, maxiter=1000)
    assert info == 0 and abs(x - 1).max() < 1e-30


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 12), st.integers(0, 2**32 - 1), st.sampled_from(KINDS))
def test_random_systems(n, seed, kind):
    kind, u = kind
    rng = np.random.default_rng(seed)
    half = sp.random_array((n, n), density=0.4, rng=rng)
    a = (half + half.T + 2 * n * sp.eye_array(n)).tocsr()
    exact = rng.integers(-9, 9, n).astype(np.float64).astype(kind)
    b = a.toarray() @ exact
    for method in METHODS:
        x, info = method(a, b)
        assert info == 0 and norm(x - exact) <= (3 * RTOL[kind] + 100 * u) * norm(exact)


@pytest.mark.parametrize("name", ["bcsstk01", "bcsstk03", "nos4"])
def test_matrices_of_the_collection(name):
    path = Path(__file__).parents[3] / "data" / f"{name}.mtx.xz"
    a = mmread(io.BytesIO(lzma.decompress(path.read_bytes()))).tocsr()
    b = a @ np.ones(a.shape[0])
    x, info, report = cg(a, b.astype(nn.qd), M="jacobi", rtol=1e-50, maxiter=10**4, full_output=True)
    truth = nn.linalg.solve(a.toarray(), b, digits=40)
    assert info == 0 and norm(x - truth) <= 1e-38 * norm(truth)


def test_scipy_is_not_imported():
    program = "import sys, numpy as np, nonius as nn; nn.sparse.linalg.cg(np.eye(2), np.ones(2)); print('scipy' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(nn.__file__).parents[1])}
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert found.stdout == "False\n", found.stderr
