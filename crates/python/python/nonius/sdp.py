"""Semidefinite programs: solved to any gap, with proved bounds.

A `Problem` is a pair of programs in the form of SDPA, with symmetric matrices of some blocks, and
second-order cones beside them:

- (P) minimize ``c @ x`` where ``X = sum(x[i] * F[i]) - F[0]`` is positive semidefinite;
- (D) maximize ``F[0] • Y`` where ``F[i] • Y = c[i]`` and ``Y`` is positive semidefinite.

``A • B`` is the sum of the products of all entries. `solve` finds both optima in double precision,
double-double or more, and proves bounds of them. `read` takes the files of SDPA.
"""

import os
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import lcm

import numpy as np

from . import _decimals, _nonius
from ._arrays import integer, number, text
from ._nonius import DoubleDouble, QuadDouble, SdpProblem, SdpSolution, TripleDouble

__all__ = ["Certificate", "Problem", "Result", "SecondOrder", "read", "solve"]

_SCALARS = {"f64": float, "dd": DoubleDouble, "td": TripleDouble}

_MESSAGES = {
    "pdOPT": "both problems are solved",
    "pdFEAS": "both problems have feasible points; the gap is not closed",
    "pFEAS": "the primal problem has a feasible point",
    "dFEAS": "the dual problem has a feasible point",
    "pINF_dFEAS": "the primal problem is infeasible",
    "pFEAS_dINF": "the dual problem is infeasible",
    "pdINF": "both problems are infeasible",
    "pUNBD": "the primal objective falls below its bound",
    "dUNBD": "the dual objective rises above its bound",
    "noINFO": "nothing is known",
}


@dataclass(frozen=True)
class SecondOrder:
    """A block that is a second-order cone.

    It has vectors ``(t, v)`` of ``order`` entries with ``t >= norm(v)``, and no matrices. Entry ``k``
    of a vector stands in row ``k`` and column ``k``, with ``t`` in row 1.

    Examples
    --------
    The least ``t`` that is not less than the norm of ``(3, 4)``:

    >>> import nonius as nn
    >>> entries = [(1, 1, 1, 1, 1), (0, 1, 2, 2, -3), (0, 1, 3, 3, -4)]
    >>> problem = nn.sdp.Problem([1], [nn.sdp.SecondOrder(3)], entries)
    >>> round(float(nn.sdp.solve(problem).primal_objective), 12)
    5.0
    """

    order: int
    """How many entries its vectors have."""


