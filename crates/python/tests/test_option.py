"""Option prices and implied volatilities from columns."""

import os
import signal
import threading
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import mpmath
import nonius as nn
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

CALL = dict(type="call", spot=100, strike=100, rate=0.05, volatility=0.2, maturity=1)


def black_scholes(kind, spot, strike, rate, dividend, volatility, maturity):
    """Price, delta, gamma, theta, vega and rho in closed form (Black and Scholes 1973; Merton 1973)."""
    s, k, r, q, v, t = (mpmath.mpf(x) for x in (spot, strike, rate, dividend, volatility, maturity))
    root = v * mpmath.sqrt(t)
    d1 = (mpmath.log(s / k) + (r - q + v * v / 2) * t) / root
    d2 = d1 - root
    sign = 1 if kind == "call" else -1
    now, later = s * mpmath.exp(-q * t), k * mpmath.exp(-r * t)
    n1, n2 = mpmath.ncdf(sign * d1), mpmath.ncdf(sign * d2)
    density = mpmath.npdf(d1)
    return (
        sign * (now * n1 - later * n2),
        sign * mpmath.exp(-q * t) * n1,
        mpmath.exp(-q * t) * density / (s * root),
        -now * density * v / (2 * mpmath.sqrt(t)) - sign * (r * later * n2 - q * now * n1),
        now * density * mpmath.sqrt(t),
        sign * later * t * n2,
    )


def random_book(n, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "type": rng.choice(["call", "put"], n),
            "spot": rng.uniform(60, 150, n),
            "strike": rng.uniform(60, 150, n),
            "rate": rng.uniform(-0.01, 0.08, n),
            "dividend": rng.uniform(0, 0.06, n),
            "volatility": rng.uniform(0.08, 0.7, n),
            "maturity": rng.uniform(0.05, 3, n),
        },
        index=[f"contract {i}" for i in range(n)],
    )


def test_european_prices_are_those_of_the_closed_form():
    book = random_book(300, 1)
    found = nn.option.price(book, sensitivities=True)
    assert list(found.index) == list(book.index) and found["error"].isna().all()
    assert found["converged"].all() and (found["error_estimate"] < 1e-3).all()
    for (_, row), (_, given_) in zip(found.iterrows(), book.iterrows()):
        truth = black_scholes(*given_[["type", "spot", "strike", "rate", "dividend", "volatility", "maturity"]])
        assert abs(row["price"] - truth[0]) <= row["error_estimate"]
        for name, exact in zip(["delta", "gamma", "theta", "vega", "rho"], truth[1:]):
            assert abs(row[name] - exact) <= 2e-3 * max(abs(exact), 1e-2), name


@pytest.mark.parametrize("precision, tolerance", [("dd", 1e-9), ("td", 1e-8), ("qd", 1e-7)])
def test_other_precisions(precision, tolerance):
    contracts = {**CALL, "type": ["call", "put"], "volatility": ["0.2", Decimal("0.2")], "rate": Fraction(1, 20)}
    found = nn.option.price(contracts, precision=precision, tolerance=tolerance)
    assert found.price.dtype == getattr(nn, precision)
    with mpmath.workdps(60):
        for price, estimate, kind in zip(found.price, found.error_estimate, ["call", "put"]):
            fifth, twentieth = mpmath.mpf(1) / 5, mpmath.mpf(1) / 20
            truth = black_scholes(kind, 100, 100, twentieth, 0, fifth, 1)[0]
            mine = mpmath.mpf(price.as_integer_ratio()[0]) / price.as_integer_ratio()[1]
            assert abs(mine - truth) <= estimate <= tolerance * float(truth)
    # The precision of a column is that of the result. A double is what it is, and no decimal.
    columns = {**CALL, "strike": np.array(["100"], dtype=getattr(nn, precision))}
    by_column = nn.option.price(columns, grid=(32, 16))
    assert by_column.price.dtype == getattr(nn, precision) and by_column.price.shape == (1,)
    texts = {**columns, "rate": "0.05", "volatility": "0.2"}
    assert nn.option.price(texts, grid=(32, 16)).price[0] != by_column.price[0]
    assert abs(nn.option.price(texts, grid=(32, 16)).price[0] - by_column.price[0]) < 1e-13


