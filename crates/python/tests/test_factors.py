"""Factors of matrices, stacks, and what follows from singular values."""

from fractions import Fraction

import nonius as nn
import numpy as np
import pytest

# Bounds are multiples of the unit roundoff.
KINDS = [(np.dtype(np.float64), 2.0**-53), (nn.dd, 2.0**-104), (nn.td, 2.0**-156), (nn.qd, 2.0**-208), (nn.mp(300), 2.0**-300)]


def random(shape, kind, seed=1):
    rng = np.random.default_rng(seed)
    # The product of two has all limbs.
    return rng.standard_normal(shape).astype(kind) * np.sqrt(rng.random(shape).astype(kind) + 1)


def exact(x):
    return Fraction(*x.as_integer_ratio())


def largest(x):
    return float(abs(x).max()) if x.size else 0.0


def exact_product(*factors):
    """A product of matrices of fractions."""
    parts = [np.vectorize(exact, otypes=[object])(f) for f in factors]
    product = parts[0]
    for part in parts[1:]:
        product = product @ part
    return product


@pytest.mark.parametrize("kind, u", KINDS)
@pytest.mark.parametrize("n", [0, 1, 2, 9, 40])
def test_lu(kind, u, n):
    a = random((n, n), kind)
    for layout in (a, np.asfortranarray(a), a[::-1, ::-1], a.T):
        p, l, u_ = nn.linalg.lu(layout)
        assert p.dtype == l.dtype == u_.dtype == kind
        assert largest(p @ l @ u_ - layout) <= 20 * max(n, 1) * u * max(largest(abs(l) @ abs(u_)), 1)
        assert (np.triu(l.astype(float), 1) == 0).all() and (np.tril(u_.astype(float), -1) == 0).all()
        assert (l.diagonal() == 1).all() and largest(l) <= 1 + 4 * u
        indices, l_again, _ = nn.linalg.lu(layout, p_indices=True)
        assert indices.dtype == np.intp and largest(l_again[indices] - p @ l) <= 4 * u
        permuted, _ = nn.linalg.lu(layout, permute_l=True)
        assert (permuted == l[indices]).all()
        b = random((n, 3), kind, 2)
        factors = nn.linalg.lu_factor(layout)
        x = nn.linalg.solve(layout, b) if n else b
        for trans, matrix in ((0, layout), (1, layout.T)):
            y = nn.linalg.lu_solve(factors, b, trans)
            scale = max(largest(abs(matrix) @ abs(y)), 1)
            assert largest(matrix @ y - b) <= 100 * max(n, 1) ** 2 * u * scale
        assert nn.linalg.lu_solve(factors, b[:, 0]).shape == (n,) and x.shape == b.shape


def test_lu_against_fractions():
    a = random((6, 6), nn.qd)
    p, l, u = nn.linalg.lu(a)
    product, truth = exact_product(p, l, u), exact_product(a)
    bound = exact_product(abs(l), abs(u))
    rows = np.argmax(p.astype(float), axis=0)
    for i in range(6):
        for j in range(6):
            assert abs(product[rows[i], j] - truth[rows[i], j]) <= 12 * bound[i, j] / 2**208


@pytest.mark.parametrize("kind, u", KINDS)
@pytest.mark.parametrize("n", [0, 1, 3, 33])
def test_cholesky(kind, u, n):
    g = random((n, n + 2), kind)
    a = g @ g.T
    lower, upper = nn.linalg.cholesky(a), nn.linalg.cholesky(a, upper=True)
    assert lower.dtype == kind and largest(lower @ lower.T - a) <= 20 * (n + 1) * u * max(largest(a), 1)
    assert largest(upper.T @ upper - a) <= 20 * (n + 1) * u * max(largest(a), 1)
    assert (np.triu(lower.astype(float), 1) == 0).all()
    # The other triangle is not read.
    read_upper = a.copy()
    read_upper[np.tril_indices(n, -1)] = np.nan
    assert (nn.linalg.cholesky(read_upper, upper=True) == upper).all()
    with_nan = a.copy()
    with_nan[np.triu_indices(n, 1)] = np.nan
    assert (nn.linalg.cholesky(with_nan) == lower).all()
    b = random((n, 2), kind, 3)
    for is_lower in (False, True):
        x = nn.linalg.cho_solve(nn.linalg.cho_factor(a, is_lower), b)
        scale = max(largest(abs(a) @ abs(x)), 1)
        assert largest(a @ x - b) <= 100 * (n + 1) ** 2 * u * scale