class Problem:
    """A semidefinite program, whose numbers count as exact.

    Parameters
    ----------
    c : sequence of numbers
        The objective of (P), one number for each variable ``x[i]``.
    blocks : sequence of int or SecondOrder
        The orders of the blocks; that of a diagonal block is negative. ``SecondOrder(order)`` is a
        second-order cone.
    entries : iterable of (matrix, block, row, column, value)
        The entries other than zero of all matrices, as in SDPA's sparse format. ``matrix`` is 0 for
        ``F[0]``; ``block``, ``row`` and ``column`` count from 1. An entry stands for its mirror
        image too. Diagonal blocks and second-order cones have entries on the diagonal only.

    Values are floats, integers, texts such as ``"0.1"`` and ``"1/3"``, ``Decimal``, ``Fraction``, or
    numbers of nonius, NumPy, mpmath and gmpy2. No value is rounded.

    Raises
    ------
    ValueError
        A number, an index or a place is not as stated.

    Examples
    --------
    The least ``x + y`` for which ``[[x, 1], [1, y]]`` is positive semidefinite is 2:

    >>> import nonius as nn
    >>> entries = [(0, 1, 1, 2, -1), (1, 1, 1, 1, 1), (2, 1, 2, 2, 1)]
    >>> problem = nn.sdp.Problem([1, 1], [2], entries)
    >>> round(float(nn.sdp.solve(problem).primal_objective), 12)
    2.0
    """

    def __init__(self, c, blocks, entries):
        c = [_decimals.fraction(value, f"c[{i}]") for i, value in enumerate(_listed(c, "c"))]
        blocks = list(_listed(blocks, "blocks"))
        cones = [i for i, block in enumerate(blocks) if isinstance(block, SecondOrder)]
        blocks = [_order(block, f"blocks[{i}]") for i, block in enumerate(blocks)]
        if not c or not blocks:
            raise ValueError(f"{'blocks' if c else 'c'}: expected at least one number")
        for i, order in enumerate(blocks):
            if order == 0:
                raise ValueError(f"blocks[{i}]: expected an order other than 0")
        matrices = [[] for _ in range(len(c) + 1)]
        known = set()
        for i, entry in enumerate(_listed(entries, "entries")):
            place, value = _place(entry, f"entries[{i}]", len(c), blocks)
            if place in known:
                raise ValueError(f"entries[{i}]: expected each entry once, found {place} again")
            known.add(place)
            matrices[place[0]].append((place, value))
        factors = [_decimals.factor(value for _, value in entries) for entries in matrices]
        factors[1:] = [lcm(k, _decimals.factor([value])) for k, value in zip(factors[1:], c)]
        # Near one: tolerances are relative to the largest number of all.
        factors[1:] = [Fraction(k, 10 ** (len(str(k)) - 1)) if k > 1 else 1 for k in factors[1:]]
        values = (_decimals.text(value, times) for value, times in zip(c, factors[1:]))
        lines = [str(len(c)), str(len(blocks)), " ".join(map(str, blocks)), " ".join(values)]
        for times, entries in zip(factors, matrices):
            for (matrix, block, row, column), value in entries:
                lines.append(f"{matrix} {block} {row} {column} {_decimals.text(value, times)}")
        self._factors = None if set(factors) == {1} else factors
        try:
            self._native = _with_cones(("\n".join(lines) + "\n").encode(), cones)
        except ValueError as error:
            # Places are checked above.
            message = "expected numbers below 1.8e308 of at most 65536 digits"
            raise ValueError(f"c, blocks or entries: {message} ({error})") from None

    @classmethod
    def _of(cls, native):
        problem = object.__new__(cls)
        problem._factors, problem._native = None, native
        return problem

    @classmethod
    def _of_decimals(cls, c, blocks, entries):
        """The same with checked places, by texts of finite decimals."""
        cones = [i for i, block in enumerate(blocks) if isinstance(block, SecondOrder)]
        orders = " ".join(str(_order(block, "blocks")) for block in blocks)
        head = f"{len(c)}\n{len(blocks)}\n{orders}\n{' '.join(map(str, c))}\n"
        lines = (f"{matrix} {block} {i} {j} {value}\n" for matrix, block, i, j, value in entries)
        return cls._of(_with_cones((head + "".join(lines)).encode(), cones))

    @property
    def c(self):
        """The objective of (P), as exact fractions."""
        factors = self._factors or [1] * (len(self._native.objective) + 1)
        return [Fraction(text) / k for text, k in zip(self._native.objective, factors[1:])]

    @property
    def blocks(self):
        """The orders of the blocks, negative for diagonal ones, and the second-order cones."""
        return [SecondOrder(order) if cone else order for order, cone in self._native.blocks]

    @property
    def entries(self):
        """The entries as the constructor takes them, with exact fractions."""
        factors = self._factors
        return [
            (*place, Fraction(value) / (factors[place[0]] if factors else 1))
            for *place, value in self._native.entries
        ]

    def __repr__(self):
        return f"<nonius.sdp.Problem: {len(self._native.objective)} variables, blocks {self.blocks}>"


def _order(block, name):
    """The order of a block as SDPA writes it: that of a cone as if it were diagonal."""
    if not isinstance(block, SecondOrder):
        return _integer(block, name)
    order = _integer(block.order, f"{name}.order")
    if order < 1:
        raise ValueError(f"{name}.order: expected a positive number, found {order}")
    return -order


def _with_cones(text, cones):
    """A problem of SDPA's sparse format, in which these blocks are second-order cones."""
    native = SdpProblem.read(text, False)
    return native.with_second_order(cones) if cones else native


def _integer(value, name):
    try:
        return value.__index__()
    except (AttributeError, TypeError):
        raise TypeError(f"{name}: expected an integer, found {type(value).__name__}") from None


