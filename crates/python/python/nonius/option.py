"""Prices and implied volatilities of options, by finite differences.

A book has a contract in each row. Its columns are those of the program's CSV files:

============  =======================================================================  ==============
column        holds                                                                    if left out
============  =======================================================================  ==============
type          ``"call"`` or ``"put"``                                                  needed
exercise      ``"european"``, ``"american"``, or ``"bermudan:0.25;0.5"`` with dates    european
spot          price of the underlying                                                  needed
strike        strike                                                                   needed
rate          interest rate a year, continuously compounded                            needed
volatility    volatility a year, a `Surface`, or ``"surface:FILE"``                    needed
maturity      years                                                                    needed
dividend      continuous yield of the underlying                                       0
barrier       ``"down-out:90"``; with dates of monitoring ``"up-in:130@0.25;0.5"``     none
rebate        money that a barrier pays                                                0
dividends     money or parts of the spot, at dates: ``"0.5:2.0;0.75:1%"``              none
price         the quoted price, for `implied_volatility` alone                         needed there
============  =======================================================================  ==============

``rate``, ``dividend`` and ``volatility`` may change: ``"0.25:0.02;1:0.03"`` is 0.02 until 0.25, then
0.03. Times are in years from today.

A number in a text counts as the decimal that it is, and is rounded once to the precision. ``None``,
``NA``, and NaN in a column of objects or texts leave a cell out. NaN in a column of numbers is an error
of its row.
"""

import os
import sys
import warnings
from typing import Any, NamedTuple

import numpy as np

from . import _nonius
from ._nonius import Surface, dd, mp, qd, td
from ._arrays import as_array, common, kind_of, number
from .linalg import NoniusWarning

__all__ = ["ImpliedVolatilities", "Prices", "Surface", "implied_volatility", "price"]

# Columns without numbers, where NaN is what pandas makes of nothing.
_TEXTS = {"type", "exercise", "barrier", "dividends"}
# Rows that a warning names at most.
_MOST_NAMED = 5


class Prices(NamedTuple):
    """Prices, with what belongs to them. Each field has the shape of the columns."""

    price: Any
    """Values today."""
    delta: Any
    """First derivatives in the spot."""
    gamma: Any
    """Second derivatives in the spot."""
    theta: Any
    """Derivatives in time, per year."""
    vega: Any
    """Derivatives in the volatility, per 1 (100 %); ``None`` without ``sensitivities``."""
    rho: Any
    """Derivatives in the rate, per 1 (100 %); ``None`` without ``sensitivities``."""
    error_estimate: Any
    """Estimates of the absolute error of the price; NaN on a grid of one's own."""
    converged: Any
    """Whether the estimate is within the tolerance."""
    grid: Any
    """The finest grid, intervals of the underlying x time steps, as ``"256x128"``."""
    boundary: Any
    """Arrays of times and spots of early exercise, shape (k, 2); ``None`` without ``boundary``."""
    error: Any
    """Why there is no price, or ``None``."""


class ImpliedVolatilities(NamedTuple):
    """Volatilities, with what belongs to them. Each field has the shape of the columns."""

    volatility: Any
    """Volatilities a year."""
    error_estimate: Any
    """Estimates of the absolute error of the volatility."""
    converged: Any
    """Whether the estimate is within the tolerance."""
    grid: Any
    """The finest grid of the last price."""
    error: Any
    """Why there is no volatility, or ``None``."""


def price(
    book=None,
    /,
    *,
    tolerance=None,
    grid=None,
    sensitivities=False,
    boundary=False,
    precision=None,
    device="auto",
    folder="",
    errors="report",
    info=False,
    **columns,
):
    """The prices of contracts, with their sensitivities and estimates of their errors.

    Parameters
    ----------
    book : DataFrame of pandas or polars, or mapping, optional
        Columns by name.
    **columns : array_like
        Further columns. They broadcast as arrays of NumPy.
    tolerance : float, optional
        Grids are refined until the estimated error is at most this part of the price, or of a
        ten-thousandth of the strike where the price is less. The default is 1e-6.
    grid : (int, int), optional
        Computes on one grid of intervals of the underlying and time steps instead, without an estimate.
    sensitivities : bool
        Whether to compute vega and rho, which takes prices in eight other markets.
    boundary : bool
        Whether to compute at which spots American contracts are exercised.
    precision : {"f64", "dd", "td", "qd", "mp424", ...}, optional
        The precision of all numbers; by default f64, or that of the columns where it is higher.
    device : {"auto", "cpu", "cuda", "cuda:1", ..., "cuda:all"}
    folder : path
        The folder of files that ``"surface:FILE"`` names; the working folder by default.
    errors : {"report", "raise"}
        Whether a row with an error has NaN and a sentence in ``error``, or raises an exception.
    info : bool
        Also returns a dictionary: device, why it was taken, seconds.

    Returns
    -------
    DataFrame with the rows and the index of the book, where that is a DataFrame; else `Prices`.

    Raises
    ------
    ValueError
        A column that is unknown, missing or of another length; an error of a row, if it is to raise.
    NoniusError
        A contract without a price, if it is to raise.

    Notes
    -----
    Ctrl-C stops between groups of contracts that take about a second.

    Examples
    --------
    >>> import nonius as nn
    >>> put = nn.option.price(type="put", exercise="american", spot=100, strike=[90, 100],
    ...                       rate=0.05, volatility=0.2, maturity=1, tolerance=1e-4)
    >>> put.price.round(2)
    array([2.47, 6.09])
    >>> bad = nn.option.price(type="call", spot=-1, strike=100, rate=0.05, volatility=0.2, maturity=1)
    >>> print(bad.error)
    row 0, column spot: the spot is -1 where a positive finite number is needed
    """
    if grid is not None and tolerance is not None:
        raise ValueError("expected tolerance or grid, found both")
    if grid is not None:
        grid = _grid(grid)
    book = _Book(book, columns, precision)
    task = book.task(device, folder, errors, 1e-6 if tolerance is None else tolerance)
    found, told = _nonius.option_price(
        book.columns, book.rows, task, grid, bool(sensitivities), bool(boundary)
    )
    return book.result(Prices, found, told, info)


