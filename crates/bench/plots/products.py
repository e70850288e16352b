"""Draws the rate of matrix products against the precision and against the order, for each engine and machine.

    pip install matplotlib
    python3 crates/bench/plots/products.py docs/products.svg crates/bench/runs/FOLDER...

Rows come from all CSV files of the folders; where several have the same place, the fastest counts, one thread on CPUs.
"""

import collections
import csv
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

BITS = {"dd": 106, "td": 159, "qd": 212}
MACHINES = {"nonius-cuda": "H200", "nonius": "one core of an EPYC", "flint": "FLINT on it"}
ENGINES = {"gemm-crt": "crt", "gemm-direct": "direct", "gemm_exact": "arb_mat"}
COLOURS = {"H200": "tab:green", "one core of an EPYC": "tab:blue", "FLINT on it": "tab:gray"}
STYLES = {"crt": "-", "direct": "--", "arb_mat": ":"}
ORDERS = {"H200": [4096, 1024], "one core of an EPYC": [1024, 512, 256], "FLINT on it": [1024, 512, 256]}
PRECISIONS = [106, 212, 424]
MARKERS = {106: "o", 212: "s", 424: "^"}


def bits_of(precision, engine):
    if not precision.startswith("mp"):
        return BITS.get(precision)
    bits = int(precision[2:])
    # Numbers of words go another direct way than those of limbs, which reach up to qd.
    return None if engine == "direct" and bits <= BITS["qd"] else bits


def read(folders):
    """Rates in operations a second by machine, engine, bits and order."""
    rates = collections.defaultdict(float)
    for file in sorted(path for folder in folders for path in pathlib.Path(folder).glob("*.csv")):
        with open(file, newline="") as rows:
            for row in csv.DictReader(rows):
                machine, engine = MACHINES.get(row["library"]), ENGINES.get(row["operation"])
                bits = bits_of(row["precision"], engine)
                square = row["m"] == row["n"] == row["k"]
                if None in (machine, engine, bits) or not square or int(row["threads"]) > 1:
                    continue
                key = machine, engine, bits, int(row["m"])
                rates[key] = max(rates[key], float(row["rate"]) * 1e9)
    return rates


def line(axes, points, machine, engine, label, **style):
    points = sorted(points)
    if len(points) > 1:
        xs, ys = zip(*points)
        colour = COLOURS[machine]
        axes.plot(xs, ys, STYLES[engine], color=colour, markersize=4, linewidth=1.2, label=label, **style)


def against_precision(axes, rates):
    for machine, orders in ORDERS.items():
        for engine in STYLES:
            bits = {key[2] for key in rates if key[:2] == (machine, engine)}
            points = []
            for b in bits:
                # The first of the orders that was measured at this precision.
                found = [rates[machine, engine, b, n] for n in orders if (machine, engine, b, n) in rates]
                points += [(b, found[0])] if found else []
            line(axes, points, machine, engine, f"{machine}, {engine}", marker="o")
    axes.set_xlabel("bits of a number")
    axes.set_xscale("log", base=2)
    axes.set_xticks([106, 212, 424, 1000, 2048], ["106", "212", "424", "1000", "2048"])
    axes.set_title("n = 4096 on the H200; 1024 on the core, 256 where that was not measured", fontsize=8)


def against_order(axes, rates):
    for machine in MACHINES.values():
        for engine in STYLES:
            for b in PRECISIONS:
                points = [(n, rate) for (m, e, bits, n), rate in rates.items() if (m, e, bits) == (machine, engine, b)]
                label = f"{b} bits" if (machine, engine) == ("H200", "crt") else None
                line(axes, points, machine, engine, label, marker=MARKERS[b])
    axes.set_xlabel("order n")
    axes.set_xscale("log", base=2)
    orders = sorted({key[3] for key in rates if key[3] & (key[3] - 1) == 0})
    axes.set_xticks(orders, [str(n) for n in orders], rotation=45)
    axes.set_title("at 106, 212 and 424 bits", fontsize=8)


def main():
    target, *folders = sys.argv[1:]
    rates = read(folders)
    if not rates:
        sys.exit("no rows of products in the CSV files of these folders")
    plt.rcParams.update({"svg.hashsalt": "products", "font.size": 8, "svg.fonttype": "none"})
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.4), sharey=True)
    against_precision(left, rates)
    against_order(right, rates)
    for axes in (left, right):
        axes.set_yscale("log")
        axes.grid(True, which="major", linewidth=0.3)
        axes.legend(fontsize=7, loc="lower left")
    left.set_ylabel("operations a second, two for each term")
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main()
