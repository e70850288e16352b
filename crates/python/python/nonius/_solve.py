"""Systems, least squares, inverses and determinants."""

from fractions import Fraction
from math import prod
from typing import NamedTuple

import numpy as np

from . import _exact, _gpu, _nonius
from ._arrays import common, kind_for, matrix, numbers, stacked, typed


class SlogdetResult(NamedTuple):
    """The sign of a determinant, and the logarithm of its magnitude."""

    sign: np.ndarray
    logabsdet: np.ndarray


def solve(a, b, *, digits=None, precision=None, method="auto", device="auto", info=False):
    """Solves ``a @ x = b``.

    Parameters
    ----------
    a : array_like, shape (..., n, n)
    b : array_like, shape (n,) or (..., n, k)
        Stacks of ``a`` and ``b`` are broadcast against one another.
    digits : int, optional
        Proves that every entry of ``x`` has these digits, at most 999, in place of one precision:
        the result is an array of ``dd``, ``td`` or ``qd``, beyond 62 digits of ``mp`` with bits enough.
        The entries of ``a`` and ``b`` count as exact: floats as they are, and fractions, decimals,
        texts such as ``"0.1"`` or ``"1/3"`` and integers of any length without a rounding.
    precision : {"f64", "dd", "td", "qd", "mp424", ...}, optional
        The precision of all numbers; that of the arrays by default.
    method : {"auto", "cholesky", "lu", "gauss-jordan"}
    device : {"auto", "cpu", "cuda", "cuda:1", ..., "cuda:all"}
    info : bool
        Also returns a dictionary: correct or proved digits, residual or error bound, condition,
        device.

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

    Decimals are not rounded on their way: this matrix is singular, that of the nearest doubles is
    not.

    >>> nn.linalg.solve([["0.1", "0.3"], ["0.2", "0.6"]], [1, 1], digits=20)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nonius.NoniusError: the matrix is singular: its rank is 1 of 2...
    """
    if _gpu.is_on_gpu(a, b):
        return _gpu.solve(a, b, digits, precision, method, device, info)
    a, b = matrix(a), numbers(b, "b")
    given = common(precision, a, b)
    if digits is not None:
        return _solve_digits(a, b, digits, given, precision, device, info)
    a, b = typed(given, a, b)
    if a.ndim == 2 and b.ndim <= 2:
        x, report = _nonius.solve(a, b, given, method, device, info)
    else:
        (x,), report = _stacked_systems(
            lambda a, b: _nonius.solve(a, b, given, method, device, info), info, a, b
        )
    return (x, report) if info else x


def _stacked_systems(task, info, a, b):
    return stacked(task, info, [a, b], [2, 1 if b.ndim == 1 else 2])


def _solve_digits(a, b, digits, given, precision, device, info):
    result = kind_for(digits)
    if a.dtype == object or b.dtype == object:
        if precision is not None:
            raise ValueError("precision: digits of exact numbers have none, leave it out")

        def task(a, b):
            return _solve_exactly(a, b, digits, result, device, info)
    else:
        a, b = typed(given, a, b)

        def task(a, b):
            return _nonius.solve_digits(a, b, given, digits, result, device, info)

    if a.ndim == 2 and b.ndim <= 2:
        x, report = task(a, b)
    else:
        (x,), report = _stacked_systems(task, info, a, b)
    return (x, report) if info else x


def _solve_exactly(a, b, digits, result, device, info):
    n, rows = a.shape[0], b.shape[0] if b.ndim else 0
    if b.ndim == 0 or rows != n:
        raise ValueError(f"b: expected {n} rows, as a has, found {rows}")
    left, right = _exact.fractions(a, "a"), _exact.fractions(b, "b")
    cols = a.shape[1]
    both, _ = _exact.integers([x + y for x, y in zip(left, right)])
    left, right = [row[:cols] for row in both], [row[cols:] for row in both]
    return _nonius.solve_integers(left, right, b.ndim == 1, digits, result, device, info)


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, *, precision=None):
    """Solves ``a @ x = b`` with a triangle, the other half of which is not read.

    Parameters
    ----------
    a : array_like, shape (n, n)
    b : array_like, shape (n,) or (n, k)
    trans : {0, 1, "N", "T"}
        1 and "T" solve with the transpose.
    lower : bool
        Whether the lower triangle is read, in place of the upper one.
    unit_diagonal : bool
        Whether the diagonal is all ones, and not read.
    precision : {"f64", "dd", "td", "qd", "mp424", ...}, optional

    Returns
    -------
    x : ndarray, with the shape of ``b``

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.solve_triangular([[2, 1], [9, 4]], [4, 8])
    array([1, 2], dtype=nonius.dd)
    """
    if _gpu.is_on_gpu(a, b):
        return _gpu.solve_triangular(a, b, lower, _transposes(trans), unit_diagonal, precision)
    a, b = matrix(a), numbers(b, "b")
    given = common(precision, a, b)
    a, b = typed(given, a, b)
    return _nonius.solve_triangular(a, b, lower, _transposes(trans), unit_diagonal, given)


def _transposes(trans):
    if trans not in (0, 1, "N", "T"):
        raise ValueError(f"trans: expected 0, 1, 'N' or 'T', found {trans!r}")
    return trans in (1, "T")


def _pair(values, name, what):
    if not isinstance(values, (tuple, list)) or len(values) != 2:
        found = type(values).__name__
        raise TypeError(f"{name}: expected a tuple of {what}, found {found}")
    return values


