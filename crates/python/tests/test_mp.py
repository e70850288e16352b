"""Numbers of any bits: the type `mp` of NumPy and its scalars, beside exact fractions and mpmath."""

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import mpmath
import nonius as nn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

BITS = [64, 65, 100, 128, 424, 4096]
KINDS = [nn.dd, nn.td, nn.qd, nn.mp(64), nn.mp(100), nn.mp(424)]


def exact(x):
    return Fraction(*x.as_integer_ratio())


def nearest(x, bits, least=None):
    """The multiple of a power of two with at most `bits` bits that is nearest to a fraction."""
    if x == 0:
        return Fraction(0)
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length()
    if abs(x) < Fraction(2) ** exponent:
        exponent -= 1
    place = exponent + 1 - bits
    if least is not None:
        place = max(place, least)
    # `round` takes the even one of two equally near integers.
    return round(x / Fraction(2) ** place) * Fraction(2) ** place


def array(*numbers, bits=424):
    return np.array(numbers, dtype=nn.mp(bits))


@st.composite
def numbers(draw, bits=100, spread=200):
    """A fraction that a number of `bits` bits is, often with many equal bits in a row."""
    significand = draw(
        st.one_of(
            st.integers(0, 2**bits - 1),
            st.builds(lambda a, b: abs((1 << a) - (1 << b)), st.integers(0, bits - 1), st.integers(0, bits - 1)),
        )
    )
    sign = draw(st.sampled_from([1, -1]))
    return sign * significand * Fraction(2) ** draw(st.integers(-spread, spread))


def test_instances():
    m = nn.mp(424)
    assert m is nn.mp(bits=424) and m == nn.mp(424) and m != nn.mp(425) and m != nn.qd and m != float
    assert hash(m) == hash(nn.mp(424)) and {m: 1}[nn.mp(424)] == 1 and len({nn.mp(b) for b in BITS}) == 6
    assert repr(m) == str(m) == "nonius.mp(424)" and isinstance(m, nn.mp) and m.bits == 424
    assert [nn.mp(b).itemsize for b in BITS] == [16, 24, 24, 24, 64, 520] and m.alignment == 8
    assert m.type is nn.Multiprecision
    for same in [pickle.loads(pickle.dumps(m)), copy.copy(m), copy.deepcopy(m), np.dtype(m)]:
        assert same is m
    assert pickle.loads(pickle.dumps(nn.mp)) is nn.mp
    for wrong in [0, 63, 4097, -1, 2**70]:
        with pytest.raises(ValueError, match=f"bits: expected 64 to 4096, found {wrong}"):
            nn.mp(wrong)
    for wrong in [(), (64, 64), ("64",), (64.0,), (None,)]:
        with pytest.raises(TypeError, match="bits"):
            nn.mp(*wrong)
    with pytest.raises(TypeError):
        nn.mp(digits=3)


def test_the_type_without_bits_takes_what_tells_them():
    assert np.array([1, 2.5], dtype=nn.mp).dtype == nn.mp(64)
    assert np.array([2**100 + 1], dtype=nn.mp)[0] == 2**100 + 1
    assert array(1, bits=100).astype(nn.mp).dtype == nn.mp(100)
    assert np.array([nn.Multiprecision(1, 80), nn.Multiprecision(2, 90)]).dtype == nn.mp(90)
    for wrong in [["0.1"], [Fraction(1, 3)]]:
        with pytest.raises(TypeError, match="name the bits"):
            np.array(wrong, dtype=nn.mp)
    assert np.zeros(3, dtype=nn.mp).dtype == nn.mp(64)


