"""The solver for CVXPY: CVXPY's own tests of conic solvers, and proofs of optima known exactly."""

import itertools
import warnings
from fractions import Fraction
from types import SimpleNamespace

import cvxpy as cp
import nonius as nn
import numpy as np
import pytest
import scipy.sparse as sp
from cvxpy.tests import solver_test_helpers as helpers
from hypothesis import assume, given, settings
from hypothesis import strategies as st

SOLVER = nn.cvxpy.NONIUS()
SUITES = [helpers.StandardTestLPs, helpers.StandardTestSOCPs, helpers.StandardTestSDPs]
# `test_lp_7` of CVXPY compares with versions of SDPA; the same problem is below.
STANDARD = [
    getattr(suite, name)
    for suite in SUITES
    for name in sorted(dir(suite))
    if name.startswith("test_") and "_mi_" not in name and name != "test_lp_7"
]
DECIDED = {"test_lp_3": "unbounded", "test_lp_4": "infeasible", "test_lp_6": "unbounded"}
FORMS = ["auto", "primal", "dual"]
# Six equalities of which two follow from the others: the other form eliminates them.
DEPENDENT = {("test_lp_5", "dual")}


def cases(forms):
    return [
        pytest.param(test, form, id=f"{test.__name__}-{form}")
        for test, form in itertools.product(STANDARD, forms)
        if (test.__name__, form) not in DEPENDENT
    ]


@pytest.mark.parametrize("test, form", cases(FORMS))
def test_standard_problems_in_f64(test, form):
    solved = test(SOLVER, precision="f64", gap=1e-10, form=form)
    if test.__name__ in DECIDED:
        assert solved.prob.status == DECIDED[test.__name__]
        return
    # The tests above know their optima to some digits; a run in dd knows 20.
    assert solved.prob.status == "optimal"
    solved.check_primal_feasibility(places=8)
    value = solved.prob.value
    # The gap is relative to the objective.
    solved.check_complementarity(places=8 if abs(value) < 10 else 7)
    # CVXPY has no such check for bounds, three dimensions and norms at zero.
    variables = solved.prob.variables()
    if test.__name__ not in ("test_lp_0", "test_socp_0") and not any(
        v.attributes["bounds"] is not None or v.ndim > 2 for v in variables
    ):
        solved.check_stationary_lagrangian(places=7)
    exact = solved.prob.solve(solver=SOLVER)
    assert abs(value - exact) <= 1e-8 * max(1, abs(exact))


@pytest.mark.parametrize("test, form", cases(FORMS))
def test_standard_problems_in_dd(test, form):
    solved = test(SOLVER, precision="dd", certify=True, form=form)
    stats = solved.prob.solver_stats
    if test.__name__ in DECIDED:
        assert stats.extra_stats["infeasible"] == DECIDED[test.__name__] == solved.prob.status
        return
    assert solved.prob.status == "optimal"
    result = stats.extra_stats["result"]
    assert result.relative_gap <= 1e-20 and max(result.history[-1]["infeasibilities"]) <= 1e-19
    assert stats.num_iters == result.iterations > 10 and stats.solve_time > 0
    lower, upper = nn.cvxpy.bounds(solved.prob)
    assert stats.extra_stats["digits"] >= 19 and lower < upper
    slack = 4e-15 * max(1, abs(solved.prob.value))
    assert lower - slack <= solved.prob.value <= upper + slack
    solved.check_complementarity(places=13)


@pytest.mark.parametrize("name", ["lp_ineq_constraints", "lp_eq_constraints", "soc", "psd_cone"])
def test_infeasible_problems_have_multipliers(name):
    getattr(helpers.StandardTestInfeasibleProblems, f"test_{name}")(SOLVER)


def test_qps_and_parameters():
    helpers.StandardTestQPs.test_qp_0(SOLVER, places=8)
    helpers.StandardTestQPs.test_qp_parameter_update(SOLVER, places=8)


@pytest.mark.parametrize("precision", ["f64", "dd"])
def test_the_ill_posed_lp(precision):
    problem = helpers.lp_7().prob
    assert abs(problem.solve(solver=SOLVER, precision=precision)) <= 1e-8
    assert problem.status == "optimal"


def solve(problem, **options):
    return problem.solve(solver=SOLVER, **{"certify": True, **options})


def exact(x):
    return Fraction(float(x))


