"""Numbers of Python as decimal texts, exactly."""

import numbers
from decimal import Context, Decimal, Inexact, InvalidOperation
from fractions import Fraction
from math import lcm

from . import _exact

# Sums and products of doubles have fewer digits than this. A rounding would raise an exception.
CONTEXT = Context(prec=20_000, Emin=-999_999, Emax=999_999, traps=[Inexact, InvalidOperation])


def fraction(value, name):
    """The exact value of a number or of its text, as a Decimal or a Fraction."""
    if isinstance(value, float):
        found = Decimal(value)
    elif isinstance(value, numbers.Integral):
        found = Decimal(int(value))
    elif isinstance(value, Decimal):
        found = value
    else:
        try:
            found = _exact.fraction(value)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from None
    if isinstance(found, Decimal) and not found.is_finite():
        raise ValueError(f"{name}: expected a finite number, found {value}")
    return found


def factor(values):
    """The least integer by which all values become finite decimals."""
    factors = [1]
    for value in values:
        if isinstance(value, Fraction):
            below = value.denominator
            for prime in (2, 5):
                while below % prime == 0:
                    below //= prime
            factors.append(below)
    return lcm(*factors)


def text(value, times=1):
    """The decimal text of a value times an integer that makes it a finite decimal."""
    if isinstance(value, Decimal):
        if times == 1:
            return str(value)
        value = Fraction(value)
    value = value * times
    below, exponent = value.denominator, 0
    while below % 10 == 0:
        below, exponent = below // 10, exponent + 1
    above = value.numerator
    for prime, other in [(2, 5), (5, 2)]:
        while below % prime == 0:
            above, below, exponent = above * other, below // prime, exponent + 1
    digits = str(Decimal(above))
    return f"{digits}e-{exponent}" if exponent else digits
