from fractions import Fraction
from typing import Any

from cvxpy import Problem
from cvxpy.reductions.solution import Solution
from cvxpy.reductions.solvers.conic_solvers.conic_solver import ConicSolver

__all__ = ["NONIUS", "bounds"]

class NONIUS(ConicSolver):
    PSD_TRIANGLE_KIND: Any
    PSD_SQRT2_SCALING: Any
    def name(self) -> str: ...
    def import_solver(self) -> None: ...
    def cite(self, data: dict[str, Any]) -> str: ...
    def can_solve(self, problem_form: Any) -> bool: ...
    def solve_via_data(
        self,
        data: dict[str, Any],
        warm_start: bool,
        verbose: bool,
        solver_opts: dict[str, Any],
        solver_cache: dict[str, Any] | None = None,
    ) -> dict[str, Any]: ...
    def invert(self, solution: dict[str, Any], inverse_data: dict[str, Any]) -> Solution: ...

# Bounds that are not proved are None.
def bounds(problem: Problem) -> tuple[Fraction | None, Fraction | None]: ...
