"""Batches of tridiagonal systems."""

import math

import numpy as np

from . import _nonius
from ._nonius import NoniusError
from ._arrays import common, numbers, text, typed


def solve_tridiagonal(
    dl, d, du, b, *, method="auto", pivoting=False, periodic=False, precision=None, device="auto",
    info=False,
):
    """Solves tridiagonal systems, many at once.

    Row ``i`` of a system says ``dl[i] * x[i-1] + d[i] * x[i] + du[i] * x[i+1] = b[i]``.

    Parameters
    ----------
    dl, d, du : array_like, shape (..., n)
        The diagonals below, on and above the main one. All three have ``n`` numbers a system.
        ``dl[..., 0]`` and ``du[..., n-1]`` lie outside of the matrix and are not read, unless
        ``periodic`` is true.
    b : array_like, shape (..., n)
        The right-hand sides. The leading dimensions of all four are broadcast: one matrix serves
        many right-hand sides.
    method : {"auto", "thomas", "pcr", "hybrid"}
        Elimination from the first row to the last, cyclic reduction, or chunks of rows. ``"auto"`` is
        ``"thomas"`` on a CPU and ``"hybrid"`` on a GPU.
    pivoting : bool
        Exchanges rows, for matrices that are neither diagonally dominant nor positive definite; by
        ``"thomas"`` alone.
    periodic : bool
        The first row has ``x[n-1]`` as its neighbour, by ``dl[..., 0]``, and the last row ``x[0]``, by
        ``du[..., n-1]``. Systems then have 3 equations or more.
    precision : {"f64", "dd", "td", "qd", "mp424", ...}, optional
        The precision of all numbers; that of the arrays by default.
    device : {"auto", "cpu", "cuda", "cuda:1", ..., "cuda:all"}
    info : bool
        Also returns a dictionary: ``failures``, ``method``, ``device`` and ``seconds``. Systems without
        solution then have NaN in ``x``, and are listed in ``failures`` as ``(index, row, cause)``; the
        index has the leading dimensions of ``x``.

    Returns
    -------
    x : ndarray, shape (..., n)

    Raises
    ------
    NoniusError
        A system is singular, or has a zero pivot, and ``info`` is false.

    Examples
    --------
    >>> import numpy as np
    >>> import nonius as nn
    >>> ones = np.ones(4, dtype=nn.dd)
    >>> nn.solve_tridiagonal(-ones, 2 * ones, -ones, [[1, 0, 0, 1], [0, 0, 0, 5]])
    array([[1, 1, 1, 1],
           [1, 2, 3, 4]], dtype=nonius.dd)
    """
    arrays = {"dl": dl, "d": d, "du": du, "b": b}
    for name, array in arrays.items():
        array = arrays[name] = numbers(array, name)
        if array.ndim == 0:
            raise ValueError(f"{name}: expected a dimension or more, found a number")
    n = arrays["d"].shape[-1]
    for name, array in arrays.items():
        if array.shape[-1] != n:
            outside = {"dl": f" ({name}[..., 0] is not read)", "du": f" ({name}[..., {n - 1}] is not read)"}
            raise ValueError(
                f"{name}: expected a last dimension of {n}, as d has"
                f"{outside.get(name, '')}, found {array.shape[-1]}"
            )
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        found = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"expected shapes that broadcast, found {found}") from None
    precision = common(precision, *arrays.values())
    systems = math.prod(shape[:-1])
    _nonius.check_tridiagonal(systems, n, precision)
    columns = [np.broadcast_to(array, shape).reshape(systems, n).T for array in arrays.values()]
    columns = list(typed(precision, *columns))
    text(method, "method", "thomas")
    text(device, "device", "cpu")
    asked = {"method": method, "pivoting": bool(pivoting), "periodic": bool(periodic), "device": device}
    x, report = _nonius.solve_tridiagonal(columns, precision, asked)
    failures = [
        (tuple(int(i) for i in np.unravel_index(system, shape[:-1])), row, cause)
        for system, row, cause in report["failures"]
    ]
    report["failures"] = failures
    if failures and not info:
        index, row, cause = failures[0]
        name = f"system {index}" if index else "the system"
        hint = "" if pivoting else ", pivoting=True exchanges rows"
        raise NoniusError(
            f"{name} has no solution by this method: {cause} in row {row}; {len(failures)} of {systems} "
            f"failed{hint}, info=True returns the others"
        )
    x = x.T.reshape(shape)
    return (x, report) if info else x