small = st.integers(-6, 6).map(float) | st.floats(-8, 8, width=32)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(small, small, small), min_size=1, max_size=4),
    st.tuples(small, small),
    st.booleans(),
    st.sampled_from(FORMS),
)
def test_bounds_hold_for_exact_optima(rows, c, has_equality, form):
    """Plane linear programs, of which rational arithmetic knows all vertices."""
    x = cp.Variable(2)
    constraints = [x >= -10, x <= 10]
    lines = [(a, b, d) for a, b, d in rows if a or b]
    assume(lines)
    for k, (a, b, d) in enumerate(lines):
        left = a * x[0] + b * x[1]
        constraints.append(left == d if k == 0 and has_equality else left <= d)
    problem = cp.Problem(cp.Minimize(c[0] * x[0] + c[1] * x[1]), constraints)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            solve(problem, form=form)
        except cp.error.SolverError:
            return
    exact_lines = [tuple(map(exact, line)) for line in lines]
    box = [(1, 0, 10), (-1, 0, 10), (0, 1, 10), (0, -1, 10)]
    values = []
    for (a, b, d), (e, f, g) in itertools.combinations(exact_lines + box, 2):
        if a * f == b * e:
            continue
        vertex = Fraction(d * f - b * g, a * f - b * e), Fraction(a * g - d * e, a * f - b * e)
        inside = all(p * vertex[0] + q * vertex[1] <= r for p, q, r in exact_lines + box)
        a, b, d = exact_lines[0]
        if inside and (not has_equality or a * vertex[0] + b * vertex[1] == d):
            values.append(exact(c[0]) * vertex[0] + exact(c[1]) * vertex[1])
    stats = problem.solver_stats.extra_stats
    if not values:
        assert problem.status != "optimal" or stats["digits"] is None
        return
    assert stats["infeasible"] is None and problem.status not in ("infeasible", "unbounded")
    lower, upper = nn.cvxpy.bounds(problem)
    optimum = min(values)
    assert lower is None or lower <= optimum
    assert upper is None or optimum <= upper
    if problem.status == "optimal":
        assert abs(problem.value - float(optimum)) <= 1e-13 * max(1, abs(float(optimum)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 17, 18, 19, 40, 300])
def test_second_order_cones_of_all_orders(order, form):
    """The least norm on a plane: its square is d^2 / |a|^2."""
    a = np.array([0.1 * (k % 7) + 0.3 for k in range(order)])
    x = cp.Variable(order)
    plane = a @ x == 0.7
    cone = cp.SOC(t := cp.Variable(), x)
    problem = cp.Problem(cp.Minimize(t), [plane, cone])
    solve(problem, form=form)
    square = exact(0.7) ** 2 / sum(exact(value) ** 2 for value in a)
    lower, upper = nn.cvxpy.bounds(problem)
    assert lower**2 <= square <= upper**2 and upper - lower <= Fraction(1, 10**19)
    stats = problem.solver_stats.extra_stats
    assert stats["x"].dtype == stats["y"].dtype == nn.dd
    norm = float(square) ** 0.5
    # y = 1 for t, and minus the unit vector for x.
    assert np.allclose(cone.dual_value[0], 1, atol=1e-9)
    assert np.allclose(np.ravel(cone.dual_value[1]), -a / np.linalg.norm(a), atol=1e-9)
    assert np.allclose(x.value, 0.7 * a / (a @ a), atol=1e-9)
    assert abs(plane.dual_value + norm / 0.7) <= 1e-9


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(6))
def test_random_second_order_programs_beside_clarabel(seed, form):
    random = np.random.default_rng(seed)
    n, orders = 12, [3, 4, 9, 30][: 2 + seed % 3]
    x, constraints, bound = cp.Variable(n), [], 0
    for order in orders:
        a, b = random.standard_normal((order, n)), random.standard_normal(order)
        constraints.append(cp.norm(a @ x + b) <= random.standard_normal(n) @ x + 20)
        bound += cp.norm(a @ x)
    constraints += [cp.sum(x) == 1, cp.norm(x) <= 10]
    problem = cp.Problem(cp.Minimize(bound + random.standard_normal(n) @ x), constraints)
    # Eight digits, by its own tolerances.
    peer = problem.solve(solver=cp.CLARABEL)
    for precision, places in (("f64", 1e-8), ("dd", 1e-18)):
        value = solve(problem, form=form, precision=precision)
        assert problem.status == "optimal" and abs(value - peer) <= 1e-6 * max(1, abs(peer))
        lower, upper = nn.cvxpy.bounds(problem)
        scale = max(1, abs(float(upper)))
        assert upper - lower <= 100 * places * scale
        assert float(lower) - 1e-6 * scale <= peer <= float(upper) + 1e-6 * scale


@pytest.mark.parametrize("form", FORMS)
def test_a_semidefinite_program_with_a_known_optimum(form):
    """Lovasz's number of the pentagon is the square root of 5."""
    Y = cp.Variable((5, 5), symmetric=True)
    edges = [Y[i, (i + 1) % 5] == 0 for i in range(5)]
    psd = Y >> 0
    problem = cp.Problem(cp.Maximize(cp.sum(Y)), [cp.trace(Y) == 1, psd, *edges])
    solve(problem, form=form)
    lower, upper = nn.cvxpy.bounds(problem)
    assert lower**2 <= 5 <= upper**2 and problem.solver_stats.extra_stats["digits"] >= 20
    assert abs(np.sum(psd.dual_value * Y.value)) <= 1e-12
    assert min(np.linalg.eigvalsh(psd.dual_value)) >= -1e-12