def test_put_call_parity_and_early_exercise():
    book = random_book(60, 2)
    calls, puts, american = (
        nn.option.price(book.assign(type=kind, exercise=exercise), tolerance=1e-4)
        for kind, exercise in [("call", "european"), ("put", "european"), ("put", "american")]
    )
    forward = book.spot * np.exp(-book.dividend * book.maturity) - book.strike * np.exp(-book.rate * book.maturity)
    slack = calls.error_estimate + puts.error_estimate + 1e-12 * book.spot
    assert (abs(calls.price - puts.price - forward) <= slack).all()
    priced = american.error.isna()
    # Negative rates may make exercise pay between two spots, which is refused.
    assert priced.sum() > 40 and american.error[~priced].str.contains("between two").all()
    gain = american.price - puts.price + american.error_estimate + puts.error_estimate
    assert (gain[priced] >= 0).all()
    exercised = (book.strike - book.spot).clip(lower=0) - american.price - american.error_estimate
    assert (exercised[priced] <= 1e-9).all()


def test_numbers_are_those_of_the_program():
    """The guide shows what the program prints, and is tested."""
    desk = pd.DataFrame(
        {
            "type": ["call", "put", "put", "call", "call"],
            "exercise": ["european", "american", "bermudan:0.25;0.5;0.75", "european", "american"],
            "spot": 100,
            "strike": [100, 100, 105, 100, 100],
            "rate": [0.05, 0.05, 0.03, 0.05, 0.05],
            "volatility": [0.2, 0.2, 0.25, 0.2, 0.2],
            "maturity": 1,
            "barrier": [None, np.nan, "", "down-out:90", pd.NA],
            "dividends": ["", None, None, None, "0.4986:2.0"],
        }
    )
    found = nn.option.price(desk, tolerance=1e-4)
    assert np.allclose(
        found.price,
        [10.450583571689043, 6.090364363035569, 11.31773306379722, 8.665471657977987, 9.321010656271495],
        rtol=1e-13, atol=0,
    )
    assert found.grid.tolist() == ["256x128"] * 5
    quotes = dict(type="put", exercise="american", spot=100, strike=[80, 90], rate=0.04, maturity=0.5)
    found = nn.option.implied_volatility(quotes, dividends="0.4:1.20", price=[1.21, 2.73])
    assert np.allclose(found.volatility, [0.2889903622109982, 0.2518330855661678], rtol=1e-9, atol=0)


@pytest.mark.filterwarnings("ignore:1 of 1 results")
@settings(max_examples=20, deadline=None)
@given(volatility=st.floats(0.1, 0.8), moneyness=st.floats(0.8, 1.25), maturity=st.floats(0.2, 2))
def test_implied_volatilities_come_back(volatility, moneyness, maturity):
    terms = dict(type="call", spot=100, strike=100 * moneyness, rate=0.03, maturity=maturity)
    with mpmath.workdps(30):
        quote = float(black_scholes("call", 100, 100 * moneyness, 0.03, 0, volatility, maturity)[0])
    found = nn.option.implied_volatility(terms, price=quote)
    assert found.error is None and abs(found.volatility - volatility) <= found.error_estimate + 1e-12
    # Far in the money the price hardly tells volatilities apart, and the estimate says so.
    assert found.converged == (found.error_estimate <= 1e-4 * found.volatility)


def test_bad_rows_have_their_sentences():
    nan, inf = float("nan"), float("inf")
    rows = {
        "spot": [100.0, -1.0, nan, inf, 100.0, 100.0, 100.0, 5e-324],
        "type": ["call", "call", "put", "put", "swap", None, " PUT ", "call"],
        "volatility": [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, "0.5:0.2;0.4:0.3", 0.2],
    }
    found = nn.option.price(rows, strike=100, rate=0.05, maturity=1, tolerance=1e-3)
    for row, part in {
        1: "column spot: the spot is -1 where a positive",
        2: "column spot: the spot is NaN",
        3: "column spot: the spot is inf",
        4: "column type: swap is not call or put",
        5: "column type: the cell is empty",
        6: "column volatility: the times of the pieces",
    }.items():
        assert found.error[row].startswith(f"row {row}, {part}"), found.error[row]
        assert np.isnan(found.price[row]) and np.isnan(found.error_estimate[row])
        assert not found.converged[row] and found.grid[row] is None
    assert found.error[0] is None and abs(found.price[0] - 10.45) < 0.02
    with pytest.raises(ValueError, match="^row 1, column spot"):
        nn.option.price(rows, strike=100, rate=0.05, maturity=1, errors="raise")
    for wrong in [b"x", object, 1 + 2j, pd.Timestamp("2026-01-01"), True, np.datetime64("2026-01-01")]:
        for column in [[100, wrong], np.array([100, wrong], dtype=object), pd.Series([100, wrong])]:
            found = nn.option.price({**CALL, "strike": column}, tolerance=1e-3)
            # NumPy makes one number or complex numbers of a list.
            if wrong not in [True, 1 + 2j] or np.asarray(column).dtype == object:
                assert "is not a number" in found.error[1] and found.error[0] is None, (wrong, column)
    days = np.array(["2026-01-01"], dtype="datetime64[ns]")
    assert "is not a number" in nn.option.price({**CALL, "spot": days}).error[0]
    assert "is not a number" in nn.option.price({**CALL, "spot": np.array([1 + 2j])}).error[0]
    # NaN in a column of numbers never counts as the default.
    assert "dividend" in nn.option.price(CALL, dividend=np.array([nan])).error[0]
    assert "rebate" in nn.option.price(CALL, barrier="up-out:120", rebate=nan).error
    american = dict(CALL, exercise="american", barrier="up-in:120")
    with pytest.raises(ValueError, match="row 0, column barrier"):
        nn.option.price(american, errors="raise")


