"""Batches of tridiagonal systems."""

import nonius as nn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

KINDS = [(np.float64, 2.0**-52), (nn.dd, 2.0**-104), (nn.td, 2.0**-156), (nn.qd, 2.0**-208)]


def dense(dl, d, du, periodic=False):
    n = d.shape[0]
    a = np.zeros((n, n), dtype=d.dtype)
    for i in range(n):
        a[i, i] = d[i]
        if i > 0 or periodic:
            a[i, i - 1] = dl[i]
        if i + 1 < n or periodic:
            a[i, (i + 1) % n] = du[i]
    return a


def batch(rng, shape, kind):
    """Diagonally dominant systems of numbers that are no doubles."""
    dl, du, b = (rng.uniform(-1, 1, shape).astype(kind) / 3 for _ in range(3))
    d = 2 + rng.uniform(0, 1, shape).astype(kind) / 3
    return dl, d, du, b


@pytest.mark.parametrize("kind, u", KINDS)
@pytest.mark.parametrize("method, pivoting, periodic", [
    ("auto", False, False), ("thomas", False, False), ("pcr", False, False), ("hybrid", False, False),
    ("thomas", True, False), ("auto", True, True), ("pcr", False, True),
])
def test_solutions_are_those_of_dense_systems(kind, u, method, pivoting, periodic):
    rng = np.random.default_rng(1)
    for n in [3, 7, 33]:
        dl, d, du, b = batch(rng, (2, 3, n), kind)
        # What lies outside of the matrix is not read.
        if not periodic:
            dl[..., 0], du[..., -1] = np.nan, np.inf
        x, info = nn.solve_tridiagonal(
            dl, d, du, b, method=method, pivoting=pivoting, periodic=periodic, info=True
        )
        assert x.shape == (2, 3, n) and x.dtype == kind and info["failures"] == []
        assert info["device"] == "cpu" and info["method"] == ("thomas" if method == "auto" else method)
        for i, j in np.ndindex(2, 3):
            a = dense(dl[i, j], d[i, j], du[i, j], periodic)
            truth = nn.linalg.solve(a, b[i, j], digits=62)
            assert abs(x[i, j] - truth).max() <= 200 * u * abs(truth).max()


def test_shapes_are_broadcast():
    rng = np.random.default_rng(2)
    dl, d, du, b = batch(rng, 5, nn.qd)
    many = rng.uniform(-1, 1, (4, 2, 5)).astype(nn.qd)
    x = nn.solve_tridiagonal(dl, d, du, many)
    assert x.shape == (4, 2, 5) and x.flags.c_contiguous
    for i, j in np.ndindex(4, 2):
        assert (x[i, j] == nn.solve_tridiagonal(dl, d, du, many[i, j])).all()
    x = nn.solve_tridiagonal(dl, np.stack([d, 2 * d]), du, b)
    assert x.shape == (2, 5) and (x[1] == nn.solve_tridiagonal(dl, 2 * d, du, b)).all()
    x = nn.solve_tridiagonal(dl, np.stack([d, 2 * d])[:, None], du, np.stack([b, b, -b]))
    assert x.shape == (2, 3, 5) and (x[:, 0] == -x[:, 2]).all()
    # Strides of all kinds, other byte orders, and lists.
    wide = np.stack([b, b], axis=1)
    assert (nn.solve_tridiagonal(dl, d, du, wide[:, 0]) == nn.solve_tridiagonal(dl, d, du, b)).all()
    backward = nn.solve_tridiagonal(du[::-1], d[::-1], dl[::-1], b[::-1])[::-1]
    assert abs(backward - nn.solve_tridiagonal(dl, d, du, b)).max() < 1e-60
    ones, swapped = np.ones(3), np.full(3, 4.0).astype(">f8")
    assert nn.solve_tridiagonal(ones, swapped, ones, [5.0, 6.0, 5.0]).tolist() == [1, 1, 1]
    x = nn.solve_tridiagonal([0, 1], [2, 2], [1, 0], [3, 3])
    assert x.dtype == nn.dd and x.astype(float).tolist() == [1, 1]
    assert nn.solve_tridiagonal(ones, swapped, ones, ones, precision="td").dtype == nn.td
    assert nn.solve_tridiagonal([7.0], [2.0], [9.0], [6.0]).tolist() == [3]
    for shape in [(0,), (3, 0), (0, 3), (2, 0, 3)]:
        x, info = nn.solve_tridiagonal(*[np.ones(shape, dtype=nn.dd)] * 4, info=True)
        assert x.shape == shape and x.dtype == nn.dd and info["failures"] == []