@pytest.mark.parametrize("bits", BITS)
def test_numbers_are_rounded_once(bits):
    tie = 2**bits
    for value in [
        Fraction(1, 3), Fraction(-(10**50), 7), Decimal("0.1"), "0.1", "-1.5e-300", -7, 0.1, True, 0,
        np.float32(0.1), np.float16(0.1), np.longdouble(1) / 3, np.int64(-5), tie + 1, tie + 3, -tie - 1,
        10**2000 + 1, Fraction(tie + 1, 2**5000), Fraction(2 * tie + 1, 2) + Fraction(1, 10**3000),
        nn.QuadDouble(1) / 3, Decimal("1e-4000"), Decimal("12345678901234567890.5e1000"),
    ]:  # fmt: skip
        if isinstance(value, np.floating) or hasattr(value, "limbs"):
            truth = exact(value)
        elif isinstance(value, np.integer):
            truth = Fraction(int(value))
        else:
            truth = Fraction(value)
        expected = nearest(truth, bits)
        assert exact(nn.Multiprecision(value, bits)) == expected, value
        assert exact(array(value, bits=bits)[0]) == expected, value
        assert exact(np.array([value], dtype=object).astype(nn.mp(bits))[0]) == expected, value
    with mpmath.workprec(5000):
        root = mpmath.sqrt(2)
        truth = Fraction(*map(int, mpmath.libmp.to_rational(root._mpf_)))
    assert exact(nn.Multiprecision(root, bits)) == nearest(truth, bits)
    for special in [float("inf"), float("-inf"), mpmath.inf, -mpmath.inf, Decimal("-inf"), "inf"]:
        assert float(nn.Multiprecision(special, bits)) == float(special)
    for nan in [float("nan"), mpmath.nan, Decimal("nan"), Decimal("snan"), "nan", np.longdouble("nan")]:
        assert np.isnan(array(nan, bits=bits)[0:1]).all()
    for wrong in ["0.1.", "one", "", None, [1], 1j, object()]:
        with pytest.raises((TypeError, ValueError)):
            nn.Multiprecision(wrong, bits)


@given(x=st.fractions(), shift=st.integers(-400, 400))
def test_limbs_are_rounded_once_too(x, shift):
    x *= Fraction(2) ** shift
    for scalar, count in [(nn.DoubleDouble, 2), (nn.TripleDouble, 3), (nn.QuadDouble, 4)]:
        rest = x
        limbs = []
        for _ in range(count):
            limbs.append(float(rest))
            rest -= Fraction(limbs[-1])
        assert scalar(x).limbs == limbs


@given(x=numbers(), y=numbers())
@settings(max_examples=300)
def test_arithmetic_is_correctly_rounded(x, y):
    for bits in [100, 64, 424]:
        a, b = array(x, bits=bits), array(y, bits=bits)
        u, v = exact(a[0]), exact(b[0])
        results = {"add": u + v, "subtract": u - v, "multiply": u * v, "square": u * u}
        if v:
            results["divide"] = u / v
        for name, truth in results.items():
            operands = [a] if name == "square" else [a, b]
            found = getattr(np, name)(*operands)
            assert found.dtype == nn.mp(bits) and exact(found[0]) == nearest(truth, bits), name
        root = np.sqrt(abs(a))[0]
        assert exact(root) ** 2 == abs(u) or abs(exact(root) ** 2 - abs(u)) <= 3 * abs(u) / 2**bits
        for name in ["less", "less_equal", "equal", "not_equal", "greater", "greater_equal"]:
            truth = {
                "less": u < v, "less_equal": u <= v, "equal": u == v,
                "not_equal": u != v, "greater": u > v, "greater_equal": u >= v,
            }[name]  # fmt: skip
            assert getattr(np, name)(a, b)[0] == truth
        p, q = a[0], b[0]
        assert (p < q) == (u < v) and (p == q) == (u == v) and p == u and hash(p) == hash(u)


FUNCTIONS = {
    "sqrt": (mpmath.sqrt, 0.1, 9), "exp": (mpmath.exp, -20, 20), "log": (mpmath.log, 0.1, 90),
    "sin": (mpmath.sin, -9, 9), "cos": (mpmath.cos, -9, 9), "tan": (mpmath.tan, -1.5, 1.5),
    "arctan": (mpmath.atan, -9, 9), "sinh": (mpmath.sinh, -9, 9), "cosh": (mpmath.cosh, -9, 9),
    "tanh": (mpmath.tanh, -9, 9), "expm1": (mpmath.expm1, -3, 3), "log1p": (mpmath.log1p, -0.5, 9),
    "arcsin": (mpmath.asin, -1, 1), "arccos": (mpmath.acos, -0.9, 0.9), "cbrt": (mpmath.cbrt, 0.1, 9),
    "log10": (mpmath.log10, 0.1, 90), "log2": (lambda x: mpmath.log(x) / mpmath.log(2), 0.3, 90),
    "exp2": (lambda x: mpmath.mpf(2) ** x, -9, 9), "arcsinh": (mpmath.asinh, -9, 9),
    "arccosh": (mpmath.acosh, 1.1, 9), "arctanh": (mpmath.atanh, -0.9, 0.9),
    "reciprocal": (lambda x: 1 / x, 0.1, 9), "square": (lambda x: x * x, -3, 3),
}  # fmt: skip


