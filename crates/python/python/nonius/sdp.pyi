from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Any, SupportsIndex, TypeAlias

from numpy import floating
from numpy.typing import NDArray

from ._nonius import SdpSolution

__all__ = ["Certificate", "Problem", "Result", "SecondOrder", "read", "solve"]

_Path: TypeAlias = str | PathLike[str]
_Array: TypeAlias = NDArray[Any]
# A double, or a number of nonius.
_Scalar: TypeAlias = Any
# Numbers and texts of any kind: a list of several kinds is one of objects.
_Number: TypeAlias = object
_Entry: TypeAlias = tuple[SupportsIndex, SupportsIndex, SupportsIndex, SupportsIndex, _Number]

@dataclass(frozen=True)
class SecondOrder:
    order: int

_Block: TypeAlias = SupportsIndex | SecondOrder

class Problem:
    def __init__(
        self, c: Iterable[_Number], blocks: Iterable[_Block], entries: Iterable[_Entry]
    ) -> None: ...
    @property
    def c(self) -> list[Fraction]: ...
    @property
    def blocks(self) -> list[int | SecondOrder]: ...
    @property
    def entries(self) -> list[tuple[int, int, int, int, Fraction]]: ...

@dataclass(frozen=True)
class Certificate:
    lower: Fraction | None
    upper: Fraction | None
    lower_text: str | None
    upper_text: str | None
    digits: float | None
    infeasible: str | None
    reasons: tuple[str | None, str | None]
    precision: str | None
    seconds: float

@dataclass(frozen=True, repr=False)
class Result:
    phase: str
    end: str
    message: str
    x: _Array | None
    X: list[_Array] | None
    Y: list[_Array] | None
    primal_objective: _Scalar
    dual_objective: _Scalar
    gap: float
    relative_gap: float
    infeasibilities: tuple[float, float]
    iterations: int
    seconds: float
    precision: str
    device: str | None
    equalities: tuple[int, int]
    history: list[dict[str, Any]]
    certificate: Certificate | None
    _native: SdpSolution | None
    _problem: Problem
    @property
    def success(self) -> bool: ...
    def write(self, path: _Path) -> None: ...
    def checkpoint(self, path: _Path) -> None: ...

def read(path: _Path) -> Problem: ...
def solve(
    problem: Problem,
    *,
    precision: str = "dd",
    gap: float | None = None,
    feasibility: float | None = None,
    certify: bool = False,
    device: str = "auto",
    progress: Callable[[dict[str, Any]], object] | None = None,
    start: float | floating[Any] | Result | _Path | None = None,
    max_iterations: int | None = None,
    at_once: bool = False,
) -> Result: ...
