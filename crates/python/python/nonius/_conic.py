"""Conic programs as semidefinite programs of SDPA's form, exactly.

A conic program is: minimize ``c @ x`` where ``A @ x + s == b`` and ``s`` lies in a product of zero,
nonnegative, second-order and positive semidefinite cones. It becomes one of two programs:

- ``"primal"``: (P) has the variables ``x``, and the matrix ``X`` has the slacks ``s``. Rows of the
  zero cone are pairs of opposite rows of a diagonal block, which the solver eliminates exactly.
- ``"dual"``: (P) has the multipliers ``y`` as its variables, and ``Y`` has the slacks ``s``. The
  variables ``x`` are free variables of (D), so that each is a pair of opposite rows.

docs/decisions/cvxpy.md has the reasons. Doubles count as exact: sums are computed in decimal
arithmetic without rounding.
"""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from ._decimals import CONTEXT
from .sdp import Problem, SecondOrder

_ONE, _HALF = Decimal(1), Decimal("0.5")

# Equality constraints without a simple pivot that the solver eliminates without many digits.
_MOST_HARD = 24


@dataclass
class Cones:
    """The rows of a conic program, in this order."""

    zero: int
    nonnegative: int
    second_order: list
    semidefinite: list


class Layout:
    """Where the rows of a conic program lie in the blocks of a matrix.

    ``places[r]`` is ``(block, i, j)`` for row ``r``, where its slack stands in the matrix of the
    slacks, or ``None`` for a row of the zero cone. Blocks are those of `Problem`.
    """

    def __init__(self, cones, pairs, extra):
        self.blocks, self.places = [], [None] * cones.zero
        self.pairs = pairs
        first = 2 * pairs + extra
        diagonal = first + cones.nonnegative
        self.places += [(0, i, i) for i in range(first, diagonal)]
        if diagonal:
            self.blocks.append(-diagonal)
        for order in cones.second_order:
            self.places += [(len(self.blocks), i, i) for i in range(order)]
            self.blocks.append(SecondOrder(order))
        for order in cones.semidefinite:
            k = len(self.blocks)
            self.places += [(k, j, i) for j in range(order) for i in range(j, order)]
            self.blocks.append(order)
        table = [(r, *place) for r, place in enumerate(self.places) if place]
        self._table = np.array(table, dtype=int).reshape(-1, 4)
        # Rows of entries beside the diagonal, which a product counts twice.
        self.halved = np.zeros(len(self.places), dtype=bool)
        self.halved[self._table[:, 0]] = self._table[:, 2] != self._table[:, 3]

    def entries(self, matrix):
        """For each row, the entry at its place in a matrix that is given as blocks."""
        found = np.zeros(len(self.places), dtype=matrix[0].dtype)
        # Places are in the order of blocks.
        ends = np.searchsorted(self._table[:, 1], np.arange(len(matrix) + 1))
        for block, begin, end in zip(matrix, ends, ends[1:]):
            rows, _, i, j = self._table[begin:end].T
            found[rows] = block[i] if block.ndim == 1 else block[i, j]
        return found