def test_bad_books_are_refused():
    without = {name: column for name, column in CALL.items() if name != "strike"}
    for book, part in [
        (without, "^the column strike is missing"),
        ({**CALL, "tenor": 1}, 'there is no column "tenor"; columns are type, '),
        ({**CALL, "price": 1}, 'there is no column "price"'),
        ({**CALL, "Spot": 1}, "the column spot is there twice"),
        ({**CALL, "strike": [1, 2, 3], "rate": [0.1, 0.2]}, r"strike has the shape \(3,\), rate has \(2,\)"),
        ({**CALL, 7: 1}, "expected names of columns, found 7"),
        ({}, "missing"),
    ]:
        with pytest.raises(ValueError, match=part):
            nn.option.price(book)
        if 7 not in book and "price" not in book and "strike" in book:
            with pytest.raises(ValueError, match=part):
                nn.option.price(**book)
    with pytest.raises(ValueError, match="column price is missing"):
        nn.option.implied_volatility(CALL)
    with pytest.raises(ValueError, match=r"rate has the shape \(3,\), the book has 2 rows"):
        nn.option.price(pd.DataFrame(CALL, index=[0, 1]).drop(columns="rate"), rate=[0.1] * 3)
    with pytest.raises(ValueError, match="twice"):
        nn.option.price(pd.DataFrame(CALL, index=[0]), rate=0.1)
    with pytest.raises(TypeError, match="found int"):
        nn.option.price(5)
    for options, part in [
        (dict(tolerance=0), "tolerance: expected a number between 0 and 1"),
        (dict(tolerance=float("nan")), "tolerance"),
        (dict(grid=(8, 8)), r"grid: expected .* found \(8, 8\)"),
        (dict(grid="1000x500"), "grid"),
        (dict(grid=(2**70, 8)), "grid"),
        (dict(grid=(64, 32), tolerance=1e-3), "found both"),
        (dict(errors="ignore"), "errors: expected 'report' or 'raise'"),
        (dict(precision="fp16"), "precision"),
        (dict(precision="mp10"), "unknown precision `mp10`"),
        (dict(device="gpu"), "unknown device"),
    ]:
        with pytest.raises(ValueError, match=part):
            nn.option.price(CALL, **options)
    with pytest.raises(TypeError, match="device: expected a text such as 'cpu', found None"):
        nn.option.price(CALL, device=None)
    with pytest.raises(TypeError, match="precision: expected a text such as 'dd', found 2"):
        nn.option.price(CALL, precision=2)
    # A book that no memory holds is refused before a column is copied.
    side = np.broadcast_to(0.1, (2**22, 1))
    with pytest.raises(MemoryError, match="a book of 17592186044416 rows"):
        nn.option.price(CALL | {"strike": side, "rate": side.T})


def test_columns_of_all_kinds():
    n = 4
    columns = {
        "spot": np.full(n, 100, dtype=np.int8),
        "strike": np.arange(90, 90 + 10 * n, 10).astype(">f8"),
        "rate": np.full(2 * n, 0.05)[::2],
        "volatility": np.full(n, 0.2, dtype=np.float32),
        "maturity": np.ones(n, dtype=np.longdouble),
    }
    plain = nn.option.price(
        type="put", spot=100, strike=[90, 100, 110, 120], rate=0.05, volatility=float(np.float32(0.2)), maturity=1
    )
    for kind in [
        np.array(["put"] * n), np.array([b"put"] * n), pd.Series(["put"] * n, dtype="category"),
        pd.Series(["put"] * n, dtype="string"), pd.Series(["put"] * n), ["put"] * n, "put",
    ]:
        found = nn.option.price(type=kind, **columns)
        assert (found.price == plain.price).all() and found.price.shape == (n,)
    frame = pd.DataFrame({**columns, "type": pd.Categorical(["put", None, "call", "put"])}, index=list("dcba"))
    found = nn.option.price(frame)
    assert list(found.index) == list("dcba") and "the cell is empty" in found.error["c"]
    assert (found.price[["d", "a"]] == plain.price[[0, 3]]).all()
    nullable = frame.assign(spot=pd.array([100, 100, None, 100], dtype="Int64"), type="put")
    found = nn.option.price(nullable)
    assert "the cell is empty" in found.error["b"] and (found.price["d"] == plain.price[0])
    masked = np.ma.masked_array([90.0, 100, 110, 120], [0, 0, 1, 0])
    found = nn.option.price(type="put", **{**columns, "strike": masked})
    assert "the cell is empty" in found.error[2] and (found.price[[0, 1, 3]] == plain.price[[0, 1, 3]]).all()
    # Duplicate labels, and frames without columns of some rows.
    twice = frame.assign(type="put").set_axis(["x", "x", "y", "y"])
    assert nn.option.price(twice).price.tolist() == plain.price.tolist()