def _listed(values, name):
    """What is read one after the other."""
    if isinstance(values, (str, bytes, dict, set, frozenset)) or getattr(values, "ndim", 1) == 0:
        raise TypeError(f"{name}: expected a list, found {type(values).__name__}")
    try:
        return iter(values)
    except TypeError:
        raise TypeError(f"{name}: expected a list, found {type(values).__name__}") from None


def _place(entry, name, variables, blocks):
    """Checks an entry: its place and its value."""
    try:
        *place, value = _listed(entry, name)
        matrix, block, row, column = place
    except (TypeError, ValueError):
        message = f"{name}: expected matrix, block, row, column and value, found {entry!r}"
        raise ValueError(message) from None
    matrix, block, row, column = (_integer(index, name) for index in place)
    if not 0 <= matrix <= variables:
        raise ValueError(f"{name}: expected a matrix from 0 to {variables}, found {matrix}")
    if not 1 <= block <= len(blocks):
        raise ValueError(f"{name}: expected a block from 1 to {len(blocks)}, found {block}")
    order = blocks[block - 1]
    for what, index in [("row", row), ("column", column)]:
        if not 1 <= index <= abs(order):
            raise ValueError(f"{name}: expected a {what} from 1 to {abs(order)}, found {index}")
    if order < 0 and row != column:
        raise ValueError(f"{name}: expected the diagonal, found row {row} and column {column}")
    row, column = min(row, column), max(row, column)
    return (matrix, block, row, column), _decimals.fraction(value, name)


def read(path):
    """Reads a problem from a file of SDPA.

    Parameters
    ----------
    path : path-like
        A file in the dense format where the name ends with ``.dat``, else in the sparse format
        (``.dat-s``). The file may be compressed by gzip or xz.

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        The file is no problem: the message has the line, and what was expected there.

    Examples
    --------
    >>> import tempfile, pathlib, nonius as nn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "one.dat-s")
    ...     _ = path.write_text("1\\n1\\n-1\\n1\\n0 1 1 1 0.1\\n1 1 1 1 1\\n")
    ...     nn.sdp.read(path).entries[0]
    (0, 1, 1, 1, Fraction(1, 10))
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read()
    plain = name
    for ending in (".gz", ".xz"):
        plain = plain.removesuffix(ending)
    try:
        return Problem._of(SdpProblem.read(data, plain.endswith(".dat")))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


@dataclass(frozen=True)
class Certificate:
    """What is proved of a problem, with all rounding errors covered."""

    lower: Fraction | None
    """A number not above the optima, exactly; ``None`` where none is proved."""
    upper: Fraction | None
    """A number not below the optima."""
    lower_text: str | None
    """``lower`` in decimal, rounded downwards where it has too many digits."""
    upper_text: str | None
    """``upper`` in decimal, rounded upwards."""
    digits: float | None
    """How many decimal digits of the optimum are proved."""
    infeasible: str | None
    """``"primal"`` or ``"dual"`` where that problem is proved to be infeasible."""
    reasons: tuple = field(repr=False)
    """Why a bound is missing: two texts or ``None``, for ``lower`` and ``upper``."""
    precision: str | None = field(repr=False)
    """The precision of the proof; ``None`` where it is exact."""
    seconds: float = field(repr=False)
    """What the proof took."""


@dataclass(frozen=True, repr=False)
class Result:
    """What a run of `solve` found."""

    phase: str
    """What is known, by SDPA's names: ``"pdOPT"`` where both problems are solved."""
    end: str
    """Why the run ended: solved, decided, exhausted, iterations, interrupted."""
    message: str
    """The phase in words."""
    x: np.ndarray | None
    """The variables of (P), in the precision of the run."""
    X: list | None
    """The blocks of ``X``: square arrays, and vectors for diagonal blocks and cones."""
    Y: list | None
    """The blocks of ``Y``."""
    primal_objective: object
    """``c @ x``"""
    dual_objective: object
    """``F[0] • Y``"""
    gap: float
    """The difference of both objectives."""
    relative_gap: float
    """The gap over the mean magnitude of the objectives, or over 1 where that is larger."""
    infeasibilities: tuple
    """The largest entry of ``|sum(x[i] * F[i]) - F[0] - X|``, and ``max |c[i] - F[i] • Y|``."""
    iterations: int
    seconds: float
    precision: str
    """The precision of the last iterations and of the arrays."""
    device: str | None
    equalities: tuple
    """How many equality constraints were eliminated exactly, and how many were not."""
    history: list
    """A dictionary for each iteration."""
    certificate: Certificate | None
    _native: object
    _problem: object

    @property
    def success(self):
        """Whether an optimum to the gap was found, or that there is none."""
        return self.end in ("solved", "decided")

    def write(self, path):
        """Writes history, ``x``, ``X`` and ``Y`` with all digits, in SDPA's layout."""
        self._point().write(os.fspath(path), "nonius.sdp")

    def checkpoint(self, path):
        """Writes a file from which ``solve(problem, start=path)`` goes on, or the program."""
        self._point().checkpoint(os.fspath(path), self._problem._native)

    def _point(self):
        if self._native is None:
            raise ValueError("there is no point: " + self.message)
        return self._native

    def __repr__(self):
        return (
            f"<nonius.sdp.Result: {self.phase}, {self.message}; objective "
            f"{self.primal_objective}, relative gap {self.relative_gap:.1e}, "
            f"{self.iterations} iterations in {self.precision}>"
        )