@pytest.mark.parametrize("bits", [64, 100, 424, 1500])
def test_functions_are_correctly_rounded(bits):
    for name, (truth, low, high) in FUNCTIONS.items():
        x = np.linspace(low, high, 6).astype(nn.mp(bits))
        x[1:-1] += x[1:-1] / 3
        for argument, found in zip(x, getattr(np, name)(x)):
            if not low <= argument <= high:
                continue
            with mpmath.workprec(3 * bits + 200):
                expected = truth(mpmath.mpf(argument))
            with mpmath.workprec(bits):
                assert mpmath.mpf(found) == +expected, (name, argument)
    x, y = np.linspace(0.3, 4, 5).astype(nn.mp(bits)) / 3, np.linspace(-2, 3, 5).astype(nn.mp(bits)) / 7
    of_two = {"power": mpmath.power, "hypot": mpmath.hypot, "arctan2": mpmath.atan2}
    for name, truth in of_two.items():
        for a, b, found in zip(x, y, getattr(np, name)(x, y)):
            with mpmath.workprec(3 * bits + 200):
                expected = truth(mpmath.mpf(a), mpmath.mpf(b))
            with mpmath.workprec(bits):
                assert mpmath.mpf(found) == +expected, (name, a, b)
    for name, factor in [("deg2rad", lambda: mpmath.pi / 180), ("rad2deg", lambda: 180 / mpmath.pi)]:
        found = getattr(np, name)(x[1:2])[0]
        with mpmath.workprec(3 * bits):
            error = abs(mpmath.mpf(found) / (mpmath.mpf(x[1]) * factor()) - 1)
            assert error <= 3 * mpmath.mpf(2) ** -bits


@given(x=numbers(), y=numbers(spread=60))
def test_integers_and_remainders(x, y):
    a = array(x, bits=100)
    halves = a / 2 if abs(x) < 2**90 else a
    for b, u in [(a, x), (halves, exact(halves[0]))]:
        assert np.floor(b)[0] == u.__floor__() and np.ceil(b)[0] == u.__ceil__()
        assert np.trunc(b)[0] == int(u) == int(b[0])
        assert exact(np.rint(b)[0]) == round(u)
    if y:
        b = array(y, bits=100)
        rest = abs(x) % abs(y) * (-1 if x < 0 else 1)
        assert exact(np.fmod(a, b)[0]) == rest
        assert exact(np.remainder(a, b)[0]) == nearest(x % y, 100)
        if abs(x / y) < 2**90:
            assert np.floor_divide(a, b)[0] == x // y


@pytest.mark.parametrize("kind", KINDS)
def test_remainders_of_infinities(kind):
    a, infinity = np.array([-1, 1, 0], dtype=kind), np.array([np.inf], dtype=kind)
    assert (np.fmod(a, infinity) == a).all()
    expected = np.floor_divide([-1.0, 1.0, 0.0], np.inf)
    assert np.floor_divide(a, infinity).astype(float).tolist() == expected.tolist()
    with np.errstate(invalid="ignore"):
        assert np.isnan(np.fmod(infinity, a)).all() and np.isnan(np.fmod(a, a - a)).all()


def test_remainders_of_far_numbers():
    huge = array("1e80000000", bits=100)
    assert 0 <= np.fmod(huge, array(7, bits=100))[0] < 7
    assert np.fmod(array(1, bits=100) * 2, huge)[0] == 2
    power = np.exp2(array(100001, bits=64))
    assert np.fmod(power, array(3, bits=64))[0] == 2 and np.fmod(-power, array(7, bits=64))[0] == -4


