from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, overload

from numpy.typing import ArrayLike, NDArray

# Lists of fractions and decimals too.
_Numbers: TypeAlias = ArrayLike | Sequence[object]
_Method: TypeAlias = Literal["auto", "thomas", "pcr", "hybrid"]

@overload
def solve_tridiagonal(
    dl: _Numbers,
    d: _Numbers,
    du: _Numbers,
    b: _Numbers,
    *,
    method: _Method = "auto",
    pivoting: bool = False,
    periodic: bool = False,
    precision: str | None = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> NDArray[Any]: ...
@overload
def solve_tridiagonal(
    dl: _Numbers,
    d: _Numbers,
    du: _Numbers,
    b: _Numbers,
    *,
    method: _Method = "auto",
    pivoting: bool = False,
    periodic: bool = False,
    precision: str | None = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[NDArray[Any], dict[str, Any]]: ...
