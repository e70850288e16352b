"""Systems, factors, inverses, determinants, eigenvalues and singular values.

Functions have the names and shapes of ``numpy.linalg`` and ``scipy.linalg``. They compute in the
precision of their arrays, or in the one that ``precision`` names: ``"f64"``, ``"dd"``, ``"td"``,
``"qd"``, or ``"mp"`` and bits from 64 to 4096, as ``"mp424"``. Arrays of integers, fractions and
decimals count as ``dd``, arrays of ``mp(bits)`` beside others as ``mp`` with the most bits that one of
them has. ``device`` is ``"auto"``, ``"cpu"``, ``"cuda"``, ``"cuda:1"`` and so on; ``solve`` and ``inv``
also take ``"cuda:all"``.

Stacks of matrices, arrays of more than two dimensions, are taken matrix by matrix in the last two.
With ``info`` a stack has a list of dictionaries, in the order of its matrices.
"""

from ._decompose import EighResult, SVDResult, cond, eigh, eigvalsh, matrix_rank, pinv, svd, svdvals
from ._factor import QRResult, cho_factor, cholesky, lu, lu_factor, qr
from ._nonius import NoniusWarning
from ._norm import dot, norm
from ._solve import (
    SlogdetResult,
    cho_solve,
    det,
    inv,
    lstsq,
    lu_solve,
    slogdet,
    solve,
    solve_triangular,
)

__all__ = [
    "EighResult",
    "NoniusWarning",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "cond",
    "det",
    "dot",
    "eigh",
    "eigvalsh",
    "inv",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matrix_rank",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "svd",
    "svdvals",
]