@pytest.mark.parametrize("bits", [64, 100, 424, 4096])
def test_arrays_behave_as_numpys(bits):
    kind = nn.mp(bits)
    a = np.arange(6.0).astype(kind).reshape(2, 3)
    assert a[1, ::-1].astype(float).tolist() == [5, 4, 3]
    assert (a + a[0]).astype(float).tolist() == [[0, 2, 4], [3, 5, 7]]
    assert (2 * a - 1).dtype == kind and (a / np.float64(2)).dtype == kind and (a**2 == a * a).all()
    assert a.sum() == 15 and a.max() == 5 and a.min() == 0 and a.mean() == 2.5 and a[1].prod() == 60
    assert a.sum(axis=0).astype(float).tolist() == [3, 5, 7]
    assert np.cumsum(a[0]).astype(float).tolist() == [0, 1, 3]
    for how in ["quicksort", "stable", "heapsort"]:
        assert np.sort(a[:, ::-1], kind=how).astype(float).tolist() == [[0, 1, 2], [3, 4, 5]]
        assert np.argsort(-a[0], kind=how).tolist() == [2, 1, 0]
    assert a.argmax() == 5 and a.argmin() == 0 and a.argmax(axis=1).tolist() == [2, 2]
    assert np.partition(-a[1], 1)[1] == -4 and np.searchsorted(a[0], a[0, 1]) == 1
    assert (a == a.copy()).all() and (a[0] < a[1]).all() and not (a != a).any()
    assert a.any() and not a.all() and np.count_nonzero(a) == 5
    assert a.T.copy().flags.c_contiguous and np.concatenate([a, a]).shape == (4, 3)
    assert np.where(a > 2, a, 0).astype(int).tolist() == [[0, 0, 0], [3, 4, 5]]
    assert (a @ a.T).astype(float).tolist() == [[5, 14], [14, 50]] and (a @ a.T).dtype == kind
    assert a[0] @ a[1] == 14 and np.zeros(3, dtype=kind)[0] == 0 and a.std() > 1.7
    assert np.ones(3, dtype=kind).sum() == 3 and np.zeros((2, 0), kind).sum(axis=1).tolist() == [0, 0]
    assert np.empty(0, dtype=kind).sum() == 0 and np.empty(0, dtype=kind).prod() == 1
    assert (np.empty((0, 2), kind) @ np.empty((2, 3), kind)).shape == (0, 3)
    assert (np.empty((2, 0), kind) @ np.empty((0, 3), kind) == 0).all()
    assert np.clip(a, a[0, 1], 4).astype(float).tolist() == [[1, 1, 2], [3, 4, 4]]
    again = pickle.loads(pickle.dumps(a))
    assert again.dtype == kind and (again == a).all() and copy.deepcopy(a).dtype == kind
    with pytest.raises(TypeError):
        np.einsum("ij->i", a)
    with pytest.raises((TypeError, ValueError)):
        np.dot(a, a.T)
    a += 1
    a[0] = "0.1"
    assert a[0, 0] == nn.Multiprecision("0.1", bits) and a[0, 0] != 0.1
    assert str(np.array(["0.1", 2], dtype=kind)) == "[0.1 2]"
    assert repr(np.array(["0.1"], dtype=kind)) == f"array([0.1], dtype=nonius.mp({bits}))"


@pytest.mark.parametrize("bits", [64, 100, 424, 2000])
def test_loops_take_entries_wherever_they_are(bits):
    # More entries than a block has.
    a = np.sqrt(np.arange(1, 5001).astype(nn.mp(bits)))
    one_by_one = np.array([x * x - x for x in a], dtype=nn.mp(bits))
    for step in [1, 3, -1]:
        assert (a[::step] * a[::step] - a[::step] == one_by_one[::step]).all()
        assert (np.cbrt(a)[::step] == np.cbrt(a[::step])).all()
    b = a.copy()
    b *= b
    b -= a
    assert (b == one_by_one).all()
    c, expected = a.copy(), a[:-1] + a[1:]
    np.add(c[:-1], c[1:], out=c[1:])
    assert (c[1:] == expected).all()
    record = np.zeros(5000, dtype=[("n", "i1"), ("x", nn.mp(bits))])
    record["x"] = a
    assert record.dtype.itemsize == 1 + nn.mp(bits).itemsize and not record["x"].flags.aligned
    assert (record["x"] * record["x"] - record["x"] == one_by_one).all()
    assert (record["x"].max(), record["x"].argmax()) == (a.max(), 4999)
    assert (np.sort(record["x"][::-1]) == a).all()
    assert record["x"][4] == a[4] and (pickle.loads(pickle.dumps(record))["x"] == a).all()
    assert (np.subtract.outer(a[:3], a[:2]) == np.array([[x - y for y in a[:2]] for x in a[:3]])).all()
    assert np.add.reduce(a.reshape(50, 100), axis=(0, 1)) - a.sum() < Fraction(1, 2 ** (bits - 30))