def test_shapes_broadcast():
    found = nn.option.price(CALL | {"strike": [[90.0], [100.0]], "spot": [90.0, 100.0, 110.0]}, tolerance=1e-3)
    assert found.price.shape == (2, 3) == found.error.shape == found.converged.shape
    assert found.price[1, 0] == nn.option.price(CALL | {"spot": 90.0}, tolerance=1e-3).price
    scalar, told = nn.option.price(CALL, info=True)
    assert np.ndim(scalar.price) == 0 and scalar.error is None and scalar.vega is None and scalar.boundary is None
    assert told["device"] == "cpu" and told["seconds"] > 0 and "estimated" in told["device_reason"]
    assert nn.option.price(CALL, device="cpu", info=True)[1]["device_reason"] is None


def test_empty_books():
    empty = nn.option.price({name: [] for name in CALL})
    assert empty.price.shape == (0,) and empty.price.dtype == float and empty.error.shape == (0,)
    frame = pd.DataFrame({name: pd.Series(dtype=float) for name in CALL})
    found = nn.option.price(frame, sensitivities=True, boundary=True)
    assert len(found) == 0 and {"price", "vega", "boundary", "error"} <= set(found.columns)
    assert len(nn.option.implied_volatility(frame.assign(price=1.0))) == 0


def test_grids_boundaries_and_surfaces(tmp_path):
    put = dict(CALL, type="put", exercise=["american", "european"])
    found = nn.option.price(put, grid=(2000, 200), boundary=True)
    assert np.isnan(found.error_estimate).all() and found.converged.all()
    times, spots = found.boundary[0].T
    assert times[-1] == 0 and abs(spots[-1] - 80.88556644958638) < 1e-9 and (np.diff(times) < 0).all()
    assert found.boundary[1].shape == (0, 2)
    exact = nn.option.price({**put, "exercise": "american"}, grid=(64, 32), boundary=True, precision="dd")
    assert exact.boundary.dtype == nn.dd and exact.boundary.shape[1] == 2

    spots, times = [60, 80, 100, 120], [0.25, 1]
    volatilities = np.array([[0.3, 0.25, 0.2, 0.18], [0.28, 0.24, 0.21, 0.19]])
    lines = ["time," + ",".join(map(str, spots))]
    lines += [f"{t}," + ",".join(map(repr, map(float, row))) for t, row in zip(times, volatilities)]
    (tmp_path / "surface.csv").write_text("\n".join(lines))
    surface = nn.option.Surface(spots, times, volatilities)
    by_file = nn.option.price(CALL | {"volatility": "surface:surface.csv"}, folder=tmp_path, tolerance=1e-4)
    by_array = nn.option.price(CALL | {"volatility": [surface, "surface:missing.csv"]}, tolerance=1e-4)
    assert by_file.price == by_array.price[0] and "missing.csv cannot be read" in by_array.error[1]
    assert repr(surface) == "Surface(4 spots, 2 times)"
    assert nn.option.price(CALL | {"volatility": surface}, tolerance=1e-4).price == by_file.price
    assert "a surface is not a number" in nn.option.price(CALL | {"spot": surface}).error
    for arguments, part in [
        ((spots, times, volatilities.T), r"expected the shape \(2, 4\), .* found \(4, 2\)"),
        ((spots[::-1], times, volatilities), "ascending"),
        (([1, np.nan], [1], [[1, 1]]), "ascending"),
        (([], [], np.empty((0, 0))), "ascending"),
        (([[1, 2]], [1], [[1, 1]]), "spots: expected an array of 1 dimension"),
    ]:
        with pytest.raises(ValueError, match=part):
            nn.option.Surface(*arguments)