@pytest.mark.parametrize("kind, u", KINDS)
def test_failures_are_told_by_index(kind, u):
    rng = np.random.default_rng(3)
    dl, d, du, b = batch(rng, (4, 5, 6), kind)
    whole = nn.solve_tridiagonal(dl, d, du, b)
    b[0, 3, 1] = np.nan
    d[2, 1, 0] = 0
    dl[3, 4] = du[3, 4] = 0
    d[3, 4, 5] = 0
    x, info = nn.solve_tridiagonal(dl, d, du, b, info=True)
    assert [(index, cause.split()[-1]) for index, _, cause in info["failures"]] == [
        ((0, 3), "NaN"), ((2, 1), "almost"), ((3, 4), "almost")
    ]
    assert [row for _, row, _ in info["failures"]] == [1, 0, 5]
    failed = np.isnan(x)
    assert failed.sum() == 18 and failed[0, 3].all() and failed[2, 1].all() and failed[3, 4].all()
    assert (x[~failed] == whole[~failed]).all()
    with pytest.raises(nn.NoniusError, match=r"system \(0, 3\).*NaN in row 1; 3 of 20 failed, pivoting=True"):
        nn.solve_tridiagonal(dl, d, du, b)
    # Exchanges of rows solve the one with a zero on its diagonal.
    x, info = nn.solve_tridiagonal(dl, d, du, b, pivoting=True, info=True)
    assert [index for index, _, _ in info["failures"]] == [(0, 3), (3, 4)]
    truth = nn.linalg.solve(dense(dl[2, 1], d[2, 1], du[2, 1]), b[2, 1], digits=62)
    assert abs(x[2, 1] - truth).max() <= 2000 * u * abs(truth).max()
    with pytest.raises(nn.NoniusError, match="^the system has no solution"):
        nn.solve_tridiagonal([0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [1.0, 1.0])
    x, info = nn.solve_tridiagonal([0.0], [5e-324], [0.0], [1e300], info=True)
    assert info["failures"] == [((), 0, "the unknown exceeds the range of the numbers")] and np.isnan(x[0])
    assert nn.solve_tridiagonal([0.0], [5e-324], [0.0], [1e-323]).tolist() == [2]


def test_errors_say_what_is_wrong():
    ones = np.ones(4)
    with pytest.raises(ValueError, match=r"dl: expected a last dimension of 4, as d has \(dl\[..., 0\] is not read\), found 3"):
        nn.solve_tridiagonal(ones[1:], ones, ones, ones)
    with pytest.raises(ValueError, match=r"du: .*\(du\[..., 3\] is not read\), found 3"):
        nn.solve_tridiagonal(ones, ones, ones[1:], ones)
    with pytest.raises(ValueError, match="b: expected a last dimension of 4, as d has, found 5"):
        nn.solve_tridiagonal(ones, ones, ones, np.ones(5))
    with pytest.raises(ValueError, match=r"broadcast, found dl \(2, 4\)"):
        nn.solve_tridiagonal(np.ones((2, 4)), ones, ones, np.ones((3, 4)))
    with pytest.raises(ValueError, match="d: expected a dimension or more"):
        nn.solve_tridiagonal(ones, 2.0, ones, ones)
    with pytest.raises(TypeError, match="b: expected real numbers, found complex128"):
        nn.solve_tridiagonal(ones, ones, ones, ones * 1j)
    for match, options in [
        ("unknown method `lu`: expected auto, thomas", {"method": "lu"}),
        ("the method pcr exchanges no rows", {"method": "pcr", "pivoting": True}),
        ("unknown device", {"device": "tpu"}),
        ("precision", {"precision": "half"}),
    ]:
        with pytest.raises(ValueError, match=match):
            nn.solve_tridiagonal(ones, 4 * ones, ones, ones, **options)
    with pytest.raises(ValueError, match="3 equations or more, not 2"):
        nn.solve_tridiagonal(ones[:2], ones[:2], ones[:2], ones[:2], periodic=True)
    # Sizes are looked at before memory is taken.
    with pytest.raises(MemoryError, match="100000000 systems of 1000000 equations"):
        thousand = np.broadcast_to(1.0, (10**8, 10**6))
        nn.solve_tridiagonal(thousand, thousand, thousand, thousand, precision="qd")


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 20), st.integers(0, 2**32 - 1), st.sampled_from(KINDS))
def test_pivoting_finds_small_residuals(n, seed, kind):
    kind, u = kind
    rng = np.random.default_rng(seed)
    dl, d, du, b = (rng.integers(-3, 4, n).astype(np.float64).astype(kind) / 3 for _ in range(4))
    x, info = nn.solve_tridiagonal(dl, d, du, b, pivoting=True, info=True)
    a = dense(dl, d, du)
    if info["failures"]:
        # Either no solution is there, or none that the precision finds.
        assert np.linalg.cond(a.astype(float)) > 1e12
        return
    rest = abs(a.astype(nn.qd) @ x.astype(nn.qd) - b).max()
    assert rest <= 100 * n * u * (abs(a).max() * abs(x).max() + abs(b).max())