def test_memory_may_hold_anything(tmp_path):
    rng = np.random.default_rng(1)
    kind = nn.mp(100)
    garbage = np.frombuffer(rng.bytes(24 * 3000), dtype=kind)
    assert np.isnan(garbage).sum() > 1000
    for function in [np.sqrt, np.exp, np.negative, np.floor, np.sort, np.sum, np.max]:
        function(garbage[:100])
    assert (garbage + garbage).shape == (3000,) and len(str(garbage[:20])) > 20
    garbage.astype(float), garbage.astype(int), garbage.astype(nn.mp(64)), garbage.astype(nn.qd)
    # Padding below the precision has to be zero.
    blocks = array("0.1", bits=100).view(np.uint64).copy()
    blocks[1] |= 1
    assert np.isnan(blocks.view(kind))[0]
    mapped = np.memmap(tmp_path / "numbers", dtype=kind, mode="w+", shape=3)
    assert (mapped == 0).all()
    mapped[:] = ["0.1", -2, "inf"]
    mapped.flush()
    again = np.memmap(tmp_path / "numbers", dtype=kind, mode="r")
    assert again.tolist() == [nn.Multiprecision("0.1", 100), -2, float("inf")]
    assert np.frombuffer(array("0.1").tobytes(), dtype=nn.mp(424))[0] == nn.Multiprecision("0.1", 424)


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_are_swapped_and_back(kind):
    a = np.array(["0.1", -3, "nan"], dtype=kind)
    assert a.byteswap().tobytes() != a.tobytes() and a.byteswap().byteswap().tobytes() == a.tobytes()


def test_special_numbers():
    for bits in BITS:
        a = array(0.0, -0.0, np.inf, -np.inf, np.nan, 1, bits=bits)
        assert np.signbit(a).tolist()[:4] == [False, True, False, True]
        assert np.isnan(a).tolist() == [False] * 4 + [True, False]
        assert np.isinf(a).tolist() == [False] * 2 + [True] * 2 + [False] * 2
        assert np.isfinite(a).tolist() == [True] * 2 + [False] * 3 + [True]
        assert a[0] == a[1] and not a[4] == a[4] and np.isnan(a.max()) and np.isnan(a.sum())
        assert np.nanmax(a) == np.inf and np.fmin(a[4:5], a[5:])[0] == 1
        assert np.isnan(np.sort(a)[-1:]).all() and a.argmax() == 4
        assert str(a.tolist()) == "[0, -0, inf, -inf, NaN, 1]"
        assert (a.astype(float)[:4] == [0, 0, np.inf, -np.inf]).all() and np.isnan(a.astype(float)[4])
        assert np.signbit(a.astype(float)).tolist()[:4] == [False, True, False, True]
        assert np.isinf(a[5:] / 0).all() and np.isnan(a[2:3] - a[2:3]).all()
        assert np.copysign(a[5:], a[1:2])[0] == -1 and np.sign(a)[[2, 3]].astype(float).tolist() == [1, -1]
        assert (pickle.loads(pickle.dumps(a)).tobytes()) == a.tobytes()
    # Far beyond the range of doubles.
    tiny = array("1e-80000000", bits=64)
    assert 0 < tiny[0] < 5e-324 and tiny.astype(float)[0] == 0 and tiny.astype(nn.qd)[0] == 0
    assert float(1 / tiny[0]) == float("inf") and (tiny * tiny)[0] == 0
    assert hash(tiny[0]) != hash(0)


@pytest.mark.parametrize("kind", KINDS)
def test_integers_come_back(kind):
    for numpys in [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.longlong]:
        info = np.iinfo(numpys)
        limits = np.array([info.min, info.max, 1], dtype=numpys)
        for there in [limits.astype(kind), limits.astype(limits.dtype.newbyteorder()).astype(kind)]:
            assert [int(x) for x in there] == limits.tolist(), numpys
            assert (there.astype(numpys) == limits).all(), numpys
        beyond = np.array([1e30, -1e30, "1e300", "-1e300", np.inf, -np.inf], dtype=kind)
        beyond[2:4] -= beyond[2:4] / 3 * 1e-20
        assert beyond.astype(numpys).tolist() == [info.max, info.min] * 3, numpys
    assert np.array([True, False]).astype(kind).astype(bool).tolist() == [True, False]
    below = np.array([3], dtype=kind) - np.array(["1e-18"], dtype=kind)
    assert below.astype(np.int64)[0] == 2


# Bits of a significand, and the exponent of the least place.
FLOATS = [(np.float16, 11, -24), (np.float32, 24, -149), (np.float64, 53, -1074)]
if np.finfo(np.longdouble).nmant == 63:
    FLOATS.append((np.longdouble, 64, -16445))
