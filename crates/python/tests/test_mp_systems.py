"""Sparse and tridiagonal systems at any bits, beside mpmath at twice the bits."""

import mpmath
import nonius as nn
import numpy as np
import pytest
import scipy.sparse as sp
from nonius.sparse.linalg import bicgstab, cg, gmres, minres

BITS = [106, 212, 424]
METHODS = {"cg": cg, "minres": minres, "bicgstab": bicgstab, "gmres": gmres}


def differences(n):
    """A symmetric positive definite matrix, with numbers below and above the diagonal alike."""
    off = -np.ones(n - 1)
    return sp.diags_array([off, np.full(n, 2.5), off], offsets=[-1, 0, 1]).tocsr()


def nonsymmetric(n):
    diagonals = [np.full(n - 1, -1.5), np.full(n, 4.0), np.full(n - 3, 0.25)]
    return sp.diags_array(diagonals, offsets=[-1, 0, 3]).tocsr()


def roots(n, bits):
    """Numbers with all bits."""
    return np.sqrt(np.arange(2, n + 2).astype(nn.mp(bits)))


def exact(x):
    numerator, denominator = x.as_integer_ratio()
    return mpmath.mpf(numerator) / mpmath.mpf(denominator)


def by_mpmath(a, b):
    """The solution of a dense system; the precision is the context's."""
    rows = [[exact(x) if hasattr(x, "as_integer_ratio") else x for x in row] for row in a]
    return mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix([exact(x) for x in b]))


def distance(x, truth):
    """The norm of the error, and that of the solution."""
    errors = [exact(found) - true for found, true in zip(x, truth)]
    return mpmath.norm(mpmath.matrix(errors)), mpmath.norm(truth)


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("storage", ["positional", "residues"])
@pytest.mark.parametrize("method", METHODS)
def test_iterations(method, storage, bits):
    n, rtol = 24, 10.0 ** -int(0.28 * bits)
    a = differences(n) if method in ("cg", "minres") else nonsymmetric(n)
    b = roots(n, bits)
    x, info, report = METHODS[method](a, b, rtol=rtol, storage=storage, full_output=True, maxiter=20 * n)
    assert info == 0 and report["converged"] and x.dtype == nn.mp(bits)
    with mpmath.workprec(2 * bits):
        error, size = distance(x, by_mpmath(a.toarray(), b))
        inverse = 1 / np.linalg.svd(a.toarray(), compute_uv=False)[-1]
        rest = mpmath.mpf(rtol) * mpmath.norm(mpmath.matrix([exact(v) for v in b]))
        # The residual has its limit, and each iteration adds roundings of x and A·x.
        roundings = 2.0 * 10 * report["iterations"] * size * mpmath.mpf(2) ** -bits
        assert error <= inverse * (rest + 6.5 * roundings)
        # The tolerance is worth 0.93 of the bits, of which the condition takes some.
        assert error > 0 and -mpmath.log(error / size, 2) > 0.9 * bits - 16


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("method", METHODS)
def test_matrices_of_all_bits(method, bits):
    n, kind = 16, nn.mp(bits)
    a = differences(n) if method in ("cg", "minres") else nonsymmetric(n)
    third = np.array(1).astype(kind) / 3
    coo = a.tocoo()
    entries = (coo.data.astype(kind) * third, (coo.row, coo.col))
    dense = a.toarray().astype(kind) * third
    b = roots(n, bits)
    rtol = 10.0 ** -int(0.28 * bits)
    for given in (entries, dense):
        x, info = METHODS[method](given, b, rtol=rtol, maxiter=20 * n)
        assert info == 0 and x.dtype == kind
        with mpmath.workprec(2 * bits):
            error, size = distance(x, by_mpmath(dense, b))
            assert -mpmath.log(error / size, 2) > 0.9 * bits - 16
    # Numbers of doubles in `A` leave the precision to `b`.
    x, _ = METHODS[method](a, b, rtol=rtol, maxiter=20 * n)
    assert x.dtype == kind


@pytest.mark.parametrize("bits", BITS)
def test_the_default_tolerance_grows_with_the_bits(bits):
    a, b = differences(20), roots(20, bits)
    _, info, report = cg(a, b, full_output=True)
    assert info == 0 and 10.0 ** (-0.2 * bits) < report["tolerance"] < 10.0 ** (-0.18 * bits)


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("method, n", [("thomas", 33), ("pcr", 33), ("hybrid", 70), ("auto", 1)])
def test_tridiagonal_systems(method, n, bits):
    kind, count = nn.mp(bits), 2
    rng = np.random.default_rng(bits + n)
    dl, du = (rng.uniform(-1, 1, (count, n)).astype(kind) / 3 for _ in range(2))
    d = (2 + rng.random((count, n))).astype(kind) / 7
    b = roots(count * n, bits).reshape(count, n)
    x, report = nn.solve_tridiagonal(dl, d, du, b, method=method, info=True)
    assert x.dtype == kind and x.shape == b.shape and not report["failures"]
    with mpmath.workprec(2 * bits):
        for system in range(count):
            a = np.zeros((n, n), dtype=kind)
            a[np.arange(n), np.arange(n)] = d[system]
            a[np.arange(1, n), np.arange(n - 1)] = dl[system, 1:]
            a[np.arange(n - 1), np.arange(1, n)] = du[system, :-1]
            error, size = distance(x[system], by_mpmath(a, b[system]))
            condition = np.linalg.cond(a.astype(float))
            # Without exchanges of rows the factors may grow, by 4 for each level of reduction here.
            assert error <= condition * 4 * 64 * mpmath.mpf(2) ** -bits * size


@pytest.mark.parametrize("bits", BITS)
def test_tridiagonal_systems_with_exchanges_and_corners(bits):
    kind, n = nn.mp(bits), 20
    rng = np.random.default_rng(bits)
    dl, d, du = (rng.standard_normal(n).astype(kind) / 3 for _ in range(3))
    b = roots(n, bits)
    a = np.zeros((n, n), dtype=kind)
    a[np.arange(n), np.arange(n)] = d
    a[np.arange(1, n), np.arange(n - 1)] = dl[1:]
    a[np.arange(n - 1), np.arange(1, n)] = du[:-1]
    around = a.copy()
    around[0, n - 1], around[n - 1, 0] = dl[0], du[-1]
    for matrix, options in [(a, {"pivoting": True}), (around + 3 * np.eye(n), {"periodic": True})]:
        diagonal = np.array([matrix[i, i] for i in range(n)], dtype=kind)
        x = nn.solve_tridiagonal(dl, diagonal, du, b, **options)
        with mpmath.workprec(2 * bits):
            error, size = distance(x, by_mpmath(matrix, b))
            condition = np.linalg.cond(matrix.astype(float))
            assert error <= condition * 8 * n * mpmath.mpf(2) ** -bits * size
