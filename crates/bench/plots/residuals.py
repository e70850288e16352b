"""Draws the residuals of conjugate gradients against the iterations, one panel a matrix, one colour a precision.

    pip install matplotlib
    python3 crates/bench/plots/residuals.py docs/conjugate-gradients.svg crates/bench/runs/FOLDER/figure2

Reads `residuals.csv` and `counts.csv` of the folder, as `nonius-bench figure2` writes them.
"""

import collections
import csv
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

# From warm to cold with the bits; all of them dark enough on white.
COLOURS = {"f64": "#d62728", "dd": "#e68a00", "mp106": "#8c8c00", "mp212": "#2a9d5c", "mp424": "#1f4fb4"}
LABELS = {"f64": "f64, 53 bits", "dd": "dd, 106 bits"}
STYLES = {"none": "-", "jacobi": "--"}
TITLES = {"none": "without a preconditioner", "jacobi": "inverse diagonal"}
TOLERANCE = 1e-8


def read(folder):
    curves = collections.defaultdict(list)
    with open(folder / "residuals.csv", newline="") as rows:
        for row in csv.DictReader(rows):
            key = row["matrix"], row["precision"], row["preconditioner"]
            curves[key].append((int(row["iteration"]), float(row["relative_residual"])))
    with open(folder / "counts.csv", newline="") as rows:
        orders = {row["matrix"]: int(row["n"]) for row in csv.DictReader(rows)}
    return curves, orders


def panel(axes, matrix, n, curves):
    for preconditioner, style in STYLES.items():
        for precision, colour in COLOURS.items():
            points = curves.get((matrix, precision, preconditioner))
            if not points:
                continue
            iterations, residuals = zip(*points)
            axes.plot(iterations, residuals, style, color=colour, linewidth=0.9)
            # The end of a run that converged.
            if residuals[-1] <= TOLERANCE:
                axes.plot(iterations[-1], residuals[-1], "o", color=colour, markersize=3)
    axes.axhline(TOLERANCE, color="black", linewidth=0.5)
    axes.set_title(f"{matrix}, n = {n}", fontsize=9)
    axes.set_yscale("log")
    axes.set_ylim(1e-9, None)
    axes.set_xlim(0, None)
    axes.grid(True, which="major", linewidth=0.3)


def main():
    target, folder = sys.argv[1:]
    curves, orders = read(pathlib.Path(folder))
    if not curves:
        sys.exit("no residuals in this folder")
    plt.rcParams.update({"svg.hashsalt": "residuals", "font.size": 8, "svg.fonttype": "none"})
    figure, grid = plt.subplots(2, 2, figsize=(9.5, 6.6))
    for axes, (matrix, n) in zip(grid.flat, orders.items()):
        panel(axes, matrix, n, curves)
    for axes in grid[1]:
        axes.set_xlabel("iterations")
    for axes in grid[:, 0]:
        axes.set_ylabel("residual relative to the first")
    line = plt.Line2D
    handles = [line([], [], color=colour, label=LABELS.get(p, f"{p[2:]} bits")) for p, colour in COLOURS.items()]
    handles += [line([], [], color="black", linestyle=style, label=TITLES[p]) for p, style in STYLES.items()]
    figure.legend(handles=handles, loc="lower center", ncols=len(handles), fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main()