def lu_solve(lu_and_piv, b, trans=0, *, precision=None):
    """Solves ``a @ x = b`` with the result of `lu_factor`.

    Parameters
    ----------
    lu_and_piv : tuple of the packed factors, shape (n, n), and the exchanges of rows, shape (n,)
    b : array_like, shape (n,) or (n, k)
    trans : {0, 1}
        1 solves with the transpose.
    precision : {"f64", "dd", "td", "qd", "mp424", ...}, optional

    Returns
    -------
    x : ndarray, with the shape of ``b``

    Examples
    --------
    >>> import nonius as nn
    >>> factors = nn.linalg.lu_factor([[0, 2], [4, 1]])
    >>> nn.linalg.lu_solve(factors, [2, 5])
    array([1, 1], dtype=nonius.dd)
    """
    lu, piv = _pair(lu_and_piv, "lu_and_piv", "factors and exchanges of rows")
    lu, b = matrix(lu, "lu"), numbers(b, "b")
    pivots = np.asarray(piv)
    if pivots.ndim != 1 or pivots.dtype.kind not in "iu" or (pivots < 0).any():
        if pivots.size:
            raise ValueError(f"piv: expected a vector of rows, counted from 0, found {piv!r}")
    given = common(precision, lu, b)
    lu, b = typed(given, lu, b)
    return _nonius.lu_solve(lu, pivots.tolist(), b, _transposes(trans), given)


def cho_solve(c_and_lower, b, *, precision=None):
    """Solves ``a @ x = b`` with the result of `cho_factor`.

    Parameters
    ----------
    c_and_lower : tuple of a triangle, shape (n, n), and whether it is the lower one
    b : array_like, shape (n,) or (n, k)
    precision : {"f64", "dd", "td", "qd", "mp424", ...}, optional

    Returns
    -------
    x : ndarray, with the shape of ``b``

    Examples
    --------
    >>> import nonius as nn
    >>> factor = nn.linalg.cho_factor([[4, 2], [2, 10]])
    >>> nn.linalg.cho_solve(factor, [6, 12])
    array([1, 1], dtype=nonius.dd)
    """
    c, lower = _pair(c_and_lower, "c_and_lower", "a triangle and whether it is the lower one")
    if _gpu.is_on_gpu(c, b):
        return _gpu.cho_solve(c, b, lower, precision)
    c, b = matrix(c, "c"), numbers(b, "b")
    given = common(precision, c, b)
    c, b = typed(given, c, b)
    half = _nonius.solve_triangular(c, b, lower, not lower, False, given)
    return _nonius.solve_triangular(c, half, lower, bool(lower), False, given)


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
    if _gpu.is_on_gpu(a, b):
        return _gpu.lstsq(a, b, precision, device, info)
    a, b = matrix(a), numbers(b, "b")
    given = common(precision, a, b)
    a, b = typed(given, a, b)
    x, report = _nonius.lstsq(a, b, given, device, info)
    return (x, report) if info else x


def inv(a, *, precision=None, device="auto", info=False):
    """The inverse of ``a``, shape (..., n, n); parameters as in `solve`.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.inv([[2, 0], [0, 4]]).astype(float)
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    if _gpu.is_on_gpu(a):
        return _gpu.inv(a, precision, device, info)
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)
    if a.ndim == 2:
        x, report = _nonius.inv(a, given, device, info)
    else:
        (x,), report = stacked(lambda a: _nonius.inv(a, given, device, info), info, [a], [2])
    return (x, report) if info else x


def det(a, *, digits=None, precision=None, device="auto", info=False):
    """The determinant of ``a``, shape (..., n, n); parameters as in `solve`.

    With ``digits`` the number returned is proved to have these digits, and the entries of ``a``
    count as exact.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.det([[1, 2], [3, 4]])
    -2
    >>> nn.linalg.det([["0.1", "0.2"], ["0.2", "0.3"]], digits=25)
    -0.01
    """
    a = matrix(a)
    given = common(precision, a)
    if digits is None:
        (a,) = typed(given, a)

        def task(a):
            return _nonius.det(a, given, device, info)
    else:
        result = kind_for(digits)
        if a.dtype == object:
            if precision is not None:
                raise ValueError("precision: digits of exact numbers have none, leave it out")

            def task(a):
                rows, factors = _exact.integers(_exact.fractions(a, "a"))
                factor = 1 / Fraction(prod(factors))
                factor = (factor.numerator, factor.denominator)
                return _nonius.det_integers(rows, factor, digits, result, device, info)
        else:
            (a,) = typed(given, a)

            def task(a):
                return _nonius.det_digits(a, given, digits, result, device, info)

    if a.ndim == 2:
        value, report = task(a)
    else:
        (value,), report = stacked(task, info, [a], [2])
    return (value, report) if info else value


def slogdet(a, *, precision=None, device="auto", info=False):
    """The sign of the determinant of ``a``, and the logarithm of its magnitude.

    Parameters
    ----------
    a : array_like, shape (..., n, n)
    precision, device, info
        As in `solve`.

    Returns
    -------
    sign : -1, 0 or 1
    logabsdet : the natural logarithm, -inf for the determinant 0

    Examples
    --------
    >>> import numpy as np
    >>> import nonius as nn
    >>> sign, logarithm = nn.linalg.slogdet(np.eye(400, dtype=int) * -10)
    >>> sign, round(float(logarithm / np.log(10)), 10)
    (1, 400.0)
    """
    a = matrix(a)
    given = common(precision, a)
    (a,) = typed(given, a)
    if a.ndim == 2:
        sign, logarithm, report = _nonius.slogdet(a, given, device, info)
    else:
        (sign, logarithm), report = stacked(
            lambda a: _nonius.slogdet(a, given, device, info), info, [a], [2]
        )
    result = SlogdetResult(sign, logarithm)
    return (result, report) if info else result
