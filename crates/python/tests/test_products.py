"""Products, norms, sums, and operands that are objects."""

import warnings
from decimal import Decimal
from fractions import Fraction

import mpmath
import nonius as nn
import numpy as np
import pytest

KINDS = [nn.dd, nn.td, nn.qd, nn.mp(106), nn.mp(212), nn.mp(424)]


def unit(kind):
    """The unit roundoff: half the distance from 1 to the next number."""
    limbs = {nn.dd: 104, nn.td: 156, nn.qd: 208}
    return Fraction(1, 2 ** limbs.get(kind, getattr(kind, "bits", 0)))


def exact(array):
    return [Fraction(*x.as_integer_ratio()) for x in np.ravel(array)]


def thirds(seed, shape, kind):
    """Numbers with all bits of a type."""
    return np.random.default_rng(seed).standard_normal(shape).astype(kind) / 3


def distance(found, a, b):
    """The largest error of a product in terms of ``|a|·|b|``, from exact sums."""
    (m, n), p = a.shape, b.shape[1]
    a, b, found = (np.array(exact(x), dtype=object).reshape(x.shape) for x in (a, b, found))
    worst = Fraction(0)
    for i in range(m):
        for j in range(p):
            terms = [a[i, k] * b[k, j] for k in range(n)]
            size = sum(map(abs, terms))
            if size:
                worst = max(worst, abs(found[i, j] - sum(terms)) / size)
    return worst


@pytest.mark.parametrize("kind", KINDS)
def test_products_take_operands_where_they_are(kind):
    a, b = thirds(1, (7, 9), kind), thirds(2, (9, 5), kind)
    wide = thirds(3, (14, 30), kind)
    wide[::2, 3:30:3], wide[1::2, 2:30:3] = a, 7
    layouts = [
        (a, b),
        (np.asfortranarray(a), np.asfortranarray(b)),
        (wide[::2, 3::3], b),
        (a[::-1, ::-1][::-1, ::-1], b.T.copy().T),
        (np.asfortranarray(np.vstack([a, a]))[:7], np.hstack([b, b])[:, :5]),
    ]
    expected = a @ b
    # A sum of n terms has at most a rounding for each product and sum.
    assert distance(expected, a, b) <= 2 * 9 * unit(kind)
    for left, right in layouts:
        assert (left == a).all() and (left @ right == expected).all()
        out = np.asfortranarray(np.zeros((7, 5), dtype=kind))
        assert np.matmul(left, right, out=out) is out and (out == expected).all()
    rows = np.broadcast_to(a[:1], (7, 9))
    assert (rows @ b == rows.copy() @ b).all()
    a.flags.writeable = False
    assert (a @ b == expected).all()


@pytest.mark.parametrize("kind", KINDS)
def test_products_with_vectors(kind):
    a, x, y = thirds(4, (3, 8, 6), kind), thirds(5, (3, 6), kind), thirds(6, (3, 8), kind)
    truth = np.einsum("kij,kj->ki", a.astype(float), x.astype(float))
    for name, found in {
        "vecdot": lambda: np.vecdot(x, x)[..., None],
        "matvec": lambda: np.matvec(a, x),
        "vecmat": lambda: np.vecmat(x, np.swapaxes(a, 1, 2)),
    }.items():
        if hasattr(np, name):
            found = found()
            assert found.dtype == kind
            for k in range(3):
                left = x[k][None] if name == "vecdot" else a[k]
                assert distance(found[k][:, None], left, x[k][:, None]) <= 2 * 8 * unit(kind)
    assert np.allclose((a[0] @ x[0]).astype(float), truth[0])
    long = thirds(7, 5000, kind)
    squares = sum(value * value for value in exact(long))
    found = exact([long @ long])[0]
    # Blocks of at most 1024 terms, their partial sums, and three levels of pairs.
    assert abs(found - squares) <= 2 * 1024 * unit(kind) * squares
    assert abs(long[::-1] @ long[::-1] - long @ long) <= float(4 * 1024 * unit(kind) * squares)
    assert np.isnan(np.full(3, np.nan).astype(kind) @ x[0, :3])