@pytest.mark.parametrize(
    "precision, gap", [("f64", 1e-8), ("td", 1e-30), ("qd", 1e-40), ("mp424", 1e-81)]
)
def test_other_precisions(precision, gap):
    x = cp.Variable(3)
    problem = cp.Problem(cp.Minimize(cp.norm(x - [1, 2, 3])), [cp.sum(x) == 1, x >= 0.125])
    solve(problem, precision=precision)
    lower, upper = nn.cvxpy.bounds(problem)
    assert problem.status == "optimal" and upper - lower <= 100 * Fraction(gap)
    assert problem.solver_stats.extra_stats["result"].relative_gap <= gap


def test_matrices_need_not_be_symmetric():
    X = cp.Variable((3, 3))
    problem = cp.Problem(cp.Minimize(cp.trace(X)), [X >> np.eye(3), X[0, 1] == 0.5])
    assert abs(solve(problem) - 3) <= 1e-14 and problem.solver_stats.extra_stats["digits"] > 19
    Z = cp.Variable((2, 2), hermitian=True)
    problem = cp.Problem(cp.Minimize(cp.real(cp.trace(Z))), [Z >> 0, Z[0, 1] == 1j])
    assert abs(solve(problem) - 2) <= 1e-14


def test_programs_that_equalities_determine():
    x = cp.Variable(2)
    problem = cp.Problem(cp.Minimize(cp.sum(x)), [x == [1, 2]])
    assert solve(problem) == 3 and problem.solver_stats.extra_stats["digits"] > 19
    problem = cp.Problem(cp.Minimize(0), [x >= 1])
    assert solve(problem) == 0 and problem.status == "optimal"
    assert cp.Problem(cp.Minimize(3)).solve(solver=SOLVER) == 3
    assert cp.Problem(cp.Minimize(cp.sum(0 * x))).solve(solver=SOLVER) == 0


def test_unbounded_and_infeasible_are_told_apart():
    x = cp.Variable(3)
    infeasible = [[x[0] == 1, x[0] == 2], [x[0] >= 2, x[0] <= 1], [cp.norm(x[:2]) <= -1]]
    for constraints in infeasible:
        problem = cp.Problem(cp.Minimize(x[2]), constraints)
        assert solve(problem) == np.inf and problem.status == "infeasible"
        assert problem.solver_stats.extra_stats["infeasible"] == "infeasible"
    for constraints in [[x[0] == 1], [cp.norm(x[:2]) <= 1], []]:
        problem = cp.Problem(cp.Minimize(x[2]), constraints)
        assert solve(problem) == -np.inf and problem.status == "unbounded"
        assert problem.solver_stats.extra_stats["infeasible"] == "unbounded"
        assert nn.cvxpy.bounds(problem) == (None, None)