elif np.finfo(np.longdouble).nmant == 112:
    FLOATS.append((np.longdouble, 113, -16494))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("numpys, bits, least", FLOATS)
def test_floats_are_exact_or_rounded_once(kind, numpys, bits, least):
    eps, most, tiny = np.finfo(numpys).eps, np.finfo(numpys).max, np.finfo(numpys).smallest_subnormal
    edges = np.array([0, 1, 1 + eps, 1 - eps / 2, tiny, 3 * tiny, most, np.finfo(numpys).tiny], dtype=numpys)
    in_range = bits <= 53 or isinstance(kind, nn.mp)
    if in_range:
        there = edges.astype(kind)
        assert [exact(x) for x in there] == [exact(x) for x in edges]
        assert (there.astype(numpys) == edges).all() and (-there.astype(numpys) == -edges).all()
    specials = np.array([np.inf, -np.inf, np.nan, -0.0], dtype=numpys).astype(kind)
    back = specials.astype(numpys)
    assert back.tolist()[:2] == [np.inf, -np.inf] and np.isnan(back[2]) and np.signbit(back[3]) and np.isnan(specials[2:3])
    big = np.array([1 if in_range else 1e200], dtype=kind) * np.array([most if in_range else 1e300], dtype=kind)
    assert not in_range or exact(big[0]) == exact(most)
    assert (big * 4).astype(numpys)[0] == np.inf or not in_range
    # Between two numbers, and below the least.
    one = np.ones(1, dtype=kind)
    for base in [1, 1 + eps] + [tiny, 3 * tiny, 1000 * tiny] * in_range:
        step = exact(eps) if base >= 1 else exact(tiny)
        for part in [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1, 2) - Fraction(1, 2**20)]:
            x = np.array([exact(numpys(base)) + step * part], dtype=kind)
            for number in [x, -x]:
                expected = nearest(exact(number[0]), bits, least)
                assert exact(number.astype(numpys)[0]) == expected, (base, part)
    assert (one * numpys(2)).dtype == kind and (numpys(2) * one).dtype == kind
    assert np.result_type(numpys, kind) == kind


@pytest.mark.parametrize("kind", KINDS)
def test_every_half_comes_back(kind):
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    back = every.astype(kind).astype(np.float16)
    same = back.view(np.uint16) == every.view(np.uint16)
    assert (same | np.isnan(every)).all() and np.isnan(back[np.isnan(every)]).all()
    doubles = every[~np.isnan(every)].astype(float)
    assert (every[~np.isnan(every)].astype(kind).astype(float) == doubles).all()


@given(x=numbers(bits=300, spread=900))
def test_rounding_to_floats_of_numpy(x):
    a = array(x, bits=300)
    for numpys, bits, least in FLOATS:
        with np.errstate(over="ignore"):
            found = a.astype(numpys)[0]
        expected = nearest(x, bits, least)
        if np.isinf(found):
            assert abs(expected) > exact(np.finfo(numpys).max)
        else:
            assert exact(found) == expected


def test_the_most_bits_decide():
    a = array(1, bits=64)
    for other, bits in [
        (nn.mp(64), 64), (nn.mp(100), 100), (nn.dd, 104), (nn.td, 156), (nn.qd, 208), (np.float64, 64),
        (np.float32, 64), (np.float16, 64), (np.int8, 64), (np.uint64, 64), (bool, 64), (np.longdouble, None),
    ]:  # fmt: skip
        bits = bits or max(64, np.finfo(np.longdouble).nmant + 1)
        y = np.array([3], dtype=other)
        for found in [a / y, y / a, np.maximum(a, y), np.concatenate([a, y]), np.where([True], y, a)]:
            assert found.dtype == nn.mp(bits), other
        assert np.result_type(nn.mp(64), other) == np.result_type(other, nn.mp(64)) == nn.mp(bits)
        assert np.result_type(nn.mp(424), other) == nn.mp(424)
        assert (a <= y).all() and (y >= a).all() and (a[:, None] @ y[:, None]).dtype == nn.mp(bits)
        assert exact((a / y)[0]) == nearest(Fraction(1, 3) if other is not bool else Fraction(1), bits)
    for number in [3, 0.5, 2**63, -(2**64) + 1, 10**30, -(2**200), True]:
        bits = max(64, int(number).bit_length())
        for found in [a * number, number * a, (a[0] * number).dtype.type(number, bits) * a]:
            assert found.dtype == nn.mp(bits) and found[0] == number
        assert (a[0] * number).bits == (number * a[0]).bits == bits and a[0] * number == number
    assert (nn.Multiprecision(1, 70) + nn.QuadDouble(1)).bits == 208
    assert (nn.DoubleDouble(1) / nn.Multiprecision(3, 300)).bits == 300
    with pytest.raises(TypeError):
        np.array([1j]) + a
    out = np.zeros(1, dtype=nn.mp(64))
    np.divide(array(1, bits=500), 3, out=out)
    assert exact(out[0]) == nearest(Fraction(1, 3), 64)


