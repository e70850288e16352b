"""Arrays as doubles, and back."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._nonius import dd, qd, td

_BY_LIMBS = {2: dd, 3: td, 4: qd}


def limbs(array: NDArray[Any]) -> NDArray[np.float64]:
    """The limbs of an array, as doubles with one more dimension.

    Parameters
    ----------
    array : ndarray of dd, td or qd, of any shape

    Returns
    -------
    ndarray of float64, with the shape of the array and a last dimension of 2, 3 or 4. The numbers
    are the sums of their limbs, exactly. Files of ``np.save`` hold arrays in this form.

    Examples
    --------
    >>> import numpy as np
    >>> import nonius as nn
    >>> nn.limbs(np.array(["0.1"], dtype=nn.dd))
    array([[ 1.00000000e-01, -5.55111512e-18]])
    """
    array = np.asarray(array)
    count = array.dtype.itemsize // 8
    if array.dtype not in _BY_LIMBS.values():
        raise TypeError(f"expected an array of dd, td or qd, found {array.dtype}")
    data = np.frombuffer(array.tobytes(), dtype=np.float64)
    return data.reshape(*array.shape, count).copy()


def from_limbs(array: ArrayLike) -> NDArray[Any]:
    """The numbers whose limbs an array of doubles has in its last dimension.

    Parameters
    ----------
    array : array_like of float64, whose last dimension is 2, 3 or 4

    Returns
    -------
    ndarray of dd, td or qd: the sums of the limbs, rounded where they overlap.

    Examples
    --------
    >>> import nonius as nn
    >>> nn.from_limbs([[1.0, 2.0**-70]])[0] - 1 == 2.0**-70
    True
    """
    array = np.asarray(array, dtype=np.float64)
    count = array.shape[-1] if array.ndim else 0
    if count not in _BY_LIMBS:
        raise ValueError(f"expected a last dimension of 2, 3 or 4 limbs, found {count}")
    parts = np.moveaxis(array, -1, 0)
    total = parts[-1].astype(_BY_LIMBS[count])
    for part in parts[-2::-1]:
        total = total + part
    return total
