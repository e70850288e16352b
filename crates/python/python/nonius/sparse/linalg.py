"""Sparse systems by iteration, at the precision of their right-hand side.

The functions have the names, the parameters and the results of ``scipy.sparse.linalg``. SciPy itself
is not needed.

**Matrices.** ``A`` is one of these, of shape (n, n):

- a sparse matrix or array of SciPy, in any format;
- a tuple ``(data, indices, indptr)`` of compressed rows, or ``(data, (row, col))`` of entries in any
  order, as SciPy's constructors take them. ``data`` may be an array of ``dd``, ``td`` or ``qd``. Entries
  that name the same place are added;
- a dense array;
- an operator: an object with ``shape`` and ``matvec``, such as SciPy's ``LinearOperator``. ``matvec``
  gets and returns vectors in the precision of the solution. Operators run on the CPU.

Entries that are doubles stay doubles beside longer vectors, which saves time and memory.

**Precision.** Vectors have the precision of ``b`` and ``x0``, or of the entries of ``A`` where that is
higher, or the one that ``precision`` names. Whole numbers in ``b`` count as ``dd``.

**Convergence.** An iteration ends where ``norm(b - A @ x) <= max(rtol * norm(b), atol)``. The default of
``rtol`` grows with the precision:

=========  ======  ======  ======  ======
precision  f64     dd      td      qd
``rtol``   1e-5    1e-20   1e-30   1e-40
=========  ======  ======  ======  ======

The residual is the one that the iteration updates, as in SciPy. With ``residual="true"`` it is
``b - A @ x``, which costs a product more for each iteration at the end. A warning says where both
differ.
"""

import warnings

import numpy as np

from .. import _nonius
from .._arrays import common, integer, number, numbers, text, typed
from ..linalg import NoniusWarning

__all__ = ["bicgstab", "cg", "gmres", "minres"]

_RTOL = {"f64": 1e-5, "dd": 1e-20, "td": 1e-30, "qd": 1e-40}
# Whole numbers up to this one are doubles.
_EXACT = 2**53
# From this multiple of its limit on, a true residual is told where another one decides.
_FAR = 10


def _rtol(precision):
    """A fifth of the bits as decimal digits: two thirds of the digits that there are."""
    if precision in _RTOL:
        return _RTOL[precision]
    return 10.0 ** -min(0.19 * int(precision[2:]), 300)


def _vector(array, n, name):
    array = numbers(array, name)
    if array.shape not in ((n,), (n, 1)):
        raise ValueError(f"{name}: expected shape ({n},) or ({n}, 1), found {array.shape}")
    return array.reshape(n)


def _square(shape, name):
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"{name}: expected a square matrix, found shape {tuple(shape)}")
    return int(shape[0])


def _indices(array, name):
    array = np.asarray(array)
    if array.ndim != 1 or array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name}: expected one dimension of integers, found {array.dtype}, {array.shape}")
    return array


def _entries(parts, n, name):
    """Values, rows and columns of a tuple as SciPy's constructors take it."""
    if len(parts) == 3:
        data, columns, starts = numbers(parts[0], name), *(_indices(part, name) for part in parts[1:])
        if starts.shape != (n + 1,):
            raise ValueError(f"{name}: indptr: expected {n + 1} numbers, found {starts.size}")
        counts = np.diff(starts.astype(np.int64))
        if starts[0] != 0 or (counts < 0).any() or starts[-1] > min(data.size, columns.size):
            raise ValueError(
                f"{name}: indptr: expected numbers that ascend from 0 to at most "
                f"{min(data.size, columns.size)}, the number of entries"
            )
        rows = np.repeat(np.arange(n), counts)
        data, columns = data[: rows.size], columns[: rows.size]
    elif len(parts) == 2 and isinstance(parts[1], (tuple, list, np.ndarray)) and len(parts[1]) == 2:
        data = numbers(parts[0], name)
        rows, columns = (_indices(part, name) for part in parts[1])
    else:
        raise ValueError(f"{name}: expected (data, indices, indptr) or (data, (row, col)) in a tuple")
    if not data.shape == rows.shape == columns.shape:
        raise ValueError(
            f"{name}: expected as many values as indices in one dimension, found shapes "
            f"{data.shape}, {rows.shape} and {columns.shape}"
        )
    return data, rows, columns