class Translation:
    """A conic program in SDPA's form, and the way back.

    With ``extra`` there is one more slack, the constant 1. Equalities that determine all variables
    can then be eliminated too.
    """

    def __init__(self, c, a, b, cones, form, extra=False):
        self.form, self.zero, self.extra = form, cones.zero, int(extra)
        self.rows, self.columns = a.shape
        self.c, self.b = c, b
        # The objective of the program is that of SDPA's form, or minus it, and this constant.
        self.offset = Fraction(0)
        entries = _Entries()
        fill = self._primal if form == "primal" else self._dual
        objective = fill(a, cones, entries)
        if extra:
            place = 2 * self.layout.pairs
            entries.add(0, 0, place, place, -_ONE)
        self.problem = Problem._of_decimals(objective, self.layout.blocks, entries.all())

    def _primal(self, a, cones, entries):
        self.layout = Layout(cones, cones.zero, self.extra)
        a = a.tocoo()
        constants = zip([0] * self.rows, range(self.rows), self.b.tolist())
        numbers = zip((a.col + 1).tolist(), a.row.tolist(), a.data.tolist())
        for part in (constants, numbers):
            for matrix, r, value in part:
                if value == 0:
                    continue
                value = Decimal(-value)
                if r < self.zero:
                    entries.pair(matrix, r, value)
                else:
                    entries.add(matrix, *self.layout.places[r], value)
        return [Decimal(value) for value in self.c.tolist()]

    def _dual(self, a, cones, entries):
        """Variables that a row of a cone has alone are its slack: no pair stands for them."""
        self.row_of = _rows_alone(a, cones.zero)
        alone = self.row_of >= 0
        self.left = np.setdiff1d(np.arange(self.rows), self.row_of[alone])
        self.layout = Layout(cones, int((~alone).sum()), self.extra)
        number = np.zeros(self.rows, dtype=int)
        number[self.left] = np.arange(len(self.left)) + 1
        pair = np.cumsum(~alone) - 1
        self.factor = np.zeros(self.columns)
        self.factor[alone] = _entries_of(a, self.row_of[alone], np.flatnonzero(alone))
        inverse = {f: _ONE / Decimal(f) for f in np.unique(self.factor[alone]).tolist()}
        constants = [Decimal(value) for value in self.b[self.left].tolist()]
        for r in self.left.tolist():
            self._slack(entries, int(number[r]), r, _ONE)
        a = a.tocoo()
        for r, j, value in zip(a.row.tolist(), a.col.tolist(), a.data.tolist()):
            matrix, own = int(number[r]), int(self.row_of[j])
            if matrix == 0 or value == 0:
                continue
            if own < 0:
                entries.pair(matrix, int(pair[j]), Decimal(value))
                continue
            # x[j] = (b[own] - s[own]) / factor[j]
            value = CONTEXT.multiply(Decimal(value), inverse[float(self.factor[j])])
            self._slack(entries, matrix, own, CONTEXT.minus(value))
            if self.b[own]:
                less = CONTEXT.multiply(value, Decimal(float(self.b[own])))
                constants[matrix - 1] = CONTEXT.subtract(constants[matrix - 1], less)
        for j, value in enumerate(self.c.tolist()):
            own = int(self.row_of[j])
            if value == 0:
                continue
            if own < 0:
                entries.pair(0, int(pair[j]), Decimal(-value))
                continue
            value = CONTEXT.multiply(Decimal(value), inverse[float(self.factor[j])])
            self._slack(entries, 0, own, value)
            self.offset += Fraction(value) * Fraction(float(self.b[own]))
        return constants

    def _slack(self, entries, matrix, r, times):
        """Adds a multiple of the matrix whose product with ``Y`` is the slack of a row."""
        if self.layout.halved[r]:
            times = CONTEXT.multiply(times, _HALF)
        if self.layout.places[r]:
            entries.add(matrix, *self.layout.places[r], times)

    def back(self, result):
        """``x`` and ``y``, the multipliers of all rows."""
        layout, x, dual = self.layout, result.x, result.Y
        kind = x.dtype
        if self.form == "primal":
            y = layout.entries(dual)
            if self.zero:
                y[: self.zero] = _differences(dual[0], self.zero)
            return x, y
        y = layout.entries(result.X)
        is_zero = self.left < self.zero
        y[self.left[is_zero]] = x[is_zero]
        slacks = layout.entries(dual)
        x = np.zeros(self.columns, dtype=kind)
        alone = self.row_of >= 0
        if not alone.all():
            x[~alone] = _differences(dual[0], int((~alone).sum()))
        rows = self.row_of[alone]
        x[alone] = (self.b[rows].astype(kind) - slacks[rows]) / self.factor[alone].astype(kind)
        return x, y


def _differences(diagonal, pairs):
    return diagonal[: 2 * pairs : 2] - diagonal[1 : 2 * pairs : 2]


def _rows_alone(a, zero):
    """For each variable a row of a cone that has no other one, times a power of two; or -1."""
    found = np.full(a.shape[1], -1)
    rows = np.flatnonzero(np.diff(a.indptr) == 1)
    rows = rows[rows >= zero][::-1]
    places = a.indptr[rows]
    is_power = np.frexp(np.abs(a.data[places]))[0] == 0.5
    found[a.indices[places[is_power]]] = rows[is_power]
    if (found >= 0).sum() == a.shape[0]:
        # Something has to be left for SDPA's form.
        found[np.flatnonzero(found >= 0)[0]] = -1
    return found


def _entries_of(a, rows, columns):
    """The entries of rows that have one, which is in these columns."""
    found = a.data[a.indptr[rows]]
    assert (a.indices[a.indptr[rows]] == columns).all()
    return found


class _Entries:
    """Entries of matrices, of which those at one place are added exactly."""

    def __init__(self):
        self._of = {}

    def add(self, matrix, block, i, j, value):
        key = (matrix, block, i, j) if i <= j else (matrix, block, j, i)
        before = self._of.get(key)
        self._of[key] = value if before is None else CONTEXT.add(before, value)

    def pair(self, matrix, number, value):
        self.add(matrix, 0, 2 * number, 2 * number, value)
        self.add(matrix, 0, 2 * number + 1, 2 * number + 1, CONTEXT.minus(value))

    def all(self):
        for (matrix, block, i, j), value in self._of.items():
            if value:
                yield matrix, block + 1, i + 1, j + 1, value


def choose(a, cones):
    """The form with fewer variables, unless too many equalities of it have no simple pivot."""
    rows, columns = a.shape
    hard = {
        "primal": _hard(a[: cones.zero]),
        "dual": _hard(a.T.tocsr()),
    }
    size = {"primal": columns - cones.zero, "dual": rows - columns}
    return min(hard, key=lambda form: (max(hard[form] - _MOST_HARD, 0), size[form]))


# A variable in so few equalities is a simple pivot where its number is a power of two.
_FEW = 3


def _hard(equalities):
    """How many rows have no simple pivot."""
    equalities = equalities.tocsc()
    counts = np.repeat(np.diff(equalities.indptr), np.diff(equalities.indptr))
    is_power = np.frexp(np.abs(equalities.data))[0] == 0.5
    simple = equalities.indices[(counts <= _FEW) & is_power]
    return equalities.shape[0] - len(np.unique(simple))
