"""A solver for CVXPY, at the precision you ask for and with proved bounds.

``import nonius`` does not import CVXPY; ``nonius.cvxpy`` does. Pass an instance of `NONIUS` as the
solver, and its options by name:

>>> import cvxpy as cp
>>> import nonius as nn
>>> x = cp.Variable(2)
>>> problem = cp.Problem(cp.Minimize(cp.norm(x)), [cp.sum(x) == 1])
>>> value = problem.solve(solver=nn.cvxpy.NONIUS(), precision="dd", certify=True)
>>> lower, upper = nn.cvxpy.bounds(problem)
>>> 2 * lower**2 <= 1 <= 2 * upper**2, upper - lower < 1e-19
(True, True)

The doubles that CVXPY hands to its solvers count as exact, and the bounds hold for the program with
these numbers. Numbers that must not be rounded to doubles are for `nonius.sdp.Problem`.
"""

import math
from fractions import Fraction

import cvxpy as _cp
import cvxpy.settings as _s
import numpy as np
import scipy.sparse as _sp
from cvxpy.constraints import SOC
from cvxpy.error import SolverError
from cvxpy.reductions.solution import Solution, failure_solution
from cvxpy.reductions.solvers import utilities
from cvxpy.reductions.solvers.conic_solvers.conic_solver import ConicSolver

from . import sdp as _sdp
from ._conic import Cones, Translation, choose

try:
    from cvxpy.constraints import SvecPSD
    from cvxpy.utilities.psd_utils import TriangleKind
except ImportError:
    raise ImportError(f"nonius.cvxpy needs CVXPY 1.9 or later, found {_cp.__version__}") from None

__all__ = ["NONIUS", "bounds"]

_OPTIONS = ("gap", "feasibility", "device", "progress", "start", "max_iterations", "at_once")

_CITATION = """@misc{nonius,
  title = {Nonius: linear algebra at the precision you ask for},
  author = {{The Nonius developers}},
}"""