def solve(
    problem,
    *,
    precision="dd",
    gap=None,
    feasibility=None,
    certify=False,
    device="auto",
    progress=None,
    start=None,
    max_iterations=None,
    at_once=False,
):
    """Solves a semidefinite program.

    Parameters
    ----------
    problem : Problem
    precision : str
        ``"f64"``, ``"dd"``, ``"td"``, ``"qd"``, or ``"mp64"`` to ``"mp4096"`` by bits: the precision
        of the last iterations. ``"auto"`` is the lowest one that meets ``gap``.
    gap : float, optional
        The relative gap at which a problem is solved: by default 1e-7 in ``f64``, 1e-20 in ``dd``
        and ``auto``, 1e-30 in ``td``, 1e-40 in ``qd``, 1e-81 in ``mp424``.
    feasibility : float, optional
        The infeasibility that counts as none, relative to the data; by default ten times ``gap``.
    certify : bool
        Proves bounds of the optimum, or that a problem is infeasible.
    device : {"auto", "cpu", "cuda", "cuda:1", ..., "cuda:all"}
    progress : callable, optional
        Is called with a dictionary for each iteration, in the thread of the caller. ``False`` ends
        the run; an exception ends it too and is raised again.
    start : float, Result or path-like, optional
        A multiple of the identity, an earlier result, or the file of a point or a checkpoint.
    max_iterations : int, optional
        By default 200, and one for each digit of the gap.
    at_once : bool
        Begins in ``precision`` and not in ``f64``.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        An argument is wrong, or all matrices are zero.
    MemoryError
        The run takes more memory than there is.

    Examples
    --------
    Lovász's number of the pentagon is the square root of 5:

    >>> import nonius as nn
    >>> edges = [(1, 2), (2, 3), (3, 4), (4, 5), (1, 5)]
    >>> entries = [(0, 1, i, j, 1) for j in range(1, 6) for i in range(1, j + 1)]
    >>> entries += [(1, 1, i, i, 1) for i in range(1, 6)]
    >>> entries += [(k, 1, i, j, 1) for k, (i, j) in enumerate(edges, 2)]
    >>> problem = nn.sdp.Problem([1, 0, 0, 0, 0, 0], [5], entries)
    >>> result = nn.sdp.solve(problem, certify=True)
    >>> result.phase, result.x.dtype, result.relative_gap <= 1e-20
    ('pdOPT', nonius.dd, True)
    >>> proof = result.certificate
    >>> proof.lower**2 <= 5 <= proof.upper**2, proof.digits > 20
    (True, True)
    """
    if not isinstance(problem, Problem):
        raise TypeError(f"problem: expected a Problem, found {type(problem).__name__}")
    most = None if max_iterations is None else integer(max_iterations, "max_iterations")
    if most is not None and most < 0:
        raise ValueError(f"max_iterations: expected at least 0, found {most}")
    told = {
        "precision": text(precision, "precision", "dd"),
        "gap": None if gap is None else number(gap, "gap"),
        "feasibility": None if feasibility is None else number(feasibility, "feasibility"),
        "max_iterations": None if most is None else min(most, 2**63),
        "start": None,
        "at_once": bool(at_once),
        "then_proved": bool(certify),
        "device": text(device, "device", "cpu"),
    }
    point = None
    if isinstance(start, (int, float, np.floating)):
        told["start"] = float(start)
    elif start is not None:
        point = _start(start, problem, precision)
    scale = problem._factors[0] if problem._factors else 1
    heard = progress and (lambda row: progress(_scaled_row(row, scale)))
    found = _nonius.sdp_solve(problem._native, told, point, heard)
    if not isinstance(found, SdpSolution):
        return _seen(found, problem, precision)
    report = found.report()
    proof = None
    if certify and report["end"] != "interrupted":
        proof = _certificate(found.certify(problem._native), scale)
    return _result(found, report, problem, scale, proof)


