"""Digits of exact data, and numbers of other packages."""

import random
from decimal import Decimal
from fractions import Fraction

import nonius as nn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def exact(x):
    return Fraction(*x.as_integer_ratio())


def solved(a, b):
    """Gaussian elimination of fractions."""
    n = len(a)
    rows = [list(map(Fraction, row)) + [Fraction(right)] for row, right in zip(a, b)]
    for j in range(n):
        pivot = next((i for i in range(j, n) if rows[i][j] != 0), None)
        if pivot is None:
            return None, 0
        rows[j], rows[pivot] = rows[pivot], [x * (1 if pivot == j else -1) for x in rows[j]]
        for i in range(n):
            if i != j:
                factor = rows[i][j] / rows[j][j]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[j])]
    determinant = Fraction(1)
    for j in range(n):
        determinant *= rows[j][j]
    return [row[n] / row[j] for j, row in enumerate(rows)], determinant


def has_digits(found, truth, digits):
    return abs(exact(found) - truth) <= abs(truth) * Fraction(1, 2 * 10**digits)


numbers = st.one_of(
    st.fractions(max_denominator=10**6),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**6), max_value=10**6, places=9),
    st.integers(-(10**30), 10**30),
    st.floats(-1e6, 1e6),
)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 4), st.sampled_from([20, 40, 60]))
def test_digits_of_exact_numbers(data, n, digits):
    a = data.draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=n, max_size=n))
    b = data.draw(st.lists(numbers, min_size=n, max_size=n))
    truth, determinant = solved(a, b)
    array = np.array(a, dtype=object)
    if truth is None:
        with pytest.raises(nn.NoniusError):
            nn.linalg.solve(array, np.array(b, dtype=object), digits=digits)
        assert nn.linalg.det(array, digits=digits) == 0
        return
    try:
        x, info = nn.linalg.solve(array, np.array(b, dtype=object), digits=digits, info=True)
        value = nn.linalg.det(array, digits=digits)
    except nn.NoniusError as error:
        # Limbs of numbers as small as 1e-300 are not normal.
        assert "range" in str(error)
        return
    assert info["digits"] == digits and info["route"]
    for entry, expected in zip(x, truth):
        assert has_digits(entry, expected, digits)
    assert has_digits(value, determinant, digits)


def test_texts_are_decimals_and_fractions():
    x = nn.linalg.solve([["0.1", "1/3"], ["1e-3", 2]], ["0.3", Decimal("1E+2")], digits=60)
    truth, _ = solved(
        [[Fraction(1, 10), Fraction(1, 3)], [Fraction(1, 1000), 2]], [Fraction(3, 10), 100]
    )
    assert all(has_digits(entry, expected, 60) for entry, expected in zip(x, truth))
    # A text and the double next to it are different numbers.
    assert nn.linalg.det([["0.1", 0.1], [1, 1]], digits=20) == exact(nn.linalg.det([["0.1", 0.1], [1, 1]], digits=20))
    value = nn.linalg.det([["0.1", 0.1], [1, 1]], digits=20)
    assert has_digits(value, Fraction(1, 10) - Fraction(0.1), 20)
    assert nn.linalg.det([["0.1", "0.3"], ["0.2", "0.6"]], digits=20) == 0
    b = [["1/3", 1], ["2/3", 0]]
    assert nn.linalg.solve([[3, 0], [0, "1.5"]], b, digits=30).shape == (2, 2)
    # Integers beside doubles stay integers.
    large = nn.linalg.det([[2**60 + 1, 0.5], [0, 1]], digits=30)
    assert large == 2**60 + 1 and nn.linalg.det([[2**60 + 1, 0.5], [0, 1]]) == 2**60 + 1
    stack = np.array([[["1/3", 0], [0, 1]], [["1/7", 0], [0, 1]]], dtype=object)
    assert nn.linalg.solve(stack, ["1", "1"], digits=30).shape == (2, 2)
    assert has_digits(nn.linalg.det(stack, digits=30)[1], Fraction(1, 7), 30)


def test_hilbert_matrices_as_they_are():
    n = 12
    a = [[Fraction(1, i + j + 1) for j in range(n)] for i in range(n)]
    x = nn.linalg.solve(a, [1] * n, digits=45)
    truth, determinant = solved(a, [1] * n)
    # All entries are integers.
    assert [exact(entry) for entry in x] == truth
    assert has_digits(nn.linalg.det(a, digits=45), determinant, 45)
    # The numbers rounded to doubles are another matrix.
    rounded = nn.linalg.solve(np.array(a, dtype=float), np.ones(n), digits=45)
    assert abs(rounded / x - 1).max() > 1e-3


