"""QuantLib's finite differences for one European call and one American put: time and error by grid.

    pip install QuantLib; python3 quantlib_options.py FILE.csv

Appends rows as `nonius-bench options` writes them; errors against the exact prices go to standard error.
"""

import csv
import os
import sys
import time

import QuantLib as ql

EXACT = {"european": 10.450583572185566, "american": 6.0903705909656}
GRIDS = [(100, 50), (200, 100), (400, 200), (1000, 500), (2000, 1000), (4000, 2000)]
COLUMNS = ["library", "precision", "operation", "m", "n", "k", "threads", "seconds", "rate", "unit"]


def process(today):
    days = ql.Actual365Fixed()
    return ql.BlackScholesMertonProcess(
        ql.QuoteHandle(ql.SimpleQuote(100.0)),
        ql.YieldTermStructureHandle(ql.FlatForward(today, 0.0, days)),
        ql.YieldTermStructureHandle(ql.FlatForward(today, 0.05, days)),
        ql.BlackVolTermStructureHandle(ql.BlackConstantVol(today, ql.NullCalendar(), 0.2, days)),
    )


def option(name, today):
    if name == "american":
        return ql.VanillaOption(
            ql.PlainVanillaPayoff(ql.Option.Put, 100.0), ql.AmericanExercise(today, today + 365)
        )
    return ql.VanillaOption(ql.PlainVanillaPayoff(ql.Option.Call, 100.0), ql.EuropeanExercise(today + 365))


def main(file):
    today = ql.Date(1, 1, 2025)
    ql.Settings.instance().evaluationDate = today
    market = process(today)
    fresh = not os.path.exists(file)
    with open(file, "a", newline="") as out:
        rows = csv.writer(out)
        if fresh:
            rows.writerow(COLUMNS)
        for name, exact in EXACT.items():
            contract = option(name, today)
            for space, steps in GRIDS:
                best, price = float("inf"), 0.0
                for _ in range(3):
                    # A new engine, so that nothing is remembered.
                    contract.setPricingEngine(ql.FdBlackScholesVanillaEngine(market, steps, space, 0))
                    start = time.perf_counter()
                    price = contract.NPV()
                    best = min(best, time.perf_counter() - start)
                error = price / exact - 1.0
                print(f"{name} {space} x {steps}: {1e3 * best:.3f} ms, error {error:.1e}", file=sys.stderr)
                rows.writerow(
                    ["quantlib", "f64", name, 1, space, steps, 1, best, 1.0 / best, "contracts/s"]
                )


if __name__ == "__main__":
    main(sys.argv[1])