def _start(start, problem, precision):
    if isinstance(start, Result):
        return start._point().start()
    name = os.fspath(start)
    with open(name, "rb") as file:
        data = file.read()
    return _nonius.SdpPoint.read(data, name, precision, problem._native)


def _scaled_row(row, scale):
    if scale != 1:
        row["objectives"] = [objective / scale for objective in row["objectives"]]
    return row


def _result(found, report, problem, scale, proof):
    x, primal, dual = found.arrays()
    if problem._factors:
        factors = [Fraction(k) / scale for k in problem._factors[1:]]
        x = x * np.array(factors, dtype=object).astype(x.dtype)
        primal = [block / scale for block in primal]
    number = _SCALARS.get(report["precision"], QuadDouble)
    objectives = [number(text) / scale for text in report["objectives"]]
    residuals = report["infeasibilities"]
    return Result(
        phase=report["phase"],
        end=report["end"],
        message=_MESSAGES[report["phase"]],
        x=x,
        X=primal,
        Y=dual,
        primal_objective=objectives[0],
        dual_objective=objectives[1],
        gap=report["gap"] / scale,
        relative_gap=report["relative_gap"],
        infeasibilities=(residuals[0] / scale, residuals[1]),
        iterations=report["iterations"],
        seconds=report["seconds"],
        precision=report["precision"],
        device=report["device"],
        equalities=tuple(report["equalities"]),
        history=[_scaled_row(row, scale) for row in found.history()],
        certificate=proof,
        _native=found,
        _problem=problem,
    )


def _certificate(told, scale):
    sides = {"pINF_dFEAS": "primal", "pFEAS_dINF": "dual"}
    exact = {side: told[side] and Fraction(told[side]) / scale for side in ("lower", "upper")}
    texts = {side: told[side] for side in exact}
    if scale != 1:
        for side, rounding in [("lower", ROUND_FLOOR), ("upper", ROUND_CEILING)]:
            if texts[side]:
                digits = len(Decimal(texts[side]).as_tuple().digits) + 2
                context = Context(prec=digits, rounding=rounding)
                texts[side] = str(context.divide(Decimal(texts[side]), Decimal(scale)))
    return Certificate(
        lower=exact["lower"],
        upper=exact["upper"],
        lower_text=texts["lower"],
        upper_text=texts["upper"],
        digits=told["digits"],
        infeasible=sides.get(told["infeasible"]),
        reasons=(told["lower_reason"], told["upper_reason"]),
        precision=told["precision"],
        seconds=told["seconds"],
    )


def _seen(told, problem, precision):
    """The result of a problem that is infeasible by its exact numbers alone."""
    nan, reason = float("nan"), told["reason"]
    side = "primal" if told["phase"] == "pINF_dFEAS" else "dual"
    proof = Certificate(None, None, None, None, None, side, (reason, reason), None, 0.0)
    return Result(
        phase=told["phase"],
        end="decided",
        message=reason,
        x=None,
        X=None,
        Y=None,
        primal_objective=nan,
        dual_objective=nan,
        gap=nan,
        relative_gap=nan,
        infeasibilities=(nan, nan),
        iterations=0,
        seconds=0.0,
        precision=precision,
        device=None,
        equalities=(0, 0),
        history=[],
        certificate=proof,
        _native=None,
        _problem=problem,
    )