def implied_volatility(
    quotes=None,
    /,
    *,
    tolerance=None,
    precision=None,
    device="auto",
    errors="report",
    info=False,
    **columns,
):
    """The constant volatilities with which contracts have their quoted prices.

    Parameters
    ----------
    quotes : DataFrame of pandas or polars, or mapping, optional
        Columns by name. There is a column ``price``. A column ``volatility`` is not read.
    **columns : array_like
        Further columns. They broadcast as arrays of NumPy.
    tolerance : float, optional
        The largest estimated error as a part of the volatility. The default is 1e-4.
    precision, device, errors, info
        As in `price`.

    Returns
    -------
    DataFrame with the rows and the index of the quotes, where these are one; else
    `ImpliedVolatilities`.

    Examples
    --------
    >>> import nonius as nn
    >>> found = nn.option.implied_volatility(type="put", exercise="american", spot=100, strike=100,
    ...                                      rate=0.05, maturity=1, price=[6.09, 120])
    >>> found.volatility.round(3)
    array([0.2, nan])
    >>> found.error[1]
    'row 1: no volatility explains the price 120: without arbitrage it is above 0 and below 100'
    """
    book = _Book(quotes, columns, precision)
    task = book.task(device, "", errors, 1e-4 if tolerance is None else tolerance)
    found, told = _nonius.implied_volatility(book.columns, book.rows, task)
    return book.result(ImpliedVolatilities, found, told, info)


def _grid(grid):
    try:
        space, time = (int(number) for number in grid)
    except (TypeError, ValueError):
        space = time = 0
    if not (16 <= space < 2**31 and 2 <= time < 2**31):
        raise ValueError(
            f"grid: expected intervals and steps such as (1000, 500), at least (16, 2), found {grid!r}"
        )
    return space, time


