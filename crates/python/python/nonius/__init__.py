"""Linear algebra at the precision you ask for, on NumPy arrays.

The types ``dd``, ``td`` and ``qd`` have 31, 46 and 62 digits. They are types of NumPy: arrays of them
are indexed, broadcast, sorted, added and printed as arrays of doubles are.

>>> import numpy as np
>>> import nonius as nn
>>> third = np.array([1], dtype=nn.dd) / 3
>>> third[0]
0.333333333333333333333333333333332
"""

import copyreg as _copyreg

from . import linalg, sdp
from ._nonius import DoubleDouble, NoniusError, QuadDouble, TripleDouble, dd, qd, td
from ._numbers import from_limbs, limbs

# Types are pickled by their names, and with them arrays.
for _name, _type in [("dd", dd), ("td", td), ("qd", qd)]:
    _copyreg.pickle(type(_type), lambda _, name=_name: name)

__all__ = [
    "DoubleDouble",
    "NoniusError",
    "QuadDouble",
    "TripleDouble",
    "dd",
    "from_limbs",
    "limbs",
    "linalg",
    "qd",
    "sdp",
    "td",
]


def __getattr__(name):
    """The solver for CVXPY, which is loaded when it is asked for."""
    if name == "cvxpy":
        from importlib import import_module

        return import_module(".cvxpy", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