def test_rough_results_are_warned_of():
    with pytest.warns(nn.linalg.NoniusWarning, match=r"2 of 2 results \(price\) .* rows 0, 1$"):
        found = nn.option.price({**CALL, "strike": [100, 110]}, tolerance=1e-15)
    assert not found.converged.any() and (found.error_estimate > 0).all()


def test_no_frame_is_needed():
    found = nn.option.price(type="call", spot=100, strike=100, rate=0.05, volatility=0.2, maturity=1)
    with mpmath.workdps(30):
        assert abs(found.price - black_scholes("call", 100, 100, 0.05, 0, 0.2, 1)[0]) <= found.error_estimate


def test_polars_frames():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({**CALL, "strike": [90, 100, None], "barrier": [None, "down-out:90", None]})
    found = nn.option.price(frame, tolerance=1e-4)
    assert isinstance(found, polars.DataFrame) and found["error"][2] == "row 2, column strike: the cell is empty"
    assert abs(found["price"][1] - 8.665471657977987) < 1e-3 and found["error"][0] is None
    assert nn.option.price(frame, grid=(64, 32), precision="dd")["price"][0] > 0


def test_threads_go_on_and_signals_stop():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(1)
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    many = {**CALL, "exercise": "american", "type": "put", "strike": np.linspace(80, 120, 300)}
    begun = len(ticks)
    try:
        nn.option.price(many, tolerance=1e-4, device="cpu")
        assert len(ticks) > begun + 3
        # Groups take about a second each: this book would take minutes.
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        clock = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            nn.option.price({**many, "strike": np.linspace(80, 120, 200_000)}, tolerance=1e-6, device="cpu")
        assert time.monotonic() - clock < 60
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("bits", [106, 212])
def test_prices_at_any_bits(bits):
    kind, precision = nn.mp(bits), f"mp{bits}"
    wanted = dict(tolerance=1e-7, sensitivities=True, precision=precision)
    found, place = nn.option.price(**CALL | {"spot": [100, 110]} | wanted, info=True)
    assert found.price.dtype == found.vega.dtype == kind and found.converged.all()
    assert found.error_estimate.dtype == np.float64 and place["device"] == "cpu"
    for spot, price, estimate in zip([100, 110], found.price, found.error_estimate):
        with mpmath.workprec(2 * bits):
            truth = black_scholes("call", spot, 100, 0.05, 0, 0.2, 1)[0]
            # An estimate of the error of the grids, which is far above that of rounding.
            assert abs(mpmath.mpf(price) - truth) <= 10 * estimate <= 1e-5
    # One grid of the same numbers: precisions differ by rounding alone.
    fixed = CALL | {"grid": (64, 32)}
    low, high = (nn.option.price(**fixed, precision=p).price for p in (precision, f"mp{2 * bits}"))
    assert 0 < abs(low - high) <= 2.0 ** (20 - bits) * high
    implied = nn.option.implied_volatility(**CALL | {"price": found.price}, tolerance=1e-6)
    assert implied.volatility.dtype == kind


def test_columns_and_surfaces_of_any_bits():
    third = np.array([1], dtype=nn.mp(212)) / 3
    fixed = CALL | {"grid": (64, 32)}
    by_fraction = nn.option.price(**fixed | {"rate": [Fraction(1, 3)]}, precision="mp212")
    by_array = nn.option.price(**fixed | {"rate": third})
    assert by_array.price.dtype == nn.mp(212) and (by_fraction.price == by_array.price).all()
    lower = nn.option.price(**fixed | {"rate": third}, precision="mp106")
    assert lower.price.dtype == nn.mp(106)
    assert 0 < abs(lower.price - by_array.price)[0] <= 2.0**-80
    # A surface keeps all bits of its numbers.
    flat = nn.option.Surface([80, 120], [0.5, 1], np.full((2, 2), third[0]))
    there = nn.option.price(**fixed | {"volatility": flat}, precision="mp212").price
    near = nn.option.Surface([80, 120], [0.5, 1], np.full((2, 2), nn.DoubleDouble(third[0])))
    rounded = nn.option.price(**fixed | {"volatility": near}, precision="mp212").price
    assert 0 < abs(there - rounded) < 2.0**-90
    frame = pd.DataFrame([CALL | {"price": 10.45}] * 2)
    table = nn.option.implied_volatility(frame, precision="mp106", tolerance=1e-3)
    assert isinstance(table["volatility"][1], nn.Multiprecision)
    bad = nn.option.price(**fixed | {"spot": [-1, 100]}, precision="mp106").price
    assert np.isnan(bad[0]) and bad[1] > 0
