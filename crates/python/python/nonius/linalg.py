"""Systems, inverses, determinants, eigenvalues and singular values.

Functions have the names and shapes of ``numpy.linalg``. They compute in the precision of their
arrays, or in the one that ``precision`` names: ``"f64"``, ``"dd"``, ``"td"``, ``"qd"``, or ``"mp"``
and bits from 64 to 4096, as ``"mp424"``. Arrays of integers, fractions and decimals count as ``dd``.
Arrays of ``mp(bits)`` beside others count as ``mp`` with the most bits that one of them has. ``device``
is ``"auto"``, ``"cpu"`` or ``"cuda"``.
"""

import warnings
from typing import NamedTuple

import numpy as np

from . import _nonius
from ._nonius import NoniusError, dd, mp, qd, td

__all__ = ["NoniusWarning", "cond", "det", "eigh", "eigvalsh", "inv", "lstsq", "solve", "svd"]

_NAMES = {"dd": dd, "td": td, "qd": qd}
# Digits that a proof with one digit more leaves after the rounding to a type.
_DIGITS = {"dd": 30, "td": 46, "qd": 62}
# One less than the digits that a proof may have.
_MOST_DIGITS = 999


class NoniusWarning(UserWarning):
    """A result has no correct digit."""


class EighResult(NamedTuple):
    """Eigenvalues in ascending order, and eigenvectors as columns."""

    eigenvalues: np.ndarray
    eigenvectors: np.ndarray


class SVDResult(NamedTuple):
    """``A = U @ diag(S) @ Vh``."""

    U: np.ndarray
    S: np.ndarray
    Vh: np.ndarray


def _precision(arrays, precision):
    """The name of the precision of some arrays, unless it is given."""
    if precision is not None:
        return precision
    kinds = [np.asarray(array).dtype for array in arrays]
    if any(isinstance(kind, mp) for kind in kinds):
        return f"mp{np.result_type(mp(64), *(k for k in kinds if k != object)).bits}"
    found = ["f64"]
    for kind in kinds:
        ours = [name for name, type_ in _NAMES.items() if kind == type_]
        if ours:
            found += ours
        elif kind.kind not in "f":
            found.append("dd")
    return max(found, key=["f64", "dd", "td", "qd"].index)


def _typed(precision, *arrays):
    """Arrays as the compiled functions take them: for ``mp``, their type has to name the bits."""
    if not isinstance(precision, str) or not precision[2:].isdigit() or precision[:2] != "mp":
        return arrays
    kind = mp(int(precision[2:]))
    return tuple(np.asarray(array, dtype=kind) for array in arrays)


def _matrix(a, name="a"):
    a = np.asarray(a)
    if a.ndim != 2:
        raise ValueError(f"{name}: expected an array of 2 dimensions, found {a.ndim}")
    return a


def _warn(report, precision):
    if report["correct_digits"] < 1:
        warnings.warn(
            f"the matrix is too ill-conditioned for {precision}: no digit is correct",
            NoniusWarning,
            stacklevel=3,
        )


