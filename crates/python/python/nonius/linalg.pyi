from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, overload

from numpy import intp
from numpy.typing import ArrayLike, NDArray

from ._nonius import CudaArray
from ._nonius import NoniusWarning as NoniusWarning

__all__ = [
    "EighResult",
    "NoniusWarning",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "cond",
    "det",
    "dot",
    "eigh",
    "eigvalsh",
    "inv",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matrix_rank",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "svd",
    "svdvals",
]

class _Listable(Protocol):
    def tolist(self) -> Any: ...

# Lists of fractions, decimals and texts too, and matrices of mpmath and python-flint.
_Numbers: TypeAlias = ArrayLike | Sequence[object] | _Listable
_Precision: TypeAlias = str | None
_Array: TypeAlias = NDArray[Any]
# A dictionary, or a list of dictionaries for a stack.
_Info: TypeAlias = Any
# A scalar, or an array for a stack.
_Scalar: TypeAlias = Any

class EighResult(NamedTuple):
    eigenvalues: _Array
    eigenvectors: _Array

class QRResult(NamedTuple):
    Q: _Array
    R: _Array

class SVDResult(NamedTuple):
    U: _Array
    S: _Array
    Vh: _Array

class SlogdetResult(NamedTuple):
    sign: _Scalar
    logabsdet: _Scalar

