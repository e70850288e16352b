from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeAlias, overload

from numpy.typing import ArrayLike, NDArray

__all__ = ["bicgstab", "cg", "gmres", "minres"]

class _Sparse(Protocol):
    @property
    def shape(self) -> Any: ...
    def tocoo(self) -> Any: ...

class _Operator(Protocol):
    @property
    def shape(self) -> Any: ...
    def matvec(self, x: Any, /) -> Any: ...

# Lists of fractions and decimals too.
_Numbers: TypeAlias = ArrayLike | Sequence[object]
_Rows: TypeAlias = tuple[_Numbers, ArrayLike, ArrayLike]
_Entries: TypeAlias = tuple[_Numbers, Sequence[ArrayLike] | NDArray[Any]]
_Matrix: TypeAlias = _Sparse | _Rows | _Entries | _Numbers | _Operator
_Array: TypeAlias = NDArray[Any]
_Storage: TypeAlias = Literal["positional", "residues"]
_Format: TypeAlias = Literal["csr", "ell", "jad", "dia", "full"] | None
_Residual: TypeAlias = Literal["recursive", "true"]
_Info: TypeAlias = dict[str, Any]

@overload
def cg(
    A: _Matrix,
    b: _Numbers,
    x0: _Numbers | None = None,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: _Matrix | str | None = None,
    callback: Callable[[_Array], object] | None = None,
    precision: str | None = None,
    preconditioner: str | None = None,
    storage: _Storage = "positional",
    format: _Format = None,
    refine: float | None = None,
    residual: _Residual = "recursive",
    device: str = "auto",
    full_output: Literal[False] = False,
) -> tuple[_Array, int]: ...
@overload
def cg(
    A: _Matrix,
    b: _Numbers,
    x0: _Numbers | None = None,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: _Matrix | str | None = None,
    callback: Callable[[_Array], object] | None = None,
    precision: str | None = None,
    preconditioner: str | None = None,
    storage: _Storage = "positional",
    format: _Format = None,
    refine: float | None = None,
    residual: _Residual = "recursive",
    device: str = "auto",
    full_output: Literal[True],
) -> tuple[_Array, int, _Info]: ...
@overload
def minres(
    A: _Matrix,
    b: _Numbers,
    x0: _Numbers | None = None,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: _Matrix | str | None = None,
    callback: Callable[[_Array], object] | None = None,
    precision: str | None = None,
    preconditioner: str | None = None,
    storage: _Storage = "positional",
    format: _Format = None,
    refine: float | None = None,
    residual: _Residual = "recursive",
    device: str = "auto",
    full_output: Literal[False] = False,
) -> tuple[_Array, int]: ...
@overload
def minres(
    A: _Matrix,
    b: _Numbers,
    x0: _Numbers | None = None,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: _Matrix | str | None = None,
    callback: Callable[[_Array], object] | None = None,
    precision: str | None = None,
    preconditioner: str | None = None,
    storage: _Storage = "positional",
    format: _Format = None,
    refine: float | None = None,
    residual: _Residual = "recursive",
    device: str = "auto",
    full_output: Literal[True],
) -> tuple[_Array, int, _Info]: ...
@overload
def bicgstab(
    A: _Matrix,
    b: _Numbers,
    x0: _Numbers | None = None,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: _Matrix | str | None = None,
    callback: Callable[[_Array], object] | None = None,
    precision: str | None = None,
    preconditioner: str | None = None,
    storage: _Storage = "positional",
    format: _Format = None,
    refine: float | None = None,
    residual: _Residual = "recursive",
    device: str = "auto",
    full_output: Literal[False] = False,
) -> tuple[_Array, int]: ...
@overload
def bicgstab(
    A: _Matrix,
    b: _Numbers,
    x0: _Numbers | None = None,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: _Matrix | str | None = None,
    callback: Callable[[_Array], object] | None = None,
    precision: str | None = None,
    preconditioner: str | None = None,
    storage: _Storage = "positional",
    format: _Format = None,
    refine: float | None = None,
    residual: _Residual = "recursive",
    device: str = "auto",
    full_output: Literal[True],
) -> tuple[_Array, int, _Info]: ...
@overload
def gmres(
    A: _Matrix,
    b: _Numbers,
    x0: _Numbers | None = None,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    restart: int | None = None,
    maxiter: int | None = None,
    M: _Matrix | str | None = None,
    callback: Callable[[Any], object] | None = None,
    callback_type: Literal["x", "pr_norm", "legacy"] | None = None,
    precision: str | None = None,
    preconditioner: str | None = None,
    storage: _Storage = "positional",
    format: _Format = None,
    refine: float | None = None,
    residual: _Residual = "recursive",
    device: str = "auto",
    full_output: Literal[False] = False,
) -> tuple[_Array, int]: ...
@overload
def gmres(
    A: _Matrix,
    b: _Numbers,
    x0: _Numbers | None = None,
    *,
    rtol: float | None = None,
    atol: float = 0.0,
    restart: int | None = None,
    maxiter: int | None = None,
    M: _Matrix | str | None = None,
    callback: Callable[[Any], object] | None = None,
    callback_type: Literal["x", "pr_norm", "legacy"] | None = None,
    precision: str | None = None,
    preconditioner: str | None = None,
    storage: _Storage = "positional",
    format: _Format = None,
    refine: float | None = None,
    residual: _Residual = "recursive",
    device: str = "auto",
    full_output: Literal[True],
) -> tuple[_Array, int, _Info]: ...
