"""Numbers of Python as decimal texts, exactly."""

import numbers
from decimal import Context, Decimal, Inexact, InvalidOperation
from fractions import Fraction
from math import lcm

# Sums and products of doubles have fewer digits than this. A rounding would raise an exception.
CONTEXT = Context(prec=20_000, Emin=-999_999, Emax=999_999, traps=[Inexact, InvalidOperation])


def fraction(value, name):
    """The exact value of a number or of its text, as a Decimal or a Fraction."""
    if isinstance(value, float):
        found = Decimal(value)
    elif isinstance(value, (bool, numbers.Integral)):
        found = Decimal(int(value))
    elif isinstance(value, Decimal):
        found = value
    elif isinstance(value, str):
        found = _of_text(value, name)
    else:
        found = _of_ratio(value, name)
    if isinstance(found, Decimal) and not found.is_finite():
        raise ValueError(f"{name}: expected a finite number, found {value}")
    return found


def _of_text(text, name):
    try:
        return Fraction(text) if "/" in text else Decimal(text)
    except (ArithmeticError, ValueError):
        raise ValueError(f"{name}: expected a number, found {text!r}") from None


def _of_ratio(value, name):
    if hasattr(value, "_mpf_"):
        sign, significand, exponent, bits = value._mpf_
        if significand or not (bits or exponent):
            whole = int(significand) * (-1) ** sign
            return Fraction(whole) * Fraction(2) ** int(exponent)
        raise ValueError(f"{name}: expected a finite number, found {value}")
    try:
        if hasattr(value, "as_integer_ratio"):
            above, below = value.as_integer_ratio()
        elif hasattr(value, "p") and hasattr(value, "q"):
            above, below = value.p, value.q
        else:
            raise TypeError(f"{name}: expected a real number, found {type(value).__name__}")
    except (OverflowError, ValueError):
        raise ValueError(f"{name}: expected a finite number, found {value}") from None
    return Fraction(int(above), int(below))


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
