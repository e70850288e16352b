"""Eigenvalues, singular values, and what follows from them."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from . import _nonius
from ._arrays import common, kind_of, matrix, stacked, typed


class EighResult(NamedTuple):
    """Eigenvalues in ascending order, and eigenvectors as columns."""

    eigenvalues: np.ndarray
    eigenvectors: np.ndarray


class SVDResult(NamedTuple):
    """``A = U @ diag(S) @ Vh``."""

    U: np.ndarray
    S: np.ndarray
    Vh: np.ndarray


def _eigen(a, vectors, precision, device, info):
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)
    if a.ndim == 2:
        return _nonius.eigh(a, vectors, given, device, info)
    (values, found), report = stacked(
        lambda a: _nonius.eigh(a, vectors, given, device, info), info, [a], [2]
    )
    return values, found, report


def eigh(a, *, precision=None, device="auto", info=False):
    """Eigenvalues and eigenvectors of a symmetric matrix.

    Parameters
    ----------
    a : array_like, shape (..., n, n)
    precision, device, info
        As in `solve`.

    Returns
    -------
    eigenvalues : ndarray, shape (..., n), in ascending order
    eigenvectors : ndarray, shape (..., n, n), column by column

    Examples
    --------
    >>> import nonius as nn
    >>> values, vectors = nn.linalg.eigh([[2, 1], [1, 2]])
    >>> [round(float(value), 10) for value in values]
    [1.0, 3.0]
    """
    values, vectors, report = _eigen(a, True, precision, device, info)
    result = EighResult(values, vectors)
    return (result, report) if info else result


def eigvalsh(a, *, precision=None, device="auto"):
    """The eigenvalues of a symmetric matrix alone: see `eigh`.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.eigvalsh([[3, 0], [0, 1]])
    array([1, 3], dtype=nonius.dd)
    """
    return _eigen(a, False, precision, device, False)[0]


def svd(a, *, full_matrices=False, compute_uv=True, precision=None, device="auto", info=False):
    """Singular values and vectors of a matrix of any shape.

    Parameters
    ----------
    a : array_like, shape (..., m, n)
    full_matrices : bool
        Whether ``U`` and ``Vh`` are square: the vectors beyond the first ``k`` complete a basis. The
        default of ``numpy.linalg.svd`` is True.
    compute_uv : bool
        Whether to find vectors too.
    precision, device, info
        As in `solve`.

    Returns
    -------
    U : ndarray, shape (..., m, k), with ``k = min(m, n)``, or (..., m, m)
    S : ndarray, shape (..., k), in descending order; alone without ``compute_uv``
    Vh : ndarray, shape (..., k, n), or (..., n, n)

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.svd([[3, 0], [0, 4]], compute_uv=False)
    array([4, 3], dtype=nonius.dd)
    """
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)

    def task(a):
        left, values, right, report = _nonius.svd(a, compute_uv, given, device, info)
        if full_matrices and compute_uv:
            left, right = _completed(left, given, device), _completed(right, given, device)
        return left, values, right, report

    if a.ndim == 2:
        left, values, right, report = task(a)
    else:
        (left, values, right), report = stacked(task, info, [a], [2])
    result = SVDResult(left, values, np.swapaxes(right, -1, -2)) if compute_uv else values
    return (result, report) if info else result


def _completed(columns, given, device):
    """Orthonormal columns, and behind them others up to a square matrix."""
    rows, count = columns.shape
    if count == 0:
        return np.eye(rows).astype(columns.dtype)
    if count == rows:
        return columns
    # The first columns of Q are those given, up to their signs.
    square, _, _ = _nonius.qr(columns, "complete", given, device, False)
    return np.concatenate([columns, square[:, count:]], axis=1)


def svdvals(a, *, precision=None, device="auto"):
    """The singular values alone, in descending order: see `svd`.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.svdvals([[3, 0], [0, 4]])
    array([4, 3], dtype=nonius.dd)
    """
    return svd(a, compute_uv=False, precision=precision, device=device)


def cond(a, *, precision=None, device="auto"):
    """The condition number in the 2-norm: the largest singular value over the smallest.

    Parameters
    ----------
    a : array_like, shape (..., m, n)
    precision, device
        As in `solve`.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.cond([[4, 0], [0, 1]])
    4
    """
    values = svdvals(a, precision=precision, device=device)
    if values.shape[-1] == 0:
        raise ValueError("a: expected a matrix with entries, found an empty one")
    return values[..., 0] / values[..., -1]


def _threshold(a, values, given, rtol):
    """The magnitude up to which singular values count as zero."""
    if rtol is None:
        # NumPy's choice: the distance from 1 to the next number, for each row or column.
        roundoff = Fraction(1, 2 ** _nonius.bits(given))
        rtol = np.array([max(a.shape[-2:]) * 2 * roundoff]).astype(kind_of(given))[0]
    return values.max(axis=-1, keepdims=True) * rtol


def matrix_rank(a, *, rtol=None, precision=None, device="auto"):
    """The number of singular values above ``rtol`` times the largest.

    Parameters
    ----------
    a : array_like, shape (..., m, n)
    rtol : float, optional
        ``max(m, n)`` times the distance from 1 to the next number by default.
    precision, device
        As in `solve`.

    Examples
    --------
    >>> import nonius as nn
    >>> int(nn.linalg.matrix_rank([[1, 2], [2, 4]]))
    1
    """
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)
    values = svdvals(a, precision=given, device=device)
    if values.shape[-1] == 0:
        return np.zeros(values.shape[:-1], dtype=np.intp)[()]
    return np.count_nonzero(values > _threshold(a, values, given, rtol), axis=-1)


def pinv(a, *, rtol=None, precision=None, device="auto"):
    """The pseudo-inverse by singular values.

    Parameters
    ----------
    a : array_like, shape (..., m, n)
    rtol : float, optional
        Singular values up to ``rtol`` times the largest count as zero; the default is that of
        `matrix_rank`.
    precision, device
        As in `solve`.

    Returns
    -------
    ndarray, shape (..., n, m)

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.pinv([[2, 0], [0, 0], [0, 4]]).astype(float)
    array([[0.5 , 0.  , 0.  ],
           [0.  , 0.  , 0.25]])
    """
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)
    left, values, right = svd(a, precision=given, device=device)
    if values.shape[-1] == 0:
        return np.zeros(a.shape[:-2] + (a.shape[-1], a.shape[-2]), dtype=values.dtype)
    counts = values > _threshold(a, values, given, rtol)
    inverse = np.where(counts, 1 / np.where(counts, values, 1), 0)
    return np.swapaxes(right, -1, -2) * inverse[..., None, :] @ np.swapaxes(left, -1, -2)
