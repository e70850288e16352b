from numpy.typing import DTypeLike

from ._nonius import CudaArray as Array

__all__ = ["Array", "asarray"]

def asarray(x: object, dtype: DTypeLike | None = None, *, device: str = "cuda") -> Array: ...
