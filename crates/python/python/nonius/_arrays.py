"""What precision arrays have, and which numbers hold a result."""

import operator

import numpy as np

from . import _nonius
from ._nonius import CudaArray, DoubleDouble, TripleDouble, dd, mp, qd, td

# The types that have no bits of their own, by their names, the lowest first.
_KINDS = {"f64": np.dtype(np.float64), "dd": dd, "td": td, "qd": qd}

_NAME_OF = {type(kind): name for name, kind in _KINDS.items()}
_RANK = {name: rank for rank, name in enumerate(_KINDS)}
# Digits that a proof with one digit more leaves after the rounding to a kind.
_DIGITS = {"dd": 30, "td": 46, "qd": 62}
# One less than the digits that a proof may have.
_MOST_DIGITS = 999
# Integers up to here are doubles.
_MOST_EXACT = 2**53


def kind_for(digits):
    """The name of the numbers that hold so many proved digits."""
    digits = integer(digits, "digits")
    if not 1 <= digits <= _MOST_DIGITS:
        raise ValueError(
            f"digits: expected at least 1 and at most {_MOST_DIGITS}, found {digits}"
        )
    for name, most in _DIGITS.items():
        if digits <= most:
            return name
    # A digit takes 3.3220 bits; two more bits make the rounding less than half of the last one.
    return f"mp{-(-(33220 * digits // 10000 + 3) // 64) * 64}"


def name_of(kind):
    """The name of the precision of a type, or None where it has none of its own."""
    return _NAME_OF.get(type(kind))


def kind_of(precision):
    """The type of the numbers of a precision."""
    return _KINDS[precision] if precision in _KINDS else mp(int(precision[2:]))


def common(precision, *arrays):
    """The name of the precision given, or of the highest of some arrays."""
    if precision is not None:
        # Refuses names that it does not know.
        _nonius.bits(text(precision, "precision", "dd"))
        return precision
    highest = "f64"
    for array in arrays:
        kind = array.dtype
        name = _NAME_OF.get(type(kind))
        if name is None:
            if isinstance(kind, mp):
                kinds = [array.dtype for array in arrays if array.dtype != object]
                return f"mp{np.result_type(mp(64), *kinds).bits}"
            # Single and half precision are exact in double, other numbers count as `dd`.
            name = "f64" if kind.kind == "f" and kind.itemsize <= 8 else "dd"
        if _RANK[name] > _RANK[highest]:
            highest = name
    return highest


def typed(precision, *arrays):
    """Arrays as the compiled functions take them: for ``mp``, their type has to name the bits."""
    if precision in _KINDS or precision[:2] != "mp" or not precision[2:].isdigit():
        return arrays
    kind = mp(int(precision[2:]))
    return tuple(np.asarray(array, dtype=kind) for array in arrays)


def text(value, name, example):
    """A name among the options of a function."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a text such as {example!r}, found {value!r}")
    return value


def integer(value, name):
    """An integer among the options of a function."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an integer, found {value!r}") from None