def test_matrices_without_factors():
    with pytest.raises(nn.NoniusError, match="positive definite"):
        nn.linalg.cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(nn.NoniusError, match="singular"):
        nn.linalg.lu(np.ones((3, 3)))
    for refused in (nn.linalg.lu, nn.linalg.cholesky, nn.linalg.lu_factor, nn.linalg.slogdet):
        with pytest.raises(ValueError, match="square|×"):
            refused(np.ones((2, 3)))
        with pytest.raises(ValueError, match="dimensions"):
            refused(np.ones(3))
        with pytest.raises(ValueError, match="NaN|finite|infinite"):
            refused(np.full((2, 2), np.inf))
    with pytest.raises(ValueError, match="mode"):
        nn.linalg.qr(np.eye(2), "raw")
    with pytest.raises(ValueError, match="piv"):
        nn.linalg.lu_solve((np.eye(2), [0, 2]), [1, 2])
    with pytest.raises(ValueError, match="piv"):
        nn.linalg.lu_solve((np.eye(2), [-1, 1]), [1, 2])
    with pytest.raises(ValueError, match="piv"):
        nn.linalg.lu_solve((np.eye(2), [0]), [1, 2])
    with pytest.raises(ValueError, match="trans"):
        nn.linalg.solve_triangular(np.eye(2), [1, 2], "C")
    with pytest.raises(nn.NoniusError, match="singular"):
        nn.linalg.solve_triangular(np.zeros((2, 2)), [1, 2])
    with pytest.raises(TypeError, match="complex"):
        nn.linalg.solve(np.eye(2) * 1j, [1, 2])
    with pytest.raises(TypeError, match="real numbers"):
        nn.linalg.det(np.array([["2020-01-01"]], dtype="M8[D]"))


@pytest.mark.parametrize("kind, u", KINDS)
@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 3), (1, 1), (7, 7), (40, 9), (9, 40)])
def test_qr(kind, u, shape):
    a = random(shape, kind)
    (m, n), k = shape, min(shape)
    scale = max(largest(a), 1)
    for mode, cols in (("reduced", k), ("complete", m)):
        q, r = nn.linalg.qr(a, mode)
        assert q.shape == (m, cols) and r.shape == (cols, n) and q.dtype == r.dtype == kind
        assert largest(q @ r - a) <= 50 * max(m, n, 1) * u * scale * max(n, 1)
        assert largest(q.T @ q - np.eye(cols)) <= 50 * max(m, 1) * u
        assert (np.tril(r.astype(float), -1) == 0).all()
    assert (nn.linalg.qr(a, "r")[:k] == r[:k]).all()


def test_qr_of_columns_of_any_size():
    a = random((3, 5), nn.dd) * np.array([1e-200, 1e200, 1, 1e-250, 1e250])
    q, r = nn.linalg.qr(a)
    residual = abs(q @ r - a) / abs(a).max(axis=0)
    assert float(residual.max()) < 1e-29


@pytest.mark.parametrize("kind, u", KINDS)
def test_triangles(kind, u):
    n = 20
    t = random((n, n), kind) + 10 * np.eye(n)
    b = random((n, 4), kind, 5)
    for lower in (False, True):
        half = np.tril(t) if lower else np.triu(t)
        for trans, matrix in ((0, half), ("T", half.T)):
            x = nn.linalg.solve_triangular(t, b, trans, lower)
            assert largest(matrix @ x - b) <= 100 * n * u * max(largest(abs(matrix) @ abs(x)), 1)
        unit = half - np.eye(n) * half.diagonal() + np.eye(n)
        x = nn.linalg.solve_triangular(t, b, lower=lower, unit_diagonal=True)
        assert largest(unit @ x - b) <= 100 * n * u * max(largest(abs(unit) @ abs(x)), 1)


