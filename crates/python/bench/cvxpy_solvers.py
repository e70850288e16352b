"""Seconds and accuracy of five problems of CVXPY by Nonius, Clarabel and SCS.

Run with the package on PYTHONPATH: ``python crates/python/bench/cvxpy_solvers.py``. A line is the
least of three runs of ``problem.solve``, canonicalization included, after one run unmeasured.
``error`` is the distance of the value from the optimum that Nonius proves in qd, relative to it.
"""

import time
import warnings

import cvxpy as cp
import nonius as nn
import numpy as np

RUNS = 3


def linear(random, m=60, n=200):
    a, x = random.standard_normal((m, n)), cp.Variable(n)
    return cp.Problem(cp.Minimize(random.random(n) @ x), [a @ x == a @ random.random(n), x >= 0])


def least_squares(random, m=200, n=20):
    x = cp.Variable(n)
    residual = random.standard_normal((m, n)) @ x - random.standard_normal(m)
    return cp.Problem(cp.Minimize(cp.norm(residual)), [x >= -0.05])


def portfolio(random, n=100, k=10):
    x = cp.Variable(n)
    factors, own = random.standard_normal((k, n)), np.sqrt(random.random(n))
    risk = cp.norm(factors @ x) + cp.norm(cp.multiply(own, x))
    return cp.Problem(cp.Maximize(random.random(n) @ x - risk), [cp.sum(x) == 1, x >= 0])


def max_cut(random, n=40):
    upper = np.triu(random.random((n, n)) < 0.2, 1).astype(float)
    weights = upper + upper.T
    x = cp.Variable((n, n), symmetric=True)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    return cp.Problem(cp.Maximize(cp.trace(laplacian @ x) / 4), [x >> 0, cp.diag(x) == 1])


def random_semidefinite(random, n=30, k=60):
    x, constraints = cp.Variable((n, n), symmetric=True), []
    for _ in range(k):
        a = random.standard_normal((n, n))
        constraints.append(cp.trace((a + a.T) @ x) == 2 * np.trace(a))
    c = random.standard_normal((n, n))
    return cp.Problem(cp.Minimize(cp.trace(c @ c.T @ x)), [x >> 0, *constraints])


SOLVERS = [
    ("Nonius f64", {"solver": nn.cvxpy.NONIUS(), "precision": "f64"}),
    ("Nonius dd", {"solver": nn.cvxpy.NONIUS(), "precision": "dd"}),
    ("Nonius dd, proved", {"solver": nn.cvxpy.NONIUS(), "precision": "dd", "certify": True}),
    ("Clarabel", {"solver": cp.CLARABEL}),
    ("SCS", {"solver": cp.SCS}),
    ("SCS, eps 1e-8", {"solver": cp.SCS, "eps": 1e-8, "max_iters": 100_000}),
]


def main():
    warnings.simplefilter("ignore")
    print(f"{'problem':<20}  {'solver':<18} {'seconds':>8} {'error':>8}  proved digits")
    for make in (linear, least_squares, portfolio, max_cut, random_semidefinite):
        problem = make(np.random.default_rng(0))
        problem.solve(solver=nn.cvxpy.NONIUS(), precision="qd", certify=True)
        optimum = float(sum(nn.cvxpy.bounds(problem)) / 2)
        for name, options in SOLVERS:
            seconds = []
            for _ in range(RUNS + 1):
                began = time.perf_counter()
                value = problem.solve(warm_start=False, **options)
                seconds.append(time.perf_counter() - began)
            extra = problem.solver_stats.extra_stats
            digits = extra.get("digits") if name.startswith("Nonius") else None
            error = abs(value / optimum - 1)
            line = f"{make.__name__:<20}  {name:<18} {min(seconds[1:]):8.3f} {error:8.0e}"
            print(f"{line}  {digits or ''}", flush=True)


if __name__ == "__main__":
    main()