def test_determinants_of_floats_have_digits():
    rng = random.Random(1)
    a = [[rng.uniform(-1, 1) for _ in range(5)] for _ in range(5)]
    _, determinant = solved(a, [0] * 5)
    for kind in (np.float64, nn.dd, nn.qd):
        value, info = nn.linalg.det(np.array(a).astype(kind), digits=55, info=True)
        assert has_digits(value, determinant, 55) and info["error_bound"] < 1e-55
    with pytest.raises(ValueError, match="at most 999"):
        nn.linalg.det(a, digits=1000)
    with pytest.raises(ValueError, match="at least 1"):
        nn.linalg.det(a, digits=0)
    with pytest.raises(nn.NoniusError, match="range"):
        nn.linalg.det(np.diag([1e300, 1e300]), digits=20)


@pytest.mark.parametrize("digits", [63, 100, 999])
def test_digits_beyond_four_limbs(digits):
    a = [[Fraction(1, 3), "0.1"], [7, Decimal("2.5")]]
    truth, determinant = solved([[Fraction(1, 3), Fraction(1, 10)], [7, Fraction(5, 2)]], [1, 2])
    x, info = nn.linalg.solve(a, [1, 2], digits=digits, info=True)
    assert isinstance(x.dtype, nn.mp) and info["error_bound"] <= Fraction(1, 10**digits)
    assert all(has_digits(entry, expected, digits) for entry, expected in zip(x, truth))
    value = nn.linalg.det(a, digits=digits)
    assert has_digits(value, determinant, digits)
    assert has_digits(nn.linalg.det(x.reshape(1, 2).T @ [[1, 0]] + np.eye(2), digits=digits), 1 + exact(x[0]), digits)


def test_what_is_no_exact_number_is_refused():
    for wrong, error, text in [
        ("one", ValueError, "a number"), ("1/0", ValueError, "a number"), ("nan", ValueError, "finite"),
        ("1e1000000000", ValueError, "exponents"), (Decimal("Infinity"), ValueError, "finite"),
        (Decimal("1e-20000"), ValueError, "exponents"), (None, TypeError, "NoneType"), (1j, TypeError, "complex"),
        (float("inf"), ValueError, "finite"), ("1" * 5000, ValueError, "bits|exponents|digits"),
    ]:
        with pytest.raises(error, match=text):
            nn.linalg.solve(np.array([[1, 2], [wrong, Fraction(1, 3)]], dtype=object), [1, 2], digits=20)
        with pytest.raises(error):
            nn.linalg.det(np.array([[1, 2], [wrong, Fraction(1, 3)]], dtype=object), digits=20)
    with pytest.raises(ValueError, match=r"a\[1, 0\]"):
        nn.linalg.det([["1", "2"], ["x", "3"]], digits=20)
    with pytest.raises(ValueError, match="rows"):
        nn.linalg.solve([["1", "2"], ["3", "4"]], ["1"], digits=20)
    with pytest.raises(ValueError):
        nn.linalg.solve([["1", "2"]], ["1"], digits=20)
    with pytest.raises(ValueError, match="precision"):
        nn.linalg.solve([["1"]], ["1"], digits=20, precision="dd")


def test_numbers_of_gmpy2():
    gmpy2 = pytest.importorskip("gmpy2")
    for x in (gmpy2.mpz(10**40 + 1), gmpy2.mpq(1, 3), gmpy2.mpfr("0.1", 200), gmpy2.mpfr("-1e-300", 100)):
        truth = Fraction(*map(int, x.as_integer_ratio())) if hasattr(x, "as_integer_ratio") else Fraction(x)
        for scalar, bits in ((nn.DoubleDouble, 104), (nn.QuadDouble, 208)):
            assert abs(exact(scalar(x)) - truth) <= abs(truth) / 2**bits or abs(truth) < Fraction(1, 10**280)
        assert np.array([x], dtype=nn.qd)[0] == nn.QuadDouble(x)
    for text in ("inf", "-inf", "nan"):
        assert str(float(nn.QuadDouble(gmpy2.mpfr(text)))) == text
    assert nn.QuadDouble(gmpy2.mpfr(0)) == 0
    third = nn.QuadDouble(1) / 3
    back = gmpy2.mpq(third)
    assert Fraction(int(back.numerator), int(back.denominator)) == exact(third)
    with pytest.raises((OverflowError, TypeError)):
        gmpy2.mpq(nn.QuadDouble("inf"))
    x = nn.linalg.solve([[gmpy2.mpq(1, 3)]], [gmpy2.mpz(2)], digits=60)
    assert x[0] == 6


