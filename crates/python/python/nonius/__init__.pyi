from . import cvxpy as cvxpy
from . import cuda, fem, linalg, option, sdp, sparse
from ._nonius import (
    DoubleDouble,
    Multiprecision,
    NoniusError,
    QuadDouble,
    TripleDouble,
    dd,
    mp,
    qd,
    td,
)
from ._numbers import from_limbs, limbs
from ._tridiagonal import solve_tridiagonal

__all__ = [
    "DoubleDouble",
    "Multiprecision",
    "NoniusError",
    "QuadDouble",
    "TripleDouble",
    "cuda",
    "dd",
    "fem",
    "from_limbs",
    "limbs",
    "linalg",
    "mp",
    "option",
    "qd",
    "sdp",
    "solve_tridiagonal",
    "sparse",
    "td",
]