@pytest.mark.parametrize("kind", [nn.td, nn.qd, nn.mp(106), nn.mp(424)])
def test_no_flags_of_a_product_become_warnings(kind):
    # With zeros, the choice between the engines takes the logarithm of a norm that is zero.
    a, zero = thirds(8, (130, 130), kind), np.zeros((130, 130), dtype=kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not (a @ zero).any()
        # One term of each sum is not zero.
        assert distance((a @ np.eye(130))[:2], a[:2], np.eye(130).astype(kind)) <= 2 * 130 * unit(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_sums_are_those_of_the_kernels(kind):
    x = thirds(9, 4000, kind)
    truth, size = sum(exact(x)), sum(map(abs, exact(x)))
    found = exact([x.sum()])[0]
    # Partial sums of 128 terms, three levels of them, and two of blocks.
    assert abs(found - truth) <= 2 * 128 * unit(kind) * size
    apart = np.zeros((4000, 3), dtype=kind)
    apart[:, 1] = x
    assert apart[:, 1].sum() == x.sum() and apart.sum(axis=0)[1] != 0
    assert x[::-1][::-1].sum() == x.sum()
    for length in [0, 1, 2, 15, 16, 17, 100]:
        part = x[:length] + 1
        truth = sum(exact(part), Fraction(0))
        assert abs(exact([part.sum()])[0] - truth) <= 100 * unit(kind) * sum(map(abs, exact(part)))
        product = Fraction(1)
        for value in exact(part):
            product *= value
        assert abs(exact([part.prod()])[0] - product) <= 2 * 100 * unit(kind) * abs(product)
    special = np.ones(40).astype(kind)
    special[20] = np.inf
    assert special.sum() == np.inf and np.isnan((special - np.inf).sum())
    grid = thirds(10, (20, 50), kind)
    for axis in (0, 1):
        sums = grid.sum(axis=axis)
        for index, line in enumerate(grid.T if axis == 0 else grid):
            size = sum(map(abs, exact(line)))
            assert abs(exact([sums[index]])[0] - sum(exact(line))) <= 50 * unit(kind) * size


@pytest.mark.parametrize("kind", KINDS)
def test_objects_are_rounded_once(kind):
    x = np.array([1, 2, 3], dtype=kind)
    with mpmath.workprec(900):
        third = mpmath.mpf(1) / 3
        for given, value in [
            (Fraction(1, 3), Fraction(1, 3)),
            (Decimal("0.1"), Fraction(1, 10)),
            (third, Fraction(int(third.man)) * Fraction(2) ** int(third.exp)),
            (2**53 + 1, Fraction(2**53 + 1)),
            (2**90 + 1, Fraction(2**90 + 1)),
        ]:
            rounded = np.array([value], dtype=kind)[0]
            assert abs(exact([rounded])[0] - value) <= unit(kind) * value
            for found in (x * given, given * x, x * np.array([given] * 3, dtype=object)):
                assert found.dtype == kind and (found == x * rounded).all()
            assert (given - x == rounded - x).all() and (np.maximum(x, given) >= rounded).all()
            y = x.copy()
            y += given
            assert (y == x + rounded).all()
    for wrong, error in [(None, TypeError), ("ab", ValueError), (1j, TypeError), ({}, TypeError)]:
        with pytest.raises(error, match="expected a"):
            x * np.array([wrong, wrong, 1], dtype=object)
    with pytest.raises(TypeError, match="would round"):
        x < Fraction(1, 3)
    with pytest.raises(TypeError, match="would round"):
        x == np.array([1, 2, 3], dtype=object)


def test_objects_without_bits_need_them():
    with pytest.raises(TypeError, match="name the bits"):
        np.array([Fraction(1, 3)], dtype=object).astype(nn.mp)
    assert np.array([Fraction(1, 3)], dtype=object).astype(nn.mp(300))[0] == nn.Multiprecision(
        Fraction(1, 3), 300
    )


ORDERS = [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf, 0, 3, 0.5]


@pytest.mark.parametrize("kind", [np.dtype(float), nn.dd, nn.qd, nn.mp(212)])
def test_norms_are_those_of_numpy(kind):
    rng = np.random.default_rng(11)
    for shape, all_axes in [
        ((5,), [None, 0]),
        ((3, 4), [None, 0, (0, 1), (1, 0)]),
        ((2, 3, 4), [None, 1, (0, 2), (-1, -2)]),
    ]:
        a = rng.standard_normal(shape)
        for axis in all_axes:
            for order in ORDERS:
                for keep in (False, True):
                    try:
                        truth = np.linalg.norm(a, order, axis, keep)
                    except ValueError:
                        with pytest.raises(ValueError):
                            nn.linalg.norm(a.astype(kind), order, axis, keep)
                        continue
                    found = nn.linalg.norm(a.astype(kind), order, axis, keep)
                    assert np.shape(found) == np.shape(truth)
                    assert np.allclose(np.asarray(found, dtype=kind).astype(float), truth, rtol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_norms_have_all_digits(kind):
    a = thirds(12, (6, 5), kind)
    squares = sum(value * value for value in exact(a))
    # 30 squares and sums, and the root, which halves their error.
    found = exact([nn.linalg.norm(a)])[0] ** 2
    assert abs(found - squares) <= 2 * 32 * unit(kind) * squares
    sums = [sum(abs(Fraction(v)) for v in exact(row)) for row in a]
    assert abs(exact([nn.linalg.norm(a, np.inf)])[0] - max(sums)) <= 6 * unit(kind) * max(sums)
    far = np.array([3, 4]).astype(kind)
    for scale in (2.0**-700, 2.0**700):
        norm = nn.linalg.norm(far * scale) / scale
        assert abs(exact([norm])[0] - 5) <= 5 * 8 * unit(kind)
    assert nn.linalg.norm([np.inf, 1.0]) == np.inf and nn.linalg.norm(np.zeros(0).astype(kind)) == 0
    with pytest.raises(ValueError, match="empty"):
        nn.linalg.norm(np.zeros((0, 2)).astype(kind), 2)


def test_dot_has_the_shapes_of_numpy():
    rng = np.random.default_rng(13)
    for left, right in [
        ((), (3,)),
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((3,), (3, 2)),
        ((2, 3), (3, 4)),
        ((5, 2, 3), (7, 3, 4)),
        ((3,), (7, 3, 4)),
        ((5, 2, 3), (3,)),
    ]:
        a, b = rng.standard_normal(left), rng.standard_normal(right)
        truth = np.dot(a, b)
        for kind in (nn.dd, nn.mp(200)):
            found = nn.linalg.dot(np.asarray(a).astype(kind), b)
            assert np.shape(found) == np.shape(truth)
            assert np.allclose(np.asarray(found, dtype=kind).astype(float), truth)
    with pytest.raises(ValueError, match="expected 3 terms"):
        nn.linalg.dot([1, 2, 3], [1, 2])


@pytest.mark.parametrize("kind", [np.dtype(float), nn.dd, nn.qd, nn.mp(106), nn.mp(424)])
def test_full_singular_vectors(kind):
    roundoff = 2.0**-53 if kind == np.dtype(float) else float(unit(kind))
    for shape in [(3, 5), (5, 3), (2, 4, 3), (4, 4), (0, 3), (3, 0), (2, 0, 3)]:
        a = np.random.default_rng(14).standard_normal(shape).astype(kind)
        (left, values, right), _ = nn.linalg.svd(a, full_matrices=True, info=True)
        assert left.shape == shape[:-1] + shape[-2:-1] and right.shape == shape[:-2] + (shape[-1],) * 2
        for square in (left, right):
            error = square @ np.swapaxes(square, -1, -2) - np.eye(square.shape[-1])
            # A modest multiple of the order, as for all orthogonal factors.
            assert (abs(error) <= 40 * roundoff).all()
        k = values.shape[-1]
        back = (left[..., :k] * values[..., None, :]) @ right[..., :k, :]
        # Singular values are converged to a few units more than the factors.
        assert (abs(back - a) <= 4000 * roundoff * abs(a).max(initial=0)).all()
    # Rank 1: the other vectors are orthogonal to it.
    left, _, _ = nn.linalg.svd(np.ones((4, 2)).astype(kind), full_matrices=True)
    assert (abs(left.T @ left - np.eye(4)) <= 40 * roundoff).all()