def test_casts_between_bits():
    third = array(1, bits=500) / 3
    for bits in [64, 65, 128, 499, 500, 501, 4096]:
        assert exact(third.astype(nn.mp(bits))[0]) == nearest(exact(third[0]), bits)
    for kind, bits in [(nn.dd, 106), (nn.td, 159), (nn.qd, 212)]:
        limbs = third.astype(kind)
        assert abs(exact(limbs[0]) - exact(third[0])) < Fraction(1, 2 ** (bits - 2))
        assert limbs[0] == type(limbs[0])(third[0]) and exact(limbs.astype(nn.mp(500))[0]) == exact(limbs[0])
        # Limbs far apart are rounded.
        apart = np.array([1], dtype=kind) + np.array([2.0**-300], dtype=kind)
        assert apart.astype(nn.mp(200))[0] == 1 and apart.astype(nn.mp(301))[0] == apart[0]
    assert np.can_cast(nn.mp(64), nn.mp(128)) and not np.can_cast(nn.mp(128), nn.mp(64))
    assert np.can_cast(nn.mp(128), nn.mp(64), "same_kind") and np.can_cast(nn.dd, nn.mp(104))
    assert not np.can_cast(nn.dd, nn.mp(103)) and not np.can_cast(nn.mp(64), float)
    assert np.can_cast(float, nn.mp(64)) and not np.can_cast(nn.mp(64), int, "same_kind")
    swapped = np.array([0.1], dtype=">f8")
    assert swapped.astype(nn.mp(64))[0] == 0.1 and third.astype(">f8")[0] == 1 / 3


def test_scalars_are_numbers_of_python():
    for bits in BITS:
        x = nn.Multiprecision(1, bits) / 3
        assert exact(x) == nearest(Fraction(1, 3), bits) == Fraction(*map(int, mpmath.libmp.to_rational(x._mpf_)))
        assert float(x) == 1 / 3 and -x < 0 < abs(-x) == x and +x == x and x.bits == bits
        assert 1 - x == -(x - 1) and x / 2 == x * 0.5 and x.dtype == nn.mp(bits) and (2 * x).bits == bits
        assert hash(nn.Multiprecision(7, bits)) == hash(7) and hash(x) == hash(exact(x)) and x == exact(x)
        assert hash(-x) == hash(-exact(x)) and hash(nn.Multiprecision("inf", bits)) == hash(float("inf"))
        assert x != Fraction(1, 3) and x < 1 and not x > float("nan") and x != nn.Multiprecision("nan", bits)
        assert f"{x:.15f}" == "0." + "3" * 15 and f"{x:.5e}" == "3.33333e-1" and f"{x}" == repr(x) == str(x)
        for again in [pickle.loads(pickle.dumps(x)), copy.deepcopy(x), nn.Multiprecision(str(x), bits)]:
            assert again == x and again.bits == bits
        assert nn.Multiprecision(x) == x and nn.Multiprecision(x).bits == bits
        assert int(nn.Multiprecision("-7.9", bits)) == -7 and bool(x) and not nn.Multiprecision(0, bits)
        assert x * np.arange(3).astype(float)[1] == x and (x * np.arange(3)).dtype == nn.mp(bits)
        with pytest.raises(OverflowError):
            nn.Multiprecision("inf", bits).as_integer_ratio()
        with pytest.raises(ValueError):
            nn.Multiprecision("nan", bits).as_integer_ratio()
    assert nn.Multiprecision(0.1).bits == 64 and nn.Multiprecision(2**100 + 1) == 2**100 + 1
    for special in ["inf", "-inf", "0"]:
        assert mpmath.mpf(nn.Multiprecision(special, 64)) == mpmath.mpf(special)
    assert mpmath.isnan(mpmath.mpf(nn.Multiprecision("nan", 64)))
    assert mpmath.mpf(nn.DoubleDouble(-2.5)) == -2.5
    for wrong in ["0.1", Fraction(1, 3)]:
        with pytest.raises(TypeError, match="bits"):
            nn.Multiprecision(wrong)
    with pytest.raises(ValueError, match="64 to 4096"):
        nn.Multiprecision(1, 63)
    with pytest.raises(ValueError, match="format"):
        format(nn.Multiprecision(1, 64), "g")