def number(value, name):
    """A double among the options of a function."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected a number, found {value!r}") from None


def matrix(a, name="a"):
    """An array of numbers, of at least two dimensions: a matrix, or a stack of matrices."""
    a = numbers(a, name)
    if a.ndim < 2:
        raise ValueError(f"{name}: expected an array of 2 or more dimensions, found {a.ndim}")
    return a


def numbers(x, name):
    """An array whose entries are the numbers of ``x``: as objects where no type of NumPy has them."""
    if isinstance(x, CudaArray):
        raise TypeError(f"{name}: expected an array of the host, which get() makes of one on a GPU")
    if isinstance(x, np.ma.MaskedArray):
        if np.ma.is_masked(x):
            raise ValueError(f"{name}: expected no masked entries: fill them, as by {name}.filled(0)")
        x = x.data
    if not isinstance(x, np.ndarray):
        x = _of_list(x, name)
    kind = x.dtype.kind
    if type(x.dtype) in _NAME_OF or kind in "iubO" or isinstance(x.dtype, mp):
        return x
    if type(x.dtype).__name__ == "QuadPrecDType":
        # 113 bits, exactly.
        return _one_by_one(TripleDouble, x, td)
    if kind == "f" and x.dtype.itemsize < 8:
        return x.astype(np.float64)
    if kind == "f":
        # Long doubles of 64 bits, exactly, and of 113 bits, rounded.
        return _one_by_one(DoubleDouble, x, dd)
    if kind == "U":
        return x.astype(object)
    raise TypeError(f"{name}: expected real numbers, found {x.dtype}")


def _one_by_one(scalar, x, kind):
    return np.array([scalar(entry) for entry in x.flat], dtype=kind).reshape(x.shape)


def _of_list(x, name):
    is_one = x is None or isinstance(x, (str, bytes, dict, set, frozenset))
    if is_one or hasattr(x, "__next__"):
        raise TypeError(f"{name}: expected an array, found {type(x).__name__}")
    if hasattr(x, "tocoo"):
        raise TypeError(
            f"{name}: expected an array, found {type(x).__name__}: take its toarray(), or "
            "nonius.sparse.linalg"
        )
    if hasattr(x, "tolist") and not hasattr(x, "dtype"):
        # Matrices of mpmath, which NumPy makes doubles of, and of python-flint.
        x = x.tolist()
    array = as_array(x, name)
    kind = array.dtype.kind
    if kind in "US":
        # What was a number beside texts is no text.
        return np.array(x, dtype=object)
    if kind == "f" and type(array.dtype) is type(_KINDS["f64"]) and array.size:
        # NumPy has made doubles of integers beside doubles.
        objects = np.array(x, dtype=object)
        if objects.shape == array.shape and any(
            isinstance(entry, int) and abs(entry) > _MOST_EXACT for entry in objects.flat
        ):
            return objects
    return array


def as_array(x, name):
    """``numpy.asarray``, with a sentence for lists that make no array."""
    try:
        return np.asarray(x)
    except ValueError as error:
        if "inhomogeneous" in str(error):
            raise ValueError(f"{name}: expected rows of the same length") from None
        raise


def stacked(task, info, arrays, cores):
    """Runs a task for each matrix of some stacks, and stacks the results.

    ``task`` takes one matrix of each array and returns results and, as its last, a report.
    ``cores`` are the dimensions of the matrices. Stacks are broadcast against one another. Returns
    the results as a list, and the list of reports in the order of the stack, or None.
    """
    shapes = [a.shape[: a.ndim - core] for a, core in zip(arrays, cores)]
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        found = " and ".join(str(a.shape) for a in arrays)
        raise ValueError(f"expected stacks that broadcast, found the shapes {found}") from None
    whole = [
        np.broadcast_to(a, shape + a.shape[a.ndim - core :]) for a, core in zip(arrays, cores)
    ]
    found, reports = [], []
    for index in np.ndindex(shape):
        *results, report = task(*(a[index] for a in whole))
        found.append(results)
        reports.append(report)
    if not found:
        # The shapes and types are those of a matrix of ones on its diagonal.
        likes = [np.eye(*a.shape[a.ndim - core :]) for a, core in zip(whole, cores)]
        likes = [like if core > 1 else like.diagonal() for like, core in zip(likes, cores)]
        *results, _ = task(*(like.astype(a.dtype) for like, a in zip(likes, whole)))
        empty = [None if x is None else _like(x, shape) for x in results]
        return empty, [] if info else None
    results = [None if parts[0] is None else _stack(parts, shape) for parts in zip(*found)]
    return results, reports if info else None


def _stack(parts, shape):
    if not isinstance(parts[0], np.ndarray):
        kind = np.asarray(parts[0]).dtype
        return np.array(parts, dtype=kind).reshape(shape)
    return np.stack(parts).reshape(shape + parts[0].shape)


def _like(x, shape):
    x = np.asarray(x)
    return np.empty(shape + x.shape, dtype=x.dtype)