class _Given:
    """A matrix or operator that a user gave, of order n."""

    def __init__(self, a, n, name):
        self.data, self.places, self.matvec = np.empty(0), (), None
        if isinstance(a, tuple):
            self.data, rows, columns = _entries(a, n, name)
            self.places = (rows, columns, (n, n))
        elif hasattr(a, "tocoo"):
            order, coo = _square(a.shape, name), a.tocoo()
            self.data = numbers(coo.data, name)
            self.places = (coo.row, coo.col, (order, order))
        elif hasattr(a, "matvec") and hasattr(a, "shape"):
            order, kind = _square(a.shape, name), getattr(a, "dtype", None)
            if kind is not None:
                self.data = numbers(np.empty(0, kind), name)
            self.matvec = lambda x: _vector(a.matvec(x), n, f"{name}.matvec")
        else:
            self.data = numbers(a, name)
            order = _square(self.data.shape, name)
        if not isinstance(a, tuple) and order != n:
            raise ValueError(f"{name}: expected shape ({n}, {n}), found {tuple(a.shape)}")
        self.is_dense = self.matvec is None and not self.places

    def decides(self):
        """Arrays whose precision counts."""
        return [] if self.data.dtype.kind in "biu" else [self.data]

    def for_rust(self, precision):
        if self.matvec is not None:
            return lambda x: typed(precision, self.matvec(x))[0]
        data, kind = self.data, self.data.dtype
        if kind.kind in "iu" and kind.itemsize == 8 and data.size:
            short = -_EXACT <= data.min() and data.max() <= _EXACT
        else:
            short = kind.kind in "biu" or kind in (np.float16, np.float32, np.float64)
        if short or precision == "f64":
            return (data.astype(np.float64), True, *self.places)
        return (*typed(precision, data), False, *self.places)


def _number(value, name):
    value = number(value, name)
    if not 0 <= value < np.inf:
        raise ValueError(f"{name}: expected a finite number of at least 0, found {value}")
    return value


def _count(value, name, least):
    value = integer(value, name)
    if value < least:
        raise ValueError(f"{name}: expected at least {least}, found {value}")
    return min(value, 2**62)


def _order(a, b):
    """The order of a system: that of its right-hand side."""
    n = b.shape[0] if b.ndim in (1, 2) else -1
    if b.shape not in ((n,), (n, 1)):
        raise ValueError(f"b: expected shape (n,) or (n, 1), found {b.shape}")
    if not isinstance(a, tuple):
        shape = a.shape if hasattr(a, "shape") else numbers(a, "A").shape
        if n != _square(shape, "A"):
            raise ValueError(f"b: expected {shape[0]} numbers, as many as A has rows, found {n}")
    return n


def _iterate(
    algorithm, multiple, A, b, x0, rtol, atol, maxiter, M, callback, precision, preconditioner,
    storage, format, refine, residual, device, full_output, restart=1, callback_type="x",
):
    """Iterates at most the order times a multiple, unless ``maxiter`` says how often."""
    b = numbers(b, "b")
    n = _order(A, b)
    b, a = b.reshape(n), _Given(A, n, "A")
    if callback_type not in (None, "x", "pr_norm", "legacy"):
        raise ValueError(f"callback_type: expected x, pr_norm or legacy, found {callback_type!r}")
    restart = min(20 if restart is None else _count(restart, "restart", 1), max(n, 1))
    most = multiple * n if maxiter is None else _count(maxiter, "maxiter", 0)
    if callback is None or callback_type in ("x", "pr_norm"):
        most = min(most * restart, 2**62)
    if isinstance(M, str):
        if preconditioner is not None:
            raise TypeError("M and preconditioner: expected one of them, found both")
        M, preconditioner = None, M
    if M is not None and preconditioner is not None:
        raise TypeError("M and preconditioner: expected one of them, found both")
    if preconditioner is not None and a.matvec is not None:
        raise ValueError(f"preconditioner {preconditioner!r}: needs the entries of A, found an operator")
    arrays = [b]
    if x0 is not None:
        x0 = _vector(x0, n, "x0")
        arrays.append(x0)
    m = None if M is None else _Given(M, n, "M")
    precision = common(precision, *arrays, *a.decides())
    rtol = _rtol(precision) if rtol is None else _number(rtol, "rtol")
    asked = {
        "algorithm": algorithm,
        "restart": restart,
        "rtol": rtol,
        "atol": _number(atol, "atol"),
        "maxiter": most,
        "preconditioner": preconditioner or "none",
        "storage": text(storage, "storage", "full"),
        "format": format or ("full" if a.is_dense else "csr"),
        "refine": None if refine is None else _number(refine, "refine"),
        "residual": text(residual, "residual", "true"),
        "device": text(device, "device", "cpu"),
        "history": full_output,
        "hears_x": callback_type == "x",
    }
    (b,) = typed(precision, b)
    if x0 is not None:
        (x0,) = typed(precision, x0)
    x, report = _nonius.iterate(
        a.for_rust(precision), b, x0, m and m.for_rust(precision), callback, precision, asked
    )
    _warn(report, algorithm, residual)
    # An iteration that has not converged never says 0.
    info = 0 if report["converged"] else max(report["inner_iterations"] or report["iterations"], 1)
    return (x, info, report) if full_output else (x, info)


