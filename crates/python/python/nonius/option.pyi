from collections.abc import Mapping, Sequence
from os import PathLike
from typing import (
    Any,
    Literal,
    NamedTuple,
    Protocol,
    SupportsFloat,
    SupportsInt,
    TypeAlias,
    TypeVar,
    overload,
)

from numpy.typing import ArrayLike

from ._nonius import Surface

__all__ = ["ImpliedVolatilities", "Prices", "Surface", "implied_volatility", "price"]

# A table of pandas or of polars.
class _Frame(Protocol):
    @property
    def columns(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, int]: ...

_F = TypeVar("_F", bound=_Frame)

_Columns: TypeAlias = Mapping[str, Any] | None
# Numbers, texts, surfaces, nothing, and lists of them.
_Column: TypeAlias = ArrayLike | Sequence[object] | SupportsFloat | Surface | None
_Errors: TypeAlias = Literal["report", "raise"]
_Info: TypeAlias = dict[str, Any]
# A number or a text, or an array of the columns' shape.
_Values: TypeAlias = Any

class Prices(NamedTuple):
    price: _Values
    delta: _Values
    gamma: _Values
    theta: _Values
    vega: _Values
    rho: _Values
    error_estimate: _Values
    converged: _Values
    grid: _Values
    boundary: _Values
    error: _Values

class ImpliedVolatilities(NamedTuple):
    volatility: _Values
    error_estimate: _Values
    converged: _Values
    grid: _Values
    error: _Values

@overload
def price(
    book: _Columns = None,
    /,
    *,
    tolerance: float | None = None,
    grid: Sequence[SupportsInt] | None = None,
    sensitivities: bool = False,
    boundary: bool = False,
    precision: str | None = None,
    device: str = "auto",
    folder: str | PathLike[str] = "",
    errors: _Errors = "report",
    info: Literal[False] = False,
    type: _Column = ...,
    exercise: _Column = ...,
    spot: _Column = ...,
    strike: _Column = ...,
    rate: _Column = ...,
    volatility: _Column = ...,
    maturity: _Column = ...,
    dividend: _Column = ...,
    barrier: _Column = ...,
    rebate: _Column = ...,
    dividends: _Column = ...,
) -> Prices: ...
@overload
def price(
    book: _Columns = None,
    /,
    *,
    tolerance: float | None = None,
    grid: Sequence[SupportsInt] | None = None,
    sensitivities: bool = False,
    boundary: bool = False,
    precision: str | None = None,
    device: str = "auto",
    folder: str | PathLike[str] = "",
    errors: _Errors = "report",
    info: Literal[True],
    type: _Column = ...,
    exercise: _Column = ...,
    spot: _Column = ...,
    strike: _Column = ...,
    rate: _Column = ...,
    volatility: _Column = ...,
    maturity: _Column = ...,
    dividend: _Column = ...,
    barrier: _Column = ...,
    rebate: _Column = ...,
    dividends: _Column = ...,
) -> tuple[Prices, _Info]: ...
@overload
def price(
    book: _F,
    /,
    *,
    tolerance: float | None = None,
    grid: Sequence[SupportsInt] | None = None,
    sensitivities: bool = False,
    boundary: bool = False,
    precision: str | None = None,
    device: str = "auto",
    folder: str | PathLike[str] = "",
    errors: _Errors = "report",
    info: Literal[False] = False,
    type: _Column = ...,
    exercise: _Column = ...,
    spot: _Column = ...,
    strike: _Column = ...,
    rate: _Column = ...,
    volatility: _Column = ...,
    maturity: _Column = ...,
    dividend: _Column = ...,
    barrier: _Column = ...,
    rebate: _Column = ...,
    dividends: _Column = ...,
) -> _F: ...
@overload
def price(
    book: _F,
    /,
    *,
    tolerance: float | None = None,
    grid: Sequence[SupportsInt] | None = None,
    sensitivities: bool = False,
    boundary: bool = False,
    precision: str | None = None,
    device: str = "auto",
    folder: str | PathLike[str] = "",
    errors: _Errors = "report",
    info: Literal[True],
    type: _Column = ...,
    exercise: _Column = ...,
    spot: _Column = ...,
    strike: _Column = ...,
    rate: _Column = ...,
    volatility: _Column = ...,
    maturity: _Column = ...,
    dividend: _Column = ...,
    barrier: _Column = ...,
    rebate: _Column = ...,
    dividends: _Column = ...,
) -> tuple[_F, _Info]: ...
@overload
def implied_volatility(
    quotes: _Columns = None,
    /,
    *,
    tolerance: float | None = None,
    precision: str | None = None,
    device: str = "auto",
    errors: _Errors = "report",
    info: Literal[False] = False,
    type: _Column = ...,
    exercise: _Column = ...,
    spot: _Column = ...,
    strike: _Column = ...,
    rate: _Column = ...,
    volatility: _Column = ...,
    maturity: _Column = ...,
    dividend: _Column = ...,
    barrier: _Column = ...,
    rebate: _Column = ...,
    dividends: _Column = ...,
    price: _Column = ...,
) -> ImpliedVolatilities: ...
@overload
def implied_volatility(
    quotes: _Columns = None,
    /,
    *,
    tolerance: float | None = None,
    precision: str | None = None,
    device: str = "auto",
    errors: _Errors = "report",
    info: Literal[True],
    type: _Column = ...,
    exercise: _Column = ...,
    spot: _Column = ...,
    strike: _Column = ...,
    rate: _Column = ...,
    volatility: _Column = ...,
    maturity: _Column = ...,
    dividend: _Column = ...,
    barrier: _Column = ...,
    rebate: _Column = ...,
    dividends: _Column = ...,
    price: _Column = ...,
) -> tuple[ImpliedVolatilities, _Info]: ...
@overload
def implied_volatility(
    quotes: _F,
    /,
    *,
    tolerance: float | None = None,
    precision: str | None = None,
    device: str = "auto",
    errors: _Errors = "report",
    info: Literal[False] = False,
    type: _Column = ...,
    exercise: _Column = ...,
    spot: _Column = ...,
    strike: _Column = ...,
    rate: _Column = ...,
    volatility: _Column = ...,
    maturity: _Column = ...,
    dividend: _Column = ...,
    barrier: _Column = ...,
    rebate: _Column = ...,
    dividends: _Column = ...,
    price: _Column = ...,
) -> _F: ...
@overload
def implied_volatility(
    quotes: _F,
    /,
    *,
    tolerance: float | None = None,
    precision: str | None = None,
    device: str = "auto",
    errors: _Errors = "report",
    info: Literal[True],
    type: _Column = ...,
    exercise: _Column = ...,
    spot: _Column = ...,
    strike: _Column = ...,
    rate: _Column = ...,
    volatility: _Column = ...,
    maturity: _Column = ...,
    dividend: _Column = ...,
    barrier: _Column = ...,
    rebate: _Column = ...,
    dividends: _Column = ...,
    price: _Column = ...,
) -> tuple[_F, _Info]: ...