class NONIUS(ConicSolver):
    """Conic programs with zero, nonnegative, second-order and positive semidefinite cones.

    Options of ``problem.solve(solver=NONIUS(), ...)``:

    precision : str
        ``"f64"``, ``"dd"`` (the default), ``"td"``, ``"qd"``, ``"mp424"``, ... or ``"auto"``.
    certify : bool
        Proves bounds of the optimum, or that the problem is infeasible or unbounded.
    form : {"auto", "primal", "dual"}
        Which of both programs of SDPA's form is solved; it changes the time, not the answer.
    gap : float
        As in `nonius.sdp.solve`, but 1e-8 by default in ``f64``.
    feasibility, device, progress, start, max_iterations, at_once
        As in `nonius.sdp.solve`.

    ``problem.solver_stats.extra_stats`` is a dictionary: ``result`` has the `nonius.sdp.Result`,
    ``x`` and ``y`` the stacked variables and multipliers in the precision of the run, ``lower`` and
    ``upper`` the proved bounds of the minimization that CVXPY hands over, as fractions, ``digits``
    the proved digits, and ``infeasible`` what is proved to be so. `bounds` has the bounds of the
    problem as it was stated.

    Examples
    --------
    >>> import cvxpy as cp
    >>> import nonius as nn
    >>> X = cp.Variable((2, 2), symmetric=True)
    >>> problem = cp.Problem(cp.Minimize(cp.trace(X)), [X >> 0, X[0, 1] == 1])
    >>> round(problem.solve(solver=nn.cvxpy.NONIUS(), certify=True), 12)
    2.0
    >>> problem.solver_stats.extra_stats["digits"] > 20
    True
    """

    MIP_CAPABLE = False
    BOUNDED_VARIABLES = True
    SUPPORTED_CONSTRAINTS = ConicSolver.SUPPORTED_CONSTRAINTS + [
        SOC,  # type: ignore[list-item]
        SvecPSD,  # type: ignore[list-item]
    ]
    PSD_TRIANGLE_KIND = TriangleKind.LOWER  # type: ignore[assignment]
    PSD_SQRT2_SCALING = False  # type: ignore[assignment]

    def name(self):
        """The name in reports of CVXPY."""
        return "NONIUS"

    def import_solver(self):
        """Nothing more is imported."""

    def cite(self, data):
        """An entry for BibTeX."""
        return _CITATION

    def can_solve(self, problem_form):
        """Whether the solver has the cones of a problem.

        Raises
        ------
        SolverError
            It has not, or variables are integers: the message says which.
        """
        if super().can_solve(problem_form):
            return True
        if problem_form.is_mixed_integer():
            raise SolverError("NONIUS solves no problems with integer or boolean variables")
        supported = {kind.__name__ for kind in self.SUPPORTED_CONSTRAINTS} | {"PSD"}
        found = {kind.__name__ for kind in problem_form.cones(quad_obj=False)} - supported
        raise SolverError(
            "NONIUS has zero, nonnegative, second-order and positive semidefinite cones; "
            f"this problem takes {', '.join(sorted(found))}"
        )

    def solve_via_data(self, data, warm_start, verbose, solver_opts, solver_cache=None):
        """Solves the program that CVXPY hands over. Every run begins anew."""
        options = {k: v for k, v in solver_opts.items() if k != "use_quad_obj"}
        form = options.pop("form", "auto")
        certify = options.pop("certify", False)
        precision = options.pop("precision", "dd")
        unknown = sorted(set(options) - set(_OPTIONS))
        if unknown:
            known = ", ".join(("precision", "certify", "form", *_OPTIONS))
            raise TypeError(f"NONIUS: unknown option {unknown[0]!r}: expected one of {known}")
        if form not in ("auto", "primal", "dual"):
            raise ValueError(f"form: expected auto, primal or dual, found {form!r}")
        if precision == "f64":
            options.setdefault("gap", 1e-8)
        if verbose and "progress" not in options:
            options["progress"] = _print_row
        options.update(precision=precision, certify=certify)
        return _solve(data, form, options)

    def invert(self, solution, inverse_data):
        """The solution of CVXPY."""
        status, result, attr = solution["status"], solution["result"], {}
        if result is not None:
            attr = {_s.SOLVE_TIME: result.seconds, _s.NUM_ITERS: result.iterations}
        offset = Fraction(float(inverse_data[_s.OFFSET]))
        extra = {key: solution[key] for key in ("result", "x", "y", "digits", "infeasible", "form")}
        for side in ("lower", "upper"):
            bound = solution[side]
            extra[side] = None if bound is None else bound + offset
        if extra["digits"] is not None:
            extra["digits"] = _digits(extra["lower"], extra["upper"])
        attr[_s.EXTRA_STATS] = extra
        y, dual_vars = solution["y"], {}
        if y is not None:
            zero = inverse_data[self.DIMS].zero
            y = np.asarray(y, dtype=float)
            for part, of in [(y[:zero], self.EQ_CONSTR), (y[zero:], self.NEQ_CONSTR)]:
                take = utilities.extract_dual_value
                dual_vars |= utilities.get_dual_values(part, take, inverse_data[of])
        if status in _s.SOLUTION_PRESENT and solution["x"] is not None:
            value = float(solution["value"]) + inverse_data[_s.OFFSET]
            primal_vars = {inverse_data[self.VAR_ID]: np.asarray(solution["x"], dtype=float)}
            return Solution(status, value, primal_vars, dual_vars, attr)
        return failure_solution(status, attr, dual_vars)


def bounds(problem):
    """The proved bounds of a problem that was solved with ``certify=True``.

    Parameters
    ----------
    problem : cvxpy.Problem

    Returns
    -------
    lower, upper : Fraction or None
        The optimum lies between both. ``None`` is a bound that is not proved.

    Raises
    ------
    ValueError
        The problem was not solved by `NONIUS`.

    Examples
    --------
    >>> import cvxpy as cp
    >>> import nonius as nn
    >>> x = cp.Variable()
    >>> problem = cp.Problem(cp.Maximize(x), [3 * x <= 1])
    >>> value = problem.solve(solver=nn.cvxpy.NONIUS(), certify=True)
    >>> lower, upper = nn.cvxpy.bounds(problem)
    >>> lower <= Fraction(1, 3) <= upper, float(upper - lower) < 1e-19
    (True, True)
    """
    stats = problem.solver_stats
    extra = stats.extra_stats if stats is not None else None
    if not isinstance(extra, dict) or "upper" not in extra:
        raise ValueError("the problem was not solved by NONIUS: there are no bounds")
    lower, upper = extra["lower"], extra["upper"]
    if isinstance(problem.objective, _cp.Maximize):
        lower, upper = (_minus(bound) for bound in (upper, lower))
    return lower, upper