def test_numbers_of_python_flint():
    flint = pytest.importorskip("flint")
    assert nn.QuadDouble(flint.fmpz(10**40 + 1)) == 10**40 + 1
    assert abs(exact(nn.QuadDouble(flint.fmpq(1, 3))) - Fraction(1, 3)) < Fraction(1, 2**208)
    # A ball without a radius is a number, all of whose bits count.
    precision = flint.ctx.prec
    try:
        flint.ctx.prec = 200
        ball = flint.arb(2).sqrt().mid()
    finally:
        flint.ctx.prec = precision
    significand, exponent = map(int, ball.man_exp())
    assert exact(nn.QuadDouble(ball)) == Fraction(significand) * Fraction(2) ** exponent
    assert nn.QuadDouble(flint.arb("inf")) == float("inf")
    with pytest.raises(ValueError, match="radius"):
        nn.QuadDouble(flint.arb(2).sqrt())
    with pytest.raises(ValueError, match="radius"):
        nn.linalg.solve([[flint.arb(2).sqrt()]], [Fraction(1)], digits=20)
    with pytest.raises(TypeError):
        nn.QuadDouble(flint.acb(1, 2))
    third = nn.QuadDouble(1) / 3
    back = flint.fmpq(*third.as_integer_ratio())
    assert Fraction(int(back.p), int(back.q)) == exact(third)
    a = flint.fmpq_mat([[flint.fmpq(1, 3), 1], [0, 1]])
    assert nn.linalg.det(a.tolist(), digits=40) * 3 - 1 == 0 or has_digits(
        nn.linalg.det(a.tolist(), digits=40), Fraction(1, 3), 40
    )
    assert has_digits(nn.linalg.det(a, digits=40), Fraction(1, 3), 40)


def test_numbers_of_mpmath():
    mpmath = pytest.importorskip("mpmath")
    for scalar in (nn.DoubleDouble, nn.TripleDouble, nn.QuadDouble):
        for x in (scalar(1) / 3, scalar(-7), scalar(0), scalar("1e-200")):
            with mpmath.workprec(2000):
                back = mpmath.mpf(x)
                assert scalar(back) == x and exact(x) == Fraction(*map(int, mpmath.libmp.to_rational(back._mpf_)))
    assert mpmath.mpf(nn.DoubleDouble("inf")) == mpmath.inf and mpmath.isnan(mpmath.mpf(nn.DoubleDouble("nan")))
    with mpmath.workdps(60):
        matrix = mpmath.matrix([[mpmath.mpf(1) / 3, 0], [0, 1]])
        value = nn.linalg.det(matrix, digits=50)
        sign, significand, exponent, _ = matrix[0, 0]._mpf_
    assert has_digits(value, Fraction(int(significand)) * Fraction(2) ** exponent, 50)


def test_quadruple_precision():
    quad = pytest.importorskip("numpy_quaddtype")
    x = quad.QuadPrecision("0.1")
    truth = Fraction(*x.as_integer_ratio())
    assert exact(nn.TripleDouble(x)) == truth
    array = np.array([["0.1", "2"], ["3", "4"]], dtype=quad.QuadPrecDType())
    assert exact(np.array([nn.TripleDouble(x) for x in array.flat], dtype=nn.td)[0]) == truth
    x = nn.linalg.solve(array, array[0])
    assert x.dtype == nn.td
    value = nn.linalg.det(array, digits=30)
    assert has_digits(value, truth * 4 - 6, 30)


def test_long_doubles():
    if np.finfo(np.longdouble).nmant < 63:
        pytest.skip("long doubles are doubles")
    third = np.longdouble(1) / 3
    assert exact(nn.DoubleDouble(third)) == Fraction(*third.as_integer_ratio())
    assert nn.linalg.solve(np.array([[third]]), np.array([third])).dtype == nn.dd
