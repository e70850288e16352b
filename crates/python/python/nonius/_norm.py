"""Norms, and products that NumPy refuses types of users."""

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ._arrays import common, kind_of, numbers
from ._decompose import svdvals

# Numbers between the power of two and its inverse have squares whose last limbs are in the range.
_FAR = 2.0**400


def _typed(precision, *arrays):
    arrays = [numbers(a, name) for a, name in zip(arrays, "ab")]
    kind = kind_of(common(precision, *arrays))
    return [np.asarray(a, dtype=kind) for a in arrays]


def norm(a, ord=None, axis=None, keepdims=False, *, precision=None, device="auto"):
    """The norm of a vector or matrix.

    Parameters
    ----------
    a : array_like
        With neither ``ord`` nor ``axis``, of any shape: the 2-norm of all entries.
    ord : {None, "fro", "nuc", inf, -inf, 1, -1, 2, -2, or, for vectors, any number}
        As in ``numpy.linalg.norm`` and ``scipy.linalg.norm``. For a matrix, None is the Frobenius
        norm.
    axis : int or tuple of two ints, optional
        Along these axes are the vectors or matrices, of which ``a`` is a stack.
    keepdims : bool
        Whether the result keeps these axes, with length 1.
    precision, device
        As in `solve`. Singular values, for ``ord`` 2, -2 and "nuc", are computed on the device.

    Returns
    -------
    A scalar, or an array of the norms of a stack. ``numpy.linalg.norm`` would round all to doubles.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.norm([3, 4]), nn.linalg.norm([[1, -2], [3, 4]], 1)
    (5, 6)
    """
    (a,) = _typed(precision, a)
    if a.ndim == 0 and ord is None and axis is None:
        return abs(a)
    if axis is None:
        axes = tuple(range(a.ndim))
        if ord is not None and a.ndim not in (1, 2):
            raise ValueError(f"a: expected an array of 1 or 2 dimensions, found {a.ndim}")
    else:
        axes = normalize_axis_tuple(axis, a.ndim, "axis")
        if len(axes) not in (1, 2):
            raise ValueError(f"axis: expected one or two axes, found {len(axes)}")
    if ord is None or ord == "fro" and len(axes) == 2:
        return _two(a, axes, keepdims)
    if len(axes) == 1:
        return _of_vectors(a, ord, axes[0], keepdims)
    return _of_matrices(a, ord, axes, keepdims, device)


def _two(a, axes, keepdims):
    """The square root of the sum of squares, without spurious overflow or underflow."""
    if a.size:
        largest = abs(a).max(axis=axes, keepdims=True)
        is_far = (largest > _FAR) | (largest > 0) & (largest < 1 / _FAR)
        if is_far.any():
            scale = np.where(is_far & np.isfinite(largest), largest, np.ones_like(largest))
            found = scale * np.sqrt(np.sum(np.square(a / scale), axis=axes, keepdims=True))
            return found if keepdims else found.squeeze(axis=axes)[()]
    return np.sqrt(np.sum(np.square(a), axis=axes, keepdims=keepdims))


def _of_vectors(a, ord, axis, keepdims):
    options = {"axis": axis, "keepdims": keepdims}
    if ord == np.inf:
        return abs(a).max(**options)
    if ord == -np.inf:
        return abs(a).min(**options)
    if ord == 2:
        return _two(a, (axis,), keepdims)
    if isinstance(ord, str):
        raise ValueError(f"ord: expected a number for vectors, found {ord!r}")
    if ord == 0:
        return np.sum((a != 0).astype(a.dtype), **options)
    if ord == 1:
        return np.sum(abs(a), **options)
    # A power of a sum, as for vectors of doubles.
    return np.sum(abs(a) ** ord, **options) ** (1 / a.dtype.type(ord))


def _of_matrices(a, ord, axes, keepdims, device):
    down, right = axes
    if down == right:
        raise ValueError("axis: expected two different axes")
    if ord in (1, -1, np.inf, -np.inf):
        summed, other = (down, right) if ord in (1, -1) else (right, down)
        sums = np.sum(abs(a), axis=summed, keepdims=True)
        best = np.max if ord in (1, np.inf) else np.min
        found = best(sums, axis=other, keepdims=True)
    elif ord in (2, -2, "nuc"):
        values = svdvals(np.moveaxis(a, axes, (-2, -1)), device=device)
        if ord != "nuc" and values.shape[-1] == 0:
            raise ValueError("a: expected a matrix with entries, found an empty one")
        if ord == "nuc":
            found = np.sum(values, axis=-1)
        else:
            found = values[..., 0 if ord == 2 else -1]
        found = np.expand_dims(found, axes)
    else:
        raise ValueError(
            f"ord: expected 1, -1, 2, -2, inf, -inf, 'fro' or 'nuc' for matrices, found {ord!r}"
        )
    return found if keepdims else found.squeeze(axis=axes)[()]


def dot(a, b, *, precision=None):
    """The product of ``numpy.dot``, which refuses types of users before NumPy 2.5.

    Parameters
    ----------
    a, b : array_like
        Terms are summed over the last axis of ``a`` and the last but one of ``b``, or its only one.
        Where one has no axis, it is a factor.
    precision
        As in `solve`.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.linalg.dot([1, 2], [3, 4])
    11
    """
    a, b = _typed(precision, a, b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    terms, found = a.shape[-1], b.shape[-2] if b.ndim > 1 else b.shape[0]
    if terms != found:
        raise ValueError(f"b: expected {terms} terms, as a has, found {found}")
    if a.ndim == 1 or b.ndim <= 2:
        return a @ b
    shape = a.shape[:-1] + b.shape[:-2] + b.shape[-1:]
    columns = np.moveaxis(b, -2, 0).reshape(terms, -1)
    return (a.reshape(-1, terms) @ columns).reshape(shape)