def _minus(bound, offset=0):
    return None if bound is None else offset - bound


def _digits(lower, upper):
    """The digits that two bounds share, rounded down to tenths, from 0 to 250."""
    largest, width = max(abs(lower), abs(upper)), upper - lower
    if not width:
        return 250.0
    found = math.log10(largest.numerator) - math.log10(largest.denominator) if largest else 0.0
    found -= math.log10(width.numerator) - math.log10(width.denominator)
    return min(max(math.floor(10 * found - 1e-9) / 10, 0.0), 250.0)


def _print_row(row):
    primal, dual = row["objectives"]
    print(
        f"{row['iteration']:4} {row['precision']:>6}  objectives {primal:16.9e} {dual:16.9e}"
        f"  gap {row['relative_gap']:.1e}  infeasibilities {max(row['infeasibilities']):.1e}"
    )


def _solve(data, form, options):
    c = np.asarray(data[_s.C], dtype=float).ravel()
    a, b, cones = _with_bounds(data)
    for name, numbers in [("the objective", c), ("the constraints", a.data), ("the constants", b)]:
        if not np.isfinite(numbers).all():
            raise ValueError(f"{name}: expected finite numbers, found NaN or an infinity")
    rows = len(data[_s.B])
    if not a.nnz and not b.any():
        return _trivial(c, rows)
    chosen = choose(a, cones) if form == "auto" else form
    found = _run(c, a, b, cones, chosen, options)
    if form == "auto" and _is_doubtful(found):
        found = _better(found, _run(c, a, b, cones, _OTHER[chosen], options))
    if found["status"] == _s.UNBOUNDED:
        found = _unbounded(found, _run(np.zeros(len(c)), a, b, cones, chosen, options))
    if found["y"] is not None:
        found["y"] = _without_bounds(found["y"], data)
    return found


def _unbounded(found, feasible):
    """What a program without feasible multipliers is, by the same with the objective 0."""
    if feasible["status"] == _s.INFEASIBLE:
        return feasible
    if feasible["status"] != _s.OPTIMAL:
        return found | {"status": _s.INFEASIBLE_OR_UNBOUNDED, "infeasible": None}
    is_proved = found["infeasible"] is not None and feasible["upper"] is not None
    return found | {"infeasible": _s.UNBOUNDED if is_proved else None}


_OTHER = {"primal": "dual", "dual": "primal"}


def _is_doubtful(found):
    """Whether the other form may tell more.

    It eliminates what is linearly dependent in this one, and has the multipliers of equalities that
    contradict each other.
    """
    result = found["result"]
    proof = result.certificate
    is_dependent = proof is not None and any("independent" in (r or "") for r in proof.reasons)
    is_open = result.end == "exhausted"
    return is_open or is_dependent or (found["status"] == _s.INFEASIBLE and found["y"] is None)


def _better(found, other):
    if found["status"] == other["status"]:
        if found["y"] is None:
            # What is seen in the exact numbers stays proved.
            return found | {"y": other["y"]}
        return found if found["digits"] is not None else other
    return other if other["result"].success else found