def _warn(report, algorithm, residual):
    found, limit = report["relative_residual"], report["tolerance"]
    if report["stopped"] == "drift":
        text = "the true residual is larger than rounding explains: take a higher precision"
    elif report["converged"] and residual != "true" and found > _FAR * limit:
        text = (
            f"the true residual is {found:.0e} of the first, where {limit:.0e} was asked for, by rounding: "
            "take a higher precision, or residual='true'"
        )
    elif report["non_positive"] and algorithm == "cg":
        first, count = report["non_positive"]
        text = f"A is not positive definite: p·Ap < 0 in {count} iterations, first in {first}"
    else:
        return
    warnings.warn(text, NoniusWarning, stacklevel=4)


def cg(
    A, b, x0=None, *, rtol=None, atol=0.0, maxiter=None, M=None, callback=None, precision=None,
    preconditioner=None, storage="positional", format=None, refine=None, residual="recursive",
    device="auto", full_output=False,
):
    """Solves ``A @ x = b`` by conjugate gradients, for symmetric positive definite matrices.

    Parameters
    ----------
    A : sparse matrix, tuple, array_like or operator, shape (n, n)
        See `nonius.sparse.linalg`. Matrices have to be symmetric to the last bit: where roundings
        have made them different from their transpose, take ``(A + A.T) / 2``.
    b : array_like, shape (n,) or (n, 1)
    x0 : array_like, shape (n,) or (n, 1), optional
        Where the iteration begins, in place of zero.
    rtol, atol : float, optional
        The iteration ends where ``norm(b - A @ x) <= max(rtol * norm(b), atol)``. By default ``rtol``
        is 1e-5 in ``f64``, 1e-20 in ``dd``, 1e-30 in ``td`` and 1e-40 in ``qd``, and ``atol`` is 0.
    maxiter : int, optional
        The most iterations: ``10 * n`` by default.
    M : sparse matrix, tuple, array_like or operator, shape (n, n), or str, optional
        The inverse of a preconditioner, on the CPU; or a name that ``preconditioner`` takes.
    callback : callable, optional
        Called as ``callback(xk)`` after each iteration, on the CPU. Its exceptions end the iteration.
    precision : {"f64", "dd", "td", "qd", "mp424", ...}, optional
        The precision of vectors and solution.
    preconditioner : {"jacobi", "block-jacobi", "block-jacobi:32", "incomplete-cholesky"}, optional
        A preconditioner in ``f64``, made of the entries of ``A``. Blocks have 16 rows, or the number
        behind the colon.
    storage : {"positional", "residues"}
        How numbers of ``mp`` precisions lie in memory: residues take matrices of doubles.
    format : {"csr", "ell", "jad", "dia", "full"}, optional
        How the matrix lies in memory: ``"csr"`` by default, and ``"full"`` for dense arrays.
    refine : float, optional
        Computes corrections in ``f64``, each to this relative residual, such as 1e-8. This is faster
        where the condition of ``A`` is far below 1e16.
    residual : {"recursive", "true"}
        The residual that ends the iteration.
    device : {"auto", "cpu", "cuda", "cuda:1", ..., "cuda:all"}
    full_output : bool
        Also returns a dictionary: ``converged``, ``stopped`` (why), ``iterations``,
        ``inner_iterations`` (of all corrections), ``relative_residual`` (the true one, beside the
        first), ``relative_residual_recursive``, ``tolerance`` (what they had to reach),
        ``first_residual`` (its norm), ``history`` (the recursive ones), ``non_positive`` (first iteration with p·Ap < 0, and how many), ``entries``, ``precision``,
        ``moduli``, ``device``, ``seconds`` and ``setup_seconds``.

    Returns
    -------
    x : ndarray, shape (n,)
    info : int
        0 where the iteration has converged, else the number of iterations, 1 at least.

    Raises
    ------
    ValueError
        A shape, an index, a name or an entry is wrong, or the matrix is not symmetric.
    NoniusError
        The iteration divides by zero, which happens with singular and indefinite matrices, or the
        preconditioner does not exist.

    Examples
    --------
    >>> import numpy as np
    >>> import nonius as nn
    >>> a = (np.array([2.0, 1.0, 1.0, 3.0]), ([0, 0, 1, 1], [0, 1, 0, 1]))
    >>> x, info = nn.sparse.linalg.cg(a, np.array([1, 2], dtype=nn.qd))
    >>> info, f"{x[0]:.30f}", f"{x[1]:.30f}"
    (0, '0.200000000000000000000000000000', '0.600000000000000000000000000000')
    """
    return _iterate("cg", 10, **locals())