def hilbert(n, kind):
    i = np.arange(1, n + 1)
    return 1 / np.add.outer(i, i - 1).astype(kind)


@pytest.mark.parametrize("bits", [64, 212, 424])
def test_linear_algebra(bits):
    kind, u = nn.mp(bits), nn.Multiprecision(Fraction(1, 2**bits), bits)
    a = hilbert(6, kind) + np.eye(6)
    x = np.arange(1, 7).astype(kind)
    found, info = nn.linalg.solve(a, a @ x, info=True)
    assert found.dtype == kind and found.shape == (6,) and (abs(found - x) <= 1000 * u).all()
    assert info["correct_digits"] > bits * 0.3 - 4
    assert (abs(nn.linalg.inv(a) @ a - np.eye(6)) <= 1000 * u).all()
    assert abs(nn.linalg.det(np.diag(x)) - 720) <= 1000 * u
    values, vectors = nn.linalg.eigh(a)
    assert values.dtype == vectors.dtype == kind
    assert (abs(a @ vectors - vectors * values) <= 1000 * u).all()
    assert (abs(nn.linalg.eigvalsh(a) - values) <= 1000 * u).all()
    left, singular, right = nn.linalg.svd(a[:, :4])
    assert (abs(left * singular @ right - a[:, :4]) <= 1000 * u).all() and left.dtype == kind
    fitted = nn.linalg.lstsq(a[:, :4], a[:, :4] @ x[:4])
    assert (abs(fitted - x[:4]) <= 1000 * u).all()
    assert abs(nn.linalg.cond(np.diag(x)) - 6) <= 1000 * u
    # Rows and strides of any kind, and doubles at the precision that is named.
    for other in [np.asfortranarray(a), a[::-1][::-1], a.T]:
        assert (nn.linalg.solve(other, a @ x) == found).all()
    doubles = np.eye(3) * 3
    named = nn.linalg.solve(doubles, [1, 2, 3], precision=f"mp{bits}")
    assert named.dtype == kind and (abs(named * 3 - [1, 2, 3]) <= 10 * u).all()
    assert nn.linalg.inv(a.astype(nn.mp(64)), precision=f"mp{bits}").dtype == kind
    assert nn.linalg.solve(a, np.ones(6, dtype=nn.qd)).dtype == nn.mp(max(bits, 208))
    assert nn.linalg.solve(np.empty((0, 0), dtype=kind), np.empty(0, dtype=kind)).shape == (0,)
    with pytest.raises(nn.NoniusError, match="singular"):
        nn.linalg.solve(np.zeros((2, 2), dtype=kind), array(1, 2, bits=bits))
    with pytest.raises(ValueError, match="64 to 4096"):
        nn.linalg.solve(a, x, precision="mp63")
    with pytest.raises(ValueError, match="precision"):
        nn.linalg.solve(a, x, precision="mp")


def test_digits_beyond_limbs():
    for digits in [63, 100, 308, 400, 999]:
        x, info = nn.linalg.solve([[3, 0], [0, 7]], [1, -1], digits=digits, info=True)
        assert isinstance(x.dtype, nn.mp) and x.dtype.bits <= digits * 3.33 + 67 and info["digits"] == digits
        for entry, truth in zip(x, [Fraction(1, 3), Fraction(-1, 7)]):
            error = abs(exact(entry) - truth)
            assert error <= abs(truth) * Fraction(1, 2 * 10**digits)
            assert error <= abs(truth) * exact(info["error_bound"]) and info["error_bound"] > 0
    x = nn.linalg.solve(hilbert(8, nn.mp(300)), np.eye(8)[0], digits=100)
    assert (abs(hilbert(8, nn.mp(300)).astype(nn.mp(500)) @ x - np.eye(8)[0]) < 1e-90).all()
    with pytest.raises(ValueError, match="at most 999"):
        nn.linalg.solve([[1]], [1], digits=1000)


def test_the_compiled_functions_ask_for_their_type():
    with pytest.raises(TypeError, match="a: expected an array of nonius.mp, found float64"):
        nn._nonius.inv(np.eye(2), "mp100", "cpu", False)
