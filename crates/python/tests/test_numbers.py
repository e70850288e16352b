"""The types of numbers as NumPy's arrays have them."""

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import mpmath
import nonius as nn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

KINDS = [(nn.dd, nn.DoubleDouble, 104), (nn.td, nn.TripleDouble, 156), (nn.qd, nn.QuadDouble, 208)]
finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e100, max_value=1e100)


def exact(x):
    return Fraction(*x.as_integer_ratio())


@pytest.mark.parametrize("kind, scalar, bits", KINDS)
def test_numbers_are_rounded_once(kind, scalar, bits):
    for given_ in [Fraction(1, 3), Decimal("0.1"), "0.1", 2**300 + 1, -7, 0.1, True, np.float32(0.1)]:
        number = scalar(given_)
        truth = Fraction(given_) if not isinstance(given_, np.floating) else Fraction(float(given_))
        error = abs(exact(number) - truth)
        assert error <= abs(truth) / 2**bits, (given_, number)
    assert exact(scalar(10**40)) == 10**40 or bits < 133
    assert isinstance(np.array([1], dtype=kind)[0], scalar)


@pytest.mark.parametrize("kind, scalar, bits", KINDS)
@given(x=finite, y=finite)
def test_arithmetic_is_that_of_fractions(kind, scalar, bits, x, y):
    a, b = np.array([x], dtype=kind), np.array([y], dtype=kind)
    bound = Fraction(8, 2**bits)
    for name in ["add", "subtract", "multiply", "divide"]:
        if name == "divide" and abs(y) < 1e-100:
            continue
        found = getattr(np, name)(a, b)[0]
        operation = {
            "add": Fraction.__add__,
            "subtract": Fraction.__sub__,
            "multiply": Fraction.__mul__,
            "divide": Fraction.__truediv__,
        }[name]
        truth = operation(Fraction(x), Fraction(y))
        if 0 < abs(truth) < Fraction(1, 10**200):
            continue
        assert abs(exact(found) - truth) <= bound * abs(truth), (name, x, y, found)


@pytest.mark.parametrize("kind, scalar, bits", KINDS)
def test_functions_agree_with_mpmath(kind, scalar, bits):
    names = {
        "sqrt": (mpmath.sqrt, 0.1, 9), "exp": (mpmath.exp, -20, 20), "log": (mpmath.log, 0.1, 90),
        "sin": (mpmath.sin, -9, 9), "cos": (mpmath.cos, -9, 9), "tan": (mpmath.tan, -1.5, 1.5),
        "arctan": (mpmath.atan, -9, 9), "sinh": (mpmath.sinh, -9, 9), "tanh": (mpmath.tanh, -9, 9),
        "expm1": (mpmath.expm1, -3, 3), "log1p": (mpmath.log1p, -0.5, 9), "arcsin": (mpmath.asin, -1, 1),
        "log10": (mpmath.log10, 0.1, 90), "exp2": (lambda x: mpmath.mpf(2) ** x, -9, 9),
        "cbrt": (mpmath.cbrt, 0.1, 9), "arccosh": (mpmath.acosh, 1.1, 9),
    }
    with mpmath.workprec(400):
        for name, (truth, low, high) in names.items():
            x = np.linspace(low, high, 7).astype(kind)
            for value, found in zip(x, getattr(np, name)(x)):
                expected = truth(mpmath.mpf(exact(value).numerator) / exact(value).denominator)
                given_ = mpmath.mpf(exact(found).numerator) / exact(found).denominator
                assert abs(given_ - expected) <= abs(expected) * mpmath.mpf(2) ** (3 - bits), (name, value)


@pytest.mark.parametrize("kind, scalar, bits", KINDS)
def test_arrays_behave_as_numpys(kind, scalar, bits):
    a = np.arange(6.0).astype(kind).reshape(2, 3)
    assert a[1, ::-1].astype(float).tolist() == [5, 4, 3]
    assert (a + a[0]).astype(float).tolist() == [[0, 2, 4], [3, 5, 7]]
    assert (2 * a - 1).dtype == kind and (a / np.float64(2)).dtype == kind
    assert a.sum() == 15 and a.max() == 5 and a.min() == 0 and a.mean() == 2.5
    assert a.sum(axis=0).astype(float).tolist() == [3, 5, 7]
    assert np.cumsum(a[0]).astype(float).tolist() == [0, 1, 3]
    assert np.sort(a[:, ::-1]).astype(float).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert np.argsort(-a[0]).tolist() == [2, 1, 0] and a.argmax() == 5
    assert (a == a.copy()).all() and (a[0] < a[1]).all() and not (a != a).any()
    assert a.T.copy().flags.c_contiguous and np.concatenate([a, a]).shape == (4, 3)
    assert np.where(a > 2, a, 0).astype(int).tolist() == [[0, 0, 0], [3, 4, 5]]
    assert (a @ a.T).astype(float).tolist() == [[5, 14], [14, 50]]
    assert a[0] @ a[1] == 14 and np.zeros(3, dtype=kind)[0] == 0 and a.std() > 1.7
    assert np.empty(0, dtype=kind).sum() == 0 and np.empty(0, dtype=kind).prod() == 1
    assert np.clip(a, a[0, 1], a[1, 1]).astype(float).tolist() == [[1, 1, 2], [3, 4, 4]]
    again = pickle.loads(pickle.dumps(a))
    assert again.dtype == kind and (again == a).all() and copy.deepcopy(kind) is kind
    # What NumPy cannot do with types of others is refused.
    with pytest.raises(TypeError):
        np.einsum("ij->i", a)
    assert np.isnan(np.array([np.nan, 1], dtype=kind)).tolist() == [True, False]
    a += 1
    a[0] = "0.1"
    assert a[0, 0] == scalar("0.1") and a[0, 0] != 0.1
    assert str(np.array(["0.1", 2], dtype=kind)) == "[0.1 2]"