def minres(
    A, b, x0=None, *, rtol=None, atol=0.0, maxiter=None, M=None, callback=None, precision=None,
    preconditioner=None, storage="positional", format=None, refine=None, residual="recursive",
    device="auto", full_output=False,
):
    """Solves ``A @ x = b`` by MINRES, for symmetric matrices, indefinite ones too.

    Parameters and results are those of `cg`, but ``maxiter`` is ``5 * n`` by default. The
    preconditioner has to be positive definite. SciPy's ``shift``, ``show`` and ``check`` do not exist.

    Examples
    --------
    >>> import numpy as np
    >>> import nonius as nn
    >>> a = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> x, info = nn.sparse.linalg.minres(a, np.array([2, 1], dtype=nn.dd))
    >>> info, abs(x - np.array([1, 2])).max() < 1e-30
    (0, True)
    """
    return _iterate("minres", 5, **locals())


def bicgstab(
    A, b, x0=None, *, rtol=None, atol=0.0, maxiter=None, M=None, callback=None, precision=None,
    preconditioner=None, storage="positional", format=None, refine=None, residual="recursive",
    device="auto", full_output=False,
):
    """Solves ``A @ x = b`` by BiCGSTAB, for matrices without symmetry.

    Parameters and results are those of `cg`. A breakdown, for which SciPy returns a negative
    ``info``, raises `nonius.NoniusError`.

    Examples
    --------
    >>> import numpy as np
    >>> import nonius as nn
    >>> a = np.array([[2.0, 1.0], [0.0, 1.0]])
    >>> x, info = nn.sparse.linalg.bicgstab(a, np.array([3, 1], dtype=nn.dd))
    >>> info, abs(x - 1).max() < 1e-28
    (0, True)
    """
    return _iterate("bicgstab", 10, **locals())


def gmres(
    A, b, x0=None, *, rtol=None, atol=0.0, restart=None, maxiter=None, M=None, callback=None,
    callback_type=None, precision=None, preconditioner=None, storage="positional", format=None,
    refine=None, residual="recursive", device="auto", full_output=False,
):
    """Solves ``A @ x = b`` by GMRES, for matrices without symmetry.

    Parameters and results are those of `cg`, with these differences. The preconditioner stands on
    the right, so that residuals are those of the system itself.

    Parameters
    ----------
    restart : int, optional
        Iterations of a cycle, 20 by default. A cycle keeps as many vectors.
    maxiter : int, optional
        The most cycles: ``10 * n`` by default. With ``callback_type="legacy"`` the most iterations.
    callback : callable, optional
        What it is called with depends on ``callback_type``.
    callback_type : {"x", "pr_norm", "legacy"}, optional
        ``"x"``: the iterate after each cycle. ``"pr_norm"`` and ``"legacy"``, the default: the norm of
        the residual beside that of the first, after each iteration, on all devices.

    Returns
    -------
    x : ndarray, shape (n,)
    info : int
        0 where the iteration has converged, else the number of iterations of all cycles.

    Examples
    --------
    >>> import numpy as np
    >>> import nonius as nn
    >>> a = np.array([[0.0, -1.0], [1.0, 0.0]])
    >>> x, info = nn.sparse.linalg.gmres(a, np.array([1, 2], dtype=nn.qd))
    >>> info, [round(float(entry), 12) for entry in x]
    (0, [2.0, -1.0])
    """
    return _iterate("gmres", 10, **locals())