def solve(a, b, *, digits=None, precision=None, method="auto", device="auto", info=False):
    """Solves ``a @ x = b``.

    Parameters
    ----------
    a : array_like, shape (n, n)
    b : array_like, shape (n,) or (n, k)
    digits : int, optional
        Proves that every entry of ``x`` has these digits, at most 999, in place of one precision.
        The entries of ``a`` and ``b`` count as exact. The result is an array of ``dd``, ``td`` or
        ``qd``, and beyond 62 digits one of ``mp`` with bits enough.
    precision : {"f64", "dd", "td", "qd", "mp424", ...}, optional
        The precision of all numbers; that of the arrays by default.
    method : {"auto", "cholesky", "lu", "gauss-jordan"}
    device : {"auto", "cpu", "cuda", "cuda:1", ...}
    info : bool
        Also returns a dictionary: correct or proved digits, residual, condition, device.

    Returns
    -------
    x : ndarray, with the shape of ``b``

    Raises
    ------
    NoniusError
        The matrix is singular, or the digits are not proved.

    Examples
    --------
    >>> import numpy as np
    >>> import nonius as nn
    >>> x = nn.linalg.solve([[2, 1], [1, 3]], [3, 4])
    >>> x.dtype, abs(x - 1).max() < 1e-30
    (nonius.dd, True)
    >>> x, info = nn.linalg.solve([[3, 0], [0, 1]], [1, 0], digits=40, info=True)
    >>> f"{x[0]:.40f}", info["digits"] >= 40
    ('0.3333333333333333333333333333333333333333', True)
    """
    a = _matrix(a)
    given = _precision([a, b], precision)
    a, b = _typed(given, a, b)
    if digits is None:
        x, report = _nonius.solve(a, b, given, method, device)
        _warn(report, given)
    else:
        if not 1 <= digits <= _MOST_DIGITS:
            raise ValueError(
                f"digits: expected at least 1 and at most {_MOST_DIGITS}, found {digits}"
            )
        # A digit takes 3.3220 bits; two more bits make the rounding less than half of the last one.
        bits = (33220 * digits // 10000 + 3 + 63) // 64 * 64
        names = (name for name in _NAMES if _DIGITS[name] >= digits)
        result = next(names, f"mp{bits}")
        x, report = _nonius.solve_digits(a, b, digits + 1, given, result, device)
    return (x, report) if info else x


def lstsq(a, b, *, precision=None, device="auto", info=False):
    """Minimises the 2-norm of ``b - a @ x``, column by column.

    Parameters
    ----------
    a : array_like, shape (m, n)
        With fewer rows than columns, ``x`` is the shortest solution.
    b : array_like, shape (m,) or (m, k)
    precision, device, info
        As in `solve`.

    Returns
    -------
    x : ndarray, shape (n,) or (n, k)

    Examples
    --------
    >>> import nonius as nn
    >>> x = nn.linalg.lstsq([[1, 0], [1, 1], [1, 2]], [1, 3, 5], precision="qd")
    >>> [round(float(entry), 12) for entry in x]
    [1.0, 2.0]
    """
    given = _precision([a, b], precision)
    a, b = _typed(given, _matrix(a), b)
    x, report = _nonius.lstsq(a, b, given, device)
    _warn(report, given)
    return (x, report) if info else x


def inv(a, *, precision=None, device="auto", info=False):
    """The inverse of ``a``, shape (n, n); parameters as in `solve`.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.inv([[2, 0], [0, 4]]).astype(float)
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    given = _precision([a], precision)
    (a,) = _typed(given, _matrix(a))
    x, report = _nonius.inv(a, given, device)
    _warn(report, given)
    return (x, report) if info else x


def det(a, *, precision=None, device="auto", info=False):
    """The determinant of ``a``, shape (n, n); parameters as in `solve`.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.det([[1, 2], [3, 4]])
    -2
    """
    given = _precision([a], precision)
    (a,) = _typed(given, _matrix(a))
    value, report = _nonius.det(a, given, device)
    return (value, report) if info else value


def eigh(a, *, precision=None, device="auto", info=False):
    """Eigenvalues and eigenvectors of a symmetric matrix.

    Parameters
    ----------
    a : array_like, shape (n, n)
    precision, device, info
        As in `solve`.

    Returns
    -------
    eigenvalues : ndarray, shape (n,), in ascending order
    eigenvectors : ndarray, shape (n, n), column by column

    Examples
    --------
    >>> import nonius as nn
    >>> values, vectors = nn.linalg.eigh([[2, 1], [1, 2]])
    >>> [round(float(value), 10) for value in values]
    [1.0, 3.0]
    """
    given = _precision([a], precision)
    (a,) = _typed(given, _matrix(a))
    values, vectors, report = _nonius.eigh(a, True, given, device)
    result = EighResult(values, vectors)
    return (result, report) if info else result


def eigvalsh(a, *, precision=None, device="auto"):
    """The eigenvalues alone: see `eigh`."""
    given = _precision([a], precision)
    (a,) = _typed(given, _matrix(a))
    return _nonius.eigh(a, False, given, device)[0]


def svd(a, *, compute_uv=True, precision=None, device="auto", info=False):
    """Singular values and vectors of a matrix of any shape.

    Parameters
    ----------
    a : array_like, shape (m, n)
    compute_uv : bool
        Whether to find vectors too.
    precision, device, info
        As in `solve`.

    Returns
    -------
    U : ndarray, shape (m, k), with ``k = min(m, n)``
    S : ndarray, shape (k,), in descending order; alone without ``compute_uv``
    Vh : ndarray, shape (k, n)

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.svd([[3, 0], [0, 4]], compute_uv=False)
    array([4, 3], dtype=nonius.dd)
    """
    precision = _precision([a], precision)
    (a,) = _typed(precision, _matrix(a))
    left, values, right, report = _nonius.svd(a, compute_uv, precision, device)
    result = SVDResult(left, values, right.T) if compute_uv else values
    return (result, report) if info else result


def cond(a, *, precision=None, device="auto"):
    """The condition number in the 2-norm: the largest singular value over the smallest.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.cond([[4, 0], [0, 1]])
    4
    """
    values = svd(a, compute_uv=False, precision=precision, device=device)
    return values[0] / values[-1]
