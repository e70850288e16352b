"""Draws the time of solutions against the digits that are proved, for each condition, with FLINT's ball solve beside.

    pip install matplotlib
    python3 crates/bench/plots/digits.py docs/digits.svg crates/bench/runs/FOLDER...

Rows come from all CSV files of the folders; where several have the same place, the fastest counts, one thread.
"""

import collections
import csv
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

# Name, order, colour and style.
LIBRARIES = {
    "nonius-cuda": ("4096 on an H200", 4096, "tab:green", "-"),
    "nonius": ("512 on one core of an EPYC", 512, "tab:blue", "-"),
    "flint": ("512 there, FLINT", 512, "tab:gray", ":"),
}
MARKERS = {0: "o", 15: "s", 30: "^"}


def read(folders):
    """Seconds by library, power of the condition and digits."""
    seconds = collections.defaultdict(lambda: float("inf"))
    for file in sorted(path for folder in folders for path in pathlib.Path(folder).glob("*.csv")):
        with open(file, newline="") as rows:
            for row in csv.DictReader(rows):
                places = row["precision"].startswith("digits") and row["operation"].startswith("solve-1e")
                if not places or row["library"] not in LIBRARIES:
                    continue
                order = LIBRARIES[row["library"]][1]
                if int(row["m"]) != order or int(row["n"]) != 1 or int(row["threads"]) > 1:
                    continue
                power = int(row["operation"].removeprefix("solve-1e"))
                key = row["library"], power, int(row["precision"].removeprefix("digits"))
                seconds[key] = min(seconds[key], float(row["seconds"]))
    return seconds


def main(to, folders):
    seconds = read(folders)
    plt.rcParams.update({"svg.hashsalt": "digits", "font.size": 8, "svg.fonttype": "none"})
    figure, axes = plt.subplots(figsize=(7.2, 4.8))
    for library, (name, _, colour, style) in LIBRARIES.items():
        for power, marker in MARKERS.items():
            points = sorted((d, t) for (l, p, d), t in seconds.items() if (l, p) == (library, power))
            if points:
                condition = "random" if power == 0 else f"condition $10^{{{power}}}$"
                label = f"{name}, {condition}"
                axes.plot(*zip(*points), style, marker=marker, color=colour, markersize=4, linewidth=1.2, label=label)
    axes.set_yscale("log")
    axes.set_xlabel("decimal digits proved in every entry")
    axes.set_ylabel("seconds")
    axes.set_title("equations with one right-hand side; on the H200 from when they are there")
    axes.grid(True, which="both", linewidth=0.3)
    axes.legend(ncols=3, fontsize=6, loc="upper center", bbox_to_anchor=(0.5, -0.15))
    figure.tight_layout()
    figure.savefig(to, metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