@pytest.mark.parametrize("kind, u", KINDS)
def test_stacks_are_taken_matrix_by_matrix(kind, u):
    a = random((2, 3, 4, 4), kind)
    symmetric = a + np.swapaxes(a, -1, -2)
    definite = a @ np.swapaxes(a, -1, -2)
    one = {
        "inv": nn.linalg.inv, "det": nn.linalg.det, "cond": nn.linalg.cond,
        "qr": lambda a: nn.linalg.qr(a, "r"), "lu": lambda a: nn.linalg.lu(a)[2],
        "slogdet": lambda a: nn.linalg.slogdet(a)[1], "svd": lambda a: nn.linalg.svd(a)[2],
        "svdvals": nn.linalg.svdvals, "pinv": nn.linalg.pinv, "rank": nn.linalg.matrix_rank,
    }
    for name, function in one.items():
        found = function(a)
        for index in np.ndindex(2, 3):
            assert np.all(found[index] == function(a[index])), name
        empty = function(a[:0])
        assert empty.shape == (0,) + found.shape[1:] and empty.dtype == found.dtype, name
    for index in np.ndindex(2, 3):
        assert (nn.linalg.cholesky(definite)[index] == nn.linalg.cholesky(definite[index])).all()
        values, vectors = nn.linalg.eigh(symmetric)
        assert (values[index] == nn.linalg.eigh(symmetric[index])[0]).all()
        assert (nn.linalg.eigvalsh(symmetric)[index] == nn.linalg.eigvalsh(symmetric[index])).all()
    # The broadcasting of numpy.linalg.solve.
    for b_shape in [(4,), (4, 2), (3, 4, 2), (2, 1, 4, 2), (5, 1, 1, 4, 2)]:
        b = random(b_shape, kind, 2)
        truth = np.linalg.solve(a.astype(float), b.astype(float))
        x, infos = nn.linalg.solve(a, b, info=True)
        assert x.shape == truth.shape and len(infos) == truth.size // np.prod(truth.shape[-1 if len(b_shape) == 1 else -2:])
        assert np.allclose(x.astype(float), truth) and infos[0]["method"] == "lu"
    x = nn.linalg.solve(a[0, 0], random((3, 4, 2), kind))
    assert x.shape == (3, 4, 2)
    assert nn.linalg.solve(a, np.ones(4), digits=20).shape == (2, 3, 4)
    assert nn.linalg.det(a, digits=20).shape == (2, 3)
    assert nn.linalg.solve(a[:0], np.ones(4)).shape == (0, 3, 4)


@pytest.mark.parametrize("kind, u", KINDS)
def test_rank_and_inverses_of_any_shape(kind, u):
    g = random((9, 3), kind)
    a = g @ random((3, 5), kind, 2)
    assert nn.linalg.matrix_rank(a) == 3 and nn.linalg.matrix_rank(a[:, :2]) == 2
    assert nn.linalg.matrix_rank(np.zeros((3, 2)).astype(kind)) == 0
    x = nn.linalg.pinv(a)
    scale = nn.linalg.cond(g) ** 2 * 1000
    assert x.shape == (5, 9) and largest(a @ x @ a - a) <= float(scale) * u * max(largest(a), 1)
    assert largest(x @ a @ x - x) <= float(scale) * u * max(largest(x), 1) * 100
    assert nn.linalg.pinv(np.zeros((0, 3)).astype(kind)).shape == (3, 0)


def test_logarithms_of_determinants():
    a = np.diag([nn.QuadDouble("1e-200")] * 3 + [nn.QuadDouble(-1)])
    sign, logarithm, info = *nn.linalg.slogdet(a, info=True)[0], nn.linalg.slogdet(a, info=True)[1]
    assert sign == -1 and abs(logarithm + 600 * np.log(np.array([10]).astype(nn.qd))[0]) < 1e-57
    assert info["exponent"] == -1993
    sign, logarithm = nn.linalg.slogdet(np.zeros((2, 2)))
    assert sign == 0 and logarithm == -np.inf
    # Next to 1 no digit is lost.
    a = np.array([["1.00000000000000000000000000001"]], dtype=nn.qd)
    assert abs(nn.linalg.slogdet(a)[1] / nn.QuadDouble("1e-29") - 1) < 1e-28


def test_large_results_own_their_memory():
    a = random((60, 60), nn.dd)
    x = nn.linalg.inv(a)
    again = x.copy()
    del a
    assert x.base is not None and x.flags.writeable and (x == again).all()
    x[0, 0] = 7
    assert x[0, 0] == 7 and (x.T @ x).shape == (60, 60)
    view = nn.linalg.inv(random((60, 60), nn.dd))[3:5]
    assert (view == view.copy()).all()


def test_arrays_of_any_layout_are_taken():
    a = random((6, 6), np.dtype(np.float64))
    b = np.arange(6.0)
    truth = nn.linalg.solve(a, b)
    swapped = a.astype(">f8")
    gaps = np.zeros((12, 18))
    gaps[::2, ::3] = a
    packed = np.zeros(6, dtype=[("flag", "i1"), ("row", "f8", 6)])
    packed["row"] = a
    read_only = a.copy()
    read_only.flags.writeable = False
    for layout in (swapped, gaps[::2, ::3], packed["row"], read_only, a.tolist(), np.asmatrix(a)):
        assert (np.asarray(nn.linalg.solve(layout, b)) == truth).all()
    assert nn.linalg.solve(a.astype(np.float32), b.astype(np.float16)).dtype == np.float64
    assert nn.linalg.solve(np.eye(2, dtype=bool), np.array([1, 2], dtype=np.uint8)).dtype == nn.dd