def test_runs_that_do_not_end_well():
    x, w = cp.Variable(2), cp.Variable((2, 2), symmetric=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem = cp.Problem(cp.Minimize(cp.sum(x)), [x >= 0.3])
        solve(problem, max_iterations=3)
        assert problem.status == "user_limit"
        solve(problem, progress=lambda row: row["iteration"] < 2)
        assert problem.status == "user_limit"
        with pytest.raises(ZeroDivisionError):
            solve(problem, progress=lambda row: 1 / 0)
        # No feasible point, but points as near to feasible ones as one likes: no proof, no claim.
        weak = cp.Problem(cp.Minimize(0), [w >> 0, w[0, 0] == 0, w[0, 1] == 1])
        try:
            solve(weak)
        except cp.error.SolverError:
            pass
        assert weak.status in (None, "solver_error", "infeasible", "infeasible_inaccurate")


def test_what_is_refused(capsys):
    x, z = cp.Variable(2), cp.Variable(boolean=True)
    with pytest.raises(cp.error.SolverError, match="this problem takes ExpCone"):
        solve(cp.Problem(cp.Minimize(cp.exp(x[0])), [x >= 0]))
    with pytest.raises(cp.error.SolverError, match="this problem takes PowCone3D"):
        solve(cp.Problem(cp.Minimize(x[0]), [cp.PowCone3D(x[0], x[1], 1, 0.3)]))
    with pytest.raises(cp.error.SolverError, match="mixed-integer"):
        solve(cp.Problem(cp.Minimize(z)))
    problem = cp.Problem(cp.Minimize(cp.sum(x)), [x >= 1])
    with pytest.raises(TypeError, match="unknown option 'tolerance'"):
        solve(problem, tolerance=1)
    with pytest.raises(ValueError, match="form: expected auto, primal or dual"):
        solve(problem, form="both")
    with pytest.raises(ValueError, match="not solved by NONIUS"):
        nn.cvxpy.bounds(cp.Problem(cp.Minimize(x[0]), [x >= 1]))
    solve(problem, verbose=True)
    assert "objectives" in capsys.readouterr().out


def interior(random, cones):
    """A point inside a product of cones, by rows, and how much each row counts in products."""
    rows, weights = [np.zeros(cones.zero)], [np.ones(cones.zero)]
    rows.append(random.uniform(0.5, 2, cones.nonneg))
    weights.append(np.ones(cones.nonneg))
    for order in cones.soc:
        v = random.standard_normal(order - 1)
        rows.append(np.r_[np.linalg.norm(v) + random.uniform(0.5, 1), v])
        weights.append(np.ones(order))
    for order in cones.psd:
        factor = random.standard_normal((order, order))
        matrix = factor @ factor.T + 0.5 * np.eye(order)
        j, i = np.triu_indices(order)
        rows.append(matrix[i, j])
        weights.append(np.where(i == j, 1.0, 2.0))
    return np.concatenate(rows), np.concatenate(weights)


@pytest.mark.parametrize("seed", range(12))
def test_both_forms_prove_the_same_optimum(seed):
    """Random programs of all cones, strictly feasible on both sides, as CVXPY hands them over."""
    random = np.random.default_rng(seed)
    cones = SimpleNamespace(
        zero=int(random.integers(0, 4)),
        nonneg=int(random.integers(0, 5)),
        soc=[int(k) for k in random.choice([1, 2, 3, 4, 7, 18, 25], random.integers(1, 4))],
        psd=[int(k) for k in random.integers(1, 5, random.integers(1, 3))],
    )
    slack, weights = interior(random, cones)
    rows, columns = len(slack), max(cones.zero + 1, len(slack) // 3)
    a = random.standard_normal((rows, columns)) * (random.random((rows, columns)) < 0.6)
    # Some rows have a variable alone, others a power of two.
    for r in range(cones.zero, rows, 4):
        a[r] = 0
        a[r, random.integers(columns)] = random.choice([1.0, -1.0, 0.5, -4.0, 3.0])
    y = interior(random, cones)[0]
    y[: cones.zero] = random.standard_normal(cones.zero)
    data = {
        "A": sp.csc_array(a),
        "b": a @ random.standard_normal(columns) + slack,
        "c": -a.T @ (weights * y),
        "dims": cones,
        "lower_bounds": None,
        "upper_bounds": None,
    }
    found = {}
    for form in ("primal", "dual"):
        options = {"form": form, "certify": True, "gap": 1e-22}
        found[form] = solved = SOLVER.solve_via_data(data, False, False, options)
        assert solved["status"] == "optimal" and solved["digits"] > 18
        x, y = solved["x"], solved["y"]
        assert x.dtype == y.dtype == nn.dd
        # c + A'y = 0 and c.x + b.y = 0 in double-double, and y in the cones.
        scale = 1e-18 * (1 + abs(a).sum())
        assert abs(data["c"] + a.T.astype(nn.dd) @ (weights * y)).max() <= scale
        b, c = data["b"].astype(nn.dd), data["c"].astype(nn.dd)
        assert abs((c * x).sum() + (b * weights * y).sum()) <= scale
        assert abs((c * x).sum() - solved["value"]) <= scale
        for part in (b - a.astype(nn.dd) @ x, y):
            assert violation(part, cones, is_slack=part is not y) <= 1e-14
    one, other = found["primal"], found["dual"]
    assert one["lower"] <= other["upper"] and other["lower"] <= one["upper"]
    assert abs(one["x"] - other["x"]).max() <= 1e-6 and abs(one["y"] - other["y"]).max() <= 1e-6


def violation(rows, cones, is_slack):
    """How far a vector is outside of its cones."""
    first = cones.zero
    found = [abs(float(value)) for value in rows[:first] if is_slack]
    found += [-float(value) for value in rows[first : first + cones.nonneg]]
    first += cones.nonneg
    for order in cones.soc:
        part = rows[first : first + order]
        found.append(float(np.sqrt((part[1:] * part[1:]).sum()) - part[0]))
        first += order
    for order in cones.psd:
        j, i = np.triu_indices(order)
        matrix = np.zeros((order, order))
        matrix[i, j] = matrix[j, i] = rows[first : first + len(i)].astype(float)
        found.append(-min(np.linalg.eigvalsh(matrix)))
        first += len(i)
    return max(found, default=0)
