"""Numbers as they are given, exactly: integers that have the same solution.

A row of a system may be multiplied by any number other than zero. With the common denominator of its
entries it becomes a row of integers. No entry is rounded on the way.
"""

from decimal import Decimal
from fractions import Fraction
from math import gcd, lcm

# Exponents of ten of decimals, beyond which no integer of the largest precision has them.
_MOST_EXPONENT = 10_000


def fraction(x):
    """A number of any type of Python, exactly."""
    if isinstance(x, (int, Fraction)):
        return Fraction(x)
    if isinstance(x, str):
        return _of_text(x)
    if isinstance(x, Decimal):
        return _of_decimal(x, x)
    if hasattr(x, "as_integer_ratio"):
        try:
            numerator, denominator = x.as_integer_ratio()
        except (OverflowError, ValueError):
            raise ValueError(f"expected a finite number, found {x}") from None
        return Fraction(int(numerator), int(denominator))
    # A ball's `_mpf_` is its midpoint, rounded.
    if hasattr(x, "is_exact") and hasattr(x, "man_exp"):
        if not x.is_exact():
            raise ValueError(f"{x} has a radius and is no single number: take its mid()")
        if not x.is_finite():
            raise ValueError(f"expected a finite number, found {x}")
        significand, exponent = x.man_exp()
        return _of_binary(x, 0, significand, exponent)
    if hasattr(x, "_mpf_"):
        return _of_binary(x, *x._mpf_[:3])
    if hasattr(x, "p") and hasattr(x, "q"):
        return Fraction(int(x.p), int(x.q))
    if hasattr(x, "numerator") and hasattr(x, "denominator"):
        return Fraction(int(x.numerator), int(x.denominator))
    if hasattr(x, "__index__") and getattr(x, "shape", ()) == ():
        return Fraction(x.__index__())
    raise TypeError(f"expected a real number, found {type(x).__name__}")


def _of_text(text):
    above, slash, below = text.partition("/")
    try:
        if slash:
            return Fraction(int(above), int(below))
        return _of_decimal(Decimal(text.strip()), text)
    except (ArithmeticError, ValueError) as error:
        if str(error).startswith("expected"):
            raise
        raise ValueError(f"expected a number, found {text!r}") from None


def _of_decimal(decimal, text):
    if not decimal.is_finite():
        raise ValueError(f"expected a finite number, found {text}")
    exponent = decimal.as_tuple().exponent
    if decimal and max(abs(exponent), abs(decimal.adjusted())) > _MOST_EXPONENT:
        raise ValueError(f"expected exponents of ten within ±{_MOST_EXPONENT}, found {text}")
    return Fraction(decimal) if decimal else Fraction(0)


def _of_binary(x, sign, significand, exponent):
    significand, exponent = int(significand), int(exponent)
    if significand == 0:
        if exponent != 0 and float(x) != 0:
            raise ValueError(f"expected a finite number, found {x}")
        return Fraction(0)
    if abs(exponent) > 4 * _MOST_EXPONENT:
        raise ValueError(f"expected exponents of two within ±{4 * _MOST_EXPONENT}, found {x}")
    number = Fraction(significand) * Fraction(2) ** exponent
    return -number if sign else number


def fractions(array, name):
    """The rows of a matrix as lists of fractions; a vector is one column."""
    if array.ndim == 1:
        array = array[:, None]
    rows = []
    for i, row in enumerate(array):
        rows.append([])
        for j, entry in enumerate(row):
            try:
                rows[-1].append(fraction(entry))
            except (TypeError, ValueError) as error:
                raise type(error)(f"{name}[{i}, {j}]: {error}") from None
    return rows


def integers(rows):
    """Rows of fractions as rows of integers, and the fraction that each row was multiplied by."""
    found, factors = [], []
    for row in rows:
        denominator = lcm(*(x.denominator for x in row))
        entries = [x.numerator * (denominator // x.denominator) for x in row]
        common = gcd(*entries) or 1
        found.append([x // common for x in entries])
        factors.append(Fraction(denominator, common))
    return found, factors