@pytest.mark.parametrize("kind, scalar, bits", KINDS)
def test_loops_take_entries_wherever_they_are(kind, scalar, bits):
    a = np.sqrt(np.arange(1, 2001).astype(kind))
    one_by_one = np.array([x * x - x for x in a], dtype=kind)
    assert (a * a - a == one_by_one).all()
    assert (a[::3] * a[::3] - a[::3] == one_by_one[::3]).all()
    assert (a[::-1] * a[::-1] - a[::-1] == one_by_one[::-1]).all()
    b = a.copy()
    b *= b
    b -= a
    assert (b == one_by_one).all()
    # An output that overlaps its operands.
    c, expected = a.copy(), a[:-1] + a[1:]
    np.add(c[:-1], c[1:], out=c[1:])
    assert (c[1:] == expected).all()


@pytest.mark.parametrize("kind, scalar, bits", KINDS)
@given(x=finite, y=finite)
def test_remainders_are_exact(kind, scalar, bits, x, y):
    if y == 0:
        return
    a, b = np.array([x], dtype=kind), np.array([y], dtype=kind)
    rest = Fraction(abs(x)) % Fraction(abs(y)) * (-1 if x < 0 else 1)
    assert exact(np.fmod(a, b)[0]) == rest
    if abs(x / y) < 1e15:
        assert np.floor_divide(a, b)[0] == Fraction(x) // Fraction(y)


def test_the_higher_kind_decides():
    for low, high in [(nn.dd, nn.td), (nn.dd, nn.qd), (nn.td, nn.qd)]:
        x, y = np.array([1], dtype=low), np.array([3], dtype=high)
        assert (x / y).dtype == high == (y / x).dtype == np.result_type(low, high)
        assert (x / y)[0] == 1 / y[0] and (x.astype(high) == x).all()
        assert type(x[0] / y[0]) is type(y[0])
    third = np.array([1], dtype=nn.qd) / 3
    assert third.astype(nn.dd)[0] == nn.DoubleDouble(1) / 3
    with pytest.raises(TypeError):
        np.array([1j]) + third


@pytest.mark.parametrize("kind, scalar, bits", KINDS)
def test_integers_come_back(kind, scalar, bits):
    for numpys in [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]:
        limits = np.array([np.iinfo(numpys).min, np.iinfo(numpys).max, 1], dtype=numpys)
        there = limits.astype(kind)
        assert [int(x) for x in there] == limits.tolist(), numpys
        assert (there.astype(numpys) == limits).all(), numpys
    below = np.array([3], dtype=kind) - np.array(["1e-25"], dtype=kind)
    assert below.astype(np.int64)[0] == 2 == int(below[0]) and below.astype(float)[0] == 3
    assert np.array([True, False]).astype(kind).astype(bool).tolist() == [True, False]


@pytest.mark.parametrize("kind, scalar, bits", KINDS)
def test_scalars_are_numbers_of_python(kind, scalar, bits):
    x = scalar(1) / 3
    assert float(x) == 1 / 3 and abs(x * 3 - 1) < 2.0 ** (2 - bits) and -x < 0 < abs(-x)
    assert 1 - x == -(x - 1) and 1 / x == 1 / (0 + x) and x / 2 == x * 0.5
    assert hash(scalar(7)) == hash(7) and hash(x) == hash(exact(x)) and x == exact(x)
    assert x != Fraction(1, 3) and x < 1 and not x > float("nan") and scalar("nan") != scalar("nan")
    assert f"{x:.20f}" == "0." + "3" * 20 and f"{x:.5e}" == "3.33333e-1"
    assert pickle.loads(pickle.dumps(x)) == x == copy.deepcopy(x) == scalar(str(x))
    assert abs(scalar(2) ** 0.5 - np.sqrt(np.array([2], dtype=kind))[0]) < 2.0 ** (4 - bits)
    assert round(float(2**x), 3) == 1.26
    for wrong in ["0.1.", "one", None, [1], 1j, object()]:
        with pytest.raises((TypeError, ValueError)):
            scalar(wrong)
    with pytest.raises(OverflowError):
        scalar("inf").as_integer_ratio()


@given(x=finite, y=finite)
def test_limbs_come_back(x, y):
    a = np.array([x], dtype=nn.qd) * y
    assert (nn.from_limbs(nn.limbs(a)) == a).all()


def test_mpmath_numbers_are_exact():
    with mpmath.workprec(200):
        x = mpmath.sqrt(2)
    assert abs(exact(nn.QuadDouble(x)) - Fraction(*map(int, mpmath.libmp.to_rational(x._mpf_)))) == 0
    assert nn.DoubleDouble(mpmath.mpf("-inf")) == float("-inf") and nn.DoubleDouble(mpmath.mpf(0)) == 0
