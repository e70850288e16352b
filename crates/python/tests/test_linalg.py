"""Tasks of dense matrices."""

import warnings
from fractions import Fraction

import nonius as nn
import numpy as np
import pytest


def hilbert(n, kind):
    i = np.arange(1, n + 1)
    return 1 / np.add.outer(i, i - 1).astype(kind)


@pytest.mark.parametrize("kind, bound", [(nn.dd, 1e-15), (nn.td, 1e-30), (nn.qd, 1e-45)])
def test_hilbert_systems(kind, bound):
    a = hilbert(10, kind)
    for order in "CF":
        x, info = nn.linalg.solve(np.array(a, order=order), a @ np.ones(10).astype(kind), info=True)
        assert x.dtype == kind and x.shape == (10,)
        assert abs(x - 1).max() < bound and info["correct_digits"] > -np.log10(bound)
        assert info["method"] == "cholesky" and info["device"] == "cpu"
        assert info["out_of_core"] is False
    b = np.ones((10, 3)).astype(kind)
    assert nn.linalg.solve(a, b).shape == (10, 3)
    assert nn.linalg.solve(a[:, ::-1][:, ::-1], b[:, 0]).dtype == kind


def test_digits_are_proved():
    a = hilbert(12, nn.qd)
    x, info = nn.linalg.solve(a, np.eye(12)[0], digits=50, info=True)
    assert x.dtype == nn.qd and info["digits"] >= 50 and info["error_bound"] < 1e-50
    assert abs(a @ x - np.eye(12)[0]).max() < 1e-40
    with pytest.raises(nn.NoniusError, match="singular"):
        nn.linalg.solve(np.ones((2, 2)), [1, 2], digits=10)
    # Every number returned has the digits, the rounding to its type included.
    for digits, kind in [(30, nn.dd), (31, nn.td), (46, nn.td), (47, nn.qd), (62, nn.qd)]:
        x, info = nn.linalg.solve([[3, 0], [0, 7]], [1, 1], digits=digits, info=True)
        assert x.dtype == kind and info["digits"] == digits
        for entry, truth in zip(x, [Fraction(1, 3), Fraction(1, 7)]):
            assert abs(Fraction(*entry.as_integer_ratio()) - truth) <= truth * Fraction(1, 2 * 10**digits)
    with pytest.raises(nn.NoniusError, match="range"):
        nn.linalg.solve([[1e-300]], [1e300], digits=10)
    with pytest.raises(ValueError, match="at most 999"):
        nn.linalg.solve(a, a, digits=1000)


def test_doubles_stay_doubles():
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((30, 30)), rng.standard_normal(30)
    x = nn.linalg.solve(a, b)
    assert x.dtype == np.float64 and np.allclose(x, np.linalg.solve(a, b))
    better = nn.linalg.solve(a, b, precision="qd")
    assert abs(a @ better - b).max() < 1e-55
    assert abs(better - x).max() < 1e-9


def test_inverses_and_determinants():
    a = hilbert(5, nn.qd)
    inverse = nn.linalg.inv(a)
    assert abs(inverse - np.round(inverse.astype(float)).astype(nn.qd)).max() < 1e-50
    assert abs(nn.linalg.det(a) * 266716800000 - 1) < 1e-50
    value, info = nn.linalg.det(np.eye(3) * 2, info=True)
    assert value == 8.0 and info["correct_digits"] > 10


def test_eigenvalues_and_singular_values():
    a = hilbert(8, nn.dd)
    values, vectors = nn.linalg.eigh(a)
    assert abs(a @ vectors - vectors * values).max() < 1e-29
    assert (nn.linalg.eigvalsh(a) - values == 0).all() or abs(nn.linalg.eigvalsh(a) - values).max() < 1e-28
    u, s, vh = nn.linalg.svd(a[:, :5])
    assert abs(u * s @ vh - a[:, :5]).max() < 1e-29 and u.shape == (8, 5) and vh.shape == (5, 5)
    assert abs(nn.linalg.cond(a) / 15257575538.0 - 1) < 1e-3


def test_least_squares():
    x = np.arange(8)
    a = np.stack([np.ones(8), x, x**2], axis=1).astype(nn.qd)
    found, info = nn.linalg.lstsq(a, a @ np.array([1, 2, 3]).astype(nn.qd), info=True)
    assert abs(found - np.array([1, 2, 3])).max() < 1e-55 and info["residual_norm"] < 1e-55


def test_errors_say_what_is_wrong():
    with pytest.raises(nn.NoniusError, match="singular"):
        nn.linalg.solve(np.zeros((2, 2)), [1, 2])
    with pytest.raises(ValueError, match="2 or more dimensions"):
        nn.linalg.solve([1, 2], [1, 2])
    with pytest.raises(ValueError):
        nn.linalg.solve(np.ones((2, 3)), [1, 2])
    with pytest.raises(ValueError, match="precision"):
        nn.linalg.solve(np.eye(2), [1, 2], precision="fp16")
    with pytest.raises(ValueError, match="unknown device"):
        nn.linalg.solve(np.eye(2), [1, 2], device="gpu")
    with pytest.raises(ValueError, match="NaN|finite|infinite"):
        nn.linalg.solve(np.full((2, 2), np.nan), [1, 2])
    with pytest.warns(nn.linalg.NoniusWarning, match="ill-conditioned"):
        nn.linalg.solve(hilbert(30, nn.dd), np.ones(30), precision="f64")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nn.linalg.solve(np.eye(2), [1, 2])
