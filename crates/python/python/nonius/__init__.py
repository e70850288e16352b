"""Linear algebra at the precision you ask for, on NumPy arrays.

The types ``dd``, ``td`` and ``qd`` have 31, 46 and 62 digits, and ``mp(bits)`` as many as its bits, from
64 to 4096, are worth. They are types of NumPy: arrays of them are indexed, broadcast, sorted, added and
printed as arrays of doubles are.

>>> import numpy as np
>>> import nonius as nn
>>> third = np.array([1], dtype=nn.dd) / 3
>>> third[0]
0.333333333333333333333333333333332
>>> np.sqrt(np.array([2], dtype=nn.mp(100)))
array([1.414213562373095048801688724209], dtype=nonius.mp(100))
"""

import copyreg as _copyreg

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

# Types are pickled by their names, and with them arrays.
for _name, _type in [("dd", dd), ("td", td), ("qd", qd)]:
    _copyreg.pickle(type(_type), lambda _, name=_name: name)  # type: ignore[misc]
_copyreg.pickle(mp, lambda instance: (mp, (instance.bits,)))

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


def __getattr__(name):
    """The solver for CVXPY, which is loaded when it is asked for."""
    if name == "cvxpy":
        from importlib import import_module

        return import_module(".cvxpy", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