class _Book:
    """Columns that a caller gave, and the form of what is returned."""

    def __init__(self, book, columns, precision):
        self.frame, named = None, []
        if _is_of(book, "pandas", "DataFrame"):
            self.frame = book
            named = [(name, book.iloc[:, at]) for at, name in enumerate(book.columns)]
            rows = len(book)
        elif _is_of(book, "polars", "DataFrame"):
            self.frame = book
            named = [(name, _of_polars(book[name])) for name in book.columns]
            rows = book.height
        elif hasattr(book, "keys"):
            named = [(name, book[name]) for name in book.keys()]
        elif book is not None:
            found = type(book).__name__
            raise TypeError(f"book: expected a DataFrame or a mapping of columns, found {found}")
        named += columns.items()
        for name, _ in named:
            if not isinstance(name, str):
                raise ValueError(f"expected names of columns, found {name!r}")
        arrays = [(name, _array(name, values)) for name, values in named]
        shapes = {name: array.shape for name, array in arrays}
        if self.frame is not None:
            for name, found in shapes.items():
                if found not in [(), (1,), (rows,)]:
                    raise ValueError(f"column {name} has the shape {found}, the book has {rows} rows")
            shape = (rows,)
        else:
            try:
                shape = np.broadcast_shapes(*shapes.values())
            except ValueError:
                raise ValueError(_unlike(shapes)) from None
        self.shape = shape
        self.rows = 1
        for length in self.shape:
            self.rows *= length
        self.precision = precision or _kind(array for _, array in arrays)
        self.arrays = arrays

    def _flat(self, array):
        if array.size != 1 and array.shape != self.shape:
            array = np.broadcast_to(array, self.shape)
        flat = array.reshape(-1)
        if flat.dtype.kind in "iuf" and flat.dtype.itemsize <= 8 or _is_ours(flat):
            return flat.astype(kind_of(self.precision)) if self.precision[:2] == "mp" else flat
        return flat.tolist()

    @property
    def columns(self):
        """Names with arrays of numbers or lists of objects, of one row or of all."""
        _nonius.option_room(self.rows, self.precision)
        return [(name, self._flat(array)) for name, array in self.arrays]

    def task(self, device, folder, errors, tolerance):
        if errors not in ("report", "raise"):
            raise ValueError(f"errors: expected 'report' or 'raise', found {errors!r}")
        if not isinstance(device, str):
            raise TypeError(f"device: expected a text such as 'cpu', found {device!r}")
        if not isinstance(self.precision, str):
            raise TypeError(f"precision: expected a text such as 'dd', found {self.precision!r}")
        tolerance = number(tolerance, "tolerance")
        if not 0 < tolerance < 1:
            raise ValueError(
                f"tolerance: expected a number between 0 and 1 such as 1e-6, found {tolerance:g}"
            )
        return {
            "precision": self.precision,
            "device": device,
            "folder": os.fsdecode(folder),
            "raises": errors == "raise",
            "tolerance": tolerance,
        }

    def result(self, of, found, told, info):
        rough = [
            str(row)
            for row, (good, error) in enumerate(zip(found["converged"], found["error"]))
            if not good and error is None
        ]
        if rough:
            first = next(iter(found))
            named = ", ".join(rough[:_MOST_NAMED])
            more = f", and {len(rough) - _MOST_NAMED} more" if len(rough) > _MOST_NAMED else ""
            word = "row" if len(rough) == 1 else "rows"
            warnings.warn(
                f"{len(rough)} of {self.rows} results ({first}) are not within the tolerance: "
                f"{word} {named}{more}",
                NoniusWarning,
                stacklevel=3,
            )
        found["converged"] = np.array(found["converged"], dtype=bool)
        for name in ["grid", "boundary", "error"]:
            if name in found:
                found[name] = _objects(found[name])
        if self.frame is None:
            found = {name: column.reshape(self.shape)[()] for name, column in found.items()}
            found = of(*[found.get(name) for name in of._fields])
        else:
            found = self._like_the_book(found)
        return (found, told) if info else found

    def _like_the_book(self, found):
        for name, column in found.items():
            if _is_ours(column):
                found[name] = column.astype(object)
        if _is_of(self.frame, "pandas", "DataFrame"):
            return sys.modules["pandas"].DataFrame(found, index=self.frame.index)
        polars = sys.modules["polars"]
        lists = {"grid": polars.String, "error": polars.String, "boundary": polars.Object}
        columns = [
            polars.Series(name, column.tolist(), dtype=lists.get(name, polars.Object))
            if column.dtype == object
            else polars.Series(name, column)
            for name, column in found.items()
        ]
        return polars.DataFrame(columns)


def _is_of(value, module, name):
    """Whether a value is of a class of a module, which is not imported for that."""
    module = sys.modules.get(module)
    return module is not None and isinstance(value, getattr(module, name))


def _of_pandas(series):
    """A column of pandas; one of its own types, in which something is missing, as objects."""
    if isinstance(series.dtype, np.dtype) or not series.isna().any():
        return np.asarray(series)
    objects = series.astype(object).to_numpy(copy=True)
    objects[series.isna().to_numpy()] = None
    return objects


def _of_polars(series):
    """A column of polars; one in which something is missing as objects."""
    return series.to_list() if series.null_count() else series.to_numpy()


def _array(name, values):
    """The array of a column: numbers, or objects."""
    if _is_of(values, "pandas", "Series"):
        array = _of_pandas(values)
    elif isinstance(values, np.ma.MaskedArray):
        array = values.data.astype(object)
        array[np.ma.getmaskarray(values)] = None
    elif isinstance(values, list | tuple):
        has_objects = any(_is_object(value) for value in values)
        array = _objects(values) if has_objects else as_array(values, f"column {name}")
    else:
        array = np.asarray(values)
    kind = array.dtype.kind
    if _is_ours(array) or kind in "iuO":
        return array
    if kind == "f":
        if name.strip().lower() in _TEXTS:
            objects = array.astype(object)
            objects[np.isnan(array)] = None
            return objects
        return array if array.dtype.itemsize <= 8 else array.astype(object)
    return array.astype(object) if kind in "UTc" else array.astype(str).astype(object)


def _is_ours(array):
    return array.dtype in (dd, td, qd) or isinstance(array.dtype, mp)


def _is_object(value):
    """Whether a list with this value is a column of objects: NumPy would make texts of all."""
    return value is None or isinstance(value, str | bytes | Surface | np.datetime64)


def _objects(values):
    return np.fromiter(values, dtype=object, count=len(values))


def _kind(arrays):
    """The precision of the highest numbers of our kinds, or f64."""
    ours = [array for array in arrays if _is_ours(array)]
    return common(None, *ours)


def _unlike(shapes):
    """A sentence that names two columns whose shapes do not go together."""
    names = list(shapes)
    for at, second in enumerate(names):
        for first in names[:at]:
            try:
                np.broadcast_shapes(shapes[first], shapes[second])
            except ValueError:
                return (
                    f"columns do not broadcast: {first} has the shape {shapes[first]}, "
                    f"{second} has {shapes[second]}"
                )
    return "columns do not broadcast"
