"""Arrays in a GPU's memory, shared with CuPy and PyTorch without copies.

`asarray` makes an `Array` of an array of NumPy, which is copied to the GPU, or of one that lies there
already, which is not copied. Functions of `nonius.linalg` that take such arrays leave their results on
the GPU: `solve`, `solve_triangular`, `inv`, `lstsq`, `cholesky`, `cho_factor`, `cho_solve`, `lu` and
`qr`. Other functions are the host's; `Array.get` copies an array there.

DLPack has no type of more than 64 bits. For CuPy and PyTorch an array of ``dd``, ``td`` or ``qd`` is one
of float64 with 2, 3 or 4 limbs along one more dimension, the last. The numbers are the sums of their
limbs, of which each is at most half a unit in the last place of the one before, as `nonius.limbs` has
them.

Every task begins when the work in the device's default stream is done, and ends before its function
returns. Whoever writes to shared memory in a stream that the default stream does not wait for
(PyTorch's side streams, CuPy's non-blocking ones) synchronizes that stream first.

>>> import cupy  # doctest: +SKIP
>>> import nonius as nn
>>> limbs = cupy.zeros((100, 100, 4)) + cupy.eye(100)[..., None] * [1, 0, 0, 0]  # doctest: +SKIP
>>> a = nn.cuda.asarray(limbs, dtype=nn.qd)  # doctest: +SKIP
>>> x = nn.linalg.solve(a, a)  # doctest: +SKIP
>>> cupy.from_dlpack(x).shape  # doctest: +SKIP
(100, 100, 4)
"""

import numpy as np

from . import _nonius
from ._arrays import common, name_of, numbers
from ._nonius import CudaArray as Array

__all__ = ["Array", "asarray"]


def asarray(x, dtype=None, *, device="cuda"):
    """An array in a GPU's memory.

    Parameters
    ----------
    x : array_like, or an object with ``__dlpack__`` or ``__cuda_array_interface__``
        Arrays of NumPy and lists are copied to the GPU. Of what lies on a GPU, as arrays of CuPy and
        tensors of PyTorch, the memory is shared: it has to be float64.
    dtype : {float64, nn.dd, nn.td, nn.qd}, optional
        The type of the numbers; that of an array of NumPy by default, float64 for shared memory. Of
        shared memory, the last dimension has the 2, 3 or 4 limbs of a dd, td or qd.
    device : {"cuda", "cuda:0", "cuda:1", ...}
        Where arrays are copied to; shared memory stays where it is.

    Returns
    -------
    Array

    Examples
    --------
    >>> import torch  # doctest: +SKIP
    >>> import nonius as nn
    >>> nn.cuda.asarray([[2, 1], [1, 3]], dtype=nn.qd)  # doctest: +SKIP
    <nonius.cuda.Array of qd, shape (2, 2), on cuda:0>
    >>> t = torch.zeros((5, 5, 2), dtype=torch.float64, device="cuda")  # doctest: +SKIP
    >>> nn.cuda.asarray(t, dtype=nn.dd)  # doctest: +SKIP
    <nonius.cuda.Array of dd, shape (5, 5), on cuda:0>
    """
    precision = None if dtype is None else _precision(dtype)
    if isinstance(x, Array):
        found = name_of(x.dtype)
        if precision not in (None, found):
            raise ValueError(f"dtype: expected {found}, as the array has, found {precision}")
        return x
    if not isinstance(x, (np.ndarray, np.generic)):
        if hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__"):
            return _nonius.cuda_from_dlpack(x, precision or "f64")
        if hasattr(x, "__cuda_array_interface__"):
            return _nonius.cuda_from_interface(x, precision or "f64")
    x = numbers(x, "x")
    precision = common(precision, x)
    if precision not in ("f64", "dd", "td", "qd"):
        raise TypeError(_NO_TYPE.format(precision))
    return _nonius.cuda_upload(x, precision, device)


_NO_TYPE = "dtype: arrays on a GPU have float64, dd, td or qd, found {}"


def _precision(dtype):
    name = name_of(np.dtype(dtype))
    if name is None:
        raise TypeError(_NO_TYPE.format(np.dtype(dtype)))
    return name