@overload
def solve(
    a: CudaArray,
    b: CudaArray,
    *,
    method: str = "auto",
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> CudaArray: ...
@overload
def solve(
    a: CudaArray,
    b: CudaArray,
    *,
    method: str = "auto",
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[CudaArray, _Info]: ...
@overload
def solve(
    a: _Numbers,
    b: _Numbers,
    *,
    digits: int | None = None,
    precision: _Precision = None,
    method: str = "auto",
    device: str = "auto",
    info: Literal[False] = False,
) -> _Array: ...
@overload
def solve(
    a: _Numbers,
    b: _Numbers,
    *,
    digits: int | None = None,
    precision: _Precision = None,
    method: str = "auto",
    device: str = "auto",
    info: Literal[True],
) -> tuple[_Array, _Info]: ...
@overload
def solve_triangular(
    a: CudaArray,
    b: CudaArray,
    trans: Literal[0, 1, "N", "T"] = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    *,
    precision: _Precision = None,
) -> CudaArray: ...
@overload
def solve_triangular(
    a: _Numbers,
    b: _Numbers,
    trans: Literal[0, 1, "N", "T"] = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    *,
    precision: _Precision = None,
) -> _Array: ...
def lu_solve(
    lu_and_piv: tuple[_Numbers, ArrayLike],
    b: _Numbers,
    trans: Literal[0, 1, "N", "T"] = 0,
    *,
    precision: _Precision = None,
) -> _Array: ...
@overload
def cho_solve(
    c_and_lower: tuple[CudaArray, bool],
    b: CudaArray,
    *,
    precision: _Precision = None,
) -> CudaArray: ...
@overload
def cho_solve(
    c_and_lower: tuple[_Numbers, bool], b: _Numbers, *, precision: _Precision = None
) -> _Array: ...
@overload
def lstsq(
    a: CudaArray,
    b: CudaArray,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> CudaArray: ...
@overload
def lstsq(
    a: CudaArray,
    b: CudaArray,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[CudaArray, _Info]: ...
@overload
def lstsq(
    a: _Numbers,
    b: _Numbers,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> _Array: ...
@overload
def lstsq(
    a: _Numbers,
    b: _Numbers,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[_Array, _Info]: ...
@overload
def inv(
    a: CudaArray,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> CudaArray: ...
@overload
def inv(
    a: CudaArray,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[CudaArray, _Info]: ...
@overload
def inv(
    a: _Numbers,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> _Array: ...
@overload
def inv(
    a: _Numbers, *, precision: _Precision = None, device: str = "auto", info: Literal[True]
) -> tuple[_Array, _Info]: ...
@overload
def det(
    a: _Numbers,
    *,
    digits: int | None = None,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> _Scalar: ...
@overload
def det(
    a: _Numbers,
    *,
    digits: int | None = None,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[_Scalar, _Info]: ...
@overload
def slogdet(
    a: _Numbers,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> SlogdetResult: ...
@overload
def slogdet(
    a: _Numbers, *, precision: _Precision = None, device: str = "auto", info: Literal[True]
) -> tuple[SlogdetResult, _Info]: ...
@overload
def lu(
    a: CudaArray,
    permute_l: bool = False,
    p_indices: bool = False,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> tuple[Any, ...]: ...
@overload
def lu(
    a: CudaArray,
    permute_l: bool = False,
    p_indices: bool = False,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[tuple[Any, ...], _Info]: ...
@overload
def lu(
    a: _Numbers,
    permute_l: bool = False,
    p_indices: bool = False,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> tuple[_Array, ...]: ...
@overload
def lu(
    a: _Numbers,
    permute_l: bool = False,
    p_indices: bool = False,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[tuple[_Array, ...], _Info]: ...
@overload
def lu_factor(
    a: _Numbers,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> tuple[_Array, NDArray[intp]]: ...
@overload
def lu_factor(
    a: _Numbers, *, precision: _Precision = None, device: str = "auto", info: Literal[True]
) -> tuple[tuple[_Array, NDArray[intp]], _Info]: ...
@overload
def cholesky(
    a: CudaArray,
    *,
    upper: bool = False,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> CudaArray: ...
@overload
def cholesky(
    a: CudaArray,
    *,
    upper: bool = False,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[CudaArray, _Info]: ...
@overload
def cholesky(
    a: _Numbers,
    *,
    upper: bool = False,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> _Array: ...
@overload
def cholesky(
    a: _Numbers,
    *,
    upper: bool = False,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[_Array, _Info]: ...
@overload
def cho_factor(
    a: CudaArray,
    lower: bool = False,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> tuple[CudaArray, bool]: ...
@overload
def cho_factor(
    a: CudaArray,
    lower: bool = False,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[tuple[CudaArray, bool], _Info]: ...
@overload
def cho_factor(
    a: _Numbers,
    lower: bool = False,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> tuple[_Array, bool]: ...
@overload
def cho_factor(
    a: _Numbers,
    lower: bool = False,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[tuple[_Array, bool], _Info]: ...
@overload
def qr(
    a: CudaArray,
    mode: Literal["reduced"] = "reduced",
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> tuple[CudaArray, CudaArray]: ...
@overload
def qr(
    a: CudaArray,
    mode: Literal["reduced"] = "reduced",
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[tuple[CudaArray, CudaArray], _Info]: ...
@overload
def qr(
    a: CudaArray,
    mode: Literal["r"],
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> CudaArray: ...
@overload
def qr(
    a: CudaArray,
    mode: Literal["r"],
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[CudaArray, _Info]: ...
@overload
def qr(
    a: _Numbers,
    mode: Literal["reduced", "complete"] = "reduced",
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> QRResult: ...
@overload
def qr(
    a: _Numbers,
    mode: Literal["reduced", "complete"] = "reduced",
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[QRResult, _Info]: ...
@overload
def qr(
    a: _Numbers,
    mode: Literal["r"],
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> _Array: ...
@overload
def qr(
    a: _Numbers,
    mode: Literal["r"],
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[_Array, _Info]: ...
@overload
def eigh(
    a: _Numbers,
    *,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> EighResult: ...
@overload
def eigh(
    a: _Numbers, *, precision: _Precision = None, device: str = "auto", info: Literal[True]
) -> tuple[EighResult, _Info]: ...
def eigvalsh(a: _Numbers, *, precision: _Precision = None, device: str = "auto") -> _Array: ...
@overload
def svd(
    a: _Numbers,
    *,
    full_matrices: bool = False,
    compute_uv: Literal[True] = True,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> SVDResult: ...
@overload
def svd(
    a: _Numbers,
    *,
    full_matrices: bool = False,
    compute_uv: Literal[True] = True,
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[SVDResult, _Info]: ...
@overload
def svd(
    a: _Numbers,
    *,
    full_matrices: bool = False,
    compute_uv: Literal[False],
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[False] = False,
) -> _Array: ...
@overload
def svd(
    a: _Numbers,
    *,
    full_matrices: bool = False,
    compute_uv: Literal[False],
    precision: _Precision = None,
    device: str = "auto",
    info: Literal[True],
) -> tuple[_Array, _Info]: ...
def svdvals(a: _Numbers, *, precision: _Precision = None, device: str = "auto") -> _Array: ...
def cond(a: _Numbers, *, precision: _Precision = None, device: str = "auto") -> _Scalar: ...
def norm(
    a: _Numbers,
    ord: float | Literal["fro", "nuc"] | None = None,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    *,
    precision: _Precision = None,
    device: str = "auto",
) -> _Scalar: ...
def dot(a: _Numbers, b: _Numbers, *, precision: _Precision = None) -> _Scalar: ...
def matrix_rank(
    a: _Numbers,
    *,
    rtol: float | None = None,
    precision: _Precision = None,
    device: str = "auto",
) -> _Scalar: ...
def pinv(
    a: _Numbers,
    *,
    rtol: float | None = None,
    precision: _Precision = None,
    device: str = "auto",
) -> _Array: ...
