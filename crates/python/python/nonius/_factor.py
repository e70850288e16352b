"""Factors of matrices."""

from typing import NamedTuple

import numpy as np

from . import _gpu, _nonius
from ._arrays import common, kind_of, matrix, stacked, typed


class QRResult(NamedTuple):
    """``A = Q @ R``."""

    Q: np.ndarray
    R: np.ndarray


def lu(a, permute_l=False, p_indices=False, *, precision=None, device="auto", info=False):
    """LU factors with partial pivoting, ``a = p @ l @ u``.

    Parameters
    ----------
    a : array_like, shape (..., n, n)
        Matrices that are not singular. Others are refused, and so are those of other shapes.
    permute_l : bool
        Returns ``p @ l`` and ``u``.
    p_indices : bool
        Returns ``p`` as indices, with which ``a = l[p] @ u``.
    precision, device, info
        As in `solve`.

    Returns
    -------
    p : ndarray, shape (..., n, n), or of integers, shape (..., n); not with ``permute_l``
    l : ndarray, shape (..., n, n), with ones on the diagonal and zeros above
    u : ndarray, shape (..., n, n), with zeros below the diagonal

    Examples
    --------
    >>> import nonius as nn
    >>> p, l, u = nn.linalg.lu([[0, 2], [4, 1]])
    >>> p @ l @ u
    array([[0, 2],
           [4, 1]], dtype=nonius.dd)
    """
    if _gpu.is_on_gpu(a):
        return _gpu.lu(a, permute_l, p_indices, precision, device, info)
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)

    def task(a):
        rows, lower, upper, report = _nonius.lu(a, given, device, info)
        places = np.empty(len(rows), dtype=np.intp)
        places[rows] = np.arange(len(rows))
        if permute_l:
            return lower[places], upper, report
        if p_indices:
            return places, lower, upper, report
        permutation = np.zeros((len(rows), len(rows)), dtype=kind_of(given))
        permutation[rows, np.arange(len(rows))] = 1
        return permutation, lower, upper, report

    if a.ndim == 2:
        *result, report = task(a)
    else:
        result, report = stacked(task, info, [a], [2])
    return (tuple(result), report) if info else tuple(result)


def lu_factor(a, *, precision=None, device="auto", info=False):
    """Packed LU factors with partial pivoting, for `lu_solve`.

    Parameters
    ----------
    a : array_like, shape (n, n)
    precision, device, info
        As in `solve`.

    Returns
    -------
    lu : ndarray, shape (n, n)
        ``u``, and below its diagonal ``l`` without the ones.
    piv : ndarray of integers, shape (n,)
        Row ``i`` was exchanged with row ``piv[i]``, in this order.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.lu_factor([[0, 2], [4, 1]])
    (array([[4, 1],
           [0, 2]], dtype=nonius.dd), array([1, 1]))
    """
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)
    packed, pivots, report = _nonius.lu_factor(a, given, device, info)
    result = packed, np.array(pivots, dtype=np.intp)
    return (result, report) if info else result


def cholesky(a, *, upper=False, precision=None, device="auto", info=False):
    """The Cholesky factor of a symmetric positive definite matrix, ``a = l @ l.T``.

    Parameters
    ----------
    a : array_like, shape (..., n, n)
        Only one triangle is read.
    upper : bool
        Reads the upper triangle, and returns the upper factor ``u`` with ``a = u.T @ u``.
    precision, device, info
        As in `solve`.

    Returns
    -------
    l : ndarray, shape (..., n, n)

    Raises
    ------
    NoniusError
        The matrix is not positive definite.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.cholesky([[4, 2], [2, 10]])
    array([[2, 0],
           [1, 3]], dtype=nonius.dd)
    """
    if _gpu.is_on_gpu(a):
        return _gpu.cholesky(a, upper, precision, device, info)
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)
    if a.ndim == 2:
        factor, report = _nonius.cholesky(a, upper, given, device, info)
    else:
        (factor,), report = stacked(
            lambda a: _nonius.cholesky(a, upper, given, device, info), info, [a], [2]
        )
    return (factor, report) if info else factor


def cho_factor(a, lower=False, *, precision=None, device="auto", info=False):
    """The Cholesky factor for `cho_solve`.

    Parameters
    ----------
    a : array_like, shape (n, n)
        A symmetric positive definite matrix, of which only one triangle is read.
    lower : bool
        Whether that is the lower triangle.
    precision, device, info
        As in `solve`.

    Returns
    -------
    c : ndarray, shape (n, n)
        The factor, with zeros in the other triangle.
    lower : bool

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.cho_factor([[4, 2], [2, 10]])
    (array([[2, 1],
           [0, 3]], dtype=nonius.dd), False)
    """
    factor, report = cholesky(a, upper=not lower, precision=precision, device=device, info=True)
    return ((factor, lower), report) if info else (factor, lower)


def qr(a, mode="reduced", *, precision=None, device="auto", info=False):
    """QR factors of a matrix of any shape, ``a = q @ r``.

    Parameters
    ----------
    a : array_like, shape (..., m, n)
    mode : {"reduced", "complete", "r"}
        With ``k = min(m, n)``: ``q`` of shape (m, k) and ``r`` of shape (k, n); ``q`` of shape (m, m)
        and ``r`` of shape (m, n); ``r`` alone, of shape (k, n).
    precision, device, info
        As in `solve`.

    Returns
    -------
    Q : ndarray, with orthonormal columns
    R : ndarray, with zeros below the diagonal; alone in the mode "r"

    Examples
    --------
    >>> import nonius as nn
    >>> q, r = nn.linalg.qr([[3, 1], [4, 3]])
    >>> abs(abs(r[0, 0]) - 5) < 1e-30
    True
    """
    if _gpu.is_on_gpu(a):
        q, r, report = _gpu.qr(a, mode, precision, device, info)
        result = r if mode == "r" else QRResult(q, r)
        return (result, report) if info else result
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)
    if a.ndim == 2:
        q, r, report = _nonius.qr(a, mode, given, device, info)
    else:
        (q, r), report = stacked(
            lambda a: _nonius.qr(a, mode, given, device, info), info, [a], [2]
        )
    result = r if mode == "r" else QRResult(q, r)
    return (result, report) if info else result
