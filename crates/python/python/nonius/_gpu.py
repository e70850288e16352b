"""Tasks of linear algebra on arrays in a GPU's memory."""

import numpy as np

from . import _nonius
from ._arrays import name_of
from ._nonius import CudaArray


def is_on_gpu(*arrays):
    """Whether an operand is an array in a GPU's memory."""
    return any(isinstance(array, CudaArray) for array in arrays)


def _check(precision, device, **operands):
    """Whether a task is one for arrays on a GPU: in their precision, where they are."""
    for name, operand in operands.items():
        if not isinstance(operand, CudaArray):
            found = type(operand).__name__
            raise TypeError(
                f"{name}: expected an array on a GPU, as the other is, found {found}: "
                "nonius.cuda.asarray copies it there"
            )
        kind = name_of(operand.dtype)
        if precision not in (None, kind):
            raise ValueError(f"precision: expected {kind}, as {name} has, found {precision}")
        places = {"auto", operand.device} | ({"cuda"} if operand.device == "cuda:0" else set())
        if device not in places:
            raise ValueError(f"device: expected {operand.device}, where {name} is, found {device}")


def solve(a, b, digits, precision, method, device, info):
    _check(precision, device, a=a, b=b)
    if digits is not None:
        raise ValueError("digits: proofs take arrays of the host, which get() makes")
    x, report = _nonius.cuda_solve(a, b, method, info)
    return (x, report) if info else x


def solve_triangular(a, b, lower, transpose, unit_diagonal, precision):
    _check(precision, "auto", a=a, b=b)
    return _nonius.cuda_solve_triangular(a, b, lower, transpose, unit_diagonal)


def cho_solve(c, b, lower, precision):
    _check(precision, "auto", c=c, b=b)
    half = _nonius.cuda_solve_triangular(c, b, lower, not lower, False)
    return _nonius.cuda_solve_triangular(c, half, lower, bool(lower), False)


def lstsq(a, b, precision, device, info):
    _check(precision, device, a=a, b=b)
    x, report = _nonius.cuda_lstsq(a, b, info)
    return (x, report) if info else x


def inv(a, precision, device, info):
    _check(precision, device, a=a)
    x, report = _nonius.cuda_inv(a, info)
    return (x, report) if info else x


def cholesky(a, upper, precision, device, info):
    _check(precision, device, a=a)
    factor, report = _nonius.cuda_cholesky(a, upper, info)
    return (factor, report) if info else factor


def lu(a, permute_l, p_indices, precision, device, info):
    _check(precision, device, a=a)
    pivots, lower, upper, report = _nonius.cuda_lu(a, info)
    rows = list(range(len(pivots)))
    for j, pivot in enumerate(pivots):
        rows[j], rows[pivot] = rows[pivot], rows[j]
    places = np.empty(len(rows), dtype=np.intp)
    places[rows] = np.arange(len(rows))
    if p_indices and not permute_l:
        result = places, lower, upper
    else:
        permutation = np.zeros((len(rows), len(rows)), dtype=a.dtype)
        permutation[rows, np.arange(len(rows))] = 1
        permutation = _nonius.cuda_upload(permutation, name_of(a.dtype), a.device)
        result = (permutation @ lower, upper) if permute_l else (permutation, lower, upper)
    return (result, report) if info else result


def qr(a, mode, precision, device, info):
    _check(precision, device, a=a)
    if mode not in ("reduced", "r"):
        raise ValueError(f"mode: expected reduced or r for arrays on a GPU, found {mode!r}")
    q, r = _nonius.cuda_qr(a, mode == "reduced")
    report = {"device": a.device} if info else None
    return q, r, report