def _run(c, a, b, cones, form, options):
    translation = Translation(c, a, b, cones, form)
    result = _sdp.solve(translation.problem, **options)
    if result.certificate and result.certificate.digits is None and result.equalities[1]:
        translation = Translation(c, a, b, cones, form, extra=True)
        result = _sdp.solve(translation.problem, **options)
    is_primal = form == "primal"
    x = y = None
    if result.x is not None:
        x, y = translation.back(result)
    status = _status(result, is_primal)
    value = result.primal_objective if is_primal else -result.dual_objective
    value += type(value)(translation.offset)
    proof = result.certificate
    lower, upper = (proof.lower, proof.upper) if proof else (None, None)
    if not is_primal:
        lower, upper = (_minus(bound, translation.offset) for bound in (upper, lower))
    sides = {"primal": _s.INFEASIBLE, "dual": _s.UNBOUNDED}
    infeasible = proof and proof.infeasible
    if infeasible and not is_primal:
        infeasible = "dual" if infeasible == "primal" else "primal"
    return {
        "status": status,
        "result": result,
        "value": value,
        "x": x,
        "y": y,
        "lower": lower,
        "upper": upper,
        "digits": proof.digits if proof else None,
        "infeasible": sides.get(infeasible),
        "form": form,
    }


# An end without the gap that was asked for, but with one that is good enough for a warning.
_INACCURATE = 1e-4


def _status(result, is_primal):
    infeasible, unbounded = _s.INFEASIBLE, _s.UNBOUNDED
    if not is_primal:
        infeasible, unbounded = unbounded, infeasible
    decided = {
        "pdOPT": _s.OPTIMAL,
        "pINF_dFEAS": infeasible,
        "pFEAS_dINF": unbounded,
        "pdINF": _s.INFEASIBLE,
    }
    if result.phase in decided:
        return decided[result.phase]
    if result.end in ("iterations", "interrupted"):
        return _s.USER_LIMIT
    last = result.history[-1] if result.history else {"infeasibilities": [1, 1]}
    is_near = max(result.relative_gap, *last["infeasibilities"]) <= _INACCURATE
    return _s.OPTIMAL_INACCURATE if is_near else _s.SOLVER_ERROR


def _trivial(c, rows):
    """A program without a number in its constraints: every ``x`` is feasible."""
    solution = dict.fromkeys(["result", "x", "y", "lower", "upper", "digits", "infeasible", "form"])
    if c.any():
        return solution | {"status": _s.UNBOUNDED, "infeasible": _s.UNBOUNDED, "value": -np.inf}
    zero = Fraction(0)
    exact = {"lower": zero, "upper": zero, "digits": 250.0}
    point = {"x": np.zeros(len(c)), "y": np.zeros(rows), "value": 0.0}
    return solution | exact | point | {"status": _s.OPTIMAL}


def _bounds_of(data):
    """Variables with a bound from below, from above, and with both the same."""
    lower, upper = data.get(_s.LOWER_BOUNDS), data.get(_s.UPPER_BOUNDS)
    n = len(np.ravel(data[_s.C]))
    lower = np.full(n, -np.inf) if lower is None else np.asarray(lower, dtype=float).ravel()
    upper = np.full(n, np.inf) if upper is None else np.asarray(upper, dtype=float).ravel()
    fixed = (lower == upper) & np.isfinite(lower)
    has_lower, has_upper = (np.isfinite(side) & ~fixed for side in (lower, upper))
    return lower, upper, [np.flatnonzero(which) for which in (fixed, has_lower, has_upper)]


def _with_bounds(data):
    """The constraints, with bounds of variables as rows of the first two cones."""
    a, b, dims = _sp.csr_array(data[_s.A]), np.asarray(data[_s.B], dtype=float), data["dims"]
    lower, upper, (fixed, below, above) = _bounds_of(data)
    unit = _sp.eye_array(a.shape[1], format="csr")
    zero, nonnegative = dims.zero, dims.nonneg
    parts = [a[:zero], unit[fixed], -unit[below], unit[above], a[zero:]]
    constants = [b[:zero], lower[fixed], -lower[below], upper[above], b[zero:]]
    cones = Cones(
        zero=zero + len(fixed),
        nonnegative=nonnegative + len(below) + len(above),
        second_order=[int(order) for order in dims.soc],
        semidefinite=[int(order) for order in dims.psd],
    )
    a = _sp.vstack(parts, format="csr")
    a.sum_duplicates()
    a.eliminate_zeros()
    return a, np.concatenate(constants), cones


def _without_bounds(y, data):
    """The multipliers of the rows that CVXPY knows."""
    _, _, parts = _bounds_of(data)
    zero = data["dims"].zero
    return np.concatenate([y[:zero], y[zero + sum(map(len, parts)) :]])
